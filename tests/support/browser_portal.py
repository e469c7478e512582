"""A portal on loopback that a browser shows: as far as anybody can tell it is a public one, so that loopback itself stays closed."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from typing import Any

from loopback import Loopback

from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.fetch.browser.limits import BrowserLimits
from webarticlecurator.fetch.browser.source import BrowserSource
from webarticlecurator.fetch.web import Web
from webarticlecurator.model.capture import Fetched, Request
from webarticlecurator.model.rendering import Rendering

HOST = "portal.example"
PUBLIC = "93.184.216.34"


def answer(body: str | bytes, kind: str = "text/html; charset=utf-8", *lines: str, status: str = "200 OK") -> bytes:
    """A whole response."""
    content = body.encode() if isinstance(body, str) else body
    head = [f"HTTP/1.1 {status}", f"Content-Type: {kind}", *lines, f"Content-Length: {len(content)}", "", ""]
    return "\r\n".join(head).encode() + content


class BrowserPortal:
    """The portal, and who asks it."""

    def __init__(self, limits: BrowserLimits | None = None, **rules: Any) -> None:
        self.server = Loopback()
        self.said: list[str] = []
        self.stop = threading.Event()
        settings: dict[str, Any] = {"delay": timedelta(0), "timeout": timedelta(seconds=5), "retries": 0, "concurrency": 4} | rules
        self.web = Web(FetchRules(**settings), hosts=frozenset({HOST}), resolve=_resolve, connect=self._connect)
        self.source = BrowserSource(
            self.web,
            may_follow=lambda url: None if f"//{HOST}/" in url else "other host",
            stop=self.stop,
            say=self.said.append,
            limits=limits,
        )

    def page(self, path: str, body: str, *lines: str) -> None:
        """What the portal answers."""
        self.server.answers[path] = answer(body, "text/html; charset=utf-8", *lines)

    def give(self, path: str, body: str | bytes, kind: str = "application/json", *lines: str) -> None:
        self.server.answers[path] = answer(body, kind, *lines)

    def show(self, path: str, *, step: int = 0, **rendering: Any) -> Fetched:
        """The page as the browser shows it."""
        return self.source.fetch(Request(url=f"http://{HOST}{path}", rendering=Rendering(**rendering), step=step))

    def html(self, path: str, **rendering: Any) -> str:
        """The same, as text."""
        fetched = self.show(path, **rendering)
        assert fetched.capture is not None, fetched.verdict
        return fetched.capture.entity.decode()

    def close(self) -> None:
        self.source.close()
        self.web.close()
        self.server.close()

    def _connect(self, row: Any, timeout: float) -> socket.socket:
        assert row[4][0] == PUBLIC
        return socket.create_connection(("127.0.0.1", self.server.port), timeout)


def _resolve(host: str, port: int) -> list[Any]:
    address = PUBLIC if host.endswith(".example") else host
    return socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)


class Canary:
    """A port of this machine, TCP and UDP, that counts whoever comes."""

    def __init__(self) -> None:
        self.came: list[str] = []
        self._tcp = socket.create_server(("127.0.0.1", 0), backlog=50)
        self.port = self._tcp.getsockname()[1]
        self._udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._udp.bind(("127.0.0.1", self.port))
        for watch in (self._watch_tcp, self._watch_udp):
            threading.Thread(target=watch, daemon=True).start()

    def _watch_tcp(self) -> None:
        while True:
            try:
                connection, _ = self._tcp.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(0.5)
                try:
                    said = connection.recv(200)
                except OSError:
                    said = b""
            self.came.append(f"tcp {said!r}")

    def _watch_udp(self) -> None:
        while True:
            try:
                said, _ = self._udp.recvfrom(2000)
            except OSError:
                return
            self.came.append(f"udp {said[:50]!r}")

    def close(self) -> None:
        for one in (self._tcp, self._udp):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()


@contextmanager
def canary() -> Iterator[Canary]:
    made = Canary()
    try:
        yield made
    finally:
        made.close()
