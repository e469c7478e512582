"""Whatever a server says over HTTP gets its outcome with a reason, and lies in the WARC files byte for byte."""

from __future__ import annotations

import gzip
import json
import random
import socket
import struct
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from collected import StoredRecord, records
from loopback import HTML, Loopback
from loopback import answer as page
from scripted_portal import Crawler, Reply, ScriptedPortal

OK = "HTTP/1.1 200 OK"
Said = bytes | Callable[[socket.socket], object] | list[Any]


def head(*lines: str) -> bytes:
    return "\r\n".join([OK, *lines, "", ""]).encode()


def redirect(to: str, *lines: str, status: int = 302) -> bytes:
    return page(b"", f"Location: {to}", *lines, status=f"{status} Found")


def say(*pieces: bytes) -> Callable[[socket.socket], None]:
    """These bytes, and the end of the connection."""

    def script(connection: socket.socket) -> None:
        for piece in pieces:
            connection.sendall(piece)

    return script


def reset(connection: socket.socket) -> None:
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    connection.close()


def silence(connection: socket.socket) -> None:
    connection.recv(1)  # until the other side hangs up


def drip(connection: socket.socket) -> None:
    for byte in page() * 40:
        connection.sendall(bytes([byte]))
        connection.settimeout(0.02)
        try:
            connection.recv(1)
        except TimeoutError:
            continue


class Crawled:
    """One crawl of a list of addresses, between which others answer well, so that no row of failures is a block."""

    def __init__(self, curator: Any, folder: Path, server: Loopback, answers: dict[str, Said], fetch: str = "", rules: str = "") -> None:
        self.server = server
        urls = []
        for number, (path, said) in enumerate(answers.items()):
            server.answers[path] = said
            server.answers[f"/good/{number}"] = page(b"<p>good %d</p>" % number)
            urls += [path, f"/good/{number}"]
        server.answers["/list"] = page("\n".join(urls).encode(), kind="text/plain")
        rules = f"archive: {{url: HOME/list, format: urls}}\n{rules}"
        self.crawler = Crawler(curator, folder, ScriptedPortal(server.url), rules=rules)
        self.crawler.fetch = f"fetch: {{delay: 0s, timeout: 0.5s, {fetch or 'retries: 0'}}}\n"
        self.code = self.crawler.crawl()

    @property
    def outcomes(self) -> dict[str, str]:
        known = self.crawler.outcomes
        assert {outcome for path, outcome in known.items() if path.startswith("/good/")} == {"fetched"}, self.crawler.said
        return {path: outcome for path, outcome in known.items() if not path.startswith("/good/")}

    @property
    def reasons(self) -> dict[str, str]:
        return {row["url"].removeprefix(self.server.url): row["reason"] for row in self.crawler.problems}

    def stored(self, path: str, *types: str) -> list[StoredRecord]:
        of_type = types or ("response",)
        return [record for record in records(self.crawler.corpus, *of_type) if record.url == self.server.url + path]


