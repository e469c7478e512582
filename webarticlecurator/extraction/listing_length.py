"""How long a listing is: what its page says of that ("2 / 20", "1-20 of 213", "57 articles", a total in a header or in JSON), and what
shows that it goes on where no link leads: buttons, numbers, forms and scripts."""

from __future__ import annotations

import json
import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.dates.cldr import fold
from webarticlecurator.extraction.pager_signs import (
    DIGIT,
    LEVELS,
    LONGEST_LABEL,
    MORE_PHRASES,
    MOST_IN_PAGER,
    NEXT_PHRASES,
    NEXT_WORDS,
    OTHER_BOX,
    PAGE_ADDRESS,
    THINGS,
    about_list,
    is_called_pager,
    is_year,
    names_of,
    page_label,
    plain_label,
    routes,
)
from webarticlecurator.model.links import PagerLink, Stated
from webarticlecurator.model.page import Outline, Page, type_names
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import short_text, squeeze, whole_number
from webarticlecurator.urls import PAGE_WORD, is_http, join, normalise, pages_apart

_OF = r"(?:/|(?:out\s+)?of|von|sur|de|di|van|z|ze|din|av|af|iz|od|из|от|από|з|із)"
_PAGES_TEXT = linear_at(
    rf"(?:{PAGE_WORD}:?\s*)?(\d{{1,6}})\.?\s*(?:{PAGE_WORD}\s*)?{_OF}\s*(\d{{1,6}})\.?\s*(?:{PAGE_WORD})?", re.IGNORECASE
)
_NUMBER = r"(?:\d{1,3}(?:[.,  ]\d{3})+|\d{1,7})"
_ITEMS_TEXT = linear_at(
    rf"\D{{0,25}}({_NUMBER})\s*(?:[-–—]|to|bis)\s*({_NUMBER})\s*{_OF}\s*(?:about\s+)?({_NUMBER})\D{{0,25}}", re.IGNORECASE
)
_OF_THINGS = linear_at(rf"(?:\D{{0,20}}\W)?(?:({_NUMBER})\s*{_OF}\s*)?({_NUMBER})\s+([^\W\d_]+)(?:\s+[^\W\d_]+){{0,2}}\W*", re.IGNORECASE)
_THINGS_NUMBER = linear_at(rf"([^\W\d_]+)\s*[:(]\s*({_NUMBER})\W*")
_SHOWN_OF = linear_at(rf"(?:displaying|showing|viewing)\s+{_NUMBER}\s*{_OF}\s*({_NUMBER})", re.IGNORECASE)
NUMBER_OF_NUMBER = linear(rf"\d\.?\s*(?:{PAGE_WORD}\s*)?{_OF}\s*(?:about\s+)?\d", re.IGNORECASE)
"""What every count has in it that a page writes into its text."""
_LONGEST_ENDING, _SHORTEST_STEM = 3, 4
_LONGEST_STATED, _LONGEST_BESIDE = 60, 100
_JSON_PAGES = linear_at(r"(?:total|num|nb|max)_?pages|page_?count|last_?page|pages", re.IGNORECASE)
_JSON_ITEMS = linear(
    r"(?:total|(?:total|num|nb)_?(?:count|items|results|records|elements|hits|found|posts|articles|entries))|records_?total|count|found|hits",
    re.IGNORECASE,
)
"""Some programs count so what this page has: that is never more than the walk sees."""
_JSON_FILTERED = linear(r"filter(?:ed)?_?(?:count|total|items|results)|records_?filtered", re.IGNORECASE)
"""Beside it others count more than was asked for."""
_JSON_MORE = linear_at(r"(?:has_?)?(?:more|next|continue|(is_?last))(?:_?page)?(?:_?(?:token|cursor))?", re.IGNORECASE)
_COUNTS_OF_PAGES = etree.XPath("//@data-total-pages | //@data-page-count | //@data-last-page | //@data-max-pages | //@data-pages")
_HEADERS = {"x-wp-totalpages": False, "x-wp-total": True}
"""Which say a total, and whether it is one of articles."""
_RANGE = linear_at(r"\w+ \d+-\d+/(\d+)")


