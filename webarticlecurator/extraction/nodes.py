"""Where picks look: the elements of a page, of an item or of HTML inside something else, and the items of JSON."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.config.picks import Pick, Take, Within
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import parse_html
from webarticlecurator.model.links import Fields
from webarticlecurator.model.page import Page
from webarticlecurator.paths import JsonPath

Node = Any
"""An element of HTML, or a value of JSON."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Place:
    """A page, or one item of it, with what its values depend on."""

    page: Page
    portal: Portal
    node: Node
    """The root of the page, or the item."""
    is_item: bool = False
    language: str | None = None
    base: str | None = None
    """What URLs are joined with, where a rule says so."""
    listing: Fields = field(default_factory=dict)

    @classmethod
    def whole(cls, page: Page, portal: Portal, **more: Any) -> Place:
        """All of a page."""
        return cls(page=page, portal=portal, node=page.tree if page.tree is not None else page.json, **more)

    def item(self, node: Node) -> Place:
        """The same page, narrowed to one item."""
        return replace(self, node=node, is_item=True)


def is_element(node: Node) -> bool:
    return isinstance(node, etree._Element)


def chosen(values: list[Any], take: Take) -> list[Any]:
    """Which of the values that are left, except `min` and `max`."""
    if isinstance(take, int):
        return values[take:][:1] if -len(values) <= take < len(values) else []
    return {"first": values[:1], "all": values, "last": values[-1:], "rest": values[1:]}[take]


def nodes_of(pick: Pick, place: Place) -> list[Node]:
    """What a pick with `css`, `json`, `html_in`, `meta` or `head_link` points at; without any of them, the item itself."""
    if pick.html_in is not None:
        fragments = [html for text in _html_texts(pick, place) if (html := parse_html(text)) is not None]
        return [found for html in fragments for found in (pick.css.select(html) if pick.css else [html])]
    if pick.json is not None:
        return flat(pick.json.search(place.node)) if not is_element(place.node) else []
    if pick.meta is not None or pick.head_link is not None:
        return _in_head(pick, place.page.tree)
    if not is_element(place.node):
        return [place.node] if place.is_item and pick.css is None else []
    containers = containers_of(pick.within, place.node)
    return containers if pick.css is None else unique(found for container in containers for found in pick.css.select(container))


def _in_head(pick: Pick, tree: Element | None) -> list[Element]:
    if tree is None:
        return []
    if pick.head_link is not None:
        wanted = pick.head_link.lower()
        return [link for link in tree.iter("link") if wanted in (link.get("rel") or "").lower().split()]
    wanted = (pick.meta or "").lower()
    return [meta for meta in tree.iter("meta") if wanted in ((meta.get("name") or "").lower(), (meta.get("property") or "").lower())]


def containers_of(within: Within | None, node: Node) -> list[Element]:
    """Where to search: the page or item itself, or the containers in it that `within` names."""
    if not is_element(node):
        return []
    return [node] if within is None else chosen(within.css.select(node), within.take)


def unique(elements: Iterable[Element]) -> list[Element]:
    """Containers may lie in one another."""
    return list(dict.fromkeys(elements))


def _html_texts(pick: Pick, place: Place) -> list[str]:
    if is_element(place.node):
        name = str(pick.html_in)
        holders = (holder for container in containers_of(pick.within, place.node) for holder in container.iter(etree.Element))
        return [value for holder in unique(holders) if (value := holder.get(name.lower()))]
    if isinstance(pick.html_in, JsonPath):
        found = pick.html_in.search(place.node)
    else:
        found = place.node.get(pick.html_in) if isinstance(place.node, Mapping) and pick.html_in else None
    return [text for text in flat(found) if isinstance(text, str)]


def flat(value: Any) -> list[Any]:
    """Lists inside lists become one; nothing is left out but null."""
    found: list[Any] = []
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting.extend(reversed(one))
        elif one is not None:
            found.append(one)
    return found
