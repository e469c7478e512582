"""Keep the documents of a build, in files or in a zip a month.

A document that was made anew lies in a file of its own until its zip was, and goes before what that holds of
it. The new zip takes the place of the old one at once. So at any moment a reader finds each document, as it
was or as it is.
"""

from __future__ import annotations

import os
import struct
import zlib
from collections.abc import Iterator, Sequence
from contextlib import suppress
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo, is_zipfile

from webarticlecurator.errors import CorpusError
from webarticlecurator.model.progress import Work
from webarticlecurator.own_patterns import linear_at

if TYPE_CHECKING:
    from webarticlecurator.building.database import BuildDatabase


FOLDER = "tei"
"""The folder of documents, below that of the corpus; a zip names them without it."""
_DRAFT = ".new"
_ZIP_NAME = linear_at(r"(\d{4}-\d\d|undated-[0-9a-f]{2})\.zip")
"""Its month, or the first two digits of the ids in it."""
_DOCUMENT = linear_at(r"(\d{4}/\d\d/\d\d|undated)/[^/\\]{1,200}-[0-9a-f]{16}\.xml")
"""The name of a document in a zip. A zip of somebody else may name places outside the corpus."""
LARGEST = 256 << 20
"""Bytes of a document; one of the largest page that is read has fewer."""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip can name; the real one would change the bytes."""
_READABLE_BY_ALL, _UNIX = 0o644 << 16, 3
SPOILED = (KeyError, ValueError, BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError)
"""Exceptions that are raised for zips that nobody wrote whole, or that somebody wrote to do harm."""


class DocumentStore:
    """The documents of one corpus."""

    def __init__(self, corpus: Path) -> None:
        self.corpus = corpus
        self._whole: dict[str, bool] = {}
        """True if a zip of that name is there, to its end."""
        self._open: dict[str, ZipFile] = {}

    def close(self) -> None:
        """Close the zips that were read from."""
        while self._open:
            self._open.popitem()[1].close()

    @property
    def zips(self) -> list[Path]:
        """Return the zip files of documents."""
        return [place for place in (self.corpus / FOLDER).glob("*.zip") if _ZIP_NAME.fullmatch(place.name)]

    def read(self, path: str) -> bytes | None:
        """A document; None where there is none."""
        with suppress(FileNotFoundError):
            return self._file(path).read_bytes()
        name = _zip_of(path)
        try:
            if name not in self._open:
                self._open[name] = ZipFile(self.corpus / FOLDER / name)
                if len(self._open) > 3:  # what is known of one with 10,000 documents takes 6 MB
                    self._open.pop(next(iter(self._open))).close()
            member = self._open[name].getinfo(path.removeprefix(f"{FOLDER}/"))
            is_ours = (
                member.compress_type in (ZIP_DEFLATED, ZIP_STORED)
                and not member.flag_bits & 1
                and member.file_size <= LARGEST
            )
            return self._open[name].read(member) if is_ours else None
        except (FileNotFoundError, *SPOILED):
            return None

    def has(self, path: str, size: int | None) -> bool:
        """Say whether a document of so many bytes (or the zip that it belongs in) is there. A power cut may
        leave a part of them."""
        with suppress(FileNotFoundError):
            return self._file(path).stat().st_size == size
        return self._has_zip(_zip_of(path))

    def sizes(self) -> dict[str, int]:
        """Return the bytes of all documents in files of their own, by their paths."""
        sizes: dict[str, int] = {}
        waiting = [(self.corpus / FOLDER, FOLDER)]
        while waiting:
            folder, path = waiting.pop()
            with suppress(FileNotFoundError), os.scandir(folder) as entries:
                for entry in entries:
                    if entry.is_dir():
                        waiting.append((Path(entry.path), f"{path}/{entry.name}"))
                    else:
                        sizes[f"{path}/{entry.name}"] = entry.stat().st_size
        return sizes

    def _has_zip(self, name: str) -> bool:
        if name not in self._whole:
            self._whole[name] = is_zipfile(self.corpus / FOLDER / name)
        return self._whole[name]

    def write(self, path: str, document: bytes) -> None:
        """Put a document in its place, all of it at once."""
        place = self._file(path)
        draft = place.with_name(place.name + _DRAFT)
        try:
            draft.write_bytes(document)
        except FileNotFoundError:  # the first in its folder, or another process took the last one away
            place.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(document)
        draft.replace(place)

    def remove(self, path: str) -> None:
        """Take a document away, and the folders that held nothing else. In a zip it stays until that is
        packed anew."""
        place = self._file(path)
        place.unlink(missing_ok=True)
        for folder in place.parents:
            if folder == self.corpus:
                return
            try:
                folder.rmdir()
            except OSError:  # it holds something
                return

    def loose(self, portal: str) -> Iterator[tuple[str, str]]:
        """Id and path of every file that is a document of this portal by its name, or a draft of one."""
        for folder, _, names in os.walk(self.corpus / FOLDER):
            for name in names:
                if name.startswith(f"{portal}-") and name.endswith((".xml", f".xml{_DRAFT}")):
                    yield (
                        id_of(name.removesuffix(_DRAFT)),
                        (Path(folder) / name).relative_to(self.corpus).as_posix(),
                    )

    def packed(self) -> Iterator[str]:
        """The paths of all documents in zips."""
        for place in self.zips:
            with suppress(*SPOILED), ZipFile(place) as file:
                yield from (f"{FOLDER}/{name}" for name in file.namelist() if _DOCUMENT.fullmatch(name))

    def _file(self, path: str) -> Path:
        """Raises CorpusError for a path that leads out of the corpus: a database or a zip of somebody else
        may hold any."""
        if not path.startswith(f"{FOLDER}/") or ".." in path.split("/") or "\\" in path or "\0" in path:
            raise CorpusError(f"{path!r} is no place of a document. Delete build.sqlite, and build again.")
        return self.corpus / path

    def pack(self, database: BuildDatabase, work: Work, *, failed: int) -> None:
        """Put documents into the zips that they belong in, and take out what is no document any more. Raises
        CorpusError.

        `failed`: articles of which none was made, for the lines of progress.
        """
        folder = self.corpus / FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        kept: set[str] = set()
        done, total = 0, database.count()
        for name, of_zip in groupby(database.paths(), key=_zip_of):
            work.show("packing", done, total, failed=failed)
            if work.stopped:
                return
            paths = list(of_zip)
            files = [path for path in paths if (self.corpus / path).exists()]
            holds = sha256("\n".join(paths).encode()).hexdigest()
            if files or database.noted(name) != holds or not self._has_zip(name):
                database.note(name, holds if self._zip(name, paths, work) == len(paths) else "")
                for path in files:
                    self.remove(path)
            kept.add(name)
            done += len(paths)
        for place in (*self.zips, *folder.glob(f"*.zip{_DRAFT}")):
            if place.name not in kept:
                place.unlink()

    def _zip(self, name: str, paths: Sequence[str], work: Work) -> int:
        """Make the zip that holds these documents, on the disk when this returns; how many of them are
        anywhere."""
        place, held = self.corpus / FOLDER / name, 0
        draft = place.with_name(name + _DRAFT)
        with draft.open("wb") as out:
            with ZipFile(out, "w", ZIP_DEFLATED) as file:
                for path in paths:
                    document = self.read(path)
                    if document is not None:
                        file.writestr(zip_member(path.removeprefix(f"{FOLDER}/")), document)
                        held += 1
                    elif self._has_zip(name):
                        raise CorpusError(f"{FOLDER}/{name} is damaged. Delete it, and build again.")
                    else:
                        work.say(f"{path} is lost, and with it what it was made of.")
            out.flush()
            os.fsync(out.fileno())
        if (old := self._open.pop(name, None)) is not None:
            old.close()
        if held:
            draft.replace(place)
            self._whole[name] = True
        return held


def _zip_of(path: str) -> str:
    """The name of the zip that a document belongs in: 2024-05.zip; undated-3f.zip by its id."""
    folders = path.split("/")
    return f"{'-'.join(folders[1:3]) if folders[1] != 'undated' else f'undated-{id_of(path)[-16:-14]}'}.zip"


def zip_member(name: str, compressed: int = ZIP_DEFLATED) -> ZipInfo:
    """Return what tells of a file in a zip: the same whenever and wherever it is written."""
    member = ZipInfo(name, _LONG_AGO)
    member.compress_type, member.external_attr, member.create_system = compressed, _READABLE_BY_ALL, _UNIX
    return member


def id_of(path: str) -> str:
    """Return the id of the article whose document has this path."""
    return path.rpartition("/")[2].removesuffix(".xml")
