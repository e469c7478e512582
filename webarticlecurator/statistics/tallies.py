"""Counts of what nobody bounds (authors, keywords, moments): exact, in a temporary file, so that memory does not grow with the corpus."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

from webarticlecurator.databases import connect

_CACHE_KIB = 4_096
_BATCH = 2_000
_LONGEST = 500
"""Characters of a name: what a page tells may be of any length."""
_TABLES = f"""
PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -{_CACHE_KIB};
CREATE TABLE seen (kind TEXT, name TEXT, day TEXT, url TEXT, id TEXT, text TEXT);
"""
_GROUPED = """
    CREATE TABLE tallies AS SELECT kind, name, count(*) AS articles, min(day) AS first, max(day) AS last, min(url) AS url
        FROM seen GROUP BY kind, name;
    CREATE INDEX tallies_order ON tallies (kind, articles DESC, name);
    CREATE INDEX seen_name ON seen (kind, name);
"""


class Tallies:
    """Of each kind and name: how many articles, when first and last, and examples."""

    def __init__(self) -> None:
        self._db = connect("")
        self._db.executescript(_TABLES)
        self._waiting: list[tuple[Any, ...]] = []
        self._grouped = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._db.close()

    def add(self, kind: str, name: str, day: str | None, url: str, id: str, *, text: str = "") -> None:
        """One article has it."""
        self._waiting.append((kind, name[:_LONGEST], day, url, id, text))
        if len(self._waiting) >= _BATCH:
            self._write()

    def rows(self, sql: str, values: Sequence[object] = ()) -> Iterator[tuple[Any, ...]]:
        """A question to the tables `tallies` and `seen`; nothing is added any more."""
        if not self._grouped:
            self._write()
            self._db.executescript(_GROUPED)
            self._grouped = True
        yield from self._db.execute(sql, values)

    def _write(self) -> None:
        self._db.executemany("INSERT INTO seen VALUES (?, ?, ?, ?, ?, ?)", self._waiting)
        self._waiting.clear()
