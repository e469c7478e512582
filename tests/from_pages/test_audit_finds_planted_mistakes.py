"""Mistakes that people make in portal files are found by `curator audit`, and right rules are left alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from crawling import WITHOUT_CALENDAR, Crawling, crawling

_OLD_ROOT = "body: {root: td.cikk}"
_UNTIL = "until: 2014-12-31"


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawling]:
    with crawling(tmp_path_factory.mktemp("audited"), articles=120, page_size=20, columns=WITHOUT_CALENDAR) as crawl:
        crawl.crawl()
        yield crawl


@pytest.fixture
def audited(crawled: Crawling, curator: Any, tmp_path: Path) -> Callable[[str], dict[str, Any]]:
    """The audit of the corpus by these rules."""

    def run(rules: str) -> dict[str, Any]:
        file = tmp_path / "portal.yaml"
        file.write_text(rules, "utf-8")
        ended = curator("audit", file, "--corpus", crawled.corpus, "--jobs", "1", "--json")
        told: dict[str, Any] = json.loads(ended.out)
        assert ended.code == told["exit_code"] == (1 if told["findings"] else 0)
        return told

    return run


@pytest.fixture
def rules(crawled: Crawling) -> str:
    return crawled.file.read_text("utf-8")


def test_the_right_rules_are_left_alone_and_a_misspelt_one_is_told_in_the_account(
    audited: Callable[[str], dict[str, Any]], rules: str
) -> None:
    told = audited(rules.replace("lead: [p.lead]", "lead: [p.lead, p.leed]"))
    assert told["findings"] == []
    assert [rule.rpartition(" ")[2] for rule in told["unmatched_rules"]] == ["p.leed"]
    assert told["pages"] > 90
    assert told["words_kept"] > 20 * told["words_dropped"] > 0


def test_a_finding_says_where_the_rule_stands_and_in_which_years_it_is_wrong(audited: Callable[[str], dict[str, Any]], rules: str) -> None:
    wrong = rules.replace(_UNTIL, "until: 2022-12-31")
    (finding,) = [one for one in audited(wrong)["findings"] if one["kind"] == "no-root"]
    line = next(number for number, text in enumerate(wrong.splitlines(), start=1) if _OLD_ROOT in text)
    assert finding["rule"] == f"portal.yaml:{line} body.root td.cikk"
    assert finding["layout"] == "old"
    assert set(finding["years"]) <= set(range(2015, 2023))
    assert finding["words"] > 0
    assert 0 < len(finding["examples"]) <= 3
    assert all(example["url"].startswith("http://") and example["text"] for example in finding["examples"])
