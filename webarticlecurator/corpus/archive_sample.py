"""Which archive pages of a corpus stand for all: of every column some, from its first to its last, each beside the one that followed it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from webarticlecurator.config.portal import column_of
from webarticlecurator.corpus import ledger_numbers as numbers
from webarticlecurator.corpus.ledger import Ledger

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
    for section in map(_Section._make, numbers.pages_of_columns(ledger)):
        columns.setdefault(column_of(section.name), []).append(section)
    chosen = _spread(list(columns), _MOST_COLUMNS)
    each = max(_FEWEST, most // max(len(chosen), 1))
    sample = {column: _of_column(ledger, columns[column], each) for column in chosen}
    return sample, sum(section.pages for sections in columns.values() for section in sections)


def _of_column(ledger: Ledger, sections: list[_Section], most: int) -> list[str]:
    filled = [section for section in sections if section.with_links] or sections
    some = _spread(filled, max(1, most // _FEWEST))
    urls: dict[str, None] = {}
    for section in some:
        places = _neighbours(section.with_links or section.pages, max(_FEWEST, most // len(some)))
        urls |= dict.fromkeys(numbers.pages_at(ledger, section.name, places, with_links=bool(section.with_links)))
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
