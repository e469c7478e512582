"""What earlier walks of a column have found out: which stretches of it are known, and which of them are proved."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

import orjson

from webarticlecurator.corpus.events import ArchivePlace, ProofGround
from webarticlecurator.corpus.intervals import interval_start
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_schema import key_of

_SPAN = "SELECT id, proved, bottom_index, bottom_page, bottom_url, bottom_links, merged_into FROM spans s"
_MADE_UNDER = "(SELECT rules FROM walks w WHERE w.id = s.walk) = ?"


@dataclass(frozen=True, slots=True)
class OldSpan:
    """A span that an earlier walk left."""

    id: int
    proved: bool
    bottom: ArchivePlace
    bottom_links: frozenset[str]


@dataclass(frozen=True, slots=True)
class SitemapReading:
    """An earlier walk read a sitemap to its end."""

    at: datetime
    goes_on: bool
    """It was just before, in a walk that came to no proved end, and none did since: the next walk goes on after it."""


@dataclass(frozen=True, slots=True)
class EarlierWalks:
    """Those of one column under its present rules, and of one date interval where that is named; what was walked under other rules is
    unknown again."""

    ledger: Ledger
    column: str
    rules: str
    interval: str | None = None
    before: int = 2**63 - 1
    """The number of the walk that is being made: those before it count."""
    since: str = ""
    """From this moment on, what an unfinished walk has read of a tree of sitemaps need not be read again."""

    # -- proofs -------------------------------------------------------------------------------------------------------

    def proved(self) -> dict[str | None, datetime]:
        """Interval (None: the column has none) -> when it was last walked to a proved end."""
        return self.ledger.proved(self.column).get(self.rules, {})

    def proved_otherwise(self) -> bool:
        """Whether all that is proved of the column was proved under other rules."""
        proved = self.ledger.proved(self.column)
        return bool(proved) and self.rules not in proved

    def stopped_at(self) -> date | None:
        """The first day of the oldest interval in which a stop rule ended the column."""
        rows = self.ledger.rows(
            "SELECT interval FROM walks WHERE column = ? AND rules = ? AND interval IS NOT NULL AND (end = 'known' OR ground = ?)",
            (self.column, self.rules, ProofGround.STOP_RULE),
        )
        return min((interval_start(interval) for (interval,) in rows), default=None)

    def gave_links(self) -> bool:
        """Whether one of them (of the interval, if there is one) found links."""
        interval = "interval = ?" if self.interval is not None else "? IS NULL"  # so that the index finds it
        sql = f"SELECT 1 FROM walks WHERE column = ? AND {interval} AND id < ? AND links > 0 LIMIT 1"
        return any(self.ledger.rows(sql, (self.column, self.interval, self.before)))

    def expects_links(self) -> bool:
        """Whether a date must have links: an earlier walk found some, or in earlier crawls the three dates before it all had some."""
        if self.gave_links():
            return True
        rows = self.ledger.rows(
            "SELECT max(links) FROM walks WHERE column = ? AND interval < ? AND run < (SELECT value FROM meta WHERE name = 'run')"
            " GROUP BY interval ORDER BY interval DESC LIMIT 3",
            (self.column, self.interval),
        )
        before = [links for (links,) in rows]
        return len(before) == 3 and all(before)

    def was_asked(self, url: str) -> bool:
        """Whether one of them has asked for that archive page."""
        sql = "SELECT 1 FROM pages p JOIN walks w ON w.id = p.walk WHERE p.key = ? AND p.url = ? AND w.column = ? AND w.rules = ?"
        return any(self.ledger.rows(sql, (key_of(url), url, self.column, self.rules)))

    def sitemap_read(self, url: str) -> SitemapReading | None:
        """When one of them last read a sitemap to its end."""
        sql = (
            "SELECT p.at, w.id > (SELECT coalesce(max(id), 0) FROM proved_walks d WHERE d.column = w.column AND d.interval IS w.interval"
            " AND d.rules = w.rules) AND p.at >= ?"
            " FROM pages p JOIN walks w ON w.id = p.walk WHERE p.key = ? AND p.url = ? AND p.whole"
            " AND w.column = ? AND w.interval IS ? AND w.rules = ? AND w.id < ? AND w.end IS NOT 'unproved' ORDER BY p.id DESC LIMIT 1"
        )
        values = (self.since, key_of(url), url, self.column, self.interval, self.rules, self.before)
        return next((SitemapReading(datetime.fromisoformat(at), bool(goes_on)) for at, goes_on in self.ledger.rows(sql, values)), None)

    # -- spans --------------------------------------------------------------------------------------------------------

    def spans(self) -> list[OldSpan]:
        """The spans of this column and interval, the newest first."""
        rows = self.ledger.rows(
            f"{_SPAN} WHERE column = ? AND interval IS ? AND merged_into IS NULL AND walk < ? AND bottom_url IS NOT NULL AND {_MADE_UNDER}"
            " ORDER BY id DESC",
            (self.column, self.interval, self.before, self.rules),
        )
        return [_old_span(row) for row in rows]

    def spans_of(self, urls: Collection[str]) -> dict[str, OldSpan]:
        """For each of these links that lies in a span of the column: which."""
        sql = "SELECT span FROM span_links WHERE column_id = (SELECT id FROM columns WHERE name = ?) AND url_id = ?"
        found = {url: span for url in urls for (span,) in self.ledger.rows(sql, (self.column, self.ledger.url_id(url)))}
        spans = {span: self._living_span(span) for span in set(found.values())}
        return {url: old for url, span in found.items() if (old := spans[span]) is not None}

    def _living_span(self, span: int) -> OldSpan | None:
        """The span, or the one that it was merged into."""
        row = next(self.ledger.rows(f"{_SPAN} WHERE id = ? AND {_MADE_UNDER}", (span, self.rules)), None)
        if row is None:
            return None
        *_, bottom_url, _, merged_into = row
        if merged_into is not None:
            return self._living_span(merged_into)
        return _old_span(row) if bottom_url is not None else None


def _old_span(row: tuple[Any, ...]) -> OldSpan:
    span, proved, index, page, url, links, _ = row
    return OldSpan(span, bool(proved), ArchivePlace(index, page, url), frozenset(orjson.loads(links)))
