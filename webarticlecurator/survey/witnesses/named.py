"""What witnesses say, and what is found when they are compared with the ledger."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import NamedTuple


class Named(NamedTuple):
    """An address that a witness says is an article's."""

    url: str
    """Joined, as it stands there."""
    seen_on: str
    """Where: the address of an article, of a sitemap."""
    day: date | None = None
    """Near which the article appeared, if it is known."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Unlisted:
    """An article that is not in the ledger."""

    url: str
    seen_on: tuple[str, ...]
    """Some of the places that name it."""
    times: int
    """How many places do."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Comparison:
    """What the witnesses know beyond the ledger."""

    portal: str
    pages: int
    """Stored articles that were looked at."""
    of_pages: int
    links: int
    """By how many links they lead to an article before or after them."""
    passed_over: int
    """Links beside those that lead to what can be no article, by the portal's rules and by what its addresses look like."""
    such_as: str | None
    """One of them."""
    unlisted: tuple[Unlisted, ...]
    """In the order in which they were named; of very many only the first."""
    total: int
    """How many are not in the ledger."""
    at_the_edge: int
    """Others, named only at an edge of the archive: they may lie beyond it, or be newer than the last walk."""
    complete: bool
    """False: interrupted."""
