"""How the corpus grew: articles and words by year and month, by column of the archive, and by section."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from webarticlecurator.model.statistics import Growth, Period, Totals
from webarticlecurator.statistics.facts import Facts

MOST_SECTIONS = 25
_MOST_KEPT = 5_000
"""Sections that are told apart: more names are no sections."""
_LONGEST_SPAN = 200
"""Years between first and last article that are told one by one, with those that have none."""


@dataclass(slots=True)
class Course:
    """Articles and words by year, with the first and the last day."""

    articles: int = 0
    words: int = 0
    first: str | None = None
    last: str | None = None
    years: dict[int | None, list[int]] = field(default_factory=dict)

    def add(self, day: str | None, year: int | None, words: int, articles: int = 1) -> None:
        self.articles += articles
        self.words += words
        of_year = self.years.setdefault(year, [0, 0])
        of_year[0] += articles
        of_year[1] += words
        if day is not None:
            self.reach(day, day)

    def reach(self, first: str | None, last: str | None) -> None:
        """It begins and ends at these days at least."""
        self.first = min(filter(None, (self.first, first)), default=None)
        self.last = max(filter(None, (self.last, last)), default=None)

    def growth(self, name: str | None) -> Growth:
        years = periods(self.by_year())
        return Growth(name=name, articles=self.articles, words=self.words, first=self.first, last=self.last, years=years)

    def by_year(self) -> dict[str | None, list[int]]:
        return {None if year is None else f"{year:04d}": found for year, found in self.years.items()}


def periods(counted: Mapping[str | None, Iterable[int]]) -> tuple[Period, ...]:
    """In their order, what has no date last."""
    return tuple(Period(name=name, articles=articles, words=words) for name, (articles, words) in sorted(counted.items(), key=_order))


def _order(item: tuple[str | None, object]) -> tuple[bool, str]:
    return item[0] is None, item[0] or ""


class GrowthCount:
    """Totals, years, months and sections."""

    def __init__(self) -> None:
        self._whole, self._sections = Course(), defaultdict[str | None, Course](Course)
        self._months: dict[str | None, list[int]] = {}
        self._characters = self._posts = self._undated = 0
        self._first: Facts | None = None
        self._last: Facts | None = None
        self._crowded: set[str] = set()

    def add(self, facts: Facts) -> None:
        built, day = facts.built, facts.day
        self._whole.add(day, facts.year, built.words)
        month = self._months.setdefault(facts.month, [0, 0])
        month[0] += 1
        month[1] += built.words
        self._characters += built.characters
        self._posts += built.posts
        if day is None:
            self._undated += 1
        else:
            self._first, self._last = self._first or facts, facts  # they come in this order
        section = facts.first("articleSection")
        if section in self._sections or len(self._sections) < _MOST_KEPT:
            self._sections[section].add(day, facts.year, built.words)
        elif len(self._crowded) < _MOST_KEPT:
            self._crowded.add(section or "")

    def totals(self, urls: int) -> Totals:
        return Totals(
            urls=urls,
            articles=self._whole.articles,
            words=self._whole.words,
            characters=self._characters,
            posts=self._posts,
            undated=self._undated,
            first=self._first.example() if self._first else None,
            last=self._last.example() if self._last else None,
        )

    def years(self) -> tuple[Period, ...]:
        counted = self._whole.by_year()
        known = [year for year in self._whole.years if year is not None]
        if known and max(known) - min(known) <= _LONGEST_SPAN:
            for year in range(min(known), max(known) + 1):
                counted.setdefault(f"{year:04d}", [0, 0])
        return periods(counted)

    def months(self) -> tuple[Period, ...]:
        return periods(self._months)

    def sections(self) -> tuple[tuple[Growth, ...], int]:
        """The largest, and how many others there are."""
        ranked = sorted(self._sections.items(), key=lambda item: (-item[1].articles, _order(item)))
        shown = tuple(course.growth(name) for name, course in ranked[:MOST_SECTIONS])
        return shown, len(ranked) - len(shown) + len(self._crowded)
