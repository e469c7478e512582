"""What the store tells of what it holds, and the same read back from its files."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import orjson

from webarticlecurator.http.message import status_of
from webarticlecurator.model.capture import Location
from webarticlecurator.warc.records import Damage, Record, bare, read_records, refuse

_PARTS = frozenset({"request", "response", "revisit"})
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


def read_exchanges(path: Path, *, start: int = 0, on_damage: Callable[[Damage], None] = refuse) -> Iterator[Stored]:
    """Every whole exchange from `start` on, in order. Records of other programs are passed over."""
    pending: deque[Record] = deque(maxlen=2)  # an exchange has no more parts, and a stranger's file shall not fill the memory
    for record in read_records(path, start=start, on_damage=on_damage):
        if record.faults:
            pending.clear()
        elif record.type in _PARTS:
            pending.append(record)
        elif record.type == "metadata":
            stored = _complete(path, pending, record)
            pending.clear()
            if stored is not None:
                yield stored
        else:
            pending.clear()


def _complete(path: Path, pending: Iterable[Record], metadata: Record) -> Stored | None:
    """The exchange that this metadata record completes; None if one of the records it names is not there."""
    event = event_of(metadata)
    named = {bare(value) for value in metadata.all("WARC-Concurrent-To")}
    parts = [record for record in pending if record.id in named and record.date is not None]
    if event is None or len(parts) != len(named):
        return None
    first = parts[0] if parts else metadata
    response = next((_stored_response(path, record, record.date) for record in parts if record.type != "request" and record.date), None)
    whole = Location(file=metadata.location(path).file, offset=first.offset, length=metadata.end - first.offset)
    return Stored(location=whole, event=event, response=response)


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
