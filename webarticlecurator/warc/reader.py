"""Single captures by their place: what the ledger noted, read back."""

from __future__ import annotations

from pathlib import Path
from typing import BinaryIO, Self

from webarticlecurator.errors import CorpusError
from webarticlecurator.http.message import HttpResponse, parse_response
from webarticlecurator.model.capture import Capture, Location
from webarticlecurator.storage.places import open_file
from webarticlecurator.warc.foreign import read_any_record
from webarticlecurator.warc.members import unpack_member
from webarticlecurator.warc.records import MAX_BLOCK, Record, record_of
from webarticlecurator.warc.store import find_file


class CaptureReader:
    """Reads captures by their places. The file stays open: in the order of their places, each file is read once from start to end."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._name = ""
        self._path = folder
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._close()

    def read(self, location: Location) -> Capture | None:
        """The response stored there; None where it was stored cut short. Raises CorpusError."""
        record = self.record(location)
        if record.field("WARC-Truncated") is not None:
            return None
        return _capture(self._path, record)

    def record(self, location: Location) -> Record:
        """The record itself, of whatever type. Raises CorpusError."""
        file = self._open(location.file)
        file.seek(location.offset)
        data = unpack_member(file.read(location.length), MAX_BLOCK)
        record = None if data is None else record_of(data, location.offset, location.offset + location.length)
        return record or read_any_record(self._path, location.offset)  # the slow way knows of every oddity, and says what is wrong

    def _open(self, name: str) -> BinaryIO:
        if self._file is None or self._name != name:
            self._close()
            self._path = find_file(self._folder, name)
            self._file, self._name = open_file(self._path), name
        return self._file

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


def read_capture(folder: Path, location: Location) -> Capture:
    """The response stored at a place. A revisit is given as it is: its entity is empty, and the caller knows what it refers to."""
    path = find_file(folder, location.file)
    return _capture(path, read_any_record(path, location.offset))


def _capture(path: Path, record: Record) -> Capture:
    http = parse_response(record.block)
    if record.type not in ("response", "revisit") or http is None:
        raise CorpusError(
            f"{path}: byte {record.offset}: there is no HTTP response here. Run `curator warc index` to make the ledger again."
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
