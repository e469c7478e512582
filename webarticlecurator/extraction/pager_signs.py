"""What a page shows of further pages: the links of a pager, and counts like "2 / 20" or "1-20 of 213"."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Any
from unicodedata import normalize
from urllib.parse import parse_qsl

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.dates.cldr import fold
from webarticlecurator.model.links import IN_HEAD, SURE, WITHOUT_WORDS, PagerLink, Stated
from webarticlecurator.model.page import Outline, Page
from webarticlecurator.text import short_text, squeeze
from webarticlecurator.urls import bare_host, is_http, join, normalise, split_path
from webarticlecurator.word_lists import read_word_lists

REL_NEXT = "rel=next"
"""Stands for what is written on a link that says so."""
LONGEST_LABEL = 40
_LISTS = read_word_lists(__file__, "pager_words.txt")
NEXT_PHRASES, NEXT_WORDS, BACK_WORDS, _MORE_PHRASES = (
    frozenset(map(str.casefold, _LISTS[name])) for name in ("older", "next", "back", "more")
)
"""Said of nothing else but a next page; of many things; of earlier pages, which are the older ones where pages count downwards."""
ARCHIVE_WORDS, _ALL, _THINGS = (frozenset(map(fold, _LISTS[name])) for name in ("archive", "all", "things"))
ARROWS = " \u00a0.:…‹›«»<>←→↓⟩⟨❯➔➜►▸|"
_BACK_ARROWS, _ON_ARROWS = frozenset("«<‹←⟨"), frozenset("»>›→⟩❯➔➜►▸")

_WORD = re.compile(r"[^\W\d_]+")
_NAMED = re.compile(
    r"pagin|pager|paging|page[-_ ]?(?:numbers?|links?|nav)|nav[-_]?links|posts?[-_]nav|next[-_]?(?:link|page)"
    r"|older[-_]?(?:posts?|entries|articles)|lapoz|blätter|blaetter"
)
"""What pagers are called."""
_NAMED_ON = re.compile(r"(?<![A-Za-z])(?:next(?!to)|older|forward)|Next|Older")
_NAMED_BACK = re.compile(r"(?<![A-Za-z])(?:prev(?!iew)|newer)|Prev(?!iew)|Newer")
_OTHER_BOX = re.compile(r"carousel|gallery|slick|slide|swiper|calendar", re.IGNORECASE)
_SCRIPTED = re.compile(r"pag(?:e|in|er)", re.IGNORECASE)
_OF_PAGES = re.compile(r"(?:^|[^a-z])(?:p|pg|page|paged|pageno|oldal|lap|seite|pagina|strona|strana)(?![a-z])|pag(?:er|in)", re.IGNORECASE)
"""What a form calls its list of pages."""
_FOR_MORE = re.compile(r"(?:load|show|view)[-_]?more|more[-_]?(?:posts|articles|news|stories|results|items)", re.IGNORECASE)
_ENDLESS = re.compile(r"infinite[-_]?(?:ajax[-_]?)?scroll[\w.-]*", re.IGNORECASE)
_ARROW_ON = re.compile(r"(?:angle|arrow|caret|chevron|icon)s?[-_](?:\w+[-_])?right", re.IGNORECASE)
"""What the picture of an arrow is called."""
_FOR_SCRIPTS = etree.XPath(
    "//@hx-get | //@data-hx-get | //@data-next-url | //@data-next | //@data-next-page | //@data-url | //@data-href | //turbo-frame/@src"
)
"""Where scripts find the address of what they bring."""
_MOST_WORDS = 4
"""On a link to all articles."""
_DAYS = 28
"""Numbers of a month, not of pages."""
_NOT_BELOW = frozenset({"aside", "footer", "header", "nav"})
_NAMES, _LONGEST_NAME = ("class", "id", "role", "aria-label"), 300
_LEVELS = 4
"""How far around a link an element may be that is called a pager."""
_MOST_IN_PAGER = 40
"""Links; what holds more is a page that has a pager."""

PAGE_WORD = (
    r"(?:pages?|oldal|lap|seiten?|página|pagina|strana|stránka|strona|sida|side|sivu|stran|stranica"
    r"|страница|сторінка|σελίδα|sayfa|puslapis)"
)
_PAGE_ADDRESS = re.compile(
    r"(?=[clops])(?<![^\W\d_])(?:page|paged|pageno|page_?number|currentpage|pag|pagina|página|oldal|lap|seite|strana|stránka|strona|sida|side|sivu"
    r"|stranica|sayfa|stran|start|offset|skip|limitstart|p(?=\d{1,3}(?:\.html?|/|$)))[-_/=]?(\d{1,6})(?:\.\w{1,5})?/?(?=$|[?&#])",
    re.IGNORECASE,
)
"""What an address says only of a page, or of the first item on it."""
_TAIL, _LONGEST_MARK = 12, 30
"""Characters of an address of which one is a digit, where it ends with the number of a page; and those that may say so."""
_EXTENSION = re.compile(r"(?:/index)?\.(?:html?|php|aspx?|jsp)$|/index$|/+$", re.IGNORECASE)
_MARK = re.compile(r"/?[^\W\d_]{0,15}[-_/.,=:]?(\d{1,7})")
"""What a further page adds to the path of the first: `/2`, `-2`, `/page/2`, `/oldal-2`."""
_CURSOR = re.compile(r"[?&](?:after|before|continue|cursor|from|max_?id|next|older|page_?token|start_?after|until)=", re.IGNORECASE)
"""What leads on where pages have no numbers."""
_OF_VISIT = re.compile(r"hash|token|session|^sid$", re.IGNORECASE)
"""Parameters that are another one for each address or each visitor."""
_DIGIT, _DIGITS = re.compile(r"[0-9]"), re.compile(r"(\d+)")
_YEARS = range(1900, 2101)
_MOST_SHOWN = 100
"""Pages ahead that pagers lead to by their numbers; a year may be the number of a page only where that is near."""
_ROUTE = re.compile(r"/?#!?/")

_OF = r"(?:/|of|von|sur|de|di|van|z|ze|din|av|af|iz|od|из|от|από)"
_PAGE_LABEL = re.compile(rf"(?:{PAGE_WORD}\s*)?([0-9]{{1,6}})\.?(?:\s*{PAGE_WORD})?", re.IGNORECASE)
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
_LONGEST_ENDING, _SHORTEST_STEM = 3, 4
_NO_COUNT = frozenset({"a", "option", "time"})
_LONGEST_STATED, _LONGEST_BESIDE = 60, 100
_JSON_PAGES = ("total_pages", "totalPages", "pageCount", "page_count", "last_page", "lastPage", "numPages", "num_pages", "nbPages")
_JSON_HOLDERS = ("meta", "pagination", "paging", "pageInfo", "page_info", "_meta", "page")
_HEADERS = {"x-wp-totalpages": False, "x-wp-total": True}
"""Which say a total, and whether it is one of articles."""


# --- links ---


def page_links(page: Page, rows: Iterable[int] | None = None) -> Iterator[tuple[Element, str]]:
    """Every link of an HTML page, or those in these rows, with its normalised URL; also the head's `rel=next`."""
    outline = page.outline
    joined: dict[str, str | None] = {}
    for row in outline.rows("a", "link") if rows is None else rows:
        element = outline.elements[row]
        href = element.get("href")
        if not href or href[0] == "#" or (element.tag == "link" and not is_next(element)):
            continue
        if href not in joined:
            url = join(page.base, href, encoding=page.encoding)
            joined[href] = normalise(url) if url is not None and is_http(url) else None
        if (found := joined[href]) is not None:
            yield element, found


