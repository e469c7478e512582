"""The databases of a corpus: how they are opened, and what their troubles are told as.

Each is a `Database`, so whatever is asked of it later: that its disk is full, that it is locked or damaged
comes as a sentence with what to do, and nobody has to think of that where he asks.

SQLite notes no checksums, so a byte that a disk gives back wrongly may be an address or an outcome like any
other. Whoever wrote a database of a corpus and is the last to close it therefore seals it: the file's
checksum stands in the four bytes that SQLite leaves to programs. Whoever opens it next compares the two.
While somebody writes there is no seal, nor after a crash: then SQLite alone tells of damage.
"""

from __future__ import annotations

import os
import sqlite3
import time
import zlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager, suppress
from functools import lru_cache, wraps
from pathlib import Path
from typing import Any, TypeVar, cast
from weakref import WeakSet

import orjson
import zstandard

from webarticlecurator.errors import CorpusError, DatabaseDamaged

Method = TypeVar("Method", bound=Callable[..., Any])

REMEDIES: Mapping[str, tuple[str, str | None]] = {
    "ledger.sqlite": ("It can be made again from the WARC files.", "index"),
    "build.sqlite": ("Delete build.sqlite, and build again.", "rebuild"),
    "analysis.sqlite": ("Delete analysis.sqlite; it is made again when it is needed.", None),
    "survey.sqlite": ("Delete survey.sqlite; it is made again when it is needed.", None),
}
"""The name of a database -> what to do where it is damaged, and the advice of the command line.

These have seals.
"""
_SEAL = slice(68, 72)
"""The place in a file of SQLite of its `application_id`: 0 in one that has no seal."""
_PIECE = 1 << 20
_open: Counter[Path] = Counter()
"""The number of times that this process has each database open.

As long as it has, nobody may open the file past SQLite: when that is closed, the system lets go of the locks,
too.
"""
_NO_ROOM = frozenset(
    {
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PERM,
    },
)
"""The primary result codes of SQLite for a file that cannot be read or written."""
_NO_TEXT = "Could not decode to UTF-8"
"""The beginning of Python's error for a column whose bytes are no text; it has no code."""


def damaged(paths: Sequence[Path], reason: str) -> CorpusError:
    """Return the error that a file's bytes are not what was written, and what to do about it; of several
    files, each may be the one."""
    remedies = [
        REMEDIES.get(path.name, (f"Delete {path.name}, and run the command again.", None)) for path in paths
    ]
    sentence = (
        f"{' or '.join(map(str, paths))} is damaged ({reason}). {' '.join(remedy for remedy, _ in remedies)}"
    )
    return DatabaseDamaged(sentence, advice=next((advice for _, advice in remedies if advice), None))


def remove_damaged(path: Path) -> None:
    """Delete a database that is damaged; a whole one stays."""
    if not path.exists():
        return
    try:
        with closing(connect(path, read_only=True)) as database:
            is_whole = database.execute("PRAGMA quick_check(1)").fetchone() == ("ok",)
    except DatabaseDamaged:
        is_whole = False
    if not is_whole:
        remove(path)


def remove(path: Path) -> None:
    """Delete a database, and what SQLite has beside it."""
    for ending in ("", "-wal", "-shm"):
        Path(f"{path}{ending}").unlink(missing_ok=True)


def _explained(error: sqlite3.DatabaseError, paths: Sequence[Path]) -> Exception:
    """The trouble with one of these files, as a sentence; the error itself where it is a fault of this
    program."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # 0 where Python found it
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT) or str(
        error
    ).startswith(_NO_TEXT):
        return damaged(paths, str(error))
    names = " or ".join(map(str, paths)) or "A temporary file (SQLITE_TMPDIR names the folder for it)"
    if code == sqlite3.SQLITE_BUSY:
        return CorpusError(
            f"{names} is in use by another program ({error}). Close that, then run the command again."
        )
    if code in _NO_ROOM:
        look = "look at the disk's free space and the permissions of the folder, then run the command again"
        return CorpusError(
            f"{names} cannot be read or written ({error}). Nothing that was stored is lost: {look}."
        )
    return error


def _explaining(method: Method) -> Method:
    """Return a method of a cursor that explains errors: SQLite does not say of which file a trouble is, and
    several are open at a time."""

    @wraps(method)
    def asked(cursor: Any, /, *values: Any) -> Any:
        try:
            return method(cursor, *values)
        except sqlite3.DatabaseError as error:
            raise _explained(error, cursor.connection.paths) from None
        except UnicodeDecodeError as error:  # an error of SQLite that names what is no text
            raise damaged(cursor.connection.paths, str(error)) from None

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
    """The database's file, and those beside it."""
    unsealed: tuple[Path, ...] = ()
    """The files among these that had no seal: their values may be damaged without SQLite seeing it."""
    to_seal: Path | None = None
    """The file to seal when this is closed; None for a database that is only read, or has no seal."""
    is_open = False
    opened_at = 0.0
    """The time when it was opened, by the clock of `time.monotonic`."""

    def close(self) -> None:
        super().close()
        if self.is_open:
            _open.subtract(self.paths)
        self.is_open = False
        if self.to_seal is not None:
            seal(self.to_seal)

    def attach(self, path: Path, name: str) -> None:
        """Attach another database beside it, only to be read."""
        is_sealed = check_seal(path)
        own, self.paths = self.paths, (path,)
        self.execute(f"ATTACH ? AS {name}", (read_only_uri(path),))
        self.paths = (*own, path)
        self.unsealed += () if is_sealed else (path,)
        _open[path] += 1

    def execute(self, *asked: Any) -> sqlite3.Cursor:
        return self.cursor(_Cursor).execute(*asked)

    def executemany(self, *asked: Any) -> sqlite3.Cursor:
        return self.cursor(_Cursor).executemany(*asked)

    def executescript(self, *asked: Any) -> sqlite3.Cursor:
        return self.cursor(_Cursor).executescript(*asked)


