"""Walking archives and crawling, as a person who only read the manual: scripted portals, exit codes, what is asked."""

from __future__ import annotations

import shutil
from datetime import UTC, date, datetime, timedelta
from itertools import takewhile
from threading import Event
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from case_files import cases
from collected import listed
from scripted_portal import BROKEN, Crawler, ScriptedPortal, listing, told_page
from warc_records import records

from webarticlecurator import crawl

OK, FAILURES, INCOMPLETE, DRIFT = 0, 1, 4, 5
EMPTY = listing()


def counted(portal: ScriptedPortal, *pages: Any, path: str = "/l/{}") -> None:
    """Pages 1, 2, ... of an archive: numbers of articles, or what else is said there."""
    for number, page in enumerate(pages, 1):
        portal.script[path.format(number)] = listing(*page) if isinstance(page, (tuple, range)) else page


def cikk(*numbers: int) -> set[str]:
    return {f"/c/{number}" for number in numbers}


def lap(*numbers: int) -> list[str]:
    return [f"/l/{number}" for number in numbers]


ARCHIVE = 'archive:\n  url: "HOME/l/{{page}}"\n  item: li.t\n  {}\n'


def walked(crawler: Crawler, pages: list[Any], code: int, asked: list[int], articles: list[int]) -> None:
    """Where a redirect leads is asked, too, but is no page of its own; nor is the address without a number, which has nothing here."""
    counted(crawler.portal, *map(told_page, pages))
    assert crawler.crawl() == code, crawler.said
    walk = takewhile(lambda path: path != "/sitemap.xml", crawler.portal.archive_asked)  # then it is looked around for others
    assert [path for path in dict.fromkeys(walk) if path not in ("/", "/l")] == lap(*asked)
    assert crawler.fetched == cikk(*articles)


@cases("rules, pages, code, asked, articles", "archives/cases/walks-over-counted-pages")
def test_counted_pages(crawler: Crawler, rules: str, pages: list[Any], code: int, asked: list[int], articles: list[int]) -> None:
    crawler.rules = ARCHIVE.format(rules)
    walked(crawler, pages, code, asked, articles)


@cases("rules, pages, code, asked, articles", "archives/cases/walks-along-links")
def test_linked_pages(crawler: Crawler, rules: str, pages: list[Any], code: int, asked: list[int], articles: list[int]) -> None:
    crawler.rules = "archive:\n  url: HOME/l/1\n  item: li.t\n  next: a.next\n  " + rules + "\n"
    walked(crawler, pages, code, asked, articles)


def test_a_page_that_cannot_be_read_again_leaves_open_whether_articles_slid_past(crawler: Crawler) -> None:
    """Between two pages that share no link others may have slid up: the upper one is asked again, and here it fails."""
    crawler.rules = ARCHIVE.format("pages: expanding")
    pages = ((1, 2), (3, 4), (5, 6), EMPTY)
    counted(crawler.portal, *pages)
    crawler.portal.script["/l/2"] = lambda _: BROKEN if crawler.portal.asked.count("/l/2") == 2 else listing(3, 4)
    assert crawler.crawl() == FAILURES
    assert f"{crawler.portal.home}/l/2 could not be read" in crawler.said
    assert crawler.status()["gaps"] and not crawler.status()["proofs"]
    counted(crawler.portal, *pages)
    assert crawler.crawl() == OK, crawler.said
    assert crawler.status()["proofs"] and not crawler.status()["gaps"]


def test_an_archive_that_was_posted_goes_on_though_its_url_stays_the_same(crawler: Crawler) -> None:
    crawler.rules = """
    archive:
      url: HOME/api
      request: {method: POST, form: {p: "{page}", rovat: "b&c"}}
      pages: infinite
      item: li.t
    """
    crawler.portal.script["/api"] = lambda body: listing(int(body[2])) if "1" <= body[2] <= "3" else EMPTY
    assert crawler.crawl() == OK, crawler.said
    assert crawler.portal.archive_asked == [f"/api p={number}&rovat=b%26c" for number in (1, 2, 3, 4, 5, 0)]
    assert crawler.fetched == cikk(1, 2, 3)