BOMB = gzip.compress(bytes(30_000_000), 1)
TEXT = b"<p>Egy mondat a lapbol.</p>\n" * 500
PACKED = gzip.compress(TEXT, mtime=0)
CHUNKED = "Transfer-Encoding: chunked"
REFUSALS = (400, 401, 402, 403, 405, 418, 451, 502, 300, 305, 206)
ANSWERS: dict[str, tuple[Said, str, str]] = {
    # what is said, its outcome, a word of the reason
    **{f"/status-{status}": (page(status=f"{status} X"), "error", str(status)) for status in REFUSALS},
    **{f"/status-{status}": (page(status=f"{status} X"), "gone", str(status)) for status in (404, 410)},
    **{f"/status-{status}": (page(b"<p>%d" % status, status=f"{status} X"), "fetched", "") for status in (200, 203)},
    "/unasked-304": (page(b"", status="304 X"), "error", "304"),
    "/reset": (reset, "error", "reset"),
    "/nothing": (say(), "error", ""),
    "/cut": (say(head("Content-Length: 99"), HTML), "error", "27 of 99 bytes"),
    "/long": (say(head("Content-Length: 9") + HTML), "error", "after the end"),
    "/long-but-kept": (say(page(HTML + b"!") + b"<p>more</p>"), "error", "after the end"),
    "/cut-chunks": (say(head(CHUNKED), b"5\r\nhello\r\n"), "error", "inside the chunked body"),
    "/cut-packed": (say(head("Content-Encoding: gzip"), PACKED[:-9]), "error", ""),
    "/garbage": (say(b"hello, I am no web server\r\n\r\n"), "error", ""),
    "/tls": (say(b"\x16\x03\x01\x02\x00"), "error", ""),
    "/ssh": (say(b"SSH-2.0-OpenSSH_9.2p1\r\n"), "error", ""),
    "/http-2": (say(b"HTTP/2.0 200 OK\r\n\r\n"), "error", ""),
    "/switching": (say(b"HTTP/1.1 101 Switching Protocols\r\n\r\n"), "error", ""),
    "/two-lengths": (say(head("Content-Length: 5", "Content-Length: 6"), b"hello"), "error", ""),
    "/minus": (say(head("Content-Length: -5"), b"hello"), "error", ""),
    "/no-number": (say(head("Content-Length: 1_0"), b"hello"), "error", ""),
    "/other-coding": (say(head("Transfer-Encoding: gzip, chunked")), "error", ""),
    "/no-size": (say(head(CHUNKED), b"xyz\r\n"), "error", ""),
    "/minus-size": (say(head(CHUNKED), b"-1\r\n"), "error", ""),
    "/long-chunk": (say(head(CHUNKED), b"2\r\nhello\r\n0\r\n\r\n"), "error", ""),
    "/endless-size": (say(head(CHUNKED), b"0" * 5000), "error", ""),
    "/giant": (say(head("Content-Length: 200000000"), HTML), "too-big", ""),
    "/long-head": (say(f"{OK}\r\n".encode() + b"X: y\r\n" * 20_000), "too-big", ""),
    "/many-lines": (say(f"{OK}\r\n".encode() + b"X: y\r\n" * 300 + b"\r\n"), "too-big", ""),
    "/bomb": (page(BOMB, "Content-Encoding: gzip"), "too-big", ""),
    "/bomb-in-bomb": (page(gzip.compress(gzip.compress(bytes(50_000_000), 1)), "Content-Encoding: gzip, gzip"), "too-big", ""),
    "/silence": (silence, "error", "the time was over"),
    "/drip": (drip, "error", ""),
    "/equal-lengths": (say(head("Content-Length: 5", "Content-Length: 5", "Connection: close"), b"<p>x1"), "fetched", ""),
    "/old": (say(b"HTTP/1.0 200 OK\r\n\r\n<p>to the end"), "fetched", ""),
    "/stray-line-end": (say(page(b"<p>x2") + b"\r\n"), "fetched", ""),
    "/bare-line-ends": (say(b"HTTP/1.1 200 OK\nServer:  x \nContent-Length: 5\n\n<p>x3"), "fetched", ""),
    "/interim": (say(b"HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n" + page(b"<p>x4")), "fetched", ""),
    "/chunks": (say(head(CHUNKED), b"6;x=1\r\n<p>hel\r\n6\r\nlo you\r\n0\r\nX-Trailer: 1\r\n\r\n"), "fetched", ""),
    "/gzip": (page(PACKED + b"", "Content-Encoding: gzip"), "fetched", ""),
    "/x-gzip": (page(gzip.compress(TEXT + b"1"), "Content-Encoding: X-GZIP"), "fetched", ""),
    "/members": (page(gzip.compress(TEXT[:777]) + gzip.compress(TEXT[777:] + b"2"), "Content-Encoding: gzip"), "fetched", ""),
    "/deflate": (page(zlib.compress(TEXT + b"3"), "Content-Encoding: deflate"), "fetched", ""),
    "/raw-deflate": (page(zlib.compress(TEXT + b"4")[2:-4], "Content-Encoding: deflate"), "fetched", ""),
    "/two-codings": (page(gzip.compress(zlib.compress(TEXT + b"5")), "Content-Encoding: deflate, gzip"), "fetched", ""),
    "/type-upper": (page(HTML + b"a", kind="TEXT/HTML"), "fetched", ""),
    "/type-xhtml": (page(HTML + b"b", kind="application/xhtml+xml"), "fetched", ""),
    "/type-json": (page(b'{"a": 1}', kind="application/vnd.api+json"), "fetched", ""),
    "/type-rss": (page(b"<rss/>", kind="application/rss+xml"), "fetched", ""),
    "/type-text": (page(b"x", kind="text/plain"), "fetched", ""),
    "/type-none": (page(HTML + b"c", kind=None), "fetched", ""),
    "/type-empty": (page(HTML + b"d", kind=""), "fetched", ""),
    "/type-octets": (page(HTML + b"e", kind="application/octet-stream"), "fetched", ""),
    "/type-pdf": (page(b"%PDF-1.4", kind="application/pdf"), "refused", "type"),
    "/type-png": (page(b"\x89PNG", kind="image/png"), "refused", "type"),
    "/type-css": (page(b"x", kind="text/css"), "refused", "type"),
    "/pdf-without-type": (page(b"%PDF-1.4\n", kind=None), "refused", "type"),
    "/png-without-type": (page(b"\x89PNG\r\n\x1a\n\x00\x00", kind=None), "refused", "type"),
    "/zip-of-octets": (page(b"PK\x03\x04", kind="application/octet-stream"), "refused", "type"),
    "/loop": (redirect("/loop"), "error", "loop"),
    "/loop-of-two": (redirect("/loop"), "error", "loop"),
    "/to-private": (redirect("http://10.0.0.1/"), "refused", "host"),
    "/to-localhost": (redirect("http://localhost:1/"), "refused", "host"),
    "/to-elsewhere": (redirect("http://masik.example/"), "refused", "other host"),
    "/to-ftp": (redirect("ftp://127.0.0.1/"), "refused", ""),
    "/to-file": (redirect("file:///etc/passwd"), "refused", "scheme"),
    "/to-script": (redirect("javascript:alert(1)"), "refused", "scheme"),
    "/to-no-url": (redirect("http://exa mple/"), "error", "no URL"),
    "/hop": (redirect("/hop-2"), "fetched", ""),
}  # fmt: skip


