"""Which archive pages of a corpus stand for all: of every column some, from its first to its last, each beside the one that followed it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from webarticlecurator.config.column_urls import column_of
from webarticlecurator.corpus import ledger_numbers as numbers
from webarticlecurator.corpus.ledger import Ledger

_MOST_COLUMNS = 12
_FEWEST = 4
"""Pages of a column."""


@dataclass(frozen=True, slots=True)
class ArchiveSample:
    """Addresses of archive pages."""

    columns: dict[str, tuple[str, ...]]
    """By the names of the portal file; of each in the order of the walk."""
    of_pages: int
    """Archive pages that there are."""


def archive_sample(ledger: Ledger, most: int) -> ArchiveSample:
    """About so many pages; of more columns than there is room for, some from the first to the last.

    Empty months and the empty page behind the last one teach nothing: they are passed over, unless a column has no others.
    """
    counts = {str(name): _Count(pages, with_links) for name, pages, with_links in numbers.pages_of_columns(ledger)}
    walked: dict[str, list[str]] = {}
    for name in counts:
        walked.setdefault(column_of(name), []).append(name)
    chosen = [list(walked)[place] for place in spread(len(walked), _MOST_COLUMNS)]
    each = max(_FEWEST, most // max(len(chosen), 1))
    columns = {name: _of_column(ledger, walked[name], counts, each) for name in chosen}
    return ArchiveSample(columns, of_pages=sum(count.pages for count in counts.values()))


class _Count(NamedTuple):
    pages: int
    with_links: int


def _of_column(ledger: Ledger, names: list[str], counts: dict[str, _Count], most: int) -> tuple[str, ...]:
    """Of a column, or of some of its sections."""
    filled = [name for name in names if counts[name].with_links] or names
    some = [filled[place] for place in spread(len(filled), max(1, most // _FEWEST))]
    each = max(_FEWEST, most // len(some))
    return tuple(dict.fromkeys(url for name in some for url in _urls(ledger, name, counts[name], each)))


def _urls(ledger: Ledger, name: str, count: _Count, most: int) -> list[str]:
    places = neighbours(count.with_links or count.pages, most)
    return numbers.pages_at(ledger, name, places, with_links=bool(count.with_links))


def neighbours(count: int, most: int) -> list[int]:
    """So many of the places 0 to `count` - 1, by twos."""
    if count <= most:
        return list(range(count))
    firsts = spread(count - 1, max(1, most // 2))
    return sorted({place for first in firsts for place in (first, first + 1)})


def spread(count: int, most: int) -> list[int]:
    """So many of the places 0 to `count` - 1, from the first to the last."""
    if count <= most:
        return list(range(count))
    return [round(number * (count - 1) / (most - 1)) for number in range(most)] if most > 1 else [0]
