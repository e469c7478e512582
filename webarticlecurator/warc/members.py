"""Gzip members: packing a record as one, and walking those of a file in bounded memory."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import BinaryIO

from isal import igzip_lib, isal_zlib

GZIP_MAGIC = b"\x1f\x8b\x08"
WARC_START = re.compile(rb"WARC/[01]\.")
"""How a record begins, as far as reading on after damage goes."""
_GZIP_START = re.compile(re.escape(GZIP_MAGIC))
_LARGE = 1_000_000
_GZIP = 16 + 15
_LEVEL = 3
"""Of isal. On news pages it is 8 % larger than zlib's level 9 and takes an eighth of its time."""
_NOT_GZIP: type[Exception] = igzip_lib.IsalError  # type: ignore[assignment]
_PIECE = 1 << 16
_OUTPUT = 1 << 18
_FIRST = 8
"""Bytes unpacked at first: what is damaged gives none of those that were asked for together."""
LONGEST_START = 5_000
"""More bytes are never needed to see that a record begins."""


def pack(*pieces: bytes) -> bytes:
    """One gzip member; of what is large no copy is made first."""
    if sum(map(len, pieces)) > _LARGE:
        packer = isal_zlib.compressobj(_LEVEL, wbits=_GZIP)
        return b"".join((*map(packer.compress, pieces), packer.flush()))
    packed: bytes = igzip_lib.compress(b"".join(pieces), _LEVEL, flag=igzip_lib.COMP_GZIP)
    return packed


def unpack_member(data: bytes, most: int) -> bytes | None:
    """What one whole gzip member holds; None where it is none, or holds more than that."""
    inflater = _inflater()
    try:
        unpacked: bytes = inflater.decompress(data, most)
    except _NOT_GZIP:
        return None
    return unpacked if inflater.eof and not inflater.unused_data else None


def first_member(data: bytes, most: int) -> bytes:
    """What the gzip member at the beginning holds; nothing where none is there, or it is not whole, or holds more than that."""
    inflater = _inflater()
    try:
        unpacked: bytes = inflater.decompress(data, most)
    except _NOT_GZIP:
        return b""
    return unpacked if inflater.eof else b""


class MemberError(Exception):
    """The file cannot be read on from here; the message says why. Never leaves this package."""


class GzipMembers:
    """The readable stretches of a compressed file: its gzip members."""

    compressed = True

    def __init__(self, file: BinaryIO, start: int = 0) -> None:
        self._file = file
        self._go_to(start)

    def _go_to(self, offset: int) -> None:
        self._file.seek(offset)
        self.start = offset
        """Offset of the current member."""
        self._after = offset
        self._waiting = b""
        self._decompressor: igzip_lib.IgzipDecompressor | None = None

    @property
    def position(self) -> int:
        """Offset of the first byte that is not used yet."""
        return self._after - len(self._waiting)

    def advance(self) -> bool:
        """Go to the next member; False at the end of the file."""
        if not self._waiting:
            self._fill()
        self.start = self.position
        self._decompressor = _inflater()
        return bool(self._waiting)

    def read(self) -> bytes:
        """The next piece of the current member; empty at its end. Raises MemberError."""
        inflater = self._decompressor
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

    def find_record(self, start: int, begins: re.Pattern[bytes]) -> bool:
        """Go to the first place at or after `start` where a record begins, so that the next member starts there."""
        found = _find(self._file, start, _GZIP_START, lambda offset: bool(begins.match(b"\n" + self._beginning(offset), 1)))
        if found is not None:
            self._go_to(found)
        return found is not None

    def _beginning(self, offset: int) -> bytes:
        """The first bytes of the member there, if one is there: also of one that is damaged further on."""
        self._file.seek(offset)
        packed, inflater, beginning = self._file.read(1024), _inflater(), b""
        with suppress(_NOT_GZIP):
            while not inflater.eof and len(beginning) < LONGEST_START and (piece := inflater.decompress(packed, len(beginning) or _FIRST)):
                beginning, packed = beginning + piece, b""
        return beginning

    def _fill(self) -> None:
        self._waiting = self._file.read(_PIECE)
        self._after += len(self._waiting)


class PlainMembers:
    """An uncompressed file, in the same terms: one stretch from the start to the end."""

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

    def find_record(self, start: int, begins: re.Pattern[bytes]) -> bool:
        found = _find(self._file, start, begins, lambda _: True)
        if found is not None:
            self._go_to(found)
        return found is not None


Members = GzipMembers | PlainMembers


def open_members(file: BinaryIO, start: int) -> Members:
    """The members of an opened file from `start` on; its first bytes say whether it is compressed."""
    file.seek(0)
    return GzipMembers(file, start) if file.read(2) == GZIP_MAGIC[:2] else PlainMembers(file, start)


def _inflater() -> igzip_lib.IgzipDecompressor:
    return igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP)


def _find(file: BinaryIO, start: int, pattern: re.Pattern[bytes], holds: Callable[[int], bool]) -> int | None:
    """The first offset from `start` on where the pattern is found and which `holds`."""
    offset, tail = start, b""
    while True:
        file.seek(offset)
        piece = file.read(_PIECE)
        if not piece:
            return None
        window, base = tail + piece, offset - len(tail)
        for found in pattern.finditer(window):
            if holds(base + found.start()):
                return base + found.start()
        tail = window[-LONGEST_START:]
        offset += len(piece)
