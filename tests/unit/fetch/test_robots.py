"""robots.txt by RFC 9309, and tdmrep.json: asked for once, stored, obeyed or recorded."""

from __future__ import annotations

import gzip
import socket
import time
from collections.abc import Callable
from datetime import timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protego import Protego

from webarticlecurator.fetch.politeness import HostPaces
from webarticlecurator.fetch.robots import RobotsTxt
from webarticlecurator.fetch.web import Web
from webarticlecurator.model.capture import Request
from webarticlecurator.model.outcome import FetchOutcome as Out

MakeWeb = Callable[..., Web]
NOTHING = b"User-agent: *\nDisallow: /\n"


def page(body: bytes = b"<p>hello</p>", *lines: str, status: str = "200 OK") -> bytes:
    return "\r\n".join([f"HTTP/1.1 {status}", "Content-Type: text/html", *lines, f"Content-Length: {len(body)}", "", ""]).encode() + body


def fetch(server: Any, web: Web, path: str = "/a") -> tuple[Out, str]:
    server.answers.setdefault(path, page())
    fetched = web.fetch(Request(url=server.url + path))
    return fetched.verdict.outcome, fetched.robots


@pytest.mark.parametrize(
    ("rules", "path", "expected"),
    [
        (b"User-agent: *\nDisallow: /a\n", "/a", Out.ROBOTS),
        (b"User-agent: *\nDisallow: /a\n", "/b", Out.FETCHED),
        (b"User-agent: *\nDisallow: /\nAllow: /a\n", "/a", Out.FETCHED),
        (b"User-agent: *\nDisallow:\n", "/a", Out.FETCHED),
        (b"User-agent: *\nDisallow: /\n\nUser-agent: WebArticleCurator\nAllow: /\n", "/a", Out.FETCHED),
        (b"User-agent: webarticlecurator\nDisallow: /a\n", "/a", Out.ROBOTS),
        (b"User-agent: otherbot\nDisallow: /\n", "/a", Out.FETCHED),
        (b"\xef\xbb\xbfUser-agent: *\r\nDisallow: /a$\r\n", "/a", Out.ROBOTS),
        (b"User-agent: *\rDisallow: /a", "/a", Out.ROBOTS),
        (b"User-agent: *\nDisallow: /*.pdf$\n", "/x.pdf", Out.ROBOTS),
        (b"User-agent: *\nDisallow: /a\xff\xfe\n", "/b", Out.FETCHED),
        (b"<!DOCTYPE html><p>not found, but politely</p>", "/a", Out.FETCHED),
    ],
)
def test_rules_are_obeyed(server: Any, make_web: MakeWeb, rules: bytes, path: str, expected: Out) -> None:
    server.answers["/robots.txt"] = page(rules)
    assert fetch(server, make_web(), path) == (expected, "disallowed" if expected is Out.ROBOTS else "allowed")
    assert server.paths() == ([] if expected is Out.ROBOTS else [path])


@pytest.mark.parametrize(
    ("status", "expected"),
    [(404, Out.FETCHED), (410, Out.FETCHED), (401, Out.FETCHED), (403, Out.FETCHED), (500, Out.ERROR), (503, Out.ERROR), (599, Out.ERROR)],
)
def test_statuses_of_robots_txt(server: Any, make_web: MakeWeb, status: int, expected: Out) -> None:
    server.answers["/robots.txt"] = page(NOTHING, status=f"{status} X")
    assert fetch(server, make_web())[0] is expected


def test_an_unreachable_robots_txt_closes_the_host_and_says_why(server: Any, make_web: MakeWeb) -> None:
    server.answers["/robots.txt"] = lambda connection: connection.close()
    web = make_web(retries=1)
    server.answers["/a"] = page()
    first, second = (web.fetch(Request(url=server.url + "/a")) for _ in range(2))
    assert first.verdict.outcome is second.verdict.outcome is Out.ERROR
    assert "robots.txt" in first.verdict.reason
    assert (len(first.rights), len(second.rights), server.paths()) == (2, 0, [])


