"""analysis.sqlite: what was found of each built article, and the clusters of those that say the same. All of it can be made again."""

from __future__ import annotations

import heapq
import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import astuple
from importlib.metadata import version
from pathlib import Path
from threading import Event as Flag
from typing import Any, Self

from webarticlecurator.analysis.clusters import Show, Stopped, clusters_of
from webarticlecurator.analysis.job import Analysed
from webarticlecurator.databases import connect, transaction
from webarticlecurator.errors import CorpusError

_VERSION = 1
CLUSTERS = """
-- The articles that say the same as another, or nearly so.
CREATE TABLE clusters (
    id TEXT PRIMARY KEY,
    place INTEGER NOT NULL,              -- among all articles, the earliest published first
    exact TEXT,                          -- id of the first with the same text
    near TEXT NOT NULL,                  -- id of the first with nearly the same
    similarity REAL NOT NULL             -- to that first one, as estimated
) WITHOUT ROWID;
"""
_TABLES = f"""
CREATE TABLE meta (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;

CREATE TABLE articles (
    id TEXT PRIMARY KEY,
    digest BLOB NOT NULL,                -- of what it was analysed from; empty: the analysis failed
    published TEXT NOT NULL,             -- by which the earliest is found
    language TEXT,
    certainty REAL NOT NULL,
    parts TEXT NOT NULL,                 -- JSON: [[number of a block, its language], ...]
    exact BLOB,                          -- digest of the text
    signature BLOB,                      -- numbers of two bytes
    problem TEXT                         -- why its analysis failed
);
{CLUSTERS}
"""
_CLUSTERED = "clusters are those of the articles"
_METHOD = "method"


def method() -> str:
    """What decides what is found, beside the articles: where that changes, all is made anew."""
    return f"{_VERSION}, py3langid {version('py3langid')}, rensa {version('rensa')}"


class AnalysisDatabase:
    """One analysis.sqlite that is written."""

    def __init__(self, path: Path) -> None:
        self._db = connect(path)
        try:
            self._db.execute("PRAGMA synchronous = NORMAL")
            if not is_current(self._db):
                self._make()
        except CorpusError:
            self._db.close()
            raise

    def _make(self) -> None:
        old = self._db.execute("SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")
        drops = "".join([f'DROP {type_} "{name}"; ' for type_, name in old.fetchall()])
        self._db.executescript(f"PRAGMA journal_mode = WAL; BEGIN; {drops}{_TABLES} PRAGMA user_version = {_VERSION}; COMMIT;")
        self._note(_METHOD, method())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._db.close()

    def transaction(self) -> AbstractContextManager[None]:
        """All or nothing."""
        return transaction(self._db)

    def put(self, found: Iterable[Analysed]) -> None:
        with self.transaction():
            self._note(_CLUSTERED, "no")
            self._db.executemany("INSERT OR REPLACE INTO articles VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", map(astuple, found))

    def forget(self, ids: Iterable[str]) -> None:
        with self.transaction():
            self._note(_CLUSTERED, "no")
            self._db.executemany("DELETE FROM articles WHERE id = ?", [(one,) for one in ids])

    def cluster(self, stop: Flag, show: Show) -> bool:
        """Make the clusters anew; False where that was stopped, and nothing changed."""
        try:
            with self.transaction():
                self._db.execute("DELETE FROM clusters")
                write_clusters(self._db, [self._db], stop, show)
                self._note(_CLUSTERED, "yes")
        except Stopped:
            return False
        return True

    def _note(self, name: str, value: str) -> None:
        self._db.execute("INSERT INTO meta VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value", (name, value))


def is_current(db: sqlite3.Connection) -> bool:
    """Whether this version of curator made it, by the same means."""
    return db.execute("PRAGMA user_version").fetchone() == (_VERSION,) and _noted(db, _METHOD) == method()


def is_clustered(db: sqlite3.Connection) -> bool:
    return _noted(db, _CLUSTERED) == "yes"


def _noted(db: sqlite3.Connection, name: str) -> str | None:
    row = db.execute("SELECT value FROM meta WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else None


def opened(path: Path) -> sqlite3.Connection:
    """Only to be read."""
    return connect(path, read_only=True)


def write_clusters(
    target: sqlite3.Connection, sources: Sequence[sqlite3.Connection], stop: Flag | None = None, show: Show | None = None
) -> None:
    """The clusters of all articles of these databases together. Raises Stopped."""
    texts = ((exact, signature) for *_, exact, signature in _in_order(sources, "exact", "signature"))
    names = enumerate(article for _, article in _in_order(sources))
    firsts: dict[int, str] = {}

    def rows() -> Iterator[tuple[object, ...]]:
        for member in clusters_of(texts, stop, show):
            name = next(name for number, name in names if number == member.number)
            if member.number in (member.exact, member.near):
                firsts[member.number] = name
            exact = None if member.exact is None else firsts[member.exact]
            yield name, member.number, exact, firsts[member.near], member.similarity

    target.executemany("INSERT OR IGNORE INTO clusters VALUES (?, ?, ?, ?, ?)", rows())


def _in_order(sources: Sequence[sqlite3.Connection], *further: str) -> Iterator[tuple[Any, ...]]:
    """All articles: when they were published, and their ids; the earliest first."""
    columns = ", ".join(("published", "id", *further))
    rows = (source.execute(f"SELECT {columns} FROM articles ORDER BY published, id") for source in sources)
    return heapq.merge(*rows, key=lambda row: row[:2])
