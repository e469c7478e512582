"""What the ledger remembers over crawls: what listings said of an article, which days are settled, what could not be had again."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from scripted_portal import BROKEN, GONE, Crawler, Reply, listing
from strange_events import change_event
from warc_records import edit, pack, records, warc_record, write_again

from webarticlecurator import CrawlOptions, crawl, load_portal, status

RULES = "archive: {url: HOME/lista, pages: none, link: h2 a}\n"
TEXT = (
    "<html lang=en><body><article><p>The council met on Tuesday and talked for hours about the bridge, the school and the money.</article>"
)
FEED = "<rss version='2.0'><channel><item><title>A</title><link>HOME/c/1</link><pubDate>WHEN</pubDate></item></channel></rss>"


@pytest.fixture
def told(crawler: Crawler, curator: Any) -> Callable[[], dict[str, list[str]]]:
    """What a build makes of the listings of article 1: pick `listing` of a field -> values."""

    def build() -> dict[str, list[str]]:
        corpus = ("--corpus", crawler.corpus)
        assert curator("build", crawler.file, *corpus, "--jobs", 1).code == 0
        (line,) = curator("export", crawler.file, *corpus, "--to", "jsonl").out.splitlines()
        return {name: [found["value"] for found in values] for name, values in json.loads(line)["metadata"].items()}

    crawler.portal.script["/c/1"] = TEXT
    return build


def item(headline: str, *keywords: str, more: str = "") -> str:
    return f"<ul><li><a href=/c/1><h2>{headline}</h2></a>{''.join(f'<b>{word}</b>' for word in keywords)}{more}</li></ul>"


COLUMNS = """archive: {pages: none, item: li, fields: FIELDS}
columns: {first: {url: HOME/first}, second: {url: HOME/second}}
metadata: {keywords: {listing: keywords}, headline: {listing: headline}, author: {listing: author}}
"""
FIELDS = "{headline: h2, keywords: {css: b, take: all}, author: i}"


def test_listings_unite_lists_and_keep_the_first_columns_single_values(crawler: Crawler, told: Callable[[], dict[str, list[str]]]) -> None:
    crawler.rules = COLUMNS.replace("FIELDS", FIELDS)
    crawler.portal.script |= {"/first": item("One", "one", "two"), "/second": item("Two", "two", "three", more="<i>Anna</i>")}
    assert crawler.crawl() == 0
    found = told()
    assert (found["keywords"], found["headline"], found["author"]) == (["one", "two", "three"], ["One"], ["Anna"])


def test_of_one_columns_listings_the_latest_counts_and_keeps_what_only_an_earlier_one_said(
    crawler: Crawler, told: Callable[[], dict[str, list[str]]]
) -> None:
    crawler.rules = COLUMNS.replace("FIELDS", FIELDS)
    crawler.portal.script |= {"/first": item("Old", "one", more="<i>Anna</i>"), "/second": "<p>nothing"}
    crawler.crawl()
    crawler.portal.script["/first"] = item("New", "two")
    crawler.crawl("--full")
    found = told()
    assert (found["headline"], found["keywords"], found["author"]) == (["New"], ["two"], ["Anna"])


DAYS = {
    "of that day": ("Wed, 01 May 2024 10:00:00 +0200", "2024-05-01T10:00:00+02:00"),
    "of that day by the portal's clock": ("Tue, 30 Apr 2024 22:30:00 GMT", "2024-05-01T00:30:00+02:00"),
    "of another day": ("Thu, 02 May 2024 10:00:00 +0200", "2024-05-01"),
    "no moment": ("yesterday", "2024-05-01"),
}


@pytest.mark.parametrize(("moment", "date"), DAYS.values(), ids=DAYS)
def test_of_a_date_a_moment_goes_before_its_day_alone(
    crawler: Crawler, told: Callable[[], dict[str, list[str]]], moment: str, date: str
) -> None:
    crawler.rules = (
        "archive: {pages: none}\ncolumns:\n  archive: {url: HOME/first, item: li, fields: {datePublished: {css: time, date: iso}}}\n"
        "  feed: {url: HOME/feed, format: feed}\n"
    )
    crawler.portal.script |= {
        "/first": item("A", more="<time>2024-05-01</time>"),
        "/feed": Reply(FEED.replace("HOME", crawler.portal.home).replace("WHEN", moment), kind="application/rss+xml"),
    }
    assert crawler.crawl() == 0
    assert told()["datePublished"] == [date]


def test_a_build_reads_again_only_what_is_new(crawler: Crawler, curator: Any) -> None:
    """The same bytes again are nothing new; other bytes are, and so is what a listing says otherwise."""

    def built() -> tuple[int, int]:
        summary = json.loads(curator("build", crawler.file, "--corpus", crawler.corpus, "--jobs", 1, "--json").out)
        return summary["written"] + summary["confirmed"], summary["unchanged"]

    crawler.rules = COLUMNS.replace("FIELDS", FIELDS)
    crawler.portal.script |= {"/first": item("One"), "/second": "<p>nothing", "/c/1": TEXT}
    crawler.crawl()
    assert built() == (1, 0)
    crawler.crawl("--articles-only", "--recheck", "30d")
    assert "/c/1" in crawler.portal.asked
    assert built() == (0, 1)
    crawler.portal.script["/c/1"] = TEXT.replace("Tuesday", "Friday")
    crawler.crawl("--articles-only", "--recheck", "30d")
    assert built() == (1, 0)
    crawler.portal.script["/first"] = item("Two")
    crawler.crawl("--full")
    assert built() == (1, 0)


def test_a_day_is_settled_three_days_after_its_end_in_the_portals_time_zone(crawler: Crawler) -> None:
    crawler.rules = "archive: {url: 'HOME/{date}', pages: none, link: h2 a, dates: {from: 2024-05-01, until: 2024-05-02}}\n"
    crawler.portal.script |= {"/2024-05-01": listing(1), "/2024-05-02": listing(2)}
    end = datetime(2024, 5, 4, 22, tzinfo=UTC)  # 5 May, 0:00 in Budapest: the first of May is over for three days
    asked = []
    for now in (end - timedelta(seconds=60), end, end + timedelta(hours=1), end + timedelta(days=2), end + timedelta(days=3)):
        crawler.portal.asked.clear()
        crawl(load_portal(crawler.file), corpus=crawler.corpus, options=CrawlOptions(articles=False), now=lambda now=now: now)
        asked.append(crawler.portal.archive_asked)
    both, second = ["/2024-05-02", "/2024-05-01"], ["/2024-05-02"]
    assert asked == [both, both, second, second, []]


def test_successive_days_that_ended_alike_are_one_proof_and_what_is_not_walked_one_gap(crawler: Crawler) -> None:
    crawler.rules = "archive: {url: 'HOME/{date}', pages: none, link: h2 a, dates: {from: 2024-05-01, until: 2024-05-06}}\n"
    crawler.portal.script |= {f"/2024-05-0{day}": listing(day) for day in (1, 2, 4)}
    crawler.portal.script["/2024-05-03"] = BROKEN
    crawler.crawl("--until", "2024-05-04")
    status = crawler.status()
    assert sorted((proof["first"], proof["last"], proof["intervals"]) for proof in status["proofs"]) == [
        ("2024-05-01", "2024-05-02", 2), ("2024-05-04", "2024-05-04", 1),
    ]  # fmt: skip
    assert (sorted(gap["intervals"] for gap in status["gaps"]), status["completeness"][0]["open"]) == ([1, 2], 3)


def test_pages_that_could_not_be_had_again_are_counted_and_only_the_first_named(crawler: Crawler, curator: Any) -> None:
    numbers = range(100, 160)
    crawler.rules += "articles: {skip: {when: [b.list]}}\nfetch: {delay: 0s, retries: 0}\n"
    crawler.fetch = ""
    crawler.portal.script |= {"/lista": listing(*numbers), "/c/159": "<b class=list>All of June</b>"}
    crawler.portal.script |= {f"/c/{number}": TEXT.replace("Tuesday", str(number)) for number in numbers[:-1]}
    assert crawler.crawl() == 0
    crawler.portal.script |= {f"/c/{number}": GONE for number in numbers}
    crawler.crawl("--articles-only", "--recheck", "30d")
    assert set(crawler.outcomes.values()) == {"fetched"}, "what is stored stays"
    curator("build", crawler.file, "--corpus", crawler.corpus, "--jobs", 1)
    (trouble,) = crawler.status()["not_again"]
    assert (trouble["outcome"], trouble["count"], trouble["no_articles"]) == ("gone", 60, 1)
    assert trouble["example"] != f"{crawler.portal.home}/c/159"
    assert len(trouble["urls"]) < 60 and set(trouble["urls"]) <= {f"{crawler.portal.home}/c/{number}" for number in numbers}


@pytest.mark.parametrize("kind", ["article", "looked-at"])
def test_what_a_browser_could_not_show_is_no_page(crawler: Crawler, curator: Any, kind: str) -> None:
    """The corpus says of it what its WARC files say."""
    crawler.portal.script |= {"/lista": listing(1), "/c/1": TEXT}
    assert crawler.crawl() == 0
    (path,) = (crawler.corpus / "warc").glob("*-articles-*")
    stored = records(path)
    (came,) = (record for record in stored if record.type == "response" and record.url.endswith("/c/1"))
    place = next(
        place
        for place, record in enumerate(stored)
        if record.type == "metadata" and came["WARC-Record-ID"] in record.all("WARC-Concurrent-To")
    )
    named = b"WARC-Concurrent-To: %s\r\n" % str(came["WARC-Record-ID"]).encode()
    edit(
        path,
        place,
        (named, named + b"WARC-Concurrent-To: <urn:x:conversion-1>\r\n"),
        (b"curator-event", b'curator-rendered: {"browser": "Chromium 1"}\r\ncurator-event'),
    )
    change_event(path, place, lambda event: {**event, "kind": kind, "outcome": "error", "reason": "the browser failed at it"})
    shown = warc_record("conversion", TEXT.encode(), came.url, Content_Type="text/html", WARC_Refers_To=str(came["WARC-Record-ID"]))
    members = [record.member for record in records(path)]
    write_again(path, [*members[:place], pack(shown), *members[place:]])
    assert curator("warc", "index", crawler.file, "--corpus", crawler.corpus).code == 0
    said = json.loads(curator("try", crawler.file, came.url, "--as", "article", "--json", "--warc", path).out)
    told = json.loads(curator("try", crawler.file, came.url, "--as", "article", "--json", "--corpus", crawler.corpus).out)
    assert (said["outcome"], said["reason"]) == ("error", "the browser failed at it")
    assert (told["outcome"], told["reason"]) == (
        ("error", "the crawl says: the browser failed at it") if kind == "article" else ("queued", "the crawl says: not asked for yet")
    )


def test_a_status_is_of_one_moment_though_a_crawl_goes_on(crawler: Crawler) -> None:
    crawler.rules = "archive: {url: HOME/l, item: li.t, pages: none}\n"
    crawler.portal.script["/l"] = listing(1)
    assert crawler.crawl() == 0
    crawler.portal.script["/l"] = listing(2, 1)
    new, named = f"{crawler.portal.home}/c/2", crawler.corpus / "audit" / "unlisted.txt"
    named.parent.mkdir()
    os.mkfifo(named)  # whoever reads it waits until all of it is written

    def crawl_meanwhile() -> None:
        with named.open("w", encoding="utf-8") as unlisted:
            crawl(crawler.file, corpus=crawler.corpus)
            unlisted.write(new)

    with ThreadPoolExecutor(1) as pool:
        meanwhile = pool.submit(crawl_meanwhile)
        report = status(crawler.file, corpus=crawler.corpus)
        meanwhile.result()
    assert (sum(report.outcomes.values()), report.unlisted) == (1, (new,))
    named.unlink()
    assert sum(status(crawler.file, corpus=crawler.corpus).outcomes.values()) == 2
