"""Records of the store: what it tells when it has written them, and the same read back from its files."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, cast

import orjson

from webarticlecurator.model.capture import Location, NotedRecord, Rendered
from webarticlecurator.protocol.message import mime_of, status_of
from webarticlecurator.warc.records import OnDamage, Record, bare, read_records, refuse

_ANSWERS = frozenset({"response", "revisit"})
_PARTNERS = {"request": _ANSWERS, "response": frozenset({"request"}), "revisit": frozenset({"request"})}
RecordKind = Literal["response", "revisit", "conversion"]
LAYOUT_FIELD = "curator-exchanges"
"""In the warcinfo: each exchange of the file is completed by a metadata record; and the version of that
layout."""
PORTAL_FILE = "urn:curator:portal-file:"
"""Beginning of the URIs of portal files."""
EVENT_FIELD = "curator-event"
"""The field of our metadata records that holds the event: JSON on one line."""
LOADED = "loaded"
"""The kind of the events of what a page loaded in a browser."""
REQUISITE = "requisite"
"""The kind of the events of style sheets, pictures and fonts of pages."""
RENDERED_FIELD = "curator-rendered"
"""The field that tells how the conversion record of the same exchange came about: JSON on one line, as
`Rendered` without its page."""


@dataclass(frozen=True, slots=True)
class StoredResponse:
    """A response in the store, or a revisit that stands for one, or what a browser made of one: in the order
    of the ledger's columns."""

    record: str
    """Its id, without angle brackets."""
    target: str
    at: str
    """UTC, ISO 8601."""
    digest: str
    """The digest of the payload; empty when what the server sent is no HTTP."""
    file: str
    offset: int
    length: int
    kind: RecordKind = "response"
    status: int | None = 200
    """The status; None when what the server sent is no HTTP."""
    made_of: StoredResponse | None = None
    """The response that a conversion was made of, which lies beside it; None: it shows what became of a page
    that was shown before."""

    @property
    def location(self) -> NotedRecord:
        """Return the location of this one record."""
        return NotedRecord.of_row(self.file, self.offset, self.length, self.record, self.target, self.digest)

    @property
    def date(self) -> datetime:
        return datetime.fromisoformat(self.at)


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredExchange:
    """An event with the answer that it is about, as our WARC files have them."""

    location: Location
    """The location of all its records: they lie one after the other."""
    event: Mapping[str, Any]
    response: StoredResponse | None
    """The response; None when there is no response record: nothing came, or there was no exchange at all."""


def read_exchanges(path: Path, *, start: int = 0, on_damage: OnDamage = refuse) -> Iterator[StoredExchange]:
    """Every whole exchange of ours from `start` on, in order. Records of other programs are passed over."""
    for group in read_groups(path, start=start, on_damage=on_damage):
        stored = _stored(*group.records)
        if stored is not None:
            yield stored


def _stored(*records: Record) -> StoredExchange | None:
    """The exchange that our metadata completes, if all that it names is there: nothing else counts, not even
    what a response names."""
    *before, metadata = records
    event = event_of(metadata) if metadata.type == "metadata" and not metadata.faults else None
    names = named(metadata)
    parts = [part for part in before if part.id in names and part.date is not None and not part.faults]
    if event is None or len(parts) != len(names):
        return None
    response: StoredResponse | None = None
    for part in parts:
        if part.type != "request" and part.date is not None:
            response = _stored_response(part, part.date, response)
    start = parts[0].offset if parts else metadata.offset
    location = Location(file=metadata.location.file, offset=start, length=metadata.end - start)
    return StoredExchange(location=location, event=event, response=response)


def _stored_response(record: Record, date: datetime, before: StoredResponse | None) -> StoredResponse:
    """Return what a record says of a response; `before`: what a browser made the page of, if it is one."""
    is_rendered, place = record.type == "conversion", record.location
    return StoredResponse(
        record=record.id,
        target=record.url,
        at=date.isoformat(),
        digest=record.field("WARC-Payload-Digest") or "",
        file=place.file,
        offset=place.offset,
        length=place.length,
        kind=cast(RecordKind, record.type),
        status=200 if is_rendered else status_of(record.block),
        made_of=before if is_rendered else None,
    )


