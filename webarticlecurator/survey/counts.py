"""What a pass counts: plain numbers by key from whoever reads pages, added up in a temporary database by the one who joins them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from hashlib import blake2b
from typing import Any, NamedTuple

from webarticlecurator.databases import connect, transaction

Key = tuple[str | int, ...]
_CACHE_KIB = 16_384
NO_YEAR = 0
"""A key has no place for nothing."""


class Columns(NamedTuple):
    """A table: its key, and numbers that are added up, or facts that stay as they were first said."""

    key: str
    sums: str = ""
    facts: str = ""
    most: int = 0
    """Rows, beyond which the rarest are forgotten: names and texts are without end."""
    rarest: str = ""
    """Which rows those are, as a condition with a number that grows."""


class Counted:
    """What was counted of some pages: it travels from the processes that read pages to the one that joins."""

    def __init__(self) -> None:
        self.tables: defaultdict[str, dict[Key, list[Any]]] = defaultdict(dict)

    def add(self, table: str, key: Key, *numbers: int) -> None:
        """So many more."""
        row = self.tables[table].get(key)
        if row is None:
            self.tables[table][key] = list(numbers)
        else:
            row[:] = map(int.__add__, row, numbers)

    def note(self, table: str, key: Key, *facts: object) -> None:
        """What is true of this key."""
        self.tables[table].setdefault(key, list(facts))


class Counts:
    """All that was counted, in a temporary file, so that memory does not grow with it."""

    def __init__(self, tables: Mapping[str, Columns]) -> None:
        self._db = connect("")
        self._db.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        self._tables = tables
        self._most = {name: columns.most for name, columns in tables.items() if columns.most}
        self._inserts: dict[str, str] = {}
        for name, columns in tables.items():
            named = ", ".join(filter(None, (columns.key, columns.sums, columns.facts)))
            self._db.execute(f"CREATE TABLE {name} ({named}, PRIMARY KEY ({columns.key})) WITHOUT ROWID")
            sums = ", ".join(f"{one} = {one} + excluded.{one}" for one in filter(None, columns.sums.split(", ")))
            places = ", ".join("?" * len(named.split(", ")))
            self._inserts[name] = f"INSERT INTO {name} VALUES ({places}) ON CONFLICT DO {f'UPDATE SET {sums}' if sums else 'NOTHING'}"

    def close(self) -> None:
        """It is gone then."""
        self._db.close()

    def add(self, counted: Counted) -> None:
        """Take in what was counted of more pages."""
        with transaction(self._db):
            for name, rows in counted.tables.items():
                self._db.executemany(self._inserts[name], ((*key, *values) for key, values in rows.items()))
        for name in self._most.keys() & counted.tables.keys():
            self._forget(name)

    def rows(self, sql: str, *values: object) -> list[tuple[Any, ...]]:
        """The answer to a question."""
        return self._db.execute(sql, values).fetchall()

    def objects(self, sql: str, *values: object) -> list[dict[str, Any]]:
        """The same, with the names of the columns."""
        answer = self._db.execute(sql, values)
        names = [column[0] for column in answer.description]
        return [dict(zip(names, row, strict=True)) for row in answer]

    def number(self, sql: str, *values: object) -> int:
        """The answer where it is one number."""
        return int(self.rows(sql, *values)[0][0] or 0)

    def write(self, script: str) -> None:
        """Make tables of what was counted."""
        self._db.executescript(script)

    def _forget(self, name: str) -> None:
        fewest, left = 1, self.number(f"SELECT count(*) FROM {name}")
        while left > self._most[name]:
            self._db.execute(f"DELETE FROM {name} WHERE {self._tables[name].rarest}", (fewest,))
            fewest, left = 2 * fewest, self.number(f"SELECT count(*) FROM {name}")
        self._most[name] = max(self._most[name], 2 * left)


def hash_of(text: str) -> int:
    """64 bits; the same in every process."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), signed=True)
