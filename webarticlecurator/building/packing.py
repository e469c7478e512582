"""From files to zips and back: one zip a year, or shards. At any moment a reader finds each document, as it was or as it is."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from hashlib import file_digest
from itertools import groupby, islice
from pathlib import Path

from webarticlecurator.building.database import BuildDatabase
from webarticlecurator.building.document_store import DocumentStore, id_of
from webarticlecurator.building.document_zips import FOLDER, paths_in, write_zip, zips_in
from webarticlecurator.building.options import Form
from webarticlecurator.building.shards import INDEX, MOST, Shard, ShardIndex, digest_of, divided, is_shard
from webarticlecurator.corpus.folder import Corpus, write_whole
from webarticlecurator.storage.places import sync_folder

_DRAFT = ".new"
_YEAR = re.compile(r"(\d{4}|undated)\.zip")


def present_form(corpus: Corpus) -> Form:
    """How the documents of a corpus lie."""
    if (corpus.folder / FOLDER / INDEX).exists():
        return Form.SHARDS
    return Form.ZIPS if any(map(_is_year, zips_in(corpus.folder))) else Form.FILES


@dataclass(slots=True, kw_only=True)
class Packing:
    """Brings the documents of one corpus into the form that a build was asked for."""

    corpus: Corpus
    portal: str
    database: BuildDatabase
    form: Form
    stopped: Callable[[], bool]
    show: Callable[[int, int], None]
    """Takes how many documents have their place, of how many."""
    lost: list[str] = field(default_factory=list)
    """Documents that cannot be read any more, though they should be there."""

    @property
    def _here(self) -> Path:
        """The folder of the documents."""
        return self.corpus.folder / FOLDER

    @property
    def _index(self) -> Path:
        """Of the shards."""
        return self._here / INDEX

    def unpack(self) -> None:
        """What lies in another packed form than that becomes files, a document each, before anything else is packed."""
        if self.form is not Form.SHARDS and self._index.exists() and self._make_files(is_shard):
            self._index.unlink()
            self._remove_zips(is_shard)
        if self.form is not Form.ZIPS and self._make_files(_is_year):
            self._remove_zips(_is_year)

    def pack(self) -> None:
        """Put documents into the zips that they belong in, and take out what is no document any more."""
        if self.form is Form.ZIPS and not self._index.exists():  # else it was stopped before all of them were files
            self._pack_years()
        elif self.form is Form.SHARDS and not self.stopped():
            self._pack_shards()

    def _make_files(self, wanted: Callable[[str], bool]) -> bool:
        """All that is in these zips, unless a person stops it.

        But for documents that the database knows to be elsewhere, or gone; of what it does not know they may be all that is left.
        """
        done, total = 0, sum(documents for _, documents in self.database.document_folders(FOLDER))
        with closing(DocumentStore(self.corpus.folder)) as store:
            for name in self._zips(wanted):
                self.show(done, total)
                if self.stopped():
                    return False
                paths = paths_in(self._here / name)
                for path in paths:
                    known = self.database.known(id_of(path))
                    document = store.read(path) if known is None or known.path == path else None
                    if document is not None and not (self.corpus.folder / path).exists():
                        store.write(path, document)
                done = min(done + len(paths), total)
        return True

    # -- one zip a year ---------------------------------------------------------------------------------------------------

    def _pack_years(self) -> None:
        top = self._here
        entries = list(top.iterdir()) if top.is_dir() else []
        for year in sorted({entry.stem for entry in entries if entry.is_dir() or _is_year(entry.name)}):
            paths = list(self.database.paths(f"{FOLDER}/{year}"))
            archive = top / f"{year}.zip"
            if not paths:
                archive.unlink(missing_ok=True)
            elif (top / year).is_dir() or paths_in(archive) != paths:
                with closing(DocumentStore(self.corpus.folder)) as store:
                    draft, _ = self._draft(archive.name, paths, store)
                draft.replace(archive)  # only now: the store had it open
                sync_folder(top)
                self._remove_files(paths)

    # -- shards -----------------------------------------------------------------------------------------------------------

    def _pack_shards(self) -> None:
        with closing(DocumentStore(self.corpus.folder)) as store:
            packed = self._shards(store)
        if packed is None:
            return
        shards, loose = packed
        # The one moment in which new shards take the place of old ones.
        write_whole(self._index, ShardIndex(shards).as_json())
        for folder in sorted(loose):
            self._remove_files(self.database.paths(folder))
        kept_names = {one.file for one in shards}
        self._remove_zips(lambda name: is_shard(name) and name not in kept_names)
        for draft in self._here.glob(f"*.zip{_DRAFT}"):
            draft.unlink()

    def _shards(self, store: DocumentStore) -> tuple[tuple[Shard, ...], set[str]] | None:
        """All that there have to be, and the folders of files that went into them; None where a person stops it."""
        there = frozenset(self._zips(is_shard))
        old = {one.paths: one for one in store.shards.shards if one.file in there}
        self.database.index_paths()
        stretches = list(divided(self.database, self.portal, MOST))
        total = sum(one.documents for one in stretches)
        all_paths = self.database.paths(FOLDER)
        shards: list[Shard] = []
        loose: set[str] = set()
        done = 0
        for stretch in stretches:
            self.show(done, total)
            if self.stopped():
                return None
            paths = list(islice(all_paths, stretch.documents))
            files = frozenset(self._folders_with_files(paths))
            kept = old.get(digest_of(paths))
            shards += [kept] if kept is not None and not files else self._shard(stretch.label(self.portal), paths, store)
            loose |= files
            done += stretch.documents
        return tuple(shards), loose

    def _shard(self, label: str, paths: list[str], store: DocumentStore) -> list[Shard]:
        """One that holds these documents; none where all of them are lost."""
        draft, held = self._draft(f"{label}.zip", paths, store)
        if not held:
            return []
        with draft.open("rb") as file:
            digest = file_digest(file, "sha256").hexdigest()
        shard = Shard(f"{label}-{digest[:16]}.zip", held[0], held[-1], len(held), digest_of(held), draft.stat().st_size, digest)
        draft.replace(self._here / shard.file)
        return [shard]

    def _folders_with_files(self, paths: Iterable[str]) -> Iterator[str]:
        """Folders in which some of these documents, given in their order, are files and perhaps in no zip yet."""
        for folder, inside in groupby(paths, lambda path: path.rpartition("/")[0]):
            if (self.corpus.folder / folder).is_dir() and any((self.corpus.folder / path).exists() for path in inside):
                yield folder

    # -- files ------------------------------------------------------------------------------------------------------------

    def _draft(self, name: str, paths: Iterable[str], store: DocumentStore) -> tuple[Path, list[str]]:
        """A zip that has no place yet, and the paths of the documents in it."""
        draft = self._here / (name + _DRAFT)
        draft.parent.mkdir(parents=True, exist_ok=True)
        held: list[str] = []
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

    def _zips(self, wanted: Callable[[str], bool]) -> list[str]:
        return [name for name in zips_in(self.corpus.folder) if wanted(name)]

    def _remove_zips(self, wanted: Callable[[str], bool]) -> None:
        for name in self._zips(wanted):
            (self._here / name).unlink()

    def _remove_files(self, paths: Iterable[str]) -> None:
        """Of documents that the database knows to be there: now they are in a zip. Others may be all that is left of their articles."""
        store = DocumentStore(self.corpus.folder)
        for path in paths:
            store.remove(path)


def _is_year(name: str) -> bool:
    return _YEAR.fullmatch(name) is not None
