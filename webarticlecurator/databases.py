"""What the databases of a corpus have in common."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All or nothing; for connections that begin none by themselves (`isolation_level=None`)."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        db.execute("ROLLBACK")
        raise
    db.execute("COMMIT")


def read_only_uri(path: Path) -> str:
    """What opens a database only to be read.

    SQLite makes files beside a database even to read it. Where the folder takes none the database cannot change either, so it is read
    without them; but not while a -wal file holds something, since that would be missed.
    """
    wal = path.with_name(f"{path.name}-wal")
    unchanging = not os.access(path.parent, os.W_OK) and not (wal.exists() and wal.stat().st_size)
    return f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if unchanging else ''}"