@dataclass(frozen=True, slots=True)
class Group:
    """Records of one exchange, in file order; anything else is a group of its own."""

    records: tuple[Record, ...]

    @property
    def request(self) -> Record | None:
        return next((record for record in self.records if record.type == "request"), None)

    @property
    def response(self) -> Record | None:
        """The response, or the revisit that stands for it."""
        return next((record for record in self.records if record.type in _ANSWERS), None)

    @property
    def rendered(self) -> Record | None:
        """Return what a browser made of the response."""
        return next(
            (record for record in self.records if record.type == "conversion" and is_page(record)), None
        )

    def shown(self) -> Rendered | None:
        """Return the page as a browser showed it, with what our metadata record tells of it; None where no
        browser of ours has to do with it."""
        page = self.rendered
        written = next(
            (
                warc_fields(record.block).get(RENDERED_FIELD)
                for record in self.records
                if record.type == "metadata"
            ),
            None,
        )
        try:
            values = orjson.loads(written or "")
            step, texts = (
                values.get("step", 0),
                {name: values.get(name) for name in ("browser", "end", "limit")},
            )
        except (orjson.JSONDecodeError, AttributeError):
            return None
        if (
            page is None
            or page.date is None
            or type(step) is not int
            or not all(isinstance(text, str | None) for text in texts.values())
        ):
            return None
        return Rendered(
            html=page.block,
            date=page.date,
            step=step,
            browser=texts["browser"] or "",
            end=texts["end"],
            limit=texts["limit"],
        )

    @property
    def page(self) -> Record | None:
        """The record that a page is read from: as a browser of ours showed it, else as it came."""
        return self.rendered if self.shown() is not None else self.response

    @property
    def event(self) -> Mapping[str, Any]:
        """Return what our metadata record says; empty in the files of other programs."""
        return next(
            (event for record in self.records if record.type == "metadata" and (event := event_of(record))),
            {},
        )

    @property
    def main(self) -> Record:
        """The record that says what the group is about."""
        return self.response or self.records[0]


def read_groups(path: Path, *, start: int = 0, on_damage: OnDamage = refuse) -> Iterator[Group]:
    """Every record of a file of any program, together with its neighbours of the same exchange; memory holds
    one group."""
    current: list[Record] = []
    for record in read_records(path, start=start, on_damage=on_damage):
        if current and not _goes_on(current, record):
            yield Group(tuple(current))
            current.clear()
        current.append(record)
    if current:
        yield Group(tuple(current))


def _goes_on(current: list[Record], record: Record) -> bool:
    """True if a record belongs to the group being read."""
    if record.type == "metadata":
        return len(current) < 4 and any(earlier.id in named(record) for earlier in current)
    if record.type == "conversion" and is_page(record):
        return current[-1].type in _ANSWERS and current[-1].id == bare(record.field("WARC-Refers-To") or "")
    other = current[0]
    if len(current) > 1 or other.type not in _PARTNERS.get(record.type, ()):
        return False
    if named(other) or named(record):
        return other.id in named(record) or record.id in named(other)
    return bool(record.url) and record.url == other.url


def named(record: Record) -> frozenset[str]:
    """The ids of the records that a record says it belongs to."""
    names = ("WARC-Concurrent-To", "WARC-Refers-To") if record.type == "metadata" else ("WARC-Concurrent-To",)
    return frozenset(bare(value) for name in names for value in record.all(name))


def is_page(conversion: Record) -> bool:
    """True if a conversion record is a page as a browser showed it: other programs store plain texts so."""
    return mime_of(conversion.fields) == "text/html"


def event_of(metadata: Record) -> Mapping[str, Any] | None:
    """Our event in a metadata record; None if there is none."""
    text = warc_fields(metadata.block).get(EVENT_FIELD)
    try:
        event = orjson.loads(text) if text else None
    except orjson.JSONDecodeError:
        return None
    return event if isinstance(event, dict) else None


def warc_fields(block: bytes) -> dict[str, str]:
    """The body of a warcinfo or metadata record; of a repeated field the last value."""
    lines = block.decode("utf-8", "replace").split("\n")
    return {
        name.strip(): value.strip() for name, colon, value in (line.partition(":") for line in lines) if colon
    }
