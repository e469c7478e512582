"""Rows of page numbers, "1 2 [3] 4 ... 20": which number is the page's own, and where the one after it leads."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.pager_signs import ARROWS, BACK_WORDS, YEARS, page_label
from webarticlecurator.learning.paging.addresses import apart
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import identifier
from webarticlecurator.text import short_text
from webarticlecurator.urls import bare_host, is_http, join, normalise

_MOST_NUMBERS = 5_000
"""Elements of a page that hold a number alone."""
_MOST_IN_ROW = 100
_LONGEST_TEXT = 40
_LEVELS_UP = 3
_MOST_DIGITS = 6
_CALENDAR = 26
"""So many numbers in one table are days."""
_MARKED = re.compile(r"(?:^|[^a-z])(?:current|active|selected|actual|aktiv|aktuell|actuel|here)", re.IGNORECASE)
_PLAIN_NAME = re.compile(r"[A-Za-z][A-Za-z_-]*")
_STRONG = frozenset(["b", "strong", "em", "span"])


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
        text = short_text(link, _LONGEST_TEXT)
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
