"""docs/audit.md names every finding with the share from which it is one."""

from __future__ import annotations

from pathlib import Path

import pytest

from webarticlecurator.survey.audit import limits
from webarticlecurator.survey.audit.results import Kind
from webarticlecurator.survey.audit.sentences import ADVICE, MESSAGES


@pytest.fixture(scope="module")
def rows(repo_root: Path) -> dict[str, str]:
    lines = (repo_root / "docs" / "audit.md").read_text("utf-8").splitlines()
    return {line.split("`")[1]: line for line in lines if line.startswith("| `")}


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_finding_is_documented_with_its_share(kind: Kind, rows: dict[str, str]) -> None:
    assert kind in rows
    if kind in limits.LIMITS:
        assert rows[kind].split("|")[3].strip() == f"{limits.LIMITS[kind].share:.0%}".replace("%", " %")


@pytest.mark.parametrize("kind", Kind)
def test_every_kind_of_finding_has_its_sentences(kind: Kind) -> None:
    assert MESSAGES[kind]
    assert ADVICE[kind].endswith(".")


@pytest.mark.parametrize(
    "share",
    [
        *(limits.RECURS, limits.RECURS_LONG, limits.RECURS_LABEL, limits.UNDECIDED),
        *(limits.IDLE_MAIN, limits.MISSING_ELSEWHERE, limits.SAME_BODY),
    ],
)
def test_the_other_shares_are_documented(share: float, repo_root: Path) -> None:
    assert f"{share * 100:.0f} %" in (repo_root / "docs" / "audit.md").read_text("utf-8")
