"""Gzip members: packing a record as one, and walking those of a file in bounded memory."""

from __future__ import annotations

from collections.abc import Callable
from typing import BinaryIO, Protocol

from isal import igzip_lib

GZIP_MAGIC = b"\x1f\x8b\x08"
_RECORD_STARTS = (b"WARC/0.", b"WARC/1.")
_LEVEL = 3
"""Of isal. On news pages it is 8 % larger than zlib's level 9 and takes an eighth of its time."""
_NOT_GZIP: type[Exception] = igzip_lib.IsalError  # type: ignore[assignment]
_PIECE = 1 << 16
_OUTPUT = 1 << 18


def pack(data: bytes) -> bytes:
    """One gzip member."""
    packed: bytes = igzip_lib.compress(data, _LEVEL, flag=igzip_lib.COMP_GZIP)
    return packed


def unpack_member(data: bytes, most: int) -> bytes | None:
    """What one whole gzip member holds; None where it is none, or holds more than that."""
    inflater = igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP)
    try:
        unpacked: bytes = inflater.decompress(data, most)
    except _NOT_GZIP:
        return None
    return unpacked if inflater.eof and not inflater.unused_data else None


class MemberError(Exception):
    """The file cannot be read on from here; the message says why. Never leaves this package."""


class Members(Protocol):
    """The readable stretches of a WARC file: its gzip members, or the whole of an uncompressed file."""

    compressed: bool
    start: int
    """Offset of the current member."""

    @property
    def position(self) -> int:
        """Offset of the first byte that is not used yet."""
        ...

    def advance(self) -> bool:
        """Go to the next member; False at the end of the file."""
        ...

    def read(self) -> bytes:
        """The next piece of the current member; empty at its end. Raises MemberError."""
        ...

    def find_record(self, start: int) -> bool:
        """Go to the first place at or after `start` where a record begins, so that the next member starts there."""
        ...


class GzipMembers:
    """Of a .warc.gz."""

    compressed = True

    def __init__(self, file: BinaryIO, start: int = 0) -> None:
        self._file = file
        self._go_to(start)

    def _go_to(self, offset: int) -> None:
        self._file.seek(offset)
        self.start = offset
        self._after = offset
        self._waiting = b""
        self._inflater: igzip_lib.IgzipDecompressor | None = None

    @property
    def position(self) -> int:
        return self._after - len(self._waiting)

    def advance(self) -> bool:
        if not self._waiting:
            self._fill()
        self.start = self.position
        self._inflater = igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP)
        return bool(self._waiting)

    def read(self) -> bytes:
        inflater = self._inflater
        while inflater is not None and not inflater.eof:
            if inflater.needs_input and not self._waiting:
                self._fill()
                if not self._waiting:
                    raise MemberError("the file ends in the middle of a record (a cut tail)")
            if self.position == self.start and not GZIP_MAGIC.startswith(self._waiting[:3]):
                raise MemberError("these bytes belong to no record")
            piece, self._waiting = self._waiting, b""
            try:
                out: bytes = inflater.decompress(piece, _OUTPUT)
            except _NOT_GZIP as error:
                raise MemberError(f"not readable as gzip ({error})") from None
            if inflater.eof:
                self._waiting = inflater.unused_data
            if out:
                return out
        return b""

    def find_record(self, start: int) -> bool:
        found = _find(self._file, start, (GZIP_MAGIC,), self._is_record)
        if found is not None:
            self._go_to(found)
        return found is not None

    def _is_record(self, offset: int) -> bool:
        self._file.seek(offset)
        inflater = igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP)
        try:
            beginning: bytes = inflater.decompress(self._file.read(1024), 7)
        except _NOT_GZIP:
            return False
        return beginning in _RECORD_STARTS

    def _fill(self) -> None:
        self._waiting = self._file.read(_PIECE)
        self._after += len(self._waiting)


class PlainMembers:
    """Of an uncompressed .warc: one stretch from the start to the end of the file."""

    compressed = False

    def __init__(self, file: BinaryIO, start: int = 0) -> None:
        self._file = file
        self._go_to(start)

    def _go_to(self, offset: int) -> None:
        self._file.seek(offset)
        self.start = self.position = offset
        self._waiting = b""

    def advance(self) -> bool:
        self.start = self.position
        self._waiting = self._file.read(_PIECE)
        return bool(self._waiting)

    def read(self) -> bytes:
        piece = self._waiting or self._file.read(_PIECE)
        self._waiting = b""
        self.position += len(piece)
        return piece

    def find_record(self, start: int) -> bool:
        found = _find(self._file, start, _RECORD_STARTS, lambda _: True)
        if found is not None:
            self._go_to(found)
        return found is not None


def open_members(file: BinaryIO, start: int) -> Members:
    """The members of an opened file from `start` on; its first bytes say whether it is compressed."""
    file.seek(0)
    return GzipMembers(file, start) if file.read(2) == GZIP_MAGIC[:2] else PlainMembers(file, start)


def _find(file: BinaryIO, start: int, marks: tuple[bytes, ...], holds: Callable[[int], bool]) -> int | None:
    """The first offset from `start` on where one of the marks stands and which `holds`."""
    overlap = max(map(len, marks)) - 1
    offset, tail = start, b""
    while True:
        file.seek(offset)
        piece = file.read(_PIECE)
        if not piece:
            return None
        window, base = tail + piece, offset - len(tail)
        for at in _places(window, marks):
            if holds(base + at):
                return base + at
        tail = window[-overlap:]
        offset += len(piece)


def _places(window: bytes, marks: tuple[bytes, ...]) -> list[int]:
    places = []
    for mark in marks:
        at = window.find(mark)
        while at >= 0:
            places.append(at)
            at = window.find(mark, at + 1)
    return sorted(places)
