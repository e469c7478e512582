"""One pass over stored article pages: what is asked of each page, and how the answers of several processes are joined."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol, Self, TypeVar

from webarticlecurator.document.page import Page
from webarticlecurator.model.links import Fields


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredPage:
    """The first page of an article, where it lies, and what is known of it before it is read."""

    url: str
    path: Path
    """The WARC file."""
    offset: int
    skip: int = 0
    """Records before it in the same gzip member, in files of other programs."""
    length: int = 0
    """Of its gzip member; 0: unknown."""
    listing: Fields = field(default_factory=dict)
    year: int | None = None
    """By the listing, else by the URL; None: only the page may tell."""


class Tally(Protocol):
    """What a pass gathers; it travels from the processes that read pages to the one that joins, so it is small and can be pickled."""

    def look(self, page: Page, stored: StoredPage) -> None:
        """Take in one page. May raise PatternTimeout: the pass notes it, and goes on."""
        ...

    def pass_over(self, stored: StoredPage, outcome: str, reason: str) -> None:
        """A stored response that gives no page: a captcha, a cut response."""
        ...

    def join(self, other: Self) -> None:
        """Take in what another one gathered of pages that lie behind ours."""
        ...


T_co = TypeVar("T_co", bound=Tally, covariant=True)


class Question(Protocol[T_co]):
    """What a pass wants to know: given to every process once (by pickling), it makes the tally of each batch of pages."""

    def tally(self) -> T_co:
        """An empty one."""
        ...