def newest_first(portal: ScriptedPortal, newest: int, *, size: int = 2) -> None:
    """Articles newest..1, `size` a page."""
    for path in [path for path in portal.script if path.startswith("/l/")]:
        del portal.script[path]
    numbers = list(range(newest, 0, -1))
    for number, start in enumerate(range(0, len(numbers), size), 1):
        portal.script[f"/l/{number}"] = listing(*numbers[start : start + size])


def test_a_rerun_stops_after_three_known_pages_and_takes_what_is_new(crawler: Crawler) -> None:
    crawler.rules = ARCHIVE.format("pages: infinite")
    newest_first(crawler.portal, 20)
    assert crawler.crawl() == OK
    newest_first(crawler.portal, 22)
    assert crawler.crawl() == OK
    assert crawler.portal.archive_asked == lap(1, 2, 3, 4)
    assert sorted(crawler.portal.articles_asked) == ["/c/21", "/c/22"]
    newest_first(crawler.portal, 22)
    assert crawler.crawl() == OK
    assert crawler.portal.archive_asked == lap(1, 2, 3)


@pytest.mark.parametrize(("stop", "flags", "asked"), [("stop: null", (), 11), ("", (), 5), ("", ("--full",), 11)])
def test_how_far_a_rerun_goes(crawler: Crawler, stop: str, flags: tuple[str, ...], asked: int) -> None:
    crawler.rules = ARCHIVE.format("pages: infinite\n  " + stop)
    newest_first(crawler.portal, 20)
    assert crawler.crawl() == OK
    assert crawler.crawl(*flags) == OK, crawler.said
    assert len(crawler.portal.archive_asked) == asked
    assert crawler.portal.articles_asked == []


@pytest.mark.parametrize(
    ("stop", "code", "asked", "articles"),
    [
        ("stop: {at_url: HOME/l/3}", OK, [1, 2], cikk(8, 7, 6, 5)),
        ("stop: {after: 2024-05-04}\n  fields: {datePublished: i}", OK, [1, 2, 3], cikk(8, 7, 6, 5, 4, 3)),
    ],
)
def test_a_walk_may_stop_early(crawler: Crawler, stop: str, code: int, asked: list[int], articles: set[str]) -> None:
    crawler.rules = ARCHIVE.format("pages: infinite\n  " + stop)
    for number in (1, 2, 3, 4):
        days = [10 - 2 * number, 9 - 2 * number]
        items = "".join(f"<li class=t><a href=/c/{day}>Cikk</a><i>2024-05-0{day}</i>" for day in days)
        crawler.portal.script[f"/l/{number}"] = items + ("<b class=vege></b>" if number == 3 else "")
    assert crawler.crawl() == code, crawler.said
    assert crawler.portal.archive_asked == lap(*asked)
    assert crawler.fetched == articles
    told = f"Proved up to its `stop`: archive ({stop[7:].partition(':')[0].join(('stop.', ':'))}"
    assert (told in crawler.said) == (code == OK), crawler.said


@pytest.mark.parametrize("order", ["", ", order: oldest-first"], ids=["nobody says it", "a person says it"])
def test_oldest_first_goes_on_at_the_last_page_that_it_knows(crawler: Crawler, order: str) -> None:
    crawler.rules = ARCHIVE.format(f"pages: {{mode: infinite{order}}}")
    counted(crawler.portal, *zip(range(1, 13, 2), range(2, 13, 2), strict=True), (13,))
    assert crawler.crawl() == OK
    counted(crawler.portal, *zip(range(1, 17, 2), range(2, 17, 2), strict=True))
    assert crawler.crawl() == OK, crawler.said
    assert crawler.portal.archive_asked == lap(1, 2, 3, 7, 8, 9)
    assert crawler.fetched == cikk(*range(1, 17))


