"""watch.sqlite: what the watch has seen of the pages of articles, and the drifts that it found. All of it can be made again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple, Self

from webarticlecurator.databases import DamagedDatabase, connect, transaction
from webarticlecurator.version import VERSION
from webarticlecurator.watching.page_facts import PageFacts

_VERSION = 1
"""Of the tables, and of what page facts are: where it changes, all is made again."""
_MADE_BY = "made by"
_TABLES = """
-- What the pages of some articles show.
CREATE TABLE pages (
    id TEXT PRIMARY KEY,
    state TEXT NOT NULL,                 -- of the article when its page was looked at: where that changes, it is looked at again
    facts BLOB                           -- NULL: its page cannot be read
) WITHOUT ROWID;

-- What needs a human, as in problems.jsonl.
CREATE TABLE drifts (
    layout TEXT NOT NULL,                -- of the portal file; "": the base rules
    url TEXT NOT NULL,                   -- of the first article
    day TEXT NOT NULL,
    reason TEXT NOT NULL,
    since TEXT NOT NULL,                 -- when it was found
    PRIMARY KEY (layout, url)
) WITHOUT ROWID;

CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
"""


class StoredDrift(NamedTuple):
    """What is remembered of a drift."""

    layout: str
    url: str
    day: str
    reason: str


class WatchDatabase:
    """One watch.sqlite; what cannot be read is made again."""

    def __init__(self, path: Path) -> None:
        try:
            self._db = _opened(path)
        except DamagedDatabase:
            for one in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
                one.unlink(missing_ok=True)
            self._db = _opened(path)
        if self.noted(_MADE_BY) != VERSION:  # which may see other features in a page
            self.keep_only(())
            self.note(_MADE_BY, VERSION)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._db.close()

    def states(self) -> dict[str, str]:
        """Of the articles whose pages were looked at."""
        return dict(self._db.execute("SELECT id, state FROM pages"))

    def facts(self, article: str) -> PageFacts | None:
        row = self._db.execute("SELECT facts FROM pages WHERE id = ?", (article,)).fetchone()
        return PageFacts.unpacked(row[0]) if row and row[0] is not None else None

    def put(self, seen: Iterable[tuple[str, str, PageFacts | None]]) -> None:
        """Articles, each with its state and what its page shows."""
        rows = [(article, state, None if facts is None else facts.packed()) for article, state, facts in seen]
        with transaction(self._db):
            self._db.executemany("INSERT OR REPLACE INTO pages VALUES (?, ?, ?)", rows)

    def keep_only(self, articles: Iterable[str]) -> None:
        """Forget what is seen of all others."""
        wanted = frozenset(articles)
        with transaction(self._db):
            self._db.executemany("DELETE FROM pages WHERE id = ?", [(one,) for one in self.states() if one not in wanted])

    def drifts(self) -> tuple[StoredDrift, ...]:
        return tuple(StoredDrift(*row) for row in self._db.execute("SELECT layout, url, day, reason FROM drifts ORDER BY day, url"))

    def note_drifts(self, drifts: Iterable[StoredDrift], *, now: str, instead: bool) -> None:
        """Remember them, since when they are known; `instead` of all that were remembered."""
        known = dict(self._db.execute("SELECT layout || char(10) || url, since FROM drifts"))
        with transaction(self._db):
            if instead:
                self._db.execute("DELETE FROM drifts")
            rows = [(*one, known.get(f"{one.layout}\n{one.url}", now)) for one in drifts]
            self._db.executemany("INSERT OR REPLACE INTO drifts VALUES (?, ?, ?, ?, ?)", rows)

    def noted(self, name: str) -> str:
        row = self._db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
        return str(row[0]) if row else ""

    def note(self, name: str, value: str) -> None:
        """Keep a word."""
        self._db.execute("INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", (name, value))


def _opened(path: Path) -> sqlite3.Connection:
    db = connect(path)
    try:
        db.execute("PRAGMA synchronous = NORMAL")
        if db.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
            old = db.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'").fetchall()
            drops = "".join(f'DROP TABLE "{name}"; ' for (name,) in old)
            db.executescript(f"PRAGMA journal_mode = WAL; BEGIN; {drops}{_TABLES} PRAGMA user_version = {_VERSION}; COMMIT;")
    except BaseException:
        db.close()
        raise
    return db
