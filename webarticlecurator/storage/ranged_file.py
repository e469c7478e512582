"""A file that is read by ranges: exactly what is asked for, or what is known to be asked for next, many at once."""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Callable, Iterable, Sequence

Range = tuple[int, int]
"""First byte, and the one after the last."""
Fetch = Callable[[Sequence[Range]], list[bytes]]
"""Gives the bytes of several ranges, each whole."""

_LARGEST = 8 << 20
"""Bytes of a request."""
_AT_ONCE = 32 << 20
"""Bytes that are held."""
_NEAR = 32 << 10
"""Bytes between two stretches that cost less than another request."""


class RangedFile(io.RawIOBase):
    """What is read one after the other is asked for in ever larger pieces; a jump asks for exactly what is wanted there."""

    def __init__(self, size: Callable[[], int], fetch: Fetch, expected: Iterable[Range] = ()) -> None:
        """`expected`: what will be read; it is asked for together, and nothing beside it."""
        super().__init__()
        self._ask_size, self._fetch = size, fetch
        self._known_size: int | None = None
        self._position = 0
        self._pieces: list[tuple[int, bytes]] = []
        """By their offsets; they do not overlap."""
        self._expected = list(_pieces(_joined(sorted(expected))))
        self._end = -1
        """Of the last piece that was asked for without being expected."""
        self._step = 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: 0}[whence]
        self._position = max(0, base + offset + (self._size() if whence == io.SEEK_END else 0))
        return self._position

    def read(self, size: int | None = -1) -> bytes:
        """As many bytes as are wanted; fewer only at the end of the file."""
        end = self._size() if size is None or size < 0 else min(self._position + size, self._size())
        found: list[bytes] = []
        while self._position < end:
            piece = self._at(self._position, end)
            found.append(piece)
            self._position += len(piece)
        return b"".join(found)

    def readall(self) -> bytes:
        return self.read()

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _size(self) -> int:
        if self._known_size is None:
            self._known_size = self._ask_size()
        return self._known_size

    def _at(self, offset: int, end: int) -> bytes:
        """Bytes from there on, one at least."""
        held = self._held(offset, end)
        if not held:
            self._pieces = self._asked(offset, end)
            held = self._held(offset, end)
        return held

    def _held(self, offset: int, end: int) -> bytes:
        place = bisect_right(self._pieces, offset, key=lambda piece: piece[0]) - 1
        start, data = self._pieces[place] if place >= 0 else (offset, b"")
        return data[offset - start : end - start]

    def _asked(self, offset: int, end: int) -> list[tuple[int, bytes]]:
        ranges = self._expected_from(offset) or [self._further(offset, end)]
        return [(start, data) for (start, _), data in zip(ranges, self._fetch(ranges), strict=True)]

    def _expected_from(self, offset: int) -> list[Range]:
        """What was announced, from a place on: as much as may be held."""
        place = next((number for number, (start, end) in enumerate(self._expected) if start <= offset < end), None)
        if place is None:
            return []
        ranges: list[Range] = []
        held = 0
        for start, end in self._expected[place:]:
            held += end - start
            if ranges and held > _AT_ONCE:
                break
            ranges.append((start, min(end, self._size())))
        return ranges

    def _further(self, offset: int, end: int) -> Range:
        """What is wanted; where it goes on from what was asked for before, more than that."""
        wanted = end - offset
        self._step = min(max(2 * self._step, wanted), _LARGEST) if offset == self._end else min(wanted, _LARGEST)
        self._end = min(offset + max(self._step, min(wanted, _LARGEST)), self._size())
        return offset, self._end


def _joined(stretches: Iterable[Range]) -> list[Range]:
    """Near ones as one."""
    joined: list[Range] = []
    for start, end in stretches:
        if joined and start <= joined[-1][1] + _NEAR:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        elif end > start:
            joined.append((start, end))
    return joined


def _pieces(stretches: Iterable[Range]) -> Iterable[Range]:
    """No larger than one request may be."""
    for start, end in stretches:
        yield from ((first, min(first + _LARGEST, end)) for first in range(start, end, _LARGEST))
