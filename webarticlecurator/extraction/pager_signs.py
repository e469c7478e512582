"""Labels, names and addresses that tell of the pages of a list."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache, partial

from lxml.etree import _Element as Element

from webarticlecurator.dates.cldr import fold
from webarticlecurator.extraction.url_rules import ROUTE
from webarticlecurator.model.page import Page, relations
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.resources import read_word_lists
from webarticlecurator.text import normalised, squeeze
from webarticlecurator.urls import PAGE_WORD, is_http, join, normalise, split_path

REL_NEXT = "rel=next"
"""Stands for the words on a link that says so."""
LONGEST_LABEL = 40
_LISTS = read_word_lists(__file__, "pager_words.txt")


def _small(name: str) -> frozenset[str]:
    """Return a list of words in small letters."""
    return frozenset(map(str.casefold, _LISTS[name]))


def _folded(name: str) -> frozenset[str]:
    """Return a list of words without accents."""
    return frozenset(map(fold, _LISTS[name]))


NEXT_PHRASES = _small("older")
"""Phrases that are said of nothing else but a next page."""
NEXT_WORDS = _small("next")
"""Words that are said of a next page, and of many things."""
SAID_OF_NEXT = NEXT_PHRASES | NEXT_WORDS
"""Words and phrases that are said of a next page."""
BACK_WORDS = _small("back")
"""Words of earlier pages, which are the older ones where pages count downwards."""
PHRASES = NEXT_PHRASES | frozenset(word for word in BACK_WORDS if " " in word)
"""Phrases that are said of nothing else but other pages."""
WORDS_OF_PAGERS = SAID_OF_NEXT | BACK_WORDS
"""Words and phrases that are said of other pages."""
MORE_WORDS = _small("more")
"""Words on buttons that bring more of a list."""
ARCHIVE_WORDS = _folded("archive")
"""Words on links to a list of all articles."""
_ALL = _folded("all")
"""Words on links to a list of all, beside a word for things."""
THINGS = _folded("things")
"""Things that lists have."""
ARROWS = " \u00a0.:…‹›«»<>←→↓⟩⟨❯➔➜►▸|"

WORD = linear(r"[^\W\d_]+")
_NAMED = linear(
    r"pagin|pager|paging|page[-_ ]?(?:numbers?|links?|nav)|nav[-_]?links|posts?[-_]nav|next[-_]?(?:link|page)"
    r"|older[-_]?(?:posts?|entries|articles)|lapoz|blätter|blaetter"
)
"""Names of pagers."""
_NAMED_ON = linear(r"(?<![A-Za-z])(?:next(?!to)|older|forward)|Next|Older")
_NAMED_BACK = linear(r"(?<![A-Za-z])(?:prev(?!iew)|newer)|Prev(?!iew)|Newer")
OTHER_BOX = linear(r"carousel|gallery|slick|slide|swiper|calendar", re.IGNORECASE)
"""Names of sliders and calendars, which have buttons and numbers of their own."""
_MOST_WORDS = 4
"""On a link to all articles."""
_NAMES, _LONGEST_NAME = ("class", "id", "role", "aria-label"), 300
LEVELS = 4
"""Levels around a link in which an element may be called a pager."""
MOST_IN_PAGER = 40
"""Links; what holds more is a page that has a pager."""

PAGE_ADDRESS = linear(
    r"(?=[clops])(?<![^\W\d_])(?:page|paged|pageno|page_?number|currentpage|pag|pagina|página|oldal|lap|seite|strana"
    r"|stránka|strona|sida|side|sivu|stranica|sayfa|stran|start|offset|skip|limitstart|p(?=\d{1,3}(?:\.html?|/|$)))"
    r"[-_/=]?(\d{1,6})(?:\.\w{1,5})?/?(?=$|[?&#])",
    re.IGNORECASE,
)
"""The number of a page, or of the first item on it, in an address."""
DIGIT, _DIGITS = linear(r"[0-9]"), linear(r"(\d+)")

_FILE = linear(
    r"\.(?!html?$|php$|aspx?$|jsp$)[a-z][a-z0-9]{1,4}$|(?:^|[/=_-])(?:rss|feed|atom|xml|print)(?:$|[/&_-])",
    re.IGNORECASE,
)
"""Ends the addresses of pictures, papers, packed files and feeds."""
_PAGE_LABEL = linear_at(rf"(?:{PAGE_WORD}\s*)?([0-9]{{1,6}})\.?(?:\s*{PAGE_WORD})?", re.IGNORECASE)


def page_links(page: Page, rows: Iterable[int] | None = None) -> Iterator[tuple[Element, str]]:
    """Give every link of an HTML page, or those in these rows, with its normalised URL.

    Also the head's `rel=next`.
    """
    outline = page.outline
    joined = cache(partial(address_of, page))
    for row in outline.rows("a", "link") if rows is None else rows:
        element = outline.elements[row]
        href = element.get("href")
        if not href or href[0] == "#" or (element.tag == "link" and "next" not in relations(element)):
            continue
        url = joined(href)
        if url is not None:
            yield element, url


def address_of(page: Page, href: str) -> str | None:
    """Return the normalised URL that a link of the page leads to; None where it is none of the web."""
    url = join(page.base, href, encoding=page.encoding)
    return normalise(url) if url is not None and is_http(url) else None


def routes(page: Page) -> tuple[str, ...]:
    """Return the links of an application that keeps its own addresses behind a `#`.

    To everybody but its scripts they are the page itself.
    """
    addresses = (link.get("href", "") for link in page.outline.named("a"))
    return tuple(dict.fromkeys(filter(ROUTE.match, addresses)))


def says_all(text: str, address: str = "") -> bool:
    """Say whether the few words on a link, or its address, say "archive", or its words "all articles"."""
    short = text if len(text.split()) <= _MOST_WORDS else ""  # else it is a title
    words, named = (frozenset(map(fold, WORD.findall(written))) for written in (short, address))
    return not ARCHIVE_WORDS.isdisjoint(words | named) or not (
        _ALL.isdisjoint(words) or THINGS.isdisjoint(words)
    )


def leads_to_file(url: str) -> bool:
    """Say whether an address is that of a picture, a paper, a packed file or a feed, and of no page."""
    path, query = split_path(url)
    return _FILE.search(path.rstrip("/")) is not None or _FILE.search(query) is not None


YEARS = frozenset(range(1900, 2101))
"""Numbers that may rather be those of years than of pages."""


def is_year(number: int) -> bool:
    """Say whether a number may rather be a year than a page."""
    return number in YEARS


def are_next(numbers: tuple[int, int] | None) -> bool:
    """Say whether the second of two numbers of pages is that of the next page."""
    return numbers is not None and numbers[1] == numbers[0] + 1


def page_label(text: str) -> int | None:
    """Return the number, where what is written on a link is nothing but that of a page."""
    match = _PAGE_LABEL.fullmatch(text)
    return int(match[1]) if match is not None else None


@lru_cache(maxsize=8192)
def plain_label(text: str) -> str:
    """Return what a link says, without arrows and numbers: "older 50"."""
    return normalised("NFC", squeeze(_DIGITS.sub(" ", text.strip(ARROWS)).casefold())).strip(ARROWS)


def names_of(element: Element) -> str:
    """Return what an element is called in class, id, role and label."""
    if not element.attrib:
        return ""
    return " ".join([value[:_LONGEST_NAME] for name in _NAMES if (value := element.get(name))])


@lru_cache(maxsize=8192)
def says_where(names: str) -> tuple[bool, bool]:
    """Say whether names tell that a link leads on, and back."""
    return _NAMED_ON.search(names) is not None, _NAMED_BACK.search(names) is not None


@lru_cache(maxsize=8192)
def is_called_pager(names: str) -> bool:
    """Say whether classes or an id tell that a pager stands there."""
    return _NAMED.search(names.lower()) is not None
