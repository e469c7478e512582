"""Feeds: RSS from 0.9 to 2.0, Atom 0.3 and 1.0, JSON Feed; their entries, and where the feed goes on."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.document.parsed_page import FEED_ENTRIES, feed_links
from webarticlecurator.extraction.alike import by_make
from webarticlecurator.extraction.feed_entries import (
    Children,
    Entry,
    absolute,
    addresses_of,
    as_summary,
    authors_of,
    children_of,
    chosen_address,
    distinct,
    first_of,
    name_of,
    plain,
    plain_html,
    read_entry,
    told,
    web_address,
)
from webarticlecurator.model.links import Feed, Stated
from webarticlecurator.model.page import Page
from webarticlecurator.text import squeeze, text_inside, unescaped, whole_number
from webarticlecurator.urls import join, web_link

_FURTHER = ("next", "prev-archive")
"""Relations of links to the next page of a feed, or else to the archive of its older entries (RFC 5005)."""
_COMPLETE = frozenset({"fh:complete", "{http://purl.org/syndication/history/1.0}complete"})
"""Elements by which a feed says that it holds all there is."""


def read_feed(page: Page, hosts: Collection[str]) -> Feed:
    """Return the entries of a feed in their order; of the addresses of one, the first on these hosts
    counts."""
    hosts = frozenset(hosts)
    if page.xml is None:
        return _json_feed(page, _mapping(page.json), hosts)
    if page.xml.tag == "html":
        return _named_feed(page, page.xml)
    heads = _heads(page.xml)
    is_complete = any(element.tag in _COMPLETE for element in _in_heads(heads, "*complete"))
    linked_entries = list(_entries(page, page.xml, heads, hosts))
    return _feed_of(
        linked_entries,
        next_url=next(_further_pages(page, heads), None),
        stated=tuple(_stated(heads, len(linked_entries))),
        complete=is_complete,
    )


def title_of_feed(page: Page) -> str:
    """Return what a feed calls itself; empty where it does not, or is none."""
    if page.xml is not None:
        return next(filter(None, (first_of(head, ("title",), plain) for head in _heads(page.xml))), "")
    return squeeze(_text(_mapping(page.json).get("title")))


def _named_feed(page: Page, tree: Element) -> Feed:
    """Return where a page of HTML says that its feed is."""
    urls = (web_link(page.base, href) for href in feed_links(tree))
    named = next(filter(None, urls), None)
    return Feed(entries=(), next_url=named, names_feed=named is not None)


def _feed_of(linked_entries: list[tuple[str | None, Entry]], **rest: Any) -> Feed:
    """Return the feed of entries with their addresses; those without one are counted."""
    entries = [{"url": url, **entry} for url, entry in linked_entries if url is not None]
    return Feed(entries=entries, nameless=len(linked_entries) - len(entries), **rest)


# --- of XML ---


def _heads(root: Element) -> list[Children]:
    """Return what says something of the feed as a whole: the root, and channels in it."""
    channels = (child for child in root.iterchildren(etree.Element) if name_of(child) == "channel")
    return [children_of(head) for head in (root, *channels)]


def _in_heads(heads: Iterable[Children], name: str) -> Iterator[Element]:
    """Give the elements of this name that say something of the feed as a whole."""
    return chain.from_iterable(head.get(name, ()) for head in heads)


def _entries(
    page: Page,
    root: Element,
    heads: list[Children],
    hosts: Collection[str],
) -> Iterator[tuple[str | None, Entry]]:
    of_feed = _in_heads(heads, "author") if name_of(root) == "feed" else ()
    authors = authors_of(of_feed)
    for element in root.iter(etree.Element):
        if name_of(element) in FEED_ENTRIES:
            children = children_of(element)
            yield chosen_address(addresses_of(element, children, page), hosts), read_entry(children, authors)


def _further_pages(page: Page, heads: list[Children]) -> Iterator[str]:
    """Give the addresses of the next pages, the likeliest first."""
    links = by_make(_in_heads(heads, "link"), _relation)
    further = chain.from_iterable(links.get(relation, ()) for relation in _FURTHER)
    return filter(None, (web_address(link, link.get("href"), page) for link in further))


def _relation(link: Element) -> str:
    return link.get("rel", "").lower()


def _stated(heads: list[Children], entries: int) -> Iterator[Stated]:
    """Give how many entries a feed says that there are."""
    for head in heads:
        total, per_page = _count(head, "totalResults"), _count(head, "itemsPerPage")
        # what is also the number of entries of a page, and that of this one, says nothing of others
        if total is not None and not total == per_page == entries:
            yield Stated(f"totalResults: {total}", None, total, items=True)


def _count(head: Children, name: str) -> int | None:
    for child in head.get(name, ()):
        return whole_number(squeeze(text_inside(child)), 9)
    return None


# --- of JSON ---


def _json_feed(page: Page, feed: Mapping[str, Any], hosts: Collection[str]) -> Feed:
    authors = _json_authors(feed)
    items = _mappings(_list(feed.get("items")))
    urls = [chosen_address(_json_addresses(page, item), hosts) for item in items]
    entries = [_json_entry(item, authors) for item in items]
    following = _text(feed.get("next_url")).strip()
    next_url = join(page.base, following) if following else None
    return _feed_of(list(zip(urls, entries, strict=True)), next_url=next_url)


def _json_addresses(page: Page, item: Mapping[str, Any]) -> Iterator[str | None]:
    for reference in filter(None, (_text(item.get("url")), absolute(_text(item.get("id"))))):
        yield web_link(page.base, reference.strip())


def _json_entry(item: Mapping[str, Any], authors: list[str]) -> Entry:
    return told(
        {
            "headline": squeeze(unescaped(_text(item.get("title")))),
            "author": _json_authors(item) or authors,
            "keywords": distinct(squeeze(_text(tag)) for tag in _list(item.get("tags"))),
            "description": as_summary(plain_html(_text(item.get("summary")))),
            "datePublished": _text(item.get("date_published")),
            "dateModified": _text(item.get("date_modified")),
        }
    )


def _json_authors(holder: Mapping[str, Any]) -> list[str]:
    people = _list(holder.get("authors")) or [holder.get("author")]
    return distinct(squeeze(_text(person.get("name"))) for person in _mappings(people))


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _mappings(values: Iterable[Any]) -> list[Mapping[str, Any]]:
    return [value for value in values if isinstance(value, Mapping)]


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""
