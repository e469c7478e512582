"""The databases of a corpus: how they are opened, and what their troubles are told as.

Each is a `Database`, so whatever is asked of it later: that its disk is full, that it is locked or damaged comes as a sentence with what
to do, and nobody has to think of that where he asks.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from pathlib import Path
from typing import Any, TypeVar, cast

import orjson
import zstandard

from webarticlecurator.errors import CorpusError

Method = TypeVar("Method", bound=Callable[..., Any])

REMEDIES: Mapping[str, tuple[str, str | None]] = {
    "ledger.sqlite": ("It can be made again from the WARC files.", "index"),
    "build.sqlite": ("Delete build.sqlite, and build again.", "rebuild"),
    "analysis.sqlite": ("Delete analysis.sqlite; it is made again when it is needed.", None),
}
"""The name of a database -> what to do where it is damaged, and the advice of the command line."""
_NO_ROOM = frozenset(
    {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR, sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM},
)
"""SQLite's primary result codes."""
_NO_TEXT = "Could not decode to UTF-8"
"""What Python says of a column whose bytes are no text; it has no code."""


def damaged(paths: Sequence[Path], reason: str) -> CorpusError:
    """That its bytes are not what was written, and what to do about it; of several, each may be the one."""
    remedies = [REMEDIES.get(path.name, (f"Delete {path.name}, and run the command again.", None)) for path in paths]
    sentence = f"{' or '.join(map(str, paths))} is damaged ({reason}). {' '.join(remedy for remedy, _ in remedies)}"
    return CorpusError(sentence, advice=next((advice for _, advice in remedies if advice), None))


def _explained(error: sqlite3.DatabaseError, paths: Sequence[Path]) -> Exception:
    """The trouble with one of these files, as a sentence; the error itself where it is a fault of this program."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # 0 where Python found it
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT) or str(error).startswith(_NO_TEXT):
        return damaged(paths, str(error))
    names = " or ".join(map(str, paths)) or "A temporary file (SQLITE_TMPDIR names the folder for it)"
    if code == sqlite3.SQLITE_BUSY:
        return CorpusError(f"{names} is in use by another program ({error}). Close that, then run the command again.")
    if code in _NO_ROOM:
        look = "look at the disk's free space and the permissions of the folder, then run the command again"
        return CorpusError(f"{names} cannot be read or written ({error}). Nothing that was stored is lost: {look}.")
    return error


def _explaining(method: Method) -> Method:
    """Of a cursor: SQLite does not say of which file a trouble is, and several are open at a time."""

    @wraps(method)
    def asked(cursor: Any, /, *values: Any) -> Any:
        try:
            return method(cursor, *values)
        except sqlite3.DatabaseError as error:
            raise _explained(error, cursor.connection.paths) from None

    return cast(Method, asked)


class _Cursor(sqlite3.Cursor):
    execute = _explaining(sqlite3.Cursor.execute)
    executemany = _explaining(sqlite3.Cursor.executemany)
    executescript = _explaining(sqlite3.Cursor.executescript)
    fetchone = _explaining(sqlite3.Cursor.fetchone)
    fetchall = _explaining(sqlite3.Cursor.fetchall)
    __next__ = _explaining(sqlite3.Cursor.__next__)


class Database(sqlite3.Connection):
    """A connection whose troubles are told."""

    paths: tuple[Path, ...] = ()
    """Its file, and those beside it."""

    def attach(self, path: Path, name: str) -> None:
        """Another database beside it, only to be read."""
        own, self.paths = self.paths, (path,)
        self.execute(f"ATTACH ? AS {name}", (read_only_uri(path),))
        self.paths = (*own, path)

    def execute(self, *asked: Any) -> sqlite3.Cursor:
        return self.cursor(_Cursor).execute(*asked)

    def executemany(self, *asked: Any) -> sqlite3.Cursor:
        return self.cursor(_Cursor).executemany(*asked)

    def executescript(self, *asked: Any) -> sqlite3.Cursor:
        return self.cursor(_Cursor).executescript(*asked)


def connect(path: Path | str, *, read_only: bool = False) -> Database:
    """Open a database; each statement is a transaction of its own.

    An empty name is a temporary file, gone when it is closed: for what would grow in memory. Such a one, and what is only read, any
    thread may ask, one at a time.
    """
    uri = read_only_uri(Path(path)) if read_only else Path(path).absolute().as_uri() if isinstance(path, Path) else path
    paths = (path,) if isinstance(path, Path) else ()
    try:
        database = sqlite3.connect(uri, uri=True, isolation_level=None, check_same_thread=bool(paths) and not read_only, factory=Database)
    except sqlite3.DatabaseError as error:
        raise _explained(error, paths) from None
    database.paths = paths
    return database


def make_again(database: Database, tables: str, version: int) -> None:
    """Empty, whatever another version of curator had in it."""
    old = database.execute("SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'")
    drops = "".join([f'DROP {type_} "{name}"; ' for type_, name in old.fetchall()])
    database.executescript(f"PRAGMA journal_mode = WAL; BEGIN; {drops}{tables} PRAGMA user_version = {version}; COMMIT;")


def unpack(packed: bytes, database: str) -> bytes:
    """What zstandard packed, with a checksum: SQLite has none, and a disk may give back other bytes than it was given.

    `database` is the name of the file that holds it.
    """
    try:
        return zstandard.decompress(packed)
    except zstandard.ZstdError as error:
        raise damaged((Path(database),), str(error)) from error


class Row(dict[str, Any]):
    """What a query says of one thing: `row.articles` is `row["articles"]`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def rows_of(answer: sqlite3.Cursor) -> Iterator[Row]:
    """By the names of its columns: one with a question mark says yes or no, one with brackets is a list."""
    columns = [(name.rstrip("?[]"), {"?": bool, "]": orjson.loads}.get(name[-1])) for name, *_ in answer.description]
    for values in answer:
        yield Row((name, read(value) if read else value) for (name, read), value in zip(columns, values, strict=True))


@contextmanager
def transaction(db: sqlite3.Connection) -> Iterator[None]:
    """All or nothing; for connections that begin none by themselves (`isolation_level=None`)."""
    db.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if db.in_transaction:  # a disk that is full has ended it already
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
