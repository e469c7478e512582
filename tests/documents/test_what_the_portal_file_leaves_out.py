"""What no column of the portal file names any more, or a rule for addresses leaves out, has no document; and has it again with the rule."""

from __future__ import annotations

import json
from typing import Any

import pytest
from scripted_portal import Crawler, listing

OK = 0
NEWS, OLD = "  hirek: {url: HOME/l/1}\n", "  regi: {url: HOME/l/9}\n"
COLUMNS = "archive: {item: li.t, pages: none}\ncolumns:\n"


def article(number: int) -> str:
    text = f"<p>A(z) {number}. cikk szövege áll itt, és mellette még néhány mondat a hídról. " * 5
    return f"<html><head><title>Cikk {number}</title></head><body><article><h1>Cikk {number}</h1>{text}</article></body></html>"


@pytest.fixture
def two_columns(crawler: Crawler) -> Crawler:
    """Articles 1 and 2 in the one list, 2 and 3 in the other."""
    crawler.portal.script |= {"/l/1": listing(1, 2), "/l/9": listing(2, 3)} | {f"/c/{number}": article(number) for number in (1, 2, 3)}
    crawler.rules = COLUMNS + NEWS + OLD
    assert crawler.crawl() == OK
    return crawler


def built(crawler: Crawler, *more: object) -> Any:
    ended = crawler.curator("build", crawler.file, "--corpus", crawler.corpus, "--jobs", 1, "--json", *more)
    return json.loads(ended.out)


def exported(crawler: Crawler) -> list[str]:
    """The articles of an export."""
    ended = crawler.curator("export", crawler.file, "--corpus", crawler.corpus, "--to", "jsonl")
    return sorted(json.loads(line)["url"].removeprefix(crawler.portal.home) for line in ended.out.splitlines())


def test_a_column_that_is_removed_takes_along_what_it_alone_listed_and_brings_it_back(two_columns: Crawler) -> None:
    assert (built(two_columns)["written"], exported(two_columns)) == (3, ["/c/1", "/c/2", "/c/3"])
    stored = {path.name: path.stat().st_size for path in (two_columns.corpus / "warc").rglob("*.warc*")}
    two_columns.rules = COLUMNS + NEWS
    without = built(two_columns)
    assert (without["removed"], exported(two_columns)) == (1, ["/c/1", "/c/2"])
    left_out = "the columns of the portal file (`regi` is none any more)"
    assert without["skipped"] == {left_out: [1, f"{two_columns.portal.home}/c/3"]}
    assert [row["reason"] for row in two_columns.status()["no_articles"]] == [left_out]
    assert built(two_columns)["unchanged"] == 3
    assert {path.name: path.stat().st_size for path in (two_columns.corpus / "warc").rglob("*.warc*")} == stored
    two_columns.rules = COLUMNS + NEWS + OLD
    assert (built(two_columns)["written"], exported(two_columns)) == (1, ["/c/1", "/c/2", "/c/3"])


def test_an_old_column_under_a_new_name_takes_nothing_away_until_it_was_walked(two_columns: Crawler) -> None:
    built(two_columns)
    two_columns.rules = COLUMNS + NEWS + OLD.replace("regi", "archivum")
    assert built(two_columns)["removed"] == 0
    assert two_columns.crawl() == OK
    assert built(two_columns)["removed"] == 0
    assert exported(two_columns) == ["/c/1", "/c/2", "/c/3"]


@pytest.mark.parametrize(
    ("rule", "name"),
    [("urls: {exclude: ['/c/3$']}", "urls.exclude"), ("urls: {only: ['/c/[12]']}", "urls.only")],
)
def test_what_a_rule_for_addresses_takes_has_no_document_at_the_next_build(two_columns: Crawler, rule: str, name: str) -> None:
    built(two_columns)
    two_columns.rules = COLUMNS.replace("item:", f"{rule}, item:") + NEWS + OLD
    assert built(two_columns)["skipped"] == {name: [1, f"{two_columns.portal.home}/c/3"]}
    assert exported(two_columns) == ["/c/1", "/c/2"]
    assert two_columns.crawl() == OK
    assert exported(two_columns) == ["/c/1", "/c/2"]


def test_what_was_imported_stays_though_no_column_names_it(two_columns: Crawler) -> None:
    files = sorted((two_columns.corpus / "warc").rglob("*.warc*"))
    second = two_columns.folder / "second"
    two_columns.rules = COLUMNS + NEWS
    two_columns.crawl()
    assert two_columns.curator("warc", "import", two_columns.file, *files, "--corpus", second).code == OK
    ended = two_columns.curator("build", two_columns.file, "--corpus", second, "--jobs", 1, "--json")
    assert json.loads(ended.out)["written"] == 3


def test_the_line_that_a_crawl_names_for_its_home_page_leaves_it_out(crawler: Crawler) -> None:
    crawler.portal.script |= {"/l/1": listing("/", 1), "/c/1": article(1), "/": article(0)}
    crawler.rules = "archive: {url: HOME/l/1, item: li.t, pages: none}\n"
    assert crawler.crawl() == OK
    assert built(crawler)["articles"] == 2
    (line,) = [part for part in crawler.said.split("`") if part.startswith("exclude: ")]
    crawler.rules = f"archive:\n  url: HOME/l/1\n  item: li.t\n  pages: none\n  urls: {{{line}}}\n"
    assert crawler.crawl() == OK
    assert "counts as an article" not in crawler.said
    assert built(crawler)["skipped"] == {"urls.exclude": [1, f"{crawler.portal.home}/"]}
    assert exported(crawler) == ["/c/1"]
