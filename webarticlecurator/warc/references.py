"""What records say of each other, checked when all files have been read."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path

from webarticlecurator.warc.places import Place, Places
from webarticlecurator.warc.records import Record, bare, parse_date
from webarticlecurator.warc.rules import Broken, Severity

_FIELDS = ("WARC-Concurrent-To", "WARC-Refers-To", "WARC-Warcinfo-ID")
_SCHEMA = """
    CREATE TABLE said (
        path TEXT, offset INTEGER, id TEXT, kind TEXT, date TEXT, digest TEXT, field TEXT, target TEXT, target_url TEXT, target_date TEXT
    )
"""


class References:
    """The references of all records, in a temporary file."""

    def __init__(self, places: Places) -> None:
        self._places = places
        self._rows = sqlite3.connect("")
        self._rows.execute(_SCHEMA)

    def note(self, path: Path, record: Record) -> None:
        """Remember what a record says of others."""
        date = record.date.isoformat() if record.date else ""
        own = (str(path), record.offset, record.id, record.type, date, record.field("WARC-Payload-Digest") or "")
        expected = (record.field("WARC-Refers-To-Target-URI"), record.field("WARC-Refers-To-Date"))
        for name in _FIELDS:
            for value in record.all(name):
                self._rows.execute("INSERT INTO said VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", (*own, name, bare(value), *expected))

    def broken(self) -> Iterator[tuple[Path, int, str, Broken]]:
        """Each reference that does not hold, with file, offset and id of the record that makes it."""
        for path, offset, record_id, *said in self._rows.execute("SELECT * FROM said ORDER BY rowid"):
            for broken in self._judge(*said):
                yield Path(path), offset, record_id, broken

    def close(self) -> None:
        """Forget everything."""
        self._rows.close()

    def _judge(
        self, kind: str, date: str, digest: str, name: str, target: str, target_url: str | None, target_date: str | None
    ) -> Iterator[Broken]:
        found = self._places.by_id(target)
        if found is None:
            severity = Severity.NOTE if kind == "conversion" else Severity.ERROR  # what was converted usually lies elsewhere
            yield Broken("missing-record", f"its {name} <{target}> is in none of the checked files", severity)
        elif name == "WARC-Concurrent-To" and found.date != date:
            yield Broken("exchange-date", f"its WARC-Date is not that of <{target}>, though they are of one exchange")
        elif name == "WARC-Warcinfo-ID" and found.kind != "warcinfo":
            yield Broken("missing-record", f"its WARC-Warcinfo-ID <{target}> is a {found.kind} record")
        elif kind == "revisit" and name == "WARC-Refers-To":
            yield from _judge_revisit(found, digest, target_url, target_date)


def _judge_revisit(found: Place, digest: str, target_url: str | None, target_date: str | None) -> Iterator[Broken]:
    if found.kind not in ("response", "resource", "revisit"):
        yield Broken("revisit-reference", f"it is a revisit of a {found.kind} record")
    if target_url is not None and bare(target_url) != found.url:
        yield Broken("revisit-reference", f"its WARC-Refers-To-Target-URI is not the URL of <{found.id}>")
    moment = parse_date(target_date or "")
    if target_date is not None and (moment is None or moment.isoformat() != found.date):
        yield Broken("revisit-reference", f"its WARC-Refers-To-Date is not the date of <{found.id}>")
    if digest and found.digest and digest != found.digest:
        yield Broken("revisit-digest", f"its payload digest is not that of <{found.id}>, which it stands for")
