"""The words of a walk: places, answers, notes, ends, and the older ground that it may meet."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

from webarticlecurator.model.links import ArchivePage
from webarticlecurator.model.outcome import Verdict

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


SELF_MADE = frozenset({ProofGround.STOP_RULE, ProofGround.KNOWN})
"""Grounds that the pages cannot contradict: the walk was not meant to go further."""


@dataclass(frozen=True, slots=True)
class Place:
    """An archive page's place in its walk."""

    index: int
    """Counts the pages from 0; between two runs only a first guess, since new articles push everything down."""
    page: str
    """The value of `{page}`; empty in mode next-link."""
    url: str


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back for one place."""

    verdict: Verdict
    final_url: str
    page: ArchivePage | None
    """None when it could not be read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What to write down of one answer."""

    place: Place
    result: PageResult
    reason: str = ""
    """Why the page is empty, repeated or failed."""
    span: int
    covers: bool
    """The page's links belong to the span."""
    bottom: Place | None = None
    """The span now reaches down to here."""
    bottom_links: tuple[str, ...] = ()
    """The article links of that place."""
    joined: tuple[int, ...] = ()
    """Older spans that this span has reached: they are one from here on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkEnd:
    kind: EndKind
    reason: str
    proves: int | None = None
    """The span that is proved by this end."""
    ground: ProofGround | None = None
    """Of ends that are proved, or would be."""
    last: str | None = None
    """The page that the end was found on."""
    last_links: int = 0
    """Article links there."""
    whole: bool = False
    """It reaches from the head of the archive to its end: nothing of this column or interval stays open."""


@dataclass(frozen=True, slots=True)
class Step:
    """What a walk wants next."""

    note: Note | None
    """Of the answer before; None on the first step."""
    ask: Place


@dataclass(frozen=True, slots=True)
class OldSpan:
    """A span that an earlier walk left."""

    id: int
    proved: bool
    bottom: Place
    bottom_links: frozenset[str]


class Ground(Protocol):
    """What earlier walks know of the column (and interval) that is being walked."""

    def spans(self) -> Sequence[OldSpan]:
        """The spans of this column and interval."""
        ...

    def spans_of(self, urls: Collection[str]) -> Mapping[str, OldSpan]:
        """For each of these links that lies in a span of the column: which."""
        ...

    def gave_links(self) -> bool:
        """Whether an earlier walk of this column and interval found links."""
        ...

    def was_asked(self, url: str) -> bool:
        """Whether a walk of the column has asked for that archive page."""
        ...
