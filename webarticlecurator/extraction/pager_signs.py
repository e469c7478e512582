"""Which links of a page look like those of a pager, and which numbers of pages are in their addresses?"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import islice
from typing import Any

from lxml.etree import _Element as Element

from webarticlecurator.dates.cldr import fold
from webarticlecurator.extraction.url_rules import ROUTE
from webarticlecurator.model.links import IN_HEAD, SURE, WITHOUT_WORDS, PagerLink
from webarticlecurator.model.page import Page, relations
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import normalised, squeeze
from webarticlecurator.urls import EXTENSION, PAGE_WORD, bare_host, is_http, join, normalise, pages_apart, split_path
from webarticlecurator.word_lists import read_word_lists

REL_NEXT = "rel=next"
"""Stands for what is written on a link that says so."""
LONGEST_LABEL = 40
_LISTS = read_word_lists(__file__, "pager_words.txt")
NEXT_PHRASES, NEXT_WORDS, BACK_WORDS, MORE_PHRASES = (
    frozenset(map(str.casefold, _LISTS[name])) for name in ("older", "next", "back", "more")
)
"""Said of nothing else but a next page; of many things; of earlier pages, which are the older ones where pages count downwards."""
ARCHIVE_WORDS, _ALL, THINGS = (frozenset(map(fold, _LISTS[name])) for name in ("archive", "all", "things"))
ARROWS = " \u00a0.:…‹›«»<>←→↓⟩⟨❯➔➜►▸|"
_BACK_ARROWS, _ON_ARROWS = frozenset("«<‹←⟨"), frozenset("»>›→⟩❯➔➜►▸")

_WORD = linear(r"[^\W\d_]+")
_NAMED = linear(
    r"pagin|pager|paging|page[-_ ]?(?:numbers?|links?|nav)|nav[-_]?links|posts?[-_]nav|next[-_]?(?:link|page)"
    r"|older[-_]?(?:posts?|entries|articles)|lapoz|blätter|blaetter"
)
"""What pagers are called."""
_NAMED_ON = linear(r"(?<![A-Za-z])(?:next(?!to)|older|forward)|Next|Older")
_NAMED_BACK = linear(r"(?<![A-Za-z])(?:prev(?!iew)|newer)|Prev(?!iew)|Newer")
OTHER_BOX = linear(r"carousel|gallery|slick|slide|swiper|calendar", re.IGNORECASE)
_MOST_WORDS = 4
"""On a link to all articles."""
_NAMES, _LONGEST_NAME = ("class", "id", "role", "aria-label"), 300
LEVELS = 4
"""How far around a link an element may be that is called a pager."""
MOST_IN_PAGER = 40
"""Links; what holds more is a page that has a pager."""

PAGE_ADDRESS = linear(
    r"(?=[clops])(?<![^\W\d_])(?:page|paged|pageno|page_?number|currentpage|pag|pagina|página|oldal|lap|seite|strana|stránka|strona|sida|side|sivu"
    r"|stranica|sayfa|stran|start|offset|skip|limitstart|p(?=\d{1,3}(?:\.html?|/|$)))[-_/=]?(\d{1,6})(?:\.\w{1,5})?/?(?=$|[?&#])",
    re.IGNORECASE,
)
"""What an address says only of a page, or of the first item on it."""
_TAIL, _LONGEST_MARK = 12, 30
"""Characters of an address of which one is a digit, where it ends with the number of a page; and those that may say so."""
_SIZE_OF_PAGE = linear(r"[?&](?:limit|per[-_]?page|page[-_]?size|rows|num|show)=(\d{1,6})(?![^&#])", re.IGNORECASE)
_CURSOR = linear(r"[?&](?:after|before|continue|cursor|from|max_?id|next|older|page_?token|start_?after|until)=", re.IGNORECASE)
"""What leads on where pages have no numbers."""
DIGIT, _DIGITS = linear(r"[0-9]"), linear(r"(\d+)")
_MOST_SHOWN = 100
"""Pages ahead that pagers lead to by their numbers; a year may be the number of a page only where that is near."""

_PAGE_LABEL = linear_at(rf"(?:{PAGE_WORD}\s*)?([0-9]{{1,6}})\.?(?:\s*{PAGE_WORD})?", re.IGNORECASE)


def page_links(page: Page, rows: Iterable[int] | None = None) -> Iterator[tuple[Element, str]]:
    """Every link of an HTML page, or those in these rows, with its normalised URL; also the head's `rel=next`."""
    outline = page.outline
    joined: dict[str, str | None] = {}
    for row in outline.rows("a", "link") if rows is None else rows:
        element = outline.elements[row]
        href = element.get("href")
        if not href or href[0] == "#" or (element.tag == "link" and "next" not in relations(element)):
            continue
        if href not in joined:
            url = join(page.base, href, encoding=page.encoding)
            joined[href] = normalise(url) if url is not None and is_http(url) else None
        if (found := joined[href]) is not None:
            yield element, found


