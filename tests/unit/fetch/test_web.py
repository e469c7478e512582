"""One polite request over the network: what every kind of answer comes to."""

from __future__ import annotations

import gzip
import socket
import struct
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.config.fetch_rules import FetchRules, Secret
from webarticlecurator.errors import UsageError
from webarticlecurator.fetch.politeness import HostPaces
from webarticlecurator.fetch.response import Limits
from webarticlecurator.fetch.web import Web
from webarticlecurator.model.capture import Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome as Out

HTML = b"<!DOCTYPE html><p>hello</p>"
MakeWeb = Callable[..., Web]


def page(body: bytes = HTML, *lines: str, status: str = "200 OK", type_: str | None = "text/html") -> bytes:
    declared = [] if type_ is None else [f"Content-Type: {type_}"]
    return "\r\n".join([f"HTTP/1.1 {status}", *declared, *lines, f"Content-Length: {len(body)}", "", ""]).encode() + body


def redirect(to: str, *lines: str, status: int = 302) -> bytes:
    return page(b"", f"Location: {to}", *lines, status=f"{status} Found")


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def say(*pieces: bytes) -> Callable[[socket.socket], None]:
    def script(connection: socket.socket) -> None:
        for piece in pieces:
            connection.sendall(piece)

    return script


def outcome(fetched: Fetched) -> tuple[Out, str]:
    return fetched.verdict.outcome, fetched.verdict.reason


def test_a_page_is_fetched(server: Any, make_web: MakeWeb) -> None:
    server.answers["/a"] = page()
    fetched = make_web().fetch(Request(url=server.url + "/a"))
    assert outcome(fetched) == (Out.FETCHED, "HTTP 200")
    assert fetched.capture is not None
    assert (fetched.capture.url, fetched.capture.status, fetched.capture.entity) == (server.url + "/a", 200, HTML)
    assert fetched.capture.header("content-type") == "text/html"
    assert len(fetched.exchanges) == 1


STATUSES = [
    *[(status, Out.GONE) for status in (404, 410)],
    *[(status, Out.ERROR) for status in (400, 401, 402, 403, 405, 418, 429, 451, 500, 502, 503, 504, 300, 304, 305, 206)],
    *[(status, Out.FETCHED) for status in (200, 203)],
]


@pytest.mark.parametrize(("status", "expected"), STATUSES)
def test_every_status_has_its_outcome(server: Any, make_web: MakeWeb, status: int, expected: Out) -> None:
    server.answers["/a"] = page(b"" if status == 304 else HTML, status=f"{status} X")
    fetched = make_web().fetch(Request(url=server.url + "/a"))
    assert fetched.verdict.outcome is expected
    assert str(status) in fetched.verdict.reason
    assert (fetched.capture is not None) == (expected is Out.FETCHED)
    assert fetched.exchanges[-1].status == status


