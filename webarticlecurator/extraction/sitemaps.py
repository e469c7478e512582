"""The list that a sitemap is, in whatever form: XML with its news and image extensions, an index of sitemaps,
plain text, robots.txt, a feed, a page of HTML that names one.

It is read as it comes, in parts, and never held as a whole: a tree of sitemaps may list a million articles.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import chain

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.budget import Budget
from webarticlecurator.config.portal import ArchiveFormat, Column, PagingMode, Portal
from webarticlecurator.dates import find_date
from webarticlecurator.document.decode import LongText
from webarticlecurator.document.parsed_page import read_page
from webarticlecurator.document.xml import LONGEST_PROLOGUE, XmlFlaw, elements, local_name
from webarticlecurator.extraction.archive_page import of_other_scheme, read_archive_page
from webarticlecurator.extraction.picked_values import UNASKED_DATES
from webarticlecurator.extraction.site_entrances import named_entrances
from webarticlecurator.extraction.url_rules import article_url, cleaned, fits_any, identity_of
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.links import (
    OTHER_HOST,
    ArchivePage,
    ArticleLink,
    RefusedLink,
    SitemapFile,
    WrittenLink,
)
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import squeeze, unescaped
from webarticlecurator.urls import host_allowed, is_http, join, normalise

PART = 5_000
"""URLs that are held at a time."""
_MOST_ENTRIES = 250_000
"""Entries of one sitemap; the standard has 50,000."""
_MOST_SITEMAPS = 50_000
"""In one index of sitemaps; the standard has as many."""
_ROOT = linear(r"<(?:[\w.-]{1,40}:)?([a-z]{3,20})(?=[\s/>])", re.IGNORECASE)
_ROOTS = frozenset({"urlset", "sitemapindex"})
_FEED_ROOTS = frozenset({"rss", "feed", "rdf"})
_ROBOTS = linear_at(r"(?i)(?:sitemap|user-agent|disallow|allow|crawl-delay)[ \t]{0,20}:")
"""The beginning of a line of robots.txt."""
_SITEMAP_IN_ROBOTS = linear_at(r"(?i)sitemap[ \t]{0,20}:[ \t]{0,20}(\S{1,8000})")
_LONGEST_TEXT = 8_192
"""Characters of one element, or of one line, that are kept."""
_NOT_READ = 50
"""Characters of an address or a date that is none which are shown."""

_PLACES: Mapping[str, str] = {
    "loc": "url",
    "lastmod": "lastmod",
    "news/publication_date": "datePublished",
    "news/title": "headline",
    "news/keywords": "keywords",
    "news/genres": "genre",
    "news/publication/language": "inLanguage",
    "image/loc": "image",
}
"""Elements within an entry -> listing field; the first of each counts.