def labelled_links(page: Page) -> Iterator[tuple[Element, str]]:
    """Those of `page_links` that may lead to a further page: by their rel, or with a number in their address and a pager's label."""
    outline = page.outline

    def is_labelled(row: int) -> bool:
        link = outline.elements[row]
        has_label = outline.length(row) <= LONGEST_LABEL and _is_label(outline.text(row))
        return (has_label and _DIGIT.search(link.get("href") or "") is not None) or is_next(link)

    return page_links(page, filter(is_labelled, outline.rows("a", "link")))


@lru_cache(maxsize=8192)
def _is_label(text: str) -> bool:
    """The menus of a portal say the same on all its pages."""
    label = _plain(text)
    is_said = not label or label in NEXT_WORDS or label in NEXT_PHRASES or _PAGE_LABEL.fullmatch(label) is not None
    return is_said and bool(text.strip()) and len(squeeze(text)) <= LONGEST_LABEL


def routes(page: Page) -> tuple[str, ...]:
    """Links of an application that keeps its own addresses behind a `#`: to everybody but its scripts they are the page itself."""
    addresses = (page.outline.elements[row].get("href") or "" for row in page.outline.rows("a"))
    return tuple(dict.fromkeys(href for href in addresses if _ROUTE.match(href)))


def pager_links(page: Page, links: Iterable[tuple[Element, str]]) -> tuple[PagerLink, ...]:
    """Those of the page's links (as `page_links` gives them) that look like a pager's; the page itself is none of them."""
    by_url: dict[str, PagerLink] = {}
    for _, link in links_of_pagers(page, links):
        # of several links to one page the one that says its number tells most
        if link.url not in by_url or _tells(link) > _tells(by_url[link.url]):
            by_url[link.url] = link
    numbers = [link.number for link in by_url.values() if link.number is not None]
    if numbers and all(map(is_year, numbers)):  # a list of years, not of pages
        by_url = {url: link for url, link in by_url.items() if link.number is None}
    # a pager says once where it goes on; what stands below every teaser is no pager's
    said = Counter(link.text for link in by_url.values())
    return tuple(link for link in by_url.values() if link.is_sure or said[link.text] == 1)


