"""WARC files of other programs come into a corpus, and the next crawl knows what is there."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from arc_files import arc_file, arc_record
from scripted_portal import Crawler
from warc_records import Page, foreign

MISSING = r'<note type="missingPage" n="(\d+)"[^>]*>([^<]*)</note>'
RULES = "archive: {url: 'HOME/lista/{page}', pages: infinite, link: h2 a}\narticles: {identity: '/c/(\\d+)'}\n"


def listing(*numbers: int) -> str:
    return "".join(f'<h2><a href="/c/{number}">{number}</a></h2>' for number in numbers) or "<p>nothing</p>"


def take_in(crawler: Crawler, *files: Path) -> dict[str, Any]:
    ended = crawler.run("warc", "import", *files, "--json")
    assert ended.code == 0, ended.err
    return dict(json.loads(ended.out))


def stored(crawler: Crawler, name: str, *pages: Page, **how: Any) -> Path:
    """A file with pages of the portal, told by their paths."""
    home = crawler.portal.home
    return foreign(crawler.folder / name, [(url if "://" in url else home + url, status, body) for url, status, body in pages], **how)


def outcomes(crawler: Crawler) -> Counter[str]:
    return Counter(crawler.outcomes.values())


def dates(crawler: Crawler) -> set[str]:
    """Of all that is stored and is an answer."""
    listed = map(json.loads, crawler.curator("warc", "list", crawler.corpus, "--json").out.splitlines())
    return {line["date"] for line in listed if line["status"] is not None}


@pytest.fixture
def two_files(crawler: Crawler) -> list[Path]:
    """The predecessor's layout: archive pages in one file, articles in another."""
    archive = stored(crawler, "archive.warc.gz", ("/lista/1", "200 OK", listing(3, 2)), ("/lista/2", "200 OK", listing(1)))
    articles = [(f"/c/{number}", "200 OK", f"<h1>{number}</h1>") for number in (3, 1)]
    broken = [("/c/9", "404 Not Found", "gone"), ("https://elsewhere.example/c/4", "200 OK", "other"), ("/robots.txt", "200 OK", "")]
    return [archive, stored(crawler, "articles.warc", *articles, *broken, packed=False)]


def test_archive_pages_and_articles_are_told_apart_by_the_rules_and_nothing_is_taken_in_twice(
    crawler: Crawler, two_files: list[Path]
) -> None:
    imported = take_in(crawler, *two_files)
    assert (imported["archive_pages"], imported["articles"]) == (2, 3)
    assert sum(imported["skipped"].values()) == 2
    assert outcomes(crawler) == {"queued": 1, "fetched": 2, "gone": 1}
    again = take_in(crawler, *two_files)
    assert (again["archive_pages"], again["articles"]) == (0, 0)


def test_the_records_keep_their_date_and_the_files_are_sound(crawler: Crawler, two_files: list[Path]) -> None:
    take_in(crawler, *two_files)
    assert crawler.curator("warc", "check", crawler.corpus).code == 0
    assert [date[:19] for date in dates(crawler)] == ["2019-03-04T05:06:07"]


def test_the_next_crawl_fetches_only_what_was_not_imported(crawler: Crawler, two_files: list[Path]) -> None:
    take_in(crawler, *two_files)
    crawler.portal.script |= {"/lista/1": listing(3, 2), "/lista/2": listing(1), "/lista/3": listing()}
    assert crawler.crawl() == 0
    assert crawler.portal.articles_asked == ["/c/2"]
    assert outcomes(crawler) == {"fetched": 3, "gone": 1}


@pytest.mark.parametrize("quiet", [[], ["--quiet"]])
def test_a_cut_file_is_taken_in_as_far_as_it_goes_and_told(crawler: Crawler, two_files: list[Path], quiet: list[str]) -> None:
    two_files[0].write_bytes(two_files[0].read_bytes()[:-8])
    ended = crawler.run("warc", "import", *two_files, "--json", *quiet)
    assert ended.code == 1
    assert f"1 damaged place. Next: `curator warc check {two_files[0]} {two_files[1]}`" in ended.err
    imported = json.loads(ended.out)
    assert (imported["damaged"], imported["archive_pages"], imported["articles"]) == (1, 1, 3)


