"""How quickly something goes, and how long it takes, as people read it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable

Clock = Callable[[], float]
_WINDOW = 30.0
_SHORTEST = 0.1
"""In less nobody can measure a rate: a handful of articles would be thousands per second."""


class Rate:
    """Requests per second over the last half minute."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._seen: deque[tuple[float, int]] = deque()

    def at(self, requests: int) -> float:
        """The rate, now that so many requests were made."""
        now = self._clock()
        if self._seen and requests < self._seen[-1][1]:  # something new has begun, which counts from zero
            self._seen.clear()
        self._seen.append((now, requests))
        while now - self._seen[0][0] > _WINDOW and len(self._seen) > 2:
            self._seen.popleft()
        since, before = self._seen[0]
        return (requests - before) / (now - since) if now - since >= _SHORTEST else 0.0


def duration_words(seconds: float) -> str:
    """A length of time as a person reads it: 45 s, 12 min, 3 h 20 min, 4 d 7 h."""
    minutes, hours, days = round(seconds / 60), round(seconds / 60) // 60, round(seconds / 3600) // 24
    if seconds < 60:
        return f"{round(seconds)} s"
    if minutes < 60:
        return f"{minutes} min"
    return f"{hours} h {minutes % 60} min" if hours < 24 else f"{days} d {round(seconds / 3600) % 24} h"
