"""The answers that a walk gets of archive pages, and what it understands of them."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple, TypeVar

from webarticlecurator.corpus.events import NO_SPAN, ArchivePlace, PageResult
from webarticlecurator.corpus.ledger_walks import OldSpan
from webarticlecurator.crawling.walk_end import WalkEnd
from webarticlecurator.model.links import NO_PAGE, ArchivePage, ArticleLink
from webarticlecurator.model.outcome import Verdict


@dataclass(frozen=True, slots=True)
class ArchiveAnswer:
    """The answer for one place of an archive."""

    verdict: Verdict
    final_url: str
    page: ArchivePage | None
    """The archive page; None when it could not be read."""
    end: str | None = None
    """The reason why nothing more can come of a page that a browser shows."""
    limit: str | None = None
    """The bound that ended it before its end."""
    stored: datetime | None = None
    """When it came, where that was not in this crawl."""

    @property
    def read(self) -> ArchivePage:
        """The page, or one that says nothing."""
        return self.page or NO_PAGE


@dataclass(slots=True, kw_only=True)
class Reading:
    """One answer, understood, and what is written down of it."""

    place: ArchivePlace
    result: PageResult
    reason: str = ""
    """Why the page is empty, repeated or failed."""
    page: ArchivePage = NO_PAGE
    """`NO_PAGE` where it was not read as a page of the walk."""
    links: tuple[ArticleLink, ...] = ()
    urls: frozenset[str] = field(init=False)
    span: int = NO_SPAN
    covers: bool = False
    """The page's links belong to the span."""
    bottom: Reading | None = None
    """The page that the span now reaches down to: this one, or one that was read before it."""
    joined: tuple[int, ...] = ()
    """Older spans that this span has reached: they are one from here on."""
    whole: bool = False
    """A sitemap that lists articles, and all of them were taken in."""
    fresh: frozenset[str] = frozenset()
    """Links that the walk had not seen before, on a page that grows or an archive that moves."""
    beside_like: tuple[str, ...] = ()
    """The address of a page beside the list that lists no more, and others that are written so."""

    def __post_init__(self) -> None:
        self.urls = frozenset(link.url for link in self.links)

    @property
    def has_links(self) -> bool:
        return self.result is PageResult.LINKS

    @property
    def lists_nothing_new(self) -> bool:
        """It has links, and the walk had seen all of them."""
        return self.has_links and not self.fresh


class Probe(NamedTuple):
    """A place that no rule names, and that is asked for once."""

    place: ArchivePlace
    text: str = ""
    """The text of the link that leads there."""


T = TypeVar("T")
Steps = Generator[tuple[Reading | None, ArchivePlace | WalkEnd], ArchiveAnswer, T]
"""Asks for archive pages on the way to a result; there is no reading at the first step."""


@dataclass(frozen=True, slots=True)
class Streaks:
    """How many pages in a row were what."""

    result: PageResult | None = None
    """The result of the last page; `alike` pages in a row had it."""
    alike: int = 0
    known: int = 0
    """Entirely inside proved spans."""
    inside: int = 0
    """Entirely inside one span that is to be joined: an open one; with the oldest first a proved one, too."""
    within: OldSpan | None = None
    """The span that they are inside of."""

    def is_within(self, span: int) -> bool:
        """Say whether it is the span with this number."""
        return self.within is not None and self.within.id == span
