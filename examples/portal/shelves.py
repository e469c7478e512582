"""Which articles the portal has at this moment: what is published, removed, edited while it runs."""

from __future__ import annotations

from bisect import bisect_left
from datetime import datetime
from functools import lru_cache
from threading import RLock

from .articles import Article, write_article
from .sections import SECTIONS, Section, share_out


class Shelves:
    """Every section's article numbers, newest first; safe to change while requests are answered."""

    def __init__(self, articles: int, seed: int) -> None:
        self._seed = seed
        self._lock = RLock()
        self._totals = share_out(articles)
        self._numbers = {name: list(range(1, total + 1)) for name, total in self._totals.items()}
        self._newest = dict(self._totals)
        self._missing: dict[tuple[str, int], int] = {}
        self._edits: dict[tuple[str, int], int] = {}
        self._write = lru_cache(maxsize=4096)(self._written)
        self.version = 0
        """Grows with every change."""

    def count(self, section: str) -> int:
        return len(self._numbers[section])

    def slice(self, section: str, start: int, stop: int) -> tuple[Article, ...]:
        """Articles by their place on the shelf, newest first."""
        with self._lock:
            shelf = self._numbers[section]
            size = len(shelf)
            return tuple(self.article(section, shelf[size - 1 - place]) for place in range(start, min(stop, size)))

    def between(self, section: str, start: datetime, end: datetime) -> tuple[Article, ...]:
        """Articles published from `start` up to `end`, newest first."""
        with self._lock:
            shelf = self._numbers[section]
            first = bisect_left(shelf, start, key=lambda number: self._published(section, number))
            behind = bisect_left(shelf, end, key=lambda number: self._published(section, number))
            return self.slice(section, len(shelf) - behind, len(shelf) - first)

    def older_than(self, section: str, number: int, count: int) -> tuple[Article, ...]:
        """Up to `count` articles with lower numbers, highest first."""
        with self._lock:
            size = len(self._numbers[section])
            start = size - bisect_left(self._numbers[section], number)
            return self.slice(section, start, start + count)

    def article(self, section: str, number: int) -> Article:
        return self._write(section, number, self._edits.get((section, number), 0))

    def beside(self, section: str, number: int, step: int) -> Article | None:
        """The nearest article that can be read: with step 1 the next newer one, with -1 the next older one."""
        with self._lock:
            numbers = range(number + step, self._newest[section] + 1 if step > 0 else 0, step)
            return next((self.article(section, one) for one in numbers if self.status(section, one) == 200), None)

    def status(self, section: str, number: int) -> int:
        """What a request for this article is answered with: 200, 404 or 410."""
        if not 1 <= number <= self._newest[section]:
            return 404
        return self._missing.get((section, number), 200)

    def publish(self, section: str) -> Article:
        with self._lock:
            self._newest[section] += 1
            number = self._newest[section]
            self._numbers[section].append(number)
            self.version += 1
            return self.article(section, number)

    def remove(self, section: str, number: int, status: int = 404) -> None:
        """Off the listings; `status` 200 keeps the page itself."""
        with self._lock:
            self._numbers[section].remove(number)
            self._missing[section, number] = status
            self.version += 1

    def edit(self, section: str, number: int) -> None:
        with self._lock:
            self._edits[section, number] = self._edits.get((section, number), 0) + 1
            self.version += 1

    def _published(self, section: str, number: int) -> datetime:
        return SECTIONS[section].published(number, self._totals[section])

    def _written(self, name: str, number: int, edits: int) -> Article:
        section: Section = SECTIONS[name]
        return write_article(section, number, self._published(name, number), seed=self._seed, edits=edits)
