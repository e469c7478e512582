"""The links of a page that may lead to lists of articles: by what is written on them, what their addresses
say, and where they stand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from urllib.parse import unquote

from webarticlecurator.dates import day_in_url
from webarticlecurator.dates.cldr import fold
from webarticlecurator.extraction.alike import by_make
from webarticlecurator.extraction.pager_signs import ARCHIVE_WORDS, says_all
from webarticlecurator.labelling.element_names import LinkKind, link_kind
from webarticlecurator.learning.links.addresses import asks_for_period, is_file, is_of_period
from webarticlecurator.learning.links.placed_links import own_links, probable_articles
from webarticlecurator.model.page import Page, relations
from webarticlecurator.own_patterns import linear
from webarticlecurator.resources import read_word_lists
from webarticlecurator.urls import PAGE_WORD, bare_host, join, split_path

_MOST_WORDS = 4
_DEEPEST = 3
"""Segments of a section's path."""


class LeadsTo(StrEnum):
    """The page that a link seems to lead to, the most welcome first."""

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
    """The text of the link."""
    score: int
    in_menu: bool


ARCHIVE_LISTS = {
    name: frozenset(map(fold, words))
    for name, words in read_word_lists(__file__, "archive_words.txt").items()
}
_LATEST, _OF_THE_HOUSE = map(ARCHIVE_LISTS.__getitem__, ("latest", "of the house"))
_WORD = linear(r"[^\W\d_]+")
_DIGITS = linear(r"\d+")
_WORD_AND_YEAR = linear(r"/[^\W\d_]+[-_]?(?:19|20)\d\d(?:\.html?|\.php|/)?$")
_OLDER_PAGE = linear(rf"/{PAGE_WORD}[/-]?(?!1/?$)\d+/?$", re.IGNORECASE)


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
        if is_file(self.path) or _OLDER_PAGE.search(self.path) or self.path in ("", "/"):
            return True
        if (self.written | self.address) & _OF_THE_HOUSE:
            return True
        return is_of_the_house(self.path) or is_of_the_house("-".join(_WORD.findall(self.text)))

    @property
    def is_named_by_year(self) -> bool:
        """Say whether its name is one word and a year, as `/news-2011`, and that of no topic."""
        return _WORD_AND_YEAR.search(self.path) is not None and link_kind(self.path) is not LinkKind.TOPIC

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
    LeadsTo.DATES: lambda link: is_of_period(link.url) or asks_for_period(link.url) or link.is_named_by_year,
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
    return list(by_make(of_dates, lambda candidate: _DIGITS.sub("9", candidate.url)).values())


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
        if is_link and not page.is_at(url) and not is_file(url):
            editions.setdefault(url, language)
    return editions


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
        if is_of_period(url):
            labels.setdefault(url, page.outline.short_text(row, 40) or "")
    of_dates = (ArchiveCandidate(url, LeadsTo.DATES, text, 0, in_menu=False) for url, text in labels.items())
    listed = max(_calendars(of_dates), key=len, default=[])
    return _ends(listed) if len(listed) >= 3 else []


def is_of_the_house(path: str) -> bool:
    """Say whether an address is that of a page which every site has: contact, imprint, search."""
    return fold(unquote(path.rstrip("/").rpartition("/")[2]).partition(".")[0]) in _OF_THE_HOUSE


def _folded(text: str) -> frozenset[str]:
    return frozenset(fold(word) for word in _WORD.findall(text))
