"""Which other lists does the site have: pages that its lists, menus and articles lead to, its feed, its
sitemaps?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, filterfalse, islice
from mimetypes import MimeTypes

from webarticlecurator.config.portal import ArchiveFormat, Column
from webarticlecurator.corpus.seen_addresses import SeenForm, left_out_by
from webarticlecurator.crawling.further_pages import unasked_further_pages
from webarticlecurator.crawling.looks import page_in, probe, stored_pages
from webarticlecurator.crawling.probes import ENOUGH_IN_VAIN, ends_first
from webarticlecurator.crawling.requests import place_at
from webarticlecurator.crawling.run import Run
from webarticlecurator.extraction.address_forms import site_of
from webarticlecurator.extraction.archive_page import article_urls
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.further_lists import (
    FurtherList,
    ListKind,
    choices_on,
    feed_urls,
    further_lists,
)
from webarticlecurator.extraction.sitemaps import read_sitemap
from webarticlecurator.extraction.url_rules import cleaned, identity_of, url_shape
from webarticlecurator.labelling.element_names import link_kind
from webarticlecurator.model.capture import Capture, Request
from webarticlecurator.model.links import NO_PAGE, ArchivePage
from webarticlecurator.urls import host_and_port, join, normalise, pages_apart, split_path

_MOST_FILES = 5
"""Files of sitemaps that are looked at in one crawl, robots.txt among them."""
_MOST_OF_FILE = 20_000
_MOST_LOOKS = 60
"""Pages of one source that are looked at, those with them that are stored."""
_MOST_ADDRESSES = 300
"""Addresses to which pages of the site further, before the others are left."""
_TOPICS = 3
_FOUND_AT_ONCE = 2
"""Forms of addresses to which a page may lead that is looked at: as many questions are left for them."""
_FEWEST_ALIKE = 3
"""Links of one form that rules take on a page, and that are no accident."""
_KNOWN = 200
_ROOTS = (("/", ""), ("", ""))
"""Paths and queries of addresses that name no more than a host."""
_TYPES = MimeTypes()
"""The types of files by their endings, as Python knows them, whatever the machine does."""
_OF_LOOKS = (
    "image/", "audio/", "video/", "font/", "text/css", "text/javascript", "application/javascript",
    "application/json",
)  # fmt: skip
"""How the types begin of files that pages load and that lead to none."""


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
    looks.take(FurtherList(url, ListKind.LIST, beside) for url, beside in run.probes.left_beside())
    if looks.left_out:
        why = "this crawl has asked for as much beside the portal file as it may; the next one looks there"
        run.summary.remarks.append(
            f"pages that may list more, such as {looks.left_out[0]}, were not looked at: {why}"
        )
    looks.take(_unread(run, [normalise(run.portal.home)]))  # its menu may be the only one
    looks.take(_on_site(run))


@dataclass(slots=True)
class _Looks:
    """Looks at pages while there is room, those first whose like has not been looked at in vain."""

    run: Run
    columns: Sequence[Column]
    looked_at: set[str] = field(default_factory=set)
    in_vain: Counter[str] = field(default_factory=Counter)
    """How many pages of each form of addresses told nothing new."""
    left_out: list[str] = field(default_factory=list)
    """Pages before which the looking ended, since as many were asked for as may be."""
    _settled: int = field(init=False)
    """Forms like an article's of which it was known what they are, less those at which articles may go on."""
    _most_found: int = _FOUND_AT_ONCE
    """Forms of addresses to which one page has led, at most."""

    def __post_init__(self) -> None:
        settled = sum(_is_settled(self.run, form) for _, form in self.run.seen.unlisted())
        self._settled = settled - len(unasked_further_pages(self.run))

    @property
    def waiting(self) -> int:
        """How many forms of addresses are still to be asked what they are: what leads to more of them has to
        wait."""
        return len(self.run.seen.forms) - self._settled

    def take(self, lists: Iterable[FurtherList]) -> None:
        """Look at each that nobody has looked at, as long as its like tells something new."""
        for further in islice(ends_first(lists, _form_of), _MOST_LOOKS):
            if first_reason(NEEDLESS, (self, further)):
                continue
            if self.run.probes.left <= self.waiting + self._most_found:
                self.left_out.append(further.url)
                return
            self._look_at(further, _form_of(further))

    def is_like_in_vain(self, further: FurtherList) -> bool:
        """Say whether what is written alike, and stands beside a list, told nothing new."""
        return any(
            self.run.probes.are_in_vain(column, further.url, further.beside) for column in self.columns
        )

    def is_article(self, url: str) -> bool:
        """Say whether an address is that of a known article, as the rules of a column leave it."""
        portal, addresses = self.run.portal, {normalise(cleaned(url, column.urls)) for column in self.columns}
        return any(self.run.ledger.knows(address, identity_of(address, portal)) for address in addresses)

    def _look_at(self, further: FurtherList, form: str) -> None:
        run, is_feed = self.run, further.kind is ListKind.FEED
        self.looked_at.add(further.url)
        request = Request(url=further.url, rendering=None if is_feed else self.columns[0].rendering)
        capture, before, waiting = probe(run, request), run.seen.number, self.waiting
        if capture is None:
            self.in_vain[form] += 1
            return
        run.seen.take_page(capture)
        if is_feed:
            self._take_feed(further, capture)
        else:
            self._take_list(further, capture)
        self.in_vain[form] += run.seen.number == before
        self._most_found = max(self._most_found, self.waiting - waiting)

    def _take_list(self, further: FurtherList, capture: Capture) -> None:
        """Take in what a page lists by the rules of a column, or lists alike."""
        run = self.run
        of_columns = map(partial(_listed_on, run, capture), self.columns)
        for url in chain(_alike(run, capture.url), *of_columns):
            run.seen.take_item(url, further.url)

    def _take_feed(self, further: FurtherList, capture: Capture) -> None:
        """Take in what a feed names, which may call the articles by an address of the site from before."""
        run = self.run
        hosts = set(map(host_and_port, _known_articles(run, self.columns)))
        named = run.guarded(further.url, partial(feed_urls, capture, run.portal), lambda _: ())
        run.seen.take_addresses((url for url in named if host_and_port(url) in hosts), further.url)