_in_use: WeakSet[Database] = WeakSet()
"""The databases that somebody still holds, closed or not."""


def connect(path: Path | str, *, read_only: bool = False) -> Database:
    """Open a database; each statement is a transaction of its own.

    An empty name is a temporary file, gone when it is closed: for what would grow in memory. Such a one, and
    what is only read, any thread may ask, one at a time.
    """
    uri = path.absolute().as_uri() if isinstance(path, Path) else path
    if read_only:
        uri = read_only_uri(Path(path))
    paths = (path,) if isinstance(path, Path) else ()
    unsealed = tuple(path for path in paths if not check_seal(path))
    try:
        database = sqlite3.connect(
            uri,
            uri=True,
            isolation_level=None,
            check_same_thread=bool(paths) and not read_only,
            factory=Database,
        )
    except sqlite3.DatabaseError as error:
        raise _explained(error, paths) from None
    database.paths, database.unsealed, database.is_open = paths, unsealed, True
    database.opened_at = time.monotonic()
    _open.update(paths)
    _in_use.add(database)
    if isinstance(path, Path) and path.name in REMEDIES and not read_only:
        database.to_seal = path
        # what is written from here on is not what was sealed
        if database.execute("PRAGMA application_id").fetchone()[0]:
            database.execute("PRAGMA application_id = 0")
    return database


def seal(path: Path) -> None:
    """Write the checksum of a database into it, unless somebody has it open or it cannot be written."""
    with suppress(OSError):
        if _open[path] == 0 and not _log_of(path).exists():
            checksum = _checksum(path, *_state(path))
            with path.open("rb+") as file:
                file.seek(_SEAL.start)
                file.write(checksum)


def check_seal(path: Path) -> bool:
    """True if a database has a seal, or needs none. Raises CorpusError where it is not as it was sealed."""
    if path.name not in REMEDIES or not path.exists():
        return True
    noted = _noted(path) if _open[path] == 0 else b""
    # another one now: somebody has written to it meanwhile
    if any(noted) and _checksum(path, *_state(path)) != noted and _noted(path) == noted:
        raise damaged((path,), "its checksum is another")
    return any(noted)


def fingerprint(path: Path) -> str | None:
    """Return what a database is known again by as long as nobody writes to it; None where it has no seal, or
    is open here: a look past SQLite would take its locks away."""
    noted = _noted(path) if _open[path] == 0 else b""
    return f"{path.stat().st_size} {noted.hex()}" if any(noted) else None


def damage_behind(fault: Exception, since: float) -> CorpusError | None:
    """Return the damage of a database that may have led to a fault of the program; None if all are whole.

    What was asked in vain is still in use: the fault's traceback holds it. What was opened before the command
    began, at `since` by the clock of `time.monotonic`, belongs to somebody else.
    """
    databases = [database for database in _in_use if database.opened_at >= since]
    for path in {path for database in databases for path in database.paths if path.exists()}:
        try:
            with closing(connect(path, read_only=True)) as database:
                (answer,) = database.execute("PRAGMA integrity_check(1)").fetchone()
        except CorpusError as damage:
            return damage
        except (
            sqlite3.DatabaseError
        ) as problem:  # it cannot even be looked at: its tables are described by nonsense
            return damaged((path,), str(problem))
        if answer != "ok":
            return damaged((path,), answer)
    doubtful = sorted({path for database in databases for path in database.unsealed if path.exists()})
    if not doubtful:
        return None
    return damaged(doubtful, f"or the program has a mistake: {type(fault).__name__}: {fault}")


