"""The links of archive pages, and how likely each address is that of an article: seen on one page alone, with a long text, like a title."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from lxml.etree import _Element as Element

from webarticlecurator.extraction.metadata.class_hints import link_kind
from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.labelling.names import PagePart, role_of
from webarticlecurator.model.page import Page
from webarticlecurator.text import short_text
from webarticlecurator.urls import split_path

MOST_ANCHORS, MOST_IN_ALL = 1_500, 6_000
"""Links of a page, and of all pages, that rules are made from; what follows is found by them all the same."""
MOST_WORDS = 6
"""Of the text of a link; more say nothing more."""
_LONGEST_TEXT = 200
_BOXES = frozenset({"aside", "footer", "nav"})
_BOX_PARTS = frozenset(
    {PagePart.ADVERTISEMENT, PagePart.COMMENTS, PagePart.NAVIGATION, PagePart.NEWSLETTER, PagePart.RELATED, PagePart.SHARE}
)
_WORD_JOINTS = re.compile(r"[-_+]|%20")
_DATED = re.compile(r"/(?:19|20)\d\d(?:[/-]?[01]\d)?(?:[/-]|$)")
_MEDIA = re.compile(r"\.(?:jpe?g|png|gif|webp|svg|avif|ico|css|js|json|xml|pdf|mp[34]|zip)$", re.IGNORECASE)
_DIGITS = re.compile(r"\d{3,}")
HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
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
    cut: int
    """Pages with more links than are looked at."""


class Addresses:
    """The addresses on the pages, as they are met."""

    def __init__(self, pages: Sequence[Page], article_at: Callable[[str, Page], str | None]) -> None:
        self._pages = pages
        self._article_at = article_at
        self._numbers: dict[tuple[int, str], int] = {}
        self._words: dict[str, int] = {}
        self._known: dict[tuple[int, str], str | None] = {}

    def number(self, page: int, link: str, words: int) -> tuple[int, str] | None:
        """Of a link to what may be an article, and its address; None for one to the page itself, or that the portal's rules refuse."""
        if (page, link) not in self._known:
            self._known[page, link] = None if self._pages[page].is_at(link) else self._article_at(link, self._pages[page])
        url = self._known[page, link]
        if url is None:
            return None
        self._words[url] = max(self._words.get(url, 0), words)
        return self._numbers.setdefault((page, url), len(self._numbers)), url

    def all(self) -> tuple[Address, ...]:
        """By their numbers."""
        seen_on = Counter(url for _, url in self._numbers)
        likely = {url: round(self._novelty(count) * self._look(url), 6) for url, count in seen_on.items()}
        return tuple(Address(page, url, url_shape(url, sections=False), likely[url]) for page, url in self._numbers)

    def _look(self, url: str) -> float:
        return 0.15 + 0.4 * self._words[url] / MOST_WORDS + 0.45 * looks_like_article(url)

    def _novelty(self, count: int) -> float:
        """What stands on all archive pages is the menu; what stands on one alone is what that page lists."""
        return 1.0 if len(self._pages) < 2 else 1 - 0.6 * (count - 1) / (len(self._pages) - 1)


def links_of_pages(pages: Sequence[Page], article_at: Callable[[str, Page], str | None]) -> LinksOfPages:
    """Of HTML pages."""
    anchors: list[Anchor] = []
    addresses = Addresses(pages, article_at)
    most, cut = min(MOST_ANCHORS, MOST_IN_ALL // max(len(pages), 1)), 0
    for at, page in enumerate(pages):
        links = ((element, link) for element, link in page_links(page) if element.tag == "a")
        for element, link in islice(links, most):
            found = addresses.number(at, link, words := _words(element))
            if found is not None:
                number, url = found
                anchors.append(Anchor(at, url, number, element, words, _is_in_box(element), _is_heading(element)))
        cut += next(links, None) is not None
    return LinksOfPages(len(pages), tuple(anchors), addresses.all(), cut)


def looks_like_article(url: str) -> float:
    """What an address says of itself, 0 to 1: articles have titles, numbers and dates in it; sections, topics and authors do not."""
    path, query = split_path(url)
    if link_kind(url) is not None or _MEDIA.search(path):
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


def _is_heading(element: Element) -> bool:
    """A heading around it, or in it."""
    around = zip(element.iterancestors(), range(_HEADING_LEVELS), strict=False)
    return any(one.tag in HEADINGS for one, _ in around) or next(element.iter(*HEADINGS), None) is not None


def is_box(element: Element) -> bool:
    if element.tag in _BOXES:
        return True
    role = role_of(element.get("class"), element.get("id"))
    return role is not None and role.certain and role.part in _BOX_PARTS
