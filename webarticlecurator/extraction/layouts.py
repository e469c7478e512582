"""Which layout a page has: the first of the portal's whose conditions all hold, else the base rules."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from webarticlecurator.config.picks import Picks
from webarticlecurator.config.portal import BodyRules, Layout, Portal, PostKind, PostRules
from webarticlecurator.extraction.metadata import read_metadata
from webarticlecurator.extraction.metadata.dates import day_in_url
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What a page is read by."""

    metadata: Mapping[str, Picks]
    body: BodyRules
    posts: Mapping[PostKind, PostRules]
    name: str | None = None
    """Of the layout; None: the base rules."""


def rules_for(page: Page, portal: Portal, listing: Fields) -> Rules:
    """Raises PatternTimeout."""
    facts = _Facts(page, portal, listing)
    with page.budget:
        layout = next((one for one in portal.layouts if all(holds(one, facts) for holds in _CONDITIONS)), None)
    if layout is None:
        return Rules(metadata=portal.metadata, body=portal.body, posts=portal.posts)
    return Rules(metadata=layout.metadata, body=layout.body, posts=layout.posts, name=layout.name)


class _Facts:
    """What layouts ask of a page; its date is looked for only if one asks."""

    def __init__(self, page: Page, portal: Portal, listing: Fields) -> None:
        self.page = page
        self._portal = portal
        self._listing = listing

    @cached_property
    def day(self) -> date | None:
        """The listing's date, else the URL's, else what the base rules read."""
        listed = (_day(value) for value in self._listing.get("datePublished", ()))
        told = next((day for day in listed if day is not None), None) or _day(day_in_url(self.page.url))
        if told is not None:
            return told
        read = read_metadata(self.page, self._portal, self._portal.metadata, listing=self._listing).metadata.get("datePublished", ())
        return next((day for found in read if (day := _day(found.value)) is not None), None)


def _day(value: str | None) -> date | None:
    try:
        return date.fromisoformat(value[:10]) if value else None
    except ValueError:
        return None


def _in_time(layout: Layout, facts: _Facts) -> bool:
    if layout.start is None and layout.until is None:
        return True
    day = facts.day
    return day is not None and (layout.start or date.min) <= day <= (layout.until or date.max)


def _when(layout: Layout, facts: _Facts) -> bool:
    return layout.when is None or (facts.page.tree is not None and bool(layout.when.select(facts.page.tree)))


def _url(layout: Layout, facts: _Facts) -> bool:
    return not layout.url or any(pattern.search(facts.page.url) for pattern in layout.url)


_CONDITIONS: tuple[Callable[[Layout, _Facts], bool], ...] = (_url, _when, _in_time)
"""The date last: it may have to be read from the page."""
