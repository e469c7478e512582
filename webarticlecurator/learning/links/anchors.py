"""The links of archive pages, and how likely each address is that of an article: seen on one page alone, with a long text, like a title."""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice, takewhile

from lxml.etree import _Element as Element

from webarticlecurator.extraction.lookalikes import is_box
from webarticlecurator.extraction.pager_signs import page_links, pager_links
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.labelling.names import PagePart, link_kind, role_of
from webarticlecurator.learning.element_selectors import HEADINGS
from webarticlecurator.learning.page_sizes import MOST_LINKS
from webarticlecurator.model.page import Page
from webarticlecurator.text import short_text
from webarticlecurator.urls import split_path

MOST_WORDS = 6
"""Of the text of a link; more say nothing more."""
_LONGEST_TEXT = 200
_MENUS = frozenset({"footer", "nav"})
_WORD_JOINTS = re.compile(r"[-_+]|%20")
_DATED = re.compile(r"/(?:19|20)\d\d(?:[/-]?[01]\d)?(?:[/-]|$)")
_PERIOD = re.compile(r"/(?:19|20)\d\d(?:[-/.]?(?:0?[1-9]|1[0-2])(?:[-/.]\d\d?)?)?(?:\.html?|/)?$")
"""Nothing but a year, a month or a day is the list of what came out then."""
_MEDIA = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|avif|ico|css|js|json|xml|pdf|mp[34]|zip)$", re.IGNORECASE)
_DIGITS = re.compile(r"\d{3,}")
_OF_ARCHIVE, _OF_LIST = 0.05, 0.4
"""How likely a link to a page of an archive leads to an article, or one to the list of an author's or a topic's."""
_WORDS_OF_TITLE = 3
_LONGEST_ITEM, _SHORTEST_EXCERPT = 600, 40
_LEVELS_OF_PLACE = 20
_HEADING_LEVELS = 3


@dataclass(frozen=True, slots=True, eq=False)
class Anchor:
    """A link on one of the pages."""

    page: int
    url: str
    number: int
    """Of the address on this page: links with the same one count once."""
    element: Element
    words: int
    in_box: bool
    """In a menu, a sidebar or the like."""
    is_heading: bool
    is_rich: bool = False
    """Its item says more than the link: an excerpt, a date, a name."""
    place: str = ""
    """What the list around its item is called, with all that is around that."""


@dataclass(frozen=True, slots=True)
class Address:
    """An address on one of the pages."""

    page: int
    url: str
    shape: str
    likely: float
    """How likely an article's, 0 to 1."""


@dataclass(frozen=True, slots=True)
class LinksOfPages:
    """The links of all pages; `addresses` by the numbers that the anchors have."""

    pages: int
    anchors: tuple[Anchor, ...]
    addresses: tuple[Address, ...]
    roots: tuple[Element | None, ...] = ()
    """Of the pages' trees."""


class Addresses:
    """The addresses on the pages, as they are met; `others`: of each page those that lead to further archive pages."""

    def __init__(
        self, pages: Sequence[Page], article_at: Callable[[str, Page], str | None], others: Sequence[Collection[str]] | None = None
    ) -> None:
        self._pages = pages
        self._others = others or [()] * len(pages)
        self._article_at = article_at
        self._numbers: dict[tuple[int, str], int] = {}
        self._words: dict[str, int] = {}
        self._known: dict[tuple[int, str], str | None] = {}

    def number(self, page: int, link: str, words: int) -> tuple[int, str] | None:
        """Of a link to what may be an article, and its address; None for one to the page itself, or that the portal's rules refuse."""
        if (page, link) not in self._known:
            own = self._pages[page].is_at(link)
            self._known[page, link] = None if own else self._article_at(link, self._pages[page])
        url = self._known[page, link]
        if url is None:
            return None
        self._words[url] = max(self._words.get(url, 0), words)
        return self._numbers.setdefault((page, url), len(self._numbers)), url

    def all(self) -> tuple[Address, ...]:
        """By their numbers."""
        seen_on = Counter(url for _, url in self._numbers)
        likely = {url: round(self._novelty(count) * self._look(url), 6) for url, count in seen_on.items()}
        return tuple(self._address(page, url, likely[url]) for page, url in self._numbers)

    def _address(self, page: int, url: str, likely: float) -> Address:
        likely *= _OF_ARCHIVE if url in self._others[page] or any(one.is_at(url) for one in self._pages) else 1
        return Address(page, url, url_shape(url, sections=False), likely)

    def _look(self, url: str) -> float:
        look = 0.15 + 0.4 * self._words[url] / MOST_WORDS + 0.45 * looks_like_article(url)
        return look * _OF_LIST if link_kind(url) is not None or _PERIOD.search(split_path(url)[0]) else look

    def _novelty(self, count: int) -> float:
        """What stands on all archive pages is the menu; what stands on one alone is what that page lists."""
        return 1.0 if len(self._pages) < 2 else 1 - 0.6 * (count - 1) / (len(self._pages) - 1)


