"""The databases of a corpus that lies in an object store: fetched whole before they are read, put back whole when they were written.

They lie in a folder on this machine meanwhile. What somebody else wrote in between is never overwritten: that is told.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field
from hashlib import sha256
from pathlib import Path

import orjson
import platformdirs

from webarticlecurator.databases import connect
from webarticlecurator.errors import CorpusError
from webarticlecurator.storage.folders import Changed, Folder, State, StoredFile, folder_at
from webarticlecurator.storage.places import copy_here, url_of

DATABASES = ("ledger.sqlite", "build.sqlite", "analysis.sqlite", "watch.sqlite", "statistics.sqlite", "problems.jsonl")
"""What is fetched of a corpus."""
_BUILD = "build.sqlite"
_NOTES = "in_store.json"
_DRAFT = ".new"
"""Ends the names of files that are being copied, by one process of several here."""
_LONG = 3600
"""Seconds without a byte after which a draft is nobody's."""
_BESIDE = ("-wal", "-shm", "-journal")
"""What SQLite keeps beside a database."""


@dataclass(frozen=True, slots=True)
class _Note:
    """Which file of the store the one here is."""

    version: str
    local: str
    """What the file here looked like when it was that of the store."""


def working_folder(place: Path) -> Path:
    """Where the databases of a corpus in an object store lie on this machine."""
    name = f"{place.name}-{sha256(url_of(place).encode()).hexdigest()[:12]}"
    return Path(platformdirs.user_cache_dir("curator", appauthor=False)) / "corpora" / name


@dataclass(slots=True)
class WorkingCopy:
    """The files here, and which of the store's they are."""

    place: Path
    """The corpus in the store."""
    here: Path
    _fetched: dict[str, _Note] = field(default_factory=dict)
    """As they were when they were fetched: whatever another process here has fetched since is not what was written on."""

    def fetch(self, names: Sequence[str] = DATABASES) -> None:
        """Have what the store has now; what was written here and not put back stays, unless somebody else has written it in the store."""
        store, notes = folder_at(self.place), self._notes()
        for name in names:
            facts, note = store.facts(name), notes.get(name)
            if facts is None:
                if note is not None:
                    _forget(self.here / name)
                    del notes[name]
            elif note is None or note.version != facts.version or not (self.here / name).exists():
                notes[name] = self._fetch(store, facts)
        self._note(notes)
        self._fetched = notes

    def put_back(self, names: Sequence[str]) -> None:
        """Write into the store what was written here since. Raises CorpusError where somebody else has written it meanwhile."""
        store = folder_at(self.place)
        for name in names:
            here, note = self.here / name, self._fetched.get(name)
            if not here.exists() or (note is not None and note.local == _look(here)):
                continue
            try:
                with snapshot(here) as whole:
                    facts = store.put(name, whole, replaces=note.version if note is not None else State.ABSENT)
            except Changed as error:
                raise CorpusError(
                    f"{error} Nothing there was overwritten, and what was made here was not put into the store."
                    " Run the command again: it begins with what is there now."
                ) from None
            self._fetched[name] = _Note(facts.version, _look(here))
            self._note({**self._notes(), name: self._fetched[name]})

    def _fetch(self, store: Folder, facts: StoredFile) -> _Note:
        here, draft = self.here / facts.name, self.here / f"{facts.name}.{os.getpid()}{_DRAFT}"
        self.here.mkdir(parents=True, exist_ok=True)
        _sweep(self.here)
        while True:
            copy_here(self.place / facts.name, draft)
            now = store.facts(facts.name)
            if now is not None and now.version == facts.version and draft.stat().st_size == facts.size:
                break
            if now is None:
                raise CorpusError(f"{url_of(self.place)}/{facts.name} was taken away while it was read. Run the command again.")
            facts = now  # written while it was read: half of the one, half of the other
        _forget(here)
        if facts.name == _BUILD:  # documents here belong to the database that goes
            shutil.rmtree(self.here / "tei", ignore_errors=True)
        draft.replace(here)
        return _Note(facts.version, _look(here))

    def _notes(self) -> dict[str, _Note]:
        try:
            return {name: _Note(**note) for name, note in orjson.loads((self.here / _NOTES).read_bytes()).items()}
        except (OSError, ValueError, TypeError, AttributeError):
            return {}  # everything is fetched again

    def _note(self, notes: dict[str, _Note]) -> None:
        self.here.mkdir(parents=True, exist_ok=True)
        folder_at(self.here).put(_NOTES, orjson.dumps({name: asdict(note) for name, note in notes.items()}))


def _sweep(here: Path) -> None:
    """What killed processes left: nobody has written it for long."""
    for draft in here.glob(f"*{_DRAFT}"):
        with suppress(FileNotFoundError):
            if time.time() - draft.stat().st_mtime > _LONG:
                draft.unlink()


def _look(file: Path) -> str:
    stat = file.stat()
    return f"{stat.st_mtime_ns}-{stat.st_size}"


def _forget(file: Path) -> None:
    for name in (file.name, *(file.name + end for end in _BESIDE)):
        file.with_name(name).unlink(missing_ok=True)


@contextmanager
def snapshot(file: Path) -> Iterator[Path]:
    """A file that nobody writes while it is read; of a database with all that still lies beside it."""
    if file.suffix != ".sqlite":
        yield file
        return
    draft = file.with_name(f"{file.name}.{os.getpid()}{_DRAFT}")
    draft.unlink(missing_ok=True)
    try:
        with closing(connect(file)) as source, closing(connect(draft)) as target:
            source.backup(target)
        yield draft
    finally:
        draft.unlink(missing_ok=True)