BROKEN = [
    (reset, Out.ERROR),
    (say(), Out.ERROR),
    (say(b"HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n", HTML), Out.ERROR),
    (say(b"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n" + HTML), Out.ERROR),
    (say(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n"), Out.ERROR),
    (say(b"not at all\r\n\r\n"), Out.ERROR),
    (say(b"HTTP/1.1 200 OK\r\nContent-Length: 200000000\r\n\r\n", HTML), Out.TOO_BIG),
    (say(b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 20_000), Out.TOO_BIG),
    (say(page(gzip.compress(bytes(30_000_000)), "Content-Encoding: gzip")), Out.TOO_BIG),
    (lambda connection: connection.recv(1), Out.ERROR),
]


@pytest.mark.parametrize(("script", "expected"), BROKEN)
def test_every_broken_answer_has_its_outcome(server: Any, make_web: MakeWeb, script: Any, expected: Out) -> None:
    server.answers["/a"] = script
    patience = timedelta(seconds=0.3 if expected is Out.ERROR else 5)
    fetched = make_web(timeout=patience).fetch(Request(url=server.url + "/a"))
    assert fetched.verdict.outcome is expected
    assert fetched.verdict.reason
    assert fetched.capture is None
    assert not fetched.permanent


TYPES = [
    ("text/html; charset=utf-8", HTML, True),
    ("TEXT/HTML", HTML, True),
    ("application/xhtml+xml", HTML, True),
    ("application/json", b"{}", True),
    ("application/vnd.api+json", b"{}", True),
    ("application/rss+xml", b"<rss/>", True),
    ("text/plain", b"x", True),
    (None, HTML, True),
    ("", HTML, True),
    ("application/octet-stream", HTML, True),
    ("application/pdf", b"%PDF-1.4", False),
    ("image/png", b"\x89PNG", False),
    ("image/svg+xml", b"<svg/>", False),
    ("video/mp4", b"x", False),
    ("text/css", b"x", False),
    (None, b"%PDF-1.4\n", False),
    (None, b"\x89PNG\r\n\x1a\n\x00\x00", False),
    ("application/octet-stream", b"PK\x03\x04", False),
]


@pytest.mark.parametrize(("declared", "body", "wanted"), TYPES)
def test_only_what_can_be_a_page_is_fetched(server: Any, make_web: MakeWeb, declared: str | None, body: bytes, wanted: bool) -> None:
    server.answers["/a"] = page(body, type_=declared)
    fetched = make_web().fetch(Request(url=server.url + "/a"))
    assert fetched.verdict.outcome is (Out.FETCHED if wanted else Out.REFUSED)
    assert wanted or "type" in fetched.verdict.reason


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("", Out.BAD_URL),
        ("/relative", Out.BAD_URL),
        ("http://", Out.BAD_URL),
        ("http://user@127.0.0.1/", Out.BAD_URL),
        ("http://127.0.0.1/a b", Out.BAD_URL),
        ("ftp://127.0.0.1/", Out.REFUSED),
        ("mailto:a@pelda.example", Out.REFUSED),
        ("http://10.0.0.1/", Out.REFUSED),
        ("http://localhost:1/", Out.REFUSED),
        ("http://[::1]:1/", Out.REFUSED),
        ("http://169.254.169.254/latest/meta-data/", Out.REFUSED),
    ],
)
def test_urls_that_are_not_asked_for(make_web: MakeWeb, url: str, expected: Out) -> None:
    fetched = make_web().fetch(Request(url=url))
    assert fetched.verdict.outcome is expected
    assert fetched.verdict.reason
    assert fetched.exchanges == ()


@given(st.text(max_size=60), st.sampled_from(["", "http://", "http://pelda.example/", "https://pelda.example:"]))
def test_no_url_raises(text: str, start: str) -> None:
    def resolve(_host: str, _port: int) -> list[Any]:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    web = Web(FetchRules(retries=0, delay=timedelta(0)), hosts=frozenset(), resolve=resolve)
    assert web.fetch(Request(url=start + text)).verdict.outcome in (Out.BAD_URL, Out.REFUSED, Out.ERROR)


def test_redirects_are_followed_hop_by_hop(server: Any, make_web: MakeWeb) -> None:
    server.answers |= {"/a": redirect("/b"), "/b": redirect("c?x=ő#part", status=301), "/c?x=%C5%91": page()}
    fetched = make_web().fetch(Request(url=server.url + "/a"))
    assert [exchange.status for exchange in fetched.exchanges] == [302, 301, 200]
    assert fetched.capture is not None
    assert (fetched.capture.requested_url, fetched.capture.url) == (server.url + "/a", server.url + "/c?x=%C5%91")
    assert fetched.final_url == fetched.capture.url


