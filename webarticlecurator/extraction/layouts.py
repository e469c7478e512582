"""Which layout a page has: the first of the portal's whose conditions all hold, else the base rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cache

from webarticlecurator.config.article_rules import BodyRules, Layout, PostKind, PostRules
from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import day_in_url
from webarticlecurator.extraction.metadata import ReadMetadata, read_metadata
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a page is read by."""

    metadata: Mapping[str, Picks]
    body: BodyRules
    posts: Mapping[PostKind, PostRules]
    unwanted_posts: frozenset[PostKind]
    name: str | None = None
    """Of the layout; None: the base rules."""
    read: ReadMetadata | None = None
    """What its metadata read of the page, where that had to be read for its day."""


def rules_for(page: Page, portal: Portal, listing: Fields) -> Rules:
    """Raises PatternTimeout."""
    read = cache(lambda: read_metadata(page, portal, portal.metadata, listing=listing))
    with page.budget:
        layout = next((layout for layout in portal.layouts if _fits(layout, page, listing, read)), None)
    rules = portal if layout is None else layout
    return Rules(
        metadata=rules.metadata,
        body=rules.body,
        posts=rules.posts,
        unwanted_posts=rules.unwanted_posts,
        name=None if layout is None else layout.name,
        read=read() if read.cache_info().currsize and rules.metadata == portal.metadata else None,
    )


def _fits(layout: Layout, page: Page, listing: Fields, read: Callable[[], ReadMetadata]) -> bool:
    """The date comes last, the listing's, the URL's, or else what the base rules read: that may cost."""
    if layout.url and not any(pattern.search(page.url) for pattern in layout.url):
        return False
    if layout.when is not None and (page.tree is None or not layout.when.select(page.tree)):
        return False
    if layout.start is None and layout.until is None:
        return True
    listed_day = first_day((*listing.get("datePublished", ()), day_in_url(page.url)))
    published = listed_day or first_day(found.value for found in read().metadata.get("datePublished", ()))
    return published is not None and (layout.start or date.min) <= published <= (layout.until or date.max)


def first_day(dates: Iterable[str | None]) -> date | None:
    """Of dates as ISO 8601 writes them, and of what is none."""
    for text in dates:
        try:
            if text:
                return date.fromisoformat(text[:10])
        except ValueError:
            continue
    return None
