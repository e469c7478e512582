"""The links of a page with where they stand: in a menu, or beside it."""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator
from itertools import islice
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.labelling.element_names import PagePart, sure_part
from webarticlecurator.learning.links.addresses import is_file, is_of_list, only_sorts
from webarticlecurator.model.page import Outline, Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import bare_host

MOST_LINKS = 5_000
"""Links of one page that are looked at: menus stand at the beginning, and traps have no end."""
WHOLE_PAGE = ("body", "html")
"""Elements whose names say what stands on a page, and not what they are."""
_WORD = linear(r"[^\W\d_]+")
_SHORTEST_HEADLINE = 15
"""Characters."""
_FEWEST_WORDS = 3
"""Words of a headline."""


class PlacedLink(NamedTuple):
    """A link with where it stands."""

    row: int
    url: str
    in_menu: bool


def rows_in(outline: Outline, is_meant: Callable[[Element], bool]) -> set[int]:
    """Return the rows of the elements that are meant, and of all that is in them."""
    rows: set[int] = set()
    for row, element in enumerate(outline.elements):
        if row not in rows and element.tag not in WHOLE_PAGE and is_meant(element):
            rows.update(range(row, outline.ends[row]))
    return rows


def is_menu(element: Element) -> bool:
    """Say whether an element is a menu: it says nothing of a page, since all pages have it."""
    is_named = sure_part(element.get("class"), element.get("id")) is PagePart.NAVIGATION
    return element.tag in ("footer", "nav") or is_named


def placed_links(page: Page) -> Iterator[PlacedLink]:
    """Yield the links of a page."""
    menus = rows_in(page.outline, is_menu)
    for element, url in islice(page_links(page, page.outline.rows("a")), MOST_LINKS):
        row = page.outline.row_of[element]
        yield PlacedLink(row, url, row in menus)


def own_links(page: Page) -> Iterator[PlacedLink]:
    """Yield the links to other pages of its host."""
    host = bare_host(page.url)
    for link in placed_links(page):
        if bare_host(link.url) == host and not page.is_at(link.url):
            yield link


def menu_and_other_links(page: Page) -> tuple[set[str], set[str]]:
    """Return where the links in menus lead, and where all others do."""
    urls: tuple[set[str], set[str]] = (set(), set())
    for link in placed_links(page):
        urls[not link.in_menu].add(link.url)
    return urls


def probable_articles(page: Page, but: Container[str] = ()) -> list[str]:
    """Return the links of a page that are written like headlines, and whose addresses are no lists', in their
    order."""
    headlines = (link.url for link in own_links(page) if _is_headline(link, page))
    return [url for url in dict.fromkeys(headlines) if url not in but and _may_be_article(url, page)]


def _is_headline(link: PlacedLink, page: Page) -> bool:
    """Say whether a link stands in no menu, and has the words of a headline."""
    if link.in_menu:
        return False
    text = page.outline.short_text(link.row, 300) or ""
    return len(text) >= _SHORTEST_HEADLINE and len(_WORD.findall(text)) >= _FEWEST_WORDS


def _may_be_article(url: str, page: Page) -> bool:
    # a number that looks like a year may be an article's
    return not (only_sorts(url, page) or is_of_list(url) or is_file(url))