@pytest.fixture
def crawled(curator: Any, tmp_path: Path, server: Loopback) -> Crawled:
    server.answers |= {"/hop-2": redirect("hop-3?x=ő#part", status=301), "/hop-3?x=%C5%91": page(b"<p>arrived")}
    server.answers |= {f"/on/{number}": redirect(f"/on/{number + 1}") for number in range(30)}
    answers = {path: said for path, (said, _, _) in ANSWERS.items()} | {"/on/0": server.answers["/on/0"]}
    return Crawled(curator, tmp_path, server, answers)


def test_every_answer_has_its_outcome_and_its_bytes_are_stored(crawled: Crawled) -> None:
    assert crawled.outcomes == {path: outcome for path, (_, outcome, _) in ANSWERS.items()} | {"/on/0": "error"}
    reasons = crawled.reasons
    assert {path for path, (_, outcome, _) in ANSWERS.items() if outcome in ("error", "too-big")} <= reasons.keys()
    assert [(path, reasons[path]) for path, (_, _, word) in ANSWERS.items() if path in reasons and word not in reasons[path]] == []
    assert reasons["/on/0"] == "more than 10 redirects"
    again = {path for path in crawled.server.paths() if crawled.server.paths().count(path) > 1}
    assert again <= {"/loop", "/nothing", "/reset"}, "what a redirect leads to, and what broke on a kept connection before a byte came"

    for path, (said, outcome, _) in ANSWERS.items():
        if isinstance(said, bytes) and outcome == "fetched":
            assert [record.block for record in crawled.stored(path)] == [said], path
    (chunks,) = crawled.stored("/chunks")
    assert chunks.block == head(CHUNKED) + b"6;x=1\r\n<p>hel\r\n6\r\nlo you\r\n0\r\nX-Trailer: 1\r\n\r\n"
    (bare,) = crawled.stored("/bare-line-ends")
    assert bare.block == b"HTTP/1.1 200 OK\nServer:  x \nContent-Length: 5\n\n<p>x3"
    (interim,) = crawled.stored("/interim")
    assert interim.block == page(b"<p>x4")
    (asked,) = crawled.stored("/gzip", "request")
    assert asked.block in crawled.server.requests
    assert [record.block[9:12] for path in ("/hop", "/hop-2", "/hop-3?x=%C5%91") for record in crawled.stored(path)] == [
        b"302",
        b"301",
        b"200",
    ]
    (cut,) = crawled.stored("/cut")
    assert cut.body == HTML
    (giant,) = crawled.stored("/giant")
    assert giant["WARC-Truncated"] == "length"
    (dripped,) = crawled.stored("/drip")
    assert dripped["WARC-Truncated"] == "time"
    assert crawled.crawler.curator("warc", "check", crawled.crawler.corpus).code == 0


