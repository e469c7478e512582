"""What the store tells of what it holds, and the same read back from its files."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import orjson

from webarticlecurator.http.message import status_of
from webarticlecurator.model.capture import Location
from webarticlecurator.warc.records import OnDamage, Record, bare, read_records, refuse

_ANSWERS = frozenset({"response", "revisit"})
_PARTNERS = {"request": _ANSWERS, "response": frozenset({"request"}), "revisit": frozenset({"request"})}
_MOST_RECORDS = 4
EVENT_FIELD = "curator-event"
"""The field of our metadata records that holds the event: JSON on one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResponse:
    """A response in the store, or a revisit that stands for one."""

    record_id: str
    """Without angle brackets."""
    location: Location
    """Of this one record."""
    url: str
    date: datetime
    """UTC, aware."""
    status: int | None
    """None when what the server sent is no HTTP."""
    payload_digest: str
    """Empty when what the server sent is no HTTP."""
    kind: Literal["response", "revisit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A whole exchange in the store."""

    location: Location
    """Of all its records: they lie one after the other."""
    event: Mapping[str, Any]
    response: StoredResponse | None
    """None when there is no response record: nothing came, or there was no exchange at all."""


def read_exchanges(path: Path, *, start: int = 0, on_damage: OnDamage = refuse) -> Iterator[Stored]:
    """Every whole exchange of ours from `start` on, in order. Records of other programs are passed over."""
    parts: deque[Record] = deque(maxlen=2)  # an exchange has no more
    for record in read_records(path, start=start, on_damage=on_damage):
        if record.type in _PARTNERS and not record.faults:
            parts.append(record)
            continue
        stored = _stored(path, parts, record) if record.type == "metadata" and not record.faults else None
        parts.clear()
        if stored is not None:
            yield stored


def _stored(path: Path, before: Iterable[Record], metadata: Record) -> Stored | None:
    """The exchange that our metadata completes, if all that it names is there: nothing else counts, not even what a response names."""
    event, names = event_of(metadata), named(metadata)
    parts = [part for part in before if part.id in names and part.date is not None]
    if event is None or len(parts) != len(names):
        return None
    response = next((_stored_response(path, part, part.date) for part in parts if part.type in _ANSWERS and part.date is not None), None)
    start = parts[0].offset if parts else metadata.offset
    location = Location(file=metadata.location(path).file, offset=start, length=metadata.end - start)
    return Stored(location=location, event=event, response=response)


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
    def event(self) -> Mapping[str, Any]:
        """What our metadata record says; empty in the files of other programs."""
        return next((event for record in self.records if record.type == "metadata" and (event := event_of(record))), {})

    @property
    def main(self) -> Record:
        """The record that says what the group is about."""
        return self.response or self.records[0]


def groups(records: Iterable[Record]) -> Iterator[Group]:
    """Every record, together with its neighbours of the same exchange; memory holds one group."""
    current: list[Record] = []
    for record in records:
        if current and not _goes_on(current, record):
            yield Group(tuple(current))
            current.clear()
        current.append(record)
    if current:
        yield Group(tuple(current))


def belong(one: Record, other: Record) -> bool:
    """Whether a request and the response next to it are of one exchange: one names the other, or none names any and the URL is the same."""
    if one.id in named(other) or other.id in named(one):
        return True
    return bool(one.url) and one.url == other.url and not named(one) and not named(other)


def _goes_on(current: list[Record], record: Record) -> bool:
    """Whether a record belongs to the group being read."""
    if record.type == "metadata":
        return len(current) < _MOST_RECORDS and any(earlier.id in named(record) for earlier in current)
    return len(current) == 1 and current[0].type in _PARTNERS.get(record.type, ()) and belong(current[0], record)


def named(record: Record) -> frozenset[str]:
    """The ids of the records that a record says it belongs to."""
    names = ("WARC-Concurrent-To", "WARC-Refers-To") if record.type == "metadata" else ("WARC-Concurrent-To",)
    return frozenset(bare(value) for name in names for value in record.all(name))


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
    return {name.strip(): value.strip() for name, colon, value in (line.partition(":") for line in lines) if colon}


def _stored_response(path: Path, record: Record, date: datetime) -> StoredResponse:
    return StoredResponse(
        record_id=record.id,
        location=record.location(path),
        url=record.url,
        date=date,
        status=status_of(record.block),
        payload_digest=record.field("WARC-Payload-Digest") or "",
        kind="response" if record.type == "response" else "revisit",
    )
