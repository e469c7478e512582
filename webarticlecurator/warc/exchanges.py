"""Whole exchanges read back from our files, and what a crash left in the last one put right."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import orjson

from webarticlecurator.http.message import status_of
from webarticlecurator.model.capture import Location
from webarticlecurator.warc.records import Damage, Record, bare, read_records, refuse
from webarticlecurator.warc.store import Sync, seal, sync_folder
from webarticlecurator.warc.stored import EVENT_FIELD, Stored, StoredResponse

_PARTS = frozenset({"request", "response", "revisit"})


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairReport:
    """What was done to a file that a crash had left open."""

    path: Path | None
    """The sealed file; None: it held no whole exchange and is gone."""
    found: int
    """Whole exchanges beyond what was committed: to be indexed."""
    kept: int
    """Bytes that the file has now."""
    cut: int
    """Bytes of the unfinished exchange that were cut off."""
    damage: tuple[Damage, ...] = ()
    """What could not be read, the cut tail included."""


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


def repair(path: Path, committed: int, *, sync: Sync = os.fsync) -> RepairReport:
    """Seal a file that a crash left open. Whole exchanges stay, whatever the ledger knew of them; what follows the last one is cut.

    `committed` is the offset after the last exchange that the ledger knows, 0 if it knows none.
    """
    size = path.stat().st_size
    start = committed if committed <= size else 0  # the file is older than the ledger: everything in it counts
    damage: list[Damage] = []
    end, found = start, 0
    for stored in read_exchanges(path, start=start, on_damage=damage.append):
        end = stored.location.offset + stored.location.length
        found += 1
    if end == 0:
        path.unlink()
        sync_folder(path.parent, sync)
        return RepairReport(path=None, found=0, kept=0, cut=size, damage=tuple(damage))
    if end < size:
        with path.open("r+b") as file:
            file.truncate(end)
            sync(file.fileno())
    return RepairReport(path=seal(path, sync), found=found, kept=end, cut=size - end, damage=tuple(damage))