def routes(page: Page) -> tuple[str, ...]:
    """Links of an application that keeps its own addresses behind a `#`: to everybody but its scripts they are the page itself."""
    addresses = (link.get("href") or "" for link in page.outline.named("a"))
    return tuple(dict.fromkeys(href for href in addresses if ROUTE.match(href)))


def pager_links(page: Page, links: Iterable[tuple[Element, str]]) -> tuple[PagerLink, ...]:
    """Those of the page's links (as `page_links` gives them) that look like a pager's; the page itself is none of them."""
    by_url: dict[str, PagerLink] = {}
    for _, link in links_of_pagers(page, links):
        # of several links to one page the one that says its number tells most
        before = by_url.get(link.url)
        if before is None or (link.number is not None, link.is_sure) > (before.number is not None, before.is_sure):
            by_url[link.url] = link
    numbers = [link.number for link in by_url.values() if link.number is not None]
    if numbers and all(map(is_year, numbers)):  # a list of years, not of pages
        by_url = {url: link for url, link in by_url.items() if link.number is None}
    # a pager says once where it goes on; what stands below every teaser is no pager's
    said = Counter(link.text for link in by_url.values())
    return tuple(link for link in by_url.values() if link.is_sure or said[link.text] == 1)


def links_of_pagers(page: Page, links: Iterable[tuple[Element, str]]) -> Iterator[tuple[Element, PagerLink]]:
    """Each of these links that looks like a pager's, by itself."""
    judge, own, host = _Judge(page), {normalise(page.url), normalise(page.requested_url)}, bare_host(page.url)
    for element, url in links:
        if url not in own and (link := judge.judged(page.outline.row_of[element], url)) is not None and bare_host(url) == host:
            yield element, link


_JSON_NEXT = linear_at(r"(?:@odata\.)?(?:next|(prev(?:ious)?))(?:_?page)?(?:_?(?:url|link))?", re.IGNORECASE)
_JSON_HOLDER = linear_at(r"_?(?:meta|links|page|page_?info|pagination|paging|pager|response|results?|data|query|info|hits)", re.IGNORECASE)
_MOST_HOLDERS = 20
_HEADER_NEXT = linear(r"""<([^<>]+)>\s*;[^,<]*\brel="?next\b""", re.IGNORECASE)


def about_list(data: Any) -> Iterator[tuple[str, Any]]:
    """What JSON tells of the list that is in it: names and values that stand beside it, or in what programs call so."""
    waiting = [data] if isinstance(data, dict) else []
    for holder in waiting:
        yield from holder.items()
        inner = ((name, value) for name, value in holder.items() if isinstance(value, dict) and len(waiting) < _MOST_HOLDERS)
        waiting += [
            value for name, value in inner if _JSON_HOLDER.fullmatch(name) or any(isinstance(each, list) for each in value.values())
        ]


def neighbours_in_json(page: Page) -> Iterator[PagerLink]:
    """The next page and the one before, where JSON tells their addresses, or the header of an answer of JSON: by what they are called, or
    in any language by the number that they have in place of this page's."""
    told = [(name, value.get("href") if isinstance(value, dict) else value) for name, value in about_list(page.json)]
    links = (value for name, value in page.headers if name.lower() == "link" and page.json is not None)
    told += [("next", match[1]) for value in links for match in _HEADER_NEXT.finditer(value)]
    for name, address in told:
        url = join(page.base, address) if isinstance(address, str) and linear_at(r"https?:|[/?]").match(address) else None
        if url is None or not is_http(url) or page.is_at(url) or bare_host(url) != bare_host(page.url):
            continue
        match, numbers = _JSON_NEXT.fullmatch(name), pages_apart(normalise(page.url), normalise(url))
        if match or numbers:
            leads_back = numbers[1] < numbers[0] if numbers and not match else bool(match and match[1])
            yield PagerLink(url=normalise(url), text=name, continues=not leads_back, leads_back=leads_back)


