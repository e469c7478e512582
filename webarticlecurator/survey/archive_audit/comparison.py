"""The articles that links name, held against the ledger: which are not known. In a temporary file, so that memory does not grow."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from pathlib import Path

from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.corpus.ledger_schema import find_url, key_of
from webarticlecurator.databases import transaction
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.url_rules import article_url, identity_of, url_shape
from webarticlecurator.survey.archive_audit.neighbour_links import NamedArticle
from webarticlecurator.urls import normalise

_MOST_UNLISTED = 10_000
"""That are given one by one."""
_MOST_PLACES = 3
_SINCE, _CUT = timedelta(days=3), timedelta(days=31)
"""Beside an article that appeared so shortly before the last walk may stand one that the walk could not see yet; and beside one that
appeared so near to where a rule cuts the archive off, one that is left out on purpose."""
_CACHE_KIB = 16_384
_TABLES = """
    CREATE TABLE known (key INTEGER PRIMARY KEY);
    CREATE TABLE named (key INTEGER, url TEXT, seen_on TEXT, inside INTEGER);
"""
_LISTED = """
    INSERT OR IGNORE INTO known SELECT key_of(url) FROM ledger.urls;
    INSERT OR IGNORE INTO known SELECT key_of(target) FROM ledger.responses WHERE part > 1;
"""
"""Articles, whatever became of them, and their further pages."""
_SHAPES = "SELECT DISTINCT shape_of(url) FROM ledger.urls WHERE outcome = 'fetched' AND page IS NULL"
_LAST_WALK = "SELECT substr(max(started), 1, 10) FROM ledger.walks"
_SETTLE = "DELETE FROM named WHERE key IN (SELECT key FROM known); CREATE INDEX IF NOT EXISTS by_key ON named (key);"
_UNLISTED = """
    SELECT key, url, count(DISTINCT seen_on) FROM named GROUP BY key HAVING max(inside) ORDER BY min(rowid) LIMIT ?
"""
_COLUMNS = "SELECT name FROM ledger.listings l JOIN ledger.columns c ON c.id = l.column_id WHERE l.url_id = ?"
_COUNT = "SELECT coalesce(sum(inside), 0), coalesce(sum(1 - inside), 0) FROM (SELECT max(inside) AS inside FROM named GROUP BY key)"
_PLACES = "SELECT DISTINCT seen_on FROM named WHERE key = ? ORDER BY inside DESC, rowid LIMIT ?"


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlisted:
    """An article that is not in the ledger."""

    url: str
    seen_on: tuple[str, ...]
    """Some of the places that name it."""
    times: int
    """How many places do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchiveAudit:
    """What the links of stored articles name beyond the ledger."""

    portal: str
    pages: int
    """Stored articles that were looked at."""
    of_pages: int
    links: int
    """By how many links they lead to an article before or after them."""
    passed_over: int
    """Links beside those that lead to what can be no article, by the portal's rules and by what its addresses look like."""
    such_as: str | None
    """One of them."""
    unlisted: tuple[Unlisted, ...]
    """In the order in which they were named; of very many only the first."""
    total: int
    """How many are not in the ledger."""
    at_the_edge: int
    """Others, named only at an edge of the archive: they may lie beyond it, or be newer than the last walk."""
    complete: bool
    """False: interrupted."""