def _tells(link: PagerLink) -> tuple[bool, bool]:
    return link.number is not None, link.is_sure


def links_of_pagers(page: Page, links: Iterable[tuple[Element, str]]) -> Iterator[tuple[Element, PagerLink]]:
    """Each of these links that looks like a pager's, by itself."""
    judge, own, host = _Judge(page), {normalise(page.url), normalise(page.requested_url)}, bare_host(page.url)
    for element, url in links:
        if url not in own and (link := judge.judged(page.outline.row_of[element], url)) is not None and bare_host(url) == host:
            yield element, link


def links_to_all(page: Page, links: Iterable[tuple[Element, str]]) -> Iterator[PagerLink]:
    """Those that say that all articles are listed where they lead: signs that a page by itself does not list them."""
    for element, url in links:
        text = page.outline.short_text(page.outline.row_of[element], LONGEST_LABEL)
        if text and says_all(text) and not page.is_at(url) and bare_host(url) == bare_host(page.url):
            yield PagerLink(url=url, text=text, signs=0)


def says_all(text: str, address: str = "") -> bool:
    """Whether the few words on a link, or its address, say "archive", or its words "all articles"."""
    said, named = (frozenset(map(fold, _WORD.findall(words))) for words in (text, address))
    said = said if len(said) <= _MOST_WORDS else frozenset()  # a title
    return not ARCHIVE_WORDS.isdisjoint(said | named) or not (_ALL.isdisjoint(said) or _THINGS.isdisjoint(said))


def is_next(element: Element) -> bool:
    """Whether a link says `rel="next"`."""
    rel = element.get("rel")
    return rel is not None and "next" in rel.lower().split()


def is_year(number: int) -> bool:
    """Whether a number may rather be a year than a page."""
    return number in _YEARS


def page_label(text: str) -> int | None:
    """The number, where what is written on a link is nothing but that of a page."""
    match = _PAGE_LABEL.fullmatch(text)
    return int(match[1]) if match is not None else None


@lru_cache(maxsize=8192)
def _plain(text: str) -> str:
    """What a link says, without arrows and numbers: "older 50"."""
    return normalize("NFC", squeeze(_DIGITS.sub(" ", text.strip(ARROWS)).casefold())).strip(ARROWS)


