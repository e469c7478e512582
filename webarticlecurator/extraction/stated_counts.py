"""Counts that a page states of its list or of its own pages, and which bytes may hold one.

"2 / 20", "Pages (7)", "1-20 of 213", "57 articles", a total in a header, in JSON or in an attribute.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from operator import attrgetter
from typing import Any, NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.dates.cldr import fold
from webarticlecurator.extraction.alike import first_of_each
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.json_neighbours import about_list
from webarticlecurator.extraction.pager_links import NamesAround
from webarticlecurator.extraction.pager_signs import (
    DIGIT,
    LONGEST_LABEL,
    OTHER_BOX,
    THINGS,
    is_year,
)
from webarticlecurator.extraction.picked_list import PickedList
from webarticlecurator.model.links import Stated
from webarticlecurator.model.page import Outline, Page, type_names
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import short_text, squeeze
from webarticlecurator.urls import PAGE_WORD

_OF = r"(?:/|(?:out\s+)?of|von|sur|de|di|van|z|ze|din|av|af|iz|od|из|от|από|з|із)"
"""Words between a number and the number that it is a part of, in a regular expression."""
_NUMBER = r"(?:\d{1,3}(?:[.,  ]\d{3})+|\d{1,7})"
"""A number, perhaps with its thousands parted, in a regular expression."""
_DIGIT = linear(r"\d")
_NOT_ZERO = r"(?!0+(?!\d))"
"""Stands before a number that is more than 0, in a regular expression."""
_VALUE = r":\s*\"?(\d{1,18})\"?\s*"
"""A number that stands behind its name, in a regular expression."""


class Writing(NamedTuple):
    """A way to write a count.

    Each group of the pattern is a number, in the order of first item, page or last item, total; but for
    `thing`.
    """

    pattern: re.Pattern[str]
    items: bool = False
    """True if it counts articles, not pages."""
    guessed: bool = False
    """True if it may count something else."""
    for_programs: bool = False
    """True if no reader sees it."""


_IN_TEXTS = (
    Writing(
        linear_at(
            rf"\D{{0,25}}({_NUMBER})\s*(?:[-–—]|to|bis)\s*({_NUMBER})\s*{_OF}\s*(?:about\s+)?({_NUMBER})\D{{0,25}}",
            re.IGNORECASE,
        ),
        items=True,
    ),
    Writing(
        linear_at(
            rf"(?:{PAGE_WORD}:?\s*)?{_NOT_ZERO}(\d{{1,6}})\.?\s*(?:{PAGE_WORD}\s*)?{_OF}\s*(\d{{1,6}})\.?\s*"
            rf"(?:{PAGE_WORD})?",
            re.IGNORECASE,
        )
    ),
    Writing(linear_at(rf"{PAGE_WORD}\s*\((\d{{1,4}})\)\W*", re.IGNORECASE)),
)
"""Counts in the texts of a page that give the place of what it shows, or name pages."""
_OF_THINGS = (
    Writing(
        linear_at(rf"(?:displaying|showing|viewing)\s+{_NUMBER}\s*{_OF}\s*({_NUMBER})", re.IGNORECASE),
        items=True,
    ),
    Writing(
        linear_at(
            rf"(?:\D{{0,20}}\W)?{_NUMBER}\s*{_OF}\s*({_NUMBER})\s+(?P<thing>[^\W\d_]+)(?:\s+[^\W\d_]+){{0,2}}\W*",
            re.IGNORECASE,
        ),
        items=True,
    ),
    Writing(
        linear_at(
            rf"(?:\D{{0,20}}\W)?({_NUMBER})\s+(?P<thing>[^\W\d_]+)(?:\s+[^\W\d_]+){{0,2}}\W*",
            re.IGNORECASE,
        ),
        items=True,
        guessed=True,
    ),
    Writing(linear_at(rf"(?P<thing>[^\W\d_]+)\s*[:(]\s*({_NUMBER})\W*"), items=True, guessed=True),
)
"""Numbers of things; one that stands alone may be that of another list."""
_IN_HEADERS = (
    Writing(linear_at(rf"x-wp-totalpages{_VALUE}", re.IGNORECASE)),
    Writing(linear_at(rf"x-wp-total{_VALUE}", re.IGNORECASE), items=True),
    Writing(
        linear_at(r"content-range:\s+\w+ \d+-\d+/(\d+)\s*", re.IGNORECASE),
        items=True,
        guessed=True,
        for_programs=True,
    ),
)
"""Totals in the headers of an answer."""
_PAGES_IN_JSON = Writing(
    linear_at(rf"(?:(?:total|num|nb|max)_?pages|page_?count|last_?page|pages){_VALUE}", re.IGNORECASE)
)
_ITEMS_IN_JSON = Writing(
    linear_at(
        r"(?:total|(?:total|num|nb)_?(?:count|items|results|records|elements|hits|found|posts|articles|entries)"
        rf"|records_?total|count|found|hits){_VALUE}",
        re.IGNORECASE,
    ),
    items=True,
    guessed=True,
    for_programs=True,
)
"""Totals in JSON; some programs count so what this page has, which is never more than the walk sees."""
_FILTERED_IN_JSON = _ITEMS_IN_JSON._replace(
    pattern=linear_at(
        rf"(?:filter(?:ed)?_?(?:count|total|items|results)|records_?filtered){_VALUE}",
        re.IGNORECASE,
    )
)
"""Totals of what was asked for, where others beside them count more."""
_MORE_IN_JSON = linear_at(
    r"(?:has_?)?(?:more|next|continue|(is_?last))(?:_?page)?(?:_?(?:token|cursor))?",
    re.IGNORECASE,
)
_IN_ATTRIBUTES = (
    Writing(
        linear_at(
            r"data-(?:(?:\w+-)?total(?:-?(?:count|items|posts|results|entries|articles|records))?|found)=(\d{1,7})"
        ),
        items=True,
        guessed=True,
        for_programs=True,
    ),
)
"""Attributes in which a list, or what brings more of it, has the number of all its items."""
_PAGES_IN_ATTRIBUTES = (Writing(linear_at(r"[\w-]+=(\d{1,7})")),)
_ATTRIBUTES_OF_PAGES = etree.XPath(
    "//@data-total-pages | //@data-page-count | //@data-last-page | //@data-max-pages | //@data-pages"
)
_LONGEST_ENDING, _SHORTEST_STEM = 3, 4
_LONGEST_COUNT = 60
"""Characters of a text that is a count."""
_LONGEST_BESIDE = 100
"""Characters of a text beside a pager."""
_MOST_NUMBERS = 3
"""In a count beside a pager: the page's own, that of the pages, that of the articles."""


