"""What stored pages of a portal are learned from, and the finders that look at its articles."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.article_pages import next_article_page
from webarticlecurator.learning.bodies.find import find_bodies
from webarticlecurator.learning.bodies.known_texts import Truth
from webarticlecurator.learning.comments import find_comments
from webarticlecurator.learning.metadata import find_metadata
from webarticlecurator.learning.paging import find_article_paging
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page
from webarticlecurator.model.proposals import Learned
from webarticlecurator.urls import normalise

ARCHIVE, ARTICLES, METADATA = "archive", "articles", "metadata"
PARTS = (ARCHIVE, ARTICLES, METADATA)


@dataclass(frozen=True, slots=True, kw_only=True)
class PagesToLearnFrom:
    """Stored pages of a portal."""

    archive: Mapping[str, tuple[Page, ...]] = field(default_factory=dict)
    """By the name of their column, in the order of the walk."""
    walked: Mapping[str, int] = field(default_factory=dict)
    """Column that was walked to a proved or known end by the rules of the file -> archive pages that gave links on its longest walk."""
    articles: tuple[Page, ...] = ()
    listings: Mapping[str, Fields] = field(default_factory=dict)
    """What archive pages say of the articles, by URL."""
    truths: tuple[Truth, ...] = ()
    """What a person said of the texts of some articles."""
    confirmed: Mapping[str, Mapping[str, tuple[str, ...]]] = field(default_factory=dict)
    """And of their metadata, by URL and field."""


def _bodies(portal: Portal, pages: PagesToLearnFrom) -> Learned:
    return find_bodies(pages.articles, pages.truths, portal=portal, listings=pages.listings)


def _paging(portal: Portal, pages: PagesToLearnFrom) -> Learned:
    """Nothing, where `articles.next` of the file leads to the same pages."""
    proposals, following = find_article_paging(pages.articles, pages.listings)
    as_good = portal.articles.next is not None and all(
        _normal(next_article_page(page, portal, ())) == _normal(following.get(page.requested_url)) for page in pages.articles
    )
    return Learned(proposals=() if as_good else proposals)


def _metadata(portal: Portal, pages: PagesToLearnFrom) -> Learned:
    return find_metadata(pages.articles, portal, confirmed=pages.confirmed, listings=pages.listings)


def _normal(url: str | None) -> str | None:
    return None if url is None else normalise(url)


_FINDERS: Mapping[str, tuple[str, Callable[[Portal, PagesToLearnFrom], Learned]]] = {
    "bodies": (ARTICLES, _bodies),
    "further pages of articles": (ARTICLES, _paging),
    "metadata": (METADATA, _metadata),
    "comments": (METADATA, lambda portal, pages: find_comments(pages.articles, portal)),
}
"""What is looked for -> of which part it is, and who looks."""


def finders_of(parts: Sequence[str]) -> dict[str, Callable[[Portal, PagesToLearnFrom], Learned]]:
    """What is looked for in articles -> who looks."""
    return {what: find for what, (part, find) in _FINDERS.items() if part in parts}
