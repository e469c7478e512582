"""SQLite's troubles with a ledger, as sentences that say what to do."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from webarticlecurator.databases import IN_USE, primary_code
from webarticlecurator.errors import CorpusError

_DAMAGED = "{path} is damaged ({error}). `curator warc index` makes it again from the WARC files."
_NOT_WRITTEN = (
    "{path} cannot be read or written ({error}). Nothing that was stored is lost: look at the disk's free space and the permissions"
    " of the folder, then run the command again."
)
_SENTENCES = {
    sqlite3.SQLITE_CORRUPT: _DAMAGED,
    sqlite3.SQLITE_NOTADB: _DAMAGED,
    sqlite3.SQLITE_FORMAT: _DAMAGED,
    sqlite3.SQLITE_FULL: _NOT_WRITTEN,
    sqlite3.SQLITE_IOERR: _NOT_WRITTEN,
    sqlite3.SQLITE_READONLY: _NOT_WRITTEN,
    sqlite3.SQLITE_CANTOPEN: _NOT_WRITTEN,
    sqlite3.SQLITE_PERM: _NOT_WRITTEN,
    sqlite3.SQLITE_BUSY: IN_USE,
}
"""SQLite's primary result code -> sentence. Other codes are faults of this program and stay what they are."""


@contextmanager
def explained_errors(path: Path) -> Iterator[None]:
    """Turn SQLite's troubles with that file into sentences."""
    try:
        yield
    except sqlite3.DatabaseError as error:
        sentence = _SENTENCES.get(primary_code(error))
        if sentence is None:
            raise
        raise CorpusError(sentence.format(path=path, error=error)) from error
