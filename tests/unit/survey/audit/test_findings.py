"""docs/reference/audit.md names every finding with the share from which it is one."""

from __future__ import annotations

from pathlib import Path

import pytest

from webarticlecurator.survey.audit import across_pages
from webarticlecurator.survey.audit.findings import KINDS, FindingKind, OnPages


@pytest.fixture(scope="module")
def rows(repo_root: Path) -> dict[str, str]:
    lines = (repo_root / "docs" / "reference" / "audit.md").read_text("utf-8").splitlines()
    return {line.split("`")[1]: line for line in lines if line.startswith("| `")}


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)
def test_every_kind_of_finding_is_documented_with_its_share(kind: FindingKind, rows: dict[str, str]) -> None:
    assert kind.key in rows
    if isinstance(kind.found, OnPages):
        assert rows[kind.key].split("|")[3].strip() == f"{kind.found.share:.0%}".replace("%", " %")


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)
def test_every_kind_of_finding_has_its_sentences(kind: FindingKind) -> None:
    assert kind.message
    assert kind.advice.endswith(".")


def test_of_stored_pages_that_are_no_articles_only_a_rule_that_works_for_them_is_advised() -> None:
    advised = {kind.key: kind.advice for kind in KINDS if "articles.skip" in kind.advice}
    assert set(advised) == {"taken-for-listing", "same-body"}
    assert all("articles.skip.when can say so" in advice for advice in advised.values())


def test_no_kind_of_finding_is_there_twice() -> None:
    assert len({kind.key for kind in KINDS}) == len(KINDS)


@pytest.mark.parametrize(
    "share",
    [
        *(across_pages.RECURS, across_pages.RECURS_LONG, across_pages.RECURS_LABEL, across_pages.UNDECIDED),
        *(across_pages.IDLE_MAIN, across_pages.MISSING_ELSEWHERE, across_pages.SAME_BODY),
    ],
)
def test_the_other_shares_are_documented(share: float, repo_root: Path) -> None:
    assert f"{share * 100:.0f} %" in (repo_root / "docs" / "reference" / "audit.md").read_text("utf-8")
