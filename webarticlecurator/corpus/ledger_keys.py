"""How rows of the ledger are found by a text: a hash in the index, and the text itself to be sure."""

from __future__ import annotations

import sqlite3
from hashlib import blake2b


def key_of(text: str) -> int:
    """64 bits of a hash, as SQLite's signed integer; whoever finds a row by it compares the text as well."""
    return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), signed=True)


def find_url(db: sqlite3.Connection, url: str) -> int | None:
    """The row of a URL."""
    rows = db.execute("SELECT id, url FROM urls WHERE key = ?", (key_of(url),))
    return next((row_id for row_id, stored in rows if stored == url), None)
