"""Does a list go on where no link leads: by the buttons, numbers, forms and scripts of its page?"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from itertools import chain, islice
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.pager_signs import (
    LEVELS,
    LONGEST_LABEL,
    MORE_PHRASES,
    NEXT_PHRASES,
    NEXT_WORDS,
    OTHER_BOX,
    PAGE_ADDRESS,
    names_of,
    page_label,
    pages_apart,
    plain_label,
    routes,
)
from webarticlecurator.model.page import Outline, Page
from webarticlecurator.text import squeeze
from webarticlecurator.urls import is_http, join, normalise

_SCRIPTED = re.compile(r"pag(?:e|in|er)", re.IGNORECASE)
_OF_PAGES = re.compile(r"(?:^|[^a-z])(?:p|pg|page|paged|pageno|oldal|lap|seite|pagina|strona|strana)(?![a-z])|pag(?:er|in)", re.IGNORECASE)
"""What a form calls its list of pages."""
_FOR_MORE = re.compile(r"(?:load|show|view)[-_]?more|more[-_]?(?:posts|articles|news|stories|results|items)", re.IGNORECASE)
_ON_CLICK = re.compile(r"onclick|(?:@|[\w-]+:)click(?:[.]\w+)*|[\w-]+-click")
"""Attributes by which frameworks have a script do something."""
_MORE_IN_DATA = re.compile(r'"has_?(?:more|next_?page|next)"\s*:\s*true', re.IGNORECASE)
_ENDLESS = re.compile(r"infinite[-_]?(?:ajax[-_]?)?scroll[\w.-]*", re.IGNORECASE)
_ARROW_ON = re.compile(r"(?:angle|arrow|caret|chevron|icon)s?[-_](?:\w+[-_])?right", re.IGNORECASE)
"""What the picture of an arrow is called."""
_FOR_SCRIPTS = etree.XPath(
    "//@hx-get | //@data-hx-get | //@data-next-url | //@data-next | //@data-next-page | //@data-url | //@data-href | //turbo-frame/@src"
)
"""Where scripts find the address of what they bring."""
_DAYS = 28
"""Numbers of a month, not of pages."""
_NOT_BELOW = frozenset({"aside", "footer", "header", "nav"})
_MOST_ADDRESSES = 100


def pages_by_script(page: Page) -> int:
    """How many pages a pager tells of whose numbers are no links, so that only scripts turn them; 0: there is none."""
    outline = page.outline
    for row in outline.rows("div", "nav", "ol", "p", "span", "ul"):
        element = outline.elements[row]
        name = f"{element.get('class') or ''} {element.get('aria-label') or ''}"
        is_pager = len(element) > 1 and _SCRIPTED.search(name) and not OTHER_BOX.search(name)
        if not is_pager or any(outline.elements[link].get("href") for link in outline.rows_in(row, "a")):
            continue
        if all(outline.tags[around] != "a" for around in outline.around(row)):
            parts = (outline.row_of[part] for part in element.iterchildren("*"))
            numbers = [number for part in parts if (number := page_label(outline.short_text(part, LONGEST_LABEL) or "")) is not None]
            if numbers[:2] == [1, 2]:
                return max(numbers)
    return 0


def more_by_script(page: Page, listed: Sequence[Element], *, is_dated: bool) -> int | str:
    """What tells that only scripts bring more than these links: pages of a pager or a form, or how a sign is written; 0: nothing.

    Many sites have the script that goes on without end on all pages, also on that of a day with one article.
    """
    if page.tree is None:
        return 0
    outline = page.outline
    last = max((outline.row_of[element] for element in listed if element in outline.row_of), default=len(outline.tags))
    counted = pages_by_script(page) or _pages_of_form(outline) or _numbers_below(outline, last)
    more = _button_below(outline, last) or _address_for_scripts(page) or _more_in_data(outline)
    return counted or more or ("" if is_dated else _endless(page)) or 0


def _pages_of_form(outline: Outline) -> int:
    """The highest number of a form's list of pages."""
    for row in outline.rows("select"):
        options = outline.rows_in(row, "option")
        numbers = [page_label(outline.short_text(option, LONGEST_LABEL) or "") for option in options]
        name = f"{outline.elements[row].get('name') or ''} {names_of(outline.elements[row])}"
        if len(numbers) > 1 and numbers[:2] == [1, 2] and all(numbers) and _OF_PAGES.search(name):
            return max(filter(None, numbers))
    return 0