def stated_counts(page: Page) -> tuple[Stated, ...]:
    """What the page says of the length of its listing; nothing where it says two different things."""
    written = {stated for text in _texts_with_numbers(page.outline) if (stated := _stated(text)) is not None}
    alone = [stated for stated in written if sum(other.items == stated.items for other in written) == 1]
    return tuple(dict.fromkeys((*_stated_for_programs(page), *sorted(alone, key=lambda stated: stated.text))))


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


def _stated_for_programs(page: Page) -> Iterator[Stated]:
    """In the headers of an answer, and in one of JSON."""
    for name, value in page.headers:
        items = _HEADERS.get(name.lower())
        total = whole_number(value.strip()) if items is not None else None
        if total is not None:
            yield Stated(f"{name}: {total}", None, total, items=bool(items))
        elif name.lower() == "content-range" and (part := _RANGE.fullmatch(value.strip())):
            yield Stated(f"{name}: {value}", None, int(part[1]), items=True, guessed=True, for_programs=True)
    told = list(about_list(page.json))
    of_items = _JSON_FILTERED if any(_JSON_FILTERED.fullmatch(name) for name, _ in told) else _JSON_ITEMS
    for name, value in told:
        total = value if type(value) is int else whole_number(value) if isinstance(value, str) else None
        if total is not None and _JSON_PAGES.fullmatch(name):
            yield Stated(f"{name}: {total}", None, total)
        elif total is not None and of_items.fullmatch(name):
            yield Stated(f"{name}: {total}", None, total, items=True, guessed=True, for_programs=True)
        elif more := _JSON_MORE.fullmatch(name):
            leads_on = any(value.values()) if isinstance(value, dict) else value
            if value is False if more[1] else leads_on:
                shown = "{...}" if isinstance(value, (dict, list)) else json.dumps(value)[:LONGEST_LABEL]
                yield Stated(f"{name}: {shown}", 1, 2, guessed=True)  # how many more there are, nobody says


def _texts_with_numbers(outline: Outline, *, without_links: bool = False) -> Iterator[str]:
    """A count stands in an element that holds nothing else, its numbers perhaps in elements of their own."""
    rows: dict[int, None] = {}
    texts = zip(outline.strings, outline.owners, strict=True)
    for string, row in [(string, row) for string, row in texts if len(string) < _LONGEST_STATED and DIGIT.search(string)]:
        if outline.tags[row] not in ("a", "option", "time"):
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
    outline, counts = page.outline, dict[str, Stated]()
    values: list[Any] = _COUNTS_OF_PAGES(page.tree) if page.tree is not None else []  # type: ignore[assignment]  # texts of attributes
    for value in values:
        if (total := whole_number(value)) is not None:
            counts[f"{value.attrname}={total}"] = Stated(f"{value.attrname}={total}", None, total)
    for thing in page.json_ld_objects if page.tree is not None else ():
        total = thing.get("numberOfItems")
        if "ItemList" in type_names(thing) and type(total) is int:
            counts[f"numberOfItems: {total}"] = Stated(f"numberOfItems: {total}", None, total, items=True, guessed=True)
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
    if (stated := _stated(text)) is not None or not any(map(str.isalpha, text)):
        return stated if has_links else None
    numbers = list(map(_number, linear(_NUMBER).findall(text)))
    if not 0 < len(numbers) <= 3 or numbers != sorted(numbers) or (len(numbers) < 3 and is_year(numbers[-1])):
        return None
    if len(numbers) == 1:
        return Stated(text, None, numbers[0], guessed=True) if has_links else None
    return Stated(text, numbers[0], numbers[-1], guessed=True)


# --- more by scripts ---