class _Judge:
    """Of the links of one page: signs are what is said on them, what they and the elements around them are called, and their addresses."""

    def __init__(self, page: Page) -> None:
        self._outline, self._own = page.outline, normalise(page.url)
        self._names: dict[int, str] = {}
        self._levels = {-1: _LEVELS}
        """How far around a row one is that is called a pager."""

    def judged(self, row: int, url: str) -> PagerLink | None:
        """What speaks for it; None: nothing, or something against it."""
        element, own = self._outline.elements[row], self._own
        if is_next(element):
            written, continues = IN_HEAD if element.tag == "link" else REL_NEXT, pages_apart(own, url) is not None
            return PagerLink(url=url, text=written, continues=continues, signs=2 * SURE)
        text, is_query = self._outline.short_text(row, LONGEST_LABEL), "?" in url
        may_be_page = is_query or _DIGIT.search(url[-_TAIL:]) is not None
        is_page = may_be_page and _PAGE_ADDRESS.search(url, 0 if is_query else max(0, len(url) - _LONGEST_MARK)) is not None
        if text is None and not is_page:
            return None  # a headline
        bare = (text or "").strip(ARROWS)
        label, number = _plain(bare or element.get("aria-label") or element.get("title") or ""), page_label(bare)
        is_arrow, says_on = bool(text) and not bare, label in NEXT_WORDS or label in NEXT_PHRASES
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
            if number == apart[0] == 1 or is_far_year or not _leads_to(number, apart[1]):
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
        if said < SURE and self._is_beside(row):
            return None
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
            self._names[row] = _name(self._outline.elements[row])
        return self._names[row]

    def _direction(self, link: int) -> tuple[bool, bool]:
        """Whether it, what is in it or what holds it alone says that it leads on, or back."""
        parts = islice(self._outline.elements[link].iterchildren("*"), _LEVELS)
        names = [self._name(link), *map(_name, parts)]
        for holder in islice(self._outline.around(link), 2):
            name = self._name(holder)
            if not any(says_where(name)) or len(self._outline.rows_in(holder, "a")) > 1:
                break
            names.append(name)
        said = [says_where(name) for name in names if name]
        return any(on for on, _ in said), any(back for _, back in said)

    def _is_beside(self, link: int) -> bool:
        """Whether names say that it belongs to something else."""
        return any(_OTHER_BOX.search(self._name(row)) for row in (link, *islice(self._outline.around(link), _LEVELS)))

    def _in_pager(self, link: int) -> bool:
        inside: list[int] = []
        row = link
        while row not in self._levels:
            inside.append(row)
            row = self._outline.parents[row]
        levels = self._levels[row]
        for row in reversed(inside):
            is_pager = is_called_pager(self._name(row)) and len(self._outline.rows_in(row, "a")) <= _MOST_IN_PAGER
            self._levels[row] = levels = 0 if is_pager else levels + 1
        return levels <= _LEVELS


def _name(element: Element) -> str:
    return " ".join([value[:_LONGEST_NAME] for name in _NAMES if (value := element.get(name))]) if element.attrib else ""


@lru_cache(maxsize=8192)
def says_where(names: str) -> tuple[bool, bool]:
    """Whether it says that a link leads on, and back."""
    return _NAMED_ON.search(names) is not None, _NAMED_BACK.search(names) is not None


@lru_cache(maxsize=8192)
def is_called_pager(names: str) -> bool:
    """Whether classes or an id say that a pager stands there."""
    return _NAMED.search(names.lower()) is not None


def _leads_to(label: int, number: int) -> bool:
    """Whether a link with that number on it leads to that page: by its number, or by that of its first item."""
    return number in (label, label - 1) or (label > 1 and number > 0 and number % (label - 1) == 0)


# --- the numbers of pages in addresses ---


def pages_apart(own: str, other: str) -> tuple[int, int] | None:
    """The two numbers, where two normalised URLs are one but for a page's number; a first page has none and counts as 1."""
    (mine, my_query), (theirs, their_query) = split_path(own), split_path(other)
    if my_query == their_query:
        return _paths_apart(mine, theirs)
    return _queries_apart(my_query, their_query) if mine == theirs else None


def page_after(own: str, other: str) -> str | None:
    """The address behind two of successive pages, where these are counted."""
    own, other = normalise(own), normalise(other)
    here, there = pages_apart(own, other) or (0, 0)
    if here < there:
        for number in reversed(list(re.finditer(rf"(?<!\d){there}(?!\d)", other))):
            behind = f"{other[: number.start()]}{2 * there - here}{other[number.end() :]}"
            if pages_apart(other, behind) == (there, 2 * there - here):
                return behind
    return None


def _paths_apart(mine: str, theirs: str) -> tuple[int, int] | None:
    for strip in (False, True):
        mine_part, other = (_EXTENSION.sub("", mine), _EXTENSION.sub("", theirs)) if strip else (mine.rstrip("/"), theirs.rstrip("/"))
        if other.startswith(mine_part) and (mark := _MARK.fullmatch(other, len(mine_part))):
            return 1, int(mark[1])
        if mine_part.startswith(other) and (mark := _MARK.fullmatch(mine_part, len(other))):
            return int(mark[1]), 1
    mine_parts, their_parts = _DIGITS.split(mine), _DIGITS.split(theirs)
    if len(mine_parts) != len(their_parts):
        return None
    changed = [(mine_part, other) for mine_part, other in zip(mine_parts, their_parts, strict=True) if mine_part != other]
    if len(changed) != 1 or not all(text.isdigit() and text[0] != "0" and len(text) < 8 for text in changed[0]):
        return None
    return int(changed[0][0]), int(changed[0][1])


