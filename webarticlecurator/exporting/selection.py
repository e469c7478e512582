"""Which articles of a corpus an export holds: filters that combine, the same for every format."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from webarticlecurator.model.outcome import DOCUMENTED, PageOutcome

OUTCOMES = tuple(sorted(DOCUMENTED))
"""Of what is built."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The filters: all that are given must hold; of the values of one, any."""

    start: date | None = None
    """--from: the first day of publication."""
    until: date | None = None
    """The last one."""
    columns: tuple[str, ...] = ()
    """Of the archive."""
    sections: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    """BCP 47; `de` is also `de-AT`."""
    kinds: tuple[str, ...] = ()
    """Schema.org types, or news, blog, forum."""
    words: tuple[int | None, int | None] = (None, None)
    """At least and at most."""
    outcomes: tuple[str, ...] = (PageOutcome.ARTICLE,)
    layouts: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    """Conditions on fields, as they are written: `headline~híd`."""
