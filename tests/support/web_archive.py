"""A web archive on loopback: an index server as Wayback has one, or as Common Crawl has, a replay, and WARC files by ranges."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import parse_qs, urlsplit

from scripted_portal import Reply, serving
from warc_records import warc_record

FILE = "crawl-data/CC-MAIN-2024-10/warc/00000.warc.gz"


class Archived(NamedTuple):
    """A capture."""

    url: str
    stamp: str
    mime: str = "text/html"
    status: str = "200"
    digest: str = ""
    body: str = ""

    @property
    def key(self) -> str:
        return f"com,pelda){self.url.partition('//')[2].partition('/')[2].lower()}"


def cdx(*captures: Archived, header: str = " CDX N b a m s k r M S V g") -> str:
    """A file as indexers write it."""
    lines = (f"{c.key} {c.stamp} {c.url} {c.mime} {c.status} {c.digest or c.key} - - 100 0 a.warc.gz" for c in captures)
    return "\n".join([header, *lines, ""])


def cdxj(*captures: Archived) -> str:
    told = ({"url": c.url, "mime": c.mime, "status": c.status, "digest": c.digest or c.key} for c in captures)
    return "".join(f"{c.key} {c.stamp} {json.dumps(fields)}\n" for c, fields in zip(captures, told, strict=True))


@dataclass(slots=True)
class WebArchive:
    captures: list[Archived]
    numbered: bool = False
    """Pages are asked for by number, and lie in WARC files: Common Crawl. Else by resume keys, and are replayed: Wayback."""
    page: int = 3
    """Lines a page, however many are asked for."""
    address: str = ""
    asked: list[str] = field(default_factory=list)
    trouble: dict[int, tuple[int, dict[str, str], bytes]] = field(default_factory=dict)
    """Number of a request (the first is 1) -> what is answered in place of the truth."""
    endless: bool = False
    warc: bytes = b""

    def answer(self, path: str, wanted: str) -> tuple[int, dict[str, str], bytes]:
        if path == "/robots.txt" or path.startswith("/.well-known/"):
            return 404, {}, b""
        self.asked.append(path)
        if (lie := self.trouble.get(len(self.asked))) is not None:
            return lie
        parts = urlsplit(path)
        if parts.path == "/cdx":
            return self._index({name: values[-1] for name, values in parse_qs(parts.query).items()})
        if path == f"/{FILE}":
            begin, end = map(int, wanted.removeprefix("bytes=").split("-"))
            return 206, {"Content-Type": "application/octet-stream"}, self.warc[begin : end + 1]
        _, stamp, url = path.split("/", 2)
        for capture in self.captures:
            if (f"{capture.stamp}id_", capture.url) == (stamp, url):
                head = {
                    "Content-Type": "text/html",
                    "X-Archive-Orig-Content-Type": "text/html; charset=utf-8",
                    "X-Archive-Orig-Server": "old",
                }
                return 200, head, capture.body.encode()
        return 404, {}, b"not archived"

    def _index(self, asked: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
        if asked.get("showNumPages"):
            pages = -(-len(self.captures) // self.page)
            return 200, {}, (json.dumps({"pages": pages, "pageSize": 5}) if self.numbered else str(pages)).encode()
        begin = int(asked["page"]) * self.page if self.numbered else int(asked.get("resumeKey") or 0)
        shown = self.captures[begin : begin + self.page]
        if self.numbered:
            return 200, {}, self._lines(shown)
        lines = [f"{c.key} {c.stamp} {c.url} {c.mime} {c.status} {c.digest or c.key} 100\n" for c in shown]
        if self.endless or begin + self.page < len(self.captures):
            lines += ["\n", f"{0 if self.endless else begin + self.page}\n"]
        return 200, {}, "".join(lines).encode()

    def _lines(self, captures: list[Archived]) -> bytes:
        lines = []
        for c in captures:
            block = f"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nServer: old\r\n\r\n{c.body}".encode()
            date = f"{c.stamp[:4]}-{c.stamp[4:6]}-{c.stamp[6:8]}T{c.stamp[8:10]}:{c.stamp[10:12]}:{c.stamp[12:]}Z"
            more = {"Content_Type": "application/http; msgtype=response"}
            record = gzip.compress(warc_record("response", block, c.url, date=date, **more))
            place = {"filename": FILE, "offset": str(len(self.warc)), "length": str(len(record))}
            self.warc += record
            told = {"urlkey": c.key, "timestamp": c.stamp, "url": c.url, "mime": c.mime, "status": c.status, "digest": c.digest or c.key}
            lines.append(json.dumps({**told, **place}))
        return "".join(f"{line}\n" for line in lines).encode()


@contextmanager
def web_archive(captures: list[Archived], **how: Any) -> Iterator[WebArchive]:
    """Serves while the block runs."""
    archive = WebArchive(captures, **how)

    def answer(path: str, _: str, headers: Mapping[str, str]) -> Reply:
        status, told, body = archive.answer(path, headers.get("Range", ""))
        return Reply(body, status, told, kind="text/plain")

    with serving(answer) as home:
        archive.address = f"{home}/"
        yield archive
