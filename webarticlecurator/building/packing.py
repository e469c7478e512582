"""From files to zips and back: one zip a year, or shards. At any moment a reader finds each document, as it was or as it is."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from hashlib import file_digest
from itertools import islice
from pathlib import Path

from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.building.document_store import DocumentStore, id_of
from webarticlecurator.building.document_zips import FOLDER, paths_in, write_zip
from webarticlecurator.building.options import Form
from webarticlecurator.building.shards import INDEX, MOST, Shard, ShardIndex, digest_of, divided, is_shard
from webarticlecurator.corpus.folder import write_whole

_DRAFT = ".new"
_YEAR = re.compile(r"(\d{4}|undated)\.zip")


@dataclass(slots=True, kw_only=True)
class Packing:
    """Brings the documents of one corpus into the form that a build was asked for."""

    corpus: Path
    portal: str
    database: BuildDatabase
    form: Form
    stopped: Callable[[], bool]
    show: Callable[[int, int], None]
    """Takes how many documents have their place, of how many."""
    lost: list[str] = field(default_factory=list)
    """Documents that cannot be read any more, though they should be there."""

    def unpack(self) -> None:
        """What lies in another packed form than that becomes files, a document each, before anything else is packed."""
        if self.form is not Form.SHARDS and (self.corpus / INDEX).exists():
            self._make_files(self._files(is_shard))
            (self.corpus / INDEX).unlink()
            self._remove(is_shard)
        if self.form is not Form.ZIPS:
            self._make_files(self._files(_is_year))
            self._remove(_is_year)

    def pack(self) -> None:
        """Put documents into the zips that they belong in, and take out what is no document any more."""
        if self.form is Form.ZIPS:
            self._pack_years()
        elif self.form is Form.SHARDS and not self.stopped():
            self._pack_shards()

    def _make_files(self, archives: Iterable[Path]) -> None:
        """But for documents that the database knows to be elsewhere, or gone; of what it does not know they may be all that is left."""
        with closing(DocumentStore(self.corpus)) as store:
            for path in (path for archive in archives for path in paths_in(archive)):
                known = self.database.known(id_of(path))
                document = store.read(path) if known is None or known.path == path else None
                if document is not None and not (self.corpus / path).exists():
                    store.write(path, document)

    # -- one zip a year ---------------------------------------------------------------------------------------------------

    def _pack_years(self) -> None:
        top = self.corpus / FOLDER
        entries = list(top.iterdir()) if top.is_dir() else []
        for year in sorted({entry.stem for entry in entries if entry.is_dir() or _is_year(entry.name)}):
            paths = list(self.database.paths(f"{FOLDER}/{year}"))
            archive = top / f"{year}.zip"
            if not paths:
                archive.unlink(missing_ok=True)
            elif (top / year).is_dir() or paths_in(archive) != paths:
                self._draft(archive, paths)[0].replace(archive)
                self._remove_files(paths)

    # -- shards -----------------------------------------------------------------------------------------------------------

    def _pack_shards(self) -> None:
        self.database.index_paths()
        stretches = list(divided(self.database, self.portal, MOST))
        total, done = sum(one.documents for one in stretches), 0
        loose, old = self._loose_folders(), self._kept_shards()
        all_paths = self.database.paths(FOLDER)
        shards: list[Shard] = []
        packed: list[str] = []
        for stretch in stretches:
            self.show(done, total)
            if self.stopped():
                return
            paths = list(islice(all_paths, stretch.documents))
            files = [path for path in paths if path.rpartition("/")[0] in loose and (self.corpus / path).exists()]
            kept = old.get(digest_of(paths))
            shards += [kept] if kept is not None and not files else self._shard(stretch.label(self.portal), paths)
            packed += files
            done += stretch.documents
        # The one moment in which new shards take the place of old ones.
        write_whole(self.corpus / INDEX, ShardIndex(tuple(shards)).as_json())
        self._remove_files(packed)
        kept_names = {one.file for one in shards}
        self._remove(lambda name: name.endswith(f".zip{_DRAFT}") or (is_shard(name) and name not in kept_names))

    def _shard(self, label: str, paths: list[str]) -> list[Shard]:
        draft, held = self._draft(self.corpus / FOLDER / f"{label}.zip", paths)
        with draft.open("rb") as file:
            digest = file_digest(file, "sha256").hexdigest()
        if not held:
            return []  # all are lost
        place = draft.replace(draft.with_name(f"{label}-{digest[:16]}.zip"))
        return [Shard(place.name, held[0], held[-1], len(held), digest_of(held), place.stat().st_size, digest)]

    def _kept_shards(self) -> dict[str, Shard]:
        """Those that are there, by the digest of the paths of their documents."""
        with closing(DocumentStore(self.corpus)) as store:
            return {one.paths: one for one in store.shards.shards if (self.corpus / one.path).exists()}

    def _loose_folders(self) -> frozenset[str]:
        """Folders below that of the corpus in which documents may lie that are in no zip yet."""
        folders = (Path(folder) for folder, _, names in os.walk(self.corpus / FOLDER) if names)
        return frozenset(folder.relative_to(self.corpus).as_posix() for folder in folders)

    # -- files ------------------------------------------------------------------------------------------------------------

    def _draft(self, place: Path, paths: Iterable[str]) -> tuple[Path, list[str]]:
        """A zip beside its place, and the paths of the documents in it."""
        draft = place.with_name(place.name + _DRAFT)
        held: list[str] = []
        with closing(DocumentStore(self.corpus)) as store:
            write_zip(draft, self._documents(paths, store, held))
        return draft, held

    def _documents(self, paths: Iterable[str], store: DocumentStore, held: list[str]) -> Iterator[tuple[str, bytes]]:
        for path in paths:
            document = store.read(path)
            if document is None:
                self.lost.append(path)
            else:
                held.append(path)
                yield path, document

    def _files(self, wanted: Callable[[str], bool]) -> list[Path]:
        with suppress(FileNotFoundError):
            return sorted(place for place in (self.corpus / FOLDER).iterdir() if wanted(place.name))
        return []

    def _remove(self, wanted: Callable[[str], bool]) -> None:
        for place in self._files(wanted):
            place.unlink()

    def _remove_files(self, paths: Iterable[str]) -> None:
        store = DocumentStore(self.corpus)
        for path in paths:
            store.remove(path)


def _is_year(name: str) -> bool:
    return _YEAR.fullmatch(name) is not None
