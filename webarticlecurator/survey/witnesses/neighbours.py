"""A witness that needs no request: the links of stored articles to the article before and the article after them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from datetime import date
from itertools import islice

from lxml.etree import _Element as Element

from webarticlecurator.document.page import Page
from webarticlecurator.extraction.metadata.url_clues import day_in_url
from webarticlecurator.survey.passing.question import StoredPage
from webarticlecurator.survey.passing.years import dates_in
from webarticlecurator.survey.witnesses.named import Named
from webarticlecurator.survey.witnesses.neighbour_words import names_a_neighbour, says_a_neighbour
from webarticlecurator.urls import is_http, join, normalise

_RELATIONS = frozenset({"prev", "previous", "next"})
_PIECES, _BEGINNING = 6, 60
"""Pieces and characters of a text in which it begins with "next article", whatever follows."""
_AROUND = 3
"""Elements around a link whose classes count."""
_MOST_LINKS = 6
"""In an element whose class speaks for all of them; what holds more is a list, or the next article itself."""
_ENDING = re.compile(r"/$|\.[a-z]{2,5}$", re.IGNORECASE)
_FURTHER = re.compile(
    r"(?:\.[a-z]{2,5})?(?:/.*|[?&;].*|[-_,.](?:[a-z]{1,6}[-_=]?)?\d{1,3}(?:\.[a-z]{2,5})?/?)?", re.IGNORECASE | re.ASCII | re.DOTALL
)
"""What follows an article's own address in that of a further page of it, or of its comments."""


def neighbours(page: Page) -> Iterator[str]:
    """The addresses that a page gives for the article before and after it, each once; its own further pages are none."""
    if page.tree is None:
        return
    own = {_ENDING.sub("", normalise(url)) for url in (page.url, page.requested_url)}
    for href in dict.fromkeys(_hrefs(page.tree)):
        url = join(page.base, href) if href.strip() else None
        if url is not None and is_http(url) and not _is_further_page(normalise(url), own):
            yield url


def own_addresses(page: Page) -> Iterator[str]:
    """By what names a page knows itself: where it was found, and the canonical ones."""
    yield page.url
    for element in page.tree.iter("link", "meta") if page.tree is not None else ():
        name = (element.get("rel") or element.get("property") or "").lower()
        href = element.get("href") or element.get("content") if name in ("canonical", "og:url") else None
        url = join(page.base, href) if href else None
        if url is not None and is_http(url):
            yield url


def _hrefs(tree: Element) -> Iterator[str]:
    for link in tree.iter("link", "a"):
        href = link.get("href")
        if href and (_RELATIONS.intersection((link.get("rel") or "").lower().split()) or (link.tag == "a" and _is_named_so(link))):
            yield href


def _is_named_so(link: Element) -> bool:
    if any(says_a_neighbour(text[:_BEGINNING]) for text in _texts(link) if text):
        return True
    element: Element | None = link
    for _ in range(1 + _AROUND):
        if element is None:
            return False
        if names_a_neighbour(element.get("class") or ""):
            return element is link or sum(1 for _ in element.iter("a")) <= _MOST_LINKS
        element = element.getparent()
    return False


def _texts(link: Element) -> Iterator[str]:
    """What a reader is told of a link: in it, by it, just before it."""
    yield _beginning(link)
    yield link.get("title") or link.get("aria-label") or ""
    before, around = link.getprevious(), link.getparent()
    if before is not None:
        yield (before.tail or "").strip() or _beginning(before)
    elif around is not None:
        yield around.text or ""


def _beginning(element: Element) -> str:
    return " ".join(map(str, islice(element.itertext(), _PIECES)))


def _is_further_page(url: str, own: Collection[str]) -> bool:
    return any(url.startswith(one) and _FURTHER.fullmatch(url, len(one)) for one in own)


class NeighbourQuestion:
    """What is asked of a pass."""

    def tally(self) -> NeighbourTally:
        """An empty one."""
        return NeighbourTally()


class NeighbourTally:
    """What some pages name, and by which addresses they know themselves."""

    def __init__(self) -> None:
        self.named: list[Named] = []
        self.own: list[str] = []

    def look(self, page: Page, stored: StoredPage) -> None:
        """Take in one page."""
        day = _day(page, stored)
        self.named += [Named(url, stored.url, day) for url in neighbours(page)]
        self.own += {url for url in own_addresses(page) if url != stored.url}

    def pass_over(self, stored: StoredPage, outcome: str, reason: str) -> None:
        """A captcha names nothing."""

    def join(self, other: NeighbourTally) -> None:
        """Take in what another process gathered."""
        self.named += other.named
        self.own += other.own


def _day(page: Page, stored: StoredPage) -> date | None:
    """When an article appeared, told cheaply."""
    seen = dates_in(page.tree) if page.tree is not None else ()
    for text in (*stored.listing.get("datePublished", ()), day_in_url(stored.url) or "", *seen):
        try:
            return date.fromisoformat(text[:10])
        except ValueError:
            continue
    return None
