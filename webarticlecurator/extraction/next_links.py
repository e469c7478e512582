"""Which link of a page seems to lead to the next one, by all that speaks for it: rel, words, arrows, classes, numbers, addresses.

A row of page numbers, "1 2 [3] 4 ... 20", says which number is the page's own, and where the one after it leads.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import islice, pairwise

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.pager_signs import (
    ARROWS,
    BACK_WORDS,
    NEXT_PHRASES,
    NEXT_WORDS,
    PAGE_WORD,
    YEARS,
    is_next,
    page_label,
    page_links,
    pages_apart,
)
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import identifier
from webarticlecurator.text import short_text, without_accents
from webarticlecurator.urls import bare_host, drop_params, is_http, join, normalise, split_path

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
OF_PAGE = re.compile(rf"(?:(?<![^\W\d_]){PAGE_WORD}[=/_-]|[?&](?:p|pg|paged|pn|seite)=)(?P<page>\d{{1,6}})(?!\d)", re.IGNORECASE)
_OF_VISIT = ("*[Hh]ash*", "*[Tt]oken*", "[Ss][Ii][Dd]", "*[Ss]ession*")
"""Parameters that are another one for each address or each visitor."""
_MOST_NUMBERS = 5_000
"""Elements of a page that hold a number alone."""
_MOST_IN_ROW = 100
_LEVELS_UP = 3
_MOST_DIGITS = 6
_CALENDAR = 26
"""So many numbers in one table are days."""
_MARKED = re.compile(r"(?:^|[^a-z])(?:current|active|selected|actual|aktiv|aktuell|actuel|here)", re.IGNORECASE)
_PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z_-]*")
_STRONG = frozenset(["b", "strong", "em", "span"])


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


class _Judge:
    """Of the links of one page, some of which stand in rows of numbers."""

    def __init__(self, page: Page, rows: list[NumberRow], of_article: bool) -> None:
        self._own, self._of_article = normalise(page.requested_url), of_article
        self._in_rows = {link: row for row in rows for link in (*(entry.link for entry in row.entries), row.beyond) if link is not None}

    def row_of(self, element: Element) -> NumberRow | None:
        return self._in_rows.get(element)

    def may_lead_on(self, element: Element) -> bool:
        if element.tag == "link":
            return is_next(element)
        return (
            is_next(element)
            or element in self._in_rows
            or _says_something(element)
            or _classes_say(element) > 0
            or page_number(f"/{element.get('href')}") is not None
        )

    def weight(self, element: Element, url: str) -> float:
        if bare_host(url) != bare_host(self._own) or (self._of_article and _COMMENTS.search(url[8:])):
            return 0.0
        if (row := self.row_of(element)) is not None:
            # of a row of numbers only the one after the page's own leads on
            return 1.8 if element is row.leads_on else 0.0
        said = max((_said(label) or 0.0 for label in _labels(element)), key=abs, default=0.0)
        if said < 0 or (self._of_article and any(map(_names_an_article, _labels(element)))):
            return 0.0
        address, classes = self._address_says(url), _classes_say(element)
        if address is None:
            # most links that say "next" lead to another article
            address = -9.0 if self._of_article else -0.3 if says_next(element.get("class") or "") else -0.8
        elif address > 1:
            classes = max(0.0, classes)
        return said + (2.0 if is_next(element) else 0.0) + classes + address

    def _address_says(self, url: str) -> float | None:
        """None: it has nothing to do with the page's own."""
        numbers = apart(self._own, url)
        if numbers is not None and numbers[0] != numbers[1] and not (self._of_article and not _numbers_pages(self._own, url, numbers)):
            own, other = numbers
            return (1.5 if page_number(url) is not None else 1.2) if other == own + 1 else 0.6 if other > own else -3.0
        if self._of_article:
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


# --- numbers of pages ---