def test_what_came_packed_is_read(curator: Any, tmp_path: Path, server: Loopback) -> None:
    noise = random.Random(1).randbytes(70_000)
    first = next(one for size in range(65_400, 65_536) if len(one := gzip.compress(noise[:size], 0, mtime=0)) == 1 << 16)
    answers: dict[str, Said] = {
        path: said for path, (said, _, _) in ANSWERS.items() if b"Content-Encoding" in (said if isinstance(said, bytes) else b"")
    }
    answers["/junk-behind"] = page(gzip.compress(TEXT + b"6") + b"trailing junk", "Content-Encoding: gzip")
    answers["/piece"] = page(first + gzip.compress(b"<p>and more"), "Content-Encoding: gzip")
    crawled = Crawled(curator, tmp_path, server, {path: said for path, said in answers.items() if "bomb" not in path})
    for path in crawled.outcomes:
        ended = curator("try", crawled.crawler.file, server.url + path, "--corpus", crawled.crawler.corpus, "--as", "article", "--json")
        assert ("and more" if path == "/piece" else "Egy mondat a lapbol.") in ended.out, path


PASSING = {
    **{str(status): page(status=f"{status} X") for status in (429, 500, 503)},
    "reset": reset,
    "nothing": say(),
    "cut": say(page()[:-3]),
}
LASTING = {"403": page(status="403 X"), "401": page(status="401 X"), "garbage": say(b"garbage\r\n\r\n"), "long": say(page() + b"more")}


def test_what_may_pass_is_asked_again_and_what_will_not_is_not(curator: Any, tmp_path: Path, server: Loopback) -> None:
    # The rights files end their connection, so that none is kept that could break before a byte came.
    server.answers |= {path: page(b"", "Connection: close", status="404 X") for path in ("/robots.txt", "/.well-known/tdmrep.json")}
    passing: dict[str, Said] = {f"/{name}": [said, page(b"<p>%s" % name.encode())] for name, said in PASSING.items()}
    lasting: dict[str, Said] = {f"/{name}-lasts": said for name, said in LASTING.items()}
    answers = {**passing, **lasting, "/503-for-ever": page(status="503 X")}
    crawled = Crawled(curator, tmp_path, server, answers, fetch="retries: 1")
    assert {path: crawled.outcomes[path] for path in passing} == dict.fromkeys(passing, "fetched")
    counts = {path: server.paths().count(path) for path in lasting}
    assert counts == dict.fromkeys(lasting, 1)
    assert crawled.reasons["/503-for-ever"] == "HTTP 503 after 2 attempts"
    assert server.paths().count("/503-for-ever") == 2
    for path in passing:
        assert len(crawled.stored(path)) in (1, 2), "what failed is evidence where something came"