_SCRIPTED = linear(r"pag(?:e|in|er)", re.IGNORECASE)
_OF_PAGES = linear(r"(?:^|[^a-z])(?:p|pg|page|paged|pageno|oldal|lap|seite|pagina|strona|strana)(?![a-z])|pag(?:er|in)", re.IGNORECASE)
"""What a form calls its list of pages."""
_FOR_MORE = linear(r"(?:load|show|view)[-_]?more|more[-_]?(?:posts|articles|news|stories|results|items)", re.IGNORECASE)
_ON_CLICK = linear_at(r"onclick|(?:@|[\w-]+:)click(?:[.]\w+)*|[\w-]+-click")
"""Attributes by which frameworks have a script do something."""
_MORE_IN_DATA = linear(r'"has_?(?:more|next_?page|next)"\s*:\s*true', re.IGNORECASE)
_ENDLESS = linear(r"infinite[-_]?(?:ajax[-_]?)?scroll[\w.-]*", re.IGNORECASE)
_ARROW_ON = linear(r"(?:angle|arrow|caret|chevron|icon)s?[-_](?:\w+[-_])?right", re.IGNORECASE)
"""What the picture of an arrow is called."""
_FOR_SCRIPTS = etree.XPath(
    "//@hx-get | //@data-hx-get | //@data-next-url | //@data-next | //@data-next-page | //@data-url | //@data-href | //turbo-frame/@src"
    " | //form/@action"
)
"""Where scripts find the address of what they bring."""


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
    if more := counted or _button_below(outline, last) or _address_for_scripts(page):
        return more
    # what the data of an application say: `"hasMore": true`
    scripts = list(outline.named("script"))
    data = (script.text or "" for script in scripts if "json" in (script.get("type") or ""))
    if said := next((match[0] for text in data if (match := _MORE_IN_DATA.search(text)) is not None), ""):
        return said
    # the script that brings more as one scrolls, or the name of the element that it works on
    names = map(names_of, outline.named("div", "main", "ol", "section", "ul"))
    endless = (match[0] for text in chain((script.get("src") or "" for script in scripts), names) if (match := _ENDLESS.search(text)))
    return next(endless, 0) if not is_dated else 0


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
    return numbers[-1] if 2 in numbers and 1 < len(numbers) < 28 else 0  # else those of a month


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
        if not around.isdisjoint(("aside", "footer", "header", "nav")):
            continue
        goes_on = "form" in around and (label in NEXT_WORDS or label in NEXT_PHRASES)
        is_beside = arrow and any(
            OTHER_BOX.search(names_of(outline.elements[holder])) for holder in (row, *islice(outline.around(row), LEVELS))
        )
        if is_named or _says_more(label) or goes_on or (arrow and not is_beside):
            return squeeze(text or arrow)
    return ""


def _says_more(label: str) -> bool:
    """Whether it is such a phrase, or one with a thing beside it: "mostrar mais notícias"."""
    (first, _, behind), (before, _, last) = label.partition(" "), label.rpartition(" ")
    return label in MORE_PHRASES or (_is_thing(last) and before in MORE_PHRASES) or (_is_thing(first) and behind in MORE_PHRASES)


def _rows_below(outline: Outline, last: int, *tags: str) -> list[int]:
    rows = outline.rows(*tags)
    return rows[bisect_right(rows, last) :]


def _leads_nowhere(element: Element) -> bool:
    return (element.get("href") or "#").startswith(("#", "javascript:"))


def _address_for_scripts(page: Page) -> str:
    """The address of the next page, where it stands for scripts alone: one of an application, or in an attribute of its own."""
    if route := next((route for route in routes(page) if (number := PAGE_ADDRESS.search(route)) and number[1] == "2"), ""):
        return route[:LONGEST_LABEL]
    return next((link.text for link in pages_for_scripts(page) if link.numbers and link.numbers[1] == link.numbers[0] + 1), "")


def pages_for_scripts(page: Page) -> Iterator[PagerLink]:
    """Later pages of the same list whose addresses stand in attributes that only scripts read, or in a form."""
    own = normalise(page.url)
    written: Any = _FOR_SCRIPTS(page.tree) if page.tree is not None else ()
    for address in map(str, written[:100]):
        url = join(page.base, address, encoding=page.encoding)
        apart = pages_apart(own, normalise(url)) if url is not None and is_http(url) else None
        if url is not None and apart is not None and apart[0] < apart[1]:
            yield PagerLink(url=normalise(url), text=address[:LONGEST_LABEL], continues=True, numbers=apart)
