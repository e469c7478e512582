"""Documents in zip files: whose bytes depend on the documents in them and on nothing else, and of which a few are open at a time."""

from __future__ import annotations

import os
import re
import struct
import zlib
from collections import OrderedDict
from collections.abc import Iterable
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

FOLDER = "tei"
"""Of documents, below that of the corpus; a zip names them without it."""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip can name; the real one would change the bytes."""
_READABLE_BY_ALL = 0o644 << 16
_UNIX = 3
_PIECE = 32 << 10
"""Bytes that are read at once: a small document with what is written about it."""
_MOST_OPEN = 8
"""What is known of an open zip of 10,000 documents takes 6 MB."""
_DOCUMENT = re.compile(r"(\d{4}/\d\d/\d\d|undated)/[^/\\]{1,200}-[0-9a-f]{16}\.xml")
"""What a zip calls one. A zip of somebody else may name places outside the corpus."""
_LARGEST = 256 << 20
"""Bytes of a document; one of the largest page that is read has fewer."""
_SPOILED = (KeyError, ValueError, BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError)
"""What is raised for zips that nobody wrote whole, or that somebody wrote to do harm."""


class OpenZips:
    """The zips of a corpus that were read last."""

    def __init__(self, corpus: Path) -> None:
        self._corpus = corpus
        self._open: OrderedDict[str, _OpenZip] = OrderedDict()

    def read(self, archive: str, path: str) -> bytes | None:
        """A document out of a zip (both by their paths below the corpus folder); None where it cannot be had.

        Raises FileNotFoundError where the zip is not there.
        """
        try:
            opened = self._zip(archive).zip
            member = opened.getinfo(name_in_zip(path))
            return opened.read(member) if _is_ours(member) else None
        except _SPOILED:
            return None

    def _zip(self, archive: str) -> _OpenZip:
        found = self._open.get(archive)
        if found is None:
            found = self._open[archive] = _OpenZip(self._corpus / archive)
            if len(self._open) > _MOST_OPEN:
                self._open.popitem(last=False)[1].close()
        self._open.move_to_end(archive)
        return found

    def close(self) -> None:
        while self._open:
            self._open.popitem()[1].close()


class _OpenZip:
    """A zip with the file that it is read from."""

    def __init__(self, place: Path) -> None:
        self._file = place.open("rb", _PIECE)
        try:
            self.zip = ZipFile(self._file)
        except BaseException:
            self._file.close()
            raise

    def close(self) -> None:
        self.zip.close()
        self._file.close()


def write_zip(place: Path, documents: Iterable[tuple[str, bytes]]) -> None:
    """All these documents, by their paths below the corpus folder, in one zip, on the disk when this returns: files make room for it."""
    with place.open("wb") as out:
        with ZipFile(out, "w", ZIP_DEFLATED) as file:
            for path, document in documents:
                file.writestr(_member(path), document)
        out.flush()
        os.fsync(out.fileno())


def name_in_zip(path: str) -> str:
    """What a zip calls a document."""
    return path.removeprefix(f"{FOLDER}/")


def zips_in(corpus: Path) -> list[str]:
    """The names of the zips of a corpus, in order."""
    return sorted(path.name for path in (corpus / FOLDER).glob("*.zip"))


def paths_in(archive: Path) -> list[str]:
    """Of the documents of a zip, below the corpus folder; nothing where it is no zip."""
    try:
        with ZipFile(archive) as file:
            return [f"{FOLDER}/{name}" for name in file.namelist() if _DOCUMENT.fullmatch(name)]
    except (FileNotFoundError, *_SPOILED):
        return []


def _is_ours(member: ZipInfo) -> bool:
    """Whether it may be read: packed as we do it, without a password, and no bomb."""
    return member.compress_type in (ZIP_DEFLATED, ZIP_STORED) and not member.flag_bits & 1 and member.file_size <= _LARGEST


def _member(path: str) -> ZipInfo:
    info = ZipInfo(name_in_zip(path), _LONG_AGO)
    info.compress_type = ZIP_DEFLATED
    info.external_attr = _READABLE_BY_ALL
    info.create_system = _UNIX  # else it names the system on which it was made
    return info
