"""robots.txt is obeyed or recorded, and no host is asked more often than its portal file, its robots.txt and its answers permit."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from collected import records
from crawling import Heard
from loopback import Loopback, answer
from scripted_portal import Crawler, Reply, ScriptedPortal, listing

from webarticlecurator import crawl

OK, FAILURES, BLOCKED = 0, 1, 3
NOTHING = b"User-agent: *\nDisallow: /\n"


@pytest.fixture
def asking(crawler: Crawler, server: Loopback) -> Crawler:
    """Of a server that says any bytes: one article, /a, that no page lists but the file of addresses."""
    crawler.portal.home = server.url
    crawler.rules = "archive: {url: HOME/list, format: urls}\n"
    server.answers |= {"/a": answer(), "/list": answer(b"/a\n", kind="text/plain")}
    return crawler


ROBOTS_TXT = {
    "disallowed": (b"User-agent: *\nDisallow: /a\n", "robots"),
    "another path": (b"User-agent: *\nDisallow: /b\n", "fetched"),
    "allowed within": (b"User-agent: *\nDisallow: /\nAllow: /a\nAllow: /list\n", "fetched"),
    "nothing disallowed": (b"User-agent: *\nDisallow:\n", "fetched"),
    "by our name": (b"User-agent: *\nDisallow: /\n\nUser-agent: WebArticleCurator\nAllow: /\n", "fetched"),
    "not by our name": (b"User-agent: webarticlecurator\nDisallow: /a\n", "robots"),
    "another's name": (b"User-agent: otherbot\nDisallow: /\n", "fetched"),
    "a mark and other line ends": (b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /a$\r\n", "robots"),
    "old line ends": (b"User-agent: *\rDisallow: /a", "robots"),
    "a wildcard": (b"User-agent: *\nDisallow: /*a$\n", "robots"),
    "no characters": (b"User-agent: *\nDisallow: /b\xff\xfe\n", "fetched"),
    "a page": (b"<!DOCTYPE html><p>not found, but politely</p>", "fetched"),
    "a giant, of which the start counts": (b"User-agent: *\nDisallow: /a\n" + b"# filling\n" * 200_000 + b"Disallow: /list\n", "robots"),
}


NONE = {str(status): (answer(NOTHING, status=f"{status} X"), "fetched") for status in (401, 403, 404, 410)}


@pytest.mark.parametrize(
    ("said", "outcome"), [*((answer(rules), outcome) for rules, outcome in ROBOTS_TXT.values()), *NONE.values()], ids=[*ROBOTS_TXT, *NONE]
)
def test_rules_are_obeyed_and_where_there_are_none_all_is_allowed(asking: Crawler, server: Loopback, said: bytes, outcome: str) -> None:
    server.answers["/robots.txt"] = said
    assert asking.crawl() == OK, asking.said
    assert asking.outcomes == {"/a": outcome}
    assert ("/a" in server.paths()) is (outcome == "fetched")


UNREADABLE: dict[str, Any] = {
    "500": answer(NOTHING, status="500 X"),
    "599": answer(NOTHING, status="599 X"),
    "hung up": lambda connection: connection.close(),
    "a head too large": b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 300 + b"Content-Length: 0\r\n\r\n",
    "private": answer(b"", "Location: http://10.0.0.1/robots.txt", status="302 X"),
}


@pytest.mark.parametrize("said", UNREADABLE.values(), ids=UNREADABLE)
def test_where_robots_txt_cannot_be_read_nothing_is_asked_and_it_is_said_why(asking: Crawler, server: Loopback, said: Any) -> None:
    server.answers["/robots.txt"] = said
    assert asking.crawl() == FAILURES
    assert any(reason in asking.said for reason in ("robots.txt cannot be read", "private"))
    assert server.paths() == []
    fetch = asking.fetch
    asking.fetch = fetch.replace("}", ", robots: record}")
    assert asking.crawl() == OK, asking.said


@pytest.mark.parametrize(("hops", "outcome"), [(5, "robots"), (6, "fetched")])
def test_redirects_of_robots_txt_are_followed_five_times(asking: Crawler, server: Loopback, hops: int, outcome: str) -> None:
    names = ["/robots.txt", *(f"/r{number}" for number in range(1, hops + 1))]
    for name, following in pairwise(names):
        places = (f"Location: http://localhost:{server.port}{following}", "Location: /elsewhere")
        server.answers[name] = answer(b"", *places, status="301 X")
    server.answers[names[-1]] = answer(b"User-agent: *\nDisallow: /a\n")
    asking.fetch = asking.fetch.replace("}", ", private_hosts: [localhost]}")
    asking.crawl()
    assert asking.outcomes == {"/a": outcome}


def test_recording_stores_what_it_does_not_obey(asking: Crawler, server: Loopback) -> None:
    server.answers |= {"/robots.txt": answer(NOTHING + b"Crawl-delay: 50\n"), "/.well-known/tdmrep.json": answer(b"[]")}
    asking.fetch = asking.fetch.replace("}", ", robots: record}")
    assert asking.crawl() == OK, asking.said
    assert asking.outcomes == {"/a": "fetched"}
    assert server.paths(rights=True) == ["/robots.txt", "/.well-known/tdmrep.json", "/list", "/a"]
    stored = {record.url.removeprefix(server.url): record.body for record in records(asking.corpus, "response")}
    assert (stored["/robots.txt"], stored["/.well-known/tdmrep.json"]) == (NOTHING + b"Crawl-delay: 50\n", b"[]")


@pytest.mark.parametrize(
    ("line", "delay", "told"),
    [
        (b"Crawl-delay: 86400", "0s", "86400"),
        (b"Crawl-delay: 1e300", "0s", "60 s are kept instead of 0 s"),
        (b"Request-rate: 1/" + b"9" * 400, "0s", "31622400"),
        (b"Crawl-delay: 7", "0s", "7 s are kept instead of 0 s"),
        (b"Request-rate: 1/7", "0s", "7 s are kept instead of 0 s"),
        (b"Crawl-delay: 0.05", "0.1s", None),
    ],
)
def test_a_pace_that_robots_txt_asks_for_is_told(asking: Crawler, server: Loopback, line: bytes, delay: str, told: str | None) -> None:
    server.answers["/robots.txt"] = answer(NOTHING + line + b"\n")
    asking.fetch = asking.fetch.replace("delay: 0s", f"delay: {delay}")
    heard = Heard()
    crawl(asking.file, corpus=asking.corpus, progress=heard)
    if told is None:
        assert not [message for message in heard.said if "between requests" in message or "instead of" in message]
    else:
        assert [message for message in heard.said if told in message]


class Clocked:
    """When each article was asked for, and how many were under way."""

    def __init__(self, portal: ScriptedPortal, articles: int, *, latency: float = 0.0) -> None:
        self.begun: list[float] = []
        self.under_way = self.most = 0
        self._lock = threading.Lock()
        self._latency = latency
        portal.script["/l"] = listing(*range(articles))
        portal.script |= {f"/c/{number}": self.said for number in range(articles)}

    def said(self, _: str) -> str:
        with self._lock:
            self.begun.append(time.monotonic())
            self.under_way += 1
            self.most = max(self.most, self.under_way)
            number = len(self.begun)
        threading.Event().wait(self._latency)
        with self._lock:
            self.under_way -= 1
        return f"<p>{number}"

    def in_a_row(self, gaps: int) -> float:
        """The shortest time in which so many pass: one late answer makes the next gap short, but not several."""
        return min(after - before for before, after in zip(self.begun, self.begun[gaps:], strict=False))


def paced(crawler: Crawler, delay: float, concurrency: int, **more: str) -> None:
    crawler.rules = "archive: {url: HOME/l, item: li.t}\n"
    settings = {"delay": f"{delay}s", "concurrency": str(concurrency), "retries": "0", "timeout": "5s", **more}
    crawler.fetch = f"fetch: {{{', '.join(f'{name}: {value}' for name, value in settings.items())}}}\n"


LATE = 0.08
"""Seconds by which a busy machine may begin to answer late."""


@pytest.mark.parametrize(
    ("robots", "delay", "concurrency", "latency"),
    [("", 0.1, 1, 0.0), ("", 0.1, 1, 0.05), ("", 0.1, 2, 0.12), ("User-agent: *\nCrawl-delay: 0.1\n", 0.0, 2, 0.0)],
)
def test_the_delay_is_kept_and_used_whoever_asks_for_it_and_whatever_the_answers_take(
    crawler: Crawler, robots: str, delay: float, concurrency: int, latency: float
) -> None:
    crawler.portal.script["/robots.txt"] = Reply(robots, kind="text/plain")
    clocked = Clocked(crawler.portal, 12, latency=latency)
    paced(crawler, delay, concurrency)
    assert crawler.crawl() == OK, crawler.said
    assert clocked.in_a_row(3) >= 3 * 0.095 - LATE
    assert clocked.begun[-1] - clocked.begun[0] >= 11 * 0.1 * 0.95 - LATE
    assert clocked.most <= concurrency


def test_without_a_delay_as_many_requests_are_under_way_as_allowed(crawler: Crawler) -> None:
    clocked = Clocked(crawler.portal, 12, latency=0.05)
    paced(crawler, 0, 2)
    assert crawler.crawl() == OK, crawler.said
    assert clocked.most == 2


def test_two_portals_on_one_host_keep_one_pace(crawler: Crawler, curator: Any, tmp_path: Path) -> None:
    clocked = Clocked(crawler.portal, 6)
    paced(crawler, 0.1, 1)
    (tmp_path / "other").mkdir()
    other = Crawler(curator, tmp_path / "other", crawler.portal, rules=crawler.rules, head=crawler.head.replace("pelda", "masik"))
    other.fetch = crawler.fetch.replace("0.1s", "0.02s")
    ended = curator("crawl", crawler.file, other.file)
    assert ended.code == OK, ended.err
    assert len(clocked.begun) == 12
    assert clocked.in_a_row(3) >= 3 * 0.095 - LATE


def test_refusals_double_the_wait(crawler: Crawler) -> None:
    begun: list[float] = []

    def refused(_: str) -> Reply:
        begun.append(time.monotonic())
        return Reply("busy", 503)

    crawler.portal.script |= {"/l": listing(1), "/c/1": refused}
    paced(crawler, 0.1, 1, retries="3")
    assert crawler.crawl() == FAILURES
    gaps = [after - before for before, after in pairwise(begun)]
    assert [gap >= 0.95 * wanted for gap, wanted in zip(gaps, (0.2, 0.4, 0.8), strict=True)] == [True] * 3, gaps
    assert sum(gaps) < 2 * (0.2 + 0.4 + 0.8)


def http_date(seconds: float) -> str:
    return (datetime.now(UTC) + timedelta(seconds=seconds)).strftime("%a, %d %b %Y %H:%M:%S GMT")


@pytest.mark.parametrize(("wish", "least"), [(lambda: "1", 0.98), (lambda: http_date(2), 0.9), (lambda: "soon", 0.0), (lambda: "-5", 0.0)])
def test_retry_after_is_waited_for_in_both_its_forms(crawler: Crawler, wish: Callable[[], str], least: float) -> None:
    begun: list[float] = []

    def busy(_: str) -> Reply:
        begun.append(time.monotonic())
        return Reply("busy", 503, {"Retry-After": wish()}) if len(begun) == 1 else Reply("<p>text")

    crawler.portal.script |= {"/l": listing(1), "/c/1": busy}
    paced(crawler, 0, 1, retries="1")
    assert crawler.crawl() == OK, crawler.said
    assert least <= begun[1] - begun[0] < 4


@pytest.mark.parametrize("wish", ["7200", "Fri, 20 Nov 2099 12:00:00 GMT", "9" * 5000, "Fri, 31 Dec 9999 23:59:59 -2359"])
def test_a_host_that_asks_for_hours_is_left_alone_until_the_next_crawl(crawler: Crawler, wish: str) -> None:
    crawler.portal.script |= {"/l": listing(1, 2, 3), "/c/1": Reply("busy", 429, {"Retry-After": wish})}
    paced(crawler, 0, 1, retries="2")
    assert crawler.crawl() in (FAILURES, BLOCKED)
    assert crawler.portal.articles_asked == ["/c/1"]
    assert "left alone" in crawler.said + str(crawler.problems)
    del crawler.portal.script["/c/1"]
    assert crawler.crawl() == OK, crawler.said
    assert crawler.fetched == {"/c/1", "/c/2", "/c/3"}


def test_while_a_host_keeps_refusing_each_further_address_has_one_attempt(crawler: Crawler) -> None:
    crawler.portal.script |= {"/l": listing(1, 2, 3)} | {f"/c/{number}": Reply("busy", 429) for number in (1, 2)}
    paced(crawler, 0.02, 1, retries="2")
    assert crawler.crawl() == FAILURES
    assert [crawler.portal.asked.count(f"/c/{number}") for number in (1, 2, 3)] == [3, 1, 1]


def test_an_interruption_ends_a_long_wait_and_no_request(crawler: Crawler) -> None:
    stop = threading.Event()

    def last(_: str) -> str:
        threading.Timer(0.05, stop.set).start()
        threading.Event().wait(0.1)
        return "<p>whole"

    crawler.portal.script |= {"/l": listing(1, 2), "/c/1": last}
    paced(crawler, 0, 1)
    crawler.portal.script["/robots.txt"] = Reply("User-agent: *\nCrawl-delay: 1.5\n", kind="text/plain")
    began = time.monotonic()
    summary = crawl(crawler.file, corpus=crawler.corpus, stop=stop)
    assert time.monotonic() - began < 4.5
    assert summary.incomplete == ["interrupted"]
    assert crawler.outcomes == {"/c/1": "fetched", "/c/2": "queued"}


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        ([Reply("", status) for status in (403, 503, 451, 401, 500)], BLOCKED),
        ([Reply("", 403)] * 4, FAILURES),
        ([Reply("<p>one page for all")] * 5, BLOCKED),
        ([Reply("<p>one page for all")] * 4, OK),
        ([Reply("", 404)] * 12, FAILURES),
    ],
    ids=["five refusals in a row", "four", "one page for five", "one page for four", "missing"],
)
def test_whatever_fails_five_times_in_a_row_is_a_block(crawler: Crawler, bad: list[Reply], code: int) -> None:
    crawler.portal.script["/l"] = listing(*range(30))
    crawler.portal.script |= {f"/c/{number}": reply for number, reply in enumerate(bad, 3)}
    paced(crawler, 0, 1)
    if code == BLOCKED:
        crawler.portal.script |= {f"/c/{number}": bad[-1] for number in range(8, 30)}
    assert crawler.crawl() == code, crawler.said
    if code == BLOCKED:
        assert len(crawler.portal.articles_asked) == 3 + 5 + 3, "after a block a host is probed three times"
        crawler.portal.script = {"/l": listing(*range(30))}
        assert crawler.crawl() == OK, crawler.said
        assert len(crawler.fetched) == 30


def test_a_good_answer_at_a_probe_ends_the_alarm(crawler: Crawler) -> None:
    crawler.portal.script["/l"] = listing(*range(20))
    crawler.portal.script |= {f"/c/{number}": Reply("", 403) for number in range(3, 8)}
    paced(crawler, 0, 1)
    assert crawler.crawl() == BLOCKED, crawler.said
    assert len(crawler.fetched) == 15, "all the others were fetched"


def test_the_page_of_a_block_is_no_article_before_it_and_after_it_either(crawler: Crawler) -> None:
    crawler.portal.script["/l"] = listing(*range(20))
    crawler.portal.script |= {f"/c/{number}": Reply("<h1>Hiba történt</h1><p>Kérjük, nézzen vissza.") for number in (1, *range(3, 12))}
    paced(crawler, 0, 1)
    assert crawler.crawl() == BLOCKED, crawler.said
    assert crawler.fetched == {f"/c/{number}" for number in (0, 2, *range(12, 20))}
    crawler.portal.script = {"/l": listing(*range(20))}
    assert crawler.crawl() == OK, crawler.said
    assert len(crawler.portal.articles_asked) == 10
    assert len(crawler.fetched) == 20


def test_a_portal_whose_corpus_is_in_use_does_not_keep_the_others_from_being_crawled(
    crawler: Crawler, curator: Any, tmp_path: Path
) -> None:
    begun, done = threading.Event(), threading.Event()

    def waits(_: str) -> str:
        begun.set()
        done.wait(20)
        return "<p>late"

    crawler.portal.script |= {"/l": listing(1), "/c/1": waits, "/m": listing(2)}
    paced(crawler, 0, 2)
    (tmp_path / "other").mkdir()
    rules = crawler.rules.replace("HOME/l", "HOME/m")
    other = Crawler(curator, tmp_path / "other", crawler.portal, rules=rules, head=crawler.head.replace("pelda", "masik"))
    holding = threading.Thread(target=crawl, args=(crawler.file,))
    holding.start()
    assert begun.wait(20)
    busy, well = crawl([crawler.file, other.file])
    done.set()
    holding.join()
    assert "Another crawl" in (busy.impossible or "")
    assert (well.impossible, well.fetched) == (None, 1)
