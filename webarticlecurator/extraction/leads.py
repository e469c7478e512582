"""Links of the first page of an archive that may lead to more than it lists.

To the feed, to lists of all, to editions, to the same list asked otherwise, to addresses that can be chosen.
The links of all pages of the site, wherever they stand, are known to `crawling/seen_links.py`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import cached_property, partial
from itertools import chain, islice
from operator import itemgetter
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode

from lxml.etree import _Element as Element

from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.document.parsed_page import feed_links, read_page
from webarticlecurator.extraction.address_forms import site_of
from webarticlecurator.extraction.archive_page import article_urls
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.extraction.feeds import read_feed
from webarticlecurator.extraction.neighbours import OF_LANGUAGE, OF_PLACE
from webarticlecurator.extraction.pager_links import links_to_all
from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import bare_host, is_http, normalise, split_path, without_fragment

_MAY_BE_ADDRESS = linear(r"/|^[?]")
"""The value of an option that is an address."""
_WRITTEN = ("text", "search", "password", "email")
"""Fields of a form that a person writes into."""


class LeadKind(Enum):
    """The way in which the page of a lead is read."""

    FEED = auto()
    EDITION = auto()
    """Its host may be another one of the site."""
    LIST = auto()


class Lead(NamedTuple):
    """A page that may list more."""

    url: str
    kind: LeadKind


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


def leads_of(page: Page, column: Column, portal: Portal, is_read: Callable[[str], bool]) -> Iterator[Lead]:
    """Give the leads of the first page of a column, the most telling first, each once.

    None has the form of an article, or is read already.
    """
    if page.tree is None:
        return
    first = FirstPage(page, column, portal, is_read)
    given = {first.url}
    for lead in chain.from_iterable(source(first) for source in SOURCES):
        if lead.url not in given and not is_read(lead.url) and _is_at_home(lead, first):
            given.add(lead.url)
            yield lead


def _is_at_home(lead: Lead, first: FirstPage) -> bool:
    """Say whether a lead stays on the host; editions have hosts of their own on some sites."""
    host_of = site_of if lead.kind is LeadKind.EDITION else bare_host
    return host_of(lead.url) == host_of(first.url)


def feed_urls(capture: Capture, portal: Portal) -> tuple[str, ...]:
    """Return the articles that a feed names."""
    page = read_page(capture, format="feed", classified=True)
    entries = read_feed(page, portal.hosts).entries if isinstance(page, Page) else ()
    urls = filter(None, (entry.get("url") for entry in entries))
    return tuple(dict.fromkeys(map(normalise, urls)))


# --- sources of leads ---


def _feed(first: FirstPage) -> Iterator[Lead]:
    assert first.page.tree is not None  # only such pages are looked at
    return islice(_leads(_addresses(first.page, feed_links(first.page.tree)), LeadKind.FEED), 1)


def _leads(urls: Iterable[str], kind: LeadKind = LeadKind.LIST) -> Iterator[Lead]:
    return (Lead(url, kind) for url in urls)


def _addresses(page: Page, written: Iterable[str | None]) -> Iterator[str]:
    """Give those of the web, as they are asked for."""
    return map(normalise, filter(is_http, page.joined(written)))


def _lists_of_all(first: FirstPage) -> Iterator[Lead]:
    return _leads(link.url for link in links_to_all(first.page, first.links))


def _editions(first: FirstPage) -> Iterator[Lead]:
    """Give pages in another language, then addresses behind another beginning: `/de/news` of `/news`."""
    alternates = (element.get("href") for element in first.page.outline.named("link", "a") if element.get("hreflang"))
    called = _addresses(first.page, alternates)
    written = (url for url in first.others if _is_written_behind(first.url, url))
    return _leads(map(without_fragment, chain(called, written)), LeadKind.EDITION)


def _is_written_behind(url: str, other: str) -> bool:
    """Say whether two addresses end alike, and differ in the first folder, which one of them may lack."""
    (path, query), (other_path, other_query) = split_path(url), split_path(other)
    own, others = path.strip("/").split("/"), other_path.strip("/").split("/")
    if query != other_query or own == others or [""] in (own, others):
        return False
    if len(own) == len(others):
        return len(own) > 1 and own[1:] == others[1:]
    shorter, longer = sorted((own, others), key=len)
    return longer[1:] == shorter


def _same_list_otherwise(first: FirstPage) -> Iterator[Lead]:
    return _leads(url for url in first.others if _is_same_list(first.url, url))


def _choices(first: FirstPage) -> Iterator[Lead]:
    return _leads(choices_on(first.page))


def choices_on(page: Page) -> Iterator[str]:
    """Give the addresses to which lists to choose from lead: what they hold, or what their form asks for."""
    values = (option.get("value", "") for option in page.outline.named("option"))
    of_forms = chain.from_iterable(map(_asked_by_form, page.outline.named("select")))
    held = filter(_MAY_BE_ADDRESS.search, values)
    return _addresses(page, chain(held, of_forms))


def _asked_by_form(select: Element) -> Iterator[str]:
    """Give what a form asks for by each value of a list, where nothing need be written into it."""
    form, name = next(select.iterancestors("form"), None), select.get("name")
    if form is None or not name or form.get("method", "get").lower() != "get":
        return
    fields = [(field.get("type", "text").lower(), field) for field in form.iter("input")]
    if any(kind in _WRITTEN for kind, _ in fields):
        return
    hidden = [(field.get("name", ""), field.get("value", "")) for kind, field in fields if kind == "hidden"]
    path = form.get("action", "").partition("?")[0]
    for value in filter(None, (option.get("value") for option in select.iter("option"))):
        yield f"{path}?{urlencode([*filter(all, hidden), (name, value)])}"


def _home(first: FirstPage) -> Iterator[Lead]:
    return _leads([normalise(first.portal.home)])


SOURCES: tuple[Callable[[FirstPage], Iterator[Lead]], ...] = (
    _feed,
    _lists_of_all,
    _editions,
    _same_list_otherwise,
    _choices,
    _home,
)
"""The most telling first."""


def _is_same_list(page_url: str, url: str) -> bool:
    """Say whether an address is a page's own with one parameter that is another."""
    (path, query), (other, other_query) = split_path(page_url), split_path(url)
    before, after = (dict(parse_qsl(text, keep_blank_values=True)) for text in (query, other_query))
    return other == path and not first_reason(_OTHER_LIST, _Queries(before, after))


class _Queries(NamedTuple):
    """The parameters of two addresses that have one path."""

    before: dict[str, str]
    after: dict[str, str]

    @property
    def differing(self) -> set[str]:
        """The parameters that one of them lacks, or that have another value there."""
        return {name for name, _ in self.before.items() ^ self.after.items()}

    @property
    def name(self) -> str:
        """The only one of these."""
        return min(self.differing)


_OTHER_LIST: tuple[Check[_Queries], ...] = (
    Check("they do not differ in one parameter", lambda queries: len(queries.differing) != 1),
    Check("the other lacks one", lambda queries: queries.name not in queries.after),
    Check("it is a language", lambda queries: OF_LANGUAGE.fullmatch(queries.name) is not None),
    Check(
        "it may part sections",
        lambda queries: queries.name in queries.before and OF_PLACE.search(queries.name) is None,
    ),
)
"""Why two addresses with one path are no list asked otherwise."""
