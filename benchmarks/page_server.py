"""A portal on loopback in a process of its own, so that what serving costs is in nobody's account.

It has so many archive pages (`/archive/1` ...) with so many links each, and the articles that they link to. Pages of real news
sites are served where they lie beside the checkout (`../shared/data/extraction`), else pages of the example portal that are as heavy.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import islice
from types import TracebackType
from typing import Self
from urllib.request import urlopen

from heavy_pages import REAL_PAGES, generated_pages, heavy_pages, said_of
from results import script_parser
from truths import ROOT

MOST_PAGES = 300
"""Different pages; they are served in turn, each with its number in it, so that no two articles are alike."""
_ITEM = '<article class="listed"><h2><a href="/article/{number}">Article {number}</a></h2></article>\n'
_PATH = re.compile(rb"[A-Z]+ /(archive|article)/(\d+)")


def pages_to_serve() -> tuple[list[bytes], str]:
    """And what they are; none whose `base` would lead our links elsewhere."""
    files = sorted(REAL_PAGES.glob("*/pages/*.html.gz"), key=lambda path: path.name)
    pages = list(islice((page for page in heavy_pages(files) if b"<base" not in page.lower()), MOST_PAGES))
    if pages:
        return pages, said_of(pages, "pages of real news sites")
    pages = generated_pages()
    return pages, f"{said_of(pages, 'generated pages')} (no real ones at hand)"


@dataclass(slots=True)
class _Log:
    """When pages were asked for."""

    lock: threading.Lock = field(default_factory=threading.Lock)
    asked: dict[str, list[float]] = field(default_factory=lambda: {"archive": [], "article": []})
    other: int = 0
    sent: int = 0


class _Server:
    def __init__(self, pages: Sequence[bytes], archive_pages: int, links: int, charset: str | None, latency: float) -> None:
        self._pages = pages
        self._archive_pages = archive_pages
        self._links = links
        self._kind = "text/html" + (f"; charset={charset}" if charset else "")
        self._latency = latency
        self._log = _Log()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = int(self._listener.getsockname()[1])

    def serve(self) -> None:
        while True:
            connection, _ = self._listener.accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self._converse, args=(connection,), daemon=True).start()

    def _converse(self, connection: socket.socket) -> None:
        while head := connection.recv(65_536):
            found = _PATH.match(head)
            if found is not None:
                body = self._page(found[1].decode(), int(found[2]))
                status, kind = (b"200 OK", self._kind) if body else (b"404 Not Found", self._kind)
            elif head.startswith(b"GET /asked"):
                status, kind, body = b"200 OK", "application/json", json.dumps(self._told()).encode()
            else:
                self._log.other += 1
                status, kind, body = b"404 Not Found", "text/plain", b"nothing here"
            answer = b"HTTP/1.1 %b\r\nContent-Type: %b\r\nContent-Length: %d\r\n\r\n" % (status, kind.encode(), len(body))
            connection.sendall(answer + body)

    def _page(self, kind: str, number: int) -> bytes:
        with self._log.lock:
            self._log.asked[kind].append(time.monotonic())
        if self._latency:
            time.sleep(self._latency)
        body = self._listing(number) if kind == "archive" else self._pages[number % len(self._pages)] + b"<!-- %d -->\n" % number
        with self._log.lock:
            self._log.sent += len(body)
        return body

    def _listing(self, page: int) -> bytes:
        first = (page - 1) * self._links
        numbers = range(first, first + self._links) if 1 <= page <= self._archive_pages else range(0)
        items = "".join(_ITEM.format(number=number) for number in numbers)
        frame = self._pages[page % len(self._pages)]
        at = max(frame.rfind(b"</body>"), 0) or len(frame)
        return frame[:at] + f'<section id="listing">\n{items}</section>\n'.encode() + frame[at:]

    def _told(self) -> dict[str, object]:
        with self._log.lock:
            told = {"asked": self._log.asked, "other": self._log.other, "sent": self._log.sent}
            self._log = _Log(lock=self._log.lock)
        return told


@dataclass(frozen=True, slots=True)
class Asked:
    """What a server was asked since it was last looked at."""

    archive: tuple[float, ...]
    """The moments, in seconds of a monotonic clock."""
    article: tuple[float, ...]
    other: int
    """robots.txt and the like."""
    sent: int
    """Bytes of pages."""

    @property
    def pages(self) -> tuple[float, ...]:
        return tuple(sorted((*self.archive, *self.article)))


class PageServer:
    """The server's process, seen from outside."""

    def __init__(self, *, archive_pages: int, links: int, charset: str | None = "utf-8", latency: float = 0.0, light: bool = False) -> None:
        command = [sys.executable, __file__, str(archive_pages), str(links), str(latency), charset or "-", "light" if light else "heavy"]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONPATH": str(ROOT)})
        assert self._process.stdout is not None
        told = json.loads(self._process.stdout.readline() or '{"port": 0, "pages": "it could not start"}')
        self.pages = str(told["pages"])
        """What the articles are."""
        self.url = f"http://127.0.0.1:{told['port']}"
        self.archive_pages = archive_pages

    def asked(self) -> Asked:
        """What was asked since this was last called."""
        with urlopen(f"{self.url}/asked") as answer:
            told = json.load(answer)
        return Asked(tuple(told["asked"]["archive"]), tuple(told["asked"]["article"]), told["other"], told["sent"])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._process.terminate()
        self._process.wait()


def main() -> None:
    parser = script_parser(__doc__)
    parser.add_argument("archive_pages", type=int)
    parser.add_argument("links", type=int, help="links on an archive page")
    parser.add_argument("latency", type=float, help="seconds before each answer")
    parser.add_argument("charset", help="what Content-Type declares; - for nothing")
    parser.add_argument("weight", choices=("heavy", "light"), help="light: pages of a few hundred bytes")
    asked = parser.parse_args()
    pages, said = ([b"<html><body><p>Short.</p></body></html>\n"], "light pages") if asked.weight == "light" else pages_to_serve()
    server = _Server(pages, asked.archive_pages, asked.links, None if asked.charset == "-" else asked.charset, asked.latency)
    print(json.dumps({"port": server.port, "pages": said}), flush=True)
    server.serve()


if __name__ == "__main__":
    main()
