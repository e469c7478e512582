"""What a look at a site has seen so far, and which links of a page may lead to an archive: by what is written on them, what their addresses
say, and where they stand."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import islice
from pathlib import Path
from urllib.parse import parse_qsl, unquote

from webarticlecurator.config.load import FILE_NAME, load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.databases import Row
from webarticlecurator.dates import day_in_url
from webarticlecurator.dates.cldr import fold
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extraction.pager_signs import ARCHIVE_WORDS, page_links, says_all
from webarticlecurator.extraction.site_entrances import Detected
from webarticlecurator.extraction.sitemaps import read_sitemap
from webarticlecurator.labelling.element_names import LinkKind, link_kind
from webarticlecurator.learning.links.anchors import is_menu, is_of_list, only_sorts, rows_in
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.links import ArchivePage
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.urls import bare_host, normalise, split_path
from webarticlecurator.word_lists import read_word_lists

SURE_ENOUGH = 0.5
"""From there on a software is named, and its preset."""
MOST_LINKS = 5_000
"""Of one page that are looked at: menus stand at the beginning, and traps have no end."""
_MOST_WORDS = 4
_DEEPEST = 3
"""Segments of a section's path."""


class LeadsTo(StrEnum):
    """What a link seems to lead to, the most welcome first."""

    ALL = "all articles"
    LATEST = "the latest articles"
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


ARCHIVE_LISTS = {name: frozenset(map(fold, words)) for name, words in read_word_lists(__file__, "archive_words.txt").items()}
_LATEST, _OF_THE_HOUSE = map(ARCHIVE_LISTS.__getitem__, ("latest", "of the house"))
_WORD = linear(r"[^\W\d_]+")
_FILE = linear(r"\.(?:avif|css|exe|gif|ico|jpe?g|js|json|mp3|mp4|pdf|png|rss|svg|webp|xml|zip|gz|docx?|xlsx?|pptx?)$", re.IGNORECASE)
_DATE_AT_END = linear(r"(?<!\d)(?:19|20)\d\d(?:[/_-](?:0?[1-9]|1[0-2])(?:[/_-](?:0?[1-9]|[12]\d|3[01]))?)?/?(?:\.html?|\.php)?$")
_DIGITS = linear(r"\d+")
_OLDER_PAGE = linear(r"/(?:page|oldal|seite|pagina|strana|sida|side|lap)[/-]?(?!1/?$)\d+/?$", re.IGNORECASE)


def archive_candidates(page: Page) -> tuple[ArchiveCandidate, ...]:
    """The links of a home page that may lead to an archive of its site, the likeliest first; each address once."""
    labels: dict[str, tuple[str, bool]] = {}
    paths: dict[str, str] = {}
    """As the home page would see them at the root of the host: what its own folders are called, and how many they are, says nothing."""
    home = f"{split_path(page.url)[0].rstrip('/')}/"
    for row, url, in_menu in own_links(page):
        paths[url] = f"/{split_path(url)[0].removeprefix(home).lstrip('/')}"
        text = page.outline.short_text(row, 40)
        if text and (url not in labels or (in_menu and not labels[url][1])):
            labels[url] = (text, in_menu)
    below: Counter[str] = Counter()
    """Folder -> other addresses below it."""
    for path in paths.values():
        pieces = path.split("/")
        below.update("/".join(pieces[:depth]) for depth in range(2, min(len(pieces), _DEEPEST + 2)) if pieces[depth:] != [""])
    folders = Counter(paths[url].rstrip("/").rpartition("/")[0] for url in probable_articles(page))
    holders = {folder for folder, held in folders.items() if held >= 3 and 2 * held > folders.total()}
    folder_of = {url: path.rstrip("/") for url, path in paths.items()}
    found = (
        _candidate(url, paths[url], text, in_menu, below[folder_of[url]], holds_most=folder_of[url] in holders)
        for url, (text, in_menu) in labels.items()
    )
    shapes, candidates = Counter[str](), list[ArchiveCandidate]()
    for candidate in sorted(filter(None, found), key=lambda candidate: ([*LeadsTo].index(candidate.leads_to), -candidate.score)):
        shape = _DIGITS.sub("9", candidate.url)
        shapes[shape] += candidate.leads_to is LeadsTo.DATES
        if shapes[shape] <= 2:  # of calendars that differ in nothing but the date
            candidates.append(candidate)
    return tuple(candidates[:200])


def own_links(page: Page) -> Iterator[tuple[int, str, bool]]:
    """Those to other pages of its host: row, address, and whether it stands in a menu."""
    host, menus = bare_host(page.url), rows_in(page.outline, is_menu)
    for element, url in islice(page_links(page, page.outline.rows("a")), MOST_LINKS):
        if bare_host(url) == host and not page.is_at(url):
            row = page.outline.row_of[element]
            yield row, url, row in menus


def archives_named(urls: Iterable[str]) -> tuple[ArchiveCandidate, ...]:
    """Of the addresses in a sitemap those whose last word says that all articles are listed there."""
    ends = ((url, unquote(split_path(url)[0]).rstrip("/").rpartition("/")[2]) for url in urls)
    return tuple(ArchiveCandidate(url, LeadsTo.ALL, end, 0, in_menu=False) for url, end in ends if fold(end) in ARCHIVE_WORDS)


def is_of_the_house(path: str) -> bool:
    """Whether an address is that of a page which every site has: contact, imprint, search."""
    return fold(unquote(path.rstrip("/").rpartition("/")[2]).partition(".")[0]) in _OF_THE_HOUSE