def counts_in(writings: Iterable[Writing], text: str) -> Iterator[Stated]:
    """Give the counts that a text is as a whole, by the ways to write one."""
    for writing in writings:
        written = writing.pattern.fullmatch(text)
        if written is None or not all(map(_is_thing, written.groupdict().values())):
            continue
        *before, total = numbers = list(map(_number, filter(_DIGIT.search, written.groups())))
        if numbers == sorted(numbers):
            here = next(reversed(before), None)
            yield Stated(text, here, total, writing.items, writing.guessed, writing.for_programs)


def _counts_in_any(writings: Iterable[Writing], texts: Iterable[str]) -> Iterator[Stated]:
    """Give the counts that some of these texts are."""
    for text in texts:
        yield from counts_in(writings, text)


def _is_thing(word: str) -> bool:
    """Say whether a word is one of those that lists have, with whatever ending: "Beiträgen"."""
    word = fold(word)
    longest = min(_LONGEST_ENDING, len(word) - _SHORTEST_STEM)
    stems = (word[:-ending] for ending in range(1, longest + 1))
    return not THINGS.isdisjoint((word, *stems))


def _number(written: str) -> int:
    """Return a number without what parts its thousands."""
    return int("".join(filter(str.isdigit, written)))


# --- in the texts of a page ---


def stated_counts(page: Page) -> tuple[Stated, ...]:
    """Return the counts of pages, and of items, that a page states, but for those that contradict others."""
    texts = set(_short_texts(page.outline, _rows_with_numbers(page.outline)))
    written = set(_counts_in_any(_IN_TEXTS, texts))
    times = Counter(stated.items for stated in written)
    alone = [stated for stated in written if times[stated.items] == 1]
    return tuple(dict.fromkeys((*_counts_for_programs(page), *sorted(alone, key=lambda stated: stated.text))))


def counts_of_articles(page: Page) -> tuple[Stated, ...]:
    """Return how many articles there are by a page that says "10 of 57 articles" or "57 articles".

    If it says two numbers, return nothing.
    """
    # "News (28)" in a list of sections counts those of one of them
    rows = (row for row in _rows_with_numbers(page.outline) if not page.outline.rows_in(row, "a"))
    texts = _short_texts(page.outline, rows)
    counts = list(chain.from_iterable(islice(counts_in(_OF_THINGS, text), 1) for text in texts))
    counts.sort(key=lambda count: count.guessed, reverse=True)
    by_total = {count.total: count for count in counts}
    return tuple(by_total.values()) if len(by_total) == 1 else ()