def test_a_connection_is_kept_and_replaced_where_the_server_ended_it(curator: Any, tmp_path: Path, server: Loopback) -> None:
    crawled = Crawled(
        curator, tmp_path, server, {f"/{number}": page(b"<p>%d" % number) for number in range(20)}, fetch="retries: 0, concurrency: 1"
    )
    assert set(crawled.outcomes.values()) == {"fetched"}
    assert (len(server.paths()), server.connections) == (41, 1)
    server.answers["/closes"] = lambda connection: connection.sendall(page(b"<p>closes"))
    server.answers["/list"] = page(b"/closes\n/after", kind="text/plain")
    server.answers["/after"] = page(b"<p>after")
    assert crawled.crawler.crawl() == 0, crawled.crawler.said


def test_cookies_go_where_they_belong_and_what_cannot_be_sent_back_is_not_kept(curator: Any, tmp_path: Path, server: Loopback) -> None:
    odd = [f"Set-Cookie: {cookie}" for cookie in ("a=1\rX-Evil: 1", "a=ő", "a=1\x00", "a=" + "1" * 5000, "e=1; Domain=masik.example")]
    others = ["Set-Cookie: b=2", "Set-Cookie: c=3; Path=/deep", "Set-Cookie: d=4; Max-Age=0", "Set-Cookie: s=5; Secure"]
    answers: dict[str, Said] = {
        "/wants": [redirect("/wants", "Set-Cookie: seen=1; Path=/"), page(b"<p>seen")],
        "/sets": page(b"<p>sets", *odd, *others),
        "/other": page(b"<p>other"),
        "/deep/one": page(b"<p>deep"),
    }
    crawled = Crawled(curator, tmp_path, server, answers, fetch="retries: 0, concurrency: 1")
    assert set(crawled.outcomes.values()) == {"fetched"}
    sent = {request.split(b" ")[1].decode(): request for request in server.requests}
    cookies = {path: set(sent[path].split(b"Cookie: ")[1].split(b"\r\n")[0].split(b"; ")) for path in ("/wants", "/other", "/deep/one")}
    assert cookies == {"/wants": {b"seen=1"}, "/other": {b"seen=1", b"b=2"}, "/deep/one": {b"seen=1", b"b=2", b"c=3"}}
    assert b"X-Evil" not in b"".join(server.requests)
    requests = crawled.stored("/wants", "request")
    assert [b"seen=1" in record.block for record in requests] == [False, False], "what was sent of a cookie is not stored"
    assert any(b"Set-Cookie: seen=1" in record.block for record in crawled.stored("/wants"))


def test_a_page_is_asked_for_again_by_its_etag_and_date_and_an_unchanged_one_is_a_revisit(
    curator: Any, tmp_path: Path, server: Loopback
) -> None:
    crawled = Crawled(curator, tmp_path, server, {"/a": [page(HTML, 'ETag: "x"'), b'HTTP/1.1 304 Not Modified\r\nETag: "x"\r\n\r\n']})
    assert crawled.crawler.crawl("--recheck", "30d") == 0, crawled.crawler.said
    (first, again) = [request.decode() for request in server.requests if b"GET /a " in request]
    assert "If-None-Match" not in first and 'If-None-Match: "x"\r\n' in again and "If-Modified-Since: " in again
    assert [record.type for record in crawled.stored("/a", "response", "revisit")] == ["response", "revisit"]


