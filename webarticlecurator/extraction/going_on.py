"""Whether a page shows that its article goes on, for where no rule follows."""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from lxml.etree import _Element as Element

from webarticlecurator.extraction.article_pages import lies_below
from webarticlecurator.extraction.pager_signs import REL_NEXT, may_lead_on, page_links, pager_links, pages_apart, stated_counts
from webarticlecurator.model.links import IN_HEAD, PagerLink
from webarticlecurator.model.page import Page
from webarticlecurator.urls import normalise

_RELATED = (REL_NEXT, IN_HEAD)
_NUMBERS = re.compile(r"\d+")


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
    the next article.
    """
    labelled = list(page_links(page, of=may_lead_on))
    known = {normalise(url) for url in (*seen, article)}
    further = [link for link in pager_links(page, labelled) if link.url not in known and _is_further(link, normalise(article), len(seen))]
    if further:
        further.sort(key=lambda link: link.number or 0)
        sign = further[0].text if further[0].text in _RELATED else f'a link "{further[0].text}"'
        return GoesOn(f"{sign} to {further[0].url}", tuple(element for link in further for element, url in labelled if url == link.url))
    counts = (one for one in stated_counts(page) if len(seen) < one.total and (one.here or 0) < one.total)
    return next((GoesOn(f'it says "{one.text}"') for one in counts), None)


def _is_further(link: PagerLink, article: str, pages: int) -> bool:
    """The URL of a first page has no number, or 1, or 0 where items are counted: other numbers are those of articles.

    From 1 to 2 the next article may lie, too; there a number has to be written on the link.
    """
    start, number = pages_apart(article, link.url) or (1, 0)
    if link.number is None and _NUMBERS.sub("0", link.url) == _NUMBERS.sub("0", article):
        return False
    return (start <= 1 and (link.number or number) > pages) or (link.text in _RELATED and lies_below(link.url, article))
