"""Which pages a person names: by addresses, files, folders, WARC files of any program, and by what comes from
stdin."""

from __future__ import annotations

import shutil
import sys
import zlib
from collections.abc import Callable, Iterable, Iterator
from os import SEEK_END
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zipfile import BadZipFile, ZipFile

from webarticlecurator.cli.command import address
from webarticlecurator.errors import UsageError
from webarticlecurator.model.capture import Capture
from webarticlecurator.protocol.message import mime_of
from webarticlecurator.storage.places import is_file, is_folder, open_file
from webarticlecurator.urls import is_http
from webarticlecurator.warc.records import Damage

STDIN = "stdin"
"""The name of what came from there."""
PAGES = (".html", ".htm", ".xhtml", ".html.gz", ".htm.gz", ".xhtml.gz")
"""Ends of the names of pages, which are looked for in folders."""
ARCHIVES = (".warc", ".warc.gz", ".arc", ".arc.gz", ".wacz")
"""Ends of the names of files with many pages."""
_WACZ = ".wacz"
_ARCHIVE_BEGINS = (b"WARC/", b"filedesc:")
_PACKED = b"\x1f\x8b"
_NO_LIST = (b"<", b"{", _PACKED)
"""Beginnings that no list of addresses has, beside those of pictures and the like."""
_BEGINNING = 1_000
"""Bytes by which files are told apart."""
_OF_PAGES = frozenset({"", "text/html", "application/xhtml+xml"})
"""Media types of answers that may be pages."""
_UNPACKS = 47
"""The window bits by which zlib unpacks gzip, and its own form, too."""


class GivenPage(NamedTuple):
    """One thing that was named."""

    source: str
    """An address, the name of a file, or `stdin`."""
    path: Path | None = None
    """The file, where it is one."""
    is_archive: bool = False
    """It holds the answers of many pages."""


def given_pages(sources: Iterable[str], folder: Path) -> Iterator[GivenPage]:
    """Yield what was named, the pages and WARC files of folders one by one; `folder` takes what comes from
    stdin. Raises UsageError."""
    for source in sources:
        path = Path(source)
        if source == "-":
            yield from _of_stdin(folder)
        elif is_http(source):
            yield GivenPage(source)
        elif is_file(path):
            yield _of_file(source, path)
        elif is_folder(path):
            yield from _of_folder(source, path)
        else:
            raise UsageError(f"{source}: this is neither an address with http:// or https:// nor a file or folder.")


def _of_stdin(folder: Path) -> Iterator[GivenPage]:
    """Yield the page or the WARC file that comes from stdin, or what a list of addresses and files names."""
    from webarticlecurator.corpus.saved_pages import SIGNATURES

    path = folder / STDIN
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    with path.open("rb") as file:
        beginning = file.read(_BEGINNING).removeprefix(b"\xef\xbb\xbf").lstrip()
    given = _of_file(STDIN, path)
    if given.is_archive or beginning.startswith((*_NO_LIST, *SIGNATURES)) or b"\x00" in beginning:
        yield given
        return
    lines = path.read_text(encoding="utf-8-sig", errors="surrogateescape").splitlines()
    yield from given_pages([address(line.strip()) for line in lines if line.strip() not in ("", "-")], folder)


def _of_file(source: str, path: Path) -> GivenPage:
    if source.lower().endswith(ARCHIVES):
        return GivenPage(source, path, is_archive=True)
    with open_file(path) as file:
        beginning = file.read(_BEGINNING)
    if beginning.startswith(_PACKED):
        beginning = _unpacked(beginning)
    return GivenPage(source, path, is_archive=beginning.startswith(_ARCHIVE_BEGINS))


def _unpacked(beginning: bytes) -> bytes:
    try:
        return zlib.decompressobj(_UNPACKS).decompress(beginning, _BEGINNING)
    except zlib.error:
        return b""


def _of_folder(source: str, path: Path) -> Iterator[GivenPage]:
    inside = [inner for inner in sorted(path.rglob("*")) if inner.name.lower().endswith((*PAGES, *ARCHIVES)) and inner.is_file()]
    if not inside:
        raise UsageError(f"{source}: there is no page in this folder; names of pages end in {', '.join((*PAGES, *ARCHIVES))}.")
    yield from (_of_file(str(inner), inner) for inner in inside)


def archived_pages(archive: Path, on_damage: Callable[[Damage], None]) -> Iterator[Capture]:
    """Yield each answer in a WARC, ARC or WACZ file that may be a page: whole, in HTML, and not part of
    another page."""
    from webarticlecurator.warc.exchanges import WarcExchange, read_warc

    for path in _warc_files(archive, on_damage):
        for stored in read_warc(path, on_damage=on_damage):
            if isinstance(stored, WarcExchange) and not stored.loaded and _may_be_page(stored.capture):
                yield stored.capture


def _may_be_page(capture: Capture) -> bool:
    return capture.status == 200 and mime_of(capture.headers) in _OF_PAGES


def _warc_files(archive: Path, on_damage: Callable[[Damage], None]) -> Iterator[Path]:
    """Yield the file itself, or each WARC file that is packed in a WACZ; what no zip holds is damage."""
    if not archive.name.lower().endswith(_WACZ):
        yield archive
        return
    with TemporaryDirectory(prefix="curator-") as folder, open_file(archive) as file:
        try:
            packed = ZipFile(file)
        except BadZipFile as error:
            on_damage(Damage(archive, 0, file.seek(0, SEEK_END), f"this is no WACZ: {error}"))
            return
        for member in packed.infolist():
            if member.filename.lower().endswith(ARCHIVES):
                path = Path(folder) / Path(member.filename).name
                try:
                    with packed.open(member) as inside, path.open("wb") as copy:
                        shutil.copyfileobj(inside, copy)
                except (BadZipFile, zlib.error, EOFError) as error:
                    on_damage(Damage(archive, member.header_offset, member.compress_size, f"{member.filename}: {error}"))
                yield path
                path.unlink()