class LedgerComparison:
    """One comparison; the ledger is only read."""

    def __init__(self, ledger: Path, portal: Portal, *, is_article: Callable[[str], bool]) -> None:
        self._portal = portal
        self._is_article = is_article
        self._links = self._passed_over = 0
        self._such_as: str | None = None
        rules = [column.urls for column in portal.columns] or [portal.article_urls]
        self._rules = [one for place, one in enumerate(rules) if one not in rules[:place]]
        self._db = sqlite3.connect("", uri=True, isolation_level=None)
        self._db.execute(f"PRAGMA cache_size = -{_CACHE_KIB}")
        self._db.create_function("key_of", 1, self._key, deterministic=True)
        self._db.create_function("shape_of", 1, _shape, deterministic=True)
        self._db.execute("ATTACH ? AS ledger", (f"{ledger.absolute().as_uri()}?mode=ro",))
        self._db.executescript(f"BEGIN; {_TABLES} {_LISTED} COMMIT;")
        self._shapes = frozenset(shape for (shape,) in self._db.execute(_SHAPES))
        (last,) = self._db.execute(_LAST_WALK).fetchone()
        self._newest = date.fromisoformat(last) - _SINCE if last else date.max
        self._cuts = {column.name: frozenset(_cuts_of(column)) for column in portal.columns}

    def close(self) -> None:
        self._db.close()

    def add_known(self, urls: Iterable[str]) -> None:
        """These are other addresses of articles that the ledger knows: canonical ones, targets of redirects."""
        with transaction(self._db):
            self._db.executemany("INSERT OR IGNORE INTO known VALUES (?)", ((self._key(url),) for url in urls))

    def compare(self, named: Iterable[NamedArticle]) -> None:
        """Hold these against the ledger."""
        with transaction(self._db):
            for one in named:
                articles = self._articles(one.url)
                self._links += bool(articles)
                if not articles:
                    self._passed_over += 1
                    self._such_as = self._such_as or one.url
                elif not any(map(self._is_known, articles)):
                    article = next(iter(articles.items()))
                    self._db.execute("INSERT INTO named VALUES (?, ?, ?, ?)", (*article, one.seen_on, not self._is_at_an_edge(one)))

    def result(self, *, pages: int, of_pages: int, complete: bool) -> ArchiveAudit:
        """What was found. Nothing is compared any more."""
        self._db.executescript(_SETTLE)
        total, at_the_edge = self._db.execute(_COUNT).fetchone()
        return ArchiveAudit(
            portal=self._portal.name,
            pages=pages,
            of_pages=of_pages,
            links=self._links,
            passed_over=self._passed_over,
            such_as=self._such_as,
            unlisted=tuple(self._unlisted()),
            total=total,
            at_the_edge=at_the_edge,
            complete=complete,
        )

    def _unlisted(self) -> Iterator[Unlisted]:
        for key, url, times in self._db.execute(_UNLISTED, (_MOST_UNLISTED,)).fetchall():
            places = tuple(place for (place,) in self._db.execute(_PLACES, (key, _MOST_PLACES)))
            yield Unlisted(url=url, seen_on=places, times=times)

    def _articles(self, url: str) -> dict[int, str]:
        """Which articles of the portal it can be, by the rules of one column or another: key -> address. What is known always can."""
        try:
            accepted = [listed for rules in self._rules if isinstance(listed := article_url(url, rules, self._portal), str)]
        except PatternTimeout:
            return {}
        found = {self._key(one): normalise(one) for one in accepted}
        return {key: one for key, one in found.items() if self._is_known(key) or (_shape(one) in self._shapes and self._is_article(one))}

    def _is_known(self, key: int) -> bool:
        return self._db.execute("SELECT 1 FROM known WHERE key = ?", (key,)).fetchone() is not None

    def _key(self, url: str) -> int:
        """The same for all addresses of an article: its identity, else the address without what never parts two articles."""
        try:
            same = identity_of(url, self._portal)
        except PatternTimeout:
            same = url
        if same == normalise(url):
            same = same.partition("://")[2].removeprefix("www.").rstrip("/")
        return key_of(same)

    def _is_at_an_edge(self, one: NamedArticle) -> bool:
        """Whether every column that lists an article is cut off near it."""
        day = one.day
        if day is None or day >= self._newest:
            return day is not None
        columns = [name for (name,) in self._db.execute(_COLUMNS, (find_url(self._db, one.seen_on),))]
        return bool(columns) and all(any(abs(day - cut) <= _CUT for cut in self._cuts.get(name, ())) for name in columns)


def _shape(url: str) -> str:
    return url_shape(url, sections=False)


def _cuts_of(column: Column) -> Iterator[date]:
    """The days at which a rule cuts the archive off."""
    ranges = column.dates.ranges if column.dates is not None else ()
    for end in (column.stop.after, *(one.start for one in ranges), *(one.until for one in ranges)):
        if isinstance(end, date):
            yield end
