"""A corpus in which everything stands that can happen to a request; a site that answers with the very bytes that it is told to."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest
from loopback import Loopback
from seams import main
from warc_records import StoredRecord, records

SECRET = "hush-hush"
PAGE = "<html><body><h1>Árvíz</h1><p>Szöveg.</p></body></html>\r\n".encode()
ROBOTS = b"User-agent: *\nDisallow: /c/forbidden\n"


def http(body: bytes = PAGE, status: str = "200 OK", *fields: str, length: int | None = None) -> bytes:
    """An answer; a length that is not that of the body is that of a server that lies."""
    lines = [f"HTTP/1.1 {status}", "Content-Type: text/html; charset=utf-8", *fields]
    if not any(field.startswith("Transfer-Encoding") for field in fields):
        lines.append(f"Content-Length: {len(body) if length is None else length}")
    return "\r\n".join([*lines, "", ""]).encode() + body


CHUNKS = b"5\r\n<p>Sz\r\n6;x=y\r\nia</p>\r\n0\r\n\r\n"
ANSWERS = {
    "/robots.txt": http(ROBOTS),
    "/c/page": http(),
    "/c/chunked": http(CHUNKS, "200 OK", "Transfer-Encoding: chunked", "X-Odd :  blanks  "),
    "/c/packed": http(gzip.compress(PAGE), "200 OK", "Content-Encoding: gzip"),
    "/c/moved": http(b"", "302 Found", "Location: /c/there"),
    "/c/there": http(PAGE + b"there"),
    "/c/cut": http(PAGE, "200 OK", "Connection: close", length=9_999),
    "/c/odd": b"\x15\x03\x01 no HTTP at all\r\n\r\n",
    "/c/gone": http(b"<p>gone", "404 Not Found"),
    "/c/dated": http(PAGE + b"dated", "200 OK", 'ETag: "1"'),
    "/c/silent": lambda _: None,
}
"""What the site says, to the last byte."""
LISTED = (*(path for path in ANSWERS if path.startswith("/c/") and path != "/c/there"), "/c/forbidden")


@dataclass(frozen=True, slots=True)
class Stored:
    """A corpus that is looked into as a folder of files."""

    folder: Path
    rules: Path
    home: str
    asked: tuple[bytes, ...] = ()

    @property
    def files(self) -> list[Path]:
        return sorted((self.folder / "warc").iterdir())

    def exchange(self, path: str, *, last: bool = False) -> list[StoredRecord]:
        """The records of the first (or last) exchange about this path, in their order."""
        about = [record for file in self.files for record in records(file) if record.url == f"{self.home}{path}"]
        ends = [place for place, record in enumerate(about) if record.type == "metadata"]
        if last:
            return about[ends[-2] + 1 if len(ends) > 1 else 0 :]
        return about[: ends[0] + 1]


@contextmanager
def whole_corpus(folder: Path) -> Iterator[Stored]:
    """Crawled twice: the second time what is there is asked for again, and nothing of it has changed."""
    with closing(Loopback()) as site, pytest.MonkeyPatch.context() as environment:
        environment.setenv("CURATOR_COOKIE", SECRET)
        links = "".join(f"<h2><a href='{path}'>{path}</a></h2>" for path in LISTED)
        site.answers.update(ANSWERS)
        site.answers["/lista"] = http(links.encode())
        rules = folder / "portal.yaml"
        rules.write_text(
            f"portal: pelda\nhome: {site.url}/\ntimezone: Europe/Budapest\n"
            "fetch: {delay: 0s, retries: 0, timeout: 5s, headers: {Cookie: {env: CURATOR_COOKIE}}}\n"
            f"archive: {{url: '{site.url}/lista', pages: none, link: h2 a}}\n",
            encoding="utf-8",
        )
        crawl = ("crawl", str(rules), "--corpus", str(folder / "corpus"), "--contact", "mailto:anna@egyetem.example", "--quiet")
        main(list(crawl))
        site.answers["/c/dated"] = b'HTTP/1.1 304 Not Modified\r\nETag: "1"\r\n\r\n'
        main([*crawl, "--articles-only", "--recheck", "30d"])
        yield Stored(folder / "corpus", rules, site.url, tuple(site.requests))