@pytest.mark.parametrize("more", [1, 4])
@pytest.mark.parametrize("way", ["next: a.n", "pages: {mode: numbered, last: p.lapok a}", "pages: expanding"])
def test_what_is_published_at_the_end_of_a_list_is_found_whoever_did_not_say_so(crawler: Crawler, way: str, more: int) -> None:
    def publish(newest: int) -> None:
        pages = [range(first, min(first + 3, newest + 1)) for first in range(1, newest + 1, 3)]
        pager = "".join(f"<a href=/l/{number}>{number}</a> " for number in range(1, len(pages) + 1))
        for number, articles in enumerate(pages, start=1):
            following = f"<a class=n href=/l/{number + 1}>Next</a>" * (number < len(pages))
            crawler.portal.script[f"/l/{number}"] = f"{listing(*articles)}{following}<p class=lapok>{pager}</p>"

    crawler.rules = ARCHIVE.format(way).replace("{page}", "1" if "next" in way else "{page}")
    publish(17)
    assert crawler.crawl() == OK, crawler.said
    publish(17 + more)
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == cikk(*range(1, 18 + more))


def test_a_list_whose_head_has_changed_grows_there(crawler: Crawler) -> None:
    crawler.rules = ARCHIVE.format("pages: infinite")
    newest_first(crawler.portal, 20)
    assert crawler.crawl() == OK
    newest_first(crawler.portal, 20)
    crawler.crawl()
    asked_unsure = crawler.portal.archive_asked
    newest_first(crawler.portal, 21)
    crawler.crawl()
    assert crawler.fetched == cikk(*range(1, 22))
    newest_first(crawler.portal, 21)
    crawler.crawl()
    assert len(crawler.portal.archive_asked) < len(asked_unsure)


@pytest.mark.parametrize(("zone", "until"), [("Pacific/Kiritimati", "today"), ("Etc/GMT+12", "2230-01-01")])
def test_days_run_up_to_today_in_the_time_zone_of_the_portal_and_never_beyond(crawler: Crawler, zone: str, until: str) -> None:
    crawler.head = crawler.head.replace("Europe/Budapest", zone)
    begins = datetime.now(UTC).date() - timedelta(days=3)
    crawler.rules = f'archive: {{url: "HOME/{{date}}", dates: {{from: {begins}, until: {until}}}, item: li.t}}\n'
    before = datetime.now(ZoneInfo(zone)).date()
    for back in range(-2, 4):
        crawler.portal.script[f"/{before - timedelta(days=back)}"] = listing(back + 10)
    assert crawler.crawl("--archive-only") == OK
    after = datetime.now(ZoneInfo(zone)).date()
    assert date.fromisoformat(crawler.portal.archive_asked[0][1:]) in (before, after)


def test_other_hosts_may_be_listed(crawler: Crawler) -> None:
    crawler.rules = ARCHIVE.format("urls: {hosts: [localhost]}")
    other = crawler.portal.home.replace("127.0.0.1", "localhost") + "/c/2"
    counted(crawler.portal, (1, other), EMPTY)
    assert crawler.crawl() == OK, crawler.said
    assert crawler.outcomes == {"/c/1": "fetched", other: "refused"}, "listing a host does not open a private one"
    shutil.rmtree(crawler.corpus)
    crawler.fetch = crawler.fetch.replace("}", ", private_hosts: [localhost]}")
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == {"/c/1", other}


def test_a_rule_for_listing_fields_can_be_mended_without_asking_anybody(crawler: Crawler) -> None:
    def dates() -> list[dict[str, list[str]]]:
        return [listed(crawler, f"/c/{number}") for number in (1, 2)]

    item = "<li class=t><a href=/c/{0}><time datetime=2024-05-0{0}T10:00:00Z>2024-05-0{0}</time></a>"
    crawler.portal.script |= {f"/l/{page}": item.format(page) for page in (1, 2)}
    crawler.rules = ARCHIVE.format("fields: {datePublished: time}")
    assert crawler.crawl() == OK
    assert dates() == [{"datePublished": ["2024-05-01"]}, {"datePublished": ["2024-05-02"]}]

    crawler.rules = ARCHIVE.format("fields: {datePublished: {css: time, attr: datetime}}")
    assert crawler.crawl("--full", "--offline") == OK
    assert dates() == [{"datePublished": [f"2024-05-0{day}T12:00:00+02:00"]} for day in (1, 2)]

    crawler.rules = ARCHIVE.format("fields: {datePublished: b}")
    assert crawler.crawl("--full", "--offline") == OK
    assert dates() == [{}, {}]
    crawler.rules = ARCHIVE.format("")
    assert dates() == [{}, {}]
    assert crawler.portal.asked == []