def apart(own: str, other: str) -> tuple[int, int] | None:
    """The two numbers, where two normalised addresses are one but for a page's number, and for what is made up for each of them."""
    numbers = pages_apart(own, other)
    if numbers is None and "?" in own + other:
        return pages_apart(drop_params(own, _OF_VISIT), drop_params(other, _OF_VISIT))
    return numbers


def page_number(url: str) -> int | None:
    """The number that an address calls that of a page."""
    match = OF_PAGE.search(url)
    return int(match["page"]) if match is not None else None


# --- rows of page numbers ---


@dataclass(frozen=True, slots=True)
class PageNumberElement:
    """One number of a row."""

    number: int
    element: Element
    """That holds nothing else."""
    link: Element | None
    url: str | None
    """Normalised."""


@dataclass(frozen=True, slots=True)
class NumberRow:
    """The numbers of one pager."""

    container: Element
    entries: tuple[PageNumberElement, ...]
    current: PageNumberElement | None
    """The one that shows itself to be the page's own."""
    own: int | None
    """The page's own number, by that or by its address."""
    descending: bool = False
    """The address without a number has the highest: the newest entries stand there, and page 1 is the last."""

    @property
    def following(self) -> PageNumberElement | None:
        """The number after the page's own, where it is a link."""
        if self.own is None:
            return None
        wanted = self.own + (-1 if self.descending else 1)
        return next((one for one in self.entries if one.number == wanted and one.url is not None), None)

    beyond: Element | None = None
    """Behind the last of the numbers that are shown: the link to the next ones."""

    @property
    def highest(self) -> int:
        return max(one.number for one in self.entries)

    @property
    def leads_on(self) -> Element | None:
        """The link to the next page."""
        following = self.following
        return following.link if following is not None else self.beyond if self.own == self.highest else None


def number_rows(page: Page) -> tuple[NumberRow, ...]:
    """The rows of page numbers on a page, in its order."""
    if page.tree is None:
        return ()
    by_container: dict[Element, list[PageNumberElement]] = {}
    numbers = list(islice(_numbers(page), _MOST_NUMBERS))
    counted: dict[Element, int] = {}
    for one in numbers:
        for around in _around(one.element):
            counted[around] = counted.get(around, 0) + 1
    for one in numbers:
        container = next((around for around in _around(one.element) if counted[around] > 1), None)
        if container is not None:
            by_container.setdefault(container, []).append(one)
    return tuple(_row(container, entries, page) for container, entries in by_container.items() if _is_pager(container, entries, page))


def _around(element: Element) -> Iterable[Element]:
    return islice(element.iterancestors(), _LEVELS_UP)


def _numbers(page: Page) -> Iterator[PageNumberElement]:
    assert page.tree is not None
    for element in page.tree.iter(etree.Element):
        text = (element.text or "").strip(" \t\r\n[]()\u00a0")
        if (
            len(element)
            or not text.isascii()
            or not text.isdigit()
            or len(text) > _MOST_DIGITS
            or element.tag in ("option", "script", "style")
        ):
            continue
        link = next((one for one in (element, *islice(element.iterancestors(), 2)) if one.tag == "a" and one.get("href")), None)
        url = join(page.base, link.get("href") or "", encoding=page.encoding) if link is not None else None
        yield PageNumberElement(int(text), element, link, normalise(url) if url is not None and is_http(url) else None)


def _is_pager(container: Element, entries: list[PageNumberElement], page: Page) -> bool:
    """Numbers that follow one another, and links to the page's own host."""
    numbers = sorted({one.number for one in entries})
    in_table = len(numbers) >= _CALENDAR and any(one.tag == "table" for one in (container, *container.iterancestors()))
    links = [one for one in entries if one.url is not None]
    return (
        bool(links)
        and not in_table
        and any(other <= one + 2 for one, other in pairwise(numbers))  # the page's own may be no element
        and not all(number in YEARS for number in numbers)
        and all(bare_host(one.url or "") == bare_host(page.url) for one in links)
        and len({one.url for one in links}) == len({one.number for one in links})
        and _differ_in_a_number([one.url or "" for one in links])
    )