What is not named here (video, alternates) is no article's.
"""

Entry = tuple[bool, Mapping[str, str]]
"""True for a sitemap, False for an article; and what stands in it."""


def read_sitemap(
    capture: Capture, column: Column, portal: Portal, take: Callable[[ArchivePage], None] | None = None
) -> ArchivePage | NoPage:
    """Return the last part of what a sitemap lists, with all that is to be said of the whole.

    `take` is given the parts before.

    Without `take` it is one part. Raises PatternTimeout where the rules of the portal file need too long.
    """
    text = LongText(capture, portal.fetch.encoding)
    form = _form(text, capture)
    if form is None:
        return _read_feed(capture, column, portal)
    if isinstance(form, NoPage):
        return form
    part = _Part(column, portal, column.base or capture.url)
    overfull, flaw = False, ""
    try:
        overfull = _fill(part, form, take)
    except XmlFlaw as problem:
        flaw = str(problem)
    # what is cut off here is no mistake of the sitemap's
    broken = text.flaw or ("" if text.cut_at_cap else flaw)
    overfull = overfull or text.cut_at_cap
    return replace(part.page(), sitemaps=tuple(part.sitemaps.values()), overfull=overfull, broken=broken)


def _read_feed(capture: Capture, column: Column, portal: Portal) -> ArchivePage | NoPage:
    """Return what RSS or Atom lists, which may be sitemaps, too."""
    page = read_page(capture, encoding=portal.fetch.encoding, format=ArchiveFormat.FEED, classified=True)
    if isinstance(page, NoPage):
        return page
    paging = replace(column.paging, mode=PagingMode.NEXT_LINK)
    read = read_archive_page(page, replace(column, format=ArchiveFormat.FEED, paging=paging), portal)
    if read.next_url is None:
        return read
    return replace(read, sitemaps=(SitemapFile(normalise(read.next_url)),))


def _fill(part: _Part, entries: Iterable[Entry], take: Callable[[ArchivePage], None] | None) -> bool:
    """Take in entries; return whether there are more of them than are read. Raises XmlFlaw."""
    for number, (is_sitemap, values) in enumerate(entries):
        if number == _MOST_ENTRIES or len(part.sitemaps) == _MOST_SITEMAPS:
            return True
        if take is not None and part.size >= PART:
            take(part.page())
            part.begin()
        with part.budget:
            part.add(values, is_sitemap=is_sitemap)
    return False


@dataclass(slots=True)
class _Part:
    """Holds some of the articles of one sitemap, and all sitemaps that it leads to."""

    column: Column
    portal: Portal
    base: str
    before: int = 0
    articles: dict[str, ArticleLink] = field(default_factory=dict)
    refused: dict[str, RefusedLink] = field(default_factory=dict)
    written: list[WrittenLink] = field(default_factory=list)
    sitemaps: dict[str, SitemapFile] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    unread_dates: int = 0
    unread_date: str = ""

    @property
    def size(self) -> int:
        return len(self.articles) + len(self.refused)

    def page(self) -> ArchivePage:
        return ArchivePage(
            articles=tuple(self.articles.values()),
            refused=tuple(self.refused.values()),
            written=tuple(self.written),
            before=self.before,
            unread_dates=self.unread_dates,
            unread_date=self.unread_date,
        )

    def begin(self) -> None:
        self.before += self.size
        self.articles, self.refused, self.written, self.budget = {}, {}, [], Budget()

    def add(self, entry: Mapping[str, str], *, is_sitemap: bool) -> None:
        """Take in an entry, or the reason why it is refused."""
        joined = self._joined(entry["url"])
        judge = self._sitemap_url if is_sitemap else self._article_url
        listed = judge(joined) if isinstance(joined, str) else joined
        if isinstance(listed, RefusedLink):
            self.refused.setdefault(listed.url, listed)
        elif is_sitemap:
            changed = self._fields(entry).get("lastmod", (None,))[0]
            self.sitemaps.setdefault(listed, SitemapFile(listed, changed))
        else:
            self._add_article(listed, str(joined), entry)

    def _article_url(self, joined: str) -> str | RefusedLink:
        return article_url(joined, self.column.urls, self.portal)

    def _add_article(self, listed: str, joined: str, entry: Mapping[str, str]) -> None:
        url = normalise(listed)
        if self.column.urls.may_unite:
            self.written.append(WrittenLink(url, normalise(joined), ""))
        identity, fields = identity_of(url, self.portal), self._fields(entry)
        article = ArticleLink(url=url, identity=identity, spellings=(listed,), fields=fields)
        self.articles.setdefault(url, article)

    def _fields(self, entry: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
        """Return what an entry says of its article."""
        fields = {}
        for name, text in entry.items():
            values = tuple(filter(None, _READERS.get(name, _read_text)(self, text)))
            if values:
                fields[name] = values
        return fields

    def _sitemap_url(self, joined: str) -> str | RefusedLink:
        """Return the address of a sitemap: `urls.sitemaps`, `urls.exclude` and `urls.hosts` hold for it, but
        `urls.only` is said of articles."""
        rules = self.column.urls
        url = cleaned(joined, rules)
        normal = normalise(url)
        if rules.sitemaps and not fits_any(rules.sitemaps, url):
            return RefusedLink(url=normal, reason="urls.sitemaps")
        if fits_any(rules.exclude, url):
            return RefusedLink(url=normal, reason="urls.exclude")
        is_allowed = host_allowed(normal, self.portal.hosts, rules.hosts)
        return normal if is_allowed else RefusedLink(url=normal, reason=OTHER_HOST)

    def _joined(self, written: str) -> str | RefusedLink:
        joined = join(self.base, written)
        if joined is None:
            return RefusedLink(url=squeeze(written)[:_NOT_READ], reason="no web address", is_web=True)
        return joined if is_http(joined) else of_other_scheme(joined)

    def date(self, text: str) -> str | None:
        """Return a date; some software writes it as the site's language does, whatever the standard says."""
        language = self.column.language or self.portal.language
        read = find_date(UNASKED_DATES, text, language=language, timezone=self.portal.timezone, now=None)
        if read is not None:
            return read.value
        self.unread_dates += 1
        self.unread_date = self.unread_date or squeeze(text)[:_NOT_READ]
        return None


