"""Which link of a page seems to lead to the next one, by all that speaks for it: rel, words, arrows, classes, numbers, addresses."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice

from lxml.etree import _Element as Element

from webarticlecurator.extraction.pager_signs import (
    ARROWS,
    BACK_WORDS,
    NEXT_PHRASES,
    NEXT_WORDS,
    PAGE_WORD,
    is_next,
    page_label,
    page_links,
)
from webarticlecurator.learning.paging.addresses import apart, page_number
from webarticlecurator.learning.paging.pager_numbers import NumberRow, number_rows
from webarticlecurator.model.page import Page
from webarticlecurator.text import short_text, without_accents
from webarticlecurator.urls import bare_host, normalise, split_path

MOST_LINKS = 3_000
"""Links of a page that may lead on and are judged; of a page with more, what follows is not looked at."""
ENOUGH = 1.3
"""What speaks for a link together, for it to count."""
_LONGEST_LABEL = 60
_LABEL_ATTRIBUTES = ("aria-label", "title")
_FORWARD, _BACKWARD = frozenset(">»›→►▸❯➔➜⟩↓"), frozenset("<«‹←◄◂❮⟨")
_WORD = re.compile(r"[^\W\d_]+")
_COUNT = re.compile(r"(?<=\w) \d{1,3}$")
"""Of what follows: "next 20"."""
_LONGEST_CLASS = 200
_PAGE_WORD = re.compile(rf"\b{PAGE_WORD}", re.IGNORECASE)
_ARTICLE_WORD = re.compile(
    r"\b(?:articles?|post|story|entry|artikel|beitrag|meldung|cikk|hír|bejegyzés|írás|poszt|articolo|notizia|artículo|noticia|entrada|artigo|"
    r"notícia|artykuł|wpis|článek|článok|příspěvek|príspevok|articol|știre|artikkel|artikkeli|innlegg|inlägg|indlæg|nyhet|nyhed|članak|vijest|"
    r"vest|članek|novica|статья|новость|стаття|новина|статия|άρθρο|haber|yazı|makale|uudis|raksts|straipsnis|bericht)\b",
    re.IGNORECASE,
)
_COMMENTS = re.compile(r"comment|reply|print|share|login|mailto", re.IGNORECASE)
_FORWARD_CLASSES = frozenset(["next", "older", "loadmore", "nextpage", "nextpostslink", "pagernext", "showmore", "readmore", "forward"])
_BACKWARD_CLASSES = frozenset(["prev", "previous", "newer", "back", "first"])
_WEAK_CLASSES = frozenset(["right", "more", "last"])
_PAGER_CLASSES = frozenset(
    ["pager", "pagination", "paging", "paginator", "pages", "lapozo", "pagenav", "navigation", "nextprev", "infinity"]
)


@dataclass(frozen=True, slots=True)
class NextLink:
    """A link that seems to lead to the next page."""

    element: Element
    url: str
    """Normalised."""
    weight: float
    in_head: bool = False
    """No reader sees it; some software writes it on the last page, too."""
    row: NumberRow | None = None
    """The row of numbers that it stands in."""


def next_links(page: Page, *, of_article: bool = False, descending: bool = False) -> tuple[NextLink, ...]:
    """All that may lead to the next page, the likeliest first.

    `of_article`: to the next page of the same article; `descending`: numbers are known to be counted down.
    """
    if page.tree is None:
        return ()
    rows = [replace(row, descending=row.descending or descending) for row in number_rows(page) if row.own is not None]
    judge = _Judge(page, rows, of_article)
    found: list[NextLink] = []
    links = ((element, url) for element, url in page_links(page, of=judge.may_lead_on) if not page.is_at(url))
    for place, (element, url) in enumerate(islice(links, MOST_LINKS)):
        weight = judge.weight(element, url)
        if weight >= ENOUGH:
            found.append(NextLink(element, url, round(weight - place / 1e6, 6), element.tag == "link", judge.row_of(element)))
    return tuple(sorted(found, key=lambda one: -one.weight))


@dataclass(slots=True)
class _Judge:
    page: Page
    rows: list[NumberRow]
    of_article: bool
    _own: str = ""
    _of_rows: dict[Element, tuple[NumberRow, bool]] | None = None

    def __post_init__(self) -> None:
        self._own = normalise(self.page.requested_url)
        self._of_rows = {}
        for row in self.rows:
            leads_on = row.leads_on
            for link in (*(one.link for one in row.entries), row.beyond):
                if link is not None:
                    self._of_rows[link] = (row, link is leads_on)

    def row_of(self, element: Element) -> NumberRow | None:
        found = (self._of_rows or {}).get(element)
        return found[0] if found is not None else None

    def may_lead_on(self, element: Element) -> bool:
        if element.tag == "link":
            return is_next(element)
        return (
            is_next(element)
            or element in (self._of_rows or {})
            or _says_something(element)
            or _classes_say(element) > 0
            or page_number(f"/{element.get('href')}") is not None
        )

    def weight(self, element: Element, url: str) -> float:
        if bare_host(url) != bare_host(self._own) or (self.of_article and _COMMENTS.search(url[8:])):
            return 0.0
        in_row = (self._of_rows or {}).get(element)
        if in_row is not None:
            # of a row of numbers only the one after the page's own leads on
            return 1.8 if in_row[1] else 0.0
        said = max((_said(label) or 0.0 for label in _labels(element)), key=abs, default=0.0)
        if said < 0 or (self.of_article and any(map(_names_an_article, _labels(element)))):
            return 0.0
        address, classes = self._address_says(url), _classes_say(element)
        if address is None:
            # most links that say "next" lead to another article
            address = -9.0 if self.of_article else -0.3 if says_next(element.get("class") or "") else -0.8
        elif address > 1:
            classes = max(0.0, classes)
        return said + (2.0 if is_next(element) else 0.0) + classes + address

    def _address_says(self, url: str) -> float | None:
        """None: it has nothing to do with the page's own."""
        numbers = apart(self._own, url)
        if numbers is not None and numbers[0] != numbers[1] and not (self.of_article and not _numbers_pages(self._own, url, numbers)):
            own, other = numbers
            return (1.5 if page_number(url) is not None else 1.2) if other == own + 1 else 0.6 if other > own else -3.0
        if self.of_article:
            return 0.6 if _lies_below(url, self._own) else None
        # the first page may have an address of its own kind
        is_second = page_number(url) == 2 and page_number(self._own) is None
        return 0.3 if is_second or split_path(url)[0] == split_path(self._own)[0] else None


