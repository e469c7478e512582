"""Two ledgers compared: every table, every row, every column."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any


def tables(ledger: Path) -> dict[str, list[dict[str, Any]]]:
    """All that a ledger holds: table -> rows in the order of their keys."""
    with closing(sqlite3.connect(ledger)) as connection:
        connection.row_factory = sqlite3.Row
        names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name")]
        found = {}
        for name in names:
            keys = ", ".join(row["name"] for row in connection.execute(f"PRAGMA table_info({name})") if row["pk"])
            found[name] = [dict(row) for row in connection.execute(f"SELECT * FROM {name} ORDER BY {keys}")]
        return found


def differences(one: Path, other: Path) -> list[str]:
    """What two ledgers do not have in common, as a person would want to read it; empty: they are equal."""
    ours, theirs = tables(one), tables(other)
    found = [f"table {name} is only in one of them" for name in ours.keys() ^ theirs.keys()]
    for name in sorted(ours.keys() & theirs.keys()):
        if len(ours[name]) != len(theirs[name]):
            found.append(f"{name}: {len(ours[name])} rows, {len(theirs[name])} rows")
        found += [
            f"{name}.{column}: {row[column]!r}, {other_row[column]!r} (row {row})"
            for row, other_row in zip(ours[name], theirs[name], strict=False)
            for column in row
            if row[column] != other_row[column]
        ]
    return found


@contextmanager
def changed_by_hand(database: Path) -> Iterator[sqlite3.Connection]:
    """A database of a corpus into which a person writes, who takes its seal away."""
    with closing(sqlite3.connect(database, isolation_level=None)) as opened:
        opened.execute("PRAGMA application_id = 0")
        yield opened
