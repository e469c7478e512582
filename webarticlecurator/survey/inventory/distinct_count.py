"""How many different things there are among very many, in bounded memory: exact for some thousands, then an estimate."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from heapq import nsmallest

_MOST = 16_384
"""Hashes that are kept: the estimate is within about one in a hundred."""
_HASHES = 1 << 64


def hash_of(text: str) -> int:
    """64 bits; the same in every process."""
    return int.from_bytes(blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "big")


class DistinctCount:
    """The smallest hashes of all that was added: how densely they lie says how many there were."""

    def __init__(self, hashes: Iterable[int] = ()) -> None:
        self._kept = set(hashes)
        self._limit = _HASHES

    def add(self, one: int) -> None:
        """Take in the hash of one thing."""
        if one < self._limit:
            self._kept.add(one)
            if len(self._kept) >= 2 * _MOST:
                self._shrink()

    def join(self, other: DistinctCount) -> None:
        """Take in all that another one has."""
        for one in other._kept:
            self.add(one)

    def hashes(self) -> list[int]:
        """What has to be kept to go on later."""
        self._shrink()
        return sorted(self._kept)

    @property
    def count(self) -> int:
        """How many there were."""
        kept = self.hashes()
        return len(kept) if len(kept) < _MOST else round((_MOST - 1) * (_HASHES / (kept[-1] + 1)))

    def _shrink(self) -> None:
        if len(self._kept) > _MOST:
            self._kept = set(nsmallest(_MOST, self._kept))
            self._limit = max(self._kept)
