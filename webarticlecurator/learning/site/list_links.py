"""Which links of a page may lead to lists of articles: by what is written on them, what their addresses say,
and where they stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from itertools import islice
from urllib.parse import parse_qsl, unquote

from webarticlecurator.dates import day_in_url
from webarticlecurator.dates.cldr import fold
from webarticlecurator.extraction.pager_signs import ARCHIVE_WORDS, page_links, says_all
from webarticlecurator.labelling.element_names import LinkKind, link_kind
from webarticlecurator.learning.links.anchors import is_menu, is_of_list, only_sorts, rows_in
from webarticlecurator.model.page import Page, relations
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.resources import read_word_lists
from webarticlecurator.urls import bare_host, join, split_path

MOST_LINKS = 5_000
"""Of one page that are looked at: menus stand at the beginning, and traps have no end."""
_MOST_WORDS = 4
_DEEPEST = 3
"""Segments of a section's path."""


class LeadsTo(StrEnum):
    """What a link seems to lead to, the most welcome first."""

    ALL = "all articles"
    LATEST = "the latest articles"
    EDITION = "the site in another language"
    SECTION = "a section"
    DATES = "the articles of a time"


@dataclass(frozen=True, slots=True)
class ArchiveCandidate:
    """A link that may lead to an archive."""

    url: str
    leads_to: LeadsTo
    text: str
    """What is written on it."""
    score: int
    in_menu: bool


ARCHIVE_LISTS = {
    name: frozenset(map(fold, words))
    for name, words in read_word_lists(__file__, "archive_words.txt").items()
}
_LATEST, _OF_THE_HOUSE = map(ARCHIVE_LISTS.__getitem__, ("latest", "of the house"))
_WORD = linear(r"[^\W\d_]+")
_FILE = linear(
    r"\.(?:avif|css|exe|gif|ico|jpe?g|js|json|mp3|mp4|pdf|png|rss|svg|webp|xml|zip|gz|docx?|xlsx?|pptx?)$",
    re.IGNORECASE,
)
_DATE_AT_END = linear(
    r"(?<!\d)(?:19|20)\d\d(?:[/_-](?:0?[1-9]|1[0-2])(?:[/_-](?:0?[1-9]|[12]\d|3[01]))?)?/?(?:\.html?|\.php)?$"
)
_DIGITS = linear(r"\d+")
_OLDER_PAGE = linear(r"/(?:page|oldal|seite|pagina|strana|sida|side|lap)[/-]?(?!1/?$)\d+/?$", re.IGNORECASE)


@dataclass(frozen=True)
class _Link:
    """A link of a home page, as it is judged."""

    url: str
    path: str
    """As the home page would see it at the root of its host: what its own folders are called, and how many
    they are, says nothing."""
    text: str
    in_menu: bool
    below: int
    """Other addresses of the page below it."""
    holds_most: bool
    """Most articles that the page links to lie immediately in it."""

    @cached_property
    def query(self) -> str:
        return split_path(self.url)[1]

    @cached_property
    def written(self) -> frozenset[str]:
        """The words that are written on it."""
        return _folded(self.text)

    @cached_property
    def address(self) -> frozenset[str]:
        """The words of its address."""
        return _folded(unquote(self.path))

    @property
    def few_words(self) -> bool:
        return len(self.text.split()) <= _MOST_WORDS

    @cached_property
    def segments(self) -> list[str]:
        return list(filter(None, self.path.split("/")))

    @property
    def may_be_list(self) -> bool:
        """Say whether it has few words, and no day of an article in its address."""
        return self.few_words and day_in_url(self.path) is None

    @property
    def is_no_list(self) -> bool:
        """Say whether it is a file, the home page, an older page of a list, or what every site has."""
        if _FILE.search(self.path) or _OLDER_PAGE.search(self.path) or self.path in ("", "/"):
            return True
        if (self.written | self.address) & _OF_THE_HOUSE:
            return True
        return is_of_the_house(self.path) or is_of_the_house("-".join(_WORD.findall(self.text)))

    @property
    def is_section(self) -> bool:
        """Say whether it is a short name, in a menu or with other addresses below it."""
        is_short = self.few_words and 0 < len(self.segments) <= _DEEPEST and self.query.count("=") <= 1
        last = unquote("".join(self.segments[-1:]))
        is_name = not linear(r"\d{3}").search(self.path) and len(_WORD.findall(last)) <= _MOST_WORDS
        return is_short and is_name and (self.in_menu or self.below >= 2)

    @property
    def score(self) -> int:
        says_latest = bool(self.written & _LATEST)
        return 10 * (self.in_menu + says_latest + 2 * self.holds_most) + min(self.below, 9)


