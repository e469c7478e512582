"""Mistakes that people make in portal files are found by `curator audit`, and right rules are left alone."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from crawling import WITHOUT_CALENDAR, Crawling, crawling

Curator = Callable[..., Any]
_DECOMPOSE = "decompose: [div.hirdetes, aside.ajanlo, p.hirlevel, p.fej, blockquote.kozossegi > a]"
_ROOT = "root: [div.torzs, div.tema]"
_OLD_ROOT = "body: {root: td.cikk}"
_UNTIL = "until: 2014-12-31"


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawling]:
    with crawling(tmp_path_factory.mktemp("audited"), articles=120, page_size=20, columns=WITHOUT_CALENDAR) as crawl:
        crawl.crawl()
        yield crawl


@pytest.fixture
def audited(crawled: Crawling, curator: Curator, tmp_path: Path) -> Callable[[str], dict[str, Any]]:
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


def _also_dropped(selector: str) -> tuple[str, str]:
    return _DECOMPOSE, _DECOMPOSE.replace("[", f"[{selector}, ")


MISTAKES = {
    "a decompose that eats the lead": ([_also_dropped("p.lead"), ("    lead: [p.lead]\n", "")], "text-lost", "p.lead"),
    "a misspelt class, so that furniture stays": ([("div.hirdetes,", "div.hirdetess,")], "furniture-kept", "div.hirdetes"),
    "a root that is only the lead": ([(_ROOT, "root: [p.lead, div.tema]")], "root-too-small", "p"),
    "a root that is a box, where there is one": ([(_ROOT, "root: [div.keretes, div.torzs, div.tema]")], "root-too-small", "p"),
    "a root with byline and keywords": ([(_ROOT, "root: [article.cikk, article.bejegyzes, div.tema]")], "root-too-large", "div.torzs"),
    "a root that is the whole page": ([(_ROOT, "root: body")], "root-too-large", "div.torzs"),
    "a root that is the old layout's column": ([(_OLD_ROOT, "body: {root: td.tartalom}")], "furniture-kept", "td.reklam"),
    "links dropped out of sentences": ([_also_dropped("a")], "sentence-interrupted", "a"),
    "a layout that ends too early": ([(_UNTIL, "until: 2010-10-31")], "no-root", "body.root div.torzs"),
    "a root that matches nothing on one layout": ([(_OLD_ROOT, "body: {root: td.cikkek}")], "no-root", "body.root td.cikkek"),
    "paragraphs as headings": ([("lead: [p.lead]", "lead: [p.lead]\n    heading: [p]")], "prose-as-heading", "p"),
    "paragraphs as boxes": ([("box: [div.keretes]", "box: [div.keretes, div.torzs p]")], "prose-misnamed", "p"),
    "bold text as headings": ([("lead: [p.lead]", "lead: [p.lead]\n    heading: [strong]")], "paragraph-cut", "p"),
    "lists unwrapped": ([("unwrap: [", "unwrap: [ul, li, ")], "structure-flattened", "li"),
    "lists made simple": ([("unwrap: [", "unwrap-all: [ul]\n    unwrap: [")], "paragraphs-glued", "li"),
    "a pick that stopped matching": ([("author: [a.szerzo,", "author: [a.iro,")], "metadata-missing", "author"),
    "a pick of the old layout that never matched": ([("headline: td.cikkcim", "headline: td.cim")], "metadata-missing", "headline"),
    "a root that is a notice": ([("p.hirlevel, ", ""), (_ROOT, "root: [p.hirlevel, div.torzs, div.tema]")], "same-body", "p.hirlevel"),
}  # fmt: skip


CASES = [
    pytest.param(*case, id=name, marks=[pytest.mark.nightly] * (number % 4 > 0)) for number, (name, case) in enumerate(MISTAKES.items())
]


@pytest.mark.parametrize(("edits", "kind", "about"), CASES)
def test_a_planted_mistake_is_found(
    audited: Callable[[str], dict[str, Any]], rules: str, edits: list[tuple[str, str]], kind: str, about: str
) -> None:
    for right, wrong in edits:
        assert rules.count(right) == 1
        rules = rules.replace(right, wrong)
    found = [finding for finding in audited(rules)["findings"] if finding["kind"] == kind]
    assert any(about == finding["tag"] or finding["rule"].endswith(about) for finding in found), found


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
