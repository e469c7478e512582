"""WARC files as other programs see them: read by warcio, taken apart and put together record by record."""

from __future__ import annotations

import gzip
import re
from base64 import b32encode
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha1
from io import BytesIO
from pathlib import Path

from warcio.archiveiterator import ArchiveIterator
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

DATE = "2019-08-17T18:15:15Z"
HTML = "text/html; charset=utf-8"
Page = tuple[str, str, str]
"""URL, status line, body."""


@dataclass(frozen=True, slots=True)
class StoredRecord:
    """One record of a file whose records are gzip members of their own."""

    fields: tuple[tuple[str, str], ...]
    block: bytes
    member: bytes
    offset: int

    def all(self, name: str) -> list[str]:
        return [value for field, value in self.fields if field == name]

    def __getitem__(self, name: str) -> str | None:
        return next(iter(self.all(name)), None)

    @property
    def type(self) -> str:
        return self["WARC-Type"] or ""

    @property
    def url(self) -> str:
        return self["WARC-Target-URI"] or ""

    @property
    def body(self) -> bytes:
        """Without the head of the message."""
        return self.block.partition(b"\r\n\r\n")[2]


def records(path: Path) -> list[StoredRecord]:
    """All records, as warcio finds them."""
    content, found = path.read_bytes(), []
    with path.open("rb") as file:
        reader = ArchiveIterator(file, no_record_parse=True)
        for record in reader:
            block = record.raw_stream.read()
            start, length = reader.get_record_offset(), reader.get_record_length()
            found.append(StoredRecord(tuple(record.rec_headers.headers), block, content[start : start + length], start))
    return found


def digest(content: bytes) -> str:
    """As WARC files name it."""
    return f"sha1:{b32encode(sha1(content).digest()).decode()}"


def pack(*records: bytes) -> bytes:
    """A gzip member for each record."""
    return b"".join(gzip.compress(record, mtime=0) for record in records)


def write_again(path: Path, members: Iterable[bytes]) -> None:
    path.write_bytes(b"".join(members))


def edit(path: Path, place: int, *changes: tuple[bytes, bytes]) -> None:
    """Change what a record says; its length stays true, its digests do not."""
    stored = records(path)
    head, _, rest = gzip.decompress(stored[place].member).partition(b"\r\n\r\n")
    head, block = head + b"\r\n\r\n", rest.removesuffix(b"\r\n\r\n")
    for old, new in changes:
        assert re.search(old, head + block), f"{old!r} is not in the record"
        head, block = re.sub(old, new, head), re.sub(old, new, block)
    head = re.sub(rb"Content-Length: \d+", b"Content-Length: %d" % len(block), head, count=1)
    members = [record.member for record in stored]
    write_again(path, [*members[:place], pack(head + block + b"\r\n\r\n"), *members[place + 1 :]])


def warc_record(
    kind: str, block: bytes, url: str = "http://a.example/", *, number: int = 1, date: str = "2019-08-17T18:15:15Z", **more: str
) -> bytes:
    """A record by hand; `WARC_Name` stands for `WARC-Name`."""
    fields: Mapping[str, object] = {
        "WARC-Type": kind,
        "WARC-Record-ID": f"<urn:x:{kind}-{number}>",
        "WARC-Date": date,
        "WARC-Target-URI": url,
        **{name.replace("_", "-"): value for name, value in more.items()},
        "Content-Length": len(block),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in fields.items())
    return f"WARC/1.0\r\n{head}\r\n".encode() + block + b"\r\n\r\n"


def foreign(path: Path, pages: Iterable[Page], *, packed: bool = True, date: str = "2019-03-04T05:06:07Z", kind: str = HTML) -> Path:
    """A WARC file as another program writes it: no events, no requests."""
    with path.open("wb") as file:
        writer = WARCWriter(file, gzip=packed, warc_version="1.0")
        writer.write_record(writer.create_warcinfo_record(path.name, {"software": "another crawler"}))
        for url, status, body in pages:
            _write(writer, url, body.encode(), status=status, date=date, kind=kind)
    return path


def write_warc(
    path: Path,
    pages: Mapping[str, str | bytes],
    *,
    kind: str = HTML,
    status: str = "200 OK",
    date: str = "2024-06-01T00:00:00Z",
    headers: Iterable[tuple[str, str]] = (),
    more: bool = False,
) -> Path:
    """URL -> what was answered. `headers`: others than usual; `more`: behind what is in the file."""
    with path.open("ab" if more else "wb") as file:
        for url, page in pages.items():
            body = page.encode("utf-8", "surrogatepass") if isinstance(page, str) else page
            _write(WARCWriter(file, gzip=path.suffix == ".gz"), url, body, status=status, date=date, kind=kind, headers=headers)
    return path


def _write(
    writer: WARCWriter, url: str, body: bytes, *, status: str, date: str, kind: str, headers: Iterable[tuple[str, str]] = ()
) -> None:
    fields = [*([("Content-Type", kind)] if kind else []), ("Content-Length", str(len(body))), *headers]
    head = StatusAndHeaders(status, fields, protocol="HTTP/1.1")
    told = {"payload": BytesIO(body), "http_headers": head, "warc_headers_dict": {"WARC-Date": date}}
    writer.write_record(writer.create_warc_record(url, "response", **told))
