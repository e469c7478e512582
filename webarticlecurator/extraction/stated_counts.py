"""What a page says of the length of its listing: "2 / 20", "1-20 of 213", "57 articles", a total in a header or in JSON."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.dates.cldr import fold
from webarticlecurator.extraction.pager_signs import (
    DIGIT,
    MOST_IN_PAGER,
    OTHER_BOX,
    THINGS,
    is_called_pager,
    is_year,
    names_of,
    whole_number,
)
from webarticlecurator.model.links import Stated
from webarticlecurator.model.page import Outline, Page, type_names
from webarticlecurator.text import short_text
from webarticlecurator.urls import PAGE_WORD

_OF = r"(?:/|(?:out\s+)?of|von|sur|de|di|van|z|ze|din|av|af|iz|od|из|от|από)"
_PAGES_TEXT = re.compile(
    rf"(?:{PAGE_WORD}:?\s*)?(\d{{1,6}})\.?\s*(?:{PAGE_WORD})?\s*{_OF}\s*(\d{{1,6}})\.?\s*(?:{PAGE_WORD})?", re.IGNORECASE
)
_NUMBER = r"(?:\d{1,3}(?:[.,  ]\d{3})+|\d{1,7})"
_ITEMS_TEXT = re.compile(
    rf"\D{{0,25}}({_NUMBER})\s*(?:[-–—]|to|bis)\s*({_NUMBER})\s*{_OF}\s*(?:about\s+)?({_NUMBER})\D{{0,25}}", re.IGNORECASE
)
_OF_THINGS = re.compile(rf"(?:\D{{0,20}}\W)?(?:({_NUMBER})\s*{_OF}\s*)?({_NUMBER})\s+([^\W\d_]+)(?:\s+[^\W\d_]+){{0,2}}\W*", re.IGNORECASE)
_THINGS_NUMBER = re.compile(rf"([^\W\d_]+)\s*[:(]\s*({_NUMBER})\W*")
_SHOWN_OF = re.compile(rf"(?:displaying|showing|viewing)\s+{_NUMBER}\s*{_OF}\s*({_NUMBER})", re.IGNORECASE)
NUMBER_OF_NUMBER = re.compile(rf"\d\.?\s*(?:{PAGE_WORD})?\s*{_OF}\s*(?:about\s+)?\d", re.IGNORECASE)
"""What every count has in it that a page writes into its text."""
_LONGEST_ENDING, _SHORTEST_STEM = 3, 4
_NO_COUNT = frozenset({"a", "option", "time"})
_LONGEST_STATED, _LONGEST_BESIDE = 60, 100
_JSON_PAGES = ("total_pages", "totalPages", "pageCount", "page_count", "last_page", "lastPage", "numPages", "num_pages", "nbPages")
_JSON_HOLDERS = ("meta", "pagination", "paging", "pageInfo", "page_info", "_meta", "page")
_COUNTS_OF_PAGES = etree.XPath("//@data-total-pages | //@data-page-count | //@data-last-page | //@data-max-pages | //@data-pages")
_HEADERS = {"x-wp-totalpages": False, "x-wp-total": True}
"""Which say a total, and whether it is one of articles."""


def stated_counts(page: Page) -> tuple[Stated, ...]:
    """What the page says of the length of its listing; nothing where it says two different things."""
    written = {stated for text in _texts_with_numbers(page.outline) if (stated := _stated(text)) is not None}
    alone = [stated for stated in written if sum(other.items == stated.items for other in written) == 1]
    data = (_stated_in_header(page), _stated_in_json(page.json))
    return tuple(dict.fromkeys(chain(*data, sorted(alone, key=lambda stated: stated.text))))


def counts_of_articles(page: Page) -> tuple[Stated, ...]:
    """ "10 of 57 articles", "57 articles": how many there are by a page of an archive; nothing where it says two different things."""
    counts: dict[int, Stated] = {}
    for text in _texts_with_numbers(page.outline, without_links=True):  # "News (28)" in a list of sections counts those of one of them
        if (shown := _SHOWN_OF.fullmatch(text)) is not None:
            count, is_alone = shown[1], False
        elif (of_things := _OF_THINGS.fullmatch(text)) is not None and _is_thing(of_things[3]):
            count, is_alone = of_things[2], of_things[1] is None
        elif (named := _THINGS_NUMBER.fullmatch(text)) is not None and _is_thing(named[1]):
            count, is_alone = named[2], True
        else:
            continue
        total = _number(count)
        if total not in counts or not is_alone:
            counts[total] = Stated(text, None, total, items=True, guessed=is_alone)
    return tuple(counts.values()) if len(counts) == 1 else ()


def _is_thing(word: str) -> bool:
    """Whether it is one of those that lists have, with whatever ending: "Beiträgen"."""
    word = fold(word)
    stems = (word[: len(word) - ending] for ending in range(_LONGEST_ENDING + 1))
    return any(stem in THINGS for stem in stems if len(stem) >= _SHORTEST_STEM or stem == word)


def _number(written: str) -> int:
    """Without what parts its thousands."""
    return int("".join(filter(str.isdigit, written)))


def _stated_in_header(page: Page) -> Iterator[Stated]:
    for name, value in page.headers:
        items = _HEADERS.get(name.lower())
        total = whole_number(value.strip()) if items is not None else None
        if total is not None:
            yield Stated(f"{name}: {total}", None, total, items=bool(items))


def _stated_in_json(document: Any) -> Iterator[Stated]:
    if not isinstance(document, dict):
        return
    for holder in (document, *(document.get(name) for name in _JSON_HOLDERS)):
        if isinstance(holder, dict):
            yield from (Stated(f"{name}: {total}", None, total) for name in _JSON_PAGES if type(total := holder.get(name)) is int)


def _stated_in_attributes(tree: Element | None) -> Iterator[Stated]:
    values: list[Any] = _COUNTS_OF_PAGES(tree) if tree is not None else []  # type: ignore[assignment]  # texts that know their attribute
    for value in values:
        if (total := whole_number(value)) is not None:
            yield Stated(f"{value.attrname}={total}", None, total)


def _stated_in_json_ld(page: Page) -> Iterator[Stated]:
    for thing in page.json_ld_objects if page.tree is not None else ():
        total = thing.get("numberOfItems")
        if "ItemList" in type_names(thing) and type(total) is int:
            yield Stated(f"numberOfItems: {total}", None, total, items=True, guessed=True)


def _texts_with_numbers(outline: Outline, *, without_links: bool = False) -> Iterator[str]:
    """A count stands in an element that holds nothing else, its numbers perhaps in elements of their own."""
    rows: dict[int, None] = {}
    texts = zip(outline.strings, outline.owners, strict=True)
    for string, row in [(string, row) for string, row in texts if len(string) < _LONGEST_STATED and DIGIT.search(string)]:
        if outline.tags[row] not in _NO_COUNT:
            rows[row] = None
            if string.strip().isdigit() and row:
                rows[outline.parents[row]] = None
    shown = (row for row in rows if not (without_links and outline.rows_in(row, "a")))
    yield from filter(None, (outline.short_text(row, _LONGEST_STATED) for row in shown))


def _stated(text: str) -> Stated | None:
    if items := _ITEMS_TEXT.fullmatch(text):
        first, last, total = map(_number, items.groups())
        return Stated(text, last, total, items=True) if first <= last <= total else None
    if pages := _PAGES_TEXT.fullmatch(text):
        here, total = int(pages[1]), int(pages[2])
        return Stated(text, here, total) if 0 < here <= total else None
    return None


def counts_by_pager(page: Page) -> tuple[Stated, ...]:
    """Numbers in or beside a pager, in any language: "10. oldal, összesen 10 (142 bejegyzés)"; and those that are written for scripts."""
    outline = page.outline
    counts = {stated.text: stated for stated in chain(_stated_in_attributes(page.tree), _stated_in_json_ld(page))}
    for row in outline.rows("div", "nav", "p", "section", "span", "td", "ul"):
        pager = outline.elements[row]
        name = names_of(pager)
        links = outline.rows_in(row, "a", "select") if is_called_pager(name) and not OTHER_BOX.search(name) else None
        if links is None or len(links) > MOST_IN_PAGER:
            continue
        beside = (element for element in (pager.getprevious(), pager.getnext()) if element is not None and element.find(".//a") is None)
        written = short_text(pager, _LONGEST_BESIDE, [outline.elements[link] for link in links])
        for text in (written, *(short_text(element, _LONGEST_BESIDE) for element in beside)):
            if text and text not in counts and (count := _counted_in(text, has_links=bool(links))) is not None:
                counts[text] = count
    return tuple(counts.values())


def _counted_in(text: str, *, has_links: bool) -> Stated | None:
    """The last of up to three numbers is the largest, and counts pages or articles; a single one may be that of a page, or a year."""
    if _stated(text) is not None or not any(map(str.isalpha, text)):
        return None
    numbers = list(map(_number, re.findall(_NUMBER, text)))
    if not 0 < len(numbers) <= 3 or numbers != sorted(numbers) or (len(numbers) < 3 and is_year(numbers[-1])):
        return None
    if len(numbers) == 1:
        return Stated(text, None, numbers[0], guessed=True) if has_links else None
    return Stated(text, numbers[0], numbers[-1], guessed=True)
