"""Which layout a page has: the first of the portal's whose conditions all hold, else the base rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import date
from functools import cache

from webarticlecurator.config.article_rules import Layout
from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import day_in_url
from webarticlecurator.extraction.metadata import ReadMetadata, read_metadata
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page


def rules_for(page: Page, portal: Portal, listing: Fields, read: Callable[[], ReadMetadata] | None = None) -> Portal | Layout:
    """The portal itself for its base rules; `read`: its metadata by these, for layouts with dates. Raises PatternTimeout."""
    read = read or cache(lambda: read_metadata(page, portal, portal.metadata, listing=listing))
    with page.budget:
        return next((layout for layout in portal.layouts if _fits(layout, page, listing, read)), portal)


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
