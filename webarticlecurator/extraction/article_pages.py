"""The next page of a multi-page article: where `articles.next` leads, and what a page says that is none of it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from itertools import chain

from webarticlecurator.config.fields import Holds
from webarticlecurator.config.pick_steps import Wanted
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.picks import PageContext
from webarticlecurator.extraction.url_rules import cleaned
from webarticlecurator.model.page import Page
from webarticlecurator.urls import host_allowed, normalise, same_page

_LINKS = Wanted(many=True, holds=Holds.URL, link=True)
_WORDS = re.compile(r"\w+")


def next_article_page(page: Page, portal: Portal, seen: Collection[str]) -> str | None:
    """Where `articles.next` leads: the first link that is on the portal's hosts, and no page of this article yet."""
    return next((url for url in unseen_links(page, portal, seen) if _is_on_the_portal(url, portal)), None)


def unseen_links(page: Page, portal: Portal, seen: Collection[str]) -> list[str]:
    """All that `articles.next` gives and that was not seen before, on whatever host."""
    if portal.articles.next is None:
        return []
    known = {normalise(url) for url in (*seen, page.url, page.requested_url)}
    found = portal.articles.next.find(PageContext.whole(page, portal), _LINKS).values
    urls = (normalise(cleaned(one.text, portal.article_urls)) for one in found)
    return [url for url in urls if url not in known]


def _is_on_the_portal(url: str, portal: Portal) -> bool:
    further = chain(portal.article_urls.hosts, *(column.urls.hosts for column in portal.columns))
    return host_allowed(url, portal.hosts, further)


def another_article(page: Page, article: str, first_page: Callable[[], Page | None], portal: Portal) -> str | None:
    """What says that a page is not one more of the article at that URL: its canonical URL and its headline, both."""
    url, headline = _declared(page, portal)
    if not (url and headline) or _continues(url, article):
        return None
    first = first_page()
    own_url, own_headline = _declared(first, portal) if first is not None else ("", "")
    if not own_headline or _continues(url, own_url or article) or _is_same_title(headline, own_headline):
        return None
    return f"its canonical URL is {url}, and its headline {headline!r} instead of {own_headline!r}"


def _declared(page: Page, portal: Portal) -> tuple[str, str]:
    """Canonical URL and headline, by the portal's rules and what pages have in common; empty where there is none."""
    # Asked only of further pages: a crawl without them starts sooner.
    from webarticlecurator.extraction.layouts import rules_for
    from webarticlecurator.extraction.metadata import read_metadata

    metadata = read_metadata(page, portal, rules_for(page, portal, {}).metadata).metadata
    url, headline = (metadata[name][0].value if name in metadata else "" for name in ("url", "headline"))
    return url, headline


def lies_below(url: str, article: str) -> bool:
    """Whether an address is an article's own with something behind it."""
    return normalise(url).startswith(tuple(normalise(article).rstrip("/") + mark for mark in "/?&"))


def _continues(url: str, article: str) -> bool:
    """Whether a canonical URL is the article's own or lies below it: many portals let each page name itself."""
    return same_page(url, article) or lies_below(url, article)


def _is_same_title(one: str, other: str) -> bool:
    """ "The bridge" and "The bridge - page 2" are one headline."""
    first, second = (f" {' '.join(_WORDS.findall(title.casefold()))} " for title in (one, other))
    return first in second or second in first
