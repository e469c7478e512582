"""Walks of a column, as the ledger knows them: which stretches are known and proved, what never gave
anything, what looks alike."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import date, datetime
from itertools import takewhile
from typing import Any, Literal, Self

import orjson

from webarticlecurator.config.portal import SECTION, Column, column_of
from webarticlecurator.corpus.events import ArchivePlace, ProofGround
from webarticlecurator.corpus.intervals import interval_start
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_schema import key_of
from webarticlecurator.databases import Row, rows_of

_MADE_UNDER = "(SELECT rules FROM walks w WHERE w.id = s.walk) = ?"


@dataclass(frozen=True, slots=True)
class OldSpan:
    """A span that an earlier walk left."""

    id: int
    proved: bool
    bottom: ArchivePlace
    bottom_links: frozenset[str]


@dataclass(frozen=True, slots=True)
class EarlierWalks:
    """The walks of one column under its present rules, and of one date interval where that is named; what was
    walked under other rules is unknown again, but for whether it gave links."""

    ledger: Ledger
    column: str
    rules: str
    interval: str | None = None
    before: int = 2**63 - 1
    """The number of the walk that is being made: those before it count."""
    since: str = ""
    """From this moment on, what an unfinished walk has read of a tree of sitemaps need not be read again."""

    @classmethod
    def of(cls, ledger: Ledger, column: Column) -> Self:
        """Return all those of a column."""
        return cls(ledger, column.name, column.rules)

    def _rows(self, sql: str, *values: object) -> Iterator[tuple[Any, ...]]:
        """Answer a question that begins with column and rules."""
        return self.ledger.rows(sql, (self.column, self.rules, *values))

    def proved(self) -> dict[str | None, datetime]:
        """Interval (None: the column has none) -> when it was last walked to a proved end."""
        return self.ledger.proved(self.column).get(self.rules, {})

    def only_read(self) -> bool:
        """True if its proof says only that all was read that a feed or a sitemap lists: then another way may
        know more."""
        sql = (
            "SELECT ground FROM walks WHERE column = ? AND rules = ? AND end = 'proved' ORDER BY id DESC "
            "LIMIT 1"
        )
        ground = next((ground for (ground,) in self._rows(sql)), None)
        return ground is not None and ProofGround(ground).says_only_read

    def ended_on(self, ground: ProofGround) -> bool:
        """True if one of them came to its end on that ground."""
        return any(
            self._rows("SELECT 1 FROM walks WHERE column = ? AND rules = ? AND ground = ? LIMIT 1", ground)
        )

    def stopped_at(self) -> date | None:
        """The first day of the oldest interval in which a stop rule ended the column."""
        sql = (
            "SELECT interval FROM walks WHERE column = ? AND rules = ? AND interval IS NOT NULL AND (end = "
            "'known' OR ground = ?)"
        )
        return min(
            (interval_start(interval) for (interval,) in self._rows(sql, ProofGround.STOP_RULE)), default=None
        )

    def head_never_changed(self) -> bool:
        """True if all of them saw the same articles on the first page: then nobody knows at which end the
        list grows."""
        sql = (
            "SELECT count(DISTINCT first_links) < 2 FROM walks WHERE column = ? AND rules = ? AND end IS NOT "
            "'imported'"
        )
        return bool(next(self._rows(sql))[0])

    def gave_links(self) -> bool:
        """True if one of them (of the interval, if there is one) found links."""
        interval = "interval = ?" if self.interval is not None else "? IS NULL"  # so that the index finds it
        sql = f"SELECT 1 FROM walks WHERE column = ? AND {interval} AND id < ? AND links > 0 LIMIT 1"
        return any(self.ledger.rows(sql, (self.column, self.interval, self.before)))

    def expects_links(self) -> bool:
        """True if a date must have links: an earlier walk found some, or in earlier crawls the three dates
        before it all had some."""
        if self.gave_links():
            return True
        rows = self.ledger.rows(
            "SELECT max(links) FROM walks WHERE column = ? AND interval < ? AND run < (SELECT max(run) FROM "
            "files)"
            " GROUP BY interval ORDER BY interval DESC LIMIT 3",
            (self.column, self.interval),
        )
        before = [links for (links,) in rows]
        return len(before) == 3 and all(before)

    def never_gave(self, counted: Literal["links", "more"]) -> bool:
        """True if walks have ended as if at an end, and none ever had an article link, or a page that told of
        a following one."""
        sql = (
            f"SELECT sum({counted}) = 0 AND sum(end IN ('proved', 'unproved')) > 0 FROM walks WHERE column = "
            "? AND rules = ?"
        )
        return bool(next(self._rows(sql))[0])

    def second_repeats_first(self) -> bool:
        """True if that ended a walk that came to its end, and none saw a second page of its own."""
        sql = (
            "SELECT max(ground = ? AND end = 'proved') = 1 AND max(covered) < 2 FROM walks WHERE column = ? "
            "AND rules = ?"
        )
        return bool(
            next(self.ledger.rows(sql, (ProofGround.SECOND_REPEATS_FIRST, self.column, self.rules)))[0]
        )

    def unread_page(self) -> str | None:
        """The newest page of a column, and what came of it, where none could ever be read."""
        sql = (
            "SELECT p.url, p.reason, max(p.outcome = 'fetched') OVER () FROM pages p JOIN walks w ON w.id = "
            "p.walk"
            " WHERE w.column = ? AND w.rules = ? ORDER BY p.id DESC LIMIT 1"
        )
        return next((f"{url} ({reason})" for url, reason, is_read in self._rows(sql) if is_read == 0), None)

    def pages_and_links(self) -> tuple[int, int]:
        """Return how many pages had articles, and how many these are together."""
        sql = (
            "SELECT count(*), coalesce(sum(most), 0) FROM (SELECT max(p.links) AS most FROM pages p JOIN "
            "walks w ON w.id = p.walk"
            " WHERE w.column = ? AND w.rules = ? AND p.result = 'links' GROUP BY p.key)"
        )
        pages, links = next(self._rows(sql))
        return pages, links

    def unpicked(self) -> list[Row]:
        """Links like the picked ones that no rule took, and that nobody knows of at the end of the crawl.
        What was read as an archive page is none; and what a later look at the same page does not show has
        gone."""
        sql = """
            SELECT url, via, pages, selector, in_list, in_box, on_empty FROM lookalikes l WHERE column = ? AND rules = ?
            AND NOT EXISTS (SELECT 1 FROM refused r WHERE r.url = l.url)
            AND NOT EXISTS (SELECT 1 FROM urls u WHERE u.key = key_of(l.url) AND u.url = l.url)
            AND NOT EXISTS (SELECT 1 FROM pages p WHERE p.key = key_of(l.url) AND p.url = l.url)
            AND NOT EXISTS (
                SELECT 1 FROM pages p JOIN walks w ON w.id = p.walk WHERE p.key = key_of(l.via) AND p.url = l.via AND w.run > l.run
            ) ORDER BY via, url
        """
        return list(rows_of(self.ledger.rows(sql, (self.column, self.rules))))

    def was_asked(self, url: str) -> bool:
        """True if one of them has asked for that archive page."""
        sql = (
            "SELECT 1 FROM pages p JOIN walks w ON w.id = p.walk WHERE w.column = ? AND w.rules = ? AND "
            "p.key = ? AND p.url = ?"
        )
        return any(self._rows(sql, key_of(url), url))

    def lists_no_more(self, url: str) -> bool:
        """True if one of them asked for what stands beside its list, and found nothing new there."""
        sql = (
            "SELECT 1 FROM pages p JOIN walks w ON w.id = p.walk WHERE w.column = ? AND w.rules = ? AND "
            "p.key = ? AND p.url = ?"
            " AND p.result = 'beside'"
        )
        return any(self._rows(sql, key_of(url), url))

    def sitemap_read(self, url: str) -> tuple[datetime, bool] | None:
        """Return when one of them last read a sitemap to its end; and whether that was just before, in a walk
        that came to no proved end, and none did since: the next walk goes on after it."""
        sql = (
            "SELECT p.at, w.id > (SELECT coalesce(max(id), 0) FROM proved_walks d WHERE d.column = w.column "
            "AND d.interval IS w.interval"
            " AND d.rules = w.rules) AND p.at >= ?"
            " FROM pages p JOIN walks w ON w.id = p.walk WHERE p.key = ? AND p.url = ? AND p.whole"
            " AND w.column = ? AND w.interval IS ? AND w.rules = ? AND w.id < ? AND w.end IS NOT 'unproved' "
            "ORDER BY p.id DESC LIMIT 1"
        )
        values = (self.since, key_of(url), url, self.column, self.interval, self.rules, self.before)
        return next(
            ((datetime.fromisoformat(at), bool(goes_on)) for at, goes_on in self.ledger.rows(sql, values)),
            None,
        )

    def have_proved_spans(self) -> bool:
        """True if a stretch of this column and interval is proved."""
        sql = (
            "SELECT 1 FROM spans s WHERE column = ? AND interval IS ? AND walk < ? AND proved AND "
            "merged_into IS NULL"
            f" AND bottom_url IS NOT NULL AND {_MADE_UNDER} LIMIT 1"
        )
        return any(self.ledger.rows(sql, (self.column, self.interval, self.before, self.rules)))

    def have_spans(self) -> bool:
        """True if there is any span of the column to lie in: of a first walk nothing need be looked up, link
        by link."""
        return any(
            self.ledger.rows(
                "SELECT 1 FROM spans WHERE column = ? AND walk != ? LIMIT 1", (self.column, self.before)
            )
        )

    def spans_of(self, urls: Collection[str]) -> dict[str, OldSpan]:
        """For each of these links that lies in a span of the column: which."""
        sql = """
            SELECT u.url, s.span FROM json_each(?) l CROSS JOIN urls u ON u.key = key_of(l.value) AND u.url = l.value
            CROSS JOIN span_links s ON s.column_id = (SELECT id FROM columns WHERE name = ?) AND s.url_id = u.id
        """
        span_of = dict(self.ledger.rows(sql, (orjson.dumps([*urls]).decode(), self.column)))
        spans = {span: self._living_span(span) for span in set(span_of.values())}
        return {url: old for url, span in span_of.items() if (old := spans[span]) is not None}

    def _living_span(self, span: int) -> OldSpan | None:
        """The span, or the one that it was merged into."""
        columns = "proved, bottom_index, bottom_page, bottom_url, bottom_links, merged_into"
        rows = self.ledger.rows(
            f"SELECT {columns} FROM spans s WHERE id = ? AND {_MADE_UNDER}", (span, self.rules)
        )
        for proved, index, page, url, links, merged_into in rows:
            if merged_into is not None:
                return self._living_span(merged_into)
            if url is not None:
                return OldSpan(
                    span, bool(proved), ArchivePlace(index, page, url), frozenset(orjson.loads(links))
                )
        return None


def first_pages_of_columns(ledger: Ledger, run: int, enough: int) -> Iterator[tuple[str, str]]:
    """Each column that a run walked, with a line for each interval and what its first page lists.

    Columns with fewer than enough intervals are left out, unless they have no dates.
    """
    sql = """
        SELECT column, group_concat(coalesce(interval, '') || ' ' || first_links, char(10)) FROM (
            SELECT DISTINCT column, interval, first_links FROM walks
            WHERE run = ? AND first_links IS NOT NULL AND links > 1 AND end IS NOT 'imported'
        ) GROUP BY column HAVING count(*) >= ? OR max(interval IS NULL)
    """
    return ledger.rows(sql, (run, enough))


def first_pages_of_others(ledger: Ledger, column: str, interval: str) -> list[str]:
    """Return where the newest walks of some other intervals of a column began that listed articles."""
    sql = (
        "SELECT min(p.id), p.url FROM pages p JOIN walks w ON w.id = p.walk"
        " WHERE w.column = ? AND w.interval != ? AND p.result = 'links' GROUP BY w.interval ORDER BY "
        "max(w.id) DESC LIMIT 3"
    )
    return [url for _, url in ledger.rows(sql, (column, interval))]


def same_first_pages(ledger: Ledger, column: str, run: int, interval: str) -> list[str]:
    """The successive intervals of a run, this one among them, whose first pages list the same articles."""
    sql = (
        "SELECT interval, first_links FROM walks WHERE column = ? AND run = ? AND interval {} ? ORDER BY "
        "interval {} LIMIT 3"
    )
    before = list(ledger.rows(sql.format("<=", "DESC"), (column, run, interval)))
    after = list(ledger.rows(sql.format(">", "ASC"), (column, run, interval)))
    if not before or before[0][0] != interval or before[0][1] is None:
        return []
    return sorted(
        name for side in (before, after) for name, _ in takewhile(lambda row: row[1] == before[0][1], side)
    )


def only_two_digits_list(ledger: Ledger, column: Column, begins: int, fewest: tuple[int, int]) -> bool:
    """True if walks of months (2024-05) or days (2024-05-01) whose number has two digits by nature had
    article links, and no others did.

    `begins`: where the number stands in the name of an interval. `fewest`: numbers below 10, and others with
    links.
    """
    sql = """
        SELECT sum(number < 10) >= ? AND sum(number < 10 AND links > 0) = 0 AND sum(number >= 10 AND links > 0) >= ?
        FROM (
            SELECT CAST(substr(interval, ? + 1, 2) AS INTEGER) AS number, sum(links) AS links FROM walks
            WHERE column = ? AND rules = ? AND interval GLOB '????-[0-1]*' AND length(interval) > ?
            GROUP BY interval
        )
    """
    values = (*fewest, begins, column.name, column.rules, begins)
    return bool(next(ledger.rows(sql, values))[0])


def listed_anything(ledger: Ledger, columns: Collection[str]) -> bool:
    """True if a page of one of these columns ever listed an article."""
    sql = """
        SELECT 1 FROM listings l JOIN columns c ON c.id = l.column_id
        WHERE c.name IN (SELECT value FROM json_each(?)) LIMIT 1
    """
    return any(ledger.rows(sql, (orjson.dumps([*columns]).decode(),)))


def sections_with_links(ledger: Ledger, column: Column) -> list[str]:
    """The sections of a column of which a walk by its present rules found links."""
    mark = f"{column.name}{SECTION}"
    sql = (
        "SELECT column FROM walks WHERE rules = ? AND substr(column, 1, length(?)) = ? GROUP BY column "
        "HAVING sum(links) ORDER BY column"
    )
    return [name for (name,) in ledger.rows(sql, (column.rules, mark, mark))]


def last_ends(ledger: Ledger, column: Column) -> list[tuple[str | None, str]]:
    """Return how the last walk of each part of a column, by itself or by its sections, ended by the present
    rules, and why."""
    rows = ledger.rows(
        "SELECT column, end, reason FROM last_walks WHERE rules = ? ORDER BY id", (column.rules,)
    )
    return [
        (end, reason or "the crawl was cut off")
        for name, end, reason in rows
        if column_of(name) == column.name
    ]


def most_pages_with_links(ledger: Ledger, column: Column) -> int:
    """Archive pages with links of the longest walk of a column by its present rules."""
    rows = ledger.rows("SELECT column, covered FROM walks WHERE rules = ?", (column.rules,))
    return max(int(pages) for name, pages in rows if column_of(name) == column.name)


_LISTED_BESIDES = """
    WITH of_way AS (SELECT id, substr(name, 1, instr(name || :mark, :mark) - 1) AS way FROM columns)
    SELECT count(*) OVER (), u.url FROM listings l JOIN of_way c ON c.id = l.column_id JOIN urls u ON u.id = l.url_id
    WHERE c.way = :way AND NOT EXISTS (
        SELECT 1 FROM urls v JOIN listings o ON o.url_id = v.id JOIN of_way r ON r.id = o.column_id
        WHERE v.identity_key = u.identity_key AND r.way = :other
    ) GROUP BY u.id ORDER BY u.id LIMIT 1
"""


def listed_besides(ledger: Ledger, way: str, other: str) -> tuple[int, str]:
    """Return how many articles a way lists, by itself or by its sections, that another one does not under any
    address; and the URL of one."""
    number, example = next(
        ledger.rows(_LISTED_BESIDES, {"way": way, "other": other, "mark": SECTION}), (0, "")
    )
    return number, example