@pytest.mark.parametrize(("status", "method"), [(301, "GET"), (302, "GET"), (303, "GET"), (307, "POST"), (308, "POST")])
def test_a_form_is_sent_again_only_where_the_redirect_says_so(crawler: Crawler, server: Loopback, status: int, method: str) -> None:
    crawler.portal.home = server.url
    crawler.rules = "archive: {url: HOME/api, item: li, request: {method: POST, form: {p: '1'}}}\n"
    server.answers |= {"/api": redirect("/b", status=status), "/b": page(b"<li><a href=/c/1>x</a>"), "/c/1": page()}
    assert crawler.crawl() == 0, crawler.said
    (hop,) = [request for request in server.requests if b" /b " in request]
    assert hop.startswith(method.encode())
    assert (b"Content-Type: application/x-www-form-urlencoded" in hop) == (method == "POST")


def test_what_is_posted_as_json_is_filled_in_like_an_address(crawler: Crawler, server: Loopback) -> None:
    crawler.portal.home = server.url
    dates = "dates: {from: 2024-05-01, until: 2024-05-01}"
    shape = 'json: {filter: {page: "p{page}", size: 20, tags: ["{column}", "{date}"]}}'
    body = b'{"filter":{"page":"p1","size":20,"tags":["archive","2024-05-01"]}}'
    crawler.rules = f"archive: {{url: HOME/api, item: li, {dates}, request: {{method: POST, {shape}}}}}\n"
    server.answers |= {"/api": say(page(b"<li><a href=/c/1>x</a>", "Connection: close")), "/c/1": page()}
    assert crawler.crawl("--archive-only") != 2, crawler.said
    sent, *_ = [record for record in records(crawler.corpus, "request") if record.url == f"{server.url}/api"]
    assert sent.body == body
    assert b"Content-Type: application/json" in sent.block and f"Content-Length: {len(body)}".encode() in sent.block


PRIVATE = (
    *("10.0.0.1", "172.31.255.255", "192.168.1.1", "100.64.0.1", "0.0.0.0", "192.0.2.1", "198.18.0.1", "224.0.0.1", "240.0.0.1"),
    *("localhost:1", "2130706433:1", "0x7f.1:1", "0177.0.0.1:1", "[::1]:1", "[fd12::1]", "[fec0::1]", "[ff02::1]"),
    *("[2001:db8::1]", "[::127.0.0.1]:1", "[::ffff:10.0.0.1]", "[::ffff:0:127.0.0.1]:1", "[64:ff9b::7f00:1]:1", "[2002:7f00:1::]:1"),
)
LINK_LOCAL = ("169.254.169.254", "2852039166", "[fe80::1]", "[::ffff:169.254.169.254]", "[64:ff9b::a9fe:a9fe]", "[2002:a9fe:a9fe::1]")


def test_no_spelling_of_a_private_address_is_connected_to_though_links_to_it_are_followed(crawler: Crawler) -> None:
    names = [host.rsplit(":", 1)[0] if host[-2] == ":" else host for host in PRIVATE]
    crawler.portal.script["/list"] = Reply("".join(f"http://{host}/{number}\n" for number, host in enumerate(PRIVATE)), kind="text/plain")
    crawler.rules = f"archive: {{url: HOME/list, format: urls, urls: {{hosts: {json.dumps(names)}}}}}\n"
    crawler.crawl("--contact", "anna@pelda.example")
    assert list(crawler.outcomes.values()) == ["refused"] * len(PRIVATE), crawler.said


def test_addresses_of_the_own_link_where_clouds_keep_secrets_are_not_asked_though_the_file_opens_them(crawler: Crawler) -> None:
    crawler.fetch = f"fetch: {{delay: 0s, retries: 0, timeout: 2s, private_hosts: {json.dumps(LINK_LOCAL)}}}\n"
    columns = "".join(f"  c{number}: {{url: 'http://{host}/l', pages: none}}\n" for number, host in enumerate(LINK_LOCAL))
    crawler.rules = f"archive: {{item: li.t}}\ncolumns:\n{columns}"
    crawler.crawl("--contact", "anna@pelda.example")
    reasons = {gap["column"]: gap["reason"] for gap in crawler.status()["gaps"]}
    assert {host: reasons[f"c{number}"] for number, host in enumerate(LINK_LOCAL) if "private" not in reasons[f"c{number}"]} == {}
