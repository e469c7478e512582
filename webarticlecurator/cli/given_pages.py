"""Find the pages that a person names: by addresses, files, folders, WARC files of any program, and by what
comes from stdin."""

from __future__ import annotations

import shutil
import sys
import zlib
from codecs import BOM_UTF8
from collections.abc import Callable, Iterable, Iterator
from os import SEEK_END
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple
from zipfile import BadZipFile, ZipFile

from webarticlecurator.amounts import amount, text_if
from webarticlecurator.cli import console
from webarticlecurator.cli.command import address
from webarticlecurator.errors import CuratorError, UsageError, refuse
from webarticlecurator.model.capture import Capture
from webarticlecurator.own_patterns import linear
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
_HTML = linear(rb"(?i)<(?:!doctype\s+html|html|head|body)\b")
"""Stands in the beginning of a page, whatever its file is called."""
_NO_ENTRIES = ("", "-")
"""Lines of a list that name nothing: it cannot name stdin."""
_COMMENT = "#"
"""Begins such a line, too."""
_NEVER_ASKED = ("ftp://", "ftps://")
"""Beginnings of addresses that browsers, too, have given up."""
_SHOWN = 3
"""Names of files that are no pages which are told."""
_UNPACKS = 47
"""The window bits by which zlib unpacks gzip, and its own form, too."""


class GivenPage(NamedTuple):
    """A page, or a file of pages, that was named."""

    source: str
    """An address, the name of a file, or `stdin`."""
    path: Path | None = None
    """The file, where it is one."""
    is_archive: bool = False
    """True if it holds the answers of many pages."""
    looks_like_page: bool = False
    """The name of the file, or its beginning, is that of a page."""
    name: str = ""
    """The path of the file below the folder that was named."""
    problem: str = ""
    """The reason why a line of a list names nothing."""

    @property
    def may_be_read(self) -> bool:
        """Return True if it is a page, or holds pages."""
        return self.is_archive or self.looks_like_page


def given_pages(sources: Iterable[str], folder: Path) -> Iterator[GivenPage]:
    """Yield what was named, the pages and WARC files of folders one by one; `folder` takes what comes from
    stdin. Raises UsageError."""
    for source in sources:
        path = Path(source)
        if source == "-":
            yield from _of_stdin(folder)
        elif is_http(source):
            yield GivenPage(source)
        elif source.lower().startswith(_NEVER_ASKED):
            raise UsageError(
                f"{source}: pages are read from http://, https:// and s3://, from files and from folders, "
                "and from nowhere else."
            )
        elif is_file(path):
            yield _of_file(source, path, path.name)
        elif is_folder(path):
            yield from _of_folder(source, path)
        else:
            raise UsageError(
                f"{source}: this is neither an address with http:// or https:// nor a file or folder."
            )


def _of_stdin(folder: Path) -> Iterator[GivenPage]:
    """Yield the page or the WARC file that comes from stdin, or what a list of addresses and files names."""
    from webarticlecurator.corpus.saved_pages import SIGNATURES

    path = folder / STDIN
    with path.open("wb") as file:
        shutil.copyfileobj(sys.stdin.buffer, file)
    with path.open("rb") as file:
        beginning = file.read(_BEGINNING).removeprefix(BOM_UTF8).lstrip()
    given = _of_file(STDIN, path, STDIN)
    if given.is_archive or beginning.startswith((*_NO_LIST, *SIGNATURES)) or b"\x00" in beginning:
        yield given
        return
    lines = path.read_text(encoding="utf-8-sig", errors="surrogateescape").splitlines()
    for number, line in enumerate(map(str.strip, lines), start=1):
        if line not in _NO_ENTRIES and not line.startswith(_COMMENT):
            yield from _of_line(number, line, folder)


def _of_line(number: int, line: str, folder: Path) -> Iterator[GivenPage]:
    """Yield what a line of a list names; where it names nothing, the others are read all the same."""
    try:
        yield from given_pages([address(line)], folder)
    except CuratorError as error:
        yield GivenPage(f"line {number}", problem=str(error))


def _of_file(source: str, path: Path, name: str) -> GivenPage:
    ending = path.name.lower()
    if ending.endswith(ARCHIVES):
        return GivenPage(source, path, is_archive=True, name=name)
    with open_file(path) as file:
        beginning = file.read(_BEGINNING)
    if beginning.startswith(_PACKED):
        beginning = _unpacked(beginning)
    text = beginning.removeprefix(BOM_UTF8).lstrip()
    looks_like_page = ending.endswith(PAGES) or (text.startswith(b"<") and _HTML.search(text) is not None)
    return GivenPage(source, path, beginning.startswith(_ARCHIVE_BEGINS), looks_like_page, name)


def _unpacked(beginning: bytes) -> bytes:
    try:
        return zlib.decompressobj(_UNPACKS).decompress(beginning, _BEGINNING)
    except zlib.error:
        return b""


def _of_folder(source: str, path: Path) -> Iterator[GivenPage]:
    """Yield the pages and WARC files in a folder, and say which files are neither."""
    files = [
        _of_file(str(inner), inner, inner.relative_to(path).as_posix())
        for inner in sorted(path.rglob("*"))
        if inner.is_file()
    ]
    pages = [file for file in files if file.may_be_read]
    others = [file.name for file in files if not file.may_be_read]
    ends = ", ".join((*PAGES, *ARCHIVES))
    refuse((not pages, f"{source}: there is no page in this folder; names of pages end in {ends}."))
    if others:
        more = text_if(len(others) > _SHOWN, ", ...")
        console.say(
            f"{source}: {amount(len(others), 'file')} passed over: {', '.join(others[:_SHOWN])}{more}"
        )
    yield from pages


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
                    on_damage(
                        Damage(
                            archive, member.header_offset, member.compress_size, f"{member.filename}: {error}"
                        )
                    )
                yield path
                path.unlink()
