"""Every known article URL once, with its day and its one outcome: outcomes by year, the calendar, columns, requests, rules."""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, Self

from webarticlecurator.config.column_urls import SECTION
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger_schema import LEFT_OUT_IN_SQL, TOLD_REASON, find_url
from webarticlecurator.databases import connect
from webarticlecurator.model.outcome import ALL_FAILURES, DOCUMENTED
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
_LISTED = "(SELECT json_extract(l.fields, '$.datePublished[0]') FROM listings l WHERE l.url_id = u.id AND l.fields LIKE '%datePublished%')"
_KNOWN = f"""
    CREATE TEMP TABLE known AS
        SELECT u.url AS url, day(b.published, {_LISTED}, w.interval, u.url) AS day, coalesce(b.outcome, u.saw, u.outcome) AS outcome,
            CASE WHEN b.outcome IS NOT NULL THEN b.reason ELSE {TOLD_REASON} END AS reason, u.outcome = 'fetched' AS fetched
        FROM urls u LEFT JOIN walks w ON w.id = u.walk
            LEFT JOIN build.articles b
            ON b.key = u.identity_key AND b.identity = coalesce(u.identity, u.url) AND (u.parts > 0 OR b.url = u.url)
        UNION ALL
        SELECT r.url, day(NULL, NULL, NULL, r.url), 'refused', r.reason, 0 FROM refused r
        WHERE r.reason NOT IN {LEFT_OUT_IN_SQL} AND NOT is_known(r.url)
"""
_NO_BUILD = "CREATE TEMP TABLE empty (key, identity, url, outcome, reason, published, id, words)"
_IN = ", ".join(f"'{one}'" for one in sorted(DOCUMENTED))
_BY_DAY = f"""
    SELECT day, count(*), sum(fetched), sum(outcome IN ({", ".join(f"'{one}'" for one in sorted(ALL_FAILURES))})), sum(outcome = 'queued'),
        sum(outcome IN ({_IN})) FROM known WHERE day IS NOT NULL GROUP BY day ORDER BY day
"""
_BY_YEAR = """
    SELECT substr(day, 1, 4) AS year, outcome, alike(reason) AS why, count(*) AS number, min(reason), min(url), max(url) FROM known
    GROUP BY year, outcome, why ORDER BY year IS NULL, year, outcome, number DESC, why
"""
_LISTED_BY = """(
    SELECT DISTINCT substr(c.name, 1, instr(c.name || :mark, :mark) - 1) AS name, b.id AS id, b.words AS words,
        whole_day(b.published) AS published
    FROM build.articles b JOIN urls u ON u.identity_key = b.key AND coalesce(u.identity, u.url) = b.identity
        JOIN listings l ON l.url_id = u.id JOIN columns c ON c.id = l.column_id WHERE b.outcome IN ({outcomes})
)"""
_OF_COLUMN = f"""
    SELECT name, substr(published, 1, 4), count(*), sum(words), min(published), max(published) FROM {_LISTED_BY} GROUP BY 1, 2
"""
_UNLISTED = """
    SELECT substr(whole_day(b.published), 1, 4), count(*), sum(b.words), min(whole_day(b.published)), max(whole_day(b.published))
    FROM build.articles b WHERE b.outcome IN ({outcomes}) AND NOT EXISTS (
        SELECT 1 FROM urls u JOIN listings l ON l.url_id = u.id WHERE u.identity_key = b.key AND coalesce(u.identity, u.url) = b.identity
    ) GROUP BY 1
"""
_DAYS_OF_COLUMN = f"SELECT name, published, count(*) FROM {_LISTED_BY} WHERE published IS NOT NULL GROUP BY 1, 2 ORDER BY 1, 2"


class KnownUrls:
    """Ledger and build side by side, only to be read."""

    def __init__(self, db: sqlite3.Connection, *, built: bool) -> None:
        self._db = db
        self._built = built
        db.execute(_KNOWN if built else _KNOWN.replace("build.articles", "temp.empty"))

    @classmethod
    @contextmanager
    def of(cls, corpus: Corpus, *, built: bool) -> Iterator[Self]:
        """`built`: there is a build.sqlite that can be read."""
        db = connect(corpus.ledger, read_only=True)
        try:
            db.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
            db.attach(corpus.build_database, "build") if built else db.execute(_NO_BUILD)
            db.create_function("day", 4, _day, deterministic=True)
            db.create_function("whole_day", 1, day_of, deterministic=True)
            db.create_function("alike", 1, alike, deterministic=True)
            db.create_function("is_known", 1, lambda url: find_url(db, url) is not None)
            yield cls(db, built=built)
        finally:
            db.close()

    def rows(self, sql: str, values: tuple[object, ...] | dict[str, object] = ()) -> Iterator[tuple[Any, ...]]:
        """The answer to any question; the table `known` holds every URL once."""
        yield from self._db.execute(sql, values)

    def define(self, name: str, function: Callable[[str], str]) -> None:
        """A function of one text, for questions."""
        self._db.create_function(name, 1, function, deterministic=True)

    def days(self) -> Iterator[tuple[str, int, int, int, int, int]]:
        """Day, URLs, fetched, failed, waiting, with a document."""
        yield from self._db.execute(_BY_DAY)

    def outcomes(self) -> tuple[OutcomeCount, ...]:
        """By year (those without a day last), outcome and reason, the most frequent reason first."""
        found: list[OutcomeCount] = []
        rest: dict[tuple[str | None, str], tuple[int, str]] = {}
        place, shown = (None, ""), 0
        for year, outcome, _, count, reason, first, last in self._db.execute(_BY_YEAR):
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
        if self._built:
            for name, *told in self._db.execute(_OF_COLUMN.format(outcomes=_IN), {"mark": SECTION}):
                _add(courses.setdefault(name, Course()), *told)
            for told in self._db.execute(_UNLISTED.format(outcomes=_IN)):
                _add(courses.setdefault(None, Course()), *told)
        ranks = {name: number for number, name in enumerate(order)}
        ranked = sorted(courses, key=lambda name: (name is None, ranks.get(name or "", len(ranks)), name or ""))
        return tuple(courses[name].growth(name) for name in ranked)

    def days_of_columns(self) -> Iterator[tuple[str, str, int]]:
        """Column, day, articles; column by column, day by day."""
        if self._built:
            yield from self._db.execute(_DAYS_OF_COLUMN.format(outcomes=_IN), {"mark": SECTION})


def alike(reason: str) -> str:
    """What reasons have in common that differ in a number or an address alone."""
    return _NUMBER.sub("#", _ADDRESS.sub("…", reason))


def _outcome(year: str | None, outcome: str, reason: str, count: int, examples: tuple[str, ...]) -> OutcomeCount:
    failed = outcome in ALL_FAILURES
    return OutcomeCount(
        year=int(year) if year else None, outcome=outcome, failed=failed, reason=reason, count=count, examples=examples[:_EXAMPLES]
    )


def _add(course: Course, year: str | None, articles: int, words: int, first: str | None, last: str | None) -> None:
    course.add(None, int(year) if year else None, words, articles)
    course.reach(first, last)


def _day(published: str | None, listed: str | None, interval: str | None, url: str) -> str | None:
    """Of an article: what it says itself, then what the archive said of it, then what stands in its address."""
    for told in (published, listed, interval):
        day = day_of(told)
        if day is not None:
            return day
    found = _DAY_IN_URL.search(url)
    return day_of("-".join(found.groups())) if found else None
