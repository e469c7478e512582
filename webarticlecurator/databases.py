"""What the databases of a corpus have in common."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from webarticlecurator.errors import CorpusError

_NOT_WRITTEN = (
    "{path} cannot be read or written ({error}). Nothing that was stored is lost: look at the disk's free space and the permissions"
    " of the folder, then run the command again."
)
NOT_WRITTEN = {
    sqlite3.SQLITE_FULL: _NOT_WRITTEN,
    sqlite3.SQLITE_IOERR: _NOT_WRITTEN,
    sqlite3.SQLITE_READONLY: _NOT_WRITTEN,
    sqlite3.SQLITE_CANTOPEN: _NOT_WRITTEN,
    sqlite3.SQLITE_PERM: _NOT_WRITTEN,
    sqlite3.SQLITE_BUSY: "{path} is in use by another program ({error}). Close that, then run the command again.",
}
"""SQLite's primary result code -> what to do about it, where the database itself is well."""
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


@contextmanager
def explained(path: Path, sentences: Mapping[int, str] = NOT_WRITTEN) -> Iterator[None]:
    """Turn SQLite's troubles with that file into sentences; other codes are faults of this program and stay what they are."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        sentence = sentences.get(_primary_code(error))
        if sentence is None:
            raise
        raise CorpusError(sentence.format(path=path, error=error)) from error


def build_database_error(path: Path | str, error: sqlite3.DatabaseError) -> CorpusError:
    """What to do about a build.sqlite that does not open: a build can make it again, but SQLite may lack nothing but room, or patience."""
    return CorpusError(NOT_WRITTEN.get(_primary_code(error), _MADE_AGAIN).format(path=path, error=error))


def _primary_code(error: sqlite3.DatabaseError) -> int:
    """SQLite's own; 0 where Python found the fault."""
    return getattr(error, "sqlite_errorcode", 0) & 0xFF


def read_only_uri(path: Path) -> str:
    """What opens a database only to be read.

    SQLite makes files beside a database even to read it. Where the folder takes none the database cannot change either, so it is read
    without them; but not while a -wal file holds something, since that would be missed.
    """
    wal = path.with_name(f"{path.name}-wal")
    unchanging = not os.access(path.parent, os.W_OK) and not (wal.exists() and wal.stat().st_size)
    return f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if unchanging else ''}"