def test_a_robots_txt_whose_head_is_too_big_is_not_read_as_an_empty_one(server: Any, make_web: MakeWeb) -> None:
    head = b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 300 + b"Content-Length: %d\r\n\r\n" % len(NOTHING)

    def slowly(connection: socket.socket) -> None:
        connection.sendall(head)
        time.sleep(0.05)
        connection.sendall(NOTHING)

    server.answers["/robots.txt"] = slowly
    assert fetch(server, make_web())[0] is Out.ERROR
    assert server.paths() == []


@pytest.mark.parametrize("lines", [("Location: /other",), ("Location:", "Location: /other")])
def test_a_redirect_leads_to_the_first_place_that_is_told(server: Any, make_web: MakeWeb, lines: tuple[str, ...]) -> None:
    server.answers |= {"/robots.txt": page(b"", *lines, status="301 Moved"), "/other": page(NOTHING)}
    assert fetch(server, make_web())[0] is Out.ROBOTS


def test_recording_asks_and_stores_but_does_not_obey(server: Any, make_web: MakeWeb) -> None:
    server.answers["/robots.txt"] = page(NOTHING + b"Crawl-delay: 50\n")
    web = make_web(robots="record")
    assert fetch(server, web) == (Out.FETCHED, "disallowed")
    assert fetch(server, web) == (Out.FETCHED, "disallowed")


def test_recording_goes_on_without_robots_txt(server: Any, make_web: MakeWeb) -> None:
    server.answers["/robots.txt"] = page(status="503 X")
    assert fetch(server, make_web(robots="record"))[0] is Out.FETCHED


def test_rights_files_are_asked_for_once_and_come_with_who_needed_them_first(server: Any, make_web: MakeWeb) -> None:
    server.answers |= {"/robots.txt": page(b"User-agent: *\n"), "/.well-known/tdmrep.json": page(b"[]"), "/a": page(), "/b": page()}
    web = make_web()
    first, second = (web.fetch(Request(url=server.url + path)) for path in ("/a", "/b"))
    assert [exchange.request.url for exchange in first.rights] == [f"{server.url}/robots.txt", f"{server.url}/.well-known/tdmrep.json"]
    assert second.rights == ()
    assert server.paths(rights=True) == ["/robots.txt", "/.well-known/tdmrep.json", "/a", "/b"]


def test_after_a_day_they_are_asked_for_again(server: Any, make_web: MakeWeb) -> None:
    clock = [0.0]
    web = make_web(options={"clock": lambda: clock[0]})
    fetch(server, web)
    clock[0] += 25 * 3600
    fetch(server, web)
    assert server.paths(rights=True).count("/robots.txt") == 2


def test_yesterdays_rules_are_kept_while_todays_cannot_be_read(server: Any, make_web: MakeWeb) -> None:
    clock = [0.0]
    server.answers["/robots.txt"] = [page(b"User-agent: *\nDisallow: /a\n"), page(status="503 X")]
    web = make_web(options={"clock": lambda: clock[0]})
    assert fetch(server, web, "/b")[0] is Out.FETCHED
    clock[0] += 25 * 3600
    assert (fetch(server, web, "/b")[0], fetch(server, web, "/a")[0]) == (Out.FETCHED, Out.ROBOTS)
    assert server.paths(rights=True).count("/robots.txt") == 2


@pytest.mark.parametrize(("hops", "expected"), [(5, Out.ROBOTS), (6, Out.FETCHED)])
def test_redirects_of_robots_txt_are_followed_five_times(server: Any, make_web: MakeWeb, hops: int, expected: Out) -> None:
    names = ["/robots.txt", *(f"/r{number}" for number in range(1, hops + 1))]
    for name, following in pairwise(names):
        server.answers[name] = page(b"", f"Location: http://localhost:{server.port}{following}", status="301 X")
    server.answers[names[-1]] = page(NOTHING)
    assert fetch(server, make_web(private_hosts=("127.0.0.1", "localhost")))[0] is expected


def test_a_redirect_of_robots_txt_does_not_lead_to_private_addresses(server: Any, make_web: MakeWeb) -> None:
    server.answers["/robots.txt"] = page(b"", "Location: http://10.0.0.1/robots.txt", status="302 X")
    assert fetch(server, make_web())[0] in (Out.REFUSED, Out.ERROR)


def test_of_a_giant_robots_txt_the_start_is_obeyed(server: Any, make_web: MakeWeb) -> None:
    server.answers["/robots.txt"] = page(b"User-agent: *\nDisallow: /a\n" + b"# filling\n" * 200_000 + b"Disallow: /b\n")
    web = make_web()
    assert fetch(server, web, "/a")[0] is Out.ROBOTS
    assert fetch(server, web, "/b")[0] is Out.FETCHED


def test_a_packed_robots_txt_is_read(server: Any, make_web: MakeWeb) -> None:
    server.answers["/robots.txt"] = page(gzip.compress(NOTHING), "Content-Encoding: gzip")
    assert fetch(server, make_web())[0] is Out.ROBOTS


@pytest.mark.parametrize("line", [b"Crawl-delay: 7", b"Request-rate: 1/7"])
def test_crawl_delay_sets_the_pace(server: Any, make_web: MakeWeb, line: bytes) -> None:
    paces = HostPaces()
    server.answers["/robots.txt"] = page(b"User-agent: *\nDisallow: /a\n" + line + b"\n")
    web = make_web(options={"paces": paces})
    fetch(server, web)
    assert paces.of(f"127.0.0.1:{server.port}", delay=0.0, in_flight=1).pace.seconds == 7.0
    assert web.permitted_rate == pytest.approx(1 / 7)


def test_portals_that_share_a_host_are_permitted_its_rate_together(server: Any, make_web: MakeWeb) -> None:
    paces = HostPaces()
    server.answers["/robots.txt"] = page(b"User-agent: *\nCrawl-delay: 0.1\n")
    webs = [make_web(options={"paces": paces}) for _ in range(2)]
    fetch(server, webs[0])
    assert webs[0].permitted_rate == pytest.approx(10)
    fetch(server, webs[1])
    assert [web.permitted_rate for web in webs] == pytest.approx([5, 5])
    webs[1].close()
    assert webs[0].permitted_rate == pytest.approx(10)


@pytest.mark.parametrize(
    ("line", "told"), [(b"Crawl-delay: 86400", "86400"), (b"Crawl-delay: 1e300", "10000"), (b"Request-rate: 1/" + b"9" * 400, "31622400")]
)
def test_an_absurd_crawl_delay_is_told_and_capped(server: Any, make_web: MakeWeb, line: bytes, told: str) -> None:
    heard: list[str] = []
    server.answers["/robots.txt"] = page(b"User-agent: *\nDisallow: /a\n" + line + b"\n")
    web = make_web(options={"say": heard.append}, delay=timedelta(0))
    fetch(server, web)
    assert web.permitted_rate == pytest.approx(1 / 60)
    assert told in heard[0]


@pytest.mark.parametrize(("delay", "told"), [(0.0, ["is kept instead of 0 s"]), (7.0, []), (9.0, [])])
def test_a_slower_pace_than_the_portal_file_asks_for_is_told(server: Any, make_web: MakeWeb, delay: float, told: list[str]) -> None:
    heard: list[str] = []
    server.answers["/robots.txt"] = page(b"User-agent: *\nDisallow: /a\nCrawl-delay: 7\n")
    fetch(server, make_web(options={"say": heard.append}, delay=timedelta(seconds=delay)))
    assert len(heard) == len(told)
    assert all(words in line for line, words in zip(heard, told, strict=True))


@given(st.text(max_size=200), st.text(alphabet="/abc*$%?=.", max_size=30))
def test_no_robots_txt_raises_or_takes_long(text: str, path: str) -> None:
    robots = RobotsTxt(rules=Protego.parse(f"User-agent: *\nDisallow: {text}\n{text}"))
    assert robots.says(f"http://pelda.example/{path}") in ("allowed", "disallowed")
    assert (robots.crawl_delay or 1.0) > 0
