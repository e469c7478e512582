"""Checks WARC files: every record by the rules, every exchange for completeness, every reference for its target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from webarticlecurator.databases import connect
from webarticlecurator.warc import check_rules
from webarticlecurator.warc.check_rules import BrokenRule, Severity
from webarticlecurator.warc.foreign import is_arc, read_any_records
from webarticlecurator.warc.places import Place, RecordIndex
from webarticlecurator.warc.records import Damage, Record, bare, parse_date, read_records
from webarticlecurator.warc.store import OPEN
from webarticlecurator.warc.stored import EVENT_FIELD, belong, event_of, named, warc_fields
from webarticlecurator.warc.warcinfo import LAYOUT_FIELD

_EXCHANGE = frozenset({"request", "response", "revisit"})
_REFERENCES = ("WARC-Concurrent-To", "WARC-Refers-To", "WARC-Warcinfo-ID")
_UNFINISHED = " (its name ends in .open: a crawl is writing it, or was killed; then the next crawl puts it right)"


@dataclass(frozen=True, slots=True, kw_only=True)
class WarcFinding:
    """One thing that is wrong with a file, placed so that it can be looked at."""

    path: Path
    offset: int
    record_id: str | None = None
    """None: it is about the file, or about bytes that are no record."""
    rule: str
    severity: Severity = Severity.ERROR
    message: str

    @classmethod
    def of(cls, path: Path, record: Record | Place, broken: BrokenRule) -> WarcFinding:
        """A record that breaks a rule."""
        rule, severity, message = broken.rule, broken.severity, broken.message
        return cls(path=path, offset=record.offset, record_id=record.id or None, rule=rule, severity=severity, message=message)

    def __str__(self) -> str:
        record = f" <{self.record_id}>" if self.record_id else ""
        return f"{self.path}: byte {self.offset}{record}: {self.severity}: {self.message}"


class Checker:
    """Checks files one after the other, and at the end what their records say of each other."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.records = 0
        self.places = RecordIndex()
        # What records say of others, by their numbers in `places`; in a temporary file, so that memory does not grow with the files.
        self._references = connect("")
        self._references.execute("CREATE TABLE refers (number INTEGER, field TEXT, target TEXT, target_url TEXT, target_date TEXT)")
        self._references.execute("BEGIN")

    def check(self, paths: Iterable[Path]) -> Iterator[WarcFinding]:
        """Every finding."""
        for path in paths:
            yield from _FileCheck(self, path).findings()
        for number, *reference in self._references.execute("SELECT * FROM refers ORDER BY rowid"):
            record = self.places.numbered(number)
            for broken in self._broken_reference(record, *reference):
                yield WarcFinding.of(record.path, record, broken)

    def close(self) -> None:
        """Give the temporary files back."""
        self._references.close()
        self.places.close()

    def note(self, path: Path, record: Record) -> None:
        """Remember where a record lies, and what it says of others."""
        number = self.places.add(path, record)
        expected = (record.field("WARC-Refers-To-Target-URI"), record.field("WARC-Refers-To-Date"))
        rows = [(number, name, bare(value), *expected) for name in _REFERENCES for value in record.all(name)]
        self._references.executemany("INSERT INTO refers VALUES (?, ?, ?, ?, ?)", rows)

    def _broken_reference(
        self, record: Place, name: str, target: str, target_url: str | None, target_date: str | None
    ) -> Iterator[BrokenRule]:
        found = self.places.by_id(target)
        if found is None:
            severity = Severity.NOTE if record.kind == "conversion" else Severity.ERROR  # what was converted usually lies elsewhere
            yield BrokenRule("missing-record", f"its {name} <{target}> is in none of the checked files", severity)
        elif name == "WARC-Concurrent-To" and found.date != record.date:
            yield BrokenRule("exchange-date", f"its WARC-Date is not that of <{target}>, though they are of one exchange")
        elif name == "WARC-Warcinfo-ID" and found.kind != "warcinfo":
            yield BrokenRule("missing-record", f"its WARC-Warcinfo-ID <{target}> is a {found.kind} record")
        elif record.kind == "revisit" and name == "WARC-Refers-To":
            yield from _broken_revisit(found, record.digest, target_url, target_date)


def _broken_revisit(found: Place, digest: str, target_url: str | None, target_date: str | None) -> Iterator[BrokenRule]:
    if found.kind not in ("response", "resource", "revisit"):
        yield BrokenRule("revisit-reference", f"it is a revisit of a {found.kind} record")
    if target_url is not None and bare(target_url) != found.url:
        yield BrokenRule("revisit-reference", f"its WARC-Refers-To-Target-URI is not the URL of <{found.id}>")
    moment = parse_date(target_date or "")
    if target_date is not None and (moment is None or moment.isoformat() != found.date):
        yield BrokenRule("revisit-reference", f"its WARC-Refers-To-Date is not the date of <{found.id}>")
    if digest and found.digest and digest != found.digest:
        yield BrokenRule("revisit-digest", f"its payload digest is not that of <{found.id}>, which it stands for")


