"""What the databases of a corpus have in common."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from webarticlecurator.errors import CorpusError

IN_USE = "{path} is in use by another program ({error}). Close that, then run the command again."
_MADE_AGAIN = "{path} cannot be read ({error}). Delete it; `curator build --all` makes it again."


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


def build_database_error(path: Path | str, error: sqlite3.DatabaseError) -> CorpusError:
    """What to do about build.sqlite, which a build can make again: SQLite may lack nothing but patience."""
    sentence = IN_USE if primary_code(error) == sqlite3.SQLITE_BUSY else _MADE_AGAIN
    return CorpusError(sentence.format(path=path, error=error))


def primary_code(error: sqlite3.DatabaseError) -> int:
    """SQLite's own code; 0 where Python found the fault."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF
