"""Rows of page numbers, such as "1 2 [3] 4 ... 20": the page's own, and the link to the next one."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice, pairwise, takewhile

from lxml.etree import _Element as Element

from webarticlecurator.extraction.alike import by_make, held_in
from webarticlecurator.extraction.checks import Check
from webarticlecurator.extraction.pager_signs import address_of, is_year
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.selectors import identifier
from webarticlecurator.urls import pages_apart

_LEVELS_UP = 3
_MARKED = linear(r"(?:^|[^a-z])(?:current|active|selected|actual|aktiv|aktuell|actuel|here)", re.IGNORECASE)
_PLAIN_NAME = linear_at(r"[A-Za-z][A-Za-z_-]*")
_AROUND_NUMBERS = " \t\r\n[]()\u00a0"
_LONGEST_NUMBER = 6
_DAYS = 26
"""Numbers in a table that may be the days of a month."""
_SET_APART = ("b", "strong", "em", "span")
"""Elements in which pagers have the number of the page itself."""


@dataclass(frozen=True, slots=True)
class NumberInRow:
    """One number of a row."""

    number: int
    element: Element
    """The outermost element that holds nothing but the number."""
    link: Element | None
    url: str | None
    """Normalised."""


@dataclass(frozen=True, slots=True)
class NumberRow:
    """The numbers of one pager."""

    container: Element
    entries: tuple[NumberInRow, ...]
    current: NumberInRow
    """The one that shows itself to be the page's own."""

    @property
    def leads_on(self) -> Element | None:
        """The link to the next page."""
        linked = (entry for entry in self.entries if entry.url is not None)
        return next((entry.link for entry in linked if entry.number - 1 == self.current.number), None)


def number_rows(page: Page) -> tuple[NumberRow, ...]:
    """Return the rows of page numbers on a page that show which is its own, in its order."""
    rows = (RowOfNumbers(*row, page) for row in _by_container(list(_numbers(page))).items())
    pagers = (row for row in rows if all(check.holds(row) for check in SIGNS_OF_A_PAGER))
    with_current = ((row, _current(row)) for row in pagers)
    return tuple(
        NumberRow(row.container, tuple(row.entries), current)
        for row, current in with_current
        if current is not None
    )


def _numbers(page: Page) -> Iterator[NumberInRow]:
    """Give each number that an element holds and nothing else, with the link that it stands in."""
    outline = page.outline
    for written, owner in zip(outline.strings, outline.owners, strict=True):
        text, element = written.strip(_AROUND_NUMBERS), outline.elements[owner]
        is_number = text.isascii() and text.isdigit() and len(text) <= _LONGEST_NUMBER
        if is_number and not len(element) and element.tag != "option":
            link = _link_around(element)
            url = address_of(page, link.get("href", "")) if link is not None else None
            yield NumberInRow(int(text), element, link, url)


def _link_around(element: Element) -> Element | None:
    for around in (element, *islice(element.iterancestors(), 2)):
        if around.tag == "a" and around.get("href"):
            return around
    return None


def _by_container(numbers: Sequence[NumberInRow]) -> dict[Element, list[NumberInRow]]:
    """Return the numbers by the nearest element that holds more than one of them."""
    held = held_in((entry.element for entry in numbers), _LEVELS_UP)

    def container_of(entry: NumberInRow) -> Element | None:
        around = islice(entry.element.iterancestors(), _LEVELS_UP)
        return next((holder for holder in around if held[holder] > 1), None)

    rows = by_make(numbers, container_of)
    return {holder: entries for holder, entries in rows.items() if holder is not None}


# --- whether numbers are those of pages ---


@dataclass(frozen=True, slots=True)
class RowOfNumbers:
    """Numbers that stand together, and may be those of a pager."""

    container: Element
    entries: list[NumberInRow]
    page: Page

    @property
    def numbers(self) -> list[int]:
        return sorted({entry.number for entry in self.entries})

    @property
    def urls(self) -> list[str]:
        return [entry.url for entry in self.entries if entry.url is not None]


