"""SQLite's troubles with a ledger, as sentences that say what to do."""

from __future__ import annotations

import sqlite3
from contextlib import AbstractContextManager
from pathlib import Path

from webarticlecurator.databases import NOT_WRITTEN, explained

_DAMAGED = "{path} is damaged ({error}). `curator warc index` makes it again from the WARC files."
_SENTENCES = {sqlite3.SQLITE_CORRUPT: _DAMAGED, sqlite3.SQLITE_NOTADB: _DAMAGED, sqlite3.SQLITE_FORMAT: _DAMAGED, **NOT_WRITTEN}


def explained_errors(path: Path) -> AbstractContextManager[None]:
    """Turn them into sentences."""
    return explained(path, _SENTENCES)
