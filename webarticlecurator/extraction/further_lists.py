"""Addresses of further lists of a site, to which the first page of a column leads: its feed, lists of all,
editions, what can be chosen.

The links of all pages of the site, wherever they stand, are known to `crawling/seen_links.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property, partial
from itertools import chain, islice
from operator import attrgetter, itemgetter
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.document.parsed_page import feed_links, read_page
from webarticlecurator.extraction.address_forms import site_of
from webarticlecurator.extraction.archive_page import article_urls
from webarticlecurator.extraction.feeds import read_feed
from webarticlecurator.extraction.forms import Form, all_that_say_something, choices_of, lists_of
from webarticlecurator.extraction.neighbours import NearbyAddress
from webarticlecurator.extraction.pager_links import links_to_all
from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Page
from webarticlecurator.urls import bare_host, is_http, normalise, split_path, without_fragment


class ListKind(Enum):
    """The way in which a further list is read."""

    FEED = auto()
    EDITION = auto()
    """Its host may be another one of the site."""
    LIST = auto()


class FurtherList(NamedTuple):
    """A page that may list more."""

    url: str
    kind: ListKind
    beside: str = ""
    """The first page of the list that leads there, where a walk has told it."""


@dataclass(frozen=True, eq=False)
class FirstPage:
    """The first page of a column, with its links."""

    page: Page
    column: Column
    portal: Portal
    is_read: Callable[[str], bool]
    """Says of an address whether the crawl reads it already."""

    @cached_property
    def url(self) -> str:
        return normalise(self.page.url)

    @cached_property
    def links(self) -> list[tuple[Element, str]]:
        return list(page_links(self.page, self.page.outline.rows("a")))

    @cached_property
    def articles(self) -> tuple[str, ...]:
        return article_urls(self.page, self.column, self.portal)

    @cached_property
    def others(self) -> list[str]:
        """Addresses of links that have no form of an article, and are not read already."""
        of_articles = set(map(_form_of, self.articles))
        urls = dict.fromkeys(map(itemgetter(1), self.links))
        return [url for url in urls if _form_of(url) not in of_articles and not self.is_read(url)]


_form_of = partial(url_shape, sections=True)


def further_lists(
    page: Page, column: Column, portal: Portal, is_read: Callable[[str], bool]
) -> Iterator[FurtherList]:
    """Give the further lists that the first page of a column leads to and that are not read, the likeliest
    first, each once."""
    if page.tree is None:
        return
    first = FirstPage(page, column, portal, is_read)
    given = {first.url}
    for further in chain.from_iterable(source(first) for source in SOURCES):
        if further.url not in given and not is_read(further.url) and _is_at_home(further, first):
            given.add(further.url)
            yield further


def _is_at_home(further: FurtherList, first: FirstPage) -> bool:
    """Say whether a list is on the host; editions have hosts of their own on some sites."""
    host_of = site_of if further.kind is ListKind.EDITION else bare_host
    return host_of(further.url) == host_of(first.url)


def feed_urls(capture: Capture, portal: Portal) -> tuple[str, ...]:
    """Return the articles that a feed names."""
    page = read_page(capture, format="feed", classified=True)
    entries = read_feed(page, portal.hosts).entries if isinstance(page, Page) else ()
    urls = filter(None, (entry.get("url") for entry in entries))
    return tuple(dict.fromkeys(map(normalise, urls)))


# --- what leads to lists ---


def _feed(first: FirstPage) -> Iterator[FurtherList]:
    assert first.page.tree is not None  # only such pages are looked at
    return islice(_lists(_addresses(first.page, feed_links(first.page.tree)), ListKind.FEED), 1)


def _lists(urls: Iterable[str], kind: ListKind = ListKind.LIST) -> Iterator[FurtherList]:
    return (FurtherList(url, kind) for url in urls)


def _addresses(page: Page, written: Iterable[str | None]) -> Iterator[str]:
    """Give those of the web, as they are asked for."""
    return map(normalise, filter(is_http, page.joined(written)))


def _lists_of_all(first: FirstPage) -> Iterator[FurtherList]:
    return _lists(link.url for link in links_to_all(first.page, first.links))


def _editions(first: FirstPage) -> Iterator[FurtherList]:
    """Give pages in another language, then addresses behind another beginning: `/de/news` of `/news`."""
    alternates = (
        element.get("href") for element in first.page.outline.named("link", "a") if element.get("hreflang")
    )
    called = _addresses(first.page, alternates)
    written = (url for url in first.others if _is_written_behind(first.url, url))
    return _lists(map(without_fragment, chain(called, written)), ListKind.EDITION)


def _is_written_behind(url: str, other: str) -> bool:
    """Say whether two addresses end alike, and differ in the first folder, which one of them may lack."""
    (path, query), (other_path, other_query) = split_path(url), split_path(other)
    own, others = _with_and_without_folder(path), _with_and_without_folder(other_path)
    return query == other_query and path.strip("/") != other_path.strip("/") and not own.isdisjoint(others)


def _with_and_without_folder(path: str) -> set[str]:
    """Return a path, and what is left of it without its first folder, if anything is."""
    whole = path.strip("/")
    return {whole, whole.partition("/")[2]} - {""}


def _same_list_otherwise(first: FirstPage) -> Iterator[FurtherList]:
    nearby = NearbyAddress(first.url)
    return _lists(filter(nearby.is_asked_otherwise, first.others))


def _choices(first: FirstPage) -> Iterator[FurtherList]:
    return _lists(choices_on(first.page))


def choices_on(page: Page) -> Iterator[str]:
    """Give the addresses to which lists to choose from lead, and what forms ask for by them."""
    return map(attrgetter("url"), choices_of(page, all_that_say_something, _asks_for_chosen, lists_of(page)))


def _asks_for_chosen(form: Form) -> bool:
    """Say whether a form asks for what is chosen, and for nothing that readers write."""
    return form.asked is not None and not form.is_filled_in


def _home(first: FirstPage) -> Iterator[FurtherList]:
    return _lists([normalise(first.portal.home)])


SOURCES: tuple[Callable[[FirstPage], Iterator[FurtherList]], ...] = (
    _feed,
    _lists_of_all,
    _editions,
    _same_list_otherwise,
    _choices,
    _home,
)
"""The likeliest first."""
