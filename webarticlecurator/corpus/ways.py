"""Several ways to the same articles: which of them is proved, so that the others are not needed."""

from __future__ import annotations

from collections.abc import Iterable

from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.corpus.events import PROVED_ENDS, EndKind
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_walks import (
    EarlierWalks,
    last_ends,
    listed_besides,
    most_pages_with_links,
)
from webarticlecurator.model.corpus_status import Way

_PROVED, _READ, _NOT_NEEDED, _NOT_WALKED = "proved", "read", "not needed", "not walked"


def ways_of(portal: Portal, ledger: Ledger) -> tuple[Way, ...]:
    """Return what the last walks of each way came to, best first; none where the archive has no ways."""
    columns = [column for column in portal.columns if column.ways]
    states = [_way(column, ledger) for column in columns]
    used = next((place for place, way in enumerate(states) if way.state == _PROVED), len(states))
    read = [column.format for column, way in zip(columns, states, strict=True) if way.state == _READ]
    return tuple(
        Way(name=way.name, state=_NOT_NEEDED)
        if place > used or (way.state == _NOT_WALKED and column.format in read)
        else way
        for place, (column, way) in enumerate(zip(columns, states, strict=True))
    )


def needless_columns(portal: Portal, ledger: Ledger) -> frozenset[str]:
    """Columns of which nothing is open, whatever became of their walks: another way to the same articles is
    proved.

    Where one is only read, those of its format that tell nothing more: other addresses at which it might have
    been.
    """
    ways = ways_of(portal, ledger)
    if any(way.state == _PROVED for way in ways):
        return frozenset(way.name for way in ways if way.state != _PROVED)
    columns = {column.name: column for column in portal.columns}
    read = next((columns[way.name] for way in ways if way.state == _READ), None)
    return frozenset(
        way.name
        for way in ways
        if read is not None and tells_no_more(columns[way.name], (way.state,), read, ledger)
    )


def _way(column: Column, ledger: Ledger) -> Way:
    ends = last_ends(ledger, column)
    for end, reason in ends:
        if end not in PROVED_ENDS:
            return Way(name=column.name, state=end or "cut off", reason=reason)
    if not ends:
        return Way(name=column.name, state=_NOT_WALKED)
    return Way(
        name=column.name,
        state=_READ if EarlierWalks.of(ledger, column).only_read() else _PROVED,
        reason=ends[-1][1],
    )


def walked_to_end(columns: Iterable[Column], ledger: Ledger) -> dict[str, int]:
    """Columns all of whose last walks by the present rules came to a proved or known end -> archive pages
    with links of the longest."""
    ended = (column for column in columns if _way(column, ledger).state in (_PROVED, _READ))
    return {column.name: most_pages_with_links(ledger, column) for column in ended}


def tells_no_more(column: Column, ends: Iterable[str], read: Column, ledger: Ledger) -> bool:
    """True if a way of the format of one that was read never listed an article; or, if only its end is not
    believed, the same ones."""
    if column.format is not read.format:
        return False
    is_same = set(ends) == {EndKind.UNPROVED} and not listed_besides(ledger, column.name, read.name)[0]
    return is_same or not EarlierWalks.of(ledger, column).gave_links()
