"""Where documents lie: a file each, or packed. A reader never sees half of a document, nor one that should be gone.

Packed documents lie in a zip a month, and an index says in which. A zip is never changed: its name tells its content, and the index is
what makes another one take its place. So at any moment a reader finds each document, as it was or as it is.
"""

from __future__ import annotations

import os
import re
import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from hashlib import file_digest, sha256
from itertools import groupby
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, BadZipFile, ZipFile, ZipInfo

import msgspec

from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.corpus.folder import write_whole
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.article import Article
from webarticlecurator.model.progress import Work

_FOLDER = "tei"
"""Of documents, below that of the corpus; a zip names them without it."""
_INDEX = f"{_FOLDER}/index.json"
_DRAFT = ".new"
_ZIP_NAME = re.compile(r"(\d{4}-\d\d|undated-[0-9a-f]{2})-[0-9a-f]{16}\.zip")
"""Its month, or the first two digits of the ids in it; and of its digest."""
_DOCUMENT = re.compile(r"(\d{4}/\d\d/\d\d|undated)/[^/\\]{1,200}-[0-9a-f]{16}\.xml")
"""What a zip calls one. A zip of somebody else may name places outside the corpus."""
_MOST_OPEN = 3
"""What is known of an open zip of 10,000 documents takes 6 MB."""
LARGEST = 256 << 20
"""Bytes of a document; one of the largest page that is read has fewer."""
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip can name; the real one would change the bytes."""
_READABLE_BY_ALL, _UNIX = 0o644 << 16, 3
SPOILED = (KeyError, ValueError, BadZipFile, zlib.error, struct.error, EOFError, NotImplementedError)
"""What is raised for zips that nobody wrote whole, or that somebody wrote to do harm."""


class DocumentZip(msgspec.Struct, frozen=True):
    """One zip file, as the index tells of it."""

    file: str
    """Its name in the folder of documents."""
    documents: int
    paths: str
    """Digest of the paths of its documents."""
    bytes: int
    sha256: str


class _Index(msgspec.Struct):
    shards: list[DocumentZip]
    documents: int = 0


class DocumentStore:
    """The documents of one corpus."""

    def __init__(self, corpus: Path) -> None:
        self.corpus = corpus
        self._zips: dict[str, DocumentZip] | None = None
        self._open: dict[str, ZipFile] = {}

    def close(self) -> None:
        """Close the zips that were read from."""
        while self._open:
            self._open.popitem()[1].close()

    @property
    def is_packed(self) -> bool:
        return (self.corpus / _INDEX).exists()

    @property
    def zips(self) -> dict[str, DocumentZip]:
        """Those that the index tells of and that are there whole, by what `_label` calls them. Raises CorpusError."""
        if self._zips is None:
            listed: list[DocumentZip] = []
            with suppress(FileNotFoundError):
                try:
                    listed = msgspec.json.decode((self.corpus / _INDEX).read_bytes(), type=_Index).shards
                    if not all(_ZIP_NAME.fullmatch(shard.file) for shard in listed):
                        raise ValueError("its zips are none")
                except (ValueError, RecursionError) as error:
                    raise CorpusError(f"{_INDEX} cannot be read ({error}). Delete it, and build again in zips.") from error
            self._zips = {}
            for shard in listed:
                with suppress(FileNotFoundError):
                    if (self.corpus / _FOLDER / shard.file).stat().st_size == shard.bytes:
                        self._zips[shard.file.rpartition("-")[0]] = shard
        return self._zips

    def read(self, path: str) -> bytes | None:
        """A document; None where there is none."""
        with suppress(FileNotFoundError):
            return self._file(path).read_bytes()
        for _ in range(2):
            try:
                return self._read_packed(path)
            except FileNotFoundError:  # a build has made other zips since the index was read
                self._zips = None
        return None

    def _read_packed(self, path: str) -> bytes | None:
        """Out of its zip. Raises FileNotFoundError where the zip is gone."""
        file = self._zip_of(path)
        if file is None:
            return None
        try:
            if file not in self._open:
                self._open[file] = ZipFile(self.corpus / _FOLDER / file)
                if len(self._open) > _MOST_OPEN:
                    self._open.pop(next(iter(self._open))).close()
            member = self._open[file].getinfo(path.removeprefix(f"{_FOLDER}/"))
            is_ours = member.compress_type in (ZIP_DEFLATED, ZIP_STORED) and not member.flag_bits & 1 and member.file_size <= LARGEST
            return self._open[file].read(member) if is_ours else None
        except SPOILED:
            return None

    def _zip_of(self, path: str) -> str | None:
        """The name of the zip that would hold a document."""
        shard = self.zips.get(_label(path))
        return None if shard is None else shard.file

    def has(self, path: str, size: int | None) -> bool:
        """Whether a document of so many bytes (or the zip that it belongs in) is there. A power cut may leave a part of them."""
        with suppress(FileNotFoundError):
            return self._file(path).stat().st_size == size
        return self._zip_of(path) is not None

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
        """Take a document away, and the folders that held nothing else. In a zip it stays until that is packed anew."""
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
        for folder, _, names in os.walk(self.corpus / _FOLDER):
            for name in names:
                if name.startswith(f"{portal}-") and name.endswith((".xml", f".xml{_DRAFT}")):
                    yield id_of(name.removesuffix(_DRAFT)), (Path(folder) / name).relative_to(self.corpus).as_posix()

    def packed(self) -> Iterator[str]:
        """The paths of all documents in zips."""
        for shard in self.zips.values():
            with suppress(FileNotFoundError, *SPOILED), ZipFile(self.corpus / _FOLDER / shard.file) as file:
                yield from (f"{_FOLDER}/{name}" for name in file.namelist() if _DOCUMENT.fullmatch(name))

    def _file(self, path: str) -> Path:
        """Raises CorpusError for a path that leads out of the corpus: a database or a zip of somebody else may hold any."""
        if not path.startswith(f"{_FOLDER}/") or ".." in path.split("/") or "\\" in path or "\0" in path:
            raise CorpusError(f"{path!r} is no place of a document. Delete build.sqlite, and build again.")
        return self.corpus / path

    def pack(self, database: BuildDatabase, work: Work, *, failed: int) -> None:
        """Put documents into the zips that they belong in, and take out what is no document any more. Raises CorpusError.

        `failed`: articles of which none was made, for the lines of progress.
        """
        folder = self.corpus / _FOLDER
        folder.mkdir(parents=True, exist_ok=True)
        zips: list[DocumentZip] = []
        loose: list[str] = []
        done, total = 0, database.count()
        for label, of_label in groupby(database.paths(), key=_label):
            work.show("packing", done, total, failed=failed)
            if work.stopped:
                return
            paths = list(of_label)
            files = [path for path in paths if (self.corpus / path).exists()]
            known = self.zips.get(label)
            is_as_it_was = known is not None and not files and known.paths == _digest(paths)
            zips += [known] if known is not None and is_as_it_was else self._zipped(label, paths, work)
            loose += files
            done += len(paths)
        # the one moment in which new zips take the place of old ones
        content = msgspec.json.encode(_Index(zips, sum(shard.documents for shard in zips)))
        write_whole(self.corpus / _INDEX, msgspec.json.format(content, indent=2) + b"\n")
        self.close()
        self._zips = None
        names = {shard.file for shard in zips}
        for place in (*folder.glob("*.zip"), *folder.glob(f"*.zip{_DRAFT}")):
            if place.name not in names and (place.suffix == _DRAFT or _ZIP_NAME.fullmatch(place.name)):
                place.unlink()
        for path in loose:
            self.remove(path)

    def _zipped(self, label: str, paths: Sequence[str], work: Work) -> list[DocumentZip]:
        """One that holds these documents, on the disk when this returns; none where none of them is anywhere."""
        draft = self.corpus / _FOLDER / f"{label}.zip{_DRAFT}"
        held: list[str] = []
        with draft.open("wb") as out:
            with ZipFile(out, "w", ZIP_DEFLATED) as file:
                for path in paths:
                    document = self.read(path)
                    if document is not None:
                        held.append(path)
                        file.writestr(zip_member(path.removeprefix(f"{_FOLDER}/")), document)
                    elif (damaged := self._zip_of(path)) is not None:
                        raise CorpusError(f"{_FOLDER}/{damaged} is damaged. Delete it, and build again.")
                    else:
                        work.say(f"{path} is lost, and with it what it was made of.")
            out.flush()
            os.fsync(out.fileno())
        if not held:
            return []
        with draft.open("rb") as written:
            digest = file_digest(written, "sha256").hexdigest()
        made = DocumentZip(f"{label}-{digest[:16]}.zip", len(held), _digest(held), draft.stat().st_size, digest)
        draft.replace(self.corpus / _FOLDER / made.file)
        return [made]


def _label(path: str) -> str:
    """What the zip is called that a document belongs in: 2024-05; undated-3f by its id."""
    folders = path.split("/")
    return "-".join(folders[1:3]) if folders[1] != "undated" else f"undated-{id_of(path)[-16:-14]}"


def _digest(paths: Iterable[str]) -> str:
    """By which it is seen that a zip holds the documents that it has to hold."""
    return sha256("\n".join(paths).encode()).hexdigest()


def zip_member(name: str, compressed: int = ZIP_DEFLATED) -> ZipInfo:
    """What tells of a file in a zip: the same whenever and wherever it is written."""
    member = ZipInfo(name, _LONG_AGO)
    member.compress_type, member.external_attr, member.create_system = compressed, _READABLE_BY_ALL, _UNIX
    return member


def path_of(article: Article) -> str:
    """Where an article's document lies, below the corpus folder: by the day of its publication."""
    return f"{_FOLDER}/{article.folder}/{article.id}.xml"


def id_of(path: str) -> str:
    """Of the article whose document has this path."""
    return path.rpartition("/")[2].removesuffix(".xml")