def _lies_below(url: str, own: str) -> bool:
    base = own.split("?")[0].rstrip("/")
    return url.startswith(tuple(base + mark for mark in "/?&"))


def _numbers_pages(own: str, url: str, numbers: tuple[int, int]) -> bool:
    """Whether the number in which two addresses differ may be that of a page: of articles they are usually large."""
    return numbers[0] < 1000 and (numbers[0] > 1 or _lies_below(url, own) or url.rpartition(".")[0].startswith(own.rpartition(".")[0]))


def _says_something(element: Element) -> bool:
    return any(_said(label) is not None for label in _labels(element))


def _names_an_article(label: str) -> bool:
    """Whether the link says that it leads to another one: "next article"; "next page of the article" leads to a page."""
    return _ARTICLE_WORD.search(label) is not None and _PAGE_WORD.search(label) is None


def _labels(element: Element) -> Iterator[str]:
    """What a reader sees or hears of a link."""
    text = short_text(element, _LONGEST_LABEL)
    if text:
        yield text
    for name in _LABEL_ATTRIBUTES:
        if label := element.get(name):
            yield label[:_LONGEST_LABEL]
    for picture in islice(element.iter("img"), 2):
        if label := picture.get("alt") or picture.get("title"):
            yield label[:_LONGEST_LABEL]


@lru_cache(maxsize=8192)
def _said(label: str) -> float | None:
    """How much a label says that the next page follows; below 0: the one before; None: nothing."""
    word = _COUNT.sub("", label.strip(ARROWS).casefold())
    marks = {mark for mark in label if mark in _FORWARD or mark in _BACKWARD}
    if word in NEXT_PHRASES:
        return 1.7
    if word in NEXT_WORDS:
        return 1.2
    if word in BACK_WORDS:
        return -2.0
    if not word and marks:
        doubled = sum(mark in _FORWARD for mark in label) > 1 or "»" in marks
        return -2.0 if marks & _BACKWARD else 0.8 if doubled else 1.0
    if page_label(word) is not None:
        return 0.2
    if word and any(part in _FOLDED_NEXT for part in map(_fold, _WORD.findall(word))):
        return 0.4 if not marks & _BACKWARD else None
    return None


@lru_cache(maxsize=8192)
def _fold(word: str) -> str:
    """Without accents: so words stand in classes."""
    return without_accents(word.casefold())


_FOLDED_NEXT = frozenset(map(_fold, NEXT_WORDS))
_FOLDED_BACK = frozenset(_fold(word) for word in BACK_WORDS if " " not in word)


def _classes_say(element: Element) -> float:
    """What its classes and id say, and those of what it stands in."""
    said = 0.0
    for depth, holder in enumerate((element, *islice(element.iterancestors(), 2))):
        share = 1.0 if depth == 0 else 0.7
        said += share * _names_say(" ".join((holder.get("class") or "", holder.get("id") or ""))[:_LONGEST_CLASS])
    return max(-0.6, min(said, 1.2))


@lru_cache(maxsize=8192)
def _names_say(names: str) -> float:
    words = [_fold(word) for word in _WORD.findall(re.sub(r"([a-z])([A-Z])", r"\1 \2", names).replace("_", " "))]
    if any(word in _BACKWARD_CLASSES or word in _FOLDED_BACK for word in words):
        return -0.6
    if any(word in _FORWARD_CLASSES or word in _FOLDED_NEXT for word in words):
        return 0.9
    weak = 0.3 * any(word in _WEAK_CLASSES for word in words)
    return weak + 0.4 * any(word in _PAGER_CLASSES for word in words)


def says_next(names: str) -> bool:
    """Whether classes or an id say that the next page follows."""
    return _names_say(names) >= 0.9


def names_pager(names: str) -> bool:
    """Whether classes or an id say that a pager stands there."""
    return any(_fold(word) in _PAGER_CLASSES for word in _WORD.findall(names.replace("_", " ")))


def shows_way_back(page: Page) -> bool:
    """Whether readers are shown a link to an earlier page of the listing."""
    own = normalise(page.requested_url)
    shown = islice(page_links(page, of=lambda element: element.tag == "a" and _says_something(element)), MOST_LINKS)
    return any(numbers is not None and numbers[1] < numbers[0] for numbers in (apart(own, url) for _, url in shown))