def _short_texts(outline: Outline, rows: Iterable[int]) -> Iterator[str]:
    """Give the texts of elements that are as short as counts."""
    return filter(None, (outline.short_text(row, _LONGEST_COUNT) for row in rows))


def _rows_with_numbers(outline: Outline) -> Iterable[int]:
    """Return the elements whose texts may be counts, since each holds nothing else.

    Its numbers may stand in elements of their own.
    """
    rows: dict[int, None] = {}
    for string, row in zip(outline.strings, outline.owners, strict=True):
        if len(string) >= _LONGEST_COUNT or DIGIT.search(string) is None or outline.tags[row] in _NO_COUNTS:
            continue
        rows[row] = None
        if string.strip().isdigit():
            rows[max(outline.parents[row], 0)] = None
    return rows


_NO_COUNTS = ("a", "option", "time")
"""Elements with numbers of their own."""


# --- for programs ---


def _counts_for_programs(page: Page) -> Iterator[Stated]:
    """Give the counts in the headers of an answer, and in one of JSON."""
    yield from _counts_in_any(_IN_HEADERS, map(": ".join, page.headers))
    beside = list(about_list(page.json))
    lines = [f"{name}: {value}" if isinstance(value, (int, str)) else name for name, value in beside]
    is_filtered = any(map(_FILTERED_IN_JSON.pattern.fullmatch, lines))
    writings = (_PAGES_IN_JSON, _FILTERED_IN_JSON if is_filtered else _ITEMS_IN_JSON)
    for line, (name, value) in zip(lines, beside, strict=True):
        yield from counts_in(writings, line)
        more = _MORE_IN_JSON.fullmatch(name)
        if more is not None and _leads_on(value, names_last=bool(more[1])):
            # how many more there are, nobody says
            yield Stated(f"{name}: {json.dumps(value)[:LONGEST_LABEL]}", 1, 2, guessed=True)


def _leads_on(value: Any, *, names_last: bool) -> bool:
    """Say whether a value means that there are more pages.

    `names_last`: it says of this page that it is the last.
    """
    if names_last:
        return value is False
    return any(value.values()) if isinstance(value, dict) else bool(value)


# --- beside a pager, and around the list ---


def counts_by_pager(page: Page) -> tuple[Stated, ...]:
    """Return counts in or beside a pager, in any language, and those written for scripts.

    Such as "10. oldal, összesen 10 (142 bejegyzés)".
    """
    if page.tree is None:
        return ()
    attributes: Any = _ATTRIBUTES_OF_PAGES(page.tree)
    lines = (f"{value.attrname}={value}" for value in attributes)
    return _by_text(
        chain(
            _counts_in_any(_PAGES_IN_ATTRIBUTES, lines), _items_in_json_ld(page), _beside_pagers(page.outline)
        )
    )


def _by_text(counts: Iterable[Stated]) -> tuple[Stated, ...]:
    """Return the first of the counts that are written alike."""
    return tuple(first_of_each(counts, attrgetter("text")))


def _items_in_json_ld(page: Page) -> Iterator[Stated]:
    for thing in page.json_ld_objects:
        total = thing.get("numberOfItems")
        if "ItemList" in type_names(thing) and type(total) is int:
            yield Stated(f"numberOfItems: {total}", None, total, items=True, guessed=True)


def _beside_pagers(outline: Outline) -> Iterator[Stated]:
    names = NamesAround(outline)
    for row in filter(names.is_pager, outline.rows("div", "nav", "p", "section", "span", "td", "ul")):
        if not OTHER_BOX.search(names.name(row)):
            pager, links = outline.elements[row], outline.rows_in(row, "a", "select")
            own = short_text(pager, _LONGEST_BESIDE, [outline.elements[link] for link in links])
            for text in filter(None, (own, *_texts_next_to(pager))):
                yield from _counted_in(text, has_links=bool(links))


def _texts_next_to(pager: Element) -> Iterator[str | None]:
    """Give the texts of the elements before and behind it that hold no links; None where they are long."""
    for element in (pager.getprevious(), pager.getnext()):
        if element is not None and element.find(".//a") is None:
            yield short_text(element, _LONGEST_BESIDE)


