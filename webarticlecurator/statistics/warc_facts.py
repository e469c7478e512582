"""What the WARC files tell that no database knows: their digests, and the rights signals that came with the captures.

A file that is complete never changes, so both are kept in statistics.sqlite beside it: reading them takes as long as reading the file.
"""

from __future__ import annotations

import shutil
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from hashlib import file_digest
from io import FileIO
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import orjson

from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.model.statistics import Signal
from webarticlecurator.storage.places import file_size, is_url, open_file
from webarticlecurator.warc.records import first_member, read_records, record_of
from webarticlecurator.warc.store import OPEN, find_file
from webarticlecurator.warc.stored import event_of, warc_fields

_VERSION = 1
_MOST_SIGNALS = 200
"""Kept of one file: sites say few things of rights, and somebody may say another on every page."""
_MOST_EVENT = 4 << 20
"""Bytes of an event."""
_SIZES = (4 << 10, 256 << 10)
"""Bytes that the record behind a response is looked for in: nearly all are small."""
_RIGHTS = b'"rights":'
_FIRST_RECORDS = 3
_TABLE = """
    CREATE TABLE files (name TEXT PRIMARY KEY, size INTEGER, changed INTEGER, sha256 TEXT, software TEXT, signals TEXT) WITHOUT ROWID;
"""


@dataclass(frozen=True, slots=True)
class FileFacts:
    sha256: str
    software: str | None
    signals: tuple[Signal, ...]


class WarcFacts:
    """Reads files, each once in its life."""

    def __init__(self, corpus: Corpus) -> None:
        self._warc = corpus.warc
        self._path = corpus.statistics_database
        self._db = self._opened()

    def _opened(self) -> sqlite3.Connection:
        """Where nothing can be kept, all is read every time."""
        try:
            return self._prepared(sqlite3.connect(self._path, isolation_level=None))
        except sqlite3.OperationalError:
            return self._prepared(sqlite3.connect(":memory:", isolation_level=None))
        except sqlite3.DatabaseError:  # it only repeats what the files say
            with suppress(OSError):
                self._path.unlink()
            return self._prepared(sqlite3.connect(self._path if not self._path.exists() else ":memory:", isolation_level=None))

    @staticmethod
    def _prepared(db: sqlite3.Connection) -> sqlite3.Connection:
        try:
            if db.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
                db.executescript(f"BEGIN; DROP TABLE IF EXISTS files; {_TABLE} PRAGMA user_version = {_VERSION}; COMMIT;")
        except sqlite3.DatabaseError:
            db.close()
            raise
        return db

    def close(self) -> None:
        self._db.close()

    def of(self, name: str, responses: Callable[[], Iterator[tuple[int, str]]]) -> FileFacts:
        """Of a file by its name; `responses` are asked for only where it is read. Raises OSError and CorpusError."""
        path = find_file(self._warc, name)
        place = (name, file_size(path), 0 if is_url(path) else path.stat().st_mtime_ns)  # a store has sealed files alone
        sql = "SELECT sha256, software, signals FROM files WHERE name = ? AND size = ? AND changed = ?"
        with suppress(sqlite3.DatabaseError):
            row = self._db.execute(sql, place).fetchone()
            if row is not None:
                return FileFacts(row[0], row[1], tuple(Signal(**one) for one in orjson.loads(row[2])))
        with _on_disk(path) as file:
            facts = FileFacts(_digest(file), _software(file), _signals(file, responses()))
        if not path.name.endswith(OPEN):
            with suppress(sqlite3.DatabaseError):  # a disk that is full: it is read again the next time
                values = (*place, facts.sha256, facts.software, orjson.dumps(facts.signals).decode())
                self._db.execute("INSERT OR REPLACE INTO files VALUES (?, ?, ?, ?, ?, ?)", values)
        return facts


@contextmanager
def _on_disk(path: Path) -> Iterator[Path]:
    """Itself; of a file in an object store a copy, since it is read here and there."""
    if not is_url(path):
        yield path
        return
    with TemporaryDirectory(prefix="curator-") as folder, open_file(path) as source:
        copy = Path(folder) / path.name
        with copy.open("wb") as target:
            shutil.copyfileobj(source, target, 8 << 20)
        yield copy


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return file_digest(file, "sha256").hexdigest()


def _software(path: Path) -> str | None:
    """By the record that the file begins with."""
    for record in islice(read_records(path, on_damage=lambda _: None), _FIRST_RECORDS):
        if record.type == "warcinfo":
            return warc_fields(record.block).get("software")
    return None


def _signals(path: Path, places: Iterator[tuple[int, str]]) -> tuple[Signal, ...]:
    """Of the events behind the responses: only these members of the file are unpacked."""
    counted, examples = Counter[tuple[str, str]](), dict[tuple[str, str], str]()
    with path.open("rb", buffering=0) as file:  # not mapped: all that was looked at would count as memory
        for offset, url in places:
            for one in _rights(file, offset).items():
                if one in counted or len(counted) < _MOST_SIGNALS:
                    counted[one] += 1
                    examples.setdefault(one, url)
    return tuple(
        Signal(name=name, value=value, pages=pages, example=examples[name, value])
        for (name, value), pages in sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    )


def _rights(file: FileIO, offset: int) -> dict[str, str]:
    """What the event there tells of rights."""
    for size in _SIZES:
        file.seek(offset)
        member = first_member(file.read(size), _MOST_EVENT)
        if member:
            break
    record = record_of(member, offset, offset) if member is not None and _RIGHTS in member else None
    event = event_of(record) if record is not None else None
    rights = event.get("rights") if event else None
    return {str(name): str(value) for name, value in rights.items()} if isinstance(rights, dict) else {}


def united(signals: Iterable[Signal]) -> tuple[Signal, ...]:
    """Those of several files."""
    joined: dict[tuple[str, str], Signal] = {}
    for one in signals:
        known = joined.get((one.name, one.value))
        pages = one.pages + (known.pages if known else 0)
        joined[one.name, one.value] = Signal(name=one.name, value=one.value, pages=pages, example=known.example if known else one.example)
    return tuple(sorted(joined.values(), key=lambda one: (-one.pages, one.name, one.value)))
