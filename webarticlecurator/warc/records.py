"""WARC records one after the other, whole or not at all, and their gzip members: what is damaged is told, and
passed over."""

from __future__ import annotations

import base64
import hashlib
import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import MAXYEAR, MINYEAR, UTC, datetime
from functools import partial
from io import BytesIO
from pathlib import Path
from typing import BinaryIO
from uuid import NAMESPACE_URL, uuid5

from isal import igzip_lib, isal_zlib

from webarticlecurator.errors import CorpusError
from webarticlecurator.model.capture import Headers, Location
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.protocol.message import header
from webarticlecurator.storage.places import file_size, open_file

MAX_BLOCK = 64 << 20
"""More of a block is never held in memory; what is beyond is read and let go."""
_MAX_HEAD = 256 << 10
"""URLs can be long, and a revisit names two of them."""
_IS_ZIP = "this is a zip file, as .wacz files are: unpack it, and name the WARC files in it"
_HEAD_END = linear(rb"\r\n\r\n|\n\n")
_VERSION = linear_at(rb"WARC/\d\.\d+\s*\n")
_DATE = linear_at(r"\d{4}(-\d\d(-\d\d(T\d\d:\d\d(:\d\d(\.\d{1,9})?)?Z)?)?)?", re.ASCII)
_ARC_START = linear(rb"(?<=\n)[a-z][a-z0-9+.-]{1,20}:\S{1,4096} \S{1,45} \d{14} ")
"""How a record of an ARC file begins: its URL, address of the host and date."""
_LINE_END = linear(rb"\n")
_LENGTH = linear_at(r"\d{1,18}", re.ASCII)
_FOLD = linear(r"\n[ \t]+")
"""A line's end at which a field of WARC/1.0 goes on in the next line."""
_ARC_DATE = linear(r"(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)", re.ASCII)
_FILE_HEADER = "filedesc://"
"""Begins the first record of an ARC file, which tells of the file itself."""
_ALGORITHMS = frozenset({"md5", "sha1", "sha224", "sha256", "sha384", "sha512"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """One record of a WARC or ARC file."""

    path: Path
    """The path of its file."""
    head: bytes
    """Version line and named fields as they stand in the file, with the empty line; those of ARC as a WARC
    would have them."""
    fields: Headers
    block: bytes
    """At most MAX_BLOCK of it; `size` is the truth."""
    size: int
    offset: int
    """The place where its gzip member starts, or in an uncompressed file where it starts itself."""
    skip: int = 0
    """Unpacked bytes before it in its gzip member: 0 in every well-made file."""
    end: int = 0
    """Offset after it; equal to `offset` when other records share its gzip member."""
    faults: tuple[str, ...] = ()
    """Faults of its frame, though it could be read."""

    def field(self, name: str) -> str | None:
        """The first named field of that name."""
        return header(self.fields, name.lower())

    def all(self, name: str) -> tuple[str, ...]:
        """Every value of a named field that may repeat."""
        wanted = name.lower()
        return tuple(value for key, value in self.fields if key.lower() == wanted)

    @property
    def type(self) -> str:
        return (self.field("WARC-Type") or "").lower()

    @property
    def id(self) -> str:
        """Without the angle brackets."""
        return bare(self.field("WARC-Record-ID") or "")

    @property
    def url(self) -> str:
        """WARC-Target-URI; some programs wrap it in angle brackets, and some leave blanks in it."""
        return bare(self.field("WARC-Target-URI") or "").replace(" ", "%20")

    @property
    def date(self) -> datetime | None:
        return parse_date(self.field("WARC-Date") or "")

    @property
    def location(self) -> Location:
        """Return where to find it again."""
        return Location(
            file=self.path.name.removesuffix(".open"), offset=self.offset, length=self.end - self.offset
        )


@dataclass(frozen=True, slots=True)
class Damage:
    """A stretch of a file that is not a whole record."""

    path: Path
    offset: int
    length: int
    reason: str

    def __str__(self) -> str:
        return f"{self.path}: byte {self.offset}: {self.reason}; {self.length} bytes passed over"


OnDamage = Callable[[Damage], None]
"""Is told of damage, while reading goes on."""


def refuse(damage: Damage) -> None:
    """For readers who cannot go on without every record."""
    raise CorpusError(f"{damage}.", advice="check")


def refuse_damaged(path: Path) -> None:
    """Raise CorpusError if a file has damage: for whoever gave it to a program that failed on it."""
    for _ in read_records(path):
        pass


def bare(value: str) -> str:
    """A URI without the angle brackets around it."""
    return value.strip().removeprefix("<").removesuffix(">")


def parse_date(text: str) -> datetime | None:
    """A WARC-Date of any precision that WARC allows; None when it is none, or so early or late that clocks
    cannot reckon with it."""
    text = text.strip()
    if not _DATE.fullmatch(text) or not MINYEAR < int(text[:4]) < MAXYEAR:
        return None
    try:
        return datetime.fromisoformat(text if "T" in text else f"{text}-01-01"[:10]).replace(tzinfo=UTC)
    except ValueError:
        return None


def read_records(path: Path, *, start: int = 0, on_damage: OnDamage = refuse) -> Iterator[Record]:
    """Every whole record from `start` on of a file of any program, packed or not; memory does not grow with
    the file."""
    with open_file(path) as file:
        yield from _Reader(path, _is_arc(file), _Members(file, start), on_damage).records()


def read_record(path: Path, offset: int, skip: int = 0) -> Record:
    """The record at a place that was noted before. Raises CorpusError."""
    for record in read_records(path, start=offset):
        if record.offset == offset and record.skip == skip:
            return record
        if record.offset > offset:
            break
    raise CorpusError(
        f"{path}: there is no record at byte {offset}. Perhaps the file was replaced.", advice="index"
    )


def record_of(packed: bytes, path: Path, offset: int, end: int) -> Record | None:
    """The record that these bytes are, as one gzip member; None where they are not exactly one, faultless and
    of a moderate size."""
    members = _Members(BytesIO(packed))
    try:
        record = (
            _Reader(path, False, members, refuse).record()
            if members.compressed and members.advance()
            else None
        )
    except _MemberError:
        return None
    is_whole = (
        record is not None and not record.faults and record.size <= MAX_BLOCK and record.end == len(packed)
    )
    return replace(record, offset=offset, end=end) if record is not None and is_whole else None


@dataclass(slots=True)
class _Reader:
    """One pass over a file: members, blocks, offsets and damage are the same for all programs, only heads are
    not."""

    path: Path
    is_arc: bool
    members: _Members
    on_damage: OnDamage
    buffer: bytes = b""
    used: int = 0
    """Bytes of the current member that were taken out of the buffer."""
    begun: int = 0
    """Offset of the record (or of its member) that is being read."""

    def records(self) -> Iterator[Record]:
        size, futile, empty = file_size(self.path), 0, 0
        begins = _ARC_START if self.is_arc else _WARC_START
        while self.members.advance():
            self.buffer, self.used, self.begun = b"", 0, self.members.start
            try:
                if empty > _MOST_EMPTY:
                    raise _MemberError(
                        f"{_MOST_EMPTY:,} times in a row there was no record: what follows is not read"
                    )
                empty += 1
                while self._fill(1):  # of one member there is one record, if the file is well made
                    blank = len(self.buffer) - len(
                        self.buffer.lstrip(b"\r\n")
                    )  # more blank lines than there should be
                    if blank:
                        self._take(blank)
                    else:
                        yield self.record()
                        empty = 0
                continue
            except _MemberError as error:
                begin, reason = self.begun, str(error)
            futile += self.members.position - begin
            is_in_earnest = empty <= _MOST_EMPTY and futile <= 4 * size  # damage can be made on purpose
            goes_on = is_in_earnest and self.members.find_record(begin + 1, begins)
            self.on_damage(
                Damage(self.path, begin, (self.members.position if goes_on else size) - begin, reason)
            )
            if not goes_on:
                return

    def _place(self) -> tuple[int, int]:
        """Offset and skip of the next byte."""
        if self.members.compressed:
            return self.members.start, self.used
        return self.members.start + self.used, 0

    def record(self) -> Record:
        """The one that begins here. Raises _MemberError."""
        self.begun, skip = self._place()
        head = self._head()
        if self.is_arc:
            head, fields = _arc_head(head)
        else:
            fields = _fields_of(head)
        size = _content_length(fields)
        kept: list[bytes] = []
        room, left = MAX_BLOCK, size
        while left:
            if not self._fill(1):
                raise _MemberError(
                    f"Content-Length says {size}, but only {size - left} bytes follow (a cut tail, or a "
                    "wrong length)"
                )
            piece = self._take(min(left, len(self.buffer)))
            left -= len(piece)
            if room > 0:
                kept.append(piece[:room])
                room -= len(piece)
        faults: tuple[str, ...] = ()
        if not self.is_arc:
            self._fill(4)
            if self.buffer.startswith(b"\r\n\r\n"):
                self._take(4)
            else:
                faults = ("the two empty lines after its block are missing",)
        alone = not self.members.compressed or (skip == 0 and not self._fill(1))
        if not alone:
            faults += (
                "it shares its gzip member with other records, so it cannot be found without reading those",
            )
        end = self.begun
        if alone:
            end = self.members.position if self.members.compressed else self._place()[0]
        return Record(
            path=self.path, head=head, fields=fields, block=b"".join(kept), size=size, offset=self.begun, skip=skip, end=end,
            faults=faults,
        )  # fmt: skip

    def _head(self) -> bytes:
        """Return all bytes before the block. Raises _MemberError."""
        if self.is_arc:
            line = self._take_until(_LINE_END)
            return (
                line + self._take_until(_LINE_END) + self._take_until(_LINE_END)
                if line.startswith(_FILE_HEADER.encode())
                else line
            )
        self._fill(7)
        if not self.buffer.startswith(b"WARC/"):
            is_zip = self.buffer.startswith(b"PK\x03\x04")
            raise _MemberError(_IS_ZIP if is_zip else "these bytes are not a WARC record")
        head = self._take_until(_HEAD_END)
        if not _VERSION.match(head):
            first = head.partition(b"\n")[0].decode("utf-8", "replace").rstrip()
            raise _MemberError(f"this record begins with {first[:40]!r} instead of a WARC version")
        return head

    def _take_until(self, end: re.Pattern[bytes]) -> bytes:
        """Return all bytes to the end of what is searched. Raises _MemberError."""
        searched = 0
        while not (match := end.search(self.buffer, searched, _MAX_HEAD)):
            if len(self.buffer) > _MAX_HEAD:
                raise _MemberError("the head of this record has no end")
            searched = max(0, len(self.buffer) - 3)  # the end may have begun
            if not self._fill(len(self.buffer) + 1):
                raise _MemberError("the file ends in the head of a record (a cut tail)")
        return self._take(match.end())

    def _fill(self, wanted: int) -> bool:
        """Have so many bytes in the buffer, if the member still has them."""
        while len(self.buffer) < wanted:
            piece = self.members.read()
            if not piece:
                return False
            self.buffer += piece
        return True

    def _take(self, count: int) -> bytes:
        taken, self.buffer = self.buffer[:count], self.buffer[count:]
        self.used += len(taken)
        return taken


def _fields_of(head: bytes) -> Headers:
    """The named fields below the version line."""
    try:
        text = head.decode("utf-8")
    except UnicodeDecodeError:
        text = head.decode("latin-1")
    lines = (line.partition(":") for line in _FOLD.sub(" ", text.replace("\r\n", "\n")).split("\n")[1:])
    return tuple((name.strip(), value.strip()) for name, colon, value in lines if colon)


def _arc_head(raw: bytes) -> tuple[bytes, Headers]:
    """Return what the line before a record of an ARC file says, as named fields of WARC."""
    from warcio.recordloader import ARCHeadersParser  # whoever has no such files never needs it

    try:
        parsed = ARCHeadersParser().parse(BytesIO(raw))
    except (
        Exception
    ) as error:  # a stranger's file may hold anything, and warcio does not say which exceptions that leads to
        raise _MemberError(f"this is no head of a record ({error})") from None
    line = dict(parsed.headers)
    size = (
        _content_length((("Content-Length", line["length"]),)) - parsed.total_len
    )  # the head of the file has two lines more
    url, date = line["uri"], _ARC_DATE.sub(r"\1-\2-\3T\4:\5:\6Z", line["archive-date"])
    is_header = url.startswith(_FILE_HEADER)
    is_http = url.lower().startswith(("http://", "https://"))
    target = [("WARC-Target-URI", url), ("WARC-IP-Address", line["ip-address"])]
    fields = (
        ("WARC-Type", "warcinfo" if is_header else "response"),
        ("WARC-Record-ID", f"<{uuid5(NAMESPACE_URL, ' '.join(line.values())).urn}>"),
        ("WARC-Date", date),
        *([("WARC-Filename", url.removeprefix(_FILE_HEADER))] if is_header else target),
        ("Content-Type", "application/http;msgtype=response" if is_http else line["content-type"]),
        ("Content-Length", str(max(0, size))),
    )
    lines = ["WARC/1.0", *(f"{name}: {value}" for name, value in fields), ""]
    return "".join(f"{line}\r\n" for line in lines).encode(), fields


def _is_arc(file: BinaryIO) -> bool:
    """By what the file begins with."""
    members = _Members(file)
    try:
        beginning = members.read() if members.advance() else b""
    except _MemberError:
        beginning = b""
    return _ARC_START.match(b"\n" + beginning, 1) is not None


def _content_length(fields: Headers) -> int:
    """Return the length of the block. Raises _MemberError."""
    text = header(fields, "content-length") or ""
    if not _LENGTH.fullmatch(text):
        raise _MemberError(
            f"this record has no usable Content-Length ({text!r})"
            if text
            else "this record has no Content-Length"
        )
    return int(text)


def digest(content: bytes) -> str:
    """The digest that we write, as `algorithm:value`: SHA-1 in base32, which every other tool compares."""
    return "sha1:" + base64.b32encode(hashlib.sha1(content, usedforsecurity=False).digest()).decode()


def covers(declared: str, content: bytes) -> bool | None:
    """Return whether the declared digest is that of the data, however it is spelled; None when nobody knows
    the algorithm."""
    algorithm, _, value = declared.strip().partition(":")
    algorithm = algorithm.lower().replace("-", "")
    if algorithm not in _ALGORITHMS:
        return None
    computed = hashlib.new(algorithm, content, usedforsecurity=False).digest()
    return value.strip().lower() == computed.hex() or value.strip().upper().rstrip("=") == base64.b32encode(
        computed
    ).decode().rstrip("=")


GZIP_MAGIC = b"\x1f\x8b\x08"
_WARC_START = linear(rb"WARC/[01]\.")
"""How a record begins, as far as reading on after damage goes."""
_GZIP_START = linear(re.escape(GZIP_MAGIC))
_LEVEL = 3
"""Level of compression by isal. On news pages the result is 8 % larger than zlib's level 9 and takes an
eighth of its time."""
_NOT_GZIP: type[Exception] = igzip_lib.IsalError  # type: ignore[assignment]
_inflater = partial(igzip_lib.IgzipDecompressor, flag=igzip_lib.DECOMP_GZIP)
_PIECE = 1 << 16
_FIRST = 8
"""Bytes unpacked at first: what is damaged gives none of those that were asked for together."""
_LONGEST_START = 5_000
"""More bytes are never needed to see that a record begins."""
_MOST_EMPTY = 20_000
"""Gzip members without a record one after the other, or what begins like one: more are no accident, and there
may be millions."""
_MOST_UNPACKED, _MOST_TIMES = 256 << 20, 200
"""Bytes that a member may always unpack to; beyond these, how many times its packed size: no text packs so
well."""


def pack(record: bytes) -> bytes:
    """One gzip member."""
    packed: bytes = isal_zlib.compress(record, _LEVEL, wbits=16 + 15)
    return packed


class _MemberError(Exception):
    """The file cannot be read on from here; the message says why. Never leaves this module."""


class _Members:
    """The readable stretches of a file from `start` on: its gzip members; an uncompressed file is one stretch
    from there to its end."""

    def __init__(self, file: BinaryIO, start: int = 0) -> None:
        self._file = file
        file.seek(0)
        self.compressed = file.read(2) == GZIP_MAGIC[:2]
        self._go_to(start)

    def _go_to(self, offset: int) -> None:
        self._file.seek(offset)
        self.start = offset
        """Offset of the current member."""
        self._after = offset
        self._unpacked = 0
        """Bytes of the current member."""
        self._waiting = b""
        self._inflater: igzip_lib.IgzipDecompressor | None = None

    @property
    def position(self) -> int:
        """Offset of the first byte that is not used yet."""
        return self._after - len(self._waiting)

    def advance(self) -> bool:
        """Go to the next member; False at the end of the file."""
        if not self._waiting:
            self._fill()
        self.start, self._unpacked = self.position, 0
        self._inflater = _inflater() if self.compressed else None
        return bool(self._waiting)

    def read(self) -> bytes:
        """The next piece of the current member; empty at its end. Raises _MemberError."""
        if not self.compressed:
            if not self._waiting:
                self._fill()
            return self._taken()
        inflater = self._inflater
        while inflater is not None and not inflater.eof:
            if inflater.needs_input and not self._waiting:
                self._fill()
                if not self._waiting:
                    raise _MemberError("the file ends in the middle of a record (a cut tail)")
            if self.position == self.start and not GZIP_MAGIC.startswith(self._waiting[:3]):
                raise _MemberError("these bytes belong to no record")
            try:
                out: bytes = inflater.decompress(self._taken(), 1 << 18)
            except _NOT_GZIP as error:
                raise _MemberError(f"not readable as gzip ({error})") from None
            if inflater.eof:
                self._waiting = inflater.unused_data
            if out:
                self._unpacked += len(out)
                if self._unpacked > max(_MOST_UNPACKED, _MOST_TIMES * (self.position - self.start)):
                    raise _MemberError(
                        f"unpacked it is more than {_MOST_TIMES} times as large: a bomb, and no record"
                    )
                return out
        return b""

    def find_record(self, start: int, begins: re.Pattern[bytes]) -> bool:
        """Go to the first place at or after `start` where a record begins, so that the next member starts
        there."""
        offset, tail, false = start, b"", 0
        while True:
            self._file.seek(offset)
            piece = self._file.read(_PIECE)
            if not piece:
                return False
            window = tail + piece
            for match in (_GZIP_START if self.compressed else begins).finditer(window):
                place = offset - len(tail) + match.start()
                if not self.compressed or begins.match(b"\n" + self._beginning(place), 1):
                    self._go_to(place)
                    return True
                false += 1
                if false > _MOST_EMPTY:
                    return False
            tail = window[-_LONGEST_START:]
            offset += len(piece)

    def _beginning(self, offset: int) -> bytes:
        """The first bytes of the member there, if one is there: also of one that is damaged further on."""
        self._file.seek(offset)
        packed, inflater, beginning = self._file.read(1024), _inflater(), b""
        with suppress(_NOT_GZIP):
            while (
                not inflater.eof
                and len(beginning) < _LONGEST_START
                and (piece := inflater.decompress(packed, len(beginning) or _FIRST))
            ):
                beginning, packed = beginning + piece, b""
        return beginning

    def _taken(self) -> bytes:
        piece, self._waiting = self._waiting, b""
        return piece

    def _fill(self) -> None:
        self._waiting = self._file.read(_PIECE)
        self._after += len(self._waiting)
