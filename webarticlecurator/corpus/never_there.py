"""Were so many of the articles that a list names never there that the rules or the site must be at fault?"""

from __future__ import annotations

from collections import Counter

from webarticlecurator.config.portal import SECTION, Column, Portal, column_of, rules_of
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.seen_addresses import left_out_by
from webarticlecurator.extraction.url_rules import article_url
from webarticlecurator.model.corpus_status import NeverThere
from webarticlecurator.model.outcome import FEWEST_GONE, MOST_GONE

_BY_COLUMN = """
    SELECT w.column, u.outcome, count(*) FROM urls u JOIN walks w ON w.id = u.walk
    WHERE u.outcome IN ('gone', 'fetched') GROUP BY w.column, u.outcome
"""
_GONE = """
    SELECT u.url, u.reason FROM urls u JOIN walks w ON w.id = u.walk
    WHERE u.outcome = 'gone' AND (w.column = ? OR substr(w.column, 1, length(?)) = ?) ORDER BY u.id
"""


def never_there(portal: Portal, ledger: Ledger) -> tuple[NeverThere, ...]:
    """Return the columns of which a large share of articles was never there.

    What a person's rule leaves out by now does not count.
    """
    gone, fetched = Counter[str](), Counter[str]()
    for name, outcome, number in ledger.rows(_BY_COLUMN):
        (gone if outcome == "gone" else fetched)[column_of(name)] += number
    suspected = [name for name, number in gone.items() if _are_many(number, fetched[name])]
    columns = (rules_of(portal, name) for name in suspected)
    found = (_left(portal, ledger, column, fetched[column.name]) for column in columns if column is not None)
    return tuple(column for column in found if column is not None)


def _are_many(gone: int, fetched: int) -> bool:
    return gone >= max(FEWEST_GONE, MOST_GONE * (gone + fetched))


def _left(portal: Portal, ledger: Ledger, column: Column, fetched: int) -> NeverThere | None:
    """Return what is left when the articles of a column are passed over that a rule leaves out."""
    sections = f"{column.name}{SECTION}"
    left = [
        f"{url} ({reason})"
        for url, reason in ledger.rows(_GONE, (column.name, sections, sections))
        if not _is_left_out(url, portal, column)
    ]
    if not _are_many(len(left), fetched):
        return None
    return NeverThere(column.name, len(left), len(left) + fetched, left[0])


def _is_left_out(url: str, portal: Portal, column: Column) -> bool:
    if left_out_by(portal, url) is not None or not isinstance(article_url(url, column.urls, portal), str):
        return True
    return any(pattern.in_address(url) for pattern in portal.articles.skip.url)