@dataclass(slots=True)
class _FileCheck:
    """One file, and what is known of the exchange that is being read. Of records only the fields are kept."""

    checker: Checker
    path: Path
    ours: bool = False
    """Whether each exchange must be completed by a metadata record."""
    parts: list[Record] = field(default_factory=list)
    """Requests and responses whose exchange is not complete yet."""
    http_faults: list[tuple[Record, BrokenRule]] = field(default_factory=list)
    """Until the rest of the exchange has said whether the server is to blame."""
    found: list[WarcFinding] = field(default_factory=list)

    def findings(self) -> Iterator[WarcFinding]:
        arc = is_arc(self.path)
        records = read_any_records(self.path, on_damage=self._damage) if arc else self._records()
        for _ in records:
            self.checker.records += 1
            yield from self.found
            self.found.clear()
        if arc:
            message = "an ARC file: only damage was looked for, `check` has no rules for what is in it"
            self.found.append(WarcFinding(path=self.path, offset=0, rule="arc", severity=Severity.NOTE, message=message))
        yield from self.found

    def _records(self) -> Iterator[Record]:
        """Those of a WARC file, each of them looked at."""
        exchanges, first = 0, True
        for record in read_records(self.path, on_damage=self._damage, block_digests=True):
            exchanges += record.type not in ("warcinfo", "")
            if first and record.type != "warcinfo":
                self._add(record, BrokenRule("no-warcinfo", "the file does not begin with a warcinfo record", Severity.NOTE))
            first = False
            self._record(record)
            yield record
        self._exchange_ends()
        if not exchanges:
            self.found.append(WarcFinding(path=self.path, offset=0, rule="empty-file", message="the file holds no exchange"))

    def _damage(self, damage: Damage) -> None:
        message = f"{damage.reason}; {damage.length} bytes are lost{self._if_unfinished()}"
        self.found.append(WarcFinding(path=self.path, offset=damage.offset, rule="damage", message=message))

    def _if_unfinished(self) -> str:
        return _UNFINISHED if self.path.name.endswith(OPEN) else ""

    def _add(self, record: Record, broken: BrokenRule) -> None:
        self.found.append(WarcFinding.of(self.path, record, broken))

    def _record(self, record: Record) -> None:
        for fault in record.faults:
            self._add(record, BrokenRule("frame", fault))
        for broken in check_rules.broken_rules(record, self.checker.now):
            self._add(record, broken)
        if record.id and self.checker.places.by_id(record.id):
            self._add(record, BrokenRule("record-id", "another record has the same WARC-Record-ID"))
        self.checker.note(self.path, record)
        if record.type in _EXCHANGE:
            self._part(record)
        elif record.type == "conversion" and self.ours:
            self.parts.append(replace(record, block=b""))
        elif record.type == "metadata":
            self._metadata(record)
        elif record.type == "warcinfo":
            self._exchange_ends()
            self.ours = LAYOUT_FIELD in warc_fields(record.block)

    def _part(self, record: Record) -> None:
        """A request or response: it begins an exchange, or belongs to the one being read."""
        other = next((part for part in self.parts if (part.type == "request") != (record.type == "request") and belong(part, record)), None)
        if len(self.parts) > 1 or (other is None and self.parts):
            self._exchange_ends()
        if other is not None and other.date != record.date and not (named(other) or named(record)):
            message = "request and response of one exchange have different dates"
            self._add(record, BrokenRule("exchange-date", message, Severity.NOTE))
        self.http_faults += [(replace(record, block=b""), broken) for broken in check_rules.http(record)]
        self.parts.append(replace(record, block=record.block[:16] if record.type == "request" else b""))
        if any(part.block.startswith(b"HEAD ") for part in self.parts):
            self.http_faults = [(part, broken) for part, broken in self.http_faults if broken.rule != "http-length"]

    def _metadata(self, record: Record) -> None:
        """Ours completes an exchange, and says whether something went wrong on the wire; anyone else's is no concern."""
        fields = warc_fields(record.block)
        if EVENT_FIELD not in fields:
            return
        if event_of(record) is None:
            self._add(record, BrokenRule("event", f"its {EVENT_FIELD} is no JSON object"))
        if "curator-error" in fields:
            noted = f"; the crawl noted: {fields['curator-error']}"
            self.http_faults = [
                (part, replace(broken, severity=Severity.NOTE, message=broken.message + noted)) for part, broken in self.http_faults
            ]
        complete = named(record)
        self.parts = [part for part in self.parts if part.id not in complete]
        self._exchange_ends()

    def _exchange_ends(self) -> None:
        """Say what is missing of the exchange that was being read."""
        for part, broken in self.http_faults:
            self._add(part, broken)
        self.http_faults.clear()
        types = {part.type for part in self.parts}
        for part in self.parts:
            if self.ours:
                message = f"no metadata record completes the exchange of this {part.type}{self._if_unfinished()}"
                self._add(part, BrokenRule("incomplete-exchange", message))
            elif types == {"request"}:
                self._add(part, BrokenRule("missing-pair", "a request without its response"))
            elif "request" not in types:
                self._add(part, BrokenRule("missing-pair", "a response without its request", Severity.NOTE))
        self.parts.clear()
