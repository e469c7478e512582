"""A set of texts that remembers only a hash of each, in a few bytes: for what a walk of a million links must not forget."""

from __future__ import annotations

from array import array

_FIRST_SIZE = 1 << 10
_MASK = (1 << 64) - 1


class Fingerprints:
    """Texts can be added and asked for. A set of strings takes a dozen times the memory.

    Two texts are taken for one in a case in some million million; the hash differs from process to process, so nobody can
    make such a pair.
    """

    def __init__(self) -> None:
        self._slots = array("Q", bytes(8 * _FIRST_SIZE))
        """Open addressing; 0 is an empty slot."""
        self._used = 0

    def __contains__(self, text: str) -> bool:
        mark = _mark(text)
        return self._slots[self._slot_of(mark)] == mark

    def __len__(self) -> int:
        return self._used

    def add(self, text: str) -> None:
        mark = _mark(text)
        slot = self._slot_of(mark)
        if self._slots[slot] == mark:
            return
        self._slots[slot] = mark
        self._used += 1
        if 2 * self._used > len(self._slots):
            self._grow()

    def _slot_of(self, mark: int) -> int:
        """Where the mark is, or would be put."""
        slots, last = self._slots, len(self._slots) - 1
        at = mark & last
        while slots[at] not in (0, mark):
            at = (at + 1) & last
        return at

    def _grow(self) -> None:
        marks = self._slots
        self._slots = array("Q", bytes(16 * len(marks)))
        for mark in marks:
            if mark:
                self._slots[self._slot_of(mark)] = mark


def _mark(text: str) -> int:
    return hash(text) & _MASK or 1
