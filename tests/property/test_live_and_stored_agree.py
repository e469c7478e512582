"""Whatever a server sends: what a crawl says of an answer is what everybody reads in its WARC file later."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from any_message import messages
from hypothesis import example, given, settings
from hypothesis import strategies as st
from loopback import Loopback

from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.fetch.web import Web
from webarticlecurator.http.message import Framing, parse_response
from webarticlecurator.model.capture import Exchange, Fetched, Request
from webarticlecurator.warc.check import Checker
from webarticlecurator.warc.check_rules import Severity
from webarticlecurator.warc.source import WarcSource
from webarticlecurator.warc.store import Series, WarcStore
from webarticlecurator.warc.warcinfo import WarcInfo
from webarticlecurator.warc.writer import StoreEntry

INFO = WarcInfo(portal="pelda", software="curator 1.0", sources=())


@pytest.fixture(scope="module")
def server() -> Iterator[Loopback]:
    with closing(Loopback()) as loopback:
        yield loopback


@pytest.fixture(scope="module")
def web(server: Loopback) -> Iterator[Web]:
    rules = FetchRules(delay=timedelta(0), timeout=timedelta(seconds=5), retries=0, private_hosts=("127.0.0.1",))
    with closing(Web(rules, hosts=frozenset({"127.0.0.1"}))) as web:
        yield web


def ask(server: Loopback, web: Web, message: bytes, cut: int) -> Fetched:
    def say(connection: socket.socket) -> None:
        connection.sendall(message[:cut])
        connection.sendall(message[cut:])

    server.answers["/a"] = say
    return web.fetch(Request(url=f"{server.url}/a"))


def store(folder: Path, exchanges: tuple[Exchange, ...]) -> list[Path]:
    store = WarcStore(folder, "pelda", info=INFO, sync=lambda _: None)
    store.append(Series.ARTICLES, [StoreEntry(event={}, target=exchange.request.url, exchange=exchange) for exchange in exchanges])
    store.close()
    return list(folder.iterdir())


def complaints(paths: list[Path]) -> list[str]:
    with closing(Checker(datetime.now(UTC))) as checker:
        return [str(finding) for finding in checker.check(paths) if finding.severity is Severity.ERROR]


@settings(max_examples=400, deadline=None)
@given(messages(), st.integers(0, 60))
@example(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n 5\r\nhello\r\n0\r\n\r\n", 0)
@example(b"HTTP/1.1 200 OK\r\nContent-Type : x/y\r\nContent-Length : 5\r\n\r\nhello", 0)
@example(b"HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip, chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n", 0)
@example(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello\r\n", 0)
@example(b"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello, and more", 0)
def test_status_headers_entity_and_damage_are_the_same(server: Loopback, web: Web, message: bytes, cut: int) -> None:
    fetched = ask(server, web, message, cut)
    (exchange,) = fetched.exchanges
    stored = parse_response(exchange.response_bytes or b"")
    if stored is None:
        assert (exchange.status, exchange.headers, exchange.entity, fetched.capture) == (None, (), b"", None)
        assert exchange.error
        return
    assert (exchange.status, exchange.headers, exchange.entity) == (stored.status, stored.headers, stored.entity)
    if stored.framing is not Framing.WHOLE:
        assert exchange.error
        assert fetched.capture is None
    if exchange.error is None:
        assert stored.fault is None
    with TemporaryDirectory() as folder:
        assert complaints(store(Path(folder) / "warc", fetched.exchanges)) == []


@pytest.mark.parametrize("location", [b"/\xc5\x91szi", b"/%C5%91szi", b"/\xfaj"])
def test_a_redirect_leads_to_the_same_page_live_and_stored(server: Loopback, web: Web, tmp_path: Path, location: bytes) -> None:
    page = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 5\r\n\r\nhello"
    server.answers |= {"/%C5%91szi": page, "/%C3%BAj": page}
    server.answers["/r"] = b"HTTP/1.1 302 Found\r\nLocation: " + location + b"\r\nContent-Length: 0\r\n\r\n"
    live = web.fetch(Request(url=f"{server.url}/r"))
    with closing(WarcSource(store(tmp_path / "warc", live.exchanges))) as source:
        stored = source.fetch(Request(url=f"{server.url}/r"))
    assert live.capture is not None and stored.capture is not None
    assert (stored.capture.url, stored.capture.entity) == (live.capture.url, live.capture.entity)
