"""Where the first page of an archive leads that may list more than it does: to the feed, to lists of all, to the same list asked otherwise,
to parts of it, to what stands in the menu, to months and topics in a side bar."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator
from enum import Enum
from itertools import chain, islice
from typing import NamedTuple
from urllib.parse import parse_qsl

from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.document.parsed_page import feed_links, read_page
from webarticlecurator.extraction.archive_page import article_urls
from webarticlecurator.extraction.feeds import read_feed
from webarticlecurator.extraction.pager_signs import links_to_all, page_links
from webarticlecurator.extraction.url_rules import url_shape
from webarticlecurator.labelling.element_names import PagePart, role_of
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.urls import bare_host, is_http, join, normalise, split_path

_OF_LANGUAGE = linear_at(r"lang(?:uage)?|lng|locale|hl", re.IGNORECASE)
_OF_PLACE = linear(r"off|start|skip|page|^p$|from|begin|before|after|cursor|until", re.IGNORECASE)
"""What parameters are called that say where in a list a page begins."""


class LeadKind(Enum):
    """How a page leads to another, in words."""

    FEED = "the site has the feed"
    ALL = "a link that says so leads to"
    """That all are listed there, or an archive."""
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


def leads_of(page: Page, column: Column, portal: Portal, is_read: Callable[[str], bool]) -> Iterator[Lead]:
    """Those of the first page of a column, the most telling first, each once; none that has the form of an article, or is read already."""
    if page.tree is None:
        return
    own, links = normalise(page.url), list(page_links(page, page.outline.rows("a")))
    feed = next((url for href in feed_links(page.tree) if (url := join(page.base, href)) is not None and is_http(url)), None)
    articles = article_urls(page, column, portal)
    of_articles = {url_shape(url, sections=True) for url in articles}
    above = {linear(r"[^/]+/?$").sub("", url) for url in articles}
    others = dict.fromkeys(url for _, url in links if url_shape(url, sections=True) not in of_articles and not is_read(url))
    forms = defaultdict[str, list[str]](list)
    for url in others:
        forms[url_shape(url, sections=False)].append(url)
    # links to addresses of one form that are no accident
    alike = {form: urls for form, urls in forms.items() if len(urls) >= 3 or _kind_within(own, urls[0]) is LeadKind.ALIKE}
    values = (option.get("value") or "" for option in page.outline.named("option"))  # in lists to choose from
    chosen = (join(page.base, value) for value in values if "/" in value or value.startswith("?"))
    in_order = chain(
        [Lead(normalise(feed), LeadKind.FEED)] if feed else (),
        (Lead(link.url, LeadKind.ALL) for link in links_to_all(page, links)),
        (Lead(url, LeadKind.OWN) for url in others if _kind_within(own, url) is LeadKind.OWN),
        # the first and the last of a form, since one alone may be empty
        (Lead(url, LeadKind.ALIKE, form) for form, urls in islice(alike.items(), 4) for url in (*urls[:1], *urls[1:][-1:])),
        (Lead(normalise(url), LeadKind.MENU) for url in chosen if url is not None and is_http(url)),
        _menus(page, own),
        (Lead(url, LeadKind.ALIKE) for url in others if f"{url.rstrip('/')}/" in above),
        [Lead(normalise(portal.home), LeadKind.HOME)],
    )
    told = {own}
    for lead in in_order:
        if lead.url not in told and bare_host(lead.url) == bare_host(own) and not is_read(lead.url):
            told.add(lead.url)
            yield lead


def feed_urls(capture: Capture, portal: Portal) -> tuple[str, ...]:
    """The articles that a feed names."""
    page = read_page(capture, format="feed", classified=True)
    entries = read_feed(page, portal.hosts).entries if isinstance(page, Page) else ()
    return tuple(dict.fromkeys(normalise(entry["url"]) for entry in entries if entry.get("url")))


def _kind_within(own: str, url: str) -> LeadKind | None:
    """How the same list may be asked otherwise: by one parameter that is another, or as a part of its address."""
    (path, query), (other, other_query) = split_path(own), split_path(url)
    if other != path:
        return LeadKind.ALIKE if path.strip("/") and other.startswith(f"{path.rstrip('/')}/") else None
    mine, its = dict(parse_qsl(query, keep_blank_values=True)), dict(parse_qsl(other_query, keep_blank_values=True))
    differing = [name for name in mine.keys() | its.keys() if mine.get(name) != its.get(name)]
    if len(differing) != 1 or not mine.keys() <= its.keys() or _OF_LANGUAGE.fullmatch(differing[0]):
        return None
    # another value for what parts sections is another list
    return LeadKind.OWN if differing[0] not in mine or _OF_PLACE.search(differing[0]) else LeadKind.ALIKE


def _menus(page: Page, own: str) -> Iterator[Lead]:
    """What the menus lead to that stands as deep as the page itself."""
    outline = page.outline
    for element, url in page_links(page, outline.rows("a")):
        around = [outline.elements[row] for row in outline.around(outline.row_of[element])]
        roles = (role_of(each.get("class"), each.get("id")) for each in around)
        is_menu = any(each.tag in ("nav", "header") for each in around) or any(role and role.part is PagePart.NAVIGATION for role in roles)
        path, other = split_path(own)[0].strip("/"), split_path(url)[0].strip("/")
        if is_menu and other != path and other.count("/") == path.count("/"):
            yield Lead(url, LeadKind.MENU)
