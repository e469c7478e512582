"""Where documents lie: a file each, or in one zip a year. A reader never sees half of a document, nor one that should be gone."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from pathlib import Path
from zipfile import ZIP_DEFLATED, BadZipFile, ZipFile, ZipInfo

from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.model.article import Article

_FOLDER = "tei"
_INVALID = "reports/invalid"
"""Documents that are not valid lie here, for whoever looks into the reason."""
_DRAFT = ".new"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip can name; the real one would change the bytes."""
_READABLE_BY_ALL = 0o644 << 16
_UNIX = 3


class DocumentStore:
    """The documents of one corpus."""

    def __init__(self, corpus: Path) -> None:
        self._corpus = corpus
        self._zips: dict[Path, ZipFile | None] = {}

    def close(self) -> None:
        """Close the zips that were read from."""
        for archive in self._zips.values():
            if archive is not None:
                archive.close()

    def read(self, path: str) -> bytes | None:
        """A document; None where there is none."""
        with suppress(FileNotFoundError):
            return (self._corpus / path).read_bytes()
        archive = self._zip(_zip_of(path))
        with suppress(KeyError, BadZipFile):
            return archive.read(_name_in_zip(path)) if archive is not None else None
        return None

    def has(self, path: str) -> bool:
        """Whether a document (or the zip of its year) is there."""
        return (self._corpus / path).exists() or (self._corpus / _zip_of(path)).exists()

    def write(self, path: str, document: bytes) -> None:
        """Put a document in its place, all of it at once."""
        place = self._corpus / path
        draft = place.with_name(place.name + _DRAFT)
        try:
            draft.write_bytes(document)
        except FileNotFoundError:  # the first in its folder, or another process took the last one away
            place.parent.mkdir(parents=True, exist_ok=True)
            draft.write_bytes(document)
        draft.replace(place)

    def remove(self, path: str) -> None:
        """Take a document away, and the folders that held nothing else. In a zip it stays until that is packed anew."""
        place = self._corpus / path
        place.unlink(missing_ok=True)
        self._drop_empty(place.parent)

    def stale(self, portal: str) -> Iterator[tuple[str, str]]:
        """Id and path of every file that is a document of this portal by its name, or a draft of one."""
        for top in (self._corpus / _FOLDER, self._corpus / _INVALID):
            for folder, _, names in os.walk(top):
                for name in names:
                    if name.startswith(f"{portal}-") and name.endswith((".xml", ".xml" + _DRAFT)):
                        yield name.removesuffix(_DRAFT).removesuffix(".xml"), (Path(folder) / name).relative_to(self._corpus).as_posix()

    def _drop_empty(self, folder: Path) -> None:
        while folder != self._corpus:
            try:
                folder.rmdir()
            except OSError:  # it holds something
                return
            folder = folder.parent

    def _zip(self, path: str) -> ZipFile | None:
        place = self._corpus / path
        if place not in self._zips:
            try:
                self._zips[place] = ZipFile(place)
            except (FileNotFoundError, BadZipFile):
                self._zips[place] = None
        return self._zips[place]


def path_of(article: Article) -> str:
    """Where an article's document lies, below the corpus folder: by the day of its publication."""
    return f"{_FOLDER}/{article.folder}/{article.id}.xml"


def invalid_path(article: str) -> str:
    """Where a document that is not valid lies, by the id of its article."""
    return f"{_INVALID}/{article}.xml"


def _zip_of(path: str) -> str:
    """The zip that a document belongs in: tei/2024/05/01/<id>.xml -> tei/2024.zip."""
    return f"{_FOLDER}/{path.split('/')[1]}.zip"


def _name_in_zip(path: str) -> str:
    """Its name in there."""
    return path.removeprefix(f"{_FOLDER}/")


def pack(corpus: Path, database: BuildDatabase) -> None:
    """Put loose documents into the zips of their years, and take out what is no document any more."""
    top = corpus / _FOLDER
    entries = list(top.iterdir()) if top.is_dir() else []
    for year in sorted({entry.stem for entry in entries if entry.is_dir() or entry.suffix == ".zip"}):
        paths = list(database.paths(f"{_FOLDER}/{year}"))
        archive = top / f"{year}.zip"
        if (top / year).is_dir() or _names_in(archive) != [_name_in_zip(path) for path in paths]:
            _pack_year(corpus, archive, paths)


def _pack_year(corpus: Path, archive: Path, paths: Sequence[str]) -> None:
    if not paths:
        archive.unlink(missing_ok=True)
        return
    draft = archive.with_name(archive.name + _DRAFT)
    with closing(DocumentStore(corpus)) as document_store, ZipFile(draft, "w", ZIP_DEFLATED) as file:
        for path in paths:
            document = document_store.read(path)
            if document is not None:
                file.writestr(_member(path), document)
    draft.replace(archive)  # only now: the store had it open
    for path in paths:
        document_store.remove(path)


def unpack(corpus: Path, database: BuildDatabase) -> None:
    """Back to a file a document."""
    with closing(DocumentStore(corpus)) as document_store:
        for archive in sorted((corpus / _FOLDER).glob("*.zip")):
            for path in database.paths(f"{_FOLDER}/{archive.stem}"):
                document = None if (corpus / path).exists() else document_store.read(path)
                if document is not None:
                    document_store.write(path, document)
    for archive in (corpus / _FOLDER).glob("*.zip"):
        archive.unlink()


def _member(path: str) -> ZipInfo:
    info = ZipInfo(_name_in_zip(path), _LONG_AGO)
    info.compress_type = ZIP_DEFLATED
    info.external_attr = _READABLE_BY_ALL
    info.create_system = _UNIX  # else it names the system on which it was made
    return info


def _names_in(archive: Path) -> list[str]:
    if not archive.exists():
        return []
    with ZipFile(archive) as file:
        return file.namelist()
