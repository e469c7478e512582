"""What the ledger says of walks: what a page was, how a walk ended, what that proves."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

NO_SPAN = 0
"""The span of a page that belongs to none; spans are numbered from 1."""


class PageResult(StrEnum):
    """What an archive page was to its walk."""

    LINKS = "links"
    EMPTY = "empty"
    REPEATED = "repeated"
    FAILED = "failed"


class EndKind(StrEnum):
    """What the end of a walk is worth."""

    PROVED = "proved"
    """The archive ends here."""
    KNOWN = "known"
    """Here begins ground that is proved already."""
    LIMIT = "limit"
    """A rule or a bound said stop."""
    FAILED = "failed"
    """Archive pages could not be read: the walk is open there."""
    DRIFT = "drift"
    """A page has no links where there must be some: the layout seems to have changed."""
    UNPROVED = "unproved"
    """It looks like an end, and something on the pages speaks against it."""
    INTERRUPTED = "interrupted"
    IMPORTED = "imported"
    """Pages out of other programs' files: no walk of ours."""


class ProofGround(StrEnum):
    """What a proof leans on."""

    ONLY_PAGE = "the only page"
    NO_NEXT = "a page without a next link"
    EMPTY = "an empty page"
    REPEATED = "a repeated page"
    SECOND_REPEATS_FIRST = "a second page that repeats the first"
    LAST_NUMBER = "the last page of the pager"
    LAST_VALUE = "the last of the named pages, which is empty"
    NO_PAGER = "a page without a pager"
    STOP_RULE = "a stop rule"
    KNOWN = "ground that was proved before"


@dataclass(frozen=True, slots=True)
class ArchivePlace:
    """An archive page's place in its walk."""

    index: int
    """Counts the pages from 0; between two runs only a first guess, since new articles push everything down."""
    page: str
    """The value of `{page}`; empty in mode next-link."""
    url: str
