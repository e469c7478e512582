"""`curator test`: the example portal on its own corpus, and what a person meets on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from case_files import cases
from crawling import Crawling, crawling

ARTICLE = "/belfold/cikk/101/ujra-megnyilt-az-arvizi-gat-felsorev"


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Crawling]:
    with crawling(tmp_path_factory.mktemp("example"), articles=600, page_size=10) as crawl:
        crawl.crawl()
        yield crawl


def expected(file: Path) -> list[dict[str, Any]]:
    """The entries of a file of tests."""
    return list(yaml.safe_load(file.read_text("utf-8")))


class OwnPortal:
    """A portal file of one's own, beside a corpus that is there."""

    def __init__(self, curator: Any, crawled: Crawling, folder: Path) -> None:
        self._curator = curator
        self.crawled = crawled
        self.rules = crawled.portal.portal_file(folder, delay="0s")
        self.tests = folder / "tests.yaml"

    def test(self, *arguments: object) -> Any:
        where = () if "--warc" in arguments else ("--corpus", self.crawled.corpus)
        return self._curator("test", self.rules, *where, *arguments)

    def accept(self, *paths: str, flags: tuple[str, ...] = ()) -> Any:
        return self.test(*[word for path in paths for word in ("--accept", self.url(path))], *flags)

    def url(self, path: str) -> str:
        return path if "://" in path else self.crawled.portal.home + path

    def change_rules(self, old: str, new: str) -> None:
        text = self.rules.read_text("utf-8")
        assert old in text
        self.rules.write_text(text.replace(old, new), "utf-8")


@pytest.fixture
def own(curator: Any, crawled: Crawling, tmp_path: Path) -> OwnPortal:
    return OwnPortal(curator, crawled, tmp_path)


# --- the example portal ---


def test_the_example_portal_is_as_expected(own: OwnPortal, tmp_path: Path) -> None:
    own.crawled.portal.tests_file(tmp_path)
    ended = own.test()
    assert (ended.code, ended.out) == (0, "15 pages, 15 as expected\n")
    assert "Next: `curator audit" in ended.err


@cases("right, wrong, told", "commands/cases/a-wrong-rule-is-found")
def test_a_wrong_rule_is_found(right: str, wrong: str, told: str, own: OwnPortal, tmp_path: Path) -> None:
    own.crawled.portal.tests_file(tmp_path)
    own.change_rules(right, wrong)
    ended = own.test()
    assert ended.code == 1
    assert told in ended.out
    assert "differ" in ended.out.splitlines()[-1]


# --- accepting ---


def test_what_was_accepted_is_as_expected_until_a_rule_changes(own: OwnPortal) -> None:
    ended = own.accept(ARTICLE, "/belfold/", "/forum/tema/24")
    assert ended.code == 0
    assert "+      headline:" in ended.out
    assert "Read it over: this is what the rules give now, not what is right." in ended.err
    assert [one.get("as", "article") for one in expected(own.tests)] == ["article", "archive", "article"]
    assert own.test().out == "3 pages, 3 as expected\n"

    own.change_rules("author: [a.szerzo", "author: [a.rovat")
    ended = own.test()
    assert ended.code == 1
    assert ended.out.splitlines()[-1] == "3 pages, 2 as expected, 1 differs"
    assert ended.out.splitlines()[:2] == [
        f"{own.url(ARTICLE)}  (article)",
        '  author: expected "Sóházi Gréta", found "Belföld"',
    ]


def test_a_page_is_read_by_the_rules_that_were_asked_for(own: OwnPortal) -> None:
    own.accept("/belfold/", flags=("--as", "article"))
    (entry,) = expected(own.tests)
    assert (entry.get("as", "article"), entry["expect"]["outcome"]) == ("article", "empty")


def test_what_is_not_there_cannot_be_accepted(own: OwnPortal) -> None:
    ended = own.accept(ARTICLE, "/nincs", "ftp://x/")
    assert ended.code == 1
    assert f"{own.url('/nincs')}: nothing was accepted: not in the corpus" in ended.err
    assert "ftp://x/: nothing was accepted: this is not a web address" in ended.err
    assert len(expected(own.tests)) == 1


# --- what a program gets, and where pages come from ---


def test_json_tells_each_page_and_each_difference(own: OwnPortal) -> None:
    wanted = {"url": own.url(ARTICLE), "expect": {"paragraphs": 99, "metadata": {"author": ["A", "B"]}}}
    own.tests.write_text(json.dumps([wanted, {"url": own.url("/nincs"), "expect": {"next": None}}]), "utf-8")
    ended = own.test("--json")
    told = json.loads(ended.out)
    assert ended.code == 1
    assert {name: told[name] for name in ("portal", "pages", "as_expected", "differs", "not_stored")} == {
        "portal": "kilenchid",
        "pages": 2,
        "as_expected": 0,
        "differs": 1,
        "not_stored": 1,
    }
    first, second = told["results"]
    assert [difference["what"] for difference in first["differences"]] == ["paragraphs", "author"], "in the order of the file"
    assert first["differences"][1] == {
        "what": "author",
        "expected": ["A", "B"],
        "found": ["Sóházi Gréta"],
        "sentence": 'author: expected "A", "B", found "Sóházi Gréta"',
    }
    assert (second["result"], second["reason"]) == ("not-stored", "not in the corpus")


def test_pages_of_any_warc_file(own: OwnPortal) -> None:
    own.accept(ARTICLE, "/belfold/")
    archive, articles = own.crawled.warcs
    assert own.test("--warc", archive, "--warc", articles).code == 0
    ended = own.test("--warc", archive)
    assert ended.code == 1
    assert f"not stored: not in the WARC files; `curator crawl {own.rules}` gets it" in ended.out
    assert ended.out.splitlines()[-1] == "2 pages, 1 as expected, 1 not stored"


def test_what_the_archive_told_of_an_article_counts_where_the_ledger_knows_it(own: OwnPortal) -> None:
    own.accept("/regi/cikk.php?id=71")
    assert own.test().code == 0
    archive, articles = own.crawled.warcs
    ended = own.test("--warc", archive, "--warc", articles)
    assert ended.out.splitlines()[1:-1] == ['  articleSection: expected "Régi lapok", found nothing']


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "--accept URL"),
        (("--as", "archive"), "--as goes with --accept"),
        (("--fingerprints",), "--fingerprints goes with --accept"),
        (("--accept", "https://x/", "--warc", "nincs.warc"), "nincs.warc: there is no such file"),
        (("--accept", "https://x/", "--warc", "."), ". is a folder; name the files in it"),
        (("--accept", "https://x/", "--corpus", "nowhere"), "no corpus of "),
    ],
)
def test_what_cannot_be_done_is_said(arguments: tuple[str, ...], message: str, own: OwnPortal) -> None:
    ended = own.test(*arguments)
    assert ended.code == 2
    assert message in ended.err
    assert not own.tests.exists()
