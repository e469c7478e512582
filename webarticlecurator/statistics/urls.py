"""Every known article URL once, with its day and its one outcome: outcomes by year, the calendar, columns, requests, rules."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Self

from webarticlecurator.corpus import ledger_numbers as numbers
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.model.outcome import ALL_FAILURES
from webarticlecurator.model.statistics import Growth, OutcomeCount
from webarticlecurator.statistics.facts import day_of
from webarticlecurator.statistics.growth import Course

_REASONS = 12
"""Of one year and outcome; the others stand together."""
_EXAMPLES = 3
_CACHE_KIB = 8_192
_NUMBER = re.compile(r"\d+")
_DAY_IN_URL = re.compile(r"[/=_-]((?:19|20)\d\d)[/_-]?(\d\d)[/_-]?(\d\d)(?!\d)")
_ADDRESS = re.compile(r"\S+://\S+")


class KnownUrls:
    """Ledger and build side by side, only to be read."""

    def __init__(self, ledger: Ledger) -> None:
        self.ledger = ledger
        numbers.keep_addresses(ledger, whole_day=day_of, day_in=_day_in)

    @classmethod
    @contextmanager
    def of(cls, corpus: Corpus, *, built: bool) -> Iterator[Self]:
        """`built`: there is a build.sqlite that can be read."""
        with Ledger.reading(corpus.ledger, build=corpus.build_database if built else None, cache_kib=_CACHE_KIB) as ledger:
            yield cls(ledger)

    def days(self) -> numbers.Rows:
        """Day, URLs, fetched, failed, waiting, with a document."""
        return numbers.addresses_by_day(self.ledger)

    def outcomes(self) -> tuple[OutcomeCount, ...]:
        """By year (those without a day last), outcome and reason, the most frequent reason first."""
        found: list[OutcomeCount] = []
        rest: dict[tuple[str | None, str], tuple[int, str]] = {}
        place, shown = (None, ""), 0
        for year, outcome, reason, count, first, last in numbers.addresses_by_year(self.ledger, alike):
            shown = shown + 1 if place == (year, outcome) else 1
            place = (year, outcome)
            if shown <= _REASONS:
                found.append(_outcome(year, outcome, reason, count, tuple(dict.fromkeys((first, last)))))
            else:
                number, example = rest.get(place, (0, first))
                rest[place] = (number + count, example)
        found += [_outcome(year, outcome, "", count, (example,)) for (year, outcome), (count, example) in rest.items()]
        return tuple(
            sorted(found, key=lambda one: (one.year is None, one.year or 0, one.outcome, not one.reason and one.count, -one.count))
        )

    def columns(self, order: tuple[str, ...]) -> tuple[Growth, ...]:
        """In the order of the portal file, then others, then the articles that no archive page lists."""
        courses: dict[str | None, Course] = {}
        for name, day, articles, words in self._articles_by_day():
            courses.setdefault(name, Course()).add(day, int(day[:4]) if day else None, words, articles)
        ranks = {name: number for number, name in enumerate(order)}
        ranked = sorted(courses, key=lambda name: (name is None, ranks.get(name or "", len(ranks)), name or ""))
        return tuple(courses[name].growth(name) for name in ranked)

    def days_of_columns(self) -> Iterator[tuple[str, str, int]]:
        """Column, day, articles; column by column, day by day."""
        return ((name, day, articles) for name, day, articles, _ in self._articles_by_day() if name is not None and day is not None)

    def _articles_by_day(self) -> numbers.Rows:
        return numbers.articles_by_day(self.ledger) if self.ledger.has_build else iter(())


def alike(reason: str) -> str:
    """What reasons have in common that differ in a number or an address alone."""
    return _NUMBER.sub("#", _ADDRESS.sub("…", reason))


def _outcome(year: str | None, outcome: str, reason: str, count: int, examples: tuple[str, ...]) -> OutcomeCount:
    failed = outcome in ALL_FAILURES
    return OutcomeCount(
        year=int(year) if year else None, outcome=outcome, failed=failed, reason=reason, count=count, examples=examples[:_EXAMPLES]
    )


def _day_in(url: str) -> str | None:
    """The day that stands in an address."""
    found = _DAY_IN_URL.search(url)
    return day_of("-".join(found.groups())) if found else None
