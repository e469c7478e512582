"""What `curator warc cat` shows of one response, and where it writes it."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from webarticlecurator.cli import console
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.stored_pages import LedgerSource
from webarticlecurator.errors import CorpusError, UsageError
from webarticlecurator.http.codings import codings_of, unpack
from webarticlecurator.http.message import HttpResponse, header, parse_response
from webarticlecurator.model.capture import Request
from webarticlecurator.urls import normalise, split
from webarticlecurator.warc.records import MAX_BLOCK, Damage, read_record
from webarticlecurator.warc.source import WarcSource
from webarticlecurator.warc.store import warc_paths

_EXTENSIONS = {
    "text/html": "html", "application/xhtml+xml": "html", "application/json": "json", "text/plain": "txt",
    "application/xml": "xml", "text/xml": "xml", "application/rss+xml": "xml", "image/jpeg": "jpg", "image/png": "png",
    "application/pdf": "pdf",
}  # fmt: skip
_UNSAFE = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True, slots=True)
class FoundBlock:
    """One record's block, and whose it is."""

    name: str
    block: bytes
    rendered: bytes | None = None
    """What a browser made of it."""


def find(places: Sequence[Path], wanted: Sequence[str], on_damage: Callable[[Damage], None]) -> Iterator[tuple[str, FoundBlock | None]]:
    """Each wanted URL or offset with what was found. Files are read for what no ledger knows: robots.txt, redirects, failed attempts."""
    corpus = Corpus(places[0]) if len(places) == 1 else None
    paths = warc_paths(places)
    with ExitStack() as opened:
        ledger = opened.enter_context(closing(LedgerSource(corpus))) if corpus is not None and corpus.ledger.is_file() else None
        files: WarcSource | None = None
        for name in wanted:
            if name.isdigit():
                if len(paths) != 1:
                    raise UsageError("A byte offset needs exactly one WARC file.")
                record = read_record(paths[0], int(name))
                yield name, FoundBlock(record.url or name, record.block)
                continue
            stored = None
            with suppress(CorpusError):  # where the ledger is wrong the files may tell more
                stored = ledger.newest(Request(url=name)) if ledger is not None else None
            if stored is None or stored.exchange is None or normalise(stored.capture.url) != normalise(name):
                files = files or opened.enter_context(closing(WarcSource(paths, on_damage=on_damage)))
                stored = files.newest(Request(url=name))
            if stored is None:
                yield name, None
                continue
            received = stored.exchange.response_bytes if stored.exchange is not None else None
            yield name, FoundBlock(stored.capture.url, received or b"", stored.rendered.html if stored.rendered is not None else None)


def output(found: FoundBlock, part: str, folder: Path | None) -> None:
    """To stdout, or into a file whose name is told. `part`: "headers", "payload", "rendered", or all of what came."""
    http = parse_response(found.block)
    content, extension = found.block, "http"
    if part == "rendered":
        if found.rendered is None:
            console.complain(f"{found.name}: no browser has shown this page; without --rendered there is what the server sent.")
            return
        content, extension = found.rendered, "rendered.html"
    elif part == "headers":
        content, extension = found.block[: http.head_size if http else None], "headers.txt"
    elif part == "payload":
        kind = (header(http.headers, "content-type") or "" if http else "").partition(";")[0].strip().lower()
        content, extension = _page(found.name, http) if http else found.block, _EXTENSIONS.get(kind, "bin")
    if folder is None:
        sys.stdout.buffer.write(content)
        sys.stdout.buffer.flush()
        return
    folder.mkdir(parents=True, exist_ok=True)
    # Safe on every file system: the end of the URL's path, and a digest that keeps alike ones apart.
    slug = _UNSAFE.sub("-", split(found.name).path.lower()).strip("-")[-60:].strip("-") or "page"
    path = folder / f"{slug}-{sha256(found.name.encode('utf-8', 'replace')).hexdigest()[:10]}.{extension}"
    path.write_bytes(content)
    console.data(f"{path}\t{found.name}")


def _page(name: str, http: HttpResponse) -> bytes:
    """The body, unpacked as far as we can."""
    declared = header(http.headers, "content-encoding")
    codings = codings_of(declared)
    if not codings:
        if declared and declared.lower() != "identity":
            console.say(f"{name}: still packed as {declared}.")
        return http.entity
    unpacked = unpack(http.entity, codings, MAX_BLOCK, keep=True)
    if unpacked.too_big:
        console.complain(f"{name}: only the first {MAX_BLOCK >> 20} MB of the unpacked body are shown.")
    return unpacked.data
