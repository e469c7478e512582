"""Several ways to the same articles: which of them is proved, so that the others are not needed."""

from __future__ import annotations

from webarticlecurator.config.column_urls import column_of
from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.corpus.events import ProofGround
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.model.status import Way

PROVED, READ, NOT_NEEDED, _NOT_WALKED = "proved", "read", "not needed", "not walked"
_GROUND = "SELECT ground FROM walks WHERE column = ? AND rules = ? AND end = 'proved' ORDER BY id DESC LIMIT 1"
_LAST_WALKS = "SELECT column, end, reason FROM last_walks WHERE rules = ? ORDER BY id"


def ways_of(portal: Portal, ledger: Ledger) -> tuple[Way, ...]:
    """What the last walks of each way came to, best first; none where the archive has no ways."""
    found = [_way(column, ledger) for column in portal.columns if column.ways]
    used = next((place for place, way in enumerate(found) if way.state == PROVED), len(found))
    return (*found[: used + 1], *(Way(name=way.name, state=NOT_NEEDED) for way in found[used + 1 :]))


def needless_columns(portal: Portal, ledger: Ledger) -> frozenset[str]:
    """Columns of which nothing is open, whatever became of their walks: another way to the same articles is proved."""
    ways = ways_of(portal, ledger)
    return frozenset(way.name for way in ways if way.state != PROVED) if any(way.state == PROVED for way in ways) else frozenset()


def _way(column: Column, ledger: Ledger) -> Way:
    walks = [row for row in ledger.rows(_LAST_WALKS, (column.rules,)) if column_of(row[0]) == column.name]
    for _, end, reason in walks:
        if end not in ("proved", "known"):
            return Way(name=column.name, state=end or "cut off", reason=reason or "the crawl was cut off")
    if not walks:
        return Way(name=column.name, state=_NOT_WALKED)
    return Way(name=column.name, state=READ if only_read(column, ledger) else PROVED, reason=walks[-1][2])


def only_read(column: Column, ledger: Ledger) -> bool:
    """Whether its proof says only that all was read that a feed or a sitemap lists: then another way may know more."""
    ground = next((ground for (ground,) in ledger.rows(_GROUND, (column.name, column.rules))), None)
    return ground is not None and ProofGround(ground).says_only_read