def links_to_all(page: Page, links: Iterable[tuple[Element, str]]) -> Iterator[PagerLink]:
    """Those that say that all articles are listed where they lead: signs that a page by itself does not list them."""
    for element, url in links:
        text = page.outline.short_text(page.outline.row_of[element], LONGEST_LABEL)
        if text and says_all(text) and not page.is_at(url) and bare_host(url) == bare_host(page.url):
            yield PagerLink(url=url, text=text, signs=0)


def says_all(text: str, address: str = "") -> bool:
    """Whether the few words on a link, or its address, say "archive", or its words "all articles"."""
    short = text if len(text.split()) <= _MOST_WORDS else ""  # else it is a title
    said, named = (frozenset(map(fold, _WORD.findall(words))) for words in (short, address))
    return not ARCHIVE_WORDS.isdisjoint(said | named) or not (_ALL.isdisjoint(said) or THINGS.isdisjoint(said))


def is_year(number: int) -> bool:
    """Whether a number may rather be a year than a page."""
    return number in range(1900, 2101)


def page_label(text: str) -> int | None:
    """The number, where what is written on a link is nothing but that of a page."""
    match = _PAGE_LABEL.fullmatch(text)
    return int(match[1]) if match is not None else None


@lru_cache(maxsize=8192)
def plain_label(text: str) -> str:
    """What a link says, without arrows and numbers: "older 50"."""
    return normalised("NFC", squeeze(_DIGITS.sub(" ", text.strip(ARROWS)).casefold())).strip(ARROWS)


