"""Single captures by their place: what the ledger noted, read back."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, BinaryIO

from webarticlecurator.errors import CorpusError
from webarticlecurator.http.message import parse_response
from webarticlecurator.model.capture import Capture, Headers, Location
from webarticlecurator.storage.places import open_file
from webarticlecurator.warc.records import MAX_BLOCK, Record, read_record, record_of
from webarticlecurator.warc.store import find_file, missing
from webarticlecurator.warc.stored import is_page

_OF_THE_BODY = frozenset({"content-type", "content-encoding", "content-length", "transfer-encoding", "content-md5", "digest"})
"""Headers that say nothing of what a browser made of a response."""


class CaptureReader(AbstractContextManager["CaptureReader"]):
    """Reads captures by their places. Files stay open: in the order of their places, each file is read once from start to end."""

    def __init__(self, folder: Path, expected: Iterable[Location] = ()) -> None:
        """`expected`: what will be read; of an object store nothing behind that is asked for."""
        self._folder = folder
        self._ends: dict[str, int] = {}
        for place in expected:
            self._ends[place.file] = max(self._ends.get(place.file, 0), place.offset + place.length)
        self._files: dict[str, tuple[Path, BinaryIO]] = {}
        """By name, the one used last at the end."""

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        while self._files:
            self._files.popitem()[1][1].close()

    def read(self, location: Location) -> Capture | None:
        """The whole response stored there; None where it was stored cut short. Raises CorpusError."""
        path, record = self.stored(location)
        return capture_in(path, record) if record.field("WARC-Truncated") is None else None

    def capture(self, location: Location) -> Capture:
        """The response stored there, cut short or not; a revisit as it is, with no entity. Raises CorpusError."""
        return capture_in(*self.stored(location))

    def stored(self, location: Location) -> tuple[Path, Record]:
        """The record itself, of whatever type, and its file. Raises CorpusError."""
        name = location.file
        if (opened := self._files.pop(name, None)) is None:
            while len(self._files) >= 8:  # of an object store, each holds what was read last of it
                self._files.pop(next(iter(self._files)))[1].close()
            path = find_file(self._folder, name)
            try:
                opened = path, open_file(path, self._ends.get(name))
            except FileNotFoundError:  # of an object store that is known only now
                raise CorpusError(missing(path)) from None
        path, file = self._files[name] = opened
        file.seek(location.offset)
        record = record_of(file.read(location.length), location.offset, location.offset + location.length)
        return path, record or read_record(path, location.offset)  # the slow way knows of every oddity, and says what is wrong


def capture_in(path: Path, record: Record) -> Capture:
    """What a record holds: a response, what a browser made of one, or the head of a revisit. Raises CorpusError."""
    if record.type == "conversion" and is_page(record):
        return rendered_capture(path, record)
    http = parse_response(record.block)
    if record.type not in ("response", "revisit") or http is None:
        raise CorpusError(f"{path}: byte {record.offset}: there is no HTTP response here.", advice="index")
    entity = http.entity if record.type == "response" else b""
    return stored_capture(path, record, status=http.status, headers=http.headers, entity=entity)


def rendered_capture(path: Path, record: Record, headers: Headers = ()) -> Capture:
    """A page as a browser showed it; `headers`: those of the response that it was made of."""
    kept = (line for line in headers if line[0].lower() not in _OF_THE_BODY)
    headers = (("Content-Type", "text/html; charset=utf-8"), *kept)
    return stored_capture(path, record, status=200, headers=headers, entity=record.block, is_rendered=True)


def stored_capture(path: Path, record: Record, **values: Any) -> Capture:
    """A stored answer as a page to be read. Raises CorpusError."""
    date, url, place = record.date, record.url, record.location(path)
    if date is None or record.size > MAX_BLOCK:
        flaw = "has no readable date" if date is None else f"is larger than {MAX_BLOCK >> 20} MB"
        raise CorpusError(f"{path}: byte {record.offset}: this {record.type} {flaw}.")
    return Capture(url=url, requested_url=url, date=date, record_id=record.id, location=place, **values)