def _has_links(row: RowOfNumbers) -> bool:
    return bool(row.urls)


def _is_no_month(row: RowOfNumbers) -> bool:
    is_long = len(row.numbers) >= _DAYS
    return not (
        is_long and any(around.tag == "table" for around in (row.container, *row.container.iterancestors()))
    )


def _are_no_years(row: RowOfNumbers) -> bool:
    return not all(map(is_year, row.numbers))


def _have_an_address_each(row: RowOfNumbers) -> bool:
    return len(set(row.urls)) == len({entry.number for entry in row.entries if entry.url is not None})


def _differ_by_number(row: RowOfNumbers) -> bool:
    """Say whether most of their addresses differ from the one before in a number alone."""
    differing = [pages_apart(url, other) is not None for url, other in pairwise(dict.fromkeys(row.urls))]
    return 2 * sum(differing) >= len(differing)


SIGNS_OF_A_PAGER: tuple[Check[RowOfNumbers], ...] = (
    Check("some of them are links", _has_links),
    Check("they are not the days of a month", _is_no_month),
    Check("they are no years", _are_no_years),
    Check("each has an address of its own", _have_an_address_each),
    Check("their addresses differ in a number", _differ_by_number),
)
"""All must hold."""


# --- which of them is the page's own ---


def _current(row: RowOfNumbers) -> NumberInRow | None:
    """Return the number that alone passes the first test that any number alone passes."""
    looks = Counter(map(_look, row.entries))
    is_long = len(row.entries) > 2
    tests: tuple[Callable[[NumberInRow], bool], ...] = (
        _is_marked,
        lambda entry: entry.link is None,
        lambda entry: entry.url is not None and row.page.is_at(entry.url),
        lambda entry: is_long and looks[_look(entry)] == 1,
    )
    for test in tests:
        passing = list(filter(test, row.entries))
        if len({entry.number for entry in passing}) == 1:
            return passing[0]
    return None


def _is_marked(entry: NumberInRow) -> bool:
    """Say whether an attribute or a class tells that the number is the page's own."""
    holders = (entry.element, *islice(entry.element.iterancestors(), 1))
    return any(holder.get("aria-current") or _MARKED.search(holder.get("class", "")) for holder in holders)


def _look(entry: NumberInRow) -> tuple[str, ...]:
    """Return classes and tags by which a number may look otherwise than others."""
    around = entry.element.getparent()
    names = sorted(entry.element.get("class", "").split())
    return (*names, str(entry.element.tag), "" if around is None else str(around.tag))


def current_selectors(row: NumberRow) -> Iterator[str]:
    """Give what names the page's own number, and none of the others."""
    current = row.current
    others = [entry for entry in row.entries if entry.number != current.number]
    beside = {mark for mark, _ in chain.from_iterable(_marks_around(entry, row) for entry in others)}
    yield from (selector for mark, selector in _marks_around(current, row) if mark not in beside)


def _marks_around(entry: NumberInRow, row: NumberRow) -> Iterator[tuple[str, str]]:
    """Give the marks of all that holds a number within its row, each with the selector."""
    return chain.from_iterable(_marks(holder).items() for holder in _holders(entry, row))


def _marks(holder: Element) -> dict[str, str]:
    """Return by what a holder may be known, its classes or its tag, each with the selector."""
    names = filter(_PLAIN_NAME.fullmatch, holder.get("class", "").split())
    marks = {f".{name}": f"{holder.tag}.{identifier(name)}" for name in names}
    return marks | {str(holder.tag): str(holder.tag)} if holder.tag in _SET_APART else marks


def _holders(entry: NumberInRow, row: NumberRow) -> Iterator[Element]:
    """Give the elements around a number, within its row."""
    around = islice((entry.element, *entry.element.iterancestors()), _LEVELS_UP)
    return takewhile(lambda holder: holder is not row.container, around)