_SIGNS: Mapping[LeadsTo, Callable[[_Link], bool]] = {
    LeadsTo.DATES: lambda link: _is_date(link.path, link.query),
    LeadsTo.ALL: lambda link: link.may_be_list and says_all(" ".join(link.written), " ".join(link.address)),
    LeadsTo.LATEST: lambda link: (
        link.may_be_list and bool(link.written & _LATEST) and len(link.segments) <= 1
    ),
    LeadsTo.SECTION: lambda link: link.is_section,
}
"""By what is told where a link leads to; the first that holds counts."""


def archive_candidates(page: Page) -> tuple[ArchiveCandidate, ...]:
    """Return the links of a home page that may lead to an archive of its site, the likeliest first; each
    address once."""
    candidates = {link.url: candidate for link in _links_of(page) if (candidate := _judged(link)) is not None}
    for url, language in _editions(page).items():
        text = candidates[url].text if url in candidates else language
        candidates[url] = ArchiveCandidate(url, LeadsTo.EDITION, text, 0, in_menu=True)
    order = [*LeadsTo]
    in_order = sorted(candidates.values(), key=lambda each: (order.index(each.leads_to), -each.score))
    others = [each for each in in_order if each.leads_to is not LeadsTo.DATES]
    of_dates = [each for each in in_order if each.leads_to is LeadsTo.DATES]
    ends = [end for calendar in _calendars(of_dates) for end in _ends(calendar)]
    return (*others[:200], *ends[:20])


def links_of_site(home: Page, others: Sequence[Page]) -> list[ArchiveCandidate]:
    """Return what the home page and all other pages lead to, whatever holds the links: it is as good as a
    menu."""
    on_all = set.intersection(*({url for _, url, _ in own_links(page)} for page in (home, *others)))
    links = (replace(link, in_menu=True) for link in _links_of(home) if link.url in on_all)
    return [candidate for link in links if (candidate := _judged(link)) is not None]


def _calendars(of_dates: Iterable[ArchiveCandidate]) -> list[list[ArchiveCandidate]]:
    """Return the links to dates, together those that differ in nothing but the date."""
    calendars: dict[str, list[ArchiveCandidate]] = {}
    for candidate in of_dates:
        calendars.setdefault(_DIGITS.sub("9", candidate.url), []).append(candidate)
    return list(calendars.values())


def _ends(calendar: Iterable[ArchiveCandidate]) -> list[ArchiveCandidate]:
    """Return the link to the newest date and that to the oldest."""
    by_time = sorted(
        calendar, key=lambda each: [int(number) for number in _DIGITS.findall(each.url)[-3:]], reverse=True
    )
    return [by_time[0], *by_time[1:][-1:]]


def _judged(link: _Link) -> ArchiveCandidate | None:
    """Return where a link leads to; None if it leads to no list."""
    if link.is_no_list:
        return None
    for kind, holds in _SIGNS.items():
        if holds(link):
            return ArchiveCandidate(link.url, kind, link.text, link.score, link.in_menu)
    return None


def _links_of(page: Page) -> Iterator[_Link]:
    """Yield the links of a page to others of its site, each address once, with what menus call it, or the
    first link to it."""
    labels: dict[str, tuple[str, bool]] = {}
    paths: dict[str, str] = {}
    home = f"{split_path(page.url)[0].rstrip('/')}/"
    for row, url, in_menu in own_links(page):
        paths[url] = f"/{split_path(url)[0].removeprefix(home).lstrip('/')}"
        text = page.outline.short_text(row, 40)
        is_better = url not in labels or (in_menu and not labels[url][1])
        if text and is_better:
            labels[url] = (text, in_menu)
    below, holders = _addresses_below(paths.values()), _folders_of_articles(page, paths)
    for url, (text, in_menu) in labels.items():
        folder = paths[url].rstrip("/")
        yield _Link(url, paths[url], text, in_menu, below[folder], folder in holders)


def _addresses_below(paths: Iterable[str]) -> Counter[str]:
    """Return how many other addresses lie below each folder."""
    below = Counter[str]()
    for path in paths:
        pieces = path.split("/")
        depths = range(2, min(len(pieces), _DEEPEST + 2))
        below.update("/".join(pieces[:depth]) for depth in depths if pieces[depth:] != [""])
    return below