def _queries_apart(mine: str, theirs: str) -> tuple[int, int] | None:
    one, other = dict(parse_qsl(mine, keep_blank_values=True)), dict(parse_qsl(theirs, keep_blank_values=True))
    changed = [name for name in one.keys() | other.keys() if one.get(name) != other.get(name)]
    if len(changed) > 1:
        changed = [name for name in changed if not _OF_VISIT.search(name)]
    if len(changed) != 1:
        return None
    numbers = [_whole(query.get(changed[0], "1")) for query in (one, other)]
    return None if numbers[0] is None or numbers[1] is None else (numbers[0], numbers[1])


def _whole(text: str) -> int | None:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 8 else None


def _loosely_apart(own: str, other: str) -> tuple[int, int] | None:
    """Of an address with a page's number that stands below or beside the page's own, or with other parameters besides."""
    mine, theirs = _PAGE_ADDRESS.search(own), _PAGE_ADDRESS.search(other)
    if theirs is None:
        return None
    here = own[: mine.start()] if mine is not None else own
    folder = _EXTENSION.sub("", here.partition("?")[0]).rstrip("/")
    there, is_query, _ = other[: theirs.start()].partition("?")
    there, places = _EXTENSION.sub("", there).rstrip("/"), (folder, folder.rpartition("/")[0])
    is_near = there == folder if is_query else there in places or there.rpartition("/")[0] in places
    numbers = int(mine[1]) if mine is not None else 1, int(theirs[1])
    return numbers if is_near and numbers[0] != numbers[1] else None


# --- counts ---


def pages_by_script(page: Page) -> int:
    """How many pages a pager tells of whose numbers are no links, so that only scripts turn them; 0: there is none."""
    outline = page.outline
    for row in outline.rows("div", "nav", "ol", "p", "span", "ul"):
        element = outline.elements[row]
        name = f"{element.get('class') or ''} {element.get('aria-label') or ''}"
        if len(element) > 1 and _SCRIPTED.search(name) and not _OTHER_BOX.search(name) and _is_no_link(outline, row):
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
    return counted or _button_below(outline, last) or _address_for_scripts(page) or ("" if is_dated else _endless(page)) or 0


def _pages_of_form(outline: Outline) -> int:
    """The highest number of a form's list of pages."""
    for row in outline.rows("select"):
        options = outline.rows_in(row, "option")
        numbers = [page_label(outline.short_text(option, LONGEST_LABEL) or "") for option in options]
        name = f"{outline.elements[row].get('name') or ''} {_name(outline.elements[row])}"
        if len(numbers) > 1 and numbers == list(range(1, len(numbers) + 1)) and _OF_PAGES.search(name):
            return len(numbers)
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
        is_named = _FOR_MORE.search(_name(element)) is not None
        is_button = outline.tags[row] in ("a", "button") or element.get("role") == "button" or element.get("type") in ("button", "submit")
        if not (is_named or is_button) or not _leads_nowhere(element):
            continue
        text = outline.short_text(row, LONGEST_LABEL) or element.get("value") or ""
        pictures = () if text else (element.get("aria-label"), element.get("title"), *(part.get("class") for part in element))
        arrow = next((said for said in pictures if said and (_plain(said) in NEXT_PHRASES or _ARROW_ON.search(said))), "")
        if not (text or arrow):
            continue
        around, label = {outline.tags[holder] for holder in outline.around(row)}, _plain(text)
        goes_on = "form" in around and (label in NEXT_WORDS or label in NEXT_PHRASES)
        is_beside = arrow and any(
            _OTHER_BOX.search(_name(outline.elements[holder])) for holder in (row, *islice(outline.around(row), _LEVELS))
        )
        if (is_named or label in _MORE_PHRASES or goes_on or (arrow and not is_beside)) and _NOT_BELOW.isdisjoint(around):
            return squeeze(text or arrow)
    return ""


def _rows_below(outline: Outline, last: int, *tags: str) -> list[int]:
    rows = outline.rows(*tags)
    return rows[bisect_right(rows, last) :]


def _leads_nowhere(element: Element) -> bool:
    return (element.get("href") or "#").startswith(("#", "javascript:"))


