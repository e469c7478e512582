"""The layout of a portal that a page has, by its address, its elements and its date."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import date
from functools import cache
from itertools import chain
from typing import NamedTuple

from webarticlecurator.config.article_rules import Layout
from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import day_in_url, first_day
from webarticlecurator.extraction.checks import Check, first_reason
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
            if not first_reason(_OTHER_LAYOUT, _LayoutOfPage(layout, page, listing, read)):
                return layout
    return portal


class _LayoutOfPage(NamedTuple):
    """A layout that a page may have."""

    layout: Layout
    page: Page
    listing: Fields
    read: ReadByBase


def _has_other_address(asked: _LayoutOfPage) -> bool:
    patterns = asked.layout.url
    return bool(patterns) and not any(pattern.search(asked.page.url) for pattern in patterns)


def _lacks_elements(asked: _LayoutOfPage) -> bool:
    return asked.layout.when is not None and not selected_on(asked.page, asked.layout.when)


def _has_other_date(asked: _LayoutOfPage) -> bool:
    """Return True if the page is of none of the days that the layout names. This question may cost, so it
    comes last."""
    begin, end = asked.layout.start or date.min, asked.layout.until or date.max
    if (begin, end) == (date.min, date.max):
        return False
    published = first_day(_told_days(asked.page, asked.listing, asked.read))
    return published is None or not begin <= published <= end


_OTHER_LAYOUT: tuple[Check[_LayoutOfPage], ...] = (
    Check("its address is another one", _has_other_address),
    Check("it lacks the elements", _lacks_elements),
    Check("it is of another day", _has_other_date),
)
"""Reasons why a page does not have a layout."""


def _told_days(page: Page, listing: Fields, read: ReadByBase) -> Iterator[str | None]:
    """Yield the days that the listing and the address tell; then, if somebody still asks, what the base rules
    read."""
    yield from chain(listing.get("datePublished", ()), (day_in_url(page.url),))
    for found in read().metadata.get("datePublished", ()):
        yield found.value
