"""How long is a listing, by what its page says?

"2 / 20", "Pages (7)", "1-20 of 213", "57 articles", a total in a header, in JSON or in an attribute.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Any, NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.dates.cldr import fold
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.json_neighbours import about_list
from webarticlecurator.extraction.pager_signs import (
    DIGIT,
    LONGEST_LABEL,
    MOST_IN_PAGER,
    OTHER_BOX,
    THINGS,
    is_called_pager,
    is_year,
    names_of,
)
from webarticlecurator.extraction.picked_list import PickedList
from webarticlecurator.model.links import Stated
from webarticlecurator.model.page import Outline, Page, type_names
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import short_text, whole_number
from webarticlecurator.urls import PAGE_WORD

OF = r"(?:/|(?:out\s+)?of|von|sur|de|di|van|z|ze|din|av|af|iz|od|из|от|από|з|із)"
"""What stands between a number and the number that it is a part of."""
_PAGES_TEXT = linear_at(
    rf"(?:{PAGE_WORD}:?\s*)?(\d{{1,6}})\.?\s*(?:{PAGE_WORD}\s*)?{OF}\s*(\d{{1,6}})\.?\s*(?:{PAGE_WORD})?",
    re.IGNORECASE,
)
_PAGES_IN_BRACKETS = linear_at(rf"{PAGE_WORD}\s*\((\d{{1,4}})\)\W*", re.IGNORECASE)
_NUMBER = r"(?:\d{1,3}(?:[.,  ]\d{3})+|\d{1,7})"
_ITEMS_TEXT = linear_at(
    rf"\D{{0,25}}({_NUMBER})\s*(?:[-–—]|to|bis)\s*({_NUMBER})\s*{OF}\s*(?:about\s+)?({_NUMBER})\D{{0,25}}",
    re.IGNORECASE,
)
_COUNTS_OF_THINGS = (
    linear_at(
        rf"(?:displaying|showing|viewing)\s+(?P<shown>{_NUMBER})\s*{OF}\s*(?P<total>{_NUMBER})",
        re.IGNORECASE,
    ),
    linear_at(
        rf"(?:\D{{0,20}}\W)?(?:(?P<shown>{_NUMBER})\s*{OF}\s*)?(?P<total>{_NUMBER})\s+"
        r"(?P<thing>[^\W\d_]+)(?:\s+[^\W\d_]+){0,2}\W*",
        re.IGNORECASE,
    ),
    linear_at(rf"(?P<thing>[^\W\d_]+)\s*[:(]\s*(?P<total>{_NUMBER})\W*"),
)
"""How many things there are, perhaps with how many of them are shown."""
NUMBER_OF_NUMBER = linear(rf"\d\.?\s*(?:{PAGE_WORD}\s*)?{OF}\s*(?:about\s+)?\d", re.IGNORECASE)
"""Every count that a page writes into its text has this in it, but for "Pages (7)"."""
_LONGEST_ENDING, _SHORTEST_STEM = 3, 4
_LONGEST_STATED, _LONGEST_BESIDE = 60, 100
_MOST_NUMBERS = 3
"""In a count beside a pager: the page's own, that of the pages, that of the articles."""
_JSON_PAGES = linear_at(r"(?:total|num|nb|max)_?pages|page_?count|last_?page|pages", re.IGNORECASE)
_JSON_ITEMS = linear(
    r"(?:total|(?:total|num|nb)_?(?:count|items|results|records|elements|hits|found|posts|articles|entries))"
    r"|records_?total|count|found|hits",
    re.IGNORECASE,
)
"""Some programs count so what this page has: that is never more than the walk sees."""
_JSON_FILTERED = linear(r"filter(?:ed)?_?(?:count|total|items|results)|records_?filtered", re.IGNORECASE)
"""Beside it others count more than was asked for."""
_JSON_MORE = linear_at(r"(?:has_?)?(?:more|next|continue|(is_?last))(?:_?page)?(?:_?(?:token|cursor))?", re.IGNORECASE)
_COUNTS_OF_PAGES = etree.XPath("//@data-total-pages | //@data-page-count | //@data-last-page | //@data-max-pages | //@data-pages")
_COUNT_OF_ITEMS = linear_at(r"data-(?:\w+-)?total(?:-?(?:count|items|posts|results|entries|articles|records))?|data-found")
"""Attributes in which a list, or what brings more of it, has the number of all its items."""
_HEADERS = {"x-wp-totalpages": False, "x-wp-total": True}
"""Which say a total, and whether it is one of articles."""
_RANGE = linear_at(r"content-range:\s+\w+ \d+-\d+/(\d+)", re.IGNORECASE)


def stated_counts(page: Page) -> tuple[Stated, ...]:
    """Return what the page says of the length of its listing; nothing where it says two different things."""
    written = set(filter(None, map(_stated, _texts_with_numbers(page.outline))))
    alone = [stated for stated in written if sum(other.items == stated.items for other in written) == 1]
    return tuple(dict.fromkeys((*_stated_for_programs(page), *sorted(alone, key=lambda stated: stated.text))))


