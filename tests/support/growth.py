"""How the time that something takes grows with what it is given."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import NamedTuple

from working_time import undisturbed

LEAST = 0.03
"""Seconds below which a time tells nothing: so much varies by chance."""
_TRIES = 3


_SUSPECT = 2.4


class Growth(NamedTuple):
    """The time for a length and for twice that; of what stays quick to the end, neither is known."""

    length: int
    once: float = 0.0
    twice: float = 0.0
    times: float = 0.0
    """How many times as long twice the length takes."""


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
            if twice > _SUSPECT * once:
                twice = min(twice, _quickest(work, 2 * length + 1, _TRIES - 1))
            times = twice / once
            if times > _SUSPECT:  # by one step, as where more memory is asked for or a threshold is passed, or again and again?
                further = _quickest(work, 4 * length, 1)
                times = min(times, further / twice) if further > twice else times
            return Growth(length, once, twice, times)
        length *= 2
    return Growth(length)


def _quickest(work: Callable[[int], None], length: int, tries: int) -> float:
    times: list[float] = []
    with undisturbed():
        for extra in range(tries):
            began = thread_time()
            work(length + extra)
            times.append(thread_time() - began)
    return min(times)
