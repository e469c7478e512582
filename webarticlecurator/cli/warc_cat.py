"""What `curator warc cat` shows of one response, and where it writes it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256
from pathlib import Path

from webarticlecurator.cli import console
from webarticlecurator.errors import UsageError
from webarticlecurator.http.codings import codings_of, unpack
from webarticlecurator.http.message import HttpResponse, header, parse_response
from webarticlecurator.model.capture import Request
from webarticlecurator.urls import split
from webarticlecurator.warc.foreign import read_any_record
from webarticlecurator.warc.records import MAX_BLOCK, Damage
from webarticlecurator.warc.source import WarcSource

_EXTENSIONS = {
    "text/html": "html", "application/xhtml+xml": "html", "application/json": "json", "text/plain": "txt",
    "application/xml": "xml", "text/xml": "xml", "application/rss+xml": "xml", "image/jpeg": "jpg", "image/png": "png",
    "application/pdf": "pdf",
}  # fmt: skip
_UNSAFE = re.compile(r"[^a-z0-9]+")


class ResponsePart(StrEnum):
    """What of a response."""

    WHOLE = "response"
    HEADERS = "headers"
    PAYLOAD = "payload"
    RENDERED = "rendered"


_EXTENSION_OF = {ResponsePart.WHOLE: "http", ResponsePart.HEADERS: "headers.txt", ResponsePart.RENDERED: "rendered.html"}


@dataclass(frozen=True, slots=True)
class FoundBlock:
    """One record's block, and whose it is."""

    name: str
    block: bytes
    rendered: bytes | None = None
    """What a browser made of it."""


def find(paths: Sequence[Path], wanted: Sequence[str], on_damage: Callable[[Damage], None]) -> Iterator[tuple[str, FoundBlock | None]]:
    """Each wanted URL or offset with what was found."""
    by_offset = all(name.isdigit() for name in wanted)
    with closing(WarcSource(() if by_offset else paths, on_damage=on_damage)) as source:
        for name in wanted:
            yield name, _at(paths, int(name)) if name.isdigit() else _newest(source, name)


def _newest(source: WarcSource, url: str) -> FoundBlock | None:
    found = source.newest(Request(url=url))
    if found is None:
        return None
    received = found.exchange.response_bytes if found.exchange is not None else None
    return FoundBlock(found.capture.url, received or b"", found.rendered.html if found.rendered is not None else None)


def _at(paths: Sequence[Path], offset: int) -> FoundBlock:
    if len(paths) != 1:
        raise UsageError("A byte offset needs exactly one WARC file.")
    record = read_any_record(paths[0], offset)
    return FoundBlock(record.url or str(offset), record.block)


def output(found: FoundBlock, part: ResponsePart, folder: Path | None) -> None:
    """To stdout, or into a file whose name is told."""
    http = parse_response(found.block)
    if part is ResponsePart.RENDERED and found.rendered is None:
        console.complain(f"{found.name}: no browser has shown this page; without --rendered there is what the server sent.")
        return
    content = _content(found, http, part)
    if folder is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / _file_name(found.name, http, part)
    path.write_bytes(content)
    console.data(f"{path}\t{found.name}")


def _content(found: FoundBlock, http: HttpResponse | None, part: ResponsePart) -> bytes:
    if part is ResponsePart.RENDERED and found.rendered is not None:
        return found.rendered
    if part is ResponsePart.WHOLE or http is None:
        return found.block
    if part is ResponsePart.HEADERS:
        return found.block[: http.head_size]
    declared = header(http.headers, "content-encoding")
    codings = codings_of(declared)
    if not codings:
        if declared and declared.lower() != "identity":
            console.say(f"{found.name}: still packed as {declared}.")
        return http.entity
    unpacked = unpack(http.entity, codings, MAX_BLOCK, keep=True)
    if unpacked.too_big:
        console.complain(f"{found.name}: only the first {MAX_BLOCK >> 20} MB of the unpacked body are shown.")
    return unpacked.data


def _file_name(name: str, http: HttpResponse | None, part: ResponsePart) -> str:
    """Safe on every file system: the end of the URL's path, and a digest that keeps alike ones apart."""
    slug = _UNSAFE.sub("-", split(name).path.lower()).strip("-")[-60:].strip("-") or "page"
    digest = sha256(name.encode("utf-8", "replace")).hexdigest()[:10]
    kind = (header(http.headers, "content-type") or "" if http else "").partition(";")[0].strip().lower()
    payload = _EXTENSIONS.get(kind, "bin")
    extension = {**_EXTENSION_OF, ResponsePart.PAYLOAD: payload}[part]
    return f"{slug}-{digest}.{extension}"
