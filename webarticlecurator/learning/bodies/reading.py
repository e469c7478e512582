"""Pages as the rules read them: with other rules for the body, as often as it takes to compare them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from lxml.etree import _Element as Element

from webarticlecurator.budget import Budget
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.article import PageReading, read_article
from webarticlecurator.extraction.body.locate import Container
from webarticlecurator.extraction.layouts import first_day
from webarticlecurator.extraction.metadata.dates import day_in_url
from webarticlecurator.model.article import Article
from webarticlecurator.model.links import Fields
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page


@dataclass(frozen=True, slots=True, eq=False)
class Reading:
    """One page, and what some rules make of it."""

    page: Page
    article: Article
    container: Container | None
    layout: str | None = None
    """The layout of the portal file that it has."""
    is_lost: bool = False
    """The portal's root is not on it; it is read as if there were none."""

    @property
    def url(self) -> str:
        return self.page.requested_url

    @property
    def is_article(self) -> bool:
        return self.article.outcome is PageOutcome.ARTICLE

    @property
    def root(self) -> Element | None:
        """The element that holds the text: the last one, for leads stand before it."""
        return self.container.elements[-1] if self.container is not None and not self.container.posts else None

    @property
    def day(self) -> date | None:
        return first_day((day_in_url(self.url), self.article.date))


class Reader:
    """Reads pages by a portal's rules, or by others."""

    def __init__(self, portal: Portal, listings: Mapping[str, Fields]) -> None:
        self.portal = portal
        self._listings = listings

    def read(self, page: Page, portal: Portal | None = None) -> Reading:
        """What the rules make of it; each time with as much time as they have for one page."""
        readings: list[PageReading] = []
        fresh = replace(page, budget=Budget())
        listing = self._listings.get(page.requested_url, {})
        article = read_article(
            [fresh],
            portal or self.portal,
            id="page",
            identity=page.requested_url,
            url=page.requested_url,
            listing=listing,
            readings=readings,
        )
        return Reading(page, article, readings[0].container if readings else None, article.layout)