def test_a_block_in_the_files_takes_nothing_away_that_is_stored(crawler: Crawler) -> None:
    pages = [(f"/c/{number}", "200 OK", f"<h1>{number}</h1><p>The article of that number.") for number in range(1, 7)]
    take_in(crawler, stored(crawler, "pages.warc.gz", *pages))
    before = outcomes(crawler)
    busy, wall = ("503 Service Unavailable", "busy"), ("200 OK", "<h1>Sign in</h1><p>One page for all.")
    for year, (status, content) in ((2020, busy), (2021, wall)):
        blocked = [(path, status, content) for path, *_ in pages]
        take_in(crawler, stored(crawler, f"{year}.warc.gz", *blocked, date=f"{year}-03-04T05:06:07Z"))
        assert outcomes(crawler) == before


def test_a_portal_without_an_archive_takes_everything_as_articles(crawler: Crawler, two_files: list[Path]) -> None:
    crawler.rules = RULES.partition("\n")[2]
    imported = take_in(crawler, *two_files)
    assert (imported["archive_pages"], imported["articles"]) == (0, 5)


@pytest.mark.parametrize("packed", ["plain", "members", "one member"])
def test_arc_files_come_in_with_what_arc_knows(crawler: Crawler, packed: str) -> None:
    home, old = crawler.portal.home, crawler.folder / "old"

    def answer(status: str, html: str) -> bytes:
        return f"HTTP/1.1 {status}\r\nContent-Type: text/html\r\n\r\n{html}".encode()

    records = [
        arc_record("dns:pelda.example", b"20080430204825\npelda.example. 3600 IN A 192.0.2.7\n"),
        arc_record(f"{home}/lista/1", answer("200 OK", listing(2, 1))),
        arc_record(f"{home}/c/1", answer("200 OK", "<h1>1</h1>")),
        arc_record(f"{home}/c/2", answer("404 Not Found", "")),
    ]
    old.mkdir()
    (old / "IAH-2008.arc.gz").write_bytes(arc_file(records, packed=packed))
    imported = take_in(crawler, old)
    assert (imported["archive_pages"], imported["articles"], imported["skipped"]) == (1, 2, {"not a page of the web": 1})
    assert outcomes(crawler) == {"fetched": 1, "gone": 1}
    assert crawler.curator("warc", "check", crawler.corpus).code == 0
    assert dates(crawler) == {"2008-04-30T20:48:25.000000Z"}
    assert crawler.curator("warc", "cat", crawler.corpus, f"{home}/c/1").out == answer("200 OK", "<h1>1</h1>").decode()


PAGES = ("/t/7", "/t/7?page=2", "/t/7?page=3", "/t/7?page=4")
ITEMS = ("/t/7", "/t/7?s=25", "/t/7?s=50", "/t/7?s=75")
NEXT, IDENTITY = "next: a.next", 'identity: "/t/(\\\\d+)"'
BOTH = f"{NEXT}, {IDENTITY}"
EIGHT = ("/t/7", *(f"/t/7?page={number}" for number in range(2, 9)))


def absent(number: int, at: str = "") -> str:
    return f"{number}: page {number} is not stored{f' ({at})' if at else ''}"


THREADS: dict[str, tuple[tuple[tuple[int, ...], ...], dict[str, Any], list[str]]] = {
    # the pages of each import, the rules, the posts and what is missing
    "in order": (((1, 2, 3, 4),), {}, ["1", "2", "3", "4"]),
    "backwards, by their identity": (((4, 2, 3, 1),), {"articles": IDENTITY}, ["1", "2", "3", "4"]),
    "backwards, by both": (((4, 2, 3, 1),), {"articles": BOTH}, ["1", "2", "3", "4"]),
    "each by itself": (((1, 4), (3,), (2,)), {}, ["1", "2", "3", "4"]),
    "without the second": (((1, 3, 4),), {}, ["1", "3", "4", absent(2, PAGES[1])]),
    "without the second where items are counted": (((1, 3, 4),), {"pages": ITEMS, "articles": BOTH}, ["1", "3", "4", absent(2, ITEMS[1])]),
    "without a late one": (((1, 2, 3, 4, 5, 7, 8),), {"pages": EIGHT}, [*"1234578", absent(6, EIGHT[5])]),
    "where no rule leads there": (((1, 3, 4),), {"articles": IDENTITY}, ["1", "3", "4", absent(2)]),
    "without the first and the last": (((2, 3),), {}, ["2", "3", absent(1), absent(4, PAGES[3])]),
    "the third alone": (((3,),), {}, ["3", absent(1), absent(2), absent(4, PAGES[3])]),
    "without those between": (((1, 4),), {}, ["1", "4", absent(2, PAGES[1]), absent(3)]),
    "the first alone": (((1,),), {}, ["1", absent(2, PAGES[1])]),
}


