"""What a walk is told of a page, and what it says: what to note, where to go on, and how it ended."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from webarticlecurator.corpus.events import ArchivePlace, EndKind, PageResult, ProofGround
from webarticlecurator.model.links import ArchivePage, ArticleLink
from webarticlecurator.model.outcome import Verdict


@dataclass(frozen=True, slots=True)
class ArchiveAnswer:
    """What came back for one place."""

    verdict: Verdict
    final_url: str
    page: ArchivePage | None
    """None when it could not be read."""
    end: str | None = None
    """Of a page shown in a browser: why nothing more can come."""
    limit: str | None = None
    """Which bound ended it before its end."""
    stored: datetime | None = None
    """When it came, where that was not in this crawl."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """What to write down of one answer."""

    place: ArchivePlace
    result: PageResult
    reason: str = ""
    """Why the page is empty, repeated or failed."""
    span: int
    covers: bool
    """The page's links belong to the span."""
    bottom: ArchivePlace | None = None
    """The span now reaches down to here."""
    bottom_links: tuple[str, ...] = ()
    """The article links of that place."""
    whole: bool = False
    """A sitemap that lists articles, and all of them were taken in."""
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
    doubt: str = ""
    """A single sign against it, which a person may want to look at."""
    whole: bool = False
    """It reaches from the head of the archive to its end: nothing of this column or interval stays open."""

    @property
    def complete(self) -> bool:
        """Whether nothing is left to be walked, by what the walk knows itself."""
        return self.kind in (EndKind.PROVED, EndKind.KNOWN)


@dataclass(frozen=True, slots=True)
class WalkStep:
    """What a walk wants next."""

    note: Note | None
    """Of the answer before; None on the first step."""
    next: ArchivePlace | WalkEnd


@dataclass(frozen=True, slots=True)
class Reading:
    """One answer, understood."""

    result: PageResult
    reason: str = ""
    links: tuple[ArticleLink, ...] = ()
    page: ArchivePage | None = None

    @property
    def urls(self) -> frozenset[str]:
        return frozenset(link.url for link in self.links)

    @property
    def has_links(self) -> bool:
        return self.result is PageResult.LINKS


T = TypeVar("T")
Asking = Generator[WalkStep, ArchiveAnswer, T]
"""Asks for archive pages on the way to a result."""
