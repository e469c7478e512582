"""Single captures by their place: what the ledger noted, read back."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import BinaryIO, Self

from webarticlecurator.errors import CorpusError
from webarticlecurator.http.message import HttpResponse, parse_response
from webarticlecurator.model.capture import Capture, Headers, Location
from webarticlecurator.storage.places import Range, is_url, open_file, url_of
from webarticlecurator.warc.members import first_member
from webarticlecurator.warc.records import MAX_BLOCK, Record, covers, read_record, record_of
from webarticlecurator.warc.store import find_file, missing
from webarticlecurator.warc.stored import is_page

_OF_THE_BODY = frozenset({"content-type", "content-encoding", "content-length", "transfer-encoding", "content-md5", "digest"})
"""Headers that say nothing of what a browser made of a response."""


class CaptureReader:
    """Reads captures by their places. The file stays open: in the order of their places, each file is read once from start to end."""

    def __init__(self, folder: Path, expected: Iterable[Location] = ()) -> None:
        """`expected`: what will be read; of an object store it is asked for together."""
        self._folder = folder
        self._name = ""
        self._path = folder
        self._file: BinaryIO | None = None
        self._expected: dict[str, list[Range]] = {}
        for place in expected:
            self._expected.setdefault(place.file, []).append((place.offset, place.offset + place.length))
        self._remote: dict[str, tuple[Path, BinaryIO]] = {}
        """Files of an object store that were read before: what was asked for of them is still held."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()

    def close(self) -> None:
        """Let the file go."""
        if self._file is not None:
            self._file.close()
            self._file = None

    def read(self, location: Location) -> Capture | None:
        """The whole response stored there; None where it was stored cut short. Raises CorpusError."""
        record = self.record(location)
        return capture_in(self._path, record) if record.field("WARC-Truncated") is None else None

    def capture(self, location: Location) -> Capture:
        """The response stored there, cut short or not; a revisit as it is, with no entity. Raises CorpusError."""
        record = self.record(location)
        return capture_in(self._path, record)

    def record(self, location: Location) -> Record:
        """The record itself, of whatever type. Raises CorpusError."""
        file = self._open(location.file)
        file.seek(location.offset)
        try:
            data = first_member(file.read(location.length), MAX_BLOCK)
        except FileNotFoundError:  # of an object store that is known only now
            raise CorpusError(missing(self._path)) from None
        record = None if data is None else record_of(data, location.offset, location.offset + location.length)
        if record is None or not self._is_sound(record):
            record = read_record(self._path, location.offset)  # the slow way knows of every oddity, and says what is wrong
            if not self._is_sound(record):
                raise CorpusError(f"{url_of(self._path)}: byte {location.offset}: this record is not what its digest says, read twice.")
        return record

    def path(self, location: Location) -> Path:
        """Of the file."""
        self._open(location.file)
        return self._path

    def _is_sound(self, record: Record) -> bool:
        """Whether what came from another machine is what was written; a disk is checked by `warc check`."""
        declared = record.field("WARC-Block-Digest") if is_url(self._path) else None
        return declared is None or record.size > len(record.block) or covers(declared, record.block) is not False

    def _open(self, name: str) -> BinaryIO:
        if self._file is None or self._name != name:
            if self._name not in self._remote:
                self.close()
            self._path, self._file = self._remote.get(name) or self._opened(name)
            self._name = name
        return self._file

    def _opened(self, name: str) -> tuple[Path, BinaryIO]:
        path = find_file(self._folder, name)
        file = open_file(path, self._expected.get(name, ()))
        if is_url(path):
            self._remote[name] = path, file
        return path, file


def capture_in(path: Path, record: Record) -> Capture:
    """What a record holds: a response, what a browser made of one, or the head of a revisit. Raises CorpusError."""
    if record.type == "conversion" and is_page(record):
        return rendered_capture(path, record)
    http = parse_response(record.block)
    if record.type not in ("response", "revisit") or http is None:
        raise CorpusError(
            f"{path}: byte {record.offset}: there is no HTTP response here. Run `curator warc index` to make the ledger again."
        )
    return http_capture(path, record, http)


def rendered_capture(path: Path, record: Record, headers: Headers = ()) -> Capture:
    """A page as a browser showed it; `headers`: those of the response that it was made of."""
    return Capture(
        url=record.url,
        requested_url=record.url,
        status=200,
        headers=(("Content-Type", "text/html; charset=utf-8"), *(line for line in headers if line[0].lower() not in _OF_THE_BODY)),
        entity=record.block,
        date=_date_of(path, record),
        record_id=record.id,
        location=record.location(path),
        is_rendered=True,
    )


def http_capture(path: Path, record: Record, http: HttpResponse, method: str = "GET") -> Capture:
    """A response record as a capture."""
    return Capture(
        url=record.url,
        requested_url=record.url,
        method=method,
        status=http.status,
        headers=http.headers,
        entity=http.entity if record.type == "response" else b"",
        date=_date_of(path, record),
        record_id=record.id,
        location=record.location(path),
    )


def _date_of(path: Path, record: Record) -> datetime:
    date = record.date
    if date is not None and record.size <= MAX_BLOCK:
        return date
    what = "has no readable date" if date is None else f"is larger than {MAX_BLOCK >> 20} MB"
    raise CorpusError(f"{path}: byte {record.offset}: this {record.type} {what}.")
