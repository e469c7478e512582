"""The cache of an inventory, `survey.sqlite`: what was counted, on which captures, and what the pages were asked."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import orjson

from webarticlecurator.databases import transaction
from webarticlecurator.errors import CorpusError
from webarticlecurator.survey.counting import store_rows
from webarticlecurator.survey.counting.observations import Observations
from webarticlecurator.survey.counting.store_schema import COUNTED, FORMAT, SCHEMA
from webarticlecurator.survey.stored_page_sample import StoredPage
from webarticlecurator.warc.store import OPEN, find_file

_MOST_KNOWN = 200_000
"""Tags of which is remembered when they were first seen."""
_USELESS = (sqlite3.DatabaseError, ValueError, TypeError, KeyError, IndexError)
"""What reading a store raises that is damaged or of another format."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Notes:
    """What is known of the passes whose counts are stored."""

    format: int = FORMAT
    rules: str = ""
    """Digest of the rules that decide what a pass sees."""
    answered: tuple[str, ...] = ()
    """The selectors that were asked on the pages."""
    ledger: str = ""
    """How the ledger looked when it was asked which pages there are."""
    sample: int | None = None
    of_pages: int = 0
    complete: bool = False
    run: int = 0
    """Counts the inventories that saw other captures than the one before; 0: there is none."""


class SurveyStore:
    """One store, open for one command; nothing is written but by `save`. Raises CorpusError where it cannot be made."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.made_again = False
        """What was there was of no use."""
        try:
            self._open()
            self.notes = self._read_notes()
            self.observations = store_rows.read(self._db)
        except _USELESS as problem:
            if getattr(problem, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY:
                raise CorpusError(f"{path} is in use by another program ({problem}). Close that, then run the command again.") from problem
            self._make_again()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._db.close()

    @property
    def captures(self) -> int:
        """How many were read."""
        return int(self._db.execute("SELECT count(*) FROM captures").fetchone()[0])

    def has_read(self, stored: StoredPage) -> bool:
        """Whether its counts are among those stored."""
        place = _place(stored)
        return self._db.execute("SELECT 1 FROM captures WHERE (file, offset, skip) = (?, ?, ?)", place).fetchone() is not None

    def pages(self, warc: Path) -> Iterator[StoredPage]:
        """What was read, in the order in which it lies. Raises CorpusError where a file is gone."""
        paths: dict[str, Path] = {}
        for file, offset, skip, length, url, listing, year in self._db.execute("SELECT * FROM captures ORDER BY file, offset, skip"):
            fields = {name: tuple(values) for name, values in orjson.loads(listing).items()}
            path = paths.get(file) or paths.setdefault(file, find_file(warc, file))
            yield StoredPage(url=url, path=path, offset=offset, skip=skip, length=length, listing=fields, year=year)

    def new_tags(self) -> frozenset[str]:
        """Those that were first seen in captures that came since the inventory before; none in the first one."""
        if self.notes.run < 2:
            return frozenset()
        return frozenset(tag for (tag,) in self._db.execute("SELECT tag FROM known WHERE run = ?", (self.notes.run,)))

    def save(self, notes: Notes, observations: Observations, read: Iterable[StoredPage], *, afresh: bool) -> None:
        """All at once. `read`: the captures that were read for it, in `afresh` all of them."""
        try:
            with transaction(self._db):
                for table in (*COUNTED, *(["captures"] if afresh else [])):
                    self._db.execute(f"DELETE FROM {table}")
                store_rows.write(observations, self._db)
                self._db.executemany("INSERT OR REPLACE INTO captures VALUES (?, ?, ?, ?, ?, ?, ?)", map(_row, read))
                self._remember_tags(observations, notes.run)
                self._note(notes)
        except sqlite3.OperationalError as problem:
            raise CorpusError(f"{self._path} could not be written ({problem}). Free some space, then run the command again.") from problem
        self.notes, self.observations = notes, observations

    def _note(self, notes: Notes) -> None:
        self._db.execute("INSERT OR REPLACE INTO notes VALUES ('notes', ?)", (orjson.dumps(asdict(notes)),))

    def _remember_tags(self, observations: Observations, run: int) -> None:
        room = _MOST_KNOWN - int(self._db.execute("SELECT count(*) FROM known").fetchone()[0])
        if room > 0:
            self._db.executemany("INSERT OR IGNORE INTO known VALUES (?, ?)", ((tag, run) for tag in list(observations.tag_pages)[:room]))

    def _open(self) -> None:
        is_new = not self._path.exists()
        try:
            self._db = sqlite3.connect(self._path, isolation_level=None)
            if is_new:
                self._db.executescript(f"BEGIN; {SCHEMA} COMMIT;")
                self._note(Notes())
        except sqlite3.OperationalError as problem:
            raise CorpusError(
                f"{self._path} could not be made ({problem}). Is there room, and may you write into that folder?"
            ) from problem

    def _read_notes(self) -> Notes:
        (text,) = self._db.execute("SELECT value FROM notes WHERE name = 'notes'").fetchone()
        told: dict[str, Any] = orjson.loads(text)
        if told.get("format") != FORMAT:
            raise ValueError("another format")
        return Notes(**{**told, "answered": tuple(told["answered"])})

    def _make_again(self) -> None:
        with suppress(AttributeError):
            self._db.close()
        for path in (self._path, *self._path.parent.glob(f"{self._path.name}-*")):
            path.unlink(missing_ok=True)
        self._open()
        self.notes, self.observations = self._read_notes(), Observations()
        self.made_again = True


def _place(stored: StoredPage) -> tuple[str, int, int]:
    return stored.path.name.removesuffix(OPEN), stored.offset, stored.skip


def _row(stored: StoredPage) -> tuple[Any, ...]:
    return (*_place(stored), stored.length, stored.url, orjson.dumps(stored.listing), stored.year)
