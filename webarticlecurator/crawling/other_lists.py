"""Which other lists does the site have: pages that its lists, menus and articles lead to, its feed, its sitemaps?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, filterfalse, islice
from mimetypes import MimeTypes

from webarticlecurator.config.portal import ArchiveFormat, Column
from webarticlecurator.crawling.looks import look, page_in, stored_pages
from webarticlecurator.crawling.requests import place_at
from webarticlecurator.crawling.run import Run
from webarticlecurator.extraction.address_forms import site_of
from webarticlecurator.extraction.archive_page import article_urls
from webarticlecurator.extraction.further_lists import FurtherList, ListKind, choices_on, feed_urls, further_lists
from webarticlecurator.extraction.sitemaps import read_sitemap
from webarticlecurator.extraction.url_rules import cleaned, identity_of, url_shape
from webarticlecurator.labelling.element_names import link_kind
from webarticlecurator.model.capture import Capture, Request
from webarticlecurator.model.links import NO_PAGE, ArchivePage
from webarticlecurator.urls import host_and_port, join, normalise, pages_apart, split_path

MOST_PAGES, _MOST_FILES = 12, 5
"""Pages that are looked at in one crawl, and files of sitemaps, robots.txt among them."""
_MOST_OF_FILE = 20_000
_MOST_LOOKS = 60
"""Pages that are looked at, those with them that are stored."""
_ENOUGH_IN_VAIN = 2
"""Pages of one form that told nothing new, before the others of the form wait."""
_MOST_ADDRESSES = 300
"""Addresses to which pages of the site lead, before the others are left."""
_TOPICS = 3
_FEWEST_ALIKE = 3
"""Links of one form that rules take on a page, and that are no accident."""
_KNOWN = 200
_ROOTS = (("/", ""), ("", ""))
"""Paths and queries of addresses that name no more than a host."""
_TYPES = MimeTypes()
"""The types of files by their endings, as Python knows them, whatever the machine does."""
_OF_LOOKS = ("image/", "audio/", "video/", "font/", "text/css", "text/javascript", "application/javascript")
"""How the types begin of files that are shown on pages and lead to none."""


def proved_columns(run: Run) -> Iterator[Column]:
    """Give the columns of which something is proved by the rules of now."""
    return (column for column in run.columns if column.rules in run.ledger.proved(column.name))


def look_at_other_lists(run: Run) -> None:
    """Look at pages that may list more than the columns do; all links on them are taken in."""
    columns = [column for column in proved_columns(run) if column.format is ArchiveFormat.HTML]
    if not columns:
        return
    looks = _Looks(run, columns)
    for column in columns:
        looks.take(_near_list(run, column))
    looks.take(_near_articles(run, columns))
    looks.take(_choices_on_articles(run, columns))
    looks.take(_on_site(run))
    looks.take(looks.postponed)


@dataclass(slots=True)
class _Looks:
    """Looks at pages while there is room, those first whose like has not been looked at in vain."""

    run: Run
    columns: Sequence[Column]
    postponed: list[FurtherList] = field(default_factory=list)
    """Pages like others that told nothing new."""
    _left: int = MOST_PAGES
    _looked_at: set[str] = field(default_factory=set)
    _in_vain: Counter[str] = field(default_factory=Counter)
    """How many pages of each form of addresses told nothing new."""
    _led_to: Counter[tuple[str, str]] = field(default_factory=Counter)
    """How many addresses of each form led to each path."""
    _leading_away: set[str] = field(default_factory=set)
    """Forms of addresses that lead to one page, such as that for a login."""

    def take(self, lists: Iterable[FurtherList]) -> None:
        """Look at each that nobody has looked at."""
        for further in lists:
            form = url_shape(further.url, sections=True)
            if not self._left or len(self._looked_at) >= _MOST_LOOKS:
                return
            if further.url in self._looked_at or form in self._leading_away or self._is_article(further.url):
                continue
            if self._in_vain[form] >= _ENOUGH_IN_VAIN and lists is not self.postponed:
                self.postponed.append(further)
                continue
            self._look_at(further, form)

    def _is_article(self, url: str) -> bool:
        """Say whether an address is that of a known article, as the rules of a column leave it."""
        portal, addresses = self.run.portal, {normalise(cleaned(url, column.urls)) for column in self.columns}
        return any(self.run.ledger.knows(address, identity_of(address, portal)) for address in addresses)

    def _look_at(self, further: FurtherList, form: str) -> None:
        run, is_feed = self.run, further.kind is ListKind.FEED
        self._looked_at.add(further.url)
        request = Request(url=further.url, rendering=None if is_feed else self.columns[0].rendering)
        self._left -= not run.ledger.answers(request.key)
        capture, before = look(run, request), run.seen.number
        if capture is None:
            return
        run.seen.take_page(capture)
        led_to = form, split_path(capture.url)[0]
        self._led_to[led_to] += 1
        if split_path(further.url)[0] != led_to[1] and self._led_to[led_to] >= _ENOUGH_IN_VAIN:
            self._leading_away.add(form)
        if is_feed:
            self._take_feed(further, capture)
        listed = () if is_feed else (*map(partial(_listed_on, run, capture), self.columns), _alike(run, capture.url))
        for url in chain.from_iterable(listed):
            run.seen.take_item(url, further.url)
        self._in_vain[form] += run.seen.number == before

    def _take_feed(self, further: FurtherList, capture: Capture) -> None:
        """Take in what a feed names, which may call the articles by an address of the site from before."""
        run = self.run
        hosts = set(map(host_and_port, _known_articles(run, self.columns)))
        named = run.guarded(further.url, partial(feed_urls, capture, run.portal), lambda _: ())
        run.seen.take_addresses((url for url in named if host_and_port(url) in hosts), further.url)


def _listed_on(run: Run, capture: Capture, column: Column) -> list[str]:
    """Return what the rules of a column take on a page where they take several of one form, or what no other page has, in items."""
    page = page_in(run, capture)
    urls = run.guarded(capture.url, partial(article_urls, page, column, run.portal), lambda _: ()) if page is not None else ()
    of_items = (url for url in urls if column.item is not None and run.seen.is_only_on(capture.url, url))
    return [*_of_common_form(urls), *of_items]


def _alike(run: Run, page: str) -> list[str]:
    """Return the links of a page to addresses of one form that no other page has: a list of what nobody knows."""
    return _of_common_form(run.seen.seen_only_on(page))


def _of_common_form(urls: Sequence[str]) -> list[str]:
    forms = Counter(url_shape(url, sections=True) for url in urls)
    return [url for url in urls if forms[url_shape(url, sections=True)] >= _FEWEST_ALIKE]


def _near_list(run: Run, column: Column) -> Iterator[FurtherList]:
    """Give what the first page of a column leads to."""
    # what leads to sections need not list articles
    first = run.ledger.first_page(column.name) or (place_at(column, None).url if column.sections is not None else None)
    response = run.ledger.latest_response(Request(url=first).key) if first is not None else None
    page = page_in(run, run.stored(response))
    if page is not None:
        lists = further_lists(page, column, run.portal, partial(_is_page_of_any, run))
        yield from run.guarded(page.url, partial(tuple, lists), lambda _: ())


def _near_articles(run: Run, columns: Sequence[Column]) -> Iterator[FurtherList]:
    """Give the folders in which articles stand, and what is written as the first pages of columns, as far as any page leads there."""
    folders = {f"{url.rstrip('/').rpartition('/')[0]}/" for url in _known_articles(run, columns)}
    first_pages = filter(None, (run.ledger.first_page(column.name) for column in run.columns))
    shapes = {url_shape(url, sections=True) for url in first_pages if split_path(url) not in _ROOTS}
    others = run.seen.other_addresses()
    yield from _unread(run, (url for url in others if url in folders or url_shape(url, sections=True) in shapes))


def _choices_on_articles(run: Run, columns: Sequence[Column]) -> Iterator[FurtherList]:
    """Give what lists to choose from on an article of each column lead to: the other boards of a forum."""
    articles = chain.from_iterable(run.ledger.listed_by(column.name, 1) for column in columns)
    choices = chain.from_iterable(map(choices_on, stored_pages(run, articles)))
    home = site_of(run.portal.home)
    yield from _unread(run, (url for url in choices if site_of(url) == home))


def _known_articles(run: Run, columns: Sequence[Column]) -> Iterator[str]:
    """Give some of the articles that each column lists."""
    return chain.from_iterable(run.ledger.listed_by(column.name, _KNOWN) for column in columns)


def _on_site(run: Run) -> Iterator[FurtherList]:
    """Give what the pages of the site lead to, first what most do; topics, which most articles have, behind all else."""
    others = list(filterfalse(_is_of_looks, run.seen.other_addresses()))
    yield from islice(_unread(run, filterfalse(link_kind, others)), _MOST_ADDRESSES)
    yield from islice(_unread(run, filter(link_kind, others)), _TOPICS)


def _is_of_looks(url: str) -> bool:
    """Say whether an address is that of a picture, a style sheet or the like."""
    kind = _TYPES.guess_type(split_path(url)[0], strict=False)[0]
    return kind is not None and kind.startswith(_OF_LOOKS)


def _unread(run: Run, urls: Iterable[str]) -> Iterator[FurtherList]:
    """Give the addresses that no column has read, or rightly passes over."""
    return (FurtherList(url, ListKind.LIST) for url in urls if not _is_page_of_any(run, url))


def _is_page_of_any(run: Run, url: str) -> bool:
    return any(_is_page_of(run, column, url) for column in run.columns)


def _is_page_of(run: Run, column: Column, url: str) -> bool:
    """Say whether a column has read a page, or does not since a person says where it ends."""
    address = normalise(cleaned(url, column.urls))
    if run.ledger.column_of_page(address) is not None:
        return True
    if column.dates is None and not column.stop.ends_list:
        return False
    first = run.ledger.first_page(column.name)
    return bool(column.matches(address)) or (first is not None and pages_apart(first, address) is not None)


def read_site_sitemaps(run: Run) -> None:
    """Take in what the first files of the site's sitemaps name, where no column has read them."""
    proved = list(proved_columns(run))
    if not proved or any(column.format is ArchiveFormat.SITEMAP for column in proved):
        return
    waiting = list(filter(None, (join(run.portal.home, path) for path in ("/robots.txt", "/sitemap.xml"))))
    as_sitemap = replace(proved[0], format=ArchiveFormat.SITEMAP)
    for _ in range(_MOST_FILES):
        if not waiting:
            return
        url = waiting.pop(0)
        read = _sitemap_at(run, url, as_sitemap)
        waiting[:0] = [sitemap.url for sitemap in read.sitemaps]
        run.seen.take_addresses(islice(dict.fromkeys(_at_home(run, link.url) for link in read.articles), _MOST_OF_FILE), url)


def _sitemap_at(run: Run, url: str, as_sitemap: Column) -> ArchivePage:
    """Return what a file of sitemaps names; nothing where it is none, or cannot be read."""
    capture = look(run, Request(url=url, is_sitemap=True))
    if capture is None:
        return NO_PAGE
    read = run.guarded(url, partial(read_sitemap, capture, as_sitemap, run.portal), lambda _: None)
    return read if isinstance(read, ArchivePage) else NO_PAGE


def _at_home(run: Run, url: str) -> str:
    """Return an address at the host of the portal's home: some sitemaps name another host or port than readers see."""
    return join(run.portal.home, "?".join(filter(None, split_path(url)))) or url
