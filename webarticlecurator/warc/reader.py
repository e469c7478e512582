"""Single captures by their place: what the ledger noted, read back."""

from __future__ import annotations

from pathlib import Path

from webarticlecurator.errors import CorpusError
from webarticlecurator.model.capture import Capture, Location
from webarticlecurator.warc.http_message import HttpResponse, parse_response
from webarticlecurator.warc.records import MAX_BLOCK, Record, read_record
from webarticlecurator.warc.store import find_file


def read_capture(folder: Path, location: Location) -> Capture:
    """The response stored at a place. A revisit is given as it is: its entity is empty, and the caller knows what it refers to."""
    path = find_file(folder, location.file)
    record = read_record(path, location.offset)
    http = parse_response(record.block)
    if record.type not in ("response", "revisit") or http is None:
        raise CorpusError(
            f"{path}: byte {location.offset}: there is no HTTP response here. Run `curator warc index` to make the ledger again."
        )
    return capture_of(path, record, http)


def capture_of(path: Path, record: Record, http: HttpResponse, method: str = "GET") -> Capture:
    """A response record as a capture."""
    date = record.date
    if date is None or record.size > MAX_BLOCK:
        what = "has no readable date" if date is None else f"is larger than {MAX_BLOCK >> 20} MB"
        raise CorpusError(f"{path}: byte {record.offset}: this response {what}.")
    return Capture(
        url=record.url,
        requested_url=record.url,
        method=method,
        status=http.status,
        headers=http.headers,
        entity=http.entity if record.type == "response" else b"",
        date=date,
        record_id=record.id,
        location=record.location(path),
    )