def _is_settled(run: Run, form: SeenForm) -> bool:
    """Say whether it is known what addresses of a form are, or was asked beside a list and waits to be read
    as an article."""
    first = next(iter(form.addresses))
    return not form.is_unasked or bool(run.ledger.answers(Request(url=first).key))


def _form_of(further: FurtherList) -> str:
    return url_shape(further.url, sections=True)


NEEDLESS: tuple[Check[tuple[_Looks, FurtherList]], ...] = (
    Check("a person leaves it out", lambda pair: left_out_by(pair[0].run.portal, pair[1].url) is not None),
    Check("it was looked at", lambda pair: pair[1].url in pair[0].looked_at),
    Check("its like told nothing new", lambda pair: pair[0].in_vain[_form_of(pair[1])] >= ENOUGH_IN_VAIN),
    Check(
        "pages beside a list that are like it told nothing new", lambda pair: pair[0].is_like_in_vain(pair[1])
    ),
    Check("it is a known article", lambda pair: pair[0].is_article(pair[1].url)),
)
"""Why a page need not be looked at."""


def _listed_on(run: Run, capture: Capture, column: Column) -> list[str]:
    """Return what the rules of a column take on a page in items, or where they take several of one form."""
    page = page_in(run, capture)
    urls = (
        run.guarded(capture.url, partial(article_urls, page, column, run.portal), lambda _: ())
        if page is not None
        else ()
    )
    return list(urls) if column.item is not None else _of_common_form(urls)


def _alike(run: Run, page: str) -> list[str]:
    """Return the links of a page to addresses of one form that no other page has: a list of what nobody
    knows."""
    return _of_common_form(run.seen.seen_only_on(page))


def _of_common_form(urls: Sequence[str]) -> list[str]:
    forms = Counter(url_shape(url, sections=True) for url in urls)
    return [url for url in urls if forms[url_shape(url, sections=True)] >= _FEWEST_ALIKE]


def _near_list(run: Run, column: Column) -> Iterator[FurtherList]:
    """Give what the first page of a column leads to."""
    # what leads to sections need not list articles
    first = run.ledger.first_page(column.name) or (
        place_at(column, None).url if column.sections is not None else None
    )
    response = run.ledger.latest_response(Request(url=first).key) if first is not None else None
    page = page_in(run, run.stored(response))
    if page is not None:
        lists = further_lists(page, column, run.portal, partial(_is_page_of_any, run))
        yield from run.guarded(page.url, partial(tuple, lists), lambda _: ())


def _near_articles(run: Run, columns: Sequence[Column]) -> Iterator[FurtherList]:
    """Give the folders in which articles stand, and what is written as the first pages of columns, as far as
    any page leads there."""
    folders = {f"{url.rstrip('/').rpartition('/')[0]}/" for url in _known_articles(run, columns)}
    first_pages = filter(None, (run.ledger.first_page(column.name) for column in run.columns))
    shapes = {url_shape(url, sections=True) for url in first_pages if split_path(url) not in _ROOTS}
    others = run.seen.other_addresses()
    yield from _unread(
        run, (url for url in others if url in folders or url_shape(url, sections=True) in shapes)
    )


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
    """Give what the pages of the site lead to, first what most do; topics, which most articles have, behind
    all else."""
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
    return column.template.match(address) is not None or (
        first is not None and pages_apart(first, address) is not None
    )


def site_sitemaps(run: Run) -> Iterator[tuple[Iterable[str], str]]:
    """Give what the first files of the site's sitemaps name, with the file, where no column has read them."""
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
        yield (
            list(islice(dict.fromkeys(_at_home(run, link.url) for link in read.articles), _MOST_OF_FILE)),
            url,
        )


def _sitemap_at(run: Run, url: str, as_sitemap: Column) -> ArchivePage:
    """Return what a file of sitemaps names; nothing where it is none, or cannot be read."""
    capture = probe(run, Request(url=url, is_sitemap=True))
    if capture is None:
        return NO_PAGE
    read = run.guarded(url, partial(read_sitemap, capture, as_sitemap, run.portal), lambda _: None)
    return read if isinstance(read, ArchivePage) else NO_PAGE


def _at_home(run: Run, url: str) -> str:
    """Return an address at the host of the portal's home: some sitemaps name another host or port than
    readers see."""
    return join(run.portal.home, "?".join(filter(None, split_path(url)))) or url
