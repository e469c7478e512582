"""What comes of a look at a site."""

from __future__ import annotations

from dataclasses import dataclass

from webarticlecurator.model.proposals import Proposal


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnSeen:
    """What the rules that were written find on the page that a column begins with."""

    name: str
    url: str
    articles: int
    what: str
    """They are: links, or sitemaps."""
    next: str | None
    remarks: tuple[str, ...]
    asked: bool
    """It was looked at; else a crawl will show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NewPortal:
    """What came of a look."""

    source: str
    name: str
    requests: int = 0
    seconds: float = 0.0
    text: str | None = None
    """The portal file; None: there is nothing to write."""
    system: str | None = None
    preset: str | None = None
    columns: tuple[ColumnSeen, ...] = ()
    unsure: tuple[Proposal, ...] = ()
    remarks: tuple[str, ...] = ()
    blocked: str | None = None
    """Why the site keeps us out, or what it wants first."""
    failed: str | None = None
    """Why the site could not be read, though nobody keeps us out."""
    interrupted: bool = False