def _numbers_below(outline: Outline, last: int) -> int:
    """The highest number of those below a list that somebody can click on, and that lead nowhere without a script."""
    numbers: list[int] = []
    for row in _rows_below(outline, last, "a", "button", "li", "span"):
        element = outline.elements[row]
        is_clicked = outline.tags[row] in ("a", "button") or "onclick" in element.attrib or "data-page" in element.attrib
        number = page_label(outline.short_text(row, LONGEST_LABEL) or "") if is_clicked and _leads_nowhere(element) else None
        if number is not None and number == (numbers[-1] + 1 if numbers else number) and (numbers or number in (1, 2)):
            numbers.append(number)
    return numbers[-1] if 2 in numbers and 1 < len(numbers) < _DAYS else 0


def _button_below(outline: Outline, last: int) -> str:
    """What is written on the first button below a list that says "more", sends a form on or shows an arrow; a link that leads somewhere is
    none."""
    for row in _rows_below(outline, last, "a", "button", "div", "input", "span"):
        element = outline.elements[row]
        is_named = _FOR_MORE.search(names_of(element)) is not None
        is_button = outline.tags[row] in ("a", "button") or element.get("role") == "button" or element.get("type") in ("button", "submit")
        is_button = is_button or any(_ON_CLICK.fullmatch(str(name)) for name in element.attrib)
        if not (is_named or is_button) or not _leads_nowhere(element):
            continue
        text = outline.short_text(row, LONGEST_LABEL) or element.get("value") or ""
        pictures = () if text else (element.get("aria-label"), element.get("title"), *(part.get("class") for part in element))
        arrow = next((said for said in pictures if said and (plain_label(said) in NEXT_PHRASES or _ARROW_ON.search(said))), "")
        if not (text or arrow):
            continue
        around, label = {outline.tags[holder] for holder in outline.around(row)}, plain_label(text)
        goes_on = "form" in around and (label in NEXT_WORDS or label in NEXT_PHRASES)
        is_beside = arrow and any(
            OTHER_BOX.search(names_of(outline.elements[holder])) for holder in (row, *islice(outline.around(row), LEVELS))
        )
        if (is_named or label in MORE_PHRASES or goes_on or (arrow and not is_beside)) and _NOT_BELOW.isdisjoint(around):
            return squeeze(text or arrow)
    return ""


def _rows_below(outline: Outline, last: int, *tags: str) -> list[int]:
    rows = outline.rows(*tags)
    return rows[bisect_right(rows, last) :]


def _leads_nowhere(element: Element) -> bool:
    return (element.get("href") or "#").startswith(("#", "javascript:"))


def _address_for_scripts(page: Page) -> str:
    """The address of the next page, where it stands for scripts alone: one of an application, or in an attribute of its own."""
    if route := next((route for route in routes(page) if (number := PAGE_ADDRESS.search(route)) and number[1] == "2"), ""):
        return route[:LONGEST_LABEL]
    own = normalise(page.url)
    written: Any = _FOR_SCRIPTS(page.tree)  # type: ignore[arg-type]
    for address in map(str, written[:_MOST_ADDRESSES]):
        url = join(page.base, address, encoding=page.encoding)
        apart = pages_apart(own, normalise(url)) if url is not None and is_http(url) else None
        if apart is not None and apart[1] == apart[0] + 1:
            return address[:LONGEST_LABEL]
    return ""


def _more_in_data(outline: Outline) -> str:
    """What the data of an application say: `"hasMore": true`."""
    scripts = (outline.elements[row] for row in outline.rows("script"))
    data = (script.text or "" for script in scripts if "json" in (script.get("type") or ""))
    return next((match[0] for text in data if (match := _MORE_IN_DATA.search(text)) is not None), "")


def _endless(page: Page) -> str:
    """The script that brings more as one scrolls, or the name of the element that it works on."""
    scripts = (page.outline.elements[row].get("src") or "" for row in page.outline.rows("script"))
    names = (names_of(page.outline.elements[row]) for row in page.outline.rows("div", "main", "ol", "section", "ul"))
    return next((match[0] for text in chain(scripts, names) if (match := _ENDLESS.search(text)) is not None), "")