def _address_for_scripts(page: Page) -> str:
    """The address of the next page, where it stands for scripts alone: one of an application, or in an attribute of its own."""
    if route := next((route for route in routes(page) if (number := _PAGE_ADDRESS.search(route)) and number[1] == "2"), ""):
        return route[:LONGEST_LABEL]
    own = normalise(page.url)
    written: Any = _FOR_SCRIPTS(page.tree)  # type: ignore[arg-type]
    for address in map(str, written[:_MOST_SHOWN]):
        url = join(page.base, address, encoding=page.encoding)
        apart = pages_apart(own, normalise(url)) if url is not None and is_http(url) else None
        if apart is not None and apart[1] == apart[0] + 1:
            return address[:LONGEST_LABEL]
    return ""


def _endless(page: Page) -> str:
    """The script that brings more as one scrolls, or the name of the element that it works on."""
    scripts = (page.outline.elements[row].get("src") or "" for row in page.outline.rows("script"))
    names = (_name(page.outline.elements[row]) for row in page.outline.rows("div", "main", "ol", "section", "ul"))
    return next((match[0] for text in chain(scripts, names) if (match := _ENDLESS.search(text)) is not None), "")


def _is_no_link(outline: Outline, row: int) -> bool:
    has_links = any(outline.elements[link].get("href") for link in outline.rows_in(row, "a"))
    return not has_links and all(outline.tags[around] != "a" for around in outline.around(row))


def stated_counts(page: Page) -> tuple[Stated, ...]:
    """What the page says of the length of its listing; nothing where it says two different things."""
    written = {stated for text in _texts_with_numbers(page.outline) if (stated := _stated(text)) is not None}
    alone = [stated for stated in written if sum(other.items == stated.items for other in written) == 1]
    return tuple(dict.fromkeys((*_stated_in_header(page), *_stated_in_json(page.json), *sorted(alone, key=lambda stated: stated.text))))


def counts_of_articles(page: Page) -> tuple[Stated, ...]:
    """ "10 of 57 articles", "57 articles": how many there are by a page of an archive; nothing where it says two different things."""
    counts: dict[int, Stated] = {}
    for text in _texts_with_numbers(page.outline):
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
    return any(stem in _THINGS for stem in stems if len(stem) >= _SHORTEST_STEM or stem == word)


def _number(written: str) -> int:
    """Without what parts its thousands."""
    return int("".join(filter(str.isdigit, written)))


def _stated_in_header(page: Page) -> Iterator[Stated]:
    for name, value in page.headers:
        items = _HEADERS.get(name.lower())
        total = _whole(value.strip()) if items is not None else None
        if total is not None:
            yield Stated(f"{name}: {total}", None, total, items=bool(items))


def _stated_in_json(document: Any) -> Iterator[Stated]:
    if not isinstance(document, dict):
        return
    for holder in (document, *(document.get(name) for name in _JSON_HOLDERS)):
        if isinstance(holder, dict):
            yield from (Stated(f"{name}: {total}", None, total) for name in _JSON_PAGES if type(total := holder.get(name)) is int)


def _texts_with_numbers(outline: Outline) -> Iterator[str]:
    """A count stands in an element that holds nothing else, its numbers perhaps in elements of their own."""
    rows: dict[int, None] = {}
    texts = zip(outline.strings, outline.owners, strict=True)
    for string, row in [(string, row) for string, row in texts if len(string) < _LONGEST_STATED and _DIGIT.search(string)]:
        if outline.tags[row] not in _NO_COUNT:
            rows[row] = None
            if string.strip().isdigit() and row:
                rows[outline.parents[row]] = None
    yield from filter(None, (outline.short_text(row, _LONGEST_STATED) for row in rows))


def _stated(text: str) -> Stated | None:
    if items := _ITEMS_TEXT.fullmatch(text):
        first, last, total = map(_number, items.groups())
        return Stated(text, last, total, items=True) if first <= last <= total else None
    if pages := _PAGES_TEXT.fullmatch(text):
        here, total = int(pages[1]), int(pages[2])
        return Stated(text, here, total) if 0 < here <= total else None
    return None


def counts_by_pager(page: Page) -> tuple[Stated, ...]:
    """Numbers that stand in or beside a pager, in any language: "10. oldal, összesen 10 (142 bejegyzés)"."""
    outline, counts = page.outline, dict[str, Stated]()
    for row in outline.rows("div", "nav", "p", "section", "span", "td", "ul"):
        pager = outline.elements[row]
        name = _name(pager)
        links = outline.rows_in(row, "a", "select") if is_called_pager(name) and not _OTHER_BOX.search(name) else None
        if links is None or len(links) > _MOST_IN_PAGER:
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
