"""watch.sqlite: the drifts that a watch found. All of it can be made again."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Self

from webarticlecurator.databases import DamagedDatabase, connect, transaction
from webarticlecurator.model.drift import FoundDrift

_VERSION = 2
"""Of the tables: where it changes, all is made again."""
_TABLES = f"""
PRAGMA journal_mode = WAL;
BEGIN;
DROP TABLE IF EXISTS pages;
DROP TABLE IF EXISTS drifts;
DROP TABLE IF EXISTS meta;

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
PRAGMA user_version = {_VERSION};
COMMIT;
"""


class WatchDatabase:
    """One watch.sqlite; what cannot be read is made again."""

    def __init__(self, path: Path) -> None:
        try:
            self._db = _opened(path)
        except DamagedDatabase:
            for one in (path, path.with_name(f"{path.name}-wal"), path.with_name(f"{path.name}-shm")):
                one.unlink(missing_ok=True)
            self._db = _opened(path)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._db.close()

    def layouts(self) -> frozenset[str]:
        """Those that have an alarm."""
        return frozenset(layout for (layout,) in self._db.execute("SELECT layout FROM drifts"))

    def rules(self) -> str:
        """Those that the last build's watch looked by."""
        row = self._db.execute("SELECT value FROM meta WHERE name = 'rules'").fetchone()
        return str(row[0]) if row else ""

    def note(self, drifts: Iterable[FoundDrift], *, now: str, instead: bool, rules: str | None = None) -> None:
        """Remember what every build is to tell until the portal file does, and since when it is known; `instead` of all that was known.

        What does no harm, such as classes that are made anew each week, is not.
        """
        known = dict(self._db.execute("SELECT layout || char(10) || url, since FROM drifts"))
        rows = [
            (one.layout or "", one.url, one.day, one.reason, known.get(f"{one.layout or ''}\n{one.url}", now))
            for one in drifts
            if not one.is_harmless
        ]
        with transaction(self._db):
            if instead:
                self._db.execute("DELETE FROM drifts")
            self._db.executemany("INSERT OR REPLACE INTO drifts VALUES (?, ?, ?, ?, ?)", rows)
            if rules is not None:
                self._db.execute("INSERT OR REPLACE INTO meta VALUES ('rules', ?)", (rules,))


def _opened(path: Path) -> sqlite3.Connection:
    db = connect(path)
    try:
        db.execute("PRAGMA synchronous = NORMAL")
        if db.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
            db.executescript(_TABLES)
    except BaseException:
        db.close()
        raise
    return db