def counts_of_articles(page: Page) -> tuple[Stated, ...]:
    """Return how many articles there are by a page that says "10 of 57 articles" or "57 articles".

    If it says two numbers, return nothing.
    """
    counts: dict[int, Stated] = {}
    # "News (28)" in a list of sections counts those of one of them
    texts = _texts_with_numbers(page.outline, without_links=True)
    for count in filter(None, map(_count_of_things, texts)):
        if count.total not in counts or not count.guessed:
            counts[count.total] = count
    return tuple(counts.values()) if len(counts) == 1 else ()


def _count_of_things(text: str) -> Stated | None:
    """Return the number of things that lists have; where it stands alone, it may be that of another list."""
    for written in filter(None, (pattern.fullmatch(text) for pattern in _COUNTS_OF_THINGS)):
        parts = written.groupdict()
        if "thing" not in parts or _is_thing(parts["thing"]):
            is_guessed = parts.get("shown") is None
            return Stated(text, None, _number(parts["total"]), items=True, guessed=is_guessed)
    return None


def _is_thing(word: str) -> bool:
    """Say whether it is one of those that lists have, with whatever ending: "Beiträgen"."""
    word = fold(word)
    longest = min(_LONGEST_ENDING, len(word) - _SHORTEST_STEM)
    stems = (word[:-ending] for ending in range(1, longest + 1))
    return not THINGS.isdisjoint((word, *stems))


def _number(written: str) -> int:
    """Return a number without what parts its thousands."""
    return int("".join(filter(str.isdigit, written)))


# --- for programs ---


def _stated_for_programs(page: Page) -> Iterator[Stated]:
    """Give what stands in the headers of an answer, and in one of JSON."""
    yield from filter(None, (_in_header(name, value) for name, value in page.headers))
    beside = list(about_list(page.json))
    is_filtered = any(_JSON_FILTERED.fullmatch(name) for name, _ in beside)
    of_items = _JSON_FILTERED if is_filtered else _JSON_ITEMS
    yield from filter(None, (_in_json(name, value, of_items) for name, value in beside))


def _in_header(name: str, value: str) -> Stated | None:
    items = _HEADERS.get(name.lower())
    total = whole_number(value.strip()) if items is not None else None
    if total is not None:
        return Stated(f"{name}: {total}", None, total, items=bool(items))
    part = _RANGE.fullmatch(f"{name}: {value}".strip())
    if part is not None:
        return Stated(f"{name}: {value}", None, int(part[1]), items=True, guessed=True, for_programs=True)
    return None


def _in_json(name: str, value: Any, of_items: re.Pattern[str]) -> Stated | None:
    total = _whole(value)
    if total is not None:
        if _JSON_PAGES.fullmatch(name):
            return Stated(f"{name}: {total}", None, total)
        if of_items.fullmatch(name):
            return Stated(f"{name}: {total}", None, total, items=True, guessed=True, for_programs=True)
    more = _JSON_MORE.fullmatch(name)
    if more is None or not _leads_on(value, names_last=bool(more[1])):
        return None
    shown = "{...}" if isinstance(value, (dict, list)) else json.dumps(value)[:LONGEST_LABEL]
    return Stated(f"{name}: {shown}", 1, 2, guessed=True)  # how many more there are, nobody says


def _whole(value: Any) -> int | None:
    """Return a number in JSON, be it written as a text; `true` is none."""
    if type(value) is int:
        return value
    return whole_number(value) if isinstance(value, str) else None


def _leads_on(value: Any, *, names_last: bool) -> bool:
    """Say whether a value means that there are more pages.

    `names_last`: it says of this page that it is the last.
    """
    if names_last:
        return value is False
    return any(value.values()) if isinstance(value, dict) else bool(value)


# --- in texts ---


def _texts_with_numbers(outline: Outline, *, without_links: bool = False) -> Iterator[str]:
    """Give texts that may be counts: each stands in an element that holds nothing else, its numbers perhaps in elements of their own."""
    rows: dict[int, None] = {}
    for string, row in zip(outline.strings, outline.owners, strict=True):
        is_short = len(string) < _LONGEST_STATED and DIGIT.search(string) is not None
        if is_short and outline.tags[row] not in ("a", "option", "time"):
            rows[row] = None
            if string.strip().isdigit() and row:
                rows[outline.parents[row]] = None
    kept = [row for row in rows if not (without_links and outline.rows_in(row, "a"))]
    yield from filter(None, (outline.short_text(row, _LONGEST_STATED) for row in kept))


def _stated(text: str) -> Stated | None:
    """Return a count of pages, or of items with the numbers of those that stand here."""
    if items := _ITEMS_TEXT.fullmatch(text):
        first, last, total = map(_number, items.groups())
        return Stated(text, last, total, items=True) if first <= last <= total else None
    if pages := _PAGES_TEXT.fullmatch(text):
        here, total = int(pages[1]), int(pages[2])
        return Stated(text, here, total) if 0 < here <= total else None
    in_brackets = _PAGES_IN_BRACKETS.fullmatch(text)
    return Stated(text, None, int(in_brackets[1])) if in_brackets is not None else None


