"""Records of any program's files, ARC too: the door to warcio, which knows how others write. Our own files are read by our own reader.

warcio is given the heads of records, one by one, and says what is in them. Members, blocks, offsets and damage are the business of
`RecordReader` here as well, since warcio takes lines of any length into memory, and does not notice where a member was cut.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from enum import Enum, auto
from functools import lru_cache
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO
from uuid import NAMESPACE_URL, uuid5

from webarticlecurator.errors import CorpusError
from webarticlecurator.storage.places import open_file
from webarticlecurator.warc.members import MemberError, open_members
from webarticlecurator.warc.records import OnDamage, Record, RecordHead, RecordReader, check_version, content_length, refuse
from webarticlecurator.warc.warcinfo import is_ours

_ARC_START = re.compile(rb"(?<=\n)[a-z][a-z0-9+.-]{1,20}:\S{1,4096} \S{1,45} \d{14} ")
"""How a record of an ARC file begins: its URL, address of the host and date."""
_LINE_END = re.compile(rb"\n")
_FOLD = re.compile(rb"\r?\n[ \t]+")
"""Where a field of WARC/1.0 goes on in the next line, which warcio does not know of."""
_ARC_DATE = re.compile(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)", re.ASCII)
_FILE_HEADER = "filedesc://"
"""Begins the first record of an ARC file, which tells of the file itself."""
_HTTP = ("http://", "https://")


class _Format(Enum):
    OURS = auto()
    WARC = auto()
    ARC = auto()


def read_any_records(path: Path, *, start: int = 0, on_damage: OnDamage = refuse) -> Iterator[Record]:
    """Every whole record from `start` on of a file of any program; memory does not grow with the file."""
    with open_file(path) as file:
        reader = _READERS[_format_of(file)]
        yield from reader(path, open_members(file, start), on_damage).records()


def read_any_record(path: Path, offset: int, skip: int = 0) -> Record:
    """The record at a place that was noted before. Raises CorpusError."""
    for record in read_any_records(path, start=offset):
        if record.offset == offset and record.skip == skip:
            return record
        if record.offset > offset:
            break
    raise CorpusError(f"{path}: there is no record at byte {offset}. If the file was replaced, run `curator warc index` to read it again.")


def is_arc(path: Path) -> bool:
    """Whether a file is ARC, which Heritrix wrote before there was WARC."""
    with open_file(path) as file:
        return _format_of(file) is _Format.ARC


def _format_of(file: BinaryIO) -> _Format:
    """By what the file begins with."""
    members = open_members(file, 0)
    try:
        beginning = members.read() if members.advance() else b""
    except MemberError:
        beginning = b""
    if _ARC_START.match(b"\n" + beginning, 1):
        return _Format.ARC
    return _Format.OURS if is_ours(beginning) else _Format.WARC


class _WarcReader(RecordReader):
    """A WARC file of another program."""

    def parse_head(self, raw: bytes) -> RecordHead:
        check_version(raw)
        fields = tuple(_parsed(_FOLD.sub(b" ", raw), "warc").rec_headers.headers)
        return RecordHead(written=raw, fields=fields, size=content_length(fields))


class _ArcReader(RecordReader):
    """An ARC file. Its records get the fields that a WARC would give them."""

    begins = _ARC_START

    def take_head(self) -> bytes:
        line = self.take_until(_LINE_END)
        if not line.startswith(_FILE_HEADER.encode()):
            return line
        return line + self.take_until(_LINE_END) + self.take_until(_LINE_END)

    def parse_head(self, raw: bytes) -> RecordHead:
        record = _parsed(raw, "arc")
        line = dict(record.rec_headers.headers)
        content_length((("Content-Length", line["length"]),))
        fields = tuple(_warc_fields(line, record.length))
        lines = ["WARC/1.0", *(f"{name}: {value}" for name, value in fields)]
        return RecordHead(written="".join(f"{line}\r\n" for line in (*lines, "")).encode(), fields=fields, size=record.length, is_arc=True)


_READERS = {_Format.OURS: RecordReader, _Format.WARC: _WarcReader, _Format.ARC: _ArcReader}


def _warc_fields(line: dict[str, str], size: int) -> Iterator[tuple[str, str]]:
    """What the line before a record of an ARC file says, as named fields of WARC."""
    url, date = line["uri"], line["archive-date"]
    yield "WARC-Type", "warcinfo" if url.startswith(_FILE_HEADER) else "response"
    yield "WARC-Record-ID", f"<{uuid5(NAMESPACE_URL, ' '.join(line.values())).urn}>"
    yield "WARC-Date", _ARC_DATE.sub(r"\1-\2-\3T\4:\5:\6Z", date)
    if url.startswith(_FILE_HEADER):
        yield "WARC-Filename", url.removeprefix(_FILE_HEADER)
    else:
        yield "WARC-Target-URI", url
        yield "WARC-IP-Address", line["ip-address"]
    yield "Content-Type", "application/http;msgtype=response" if url.lower().startswith(_HTTP) else line["content-type"]
    yield "Content-Length", str(size)


def _parsed(head: bytes, known_format: str) -> Any:
    """What warcio makes of a head."""
    try:
        return _loader().parse_record_stream(BytesIO(head), known_format=known_format, no_record_parse=True)
    except Exception as error:  # a stranger's file may hold anything, and warcio does not say which exceptions that leads to
        raise MemberError(f"this is no head of a record ({error})") from None


@lru_cache(maxsize=1)
def _loader() -> Any:
    """Imported here, since whoever has only files of ours never needs it."""
    import logging

    from warcio.recordloader import ArcWarcRecordLoader
    from warcio.statusandheaders import StatusAndHeadersParser

    logging.getLogger("warcio").addHandler(logging.NullHandler())  # it would tell of mended URLs on stderr
    loader = ArcWarcRecordLoader(arc2warc=False)
    loader.warc_parser = StatusAndHeadersParser(["WARC/"])  # versions that it does not know can be read as well
    return loader