class _Judge:
    """Of the links of one page: signs are what is said on them, what they and the elements around them are called, and their addresses."""

    def __init__(self, page: Page) -> None:
        self._outline, self._own = page.outline, normalise(page.url)
        self._names: dict[int, str] = {}
        self._levels = {-1: LEVELS}
        """How far around a row one is that is called a pager."""

    def judged(self, row: int, url: str) -> PagerLink | None:
        """What speaks for it; None: nothing, or something against it."""
        element, own = self._outline.elements[row], self._own
        if "next" in relations(element):
            written, continues = IN_HEAD if element.tag == "link" else REL_NEXT, pages_apart(own, url) is not None
            return PagerLink(url=url, text=written, continues=continues, signs=2 * SURE)
        text, is_query = self._outline.short_text(row, LONGEST_LABEL), "?" in url
        may_be_page = is_query or DIGIT.search(url[-_TAIL:]) is not None
        is_page = may_be_page and PAGE_ADDRESS.search(url, 0 if is_query else max(0, len(url) - _LONGEST_MARK)) is not None
        if text is None and not is_page:
            return None  # a headline
        bare = (text or "").strip(ARROWS)
        label, number = plain_label(bare or element.get("aria-label") or element.get("title") or ""), page_label(bare)
        is_arrow, says_on = bool(text) and not bare, label in NEXT_WORDS or label in NEXT_PHRASES
        if number is not None and (size := _SIZE_OF_PAGE.search(url)) is not None and int(size[1]) == number:
            return None  # "20 | 50 | 100" on a page
        says_back = label in BACK_WORDS
        is_phrase = label in NEXT_PHRASES or (says_back and " " in label)
        said = SURE if is_phrase else int(is_arrow or number is not None or says_on or says_back)
        leads_on, leads_back = self._direction(row)
        if not (said or leads_on or leads_back or may_be_page or text == ""):
            return None
        in_pager = self._in_pager(row)
        if not (said or in_pager or leads_on or leads_back or is_page or text == ""):
            return None  # a number in its address is no sign alone, and taking two addresses apart costs
        apart, points_on = pages_apart(own, url), text == "" or (is_arrow and not _ON_ARROWS.isdisjoint(text or ""))
        if points_on and split_path(own)[0] == split_path(url)[0] and _CURSOR.search(url):
            return PagerLink(url=url, text=text or WITHOUT_WORDS, continues=True, signs=1)
        if points_on and apart == (1, 1):  # the second page, where they are counted from zero, or the first by another address
            return PagerLink(url=url, text=text or WITHOUT_WORDS, continues=True, signs=0)
        address = (SURE if is_page else 1) if apart is not None else 0
        if apart is None and is_page and (apart := _loosely_apart(own, url)) is not None:
            address = 1
        if number is not None and apart is not None:
            is_far_year = is_year(number) and abs(number - apart[0]) > _MOST_SHOWN
            # its address has the page's number, or that of the first item on it
            leads_there = apart[1] in (number, number - 1) or (number > 1 and apart[1] > 0 and apart[1] % (number - 1) == 0)
            if number == apart[0] == 1 or is_far_year or not leads_there:
                return None
        elif number is not None and not in_pager:
            return None
        elif apart is not None and not says_on and apart[1] <= 1:
            number = 1 if apart[0] > 1 else None
            if number is None and (apart[1] < 1 or not says_back):
                return None  # the page itself, with its number
        said += text == "" and apart is not None and apart[1] == apart[0] + 1  # the picture of an arrow
        signs = said + in_pager + (leads_on or leads_back) + address
        leads_back = (says_back and _ON_ARROWS.isdisjoint(text or "")) or (leads_back and not leads_on and not says_on)
        if signs < SURE and (leads_back or not label or not (says_on or says_back or leads_on or (address and is_page))):
            return None
        if said < SURE and any(OTHER_BOX.search(self._name(box)) for box in (row, *islice(self._outline.around(row), LEVELS))):
            return None  # names say that it belongs to something else
        return PagerLink(
            url=url,
            text=text or WITHOUT_WORDS,
            number=number if apart is not None else None,
            continues=address > 0,
            numbers=apart,
            leads_back=leads_back or (is_arrow and _BACK_ARROWS.issuperset((text or "").strip())),
            signs=signs,
        )

    def _name(self, row: int) -> str:
        """What an element is called in class, id, role and label."""
        if row not in self._names:
            self._names[row] = names_of(self._outline.elements[row])
        return self._names[row]

    def _direction(self, link: int) -> tuple[bool, bool]:
        """Whether it, what is in it or what holds it alone says that it leads on, or back."""
        parts = islice(self._outline.elements[link].iterchildren("*"), LEVELS)
        names = [self._name(link), *map(names_of, parts)]
        for holder in islice(self._outline.around(link), 2):
            name = self._name(holder)
            if not any(says_where(name)) or len(self._outline.rows_in(holder, "a")) > 1:
                break
            names.append(name)
        said = [says_where(name) for name in names if name]
        return any(on for on, _ in said), any(back for _, back in said)

    def _in_pager(self, link: int) -> bool:
        inside: list[int] = []
        row = link
        while row not in self._levels:
            inside.append(row)
            row = self._outline.parents[row]
        levels = self._levels[row]
        for row in reversed(inside):
            is_pager = is_called_pager(self._name(row)) and len(self._outline.rows_in(row, "a")) <= MOST_IN_PAGER
            self._levels[row] = levels = 0 if is_pager else levels + 1
        return levels <= LEVELS


def names_of(element: Element) -> str:
    return " ".join([value[:_LONGEST_NAME] for name in _NAMES if (value := element.get(name))]) if element.attrib else ""


@lru_cache(maxsize=8192)
def says_where(names: str) -> tuple[bool, bool]:
    """Whether it says that a link leads on, and back."""
    return _NAMED_ON.search(names) is not None, _NAMED_BACK.search(names) is not None


@lru_cache(maxsize=8192)
def is_called_pager(names: str) -> bool:
    """Whether classes or an id say that a pager stands there."""
    return _NAMED.search(names.lower()) is not None


def _loosely_apart(own: str, other: str) -> tuple[int, int] | None:
    """Of an address with a page's number that stands below or beside the page's own, or with other parameters besides."""
    mine, theirs = PAGE_ADDRESS.search(own), PAGE_ADDRESS.search(other)
    if theirs is None:
        return None
    here = own[: mine.start()] if mine is not None else own
    folder = EXTENSION.sub("", here.partition("?")[0]).rstrip("/")
    there, is_query, _ = other[: theirs.start()].partition("?")
    there, places = EXTENSION.sub("", there).rstrip("/"), (folder, folder.rpartition("/")[0])
    is_near = there == folder if is_query else there in places or there.rpartition("/")[0] in places
    numbers = int(mine[1]) if mine is not None else 1, int(theirs[1])
    return numbers if is_near and numbers[0] != numbers[1] else None
