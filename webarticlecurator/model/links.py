"""Links that archive pages gave us, with what the listing says of the article."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

Fields = Mapping[str, tuple[str, ...]]
"""Listing fields: name -> values, in page order."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleLink:
    """A link to an article, cleaned by the portal's `urls` rules."""

    url: str
    """Normalised: what is requested."""
    identity: str
    """What makes two URLs one article."""
    spellings: tuple[str, ...] = ()
    """How the page writes it, after the `urls` rules, without duplicates: these differ in what normalising takes away."""
    fields: Fields = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedLink:
    """A link that was found and will not be followed."""

    url: str
    reason: str
    """Which rule refused it: "other host", "articles.skip.url", ..."""
    filtered: bool = False
    """True when `urls.only` or `urls.exclude` filtered it out: then it may be a link of the page's furniture."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArchivePage:
    """What one archive page says."""

    articles: tuple[ArticleLink, ...]
    """In page order, without duplicates."""
    refused: tuple[RefusedLink, ...] = ()
    next_url: str | None = None
    """What the `next` pick found (mode next-link only), cleaned by the `urls` rules, not normalised."""
    last_page: int | None = None
    """What the `last` pick found (mode numbered only)."""
    overfull: bool = False
    """It has more article links than are taken in from one page."""
    stop: str | None = None
    """Set when the page fulfils `stop.when`: which selector it was."""
