"""Which articles of a corpus an export holds: filters that combine, the same for every format."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """The filters: all that are given must hold; of the values of one, any."""

    start: date | None = None
    """--from"""
    until: date | None = None
    columns: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    authors: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    kinds: tuple[str, ...] = ()
    """Schema.org types, or news, blog, forum."""
    words: tuple[int | None, int | None] = (None, None)
    outcomes: tuple[str, ...] = ("article",)
    layouts: tuple[str, ...] = ()
    where: tuple[str, ...] = ()
    """Conditions on fields, as they were written."""
