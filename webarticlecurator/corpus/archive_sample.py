"""Which archive pages of a corpus stand for all: of every column some, from its first to its last, each beside the one that followed it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from webarticlecurator.config.column_urls import column_of
from webarticlecurator.corpus.ledger import Ledger

_NAMES = """
    SELECT column, count(DISTINCT p.url), count(DISTINCT CASE WHEN p.links > 0 THEN p.url END) FROM pages p JOIN walks w ON w.id = p.walk
    WHERE p.outcome = 'fetched' GROUP BY column ORDER BY column
"""
_PLACED = """
    SELECT url FROM (
        SELECT p.url AS url, row_number() OVER (ORDER BY min(p.id)) - 1 AS place FROM pages p JOIN walks w ON w.id = p.walk
        WHERE w.column = ? AND p.outcome = 'fetched' AND p.links >= ? GROUP BY p.url
    ) WHERE place IN ({}) ORDER BY place
"""
_LOOKED_AT = (
    "SELECT DISTINCT substr(request, 5) FROM responses WHERE url_id IS NULL AND request LIKE 'GET %' AND status = 200 ORDER BY id LIMIT ?"
)
_MOST_COLUMNS = 12
_FEWEST = 4
"""Pages of a column."""
_Item = TypeVar("_Item")


class _Section(NamedTuple):
    """A column, or a section of one, with its archive pages."""

    name: str
    pages: int
    with_links: int


def archive_sample(ledger: Ledger, most: int) -> tuple[dict[str, list[str]], int]:
    """Addresses of about so many archive pages, by the columns of the portal file and in the order of the walk; and how many pages
    there are. Of more columns than there is room for, some from the first to the last.

    Empty months and the empty page behind the last one teach nothing: they are passed over, unless a column has no others.
    """
    columns: dict[str, list[_Section]] = {}
    for section in map(_Section._make, ledger.rows(_NAMES)):
        columns.setdefault(column_of(section.name), []).append(section)
    chosen = _spread(list(columns), _MOST_COLUMNS)
    each = max(_FEWEST, most // max(len(chosen), 1))
    sample = {column: _of_column(ledger, columns[column], each) for column in chosen}
    return sample, sum(section.pages for sections in columns.values() for section in sections)


def looked_at(ledger: Ledger, most: int) -> list[str]:
    """Pages that are no article's and no walk's: what `curator new` has looked at, and archive pages of imported files."""
    return [url for (url,) in ledger.rows(_LOOKED_AT, (most,))]


def _of_column(ledger: Ledger, sections: list[_Section], most: int) -> list[str]:
    filled = [section for section in sections if section.with_links] or sections
    some = _spread(filled, max(1, most // _FEWEST))
    urls: dict[str, None] = {}
    for section in some:
        wanted = ", ".join(map(str, _neighbours(section.with_links or section.pages, max(_FEWEST, most // len(some)))))
        urls |= dict.fromkeys(url for (url,) in ledger.rows(_PLACED.format(wanted), (section.name, 1 if section.with_links else 0)))
    return list(urls)


def _neighbours(count: int, most: int) -> list[int]:
    """So many of the places 0 to `count` - 1, by twos."""
    if count <= most:
        return list(range(count))
    firsts = _spread(range(count - 1), max(1, most // 2))
    return sorted({place for first in firsts for place in (first, first + 1)})


def _spread(items: Sequence[_Item], most: int) -> list[_Item]:
    """So many of them, from the first to the last."""
    if len(items) <= most:
        return list(items)
    return [items[round(number * (len(items) - 1) / max(most - 1, 1))] for number in range(most)]