def test_what_a_listing_says_again_counts_though_it_said_something_else_between(crawler: Crawler) -> None:
    crawler.rules = ARCHIVE.format("fields: {description: i}")
    for said in ("régi", "téves", "régi"):
        crawler.portal.script |= {"/l/1": f"<li class=t><a href=/c/1>x</a><i>{said}</i>"}
        assert crawler.crawl("--full") == OK
    assert listed(crawler, "/c/1") == {"description": ["régi"]}


def test_other_rules_for_listing_fields_are_told_with_what_reads_the_stored_pages_by_them(crawler: Crawler) -> None:
    crawler.portal.script |= {"/l/1": "<li class=t><a href=/c/1>x</a><i>a</i><b>b</b>"}
    told = "`archive.fields` of {} has changed"
    crawler.rules = ARCHIVE.format("fields: {description: i}")
    assert crawler.crawl() == OK
    assert "has changed" not in crawler.said
    crawler.rules = ARCHIVE.format("fields: {description: i, author: b}")
    assert crawler.crawl() == OK
    assert told.format("author") in crawler.said
    assert "a full crawl offline reads" in crawler.said
    assert crawler.crawl() == OK
    assert "has changed" not in crawler.said
    crawler.rules = ARCHIVE.format("fields: {description: b}")
    assert crawler.crawl("--full", "--offline") == OK
    assert "has changed" not in crawler.said
    crawler.rules = ARCHIVE.format("")
    assert crawler.crawl() == OK
    assert "has changed" not in crawler.said
    crawler.rules = ARCHIVE.format("fields: {author: b}\n  urls: {drop_fragment: true}")
    assert crawler.crawl() == OK
    assert "so it is walked again" in crawler.said
    assert "has changed" not in crawler.said, "each page is read again anyway"


def test_articles_are_asked_for_while_a_long_archive_is_still_read(crawler: Crawler) -> None:
    crawler.rules = ARCHIVE.format("pages: infinite")
    counted(crawler.portal, *(range(start, start + 205) for start in range(0, 1230, 205)), EMPTY)
    assert crawler.crawl() == OK, crawler.said
    assert crawler.portal.asked.index("/c/0") < crawler.portal.asked.index("/l/6")
    assert crawler.fetched == cikk(*range(1230))
    assert crawler.status()["proofs"] and not crawler.status()["gaps"]


def test_dates_that_an_interruption_left_without_links_are_no_drift(crawler: Crawler) -> None:
    crawler.rules = 'archive: {url: "HOME/{date}", dates: {from: 2020-01-01, until: 2020-01-09, settle: 10000d}, item: li.t}\n'
    for day in range(1, 10):
        crawler.portal.script[f"/2020-01-0{day}"] = listing(day)
    assert crawler.crawl() == OK
    stop = Event()

    def last_answer(_: str) -> str:
        stop.set()
        return EMPTY

    crawler.fetch = "fetch: {delay: 300ms, retries: 0, concurrency: 3}\n"
    crawler.portal.script |= {"/2020-01-09": "<div>" + EMPTY, "/2020-01-08": last_answer}
    summary = crawl(crawler.file, corpus=crawler.corpus, stop=stop)
    assert (summary.drift, summary.incomplete[-1:]) == ([], ["interrupted"])


def test_offline_a_failure_that_is_stored_is_neither_a_block_nor_stored_again(crawler: Crawler) -> None:
    crawler.rules = "archive: {url: HOME/l, pages: none, item: li.t, link: a}"
    crawler.portal.script |= {"/l": listing(*range(1, 15)), **{f"/c/{number}": BROKEN for number in range(2, 15, 2)}}
    assert crawler.crawl() == FAILURES
    failed = {path for path, outcome in crawler.outcomes.items() if outcome == "error"}
    assert len(failed) == 7
    before = set(crawler.corpus.glob("warc/*"))
    assert crawler.crawl("--offline") == FAILURES
    assert not crawler.portal.asked
    assert {path for path, outcome in crawler.outcomes.items() if outcome == "error"} == failed
    assert "response" not in [record.type for path in set(crawler.corpus.glob("warc/*")) - before for record in records(path)]
