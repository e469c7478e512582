"""Checks WARC files: every record by the rules, every exchange for completeness, every reference for its target."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path

from webarticlecurator.warc import rules
from webarticlecurator.warc.exchanges import belong, named
from webarticlecurator.warc.foreign import is_arc, read_any_records
from webarticlecurator.warc.places import Places
from webarticlecurator.warc.records import Damage, Record, read_records
from webarticlecurator.warc.references import References
from webarticlecurator.warc.rules import Broken, Severity
from webarticlecurator.warc.store import OPEN
from webarticlecurator.warc.stored import EVENT_FIELD, event_of, warc_fields
from webarticlecurator.warc.warcinfo import LAYOUT_FIELD

_EXCHANGE = frozenset({"request", "response", "revisit"})
_UNFINISHED = " (its name ends in .open: a crawl is writing it, or was killed; then the next crawl puts it right)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that is wrong with a file, placed so that it can be looked at."""

    path: Path
    offset: int
    record_id: str | None = None
    """None: it is about the file, or about bytes that are no record."""
    rule: str
    severity: Severity = Severity.ERROR
    message: str

    @classmethod
    def of(cls, path: Path, offset: int, record_id: str | None, broken: Broken) -> Finding:
        """A record that breaks a rule."""
        return cls(path=path, offset=offset, record_id=record_id, rule=broken.rule, severity=broken.severity, message=broken.message)

    def __str__(self) -> str:
        record = f" <{self.record_id}>" if self.record_id else ""
        return f"{self.path}: byte {self.offset}{record}: {self.severity}: {self.message}"


class Checker:
    """Checks files one after the other, and at the end what their records say of each other."""

    def __init__(self, now: datetime) -> None:
        self.now = now
        self.records = 0
        self.places = Places()
        self.references = References(self.places)

    def check(self, paths: Iterable[Path]) -> Iterator[Finding]:
        """Every finding; memory does not grow with the files."""
        for path in paths:
            yield from _FileCheck(self, path).findings()
        for path, offset, record_id, broken in self.references.broken():
            yield Finding.of(path, offset, record_id, broken)

    def close(self) -> None:
        """Give the temporary files back."""
        self.references.close()
        self.places.close()


@dataclass(slots=True)
class _FileCheck:
    """One file, and what is known of the exchange that is being read. Of records only the fields are kept."""

    checker: Checker
    path: Path
    ours: bool = False
    """Whether each exchange must be completed by a metadata record."""
    parts: list[Record] = field(default_factory=list)
    """Requests and responses whose exchange is not complete yet."""
    held: list[tuple[Record, Broken]] = field(default_factory=list)
    """Faults of HTTP, until the rest of the exchange has said whether the server is to blame."""
    found: list[Finding] = field(default_factory=list)

    def findings(self) -> Iterator[Finding]:
        if is_arc(self.path):
            yield from self._findings_of_arc()
            return
        exchanges, first = 0, True
        for record in read_records(self.path, on_damage=self._damage, block_digests=True):
            self.checker.records += 1
            exchanges += record.type not in ("warcinfo", "")
            if first and record.type != "warcinfo":
                self._tell(record, Broken("no-warcinfo", "the file does not begin with a warcinfo record", Severity.NOTE))
            first = False
            self._record(record)
            yield from self._told()
        self._exchange_ends()
        if not exchanges:
            self.found.append(Finding(path=self.path, offset=0, rule="empty-file", message="the file holds no exchange"))
        yield from self._told()

    def _findings_of_arc(self) -> Iterator[Finding]:
        """Nothing but damage: what else must hold of ARC no rule here says."""
        for _ in read_any_records(self.path, on_damage=self._damage):
            self.checker.records += 1
        yield from self._told()
        message = "an ARC file: only its bytes were looked at, `check` has no rules for what is in it"
        yield Finding(path=self.path, offset=0, rule="arc", severity=Severity.NOTE, message=message)

    def _told(self) -> Iterator[Finding]:
        yield from self.found
        self.found.clear()

    def _damage(self, damage: Damage) -> None:
        message = f"{damage.reason}; {damage.length} bytes are lost{self._excuse()}"
        self.found.append(Finding(path=self.path, offset=damage.offset, rule="damage", message=message))

    def _excuse(self) -> str:
        return _UNFINISHED if self.path.name.endswith(OPEN) else ""

    def _tell(self, record: Record, broken: Broken) -> None:
        self.found.append(Finding.of(self.path, record.offset, record.id or None, broken))

    def _record(self, record: Record) -> None:
        for fault in record.faults:
            self._tell(record, Broken("frame", fault))
        for rule in rules.RULES:
            for broken in rule(record):
                self._tell(record, broken)
        for broken in rules.date(record, self.checker.now):
            self._tell(record, broken)
        if record.id and self.checker.places.by_id(record.id):
            self._tell(record, Broken("record-id", "another record has the same WARC-Record-ID"))
        self.checker.places.add(self.path, record)
        self.checker.references.note(self.path, record)
        if record.type in _EXCHANGE:
            self._part(record)
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
            self._tell(record, Broken("exchange-date", "request and response of one exchange have different dates", Severity.NOTE))
        self.held += [(replace(record, block=b""), broken) for broken in rules.http(record)]
        self.parts.append(replace(record, block=record.block[:16] if record.type == "request" else b""))
        if any(part.block.startswith(b"HEAD ") for part in self.parts):
            self.held = [(part, broken) for part, broken in self.held if broken.rule != "http-length"]

    def _metadata(self, record: Record) -> None:
        """Ours completes an exchange, and says whether something went wrong on the wire; anyone else's is no concern."""
        told = warc_fields(record.block)
        if EVENT_FIELD not in told:
            return
        if event_of(record) is None:
            self._tell(record, Broken("event", f"its {EVENT_FIELD} is no JSON object"))
        if "curator-error" in told:
            reason = f"; the crawl noted: {told['curator-error']}"
            self.held = [(part, replace(broken, severity=Severity.NOTE, message=broken.message + reason)) for part, broken in self.held]
        complete = named(record)
        self.parts = [part for part in self.parts if part.id not in complete]
        self._exchange_ends()

    def _exchange_ends(self) -> None:
        """Tell what is missing of the exchange that was being read."""
        for part, broken in self.held:
            self._tell(part, broken)
        self.held.clear()
        types = {part.type for part in self.parts}
        for part in self.parts:
            if self.ours:
                message = f"no metadata record completes the exchange of this {part.type}{self._excuse()}"
                self._tell(part, Broken("incomplete-exchange", message))
            elif types == {"request"}:
                self._tell(part, Broken("missing-pair", "a request without its response"))
            elif "request" not in types:
                self._tell(part, Broken("missing-pair", "a response without its request", Severity.NOTE))
        self.parts.clear()
