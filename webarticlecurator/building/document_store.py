"""Where documents lie: a file each, or in one zip a year. A reader never sees half of a document, nor one that should be gone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from zipfile import BadZipFile, ZipFile

FOLDER = "tei"
INVALID = "reports/invalid"
"""Documents that are not valid lie here, for whoever looks into the reason."""
_DRAFT = ".new"


class DocumentStore:
    """The documents of one corpus."""

    def __init__(self, corpus: Path) -> None:
        self._corpus = corpus
        self._folders: set[Path] = set()
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
        archive = self._zip(zip_of(path))
        with suppress(KeyError, BadZipFile):
            return archive.read(member_of(path)) if archive is not None else None
        return None

    def has(self, path: str) -> bool:
        """Whether a document (or the zip of its year) is there."""
        return (self._corpus / path).exists() or (self._corpus / zip_of(path)).exists()

    def write(self, path: str, document: bytes) -> None:
        """Put a document in its place, all of it at once."""
        place = self._corpus / path
        if place.parent not in self._folders:
            place.parent.mkdir(parents=True, exist_ok=True)
            self._folders.add(place.parent)
        draft = place.with_name(place.name + _DRAFT)
        draft.write_bytes(document)
        draft.replace(place)

    def remove(self, path: str) -> None:
        """Take a document away, and the folders that held nothing else. In a zip it stays until that is packed anew."""
        place = self._corpus / path
        place.unlink(missing_ok=True)
        self._drop_empty(place.parent)

    def stale(self, portal: str) -> Iterator[tuple[str, str]]:
        """Id and path of every file that is a document of this portal by its name, or a draft of one."""
        for top in (self._corpus / FOLDER, self._corpus / INVALID):
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
            self._folders.discard(folder)
            folder = folder.parent

    def _zip(self, path: str) -> ZipFile | None:
        place = self._corpus / path
        if place not in self._zips:
            try:
                self._zips[place] = ZipFile(place)
            except (FileNotFoundError, BadZipFile):
                self._zips[place] = None
        return self._zips[place]


def zip_of(path: str) -> str:
    """The zip that a document belongs in: tei/2024/05/01/<id>.xml -> tei/2024.zip."""
    return f"{FOLDER}/{path.split('/')[1]}.zip"


def member_of(path: str) -> str:
    """Its name in there."""
    return path.removeprefix(f"{FOLDER}/")
