"""One zip file a year instead of a file a document: the same documents give the same bytes."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from webarticlecurator.building.database import Database
from webarticlecurator.building.document_store import FOLDER, DocumentStore, member_of

_LONG_AGO = (1980, 1, 1, 0, 0, 0)
"""The first moment that a zip can name; the real one would change the bytes."""
_READABLE_BY_ALL = 0o644 << 16
_UNIX = 3


def pack(corpus: Path, database: Database) -> int:
    """Put loose documents into the zips of their years, and take out what is no document any more; gives the number of zips written."""
    top = corpus / FOLDER
    if not top.is_dir():
        return 0
    years = {entry.name for entry in top.iterdir() if entry.is_dir()} | {entry.stem for entry in top.glob("*.zip")}
    return sum(_pack_year(corpus, year, database) for year in sorted(years))


def unpack(corpus: Path, database: Database) -> None:
    """Back to a file a document."""
    with closing(DocumentStore(corpus)) as documents:
        for archive in sorted((corpus / FOLDER).glob("*.zip")):
            for path in database.paths(f"{FOLDER}/{archive.stem}"):
                document = None if (corpus / path).exists() else documents.read(path)
                if document is not None:
                    documents.write(path, document)
    for archive in (corpus / FOLDER).glob("*.zip"):
        archive.unlink()


def _pack_year(corpus: Path, year: str, database: Database) -> bool:
    archive, folder = corpus / FOLDER / f"{year}.zip", corpus / FOLDER / year
    paths = list(database.paths(f"{FOLDER}/{year}"))
    if not folder.is_dir() and _members(archive) == [member_of(path) for path in paths]:
        return False
    if paths:
        _write(corpus, archive, paths)
    else:
        archive.unlink(missing_ok=True)
    with closing(DocumentStore(corpus)) as documents:
        for path in paths:
            documents.remove(path)
    return True


def _write(corpus: Path, archive: Path, paths: Sequence[str]) -> None:
    draft = archive.with_name(archive.name + ".new")
    with closing(DocumentStore(corpus)) as documents, ZipFile(draft, "w", ZIP_DEFLATED) as file:
        for path in paths:
            document = documents.read(path)
            if document is not None:
                file.writestr(_member(path), document)
    draft.replace(archive)


def _member(path: str) -> ZipInfo:
    info = ZipInfo(member_of(path), _LONG_AGO)
    info.compress_type = ZIP_DEFLATED
    info.external_attr = _READABLE_BY_ALL
    info.create_system = _UNIX  # else it names the system on which it was made
    return info


def _members(archive: Path) -> list[str]:
    if not archive.exists():
        return []
    with ZipFile(archive) as file:
        return file.namelist()
