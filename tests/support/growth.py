"""How the time that something takes grows with what it is given."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import NamedTuple

from working_time import undisturbed

LEAST = 0.03
"""Seconds below which a time tells nothing: so much varies by chance."""
_TRIES = 3


class Growth(NamedTuple):
    """The time for a length and for twice that; of what stays quick to the end, neither is known."""

    length: int
    once: float
    twice: float

    @property
    def times(self) -> float:
        """How many times as long twice the length takes."""
        return self.twice / self.once if self.once else 0.0


def growth_of(work: Callable[[int], None], longest: int, least: float = LEAST) -> Growth:
    """The growth at the first length that takes `least` seconds; lengths are doubled up to the longest.

    Each try is a few characters longer than the one before, so that nothing is remembered of it.
    """
    length = max(1, longest // 64)
    while 2 * length <= longest:
        once = _quickest(work, length, 1)
        if once >= least:
            once = min(once, _quickest(work, length + 1, _TRIES - 1))
            twice = _quickest(work, 2 * length, 1)
            if twice > 2 * once:
                once, twice = min(once, _quickest(work, length + 3, 1)), min(twice, _quickest(work, 2 * length + 1, _TRIES - 1))
            return Growth(length, once, twice)
        length *= 2
    return Growth(length, 0.0, 0.0)


def _quickest(work: Callable[[int], None], length: int, tries: int) -> float:
    times: list[float] = []
    with undisturbed():
        for extra in range(tries):
            began = thread_time()
            work(length + extra)
            times.append(thread_time() - began)
    return min(times)