def _folders_of_articles(page: Page, paths: Mapping[str, str]) -> set[str]:
    """Return the folder that most articles lie in which a page links to, if there is one."""
    folders = Counter(paths[url].rstrip("/").rpartition("/")[0] for url in probable_articles(page))
    return {folder for folder, held in folders.items() if held >= 3 and 2 * held > folders.total()}


def _editions(page: Page) -> dict[str, str]:
    """Return the addresses of the page in other languages, as it names them (`hreflang`), with the
    language."""
    host, editions = bare_host(page.url), dict[str, str]()
    for element in page.outline.named("link", "a"):
        language = (element.get("hreflang") or "").strip().lower()
        url = join(page.base, element.get("href") or "")
        if not language or language == "x-default" or url is None or bare_host(url) != host:
            continue
        is_link = element.tag == "a" or "alternate" in relations(element)
        if is_link and not page.is_at(url) and not _FILE.search(split_path(url)[0]):
            editions.setdefault(url, language)
    return editions


def own_links(page: Page) -> Iterator[tuple[int, str, bool]]:
    """Yield the links to other pages of its host: row, address, and whether it stands in a menu."""
    host, menus = bare_host(page.url), rows_in(page.outline, is_menu)
    for element, url in islice(page_links(page, page.outline.rows("a")), MOST_LINKS):
        if bare_host(url) == host and not page.is_at(url):
            row = page.outline.row_of[element]
            yield row, url, row in menus


def archives_named(urls: Iterable[str]) -> tuple[ArchiveCandidate, ...]:
    """Return those addresses of a sitemap whose last word says that all articles are listed there."""
    ends = ((url, unquote(split_path(url)[0]).rstrip("/").rpartition("/")[2]) for url in urls)
    return tuple(
        ArchiveCandidate(url, LeadsTo.ALL, end, 0, in_menu=False)
        for url, end in ends
        if fold(end) in ARCHIVE_WORDS
    )


def dates_listed(page: Page) -> list[ArchiveCandidate]:
    """Return the newest and the oldest of the years, months or days that a page lists; nothing if it lists
    fewer than three alike."""
    labels: dict[str, str] = {}
    for row, url, _ in own_links(page):
        if is_of_dates(url):
            labels.setdefault(url, page.outline.short_text(row, 40) or "")
    of_dates = (ArchiveCandidate(url, LeadsTo.DATES, text, 0, in_menu=False) for url, text in labels.items())
    listed = max(_calendars(of_dates), key=len, default=[])
    return _ends(listed) if len(listed) >= 3 else []


def is_of_the_house(path: str) -> bool:
    """Say whether an address is that of a page which every site has: contact, imprint, search."""
    return fold(unquote(path.rstrip("/").rpartition("/")[2]).partition(".")[0]) in _OF_THE_HOUSE


def probable_articles(page: Page, but: Sequence[str] = ()) -> list[str]:
    """Return the links of a page that are written like headlines, and lead to no list of an author's or a
    topic's, in their order."""
    others, articles = frozenset(but), dict[str, None]()
    for row, url, in_menu in own_links(page):
        if (
            in_menu
            or url in others
            or only_sorts(url, page)
            or is_of_list(url)
            or _FILE.search(split_path(url)[0])
        ):
            continue
        text = page.outline.short_text(row, 300)
        if text and len(text) >= 15 and len(_WORD.findall(text)) >= 3:
            articles[url] = None
    return list(articles)


def is_of_dates(url: str) -> bool:
    """Say whether an address says nothing but a year, a month or a day: that of the list of what came out
    then."""
    path, query = split_path(url)
    return (
        not query
        and linear(r"/(?:19|20)\d\d(?:[-/](?:0?[1-9]|1[0-2])(?:[-/]\d\d?)?)?(?:\.html?|/)?$").search(path)
        is not None
    )


def _is_date(path: str, query: str) -> bool:
    """Of a topic a year is a part of the name, /tag/budget-2024, and of a headline:
    /quiet-after-1938.html."""
    if at_end := _DATE_AT_END.search(path):
        words = _WORD.findall(path[: at_end.start()].rpartition("/")[2])
        return len(words) <= 1 and link_kind(path) is not LinkKind.TOPIC
    values = [value for _, value in parse_qsl(query)]
    has_year = any(linear_at(r"(?:19|20)\d\d").fullmatch(value) for value in values)
    return has_year and all(_DIGITS.fullmatch(value) and len(value) <= 4 for value in values)


def _folded(text: str) -> frozenset[str]:
    return frozenset(fold(word) for word in _WORD.findall(text))
