"""The links that the rules of a column find, with what they find beside them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.config.fields import FIELDS, Holds
from webarticlecurator.config.picks import Pick, Picks, Take
from webarticlecurator.config.portal import ArchiveFormat, Column
from webarticlecurator.dates import by_clock
from webarticlecurator.extraction.lookalikes import FIRST_LINK
from webarticlecurator.extraction.page_context import PageContext, PageNode, is_element
from webarticlecurator.extraction.picked_values import (
    TEXT,
    UNASKED_DATES,
    Picked,
    pick_fields,
    pick_links,
    pick_nodes,
)
from webarticlecurator.jmespaths import JsonPath
from webarticlecurator.model.links import TOLD_BY_FEED, Feed, Fields
from webarticlecurator.model.metadata import Found
from webarticlecurator.urls import web_link

_WITH_ITEMS = (ArchiveFormat.HTML, ArchiveFormat.JSON)
"""Formats of pages whose lists have items."""


_FORMATS_IN_FEEDS = {"lastmod": UNASKED_DATES}
"""Formats of the dates that entries of feeds have, by field."""
_TAKEN_IN_FEEDS: dict[str, Take] = dict.fromkeys(TOLD_BY_FEED, "all")
"""Values of the entries of feeds that are taken, by field."""


class PickedLink(NamedTuple):
    """A link that the rules find."""

    url: str
    """Joined."""
    fields: Fields
    """Values that the page tells of its article."""
    node: PageNode = None
    """The element or item that it was found in."""


def items_of(context: PageContext, column: Column) -> list[PageNode] | None:
    """Return the items of a list; None where the column has no rule for them."""
    if column.item is None or column.format not in _WITH_ITEMS:
        return None
    return pick_nodes(column.item, context)


def boxes_of(items: Iterable[PageNode] | None) -> frozenset[Element]:
    """Return the items that are elements."""
    return frozenset(filter(is_element, items or ()))


def links_of(
    context: PageContext,
    column: Column,
    items: Iterable[PageNode] | None,
    feed: Feed | None = None,
) -> Iterator[PickedLink]:
    """Return the links that the rules of a column find, with what is said of them."""
    if feed is not None:
        return _links_of_feed(context, column, feed)
    if column.format is ArchiveFormat.URLS:
        return _lines(context)
    if items is not None:
        return _links_of_items(context, column, items)
    return _links_of_page(context, column)


def _links_of_feed(context: PageContext, column: Column, feed: Feed) -> Iterator[PickedLink]:
    """Give the entries of a feed, whose fields are read like picked ones."""
    for entry in feed.entries:
        by_feed = {TOLD_BY_FEED.get(name, name): _by_name(name) for name in entry if name != "url"}
        yield PickedLink(entry["url"], _fields(by_feed | dict(column.fields), context.item(entry)))


def _lines(context: PageContext) -> Iterator[PickedLink]:
    """Give the addresses of a list that has one a line; empty lines and comments are passed over."""
    lines = filter(None, map(str.strip, context.page.text.splitlines()))
    urls = (web_link(context.base_of_links, line) for line in lines if not line.startswith("#"))
    return (PickedLink(url, {}) for url in filter(None, urls))


def _links_of_items(context: PageContext, column: Column, items: Iterable[PageNode]) -> Iterator[PickedLink]:
    """Give the links of items, whose fields stand in the items."""
    for node in items:
        item = context.item(node)
        picked = pick_links(column.link or FIRST_LINK, item, many=False)
        fields = _fields(column.fields, item)
        yield from (PickedLink(value.text, fields, value.node) for value in picked.values)
        yield from _elsewhere(picked)


def _links_of_page(context: PageContext, column: Column) -> Iterator[PickedLink]:
    """Give the links of a page without items, whose fields stand in the links."""
    picked = pick_links(column.link, context, many=True)
    for value in picked.values:
        fields = _fields(column.fields, context.item(value.node)) if value.node is not None else {}
        yield PickedLink(value.text, fields, value.node)
    yield from _elsewhere(picked)


def _elsewhere(picked: Picked) -> Iterator[PickedLink]:
    """Give the links that lead out of the web."""
    return (PickedLink(url, {}) for url in picked.elsewhere)


@lru_cache(maxsize=64)
def _by_name(name: str) -> Picks:
    date, source = _FORMATS_IN_FEEDS.get(name, ()), f"archive.fields.{name}"
    pick = Pick(json=JsonPath.parse(name), date=date, take=_TAKEN_IN_FEEDS.get(name), source=source)
    return Picks(alternatives=(pick,))


def _fields(picks: Mapping[str, Picks], item: PageContext) -> Fields:
    """Return what picks find in an item."""
    fields = pick_fields(picks, item)
    return {name: _listed(name, values, item) for name, values in fields.items()}


def _listed(name: str, found: Iterable[Found], item: PageContext) -> tuple[str, ...]:
    """Return the values of a field as a listing tells them.

    APIs and feeds tell times in UTC: they are kept by the portal's clock, so that the day is that of readers.
    """
    is_date = FIELDS.get(name, TEXT).holds is Holds.DATE
    return tuple([by_clock(value.value, item.portal.timezone) if is_date else value.value for value in found])