def _differ_in_a_number(urls: list[str]) -> bool:
    differing = [apart(one, other) is not None for one, other in pairwise(dict.fromkeys(urls))]
    return 2 * sum(differing) >= len(differing)


def _row(container: Element, entries: list[PageNumberElement], page: Page) -> NumberRow:
    current = _current(entries, page)
    here = normalise(page.requested_url)
    linked = [(one.number, numbers) for one in entries if one.url not in (None, here) and (numbers := apart(here, one.url or ""))]
    by_address = {own for number, (own, other) in linked if number == other}
    own = current.number if current is not None else by_address.pop() if len(by_address) == 1 else None
    highest = max(one.number for one in entries)
    others = {other for _, (_, other) in linked}
    descending = own == highest > 1 and bool(linked) and all(own_number <= 1 for _, (own_number, _) in linked) and 1 in others
    beyond = None if descending else next(_leading_beyond(container, entries, page), None)
    return NumberRow(container, tuple(entries), current, own, descending, beyond)


def _leading_beyond(container: Element, entries: list[PageNumberElement], page: Page) -> Iterator[Element]:
    """A link with words on it whose address follows that of the highest number."""
    linked = sorted({one.number: one.url for one in entries if one.url is not None}.items())
    steps = {numbers[1] - numbers[0] for (_, one), (_, other) in pairwise(linked) if (numbers := apart(one or "", other or ""))}
    highest = linked[-1][1] or ""
    for link in islice(container.iter("a"), _MOST_IN_ROW) if len(steps) == 1 else ():
        text = short_text(link, _LONGEST_LABEL)
        url = join(page.base, link.get("href") or "", encoding=page.encoding)
        if text and url is not None and page_label(text) is None and text.strip(ARROWS).casefold() not in BACK_WORDS:
            numbers = apart(highest, normalise(url))
            if numbers is not None and numbers[1] - numbers[0] in steps:
                yield link


def _current(entries: list[PageNumberElement], page: Page) -> PageNumberElement | None:
    """Said by its mark; else the one without a link, or with one to the page itself; else the one that looks otherwise."""
    tests: tuple[Callable[[PageNumberElement], bool], ...] = (
        _is_marked,
        lambda one: one.link is None,
        lambda one: one.url is not None and page.is_at(one.url),
        _odd_one(entries),
    )
    for test in tests:
        found = [one for one in entries if test(one)]
        if len({one.number for one in found}) == 1:
            return found[0]
    return None


def _is_marked(one: PageNumberElement) -> bool:
    holders = [one.element, *islice(one.element.iterancestors(), 1)]
    return any(holder.get("aria-current") or _MARKED.search(holder.get("class") or "") for holder in holders)


def _odd_one(entries: list[PageNumberElement]) -> Callable[[PageNumberElement], bool]:
    looks = Counter(map(_look, entries))
    return lambda one: looks[_look(one)] == 1 and len(entries) > 2


def _look(one: PageNumberElement) -> tuple[str, ...]:
    around = one.element.getparent()
    return (*sorted((one.element.get("class") or "").split()), str(one.element.tag), "" if around is None else str(around.tag))


def current_selectors(row: NumberRow) -> Iterator[str]:
    """What names the page's own number, and none of the others."""
    if row.current is None:
        return
    others = [one for one in row.entries if one.number != row.current.number]
    for holder, depth in zip((row.current.element, *row.current.element.iterancestors()), range(3), strict=False):
        if holder is row.container:
            return
        outer = [_levels_up(one.element, depth) for one in others]
        for name in filter(_PLAIN_NAME.fullmatch, (holder.get("class") or "").split()):
            if not any(one is not None and name in (one.get("class") or "").split() for one in outer):
                yield f"{holder.tag}.{identifier(name)}"
        if holder.tag in _STRONG and not any(one is not None and one.tag == holder.tag for one in outer):
            yield str(holder.tag)


def _levels_up(element: Element, levels: int) -> Element | None:
    return next(islice((element, *element.iterancestors()), levels, None), None)
