"""Where does the first page of an archive lead that may list more than it does?

To the feed, to lists of all, to the same list asked otherwise, to parts of it, to what stands in the menu, to months and topics in a
side bar.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from itertools import chain, islice
from typing import NamedTuple
from urllib.parse import parse_qsl

from lxml.etree import _Element as Element

from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.document.parsed_page import feed_links, read_page
from webarticlecurator.extraction.address_forms import site_of
from webarticlecurator.extraction.archive_page import article_urls
from webarticlecurator.extraction.feeds import read_feed
from webarticlecurator.extraction.neighbours import OF_LANGUAGE, OF_PLACE
from webarticlecurator.extraction.pager_links import links_to_all
from webarticlecurator.extraction.pager_signs import page_links
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.labelling.element_names import PagePart, role_of
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import bare_host, is_http, join, normalise, split_path, without_fragment

_FEWEST_ALIKE = 3
"""Links to addresses of one form that are no accident."""
_MOST_FORMS = 4


class LeadKind(Enum):
    """How a page leads to another, in words."""

    FEED = "the site has the feed"
    ALL = "a link that says so leads to"
    """That all are listed there, or an archive."""
    EDITION = "another edition is"
    """The same page in another language."""
    OWN = "its first page leads to"
    """Its own address with another query."""
    ALIKE = "the list leads to"
    """An address below its own, or one of several alike, such as those of months."""
    MENU = "the menu leads to"
    ARTICLES = "pages of its articles lead to"
    """The folder of all, or a list that is written as those that columns read."""
    HOME = "the home page is"
    """Which often shows the newest articles of all lists."""


class Lead(NamedTuple):
    """A page that may list more."""

    url: str
    kind: LeadKind
    form: str = ""
    """Of its address, where others alike are leads, too."""


@dataclass(frozen=True, eq=False)
class FirstPage:
    """The first page of a column, with its links."""

    page: Page
    column: Column
    portal: Portal
    is_read: Callable[[str], bool]
    """Whether a page is one that the crawl reads already."""

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
        """Where links lead that have no form of an article, and that is not read already."""
        of_articles = {url_shape(url, sections=True) for url in self.articles}
        urls = dict.fromkeys(url for _, url in self.links)
        return [url for url in urls if url_shape(url, sections=True) not in of_articles and not self.is_read(url)]


def leads_of(page: Page, column: Column, portal: Portal, is_read: Callable[[str], bool]) -> Iterator[Lead]:
    """Give those of the first page of a column, the most telling first, each once.

    None has the form of an article, or is read already.
    """
    if page.tree is None:
        return
    first = FirstPage(page, column, portal, is_read)
    given = {first.url}
    for lead in chain.from_iterable(source(first) for source in SOURCES):
        if lead.url not in given and _is_at_home(lead, first) and not is_read(lead.url):
            given.add(lead.url)
            yield lead


def _is_at_home(lead: Lead, first: FirstPage) -> bool:
    """Say whether a lead stays on the host; editions have hosts of their own on some sites."""
    if lead.kind is LeadKind.EDITION:
        return site_of(lead.url) == site_of(first.url)
    return bare_host(lead.url) == bare_host(first.url)


def feed_urls(capture: Capture, portal: Portal) -> tuple[str, ...]:
    """Return the articles that a feed names."""
    page = read_page(capture, format="feed", classified=True)
    entries = read_feed(page, portal.hosts).entries if isinstance(page, Page) else ()
    return tuple(dict.fromkeys(normalise(entry["url"]) for entry in entries if entry.get("url")))


# --- sources of leads ---


def _feed(first: FirstPage) -> Iterator[Lead]:
    assert first.page.tree is not None  # only such pages are looked at
    addresses = _addresses(first.page, feed_links(first.page.tree))
    yield from (Lead(url, LeadKind.FEED) for url in islice(addresses, 1))


def _addresses(page: Page, written: Iterable[str]) -> Iterator[str]:
    """Give those of the web, as they are asked for."""
    for address in written:
        url = join(page.base, address)
        if url is not None and is_http(url):
            yield normalise(url)


def _lists_of_all(first: FirstPage) -> Iterator[Lead]:
    for link in links_to_all(first.page, first.links):
        yield Lead(link.url, LeadKind.ALL)


def _editions(first: FirstPage) -> Iterator[Lead]:
    """Give what is called the page in another language, then what has its own address behind another beginning: `/de/news` of `/news`."""
    alternates = (element for element in first.page.outline.named("link", "a") if element.get("hreflang"))
    called = _addresses(first.page, (element.get("href") or "" for element in alternates))
    written = (url for url in first.others if _is_written_behind(first.url, url))
    yield from (Lead(without_fragment(url), LeadKind.EDITION) for url in chain(called, written))


def _is_written_behind(url: str, other: str) -> bool:
    """Say whether two addresses end in the same way, and one begins with a folder that the other lacks, or has another first folder."""
    (path, query), (other_path, other_query) = split_path(url), split_path(other)
    own, others = path.strip("/").split("/"), other_path.strip("/").split("/")
    if query != other_query or own == others or own == [""] or others == [""]:
        return False
    if len(own) == len(others):
        return len(own) > 1 and own[1:] == others[1:]
    shorter, longer = sorted((own, others), key=len)
    return len(longer) == len(shorter) + 1 and longer[1:] == shorter


def _same_list_otherwise(first: FirstPage) -> Iterator[Lead]:
    for url in first.others:
        if _kind_within(first.url, url) is LeadKind.OWN:
            yield Lead(url, LeadKind.OWN)


def _parts(first: FirstPage) -> Iterator[Lead]:
    """Give the first and the last address of a form, since one alone may be empty."""
    forms = defaultdict[str, list[str]](list)
    for url in first.others:
        forms[url_shape(url, sections=False)].append(url)
    alike = [pair for pair in forms.items() if _are_parts(first, pair[1])]
    for form, urls in alike[:_MOST_FORMS]:
        for url in (*urls[:1], *urls[1:][-1:]):
            yield Lead(url, LeadKind.ALIKE, form)


def _are_parts(first: FirstPage, urls: list[str]) -> bool:
    return len(urls) >= _FEWEST_ALIKE or _kind_within(first.url, urls[0]) is LeadKind.ALIKE


def _choices(first: FirstPage) -> Iterator[Lead]:
    """Give the addresses in lists to choose from."""
    values = [option.get("value") or "" for option in first.page.outline.named("option")]
    addresses = _addresses(first.page, (value for value in values if "/" in value or value.startswith("?")))
    yield from (Lead(url, LeadKind.MENU) for url in addresses)


def _menus(first: FirstPage) -> Iterator[Lead]:
    """Give what the menus lead to that stands as deep as the page itself."""
    path = split_path(first.url)[0].strip("/")
    for element, url in first.links:
        other = split_path(url)[0].strip("/")
        if other != path and other.count("/") == path.count("/") and _is_in_menu(first.page, element):
            yield Lead(url, LeadKind.MENU)


def _is_in_menu(page: Page, link: Element) -> bool:
    around = [page.outline.elements[row] for row in page.outline.around(page.outline.row_of[link])]
    if any(element.tag in ("nav", "header") for element in around):
        return True
    roles = (role_of(element.get("class"), element.get("id")) for element in around)
    return any(role is not None and role.part is PagePart.NAVIGATION for role in roles)


def _above_articles(first: FirstPage) -> Iterator[Lead]:
    """Give the folders in which the articles lie."""
    above = {linear(r"[^/]+/?$").sub("", url) for url in first.articles}
    yield from (Lead(url, LeadKind.ALIKE) for url in first.others if f"{url.rstrip('/')}/" in above)


def _home(first: FirstPage) -> Iterator[Lead]:
    yield Lead(normalise(first.portal.home), LeadKind.HOME)


SOURCES: tuple[Callable[[FirstPage], Iterator[Lead]], ...] = (
    _feed,
    _lists_of_all,
    _editions,
    _same_list_otherwise,
    _parts,
    _choices,
    _menus,
    _above_articles,
    _home,
)
"""The most telling first."""


def _kind_within(page_url: str, url: str) -> LeadKind | None:
    """Return how the same list may be asked otherwise: by one parameter that is another, or as a part of its address."""
    (path, query), (other, other_query) = split_path(page_url), split_path(url)
    if other != path:
        is_below = path.strip("/") and other.startswith(f"{path.rstrip('/')}/")
        return LeadKind.ALIKE if is_below else None
    before, after = (dict(parse_qsl(text, keep_blank_values=True)) for text in (query, other_query))
    differing = [name for name in before.keys() | after.keys() if before.get(name) != after.get(name)]
    if len(differing) != 1 or not before.keys() <= after.keys() or OF_LANGUAGE.fullmatch(differing[0]):
        return None
    # another value for what parts sections is another list
    return LeadKind.OWN if differing[0] not in before or OF_PLACE.search(differing[0]) else LeadKind.ALIKE
