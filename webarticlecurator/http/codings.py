"""Content codings undone within bounds: how big a body becomes, and whether it is whole, without ever holding a bomb."""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from isal import isal_zlib

_PIECE = 1 << 16
BEST_RATIO = 1032
"""Deflate cannot pack better than this, so small bodies need no look."""
_GZIP = 16 + 15
GZIP_MAGIC = b"\x1f\x8b"
_MOST_CODINGS = 3
_BROKEN: tuple[type[Exception], ...] = (isal_zlib.IsalError, zlib.error)  # type: ignore[assignment]  # the stubs take it for an instance


@dataclass(slots=True)
class Unpacked:
    """What came out of a body."""

    content: bytes = b""
    """The unpacked bytes, where they were asked for; at most the cap."""
    too_big: bool = False
    cut: bool = False
    """The packed stream ends before its end mark."""
    broken: bool = False
    """Garbage ended it."""


def codings_of(header: str | None) -> tuple[str, ...]:
    """The content codings in the order they were applied; those that we did not ask for are left to the reader of the page."""
    if not header:
        return ()
    names = tuple(name.strip().lower().removeprefix("x-") for name in header.split(","))
    return names if all(name in ("gzip", "deflate") for name in names) else ()


def unpack(body: bytes, codings: tuple[str, ...], cap: int, *, keep: bool = False) -> Unpacked:
    """Undo the codings; garbage ends it quietly, as far as it could be read."""
    result = Unpacked()
    result.content = b"".join(piece for piece in unpacked_pieces(body, codings, cap, result) if keep)[:cap]
    return result


def unpacked_body(body: bytes, header: str | None, cap: int) -> bytes:
    """The beginning of a body without the codings that its header tells, as far as it can be read."""
    codings = codings_of(header)
    return unpack(body, codings, cap, keep=True).content if codings else body[:cap]


def unpacked_pieces(body: bytes, codings: tuple[str, ...], cap: int, result: Unpacked) -> Iterator[bytes]:
    """The unpacked bytes, piece by piece, so that nobody need hold them all; `result` tells in the end how it went."""
    if len(codings) > _MOST_CODINGS:
        result.too_big = True
        return
    pieces: Iterable[bytes] = (body[start : start + _PIECE] for start in range(0, len(body), _PIECE))
    for coding in reversed(codings):
        pieces = _inflate(pieces, coding, cap, result)
    yield from pieces


def _inflate(pieces: Iterable[bytes], coding: str, cap: int, result: Unpacked) -> Iterator[bytes]:
    """One coding less; gzip may have several members, deflate comes with and without its zlib header."""
    engine = None
    size = 0
    for piece in pieces:
        while piece:
            if engine is None:
                engine = _engine(coding, piece)
            try:
                out = engine.decompress(piece, _PIECE)
            except _BROKEN:
                result.broken = True
                return
            size += len(out)
            if size > cap:
                result.too_big = True
                return
            yield out
            if engine.eof:
                piece, engine = engine.unused_data, None
                if coding != "gzip" or not GZIP_MAGIC.startswith(piece[:2]):
                    return
            else:
                piece = engine.unconsumed_tail
    result.cut = result.cut or engine is not None


def _engine(coding: str, start: bytes) -> Any:
    if coding == "gzip":
        return isal_zlib.decompressobj(wbits=_GZIP)
    has_header = len(start) > 1 and start[0] & 0x0F == 8 and int.from_bytes(start[:2], "big") % 31 == 0
    return zlib.decompressobj(15 if has_header else -15)
