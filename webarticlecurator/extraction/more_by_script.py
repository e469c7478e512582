"""Signs that a list goes on where no link leads: buttons, numbers, forms, addresses and data for scripts."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from itertools import chain, takewhile
from typing import Any, NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.buttons import Button
from webarticlecurator.extraction.pager_signs import (
    LONGEST_LABEL,
    OTHER_BOX,
    PAGE_ADDRESS,
    address_of,
    are_next,
    names_of,
    page_label,
    routes,
)
from webarticlecurator.extraction.picked_list import PickedList
from webarticlecurator.model.links import PagerLink
from webarticlecurator.model.page import Outline, Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import text_inside
from webarticlecurator.urls import normalise, page_numbers

_SCRIPTED = linear(r"pag(?:e|in|er)", re.IGNORECASE)
_OF_PAGES = linear(
    r"(?:^|[^a-z])(?:p|pg|page|paged|pageno|oldal|lap|seite|pagina|strona|strana)(?![a-z])|pag(?:er|in)",
    re.IGNORECASE,
)
"""Names that a form gives its list of pages."""
_MORE_IN_DATA = linear(r'"has_?(?:more|next_?page|next)"\s*:\s*true', re.IGNORECASE)
_ENDLESS = linear(r"infinite[-_]?(?:ajax[-_]?)?scroll[\w.-]*", re.IGNORECASE)
_FOR_SCRIPTS = etree.XPath(
    "//@hx-get | //@data-hx-get | //@data-next-url | //@data-next | //@data-next-page | //@data-url | "
    "//@data-href"
    " | //turbo-frame/@src | //form/@action"
)
"""Attributes in which scripts find addresses."""
_MOST_ADDRESSES = 100
_DAYS = 28
"""Numbers that may be the days of a month."""


def more_by_script(shown: ShownList) -> int | str:
    """Return a sign that only scripts bring more than the picked links; 0 where there is none.

    It is the number of pages of a pager or a form, or the sign as it is written.
    """
    for sign in SIGNS:
        written = sign(shown)
        if written:
            return written
    return 0


class ShownList(NamedTuple):
    """The list of a page with its buttons."""

    page: Page
    picked: PickedList
    all_buttons: list[Button]
    """The buttons of the page."""
    buttons: list[Button]
    """The buttons below the list that may bring more of it."""
    is_dated: bool
    """True if its address says of which day it is."""


def pages_by_script(page: Page) -> int:
    """Return how many pages a pager tells of whose numbers are no links, so that only scripts turn them.

    0: there is none.
    """
    outline = page.outline
    pagers = (
        row
        for row in outline.rows("div", "nav", "ol", "p", "span", "ul")
        if _is_pager_of_script(outline, row)
    )
    parts = (map(outline.row_of.__getitem__, outline.elements[row].iterchildren("*")) for row in pagers)
    return _highest_number(outline, parts)


def _highest_number(outline: Outline, pagers: Iterable[Iterable[int]]) -> int:
    """Return the highest number of the first of these pagers that begins with 1 and 2; 0 where none does."""
    for parts in pagers:
        labels = (page_label(outline.label(row, LONGEST_LABEL)) for row in parts)
        numbers = [number for number in labels if number is not None]
        if numbers[:2] == [1, 2]:
            return max(numbers)
    return 0


def _is_pager_of_script(outline: Outline, row: int) -> bool:
    """Say whether an element is called a pager, and holds no links."""
    element = outline.elements[row]
    name = f"{element.get('class', '')} {element.get('aria-label', '')}"
    if not _SCRIPTED.search(name) or OTHER_BOX.search(name):
        return False
    return not any(outline.elements[link].get("href") for link in outline.rows_in(row, "a"))


def _pages_of_form(outline: Outline) -> int:
    """Return the highest number of a form's list of pages."""
    lists = (row for row in outline.rows("select") if _is_list_of_pages(outline.elements[row]))
    return _highest_number(outline, (outline.rows_in(row, "option") for row in lists))


def _is_list_of_pages(choices: Element) -> bool:
    return _OF_PAGES.search(f"{choices.get('name', '')} {names_of(choices)}") is not None


def _numbers_below(shown: ShownList) -> int:
    """Return the highest number below a list that can be clicked on, and leads nowhere without a script."""
    labels = (page_label(button.shown) for button in shown.all_buttons if button.row >= shown.picked.end)
    below = set(filter(None, labels))
    first = min(below, default=0)
    run = list(takewhile(below.__contains__, range(first, first + _DAYS)))
    return run[-1] if first in (1, 2) and 1 < len(run) < _DAYS else 0


def _said_in_data(page: Page) -> str:
    """Return what the data of an application say: `"hasMore": true`."""
    scripts = (script for script in page.outline.named("script") if "json" in script.get("type", ""))
    return _first_match(_MORE_IN_DATA, map(text_inside, scripts))


def _endless_scroll(page: Page) -> str:
    """Return the name of the script that brings more as one scrolls, or of the element that it works on."""
    scripts = (script.get("src", "") for script in page.outline.named("script"))
    names = map(names_of, page.outline.named("div", "main", "ol", "section", "ul"))
    return _first_match(_ENDLESS, chain(scripts, names))


def _first_match(pattern: re.Pattern[str], texts: Iterable[str]) -> str:
    """Return what a pattern finds in the first of these texts in which it finds anything."""
    matches = filter(None, map(pattern.search, texts))
    return next((match[0] for match in matches), "")


def _address_for_scripts(page: Page) -> str:
    """Return the address of the next page, where it stands for scripts alone.

    It is one of an application, or stands in an attribute of its own.
    """
    addresses = filter(None, map(PAGE_ADDRESS.search, routes(page)))
    of_application = (number.string[:LONGEST_LABEL] for number in addresses if number[1] == "2")
    in_attributes = (link.text for link in pages_for_scripts(page) if are_next(link.numbers))
    return next(chain(of_application, in_attributes), "")


def _text_of_button(shown: ShownList) -> str:
    return next((button.text for button in shown.buttons), "")


def _script_without_end(shown: ShownList) -> str:
    """Return the name of a script that brings more as one scrolls.

    Many sites have it on all pages, also on that of a day with one article: of dated lists that is no sign.
    """
    return "" if shown.is_dated else _endless_scroll(shown.page)


SIGNS: tuple[Callable[[ShownList], int | str], ...] = (
    lambda shown: pages_by_script(shown.page),
    lambda shown: _pages_of_form(shown.page.outline),
    _numbers_below,
    lambda shown: _address_for_scripts(shown.page),
    _text_of_button,
    lambda shown: _said_in_data(shown.page),
    _script_without_end,
)
"""The surest first."""


def pages_for_scripts(page: Page) -> Iterator[PagerLink]:
    """Give later pages of a list whose addresses stand in attributes that only scripts read, or in a form."""
    page_url = normalise(page.url)
    written: Any = _FOR_SCRIPTS(page.tree) if page.tree is not None else ()
    for address in map(str, written[:_MOST_ADDRESSES]):
        url = address_of(page, address) or page_url
        numbers = page_numbers(page_url, url)
        if numbers[0] < numbers[1]:
            yield PagerLink(url=url, text=address[:LONGEST_LABEL], continues=True, numbers=numbers)
