"""Where records lie, found again by id or by URL and date: kept in a temporary file, so that memory does not grow with the WARCs."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from webarticlecurator.databases import connect
from webarticlecurator.warc.foreign import read_any_record
from webarticlecurator.warc.records import Record, bare, parse_date

_SCHEMA = """
    CREATE TABLE places (id TEXT, url TEXT, date TEXT, path TEXT, offset INTEGER, skip INTEGER, kind TEXT, digest TEXT);
    CREATE INDEX by_id ON places (id);
    CREATE INDEX by_capture ON places (url, date);
"""


@dataclass(frozen=True, slots=True)
class Place:
    """One record: what others may say of it, and where it is."""

    id: str
    url: str
    date: str
    path: Path
    offset: int
    skip: int
    kind: str
    digest: str
    """WARC-Payload-Digest."""

    def read(self) -> Record:
        """The record itself."""
        return read_any_record(self.path, self.offset, self.skip)


class RecordIndex:
    """An index of records that lives as long as the work that needs it."""

    def __init__(self) -> None:
        self._rows = connect("")
        self._rows.executescript(f"{_SCHEMA}; BEGIN")

    def add(self, path: Path, record: Record) -> int:
        """Note a record; its number here."""
        row = (record.id, record.url, _moment(record.date), str(path), record.offset, record.skip, record.type)
        values = (*row, record.field("WARC-Payload-Digest") or "")
        return self._rows.execute("INSERT INTO places VALUES (?, ?, ?, ?, ?, ?, ?, ?)", values).lastrowid or 0

    def numbered(self, number: int) -> Place:
        """A record that was noted, by what `add` gave."""
        return _place(self._rows.execute("SELECT * FROM places WHERE rowid = ?", (number,)).fetchone())

    def by_id(self, record_id: str) -> Place | None:
        """The first record of that id."""
        return self._first("id = ?", record_id)

    def referred_to(self, revisit: Record) -> Place | None:
        """The response that a revisit stands for, by the id it names, else by URL and date."""
        named = bare(revisit.field("WARC-Refers-To") or "")
        if named:
            return self._first("id = ? AND kind = 'response'", named)
        url = bare(revisit.field("WARC-Refers-To-Target-URI") or "")
        date = parse_date(revisit.field("WARC-Refers-To-Date") or "")
        return self._first("url = ? AND date = ? AND kind = 'response'", url, _moment(date)) if url and date else None

    def close(self) -> None:
        """Forget everything."""
        self._rows.close()

    def _first(self, condition: str, *values: str) -> Place | None:
        row = self._rows.execute(f"SELECT * FROM places WHERE {condition} ORDER BY rowid LIMIT 1", values).fetchone()
        return _place(row) if row else None


def _place(row: tuple[Any, ...]) -> Place:
    record_id, url, date, path, *more = row
    return Place(record_id, url, date, Path(path), *more)


def _moment(date: datetime | None) -> str:
    return date.isoformat() if date else ""