def links_of_pages(pages: Sequence[Page], article_at: Callable[[str, Page], str | None]) -> LinksOfPages:
    """Of HTML pages."""
    links = [list(islice(_links(page), MOST_LINKS)) for page in pages]
    pagers = [{link.url for link in pager_links(page, of_page) if link.is_sure} for page, of_page in zip(pages, links, strict=True)]
    addresses = Addresses(pages, article_at, pagers)
    anchors: list[Anchor] = []
    for at, of_page in enumerate(links):
        own: list[Anchor] = []
        for element, link in of_page:
            found = addresses.number(at, link, words := _words(element))
            if found is not None:
                number, url = found
                own.append(Anchor(at, url, number, element, words, _is_in_box(element), _is_heading(element)))
        anchors += _with_items(own)
    return LinksOfPages(len(pages), tuple(anchors), addresses.all(), tuple(page.tree for page in pages))


def _links(page: Page) -> Iterator[tuple[Element, str]]:
    return ((element, link) for element, link in page_links(page) if element.tag == "a")


def _with_items(anchors: Sequence[Anchor]) -> Iterator[Anchor]:
    """Each with what its item says: the largest element around it that has no link elsewhere which may be an article's."""
    held: dict[Element, str] = {}
    for anchor in anchors:
        if anchor.words >= _WORDS_OF_TITLE:
            for one in anchor.element.iterancestors():
                held[one] = anchor.url if held.get(one, anchor.url) == anchor.url else ""
    for anchor in anchors:
        holds_no_other = partial(_holds, held, anchor.url)
        item = deque(takewhile(holds_no_other, anchor.element.iterancestors()), maxlen=1)
        whole = item[0] if item else anchor.element
        yield replace(anchor, is_rich=bool(item) and _says_more(whole, anchor.element), place=_place(whole))


def _holds(held: Mapping[Element, str], url: str, element: Element) -> bool:
    return held.get(element, url) == url


def _place(item: Element) -> str:
    return " ".join(
        f"{one.tag}.{one.get('class') or one.get('id') or ''}"
        for one in islice(item.iterancestors(), _LEVELS_OF_PLACE)
        if one.tag not in ("body", "html")
    )


def _says_more(item: Element, link: Element) -> bool:
    whole, own = short_text(item, _LONGEST_ITEM), short_text(link, _LONGEST_TEXT)
    return whole is None or len(whole) - len(own or "") > _SHORTEST_EXCERPT


def looks_like_article(url: str) -> float:
    """What an address says of itself, 0 to 1: articles have titles, numbers and dates in it; sections, topics and authors do not."""
    path, query = split_path(url)
    if link_kind(url) is not None or _MEDIA.search(path) or _PERIOD.search(path):
        return 0.0
    last = path.rstrip("/").rpartition("/")[2]
    words = len(_WORD_JOINTS.split(last))
    points = 0.5 * min(max(words - 1, 0), 4) / 4
    points += 0.2 * (_DIGITS.search(path) is not None or _DIGITS.search(query) is not None)
    points += 0.15 * (_DATED.search(path) is not None)
    points += 0.15 * min(len(path), 60) / 60
    return points


def _words(element: Element) -> int:
    text = short_text(element, _LONGEST_TEXT)
    return MOST_WORDS if text is None else min(len(text.split()), MOST_WORDS)


def _is_in_box(element: Element) -> bool:
    """The names of the whole page's element say what else stands on it, not what the link is."""
    return any(one.tag not in ("body", "html") and is_box(one) for one in (element, *element.iterancestors()))


def is_in_menu(element: Element) -> bool:
    """What stands there says nothing of a page, since all pages have it."""
    return any(one.tag not in ("body", "html") and _is_menu(one) for one in (element, *element.iterancestors()))


def _is_menu(element: Element) -> bool:
    role = role_of(element.get("class"), element.get("id"))
    return element.tag in _MENUS or (role is not None and role.part is PagePart.NAVIGATION and role.certain)


def _is_heading(element: Element) -> bool:
    """A heading around it, or in it."""
    around = zip(element.iterancestors(), range(_HEADING_LEVELS), strict=False)
    return any(one.tag in HEADINGS for one, _ in around) or next(element.iter(*HEADINGS), None) is not None
