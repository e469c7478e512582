"""Pages as the rules read them: with other rules for the body, which nobody has written yet, as often as it takes to compare them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date

from lxml.etree import _Element as Element

from webarticlecurator.budget import Budget
from webarticlecurator.config.picks import Pick, Picks
from webarticlecurator.config.portal import Portal
from webarticlecurator.config.tag_dictionary import TagLayer, TagRule
from webarticlecurator.dates.auto import day_in_url
from webarticlecurator.extraction.article import PageReading, read_article
from webarticlecurator.extraction.body.locate import Container
from webarticlecurator.extraction.layouts import first_day
from webarticlecurator.model.article import Article
from webarticlecurator.model.links import Fields
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import Selector


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


# --- rules that nobody has written yet ---

_SOURCE = "proposed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What stands under `body`."""

    within: str = ""
    root: str = ""
    tags: tuple[tuple[str, str], ...] = ()
    """Operation and selector."""

    def with_tag(self, operation: str, selector: str) -> Draft:
        return replace(self, tags=(*self.tags, (operation, selector)))

    def applied(self, portal: Portal) -> Portal:
        """A portal with these rules, and without layouts: what is tried is tried on every page."""
        body = portal.body
        if self.within:
            body = replace(body, within=_pick(self.within), root=None)
        if self.root:
            body = replace(body, root=_pick(self.root))
        if self.tags:
            rules = tuple(TagRule(operation=name, css=Selector.parse(css), source=_SOURCE) for name, css in self.tags)
            own = portal.sources[0].path.name if portal.sources else ""
            near, *far = body.tags or (TagLayer(),)
            if near.rules and near.rules[0].source.rpartition(":")[0] != own:
                near, far = TagLayer(), [near, *far]
            body = replace(body, tags=(replace(near, rules=(*near.rules, *rules)), *far))
        return replace(portal, body=body, layouts=())


def without_place(portal: Portal) -> Portal:
    """The portal as if no rule said where the text is."""
    return replace(portal, body=replace(portal.body, root=None, within=None), layouts=())


def _pick(css: str) -> Picks:
    return Picks(alternatives=(Pick(css=Selector.parse(css), source=_SOURCE),))