def _read_text(_: _Part, text: str) -> Iterable[str]:
    return (squeeze(unescaped(text)),)


def _read_date(part: _Part, text: str) -> Iterable[str | None]:
    return (part.date(text),)


_READERS: Mapping[str, Callable[[_Part, str], Iterable[str | None]]] = {
    "url": lambda *_: (),
    "keywords": lambda _, text: map(squeeze, text.split(",")),
    "lastmod": _read_date,
    "datePublished": _read_date,
    "image": lambda part, text: (join(part.base, text),),
}
"""Readers of texts that are no plain ones, by their listing field."""


def _form(text: LongText, capture: Capture) -> Iterator[Entry] | NoPage | None:
    """Return the entries of a document, by what it is; None: it is a feed."""
    pieces = text.pieces()
    start = next(pieces, "")
    name, begin = _root(start)
    if not start.lstrip().startswith("<") and name not in _ROOTS:
        return _lines(start, pieces)
    if name in _FEED_ROOTS:
        return None
    named = _sitemaps_of_page(capture) if name == "html" else []
    if named:
        return iter(named)
    if name not in _ROOTS:
        return NoPage(f"no sitemap: it is <{name}>, not <urlset> or <sitemapindex>")
    entries = map(_entry, elements(chain([start[begin:]], pieces), frozenset({"url", "sitemap"})))
    return (entry for entry in entries if "url" in entry[1])


def _root(start: str) -> tuple[str, int]:
    """Return the name of the root of a document, and where it begins.

    That of a sitemap is looked for behind what else stands there, a document type with its entities among it.
    """
    roots = [(root[1].lower(), root.start()) for root in _ROOT.finditer(start, 0, LONGEST_PROLOGUE)]
    known = [root for root in roots if root[0] in _ROOTS | _FEED_ROOTS]
    return (*known, *roots, ("?", 0))[0]


def _sitemaps_of_page(capture: Capture) -> list[Entry]:
    """Return the sitemaps that a page of HTML names in its head: `<link rel="sitemap"
    href="/sitemap.xml">`."""
    page = read_page(capture)
    entrances = named_entrances(page) if isinstance(page, Page) else ()
    return [(True, {"url": entrance.url}) for entrance in entrances if entrance.kind == "sitemap"]


def _entry(element: Element) -> Entry:
    values: dict[str, str] = {}
    for place, inner in _places(element):
        if place in _PLACES:
            text = "".join(map(str, inner.itertext())).strip()
            if text:
                # as many write it in CDATA
                values.setdefault(_PLACES[place], text[:_LONGEST_TEXT].replace("&amp;", "&"))
    return local_name(element).lower() == "sitemap", values


def _places(element: Element, path: str = "") -> Iterator[tuple[str, Element]]:
    """Give all that is in an element, by the names that lead there."""
    for child in element.iterchildren(etree.Element):
        place = f"{path}{local_name(child).lower()}"
        yield place, child
        yield from _places(child, f"{place}/") if len(child) else ()


def _lines(start: str, pieces: Iterator[str]) -> Iterator[Entry]:
    """Give a URL a line; of robots.txt, only the lines for sitemaps count."""
    is_robots = says_anything = False
    rest = ""
    for piece in chain([start], pieces, ["\n"]):
        *lines, rest = (rest + piece).split("\n")
        for line in map(str.strip, lines):
            sitemap = _SITEMAP_IN_ROBOTS.match(line)
            is_robots |= _ROBOTS.match(line) is not None
            if sitemap:
                yield True, {"url": sitemap[1]}
            elif not is_robots and is_http(line):
                says_anything = True
                yield False, {"url": line}
        if len(rest) > _LONGEST_TEXT:
            raise XmlFlaw(f"a line of more than {_LONGEST_TEXT:,} characters")
    if not is_robots and not says_anything:
        raise XmlFlaw("it is neither XML nor a list of addresses")