@pytest.mark.parametrize(("status", "method"), [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
def test_a_form_is_sent_again_only_where_the_redirect_says_so(server: Any, make_web: MakeWeb, status: int, method: str) -> None:
    server.answers |= {"/a": redirect("/b", status=status), "/b": page()}
    fetched = make_web().fetch(Request(url=server.url + "/a", method="POST", body=b"", headers=(("Content-Type", "text/plain"),)))
    assert fetched.exchanges[-1].request.method == method
    assert (b"Content-Type" in fetched.exchanges[-1].request_bytes) == (method == "POST")


REDIRECTS = [
    ("/a", Out.ERROR, "loop", True),
    ("/b", Out.ERROR, "loop", True),
    ("http://10.0.0.1/", Out.REFUSED, "private", False),
    ("http://localhost:1/", Out.REFUSED, "private", False),
    ("ftp://127.0.0.1/", Out.REFUSED, "scheme", False),
    ("file:///etc/passwd", Out.REFUSED, "scheme", False),
    ("javascript:alert(1)", Out.REFUSED, "scheme", False),
    ("data:text/html,hello", Out.REFUSED, "scheme", False),
    ("http://exa mple/", Out.ERROR, "no URL", True),
]


@pytest.mark.parametrize(("target", "expected", "reason", "permanent"), REDIRECTS)
def test_where_redirects_may_not_lead(server: Any, make_web: MakeWeb, target: str, expected: Out, reason: str, permanent: bool) -> None:
    server.answers |= {"/a": redirect(target), "/b": redirect("/a")}
    fetched = make_web().fetch(Request(url=server.url + "/a"))
    assert (fetched.verdict.outcome, fetched.permanent) == (expected, permanent)
    assert reason in fetched.verdict.reason
    assert fetched.exchanges[0].status == 302


def test_endless_redirects_end(server: Any, make_web: MakeWeb) -> None:
    server.answers |= {f"/{number}": redirect(f"/{number + 1}") for number in range(30)}
    fetched = make_web().fetch(Request(url=server.url + "/0"))
    assert (outcome(fetched), fetched.permanent) == ((Out.ERROR, "more than 10 redirects"), True)
    assert len(fetched.exchanges) == 11


def test_the_crawler_decides_whether_a_redirect_is_followed(server: Any, make_web: MakeWeb) -> None:
    server.answers["/a"] = redirect("http://elsewhere.example/")
    fetched = make_web().fetch(Request(url=server.url + "/a"), may_follow=lambda url: "other host" if "elsewhere" in url else None)
    assert outcome(fetched) == (Out.REFUSED, "redirected: other host")


def test_a_page_that_wants_a_cookie_first_gets_it(server: Any, make_web: MakeWeb) -> None:
    server.answers["/a"] = [redirect("/a", "Set-Cookie: seen=1; Path=/"), page()]
    web = make_web()
    fetched = web.fetch(Request(url=server.url + "/a"))
    assert fetched.verdict.outcome is Out.FETCHED
    assert b"Cookie: seen=1" in server.requests[-1]
    assert (b"seen=1" in fetched.exchanges[-1].request_bytes, fetched.exchanges[-1].redacted) == (False, ("Cookie",))
    assert b"seen=1" in (fetched.exchanges[0].response_bytes or b"")
    web.fetch(Request(url=server.url + "/b"))
    assert b"Cookie: seen=1" in server.requests[-1]


@pytest.mark.parametrize("cookie", ["a=1\rX-Evil: 1", "a=ő", "a=1\x00", "a=" + "1" * 5000])
def test_a_cookie_that_cannot_be_sent_back_is_not_kept(server: Any, make_web: MakeWeb, cookie: str) -> None:
    server.answers |= {"/a": page(HTML, f"Set-Cookie: {cookie}", "Set-Cookie: b=2"), "/b": page()}
    web = make_web()
    for path in ("/a", "/b"):
        web.fetch(Request(url=server.url + path))
    assert b"\r\nCookie: b=2\r\n" in server.requests[-1]


def test_unchanged_pages_are_fetched_as_such(server: Any, make_web: MakeWeb) -> None:
    server.answers["/a"] = b'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n'
    fetched = make_web().fetch(Request(url=server.url + "/a", headers=(("If-None-Match", '"x"'),)))
    assert outcome(fetched) == (Out.FETCHED, "not modified")
    assert fetched.capture is not None and fetched.capture.status == 304


PASSING = [page(status="503 X"), page(status="500 X"), page(status="429 X"), reset, say(), say(page()[:-3])]
LASTING = [page(status="403 X"), page(status="404 X"), page(status="401 X"), say(b"garbage\r\n\r\n"), say(page() + b"more")]


@pytest.mark.parametrize("bad", PASSING)
def test_what_may_pass_is_asked_again(server: Any, make_web: MakeWeb, patience: Any, bad: Any) -> None:
    # The rights files end their connection, so that none is kept that could break before a byte came.
    server.answers |= {path: page(b"", "Connection: close", status="404 X") for path in ("/robots.txt", "/.well-known/tdmrep.json")}
    server.answers["/a"] = [bad, bad, page()]
    fetched = make_web(retries=2, options={"stop": patience, "clock": patience}).fetch(Request(url=server.url + "/a"))
    assert fetched.verdict.outcome is Out.FETCHED
    assert len(fetched.exchanges) == 3
    assert sum(patience.waits) > 0


@pytest.mark.parametrize("bad", LASTING)
def test_what_will_not_pass_is_not_asked_again(server: Any, make_web: MakeWeb, bad: Any) -> None:
    server.answers["/a"] = bad
    assert len(make_web(retries=3).fetch(Request(url=server.url + "/a")).exchanges) == 1


def test_the_reason_says_how_often_it_was_tried(server: Any, make_web: MakeWeb) -> None:
    server.answers["/a"] = page(status="503 X")
    assert outcome(make_web(retries=2).fetch(Request(url=server.url + "/a"))) == (Out.ERROR, "HTTP 503 after 3 attempts")


def test_while_a_host_keeps_refusing_each_further_url_has_one_attempt(server: Any, make_web: MakeWeb, patience: Any) -> None:
    server.answers |= {"/a": page(status="429 X"), "/b": page(status="429 X"), "/c": page(), "/d": [page(status="429 X"), page()]}
    web = make_web(retries=2, options={"stop": patience, "clock": patience})
    attempts = [len(web.fetch(Request(url=server.url + path)).exchanges) for path in ("/a", "/b", "/c", "/d")]
    assert attempts == [3, 1, 1, 2]


@pytest.mark.parametrize("wish", ["0.05", "7200", "Fri, 20 Nov 2099 12:00:00 GMT"])
def test_a_host_that_asks_for_hours_is_left_alone_until_the_next_run(server: Any, make_web: MakeWeb, wish: str) -> None:
    server.answers |= {"/a": [page(HTML, f"Retry-After: {wish}", status="429 X"), page()], "/b": page()}
    web = make_web(retries=2)
    first, second = (web.fetch(Request(url=server.url + path)) for path in ("/a", "/b"))
    if wish == "0.05":  # no whole number: as if there were none
        assert (first.verdict.outcome, second.verdict.outcome) == (Out.FETCHED, Out.FETCHED)
    else:
        assert (first.verdict.outcome, second.verdict.outcome) == (Out.ERROR, Out.ERROR)
        assert "left alone" in second.verdict.reason
        assert server.paths() == ["/a"]


def test_retry_after_is_waited_for(server: Any, make_web: MakeWeb, patience: Any) -> None:
    heard: list[str] = []
    server.answers["/a"] = [page(HTML, "Retry-After: 90", status="503 X"), page()]
    web = make_web(retries=1, options={"stop": patience, "clock": patience, "say": heard.append})
    assert web.fetch(Request(url=server.url + "/a")).verdict.outcome is Out.FETCHED
    assert sum(patience.waits) >= 90
    assert any("90 s" in message for message in heard)


def test_an_interruption_ends_waiting_but_no_request(server: Any, make_web: MakeWeb) -> None:
    stop, paces = threading.Event(), HostPaces()
    server.answers |= {"/a": lambda connection: (stop.set(), time.sleep(0.05), connection.sendall(page())), "/b": page()}
    web = make_web(options={"stop": stop, "paces": paces})
    assert web.fetch(Request(url=server.url + "/a")).verdict.outcome is Out.FETCHED
    paces.of(f"127.0.0.1:{server.port}", delay=60.0, in_flight=1)
    for _ in range(2):
        assert outcome(web.fetch(Request(url=server.url + "/b"))) == (Out.QUEUED, "interrupted")
    assert server.paths() == ["/a"]


def test_portal_secrets_are_needed_at_the_start(make_web: MakeWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CURATOR_PELDA_PROXY", raising=False)
    with pytest.raises(UsageError, match="CURATOR_PELDA_PROXY"):
        make_web(proxy=Secret(env="CURATOR_PELDA_PROXY"))


def test_secrets_do_not_follow_a_redirect_to_another_host(server: Any, make_web: MakeWeb, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CURATOR_PELDA_KEY", "hush")
    server.answers |= {"/a": redirect(f"http://localhost:{server.port}/b"), "/b": page()}
    web = make_web(headers={"Authorization": Secret(env="CURATOR_PELDA_KEY")}, private_hosts=("127.0.0.1", "localhost"))
    fetched = web.fetch(Request(url=server.url + "/a"))
    assert fetched.verdict.outcome is Out.FETCHED
    carried = {request.split(b" ")[1] + request.split(b"Host: ")[1][:9]: b"hush" in request for request in server.requests}
    assert carried[b"/a127.0.0.1"] and not carried[b"/blocalhost"]
    assert not any(b"hush" in exchange.request_bytes for exchange in (*fetched.exchanges, *fetched.rights))
    assert web.has_credentials


def test_an_http_proxy_is_asked_for_whole_urls(server: Any, make_web: MakeWeb) -> None:
    server.answers["http://pelda.example/a"] = page()
    web = make_web(proxy=server.url.replace("//", "//anna:hush@"))
    fetched = web.fetch(Request(url="http://pelda.example/a"))
    assert fetched.verdict.outcome is Out.FETCHED
    assert b"Proxy-Authorization: Basic" in server.requests[-1]
    assert fetched.exchanges[0].redacted == ("Proxy-Authorization",)
    assert fetched.exchanges[0].ip is None


def test_the_moment_of_an_exchange_comes_from_the_clock_that_was_passed_in(server: Any, make_web: MakeWeb) -> None:
    moment = datetime(2024, 5, 1, 10, 0, tzinfo=UTC)
    server.answers["/a"] = page()
    fetched = make_web(options={"now": lambda: moment}).fetch(Request(url=server.url + "/a"))
    assert fetched.exchanges[0].started == moment
    assert fetched.capture is not None and fetched.capture.date == moment


def test_bodies_over_the_limit_are_stored_as_far_as_they_were_read(server: Any, make_web: MakeWeb) -> None:
    server.answers["/a"] = say(b"HTTP/1.1 200 OK\r\n\r\n", b"x" * 500_000)
    fetched = make_web(options={"limits": Limits(body=100_000)}).fetch(Request(url=server.url + "/a"))
    assert fetched.verdict.outcome is Out.TOO_BIG
    assert fetched.exchanges[0].truncated == "length"
    assert 100_000 <= len(fetched.exchanges[0].entity) < 300_000


def test_many_threads_share_one_web(server: Any, make_web: MakeWeb) -> None:
    server.answers |= {f"/{number}": page(b"<p>%d</p>" % number) for number in range(60)}
    web = make_web(concurrency=4)
    with ThreadPoolExecutor(8) as pool:
        answers = list(pool.map(lambda number: web.fetch(Request(url=f"{server.url}/{number}")), range(60)))
    assert [fetched.capture.entity for fetched in answers if fetched.capture] == [b"<p>%d</p>" % number for number in range(60)]
    assert server.connections <= 8
    assert server.paths(rights=True).count("/robots.txt") == 1
    assert sum(len(fetched.rights) for fetched in answers) == 2