def _counted_in(text: str, *, has_links: bool) -> Iterator[Stated]:
    """Give the last of up to three numbers, if it is the largest.

    A single one may be that of a page, or a year.
    """
    counts = list(counts_in(_IN_TEXTS, text))
    numbers = list(map(_number, linear(_NUMBER).findall(text)))
    if counts or not any(map(str.isalpha, text)):
        yield from counts if has_links else ()
    elif not first_reason(_NO_COUNT, _Numbers(numbers, has_links)):
        *before, total = numbers
        yield Stated(text, next(iter(before), None), total, guessed=True)


class _Numbers(NamedTuple):
    """The numbers in a text in a pager, or beside one."""

    numbers: Sequence[int]
    has_links: bool
    """There are links in the pager."""


_NO_COUNT: tuple[Check[_Numbers], ...] = (
    Check("it has no number", lambda text: not text.numbers),
    Check("it has too many", lambda text: len(text.numbers) > _MOST_NUMBERS),
    Check("the last one is not the largest", lambda text: text.numbers != sorted(text.numbers)),
    Check(
        "it may end in a year", lambda text: len(text.numbers) < _MOST_NUMBERS and is_year(text.numbers[-1])
    ),
    Check("a number alone may be anything", lambda text: len(text.numbers) == 1 and not text.has_links),
)
"""Why the numbers in a text are no count of the pages or the articles of a list."""


def counts_around_list(picked: PickedList, buttons: Iterable[int]) -> tuple[Stated, ...]:
    """Return totals in attributes of what holds the list or stands next to it, and of buttons below it.

    `buttons`: their rows.
    """
    rows = (*picked.holders, *picked.beside, *buttons)
    attributes = chain.from_iterable(picked.outline.elements[row].attrib.items() for row in rows)
    lines = (f"{name!s}={value!s}" for name, value in attributes)
    return _by_text(_counts_in_any(_IN_ATTRIBUTES, lines))


# --- what may hold a count ---

_NUMBER_OF_NUMBER = linear(rf"\d(?=\D)\s?\.?\s*(?:{PAGE_WORD}\s*)?{_OF}\s*(?:about\s+)?\d")
"""Every count that a page writes into its text has this in it, in lower case, but for "Pages (7)"."""
_IN_BRACKETS = linear(r"\(\d{1,4}\)")
_ENDS_WITH_PAGES = linear(rf"{PAGE_WORD}\s*$", re.IGNORECASE)
_NAMES_PAGES = linear(rf"(?<![^\W\d_]){PAGE_WORD}(?![^\W\d_])", re.IGNORECASE)
_FIRST_TO_LAST = linear(r"\d ?(?:-|–|&ndash;|to|bis) ?\d{1,7}\Z", re.IGNORECASE)
"""The numbers of the first and the last item on a page."""
_SHORT_TEXT = linear(rb">\s*+([^<>]{1,59}+)<")
"""A text between two tags that may be a part of a count."""
_NEAR = 30
"""Characters around a count in which pages are named."""


def names_pages(text: str) -> bool:
    """Say whether a text has a word for pages in it."""
    return _NAMES_PAGES.search(text) is not None


def may_state_count(text: str) -> bool:
    """Say whether a text has "2 of 7" or "Pages (7)" in it, as hardly any has."""
    return _NUMBER_OF_NUMBER.search(text.lower()) is not None or _has_pages_in_brackets(text)


def _has_pages_in_brackets(text: str) -> bool:
    before = (text[max(0, number.start() - _NEAR) : number.start()] for number in _IN_BRACKETS.finditer(text))
    return any(map(_ENDS_WITH_PAGES.search, before))


def bytes_may_state_count(body: bytes) -> bool:
    """Say whether bytes of a page may hold a count of its pages, or of items of which it shows a part."""
    text = squeeze(b" ".join(_SHORT_TEXT.findall(body)).decode("utf-8", "replace").lower())
    return any(map(_counts_pages_or_items, _NUMBER_OF_NUMBER.finditer(text))) or _has_pages_in_brackets(text)


def _counts_pages_or_items(count: re.Match[str]) -> bool:
    """Say whether a number of a number stands behind that of the first item, or pages are named beside it."""
    text, begin = count.string, max(0, count.start() - _NEAR)
    if _FIRST_TO_LAST.search(text[begin : count.start() + 1]) is not None:
        return True
    return names_pages(text[begin : count.end() + _NEAR])
