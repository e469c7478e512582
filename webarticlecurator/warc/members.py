"""Gzip members: packing a record as one, and walking those of a file in bounded memory."""

from __future__ import annotations

import re
from contextlib import suppress
from typing import BinaryIO

from isal import igzip_lib, isal_zlib

GZIP_MAGIC = b"\x1f\x8b\x08"
WARC_START = re.compile(rb"WARC/[01]\.")
"""How a record begins, as far as reading on after damage goes."""
_GZIP_START = re.compile(re.escape(GZIP_MAGIC))
_GZIP = 16 + 15
_LEVEL = 3
"""Of isal. On news pages it is 8 % larger than zlib's level 9 and takes an eighth of its time."""
_NOT_GZIP: type[Exception] = igzip_lib.IsalError  # type: ignore[assignment]
_PIECE = 1 << 16
_OUTPUT = 1 << 18
_FIRST = 8
"""Bytes unpacked at first: what is damaged gives none of those that were asked for together."""
_LONGEST_START = 5_000
"""More bytes are never needed to see that a record begins."""


def pack(record: bytes) -> bytes:
    """One gzip member."""
    packed: bytes = isal_zlib.compress(record, _LEVEL, wbits=_GZIP)
    return packed


def first_member(packed: bytes, most: int) -> bytes | None:
    """What the gzip member at the beginning holds; None where none is there, or it is not whole, or holds more than that."""
    inflater = _inflater()
    try:
        unpacked: bytes = inflater.decompress(packed, most)
    except _NOT_GZIP:
        return None
    return unpacked if inflater.eof else None


class MemberError(Exception):
    """The file cannot be read on from here; the message says why. Never leaves this package."""


class Members:
    """The readable stretches of a file from `start` on: its gzip members; an uncompressed file is one stretch from there to its end."""

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
        self.start = self.position
        self._inflater = _inflater() if self.compressed else None
        return bool(self._waiting)

    def read(self) -> bytes:
        """The next piece of the current member; empty at its end. Raises MemberError."""
        if not self.compressed:
            if not self._waiting:
                self._fill()
            return self._taken()
        inflater = self._inflater
        while inflater is not None and not inflater.eof:
            if inflater.needs_input and not self._waiting:
                self._fill()
                if not self._waiting:
                    raise MemberError("the file ends in the middle of a record (a cut tail)")
            if self.position == self.start and not GZIP_MAGIC.startswith(self._waiting[:3]):
                raise MemberError("these bytes belong to no record")
            try:
                out: bytes = inflater.decompress(self._taken(), _OUTPUT)
            except _NOT_GZIP as error:
                raise MemberError(f"not readable as gzip ({error})") from None
            if inflater.eof:
                self._waiting = inflater.unused_data
            if out:
                return out
        return b""

    def find_record(self, start: int, begins: re.Pattern[bytes]) -> bool:
        """Go to the first place at or after `start` where a record begins, so that the next member starts there."""
        offset, tail = start, b""
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
            tail = window[-_LONGEST_START:]
            offset += len(piece)

    def _beginning(self, offset: int) -> bytes:
        """The first bytes of the member there, if one is there: also of one that is damaged further on."""
        self._file.seek(offset)
        packed, inflater, beginning = self._file.read(1024), _inflater(), b""
        with suppress(_NOT_GZIP):
            while not inflater.eof and len(beginning) < _LONGEST_START and (piece := inflater.decompress(packed, len(beginning) or _FIRST)):
                beginning, packed = beginning + piece, b""
        return beginning

    def _taken(self) -> bytes:
        piece, self._waiting = self._waiting, b""
        return piece

    def _fill(self) -> None:
        self._waiting = self._file.read(_PIECE)
        self._after += len(self._waiting)


def _inflater() -> igzip_lib.IgzipDecompressor:
    return igzip_lib.IgzipDecompressor(flag=igzip_lib.DECOMP_GZIP)
