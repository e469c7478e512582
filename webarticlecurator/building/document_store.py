"""Where documents lie: a file each, one zip a year, or shards. A reader never sees half of a document, nor one that should be gone."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from webarticlecurator.building.document_zips import FOLDER, OpenZips, name_in_zip, paths_in, zips_in
from webarticlecurator.building.shards import INDEX, ShardIndex
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.article import Article

_INVALID = "reports/invalid"
"""Documents that are not valid lie here, for whoever looks into the reason."""
_DRAFT = ".new"


class DocumentStore:
    """The documents of one corpus."""

    def __init__(self, corpus: Path) -> None:
        self._corpus = corpus
        self._zips = OpenZips(corpus)
        self._shards: ShardIndex | None = None
        self._there: frozenset[str] | None = None

    def close(self) -> None:
        """Close the zips that were read from."""
        self._zips.close()

    @property
    def shards(self) -> ShardIndex:
        """Empty where there are none."""
        if self._shards is None:
            try:
                self._shards = ShardIndex.of_json((self._corpus / FOLDER / INDEX).read_bytes())
            except FileNotFoundError:
                self._shards = ShardIndex()
        return self._shards

    def read(self, path: str) -> bytes | None:
        """A document; None where there is none."""
        with suppress(FileNotFoundError):
            return self._file(path).read_bytes()
        try:
            return self._packed_document(path)
        except FileNotFoundError:  # a build has made other shards since the index was read
            self._shards = self._there = None
        with suppress(FileNotFoundError):
            return self._packed_document(path)
        return None

    def _packed_document(self, path: str) -> bytes | None:
        """Out of its zip. Raises FileNotFoundError where the zip is gone."""
        archive = self._zip_of(path)
        return self._zips.read(archive, path) if self._has_zip(archive) else None

    def has(self, path: str, size: int | None) -> bool:
        """Whether a document of so many bytes (or the zip that it belongs in) is there. A power cut may leave a part of them."""
        with suppress(FileNotFoundError):
            return self._file(path).stat().st_size == size
        return self._has_zip(self._zip_of(path))

    def _zip_of(self, path: str) -> str:
        """The zip that a document belongs in: its shard, else that of its year, tei/2024/05/01/<id>.xml -> tei/2024.zip."""
        shard = self.shards.shard_of(path)
        return shard.path if shard is not None else f"{FOLDER}/{path.split('/')[1]}.zip"

    def _has_zip(self, archive: str) -> bool:
        if self._there is None:
            self._there = frozenset(zips_in(self._corpus))
        return archive.removeprefix(f"{FOLDER}/") in self._there

    def named(self, path: str) -> str:
        """Where a document lies, for people."""
        if (file := self._file(path)).exists():
            return str(file)
        return f"{name_in_zip(path)} in {self._corpus / self._zip_of(path)}"

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
        self._drop_empty(place.parent)

    def stale(self, portal: str) -> Iterator[tuple[str, str]]:
        """Id and path of every file that is a document of this portal by its name, or a draft of one."""
        for top in (self._corpus / FOLDER, self._corpus / _INVALID):
            for folder, _, names in os.walk(top):
                for name in names:
                    if name.startswith(f"{portal}-") and name.endswith((".xml", ".xml" + _DRAFT)):
                        yield name.removesuffix(_DRAFT).removesuffix(".xml"), (Path(folder) / name).relative_to(self._corpus).as_posix()

    def packed(self) -> Iterator[str]:
        """The paths of all documents in zips."""
        for name in zips_in(self._corpus):
            yield from paths_in(self._corpus / FOLDER / name)

    def _file(self, path: str) -> Path:
        """Raises CorpusError for a path that leads out of the corpus: a database or an index of somebody else may hold any."""
        if not path.startswith((f"{FOLDER}/", f"{_INVALID}/")) or ".." in path.split("/") or "\\" in path or "\0" in path:
            raise CorpusError(f"{path!r} is no place of a document. Delete build.sqlite; `curator build` makes it again.")
        return self._corpus / path

    def _drop_empty(self, folder: Path) -> None:
        while folder != self._corpus:
            try:
                folder.rmdir()
            except OSError:  # it holds something
                return
            folder = folder.parent


def path_of(article: Article) -> str:
    """Where an article's document lies, below the corpus folder: by the day of its publication."""
    return f"{FOLDER}/{article.folder}/{article.id}.xml"


def id_of(path: str) -> str:
    """Of the article whose document has this path."""
    return path.rpartition("/")[2].removesuffix(".xml")


def is_document(path: str) -> bool:
    """Whether that is the path of a document: neither of a draft, nor of one that is not valid."""
    return path.startswith(f"{FOLDER}/") and path.endswith(".xml")


def invalid_path(article: str) -> str:
    """Where a document that is not valid lies, by the id of its article."""
    return f"{_INVALID}/{article}.xml"
