"""Further pages of an article: where `articles.next` leads, what a page says that is none of them, and signs that there are more."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from itertools import chain

from lxml.etree import _Element as Element

from webarticlecurator.config.pick_steps import LINKS
from webarticlecurator.config.portal import Portal
from webarticlecurator.extraction.pager_signs import REL_NEXT, labelled_links, pager_links, pages_apart, stated_counts
from webarticlecurator.extraction.picks import PageContext
from webarticlecurator.extraction.url_rules import cleaned
from webarticlecurator.model.links import IN_HEAD, PagerLink
from webarticlecurator.model.page import Page
from webarticlecurator.urls import host_allowed, normalise, same_page

_WORDS = re.compile(r"\w+")
_RELATED = (REL_NEXT, IN_HEAD)
_NUMBERS = re.compile(r"\d+")


def skip_reason(page: Page, portal: Portal) -> str | None:
    """Which selector of `articles.skip.when` says that the page is no article."""
    if page.tree is None:
        return None
    with page.budget:
        return next((f"articles.skip.when: {selector.text}" for selector in portal.articles.skip.when if selector.select(page.tree)), None)


def next_article_page(page: Page, portal: Portal, seen: Collection[str]) -> str | None:
    """Where `articles.next` leads: the first link that is on the portal's hosts, and no page of this article yet."""
    return next((url for url in unseen_links(page, portal, seen) if _is_on_the_portal(url, portal)), None)


def unseen_links(page: Page, portal: Portal, seen: Collection[str]) -> list[str]:
    """All that `articles.next` gives and that was not seen before, on whatever host."""
    if portal.articles.next is None:
        return []
    known = {normalise(url) for url in (*seen, page.url, page.requested_url)}
    found = portal.articles.next.find(PageContext.whole(page, portal), LINKS).values
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


def same_headline(page: Page, other: Page, portal: Portal) -> bool:
    """Whether nothing speaks against it that two pages, neither of which leads to the other, have one headline."""
    _, one = _declared(page, portal)
    _, headline = _declared(other, portal)
    return not (one and headline) or _is_same_title(one, headline)


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
    """`The bridge` and `The bridge - page 2` are one headline."""
    first, second = (f" {' '.join(_WORDS.findall(title.casefold()))} " for title in (one, other))
    return first in second or second in first


# --- signs of more ---


@dataclass(frozen=True, slots=True)
class GoesOn:
    """A sign of further pages."""

    text: str
    """What it is, for a sentence: `rel=next to https://...`."""
    links: tuple[Element, ...] = ()
    """All that seem to lead to further pages, the nearest first; none where the page only says how many there are."""


def goes_on(page: Page, article: str, seen: Collection[str]) -> GoesOn | None:
    """The strongest sign on a page of the article at that URL; `seen` are all its pages up to this one.

    A link counts only where its address is the article's own with a page's number, or below it: most links with `rel=next` lead to
    the next article. A count that says the number in the article's address, and not that of the page, is a list's: `/page/10/`.
    """
    labelled = list(labelled_links(page))
    known = {normalise(url) for url in (*seen, article)}
    shown = (link for link in pager_links(page, labelled) if link.is_sure and not link.leads_back and link.url not in known)
    further = [link for link in shown if _is_further(link, normalise(article), len(seen))]
    if further:
        further.sort(key=lambda link: link.number or 0)
        sign = further[0].text if further[0].text in _RELATED else f'a link "{further[0].text}"'
        return GoesOn(f"{sign} to {further[0].url}", tuple(element for link in further for element, url in labelled if url == link.url))
    own = _NUMBERS.findall(article)[-1:]
    said = (one for one in stated_counts(page) if one.items or one.here == len(seen) or own != [str(one.here)])
    counts = (one for one in said if len(seen) < one.total and (one.here or 0) < one.total)
    return next((GoesOn(f'it says "{one.text}"') for one in counts), None)


def _is_further(link: PagerLink, article: str, pages: int) -> bool:
    """The URL of a first page has no number, or 1, or 0 where items are counted: other numbers are those of articles.

    From 1 to 2 the next article may lie, too; there a number has to be written on the link.
    """
    start, number = pages_apart(article, link.url) or (1, 0)
    if link.number is None and _NUMBERS.sub("0", link.url) == _NUMBERS.sub("0", article):
        return False
    return (start <= 1 and (link.number or number) > pages) or (link.text in _RELATED and lies_below(link.url, article))