# --- beside a pager, and around the list ---


def counts_by_pager(page: Page) -> tuple[Stated, ...]:
    """Return counts in or beside a pager, in any language, and those written for scripts.

    Such as "10. oldal, összesen 10 (142 bejegyzés)".
    """
    if page.tree is None:
        return ()
    return _by_text(chain(_attributes_of_pages(page.tree), _items_in_json_ld(page), _beside_pagers(page.outline)))


def _by_text(stated: Iterable[Stated]) -> tuple[Stated, ...]:
    """Return the first of those that are written alike."""
    counts: dict[str, Stated] = {}
    for count in stated:
        counts.setdefault(count.text, count)
    return tuple(counts.values())


def _attributes_of_pages(tree: Element) -> Iterator[Stated]:
    values: list[Any] = _COUNTS_OF_PAGES(tree)  # type: ignore[assignment]  # texts of attributes
    for value in values:
        total = whole_number(value)
        if total is not None:
            yield Stated(f"{value.attrname}={total}", None, total)


def _items_in_json_ld(page: Page) -> Iterator[Stated]:
    for thing in page.json_ld_objects:
        total = thing.get("numberOfItems")
        if "ItemList" in type_names(thing) and type(total) is int:
            yield Stated(f"numberOfItems: {total}", None, total, items=True, guessed=True)


def _beside_pagers(outline: Outline) -> Iterator[Stated]:
    for row in outline.rows("div", "nav", "p", "section", "span", "td", "ul"):
        links = _links_of_pager(outline, row)
        if links is None:
            continue
        pager = outline.elements[row]
        own = short_text(pager, _LONGEST_BESIDE, [outline.elements[link] for link in links])
        texts = filter(None, (own, *_texts_next_to(pager)))
        yield from filter(None, (_counted_in(text, has_links=bool(links)) for text in texts))


def _links_of_pager(outline: Outline, row: int) -> list[int] | None:
    """Return the links and forms in an element that is called a pager; None where it is none."""
    name = names_of(outline.elements[row])
    if not is_called_pager(name) or OTHER_BOX.search(name):
        return None
    links = outline.rows_in(row, "a", "select")
    return links if len(links) <= MOST_IN_PAGER else None


def _texts_next_to(pager: Element) -> Iterator[str | None]:
    """Give the texts of the elements before and behind it that hold no links; None where they are long."""
    for element in (pager.getprevious(), pager.getnext()):
        if element is not None and element.find(".//a") is None:
            yield short_text(element, _LONGEST_BESIDE)


def _counted_in(text: str, *, has_links: bool) -> Stated | None:
    """Return the last of up to three numbers, if it is the largest.

    A single one may be that of a page, or a year.
    """
    stated = _stated(text)
    if stated is not None or not any(map(str.isalpha, text)):
        return stated if has_links else None
    numbers = list(map(_number, linear(_NUMBER).findall(text)))
    if first_reason(_NO_COUNT, _Numbers(numbers, has_links)):
        return None
    here = numbers[0] if len(numbers) > 1 else None
    return Stated(text, here, numbers[-1], guessed=True)


class _Numbers(NamedTuple):
    """The numbers in a text in a pager, or beside one."""

    numbers: list[int]
    has_links: bool
    """There are links in the pager."""


_NO_COUNT: tuple[Check[_Numbers], ...] = (
    Check("it has no number", lambda text: not text.numbers),
    Check("it has too many", lambda text: len(text.numbers) > _MOST_NUMBERS),
    Check("the last one is not the largest", lambda text: text.numbers != sorted(text.numbers)),
    Check("it may end in a year", lambda text: len(text.numbers) < _MOST_NUMBERS and is_year(text.numbers[-1])),
    Check("a number alone may be anything", lambda text: len(text.numbers) == 1 and not text.has_links),
)
"""Why the numbers in a text are no count of the pages or the articles of a list."""


def counts_around_list(picked: PickedList, buttons: Iterable[int]) -> tuple[Stated, ...]:
    """Return totals in attributes of what holds the list or stands next to it, and of these rows of buttons below it."""
    if not picked.links:
        return ()
    rows = (*picked.holders, *picked.beside, *buttons)
    return _by_text(chain.from_iterable(_totals_in_attributes(picked.outline.elements[row]) for row in rows))


def _totals_in_attributes(element: Element) -> Iterator[Stated]:
    for name, value in zip(map(str, element.attrib), map(str, element.attrib.values()), strict=True):
        total = whole_number(value) if _COUNT_OF_ITEMS.fullmatch(name) else None
        if total is not None:
            yield Stated(f"{name}={total}", None, total, items=True, guessed=True, for_programs=True)