def _noted(path: Path) -> bytes:
    """Return the checksum in a database; zeros or nothing where it has no seal, and where a crash has left a
    log that it lacks."""
    log = _log_of(path)
    if log.exists() and log.stat().st_size:
        return b""
    with path.open("rb") as file:
        return file.read(_SEAL.stop)[_SEAL]


def _log_of(path: Path) -> Path:
    """Return SQLite's file of what was written and is not in the database yet; it is there as long as
    somebody has that open."""
    return path.with_name(f"{path.name}-wal")


def _state(path: Path) -> tuple[int, int, int]:
    about = path.stat()
    return about.st_ino, about.st_size, about.st_mtime_ns


@lru_cache
def _checksum(path: Path, *_: int) -> bytes:
    """Return the CRC-32 of a file without its seal, and never 0; in each of its states, the file is read once
    by a process."""
    with path.open("rb") as file:
        first = bytearray(file.read(_PIECE))
        first[_SEAL] = bytes(4)
        checksum = zlib.crc32(first)
        while piece := file.read(_PIECE):
            checksum = zlib.crc32(piece, checksum)
    return (checksum or 1).to_bytes(4)


def check_version(
    database: Database, path: Path | str, version: int, advice: str, *, name: str = "main"
) -> None:
    """Raise CorpusError where a database, or the one beside it of that name, is of another version of
    curator, or of another kind."""
    if database.execute(f"PRAGMA {name}.user_version").fetchone()[0] != version:
        raise CorpusError(f"{path} was written by another version of curator.", advice=advice)


def make_again(database: Database, tables: str, version: int) -> None:
    """Make a database again, empty, whatever another version of curator had in it."""
    old = database.execute(
        "SELECT type, name FROM sqlite_master WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite_%'"
    )
    drops = "".join([f'DROP {type_} "{name}"; ' for type_, name in old.fetchall()])
    database.executescript(
        f"PRAGMA journal_mode = WAL; BEGIN; {drops}{tables} PRAGMA user_version = {version}; COMMIT;"
    )


def unpack(packed: bytes, database: str) -> bytes:
    """Return what zstandard packed, with a checksum: SQLite has none, and a disk may give back other bytes
    than it was given.

    `database` is the name of the file that holds it.
    """
    try:
        return zstandard.decompress(packed)
    except zstandard.ZstdError as error:
        raise damaged((Path(database),), str(error)) from error


class Row(dict[str, Any]):
    """A row of a query's answer: `row.articles` is `row["articles"]`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(name) from None


def rows_of(answer: sqlite3.Cursor) -> Iterator[Row]:
    """Yield rows by the names of their columns: one with a question mark says yes or no, one with brackets is
    a list."""
    columns = [
        (name.rstrip("?[]"), {"?": bool, "]": orjson.loads}.get(name[-1])) for name, *_ in answer.description
    ]
    for values in answer:
        yield Row(
            (name, read(value) if read else value)
            for (name, read), value in zip(columns, values, strict=True)
        )


def transaction(db: sqlite3.Connection) -> AbstractContextManager[None]:
    """Do all in it or nothing; for connections that begin no transaction by themselves
    (`isolation_level=None`)."""
    return _all_or_nothing(db, "BEGIN IMMEDIATE", "ROLLBACK", "COMMIT")


def step(db: sqlite3.Connection) -> AbstractContextManager[None]:
    """Do all in it or nothing, as a part of a transaction that stays open for further ones until it is
    committed."""
    if db.in_transaction:
        return _all_or_nothing(db, "SAVEPOINT step", "ROLLBACK TO step", "RELEASE step")
    return _all_or_nothing(db, "BEGIN IMMEDIATE", "ROLLBACK")


@contextmanager
def _all_or_nothing(db: sqlite3.Connection, begin: str, undo: str, *end: str) -> Iterator[None]:
    db.execute(begin)
    try:
        yield
    except BaseException:
        if db.in_transaction:  # a disk that is full has ended it already
            db.execute(undo)
        raise
    for statement in end:
        db.execute(statement)


def read_only_uri(path: Path) -> str:
    """Return what opens a database only to be read.

    SQLite makes files beside a database even to read it. Where the folder takes none the database cannot
    change either, so it is read without them; but not while a -wal file holds something, since that would be
    missed.
    """
    wal = path.with_name(f"{path.name}-wal")
    unchanging = not os.access(path.parent, os.W_OK) and not (wal.exists() and wal.stat().st_size)
    return f"{path.absolute().as_uri()}?mode=ro{'&immutable=1' if unchanging else ''}"
