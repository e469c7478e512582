"""Do several articles stand on a page, each marked up as one and with a headline that leads to a page of its own?"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.container import Container
from webarticlecurator.model.json_ld import local_name
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.model.page import Page
from webarticlecurator.text import element_text, squeeze
from webarticlecurator.urls import bare_host, join, normalise, other_spellings, without_fragment

_MARK = re.compile(r"(?:^|\s)h-?entry(?:\s|$)")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_TYPES, _PROPERTIES = ("itemtype", "typeof"), ("itemprop", "property")
_FEWEST, _HEADLINE, _MOST_OF_HEADLINE = 3, 15, 0.7
"""Articles of a listing, characters of a headline on average (names of authors have fewer), and the share of one that is the link."""
FURTHER_PAGE = r"/(?:index|lap|oldal|page|pagina|seite|sida|side|strana)[/-]?\d+(?:\.html?|/)?$"
"""The address of a list's next page, in a regular expression."""
_MOST_OF_ONE, _MOST_BESIDE, _LONGEST_BESIDE = 0.8, 0.1, 500
"""Share of the articles' text that is the longest one's; of the page's that stands in none of them, and its characters."""


def articles_elsewhere(page: Page, tree: Element, container: Container, metadata: Metadata) -> int:
    """Of how many articles with pages of their own this page's text is; 0 if one of them, or what is beside them, is the page's own."""
    own, host = _addresses(page, metadata), bare_host(page.url)
    known, addresses, articles, headlines = set[Element](), set[str](), set[Element](), 0
    for element in _marked(tree):
        if element in known:
            continue
        known.update(_marked(element))
        length, link = _headline(element)
        url = join(page.base, link, encoding=page.encoding) if link else None
        if url is None or bare_host(url) != host:
            continue
        address = normalise(without_fragment(url))
        if any(one.startswith(address) for one in own):  # it may be the second page of a long one
            return 0
        if "#" not in url:
            addresses.add(address)
            articles.add(element)
            headlines += length
    if not addresses or headlines < _HEADLINE * len(articles) or not _is_in(container, articles):
        return 0
    lengths = [_length(element) for element in articles]
    several = len(addresses) >= _FEWEST and max(lengths) <= _MOST_OF_ONE * sum(lengths)
    return len(articles) if several or re.search(FURTHER_PAGE, page.url) else 0


def _addresses(page: Page, metadata: Metadata) -> set[str]:
    """All that may be the page's own."""
    told = {normalise(url) for url in (page.url, page.requested_url, *(found.value for found in metadata.get("url", ())))}
    return told.union(*map(other_spellings, told))


def _marked(around: Element) -> Iterator[Element]:
    """Itself, if it is one, and those in it; an item of a list that has a heading is as good as marked."""
    for element in around.iter(etree.Element):
        names = element.get("class") or ""
        marked = element.tag == "article" or ("entry" in names and _MARK.search(names)) or any(map(_is_typed, map(element.get, _TYPES)))
        if marked or (element.tag == "li" and any(child.tag in _HEADINGS for child in element)):
            yield element


def _is_typed(types: str | None) -> bool:
    return types is not None and any(local_name(one).endswith(("Article", "BlogPosting")) for one in types.split())


def _headline(article: Element) -> tuple[int, str]:
    """How long its highest heading is, or what is marked up as its headline, and where it leads, if it is a link."""
    heading = min(article.iter(*_HEADINGS), key=lambda one: one.tag, default=None)
    if heading is None:
        heading = next((one for one in article.iter(etree.Element) if "headline" in map(one.get, _PROPERTIES)), None)
    if heading is None:
        return 0, ""
    length = _length(heading)
    around = heading.getparent()
    while around is not None and around is not article and around.tag != "a":
        around = around.getparent()
    if around is not None and around.tag == "a":
        return length, around.get("href") or ""
    link = next((one for one in heading.iter("a") if one.get("href")), None)
    return length, "" if link is None or _length(link) < _MOST_OF_HEADLINE * length else link.get("href") or ""


def _length(element: Element, without: Collection[Element] = ()) -> int:
    return len(squeeze(element_text(element, without=without)))


def _is_in(container: Container, articles: set[Element]) -> bool:
    """Whether the text that was found stands in these, but for a little."""
    furniture = frozenset(container.furniture)
    left_out, whole, beside = furniture | articles, 0, 0
    for element in container.elements:
        whole += _length(element, furniture)
        if element not in articles and articles.isdisjoint(element.iterancestors()):
            beside += _length(element, left_out)
    return beside <= min(_MOST_BESIDE * whole, _LONGEST_BESIDE)