@pytest.fixture
def thread(crawler: Crawler) -> Callable[..., list[str]]:
    """Imports these pages of it, each by itself or all in one file, and builds; gives the posts of the document, and what it lacks."""

    def page(number: int, addresses: tuple[str, ...]) -> Page:
        following = f'<a class="next" href="{addresses[number]}">next</a>' if number < len(addresses) else ""
        said = "".join(f'<div class="post" id="p{number}{one}"><b>Anna</b><p>Post {number}.{one} of it.</p></div>' for one in "ab")
        return addresses[number - 1], "200 OK", f"<title>A bridge</title><h1>A bridge</h1>{said}{following}"

    def take(*imports: tuple[int, ...], articles: str = NEXT, pages: tuple[str, ...] = PAGES) -> list[str]:
        posts = "posts: {forum: {item: div.post, id: {attr: id}, author: b, text: p}}"
        crawler.rules = f"kind: forum\n{RULES.partition('articles')[0]}{posts}\narticles: {{{articles}}}\n"
        crawler.portal.script |= {address: page(number, pages)[2] for number, address in enumerate(pages, start=1)}
        for place, numbers in enumerate(imports):
            take_in(crawler, stored(crawler, f"{place}.warc.gz", *(page(number, pages) for number in numbers)))
        return built(crawler)

    return take


def built(crawler: Crawler) -> list[str]:
    ended = crawler.run("build", "--jobs", 1)
    (document,) = (crawler.corpus / "tei").rglob("*.xml")
    text = document.read_text("utf-8").replace(crawler.portal.home, "")
    missing = [f"{number}: {text}" for number, text in re.findall(MISSING, text)]
    assert (ended.code, "Failed: 1 article lacks a page" in ended.err) == ((1, True) if missing else (0, False))
    return [*re.findall(r"Post (\d)\.a", text), *missing]


@pytest.mark.parametrize(("imports", "how", "told"), THREADS.values(), ids=THREADS)
def test_pages_become_one_article_whose_document_names_what_is_missing(
    thread: Callable[..., list[str]], imports: tuple[tuple[int, ...], ...], how: dict[str, Any], told: list[str]
) -> None:
    assert thread(*imports, **how) == told


def test_status_and_import_tell_what_is_missing_and_the_next_crawl_asks_for_it(crawler: Crawler, thread: Callable[..., list[str]]) -> None:
    thread((1, 3, 4))
    assert "1 queued: a page of it was in none of the imported files" in crawler.run("status").out
    assert crawler.crawl("--articles-only") == 0
    assert "/t/7?page=2" in crawler.portal.asked
    assert built(crawler) == ["1", "2", "3", "4"]


def test_the_ledger_can_be_made_again(crawler: Crawler, thread: Callable[..., list[str]]) -> None:
    thread((3, 1, 4))
    before = crawler.run("status", "--json").out
    (crawler.corpus / "ledger.sqlite").unlink()
    assert crawler.run("warc", "index").code == 0
    assert crawler.run("status", "--json").out == before


def test_other_articles_are_no_pages_of_it(crawler: Crawler) -> None:
    crawler.rules = RULES.replace("articles: {", "articles: {next: a.next, ")

    def article(number: int) -> Page:
        head = f"<title>Title {number}{'ABC'[number]}</title><link rel=canonical href='{crawler.portal.home}/c/{number}'>"
        text = f"{head}<h1>Title {number}{'ABC'[number]}</h1><p>Text.</p><a class=next href='/c/{number + 1}'>next article</a>"
        return f"/c/{number}", "200 OK", text

    take_in(crawler, stored(crawler, "x.warc.gz", article(1), article(2)))
    assert outcomes(crawler) == {"fetched": 1, "queued": 1}