def probable_articles(page: Page, but: Sequence[str] = ()) -> list[str]:
    """Links of a page that are written like headlines, and lead to no list of an author's or a topic's, in their order."""
    others, articles = frozenset(but), dict[str, None]()
    for row, url, in_menu in own_links(page):
        if in_menu or url in others or only_sorts(url, page) or is_of_list(url) or _FILE.search(split_path(url)[0]):
            continue
        text = page.outline.short_text(row, 300)
        if text and len(text) >= 15 and len(_WORD.findall(text)) >= 3:
            articles[url] = None
    return list(articles)


def _candidate(url: str, path: str, text: str, in_menu: bool, below: int, *, holds_most: bool) -> ArchiveCandidate | None:
    """`path`: below the home page; `holds_most`: most articles that this links to lie immediately in it."""
    query = split_path(url)[1]
    said, address = _folded(text), _folded(unquote(path))
    if _FILE.search(path) or _OLDER_PAGE.search(path) or path in ("", "/"):
        return None
    if (said | address) & _OF_THE_HOUSE or any(map(is_of_the_house, (path, "-".join(_WORD.findall(text))))):
        return None
    segments, few_words = list(filter(None, path.split("/"))), len(text.split()) <= _MOST_WORDS
    is_short = few_words and 0 < len(segments) <= _DEEPEST and query.count("=") <= 1
    is_name = not linear(r"\d{3}").search(path) and len(_WORD.findall(unquote("".join(segments[-1:])))) <= _MOST_WORDS
    of_list = few_words and day_in_url(path) is None
    if _is_date(path, query):
        kind = LeadsTo.DATES
    elif of_list and says_all(" ".join(said), " ".join(address)):
        kind = LeadsTo.ALL
    elif of_list and said & _LATEST and len(segments) <= 1:
        kind = LeadsTo.LATEST
    elif is_short and is_name and (in_menu or below >= 2):  # other links that make it a section
        kind = LeadsTo.SECTION
    else:
        return None
    return ArchiveCandidate(url, kind, text, 10 * (in_menu + bool(said & _LATEST) + 2 * holds_most) + min(below, 9), in_menu)


def _is_date(path: str, query: str) -> bool:
    """Of a topic a year is a part of the name, /tag/budget-2024, and of a headline: /quiet-after-1938.html."""
    if at_end := _DATE_AT_END.search(path):
        words = _WORD.findall(path[: at_end.start()].rpartition("/")[2])
        return len(words) <= 1 and link_kind(path) is not LinkKind.TOPIC
    values = [value for _, value in parse_qsl(query)]
    return any(linear_at(r"(?:19|20)\d\d").fullmatch(value) for value in values) and all(
        _DIGITS.fullmatch(value) and len(value) <= 4 for value in values
    )


def _folded(text: str) -> frozenset[str]:
    return frozenset(fold(word) for word in _WORD.findall(text))


@dataclass(frozen=True, slots=True)
class ArchiveSeen:
    """An archive page that was looked at, and the page that follows it."""

    candidate: ArchiveCandidate | None
    """None: the home page."""
    pages: tuple[Page, ...]

    @property
    def is_of_a_time(self) -> bool:
        """A page of a year, a month or a day."""
        return self.candidate is not None and self.candidate.leads_to is LeadsTo.DATES


@dataclass(slots=True)
class SiteSeen:
    """All that was seen."""

    home: Page
    system: Detected | None = None
    """What the site is made with."""
    candidates: tuple[ArchiveCandidate, ...] = ()
    sitemaps: list[Row] = field(default_factory=list)
    """Those that were read, as the feeds: each with its `entrance`, and the `articles` and `sitemaps` that it leads to."""
    feeds: list[Row] = field(default_factory=list)
    title_of_feed: str = ""
    archives: list[ArchiveSeen] = field(default_factory=list)
    boards: Row | None = None
    """Of a forum, each of which lists threads: the `urls` of all that the home page leads to, normalised; the `archives` that were looked
    at; and what finds the threads on them by its first rule, the `links`."""
    articles: list[Page] = field(default_factory=list)
    threads: list[Page] = field(default_factory=list)
    """Of the articles those that are read as posts of a forum."""
    asked: set[ArchiveCandidate] = field(default_factory=set)
    """Links whose pages were asked for."""
    failed: list[tuple[str, str, bool]] = field(default_factory=list)
    """Addresses that were asked for in vain, why, and whether the site says that there is nothing."""

    @property
    def archive_pages(self) -> list[Page]:
        return [page for archive in (*self.archives, *(self.boards.archives if self.boards else ())) for page in archive.pages]

    @property
    def pages(self) -> list[Page]:
        """All that are HTML, each once: the home page first."""
        return list({page.url: page for page in reversed([self.home, *self.archive_pages, *self.articles])}.values())[::-1]

    @property
    def fed(self) -> frozenset[str]:
        """Articles that a feed of the site names."""
        return frozenset(normalise(url) for feed in self.feeds for url in feed.articles)


def read_list(capture: Capture, kind: str, home: str) -> ArchivePage | None:
    """What a sitemap or a feed of a site names, by the rules of the preset; None: it is neither."""
    portal = portal_by_preset(home, kind)
    try:
        read = read_sitemap(capture, portal.columns[0], portal)
    except PatternTimeout:
        return None
    return None if isinstance(read, NoPage) else read


def portal_by_preset(home: str, preset: str) -> Portal:
    """A site of which nothing else is known."""
    return load_portal(Path(FILE_NAME), content=f"portal: site\nhome: {json.dumps(home)}\nextends: {preset}\n".encode())
