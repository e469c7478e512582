"""Why a stored article has no document any more: no column of the portal file names it, or one of its rules
for addresses leaves it out."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from webarticlecurator.config.portal import Portal, column_of
from webarticlecurator.corpus.events import PROVED_ENDS, EndKind
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_walks import last_ends
from webarticlecurator.corpus.ways import needless_columns
from webarticlecurator.extraction.url_rules import left_out_by

NO_COLUMN = "the columns of the portal file"
"""How the reason begins where none of them names an article any more."""
_WALKED = frozenset({*PROVED_ENDS, EndKind.UNPROVED})
"""How a walk ends that has come to the end of its list."""


class Listing(NamedTuple):
    """An article's address in the list of a column, or of a section of one."""

    column: str
    url: str


class LeftOut:
    """The articles of one ledger that the portal file leaves out by now. Nothing is taken away for what is
    not yet known: where a column of the file has not been walked, it may be an old one under another name,
    and its list may name the same articles."""

    def __init__(self, ledger: Ledger, portal: Portal) -> None:
        self._ledger, self._portal = ledger, portal
        self._columns = {column.name: column for column in portal.columns}

    def reason(self, listings: Iterable[Listing]) -> str | None:
        """Say what leaves out an article with these listings; None where nothing does, or no list named
        it."""
        named = list(listings)
        there = [
            (listing.url, self._columns[column_of(listing.column)])
            for listing in named
            if column_of(listing.column) in self._columns
        ]
        if there:
            reasons = [left_out_by(url, column.urls) for url, column in there]
            return None if "" in reasons else reasons[0]
        if not named or not self._are_all_walked:
            return None
        return f"{NO_COLUMN} (`{column_of(named[0].column)}` is none any more)"

    @cached_property
    def _are_all_walked(self) -> bool:
        needless = needless_columns(self._portal, self._ledger)
        needed = [column for column in self._portal.columns if column.name not in needless]
        return bool(needed) and all(self._is_walked(last_ends(self._ledger, column)) for column in needed)

    @staticmethod
    def _is_walked(ends: list[tuple[str | None, str]]) -> bool:
        return bool(ends) and all(end in _WALKED for end, _ in ends)
