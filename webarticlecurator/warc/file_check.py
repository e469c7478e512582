"""Checks WARC files: bytes that are no record, digests, exchanges that lack a part, and references whose
target is nowhere."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Literal

from webarticlecurator.databases import connect
from webarticlecurator.protocol.message import parse_request, parse_response
from webarticlecurator.storage.places import OPEN, legible
from webarticlecurator.warc.records import MAX_BLOCK, Damage, Record, bare, covers
from webarticlecurator.warc.stored import LAYOUT_FIELD, Group, named, read_groups, warc_fields

_REFERENCES = ("WARC-Concurrent-To", "WARC-Refers-To", "WARC-Warcinfo-ID")
_PARTS = frozenset({"request", "response", "revisit", "conversion"})
_UNFINISHED = (
    " (its name ends in .open: a crawl is writing it, or was killed; then the next crawl puts it right)"
)
_SCHEMA = """
    CREATE TABLE records (id TEXT, path TEXT, offset INTEGER, kind TEXT, digest TEXT);
    CREATE INDEX by_id ON records (id);
    CREATE TABLE refers (record INTEGER, field TEXT, target TEXT);
    BEGIN;
"""
_TWICE = """
    SELECT path, offset, id FROM records r WHERE id != '' AND EXISTS (SELECT 1 FROM records o WHERE o.id = r.id AND o.rowid < r.rowid)
    ORDER BY r.rowid
"""
_REFERRED_TO = """
    SELECT r.path, r.offset, r.id, r.kind, r.digest, f.field, f.target, (SELECT min(rowid) FROM records t WHERE t.id = f.target)
    FROM refers f JOIN records r ON r.rowid = f.record ORDER BY f.rowid
"""

Severity = Literal["error", "note"]
"""An error: something is lost or wrong. A note: worth knowing, and no reason to distrust the file."""


@dataclass(frozen=True, slots=True)
class WarcFinding:
    """One thing that is wrong with a file, placed so that it can be looked at."""

    path: Path
    offset: int
    record_id: str | None
    """The id of the record; None where the damage is the file's, or of bytes that are no record."""
    rule: str
    severity: Severity
    message: str

    def __str__(self) -> str:
        record = f" <{self.record_id}>" if self.record_id else ""
        return f"{self.path}: byte {self.offset}{record}: {self.severity}: {self.message}"


class Checker:
    """Checks files one after the other, and at the end what their records say of each other."""

    def __init__(self) -> None:
        self.records = 0
        self._db = connect("")  # in a temporary file, so that memory does not grow with the files
        self._db.executescript(_SCHEMA)

    def check(self, paths: Iterable[Path]) -> Iterator[WarcFinding]:
        for path in paths:
            yield from self._file(path)
        for name, offset, record_id in self._db.execute(_TWICE):
            yield WarcFinding(
                Path(name),
                offset,
                record_id,
                "record-id",
                "error",
                "another record has the same WARC-Record-ID",
            )
        for name, offset, record_id, kind, digest, field, target, row in self._db.execute(_REFERRED_TO):
            finding = partial(WarcFinding, Path(name), offset, record_id or None)
            if row is None:
                # what was converted usually lies elsewhere
                severity: Severity = "note" if kind == "conversion" else "error"
                yield finding(
                    "missing-record", severity, f"its {field} <{target}> is in none of the checked files"
                )
            elif kind == "revisit" and field == "WARC-Refers-To":
                ((its_digest,),) = self._db.execute("SELECT digest FROM records WHERE rowid = ?", (row,))
                if digest and its_digest and digest != its_digest:
                    yield finding(
                        "revisit-digest",
                        "error",
                        f"its payload digest is not that of <{target}>, which it stands for",
                    )

    def close(self) -> None:
        self._db.close()

    def _file(self, path: Path) -> Iterator[WarcFinding]:
        damages: list[Damage] = []
        unfinished = _UNFINISHED if path.name.endswith(OPEN) else ""
        ours, is_empty = False, True
        for group in read_groups(path, on_damage=damages.append):
            if group.main.type == "warcinfo":
                ours = LAYOUT_FIELD in warc_fields(group.main.block)
            is_empty = is_empty and group.main.type in ("warcinfo", "")
            for record in group.records:
                self._note(path, record)
                for finding in _in_record(record):
                    yield WarcFinding(path, record.offset, record.id or None, *finding)
            for record, rule, message in _of_exchange(group, ours=ours):
                yield WarcFinding(
                    path, record.offset, record.id or None, rule, "error", f"{message}{unfinished}"
                )
            yield from _at_damages(damages, unfinished)
        yield from _at_damages(damages, unfinished)
        if is_empty:
            yield WarcFinding(path, 0, None, "empty-file", "error", "the file holds no exchange")

    def _note(self, path: Path, record: Record) -> None:
        """Note what a record says of itself and of others."""
        self.records += 1
        row = (
            record.id,
            legible(str(path)),
            record.offset,
            record.type,
            record.field("WARC-Payload-Digest") or "",
        )
        number = self._db.execute("INSERT INTO records VALUES (?, ?, ?, ?, ?)", row).lastrowid
        references = [(number, name, bare(value)) for name in _REFERENCES for value in record.all(name)]
        self._db.executemany("INSERT INTO refers VALUES (?, ?, ?)", references)


def _of_exchange(group: Group, *, ours: bool) -> Iterator[tuple[Record, str, str]]:
    """Give what is missing of an exchange; `ours`: of a file of ours, which completes each by a metadata
    record that names the others."""
    parts = [record for record in group.records if record.type in _PARTS]
    if ours:
        complete = named(group.records[-1]) if group.event else frozenset()
        for record in parts:
            if record.id not in complete:
                yield (
                    record,
                    "incomplete-exchange",
                    f"no metadata record completes the exchange of this {record.type}",
                )
    elif {record.type for record in parts} == {"request"}:
        yield parts[0], "missing-pair", "a request without its response"


def _at_damages(damages: list[Damage], unfinished: str) -> Iterator[WarcFinding]:
    """Each once, at its place among the records."""
    for damage in damages:
        message = f"{damage.reason}; {damage.length} bytes are lost{unfinished}"
        yield WarcFinding(damage.path, damage.offset, None, "damage", "error", message)
    damages.clear()


def _in_record(record: Record) -> Iterator[tuple[str, Severity, str]]:
    """Give what is wrong with its frame and its digests."""
    for fault in record.faults:
        yield "frame", "error", fault
    for part in ("Block", "Payload"):
        name = f"WARC-{part}-Digest"
        declared = record.field(name)
        if declared is None:
            continue
        made_of = (record.block,) if part == "Block" else _payloads(record)
        if not made_of:
            continue
        rule = f"{part.lower()}-digest"
        if record.size > MAX_BLOCK:
            yield rule, "note", f"its {name} is not checked: more than {MAX_BLOCK >> 20} MB"
        elif covers(declared, b"") is None:
            yield "unknown-digest", "note", f"its {name} {declared[:40]!r} is of an unknown kind"
        elif not any(covers(declared, content) for content in made_of):
            yield rule, "error", f"its {part.lower()} is not what its {name} was made of"


def _payloads(record: Record) -> tuple[bytes, ...]:
    """Return what a payload digest may have been made of: the body, and what other programs take for it."""
    if record.type == "request" and (request := parse_request(record.block)) is not None:
        return request[1], record.block
    if record.type == "response" and (response := parse_response(record.block)) is not None:
        return response.entity, record.block[response.head_size :], record.block  # the second with its chunks
    return (record.block,) if record.type in ("response", "request", "resource", "conversion") else ()
