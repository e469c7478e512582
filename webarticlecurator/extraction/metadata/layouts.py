"""The layout of a portal that a page has, by its address, its elements and its date."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from functools import cache
from itertools import chain

from webarticlecurator.config.article_rules import Layout
from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import day_in_url, first_day
from webarticlecurator.extraction.metadata.read import ReadMetadata, read_metadata
from webarticlecurator.extraction.page_context import selected_on
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page

ReadByBase = Callable[[], ReadMetadata]
"""Gives the metadata of a page by the base rules of its portal."""


def rules_for(page: Page, portal: Portal, listing: Fields, read: ReadByBase | None = None) -> Portal | Layout:
    """Return the first layout whose conditions all hold, else the portal itself for its base rules. Raises
    PatternTimeout.

    `read` gives the metadata by the base rules, for layouts with dates.
    """
    read = read or cache(lambda: read_metadata(page, portal, portal.metadata, listing=listing))
    with page.budget:
        for layout in portal.layouts:
            if _has_look(layout, page) and _has_date(layout, page, listing, read):
                return layout
    return portal


def _has_look(layout: Layout, page: Page) -> bool:
    return _has_address(layout, page) and _has_elements(layout, page)


def _has_address(layout: Layout, page: Page) -> bool:
    """Return True if the layout names no address, or one that the page has."""
    return not layout.url or any(pattern.search(page.url) for pattern in layout.url)


def _has_elements(layout: Layout, page: Page) -> bool:
    """Return True if the layout names no element, or one that the page has."""
    return layout.when is None or bool(selected_on(page, layout.when))


def _has_date(layout: Layout, page: Page, listing: Fields, read: ReadByBase) -> bool:
    """Return True if the layout names no days, or the page is of one of them. This question may cost, so it
    comes last."""
    if layout.start is None and layout.until is None:
        return True
    published = first_day(_told_days(page, listing, read))
    return published is not None and (layout.start or date.min) <= published <= (layout.until or date.max)


def _told_days(page: Page, listing: Fields, read: ReadByBase) -> Iterator[str | None]:
    """Yield the days that the listing and the address tell; then, if somebody still asks, what the base rules
    read."""
    yield from chain(listing.get("datePublished", ()), (day_in_url(page.url),))
    for found in read().metadata.get("datePublished", ()):
        yield found.value
