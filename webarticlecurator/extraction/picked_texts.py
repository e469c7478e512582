"""The text where a pick points: that of elements and items, or one that a page has elsewhere."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lxml.etree import _Element as Element

from webarticlecurator.budget import allowed
from webarticlecurator.config.picks import Pick
from webarticlecurator.extraction.page_context import PageContext, PageNode, is_element
from webarticlecurator.extraction.picked_nodes import flattened, nodes_of
from webarticlecurator.jmespaths import JsonPath
from webarticlecurator.model.page import read_json
from webarticlecurator.patterns import Pattern
from webarticlecurator.text import UNSEEN, element_text, own_text, text_inside, unescaped

_MANY_NODES = 100
"""The texts of so many elements, one inside the other, may be long together."""


@dataclass(frozen=True, slots=True, eq=False)
class PickedValue:
    """One value on its way through the steps."""

    text: str
    raw: str
    node: PageNode = None
    """The element or item that it was read from, if there is one."""
    written: str = ""
    """The words of a date that stands in the text of the page."""
    is_seen: bool = False
    """True for the text of an element, which readers of the page see."""

    def now(self, text: str, written: str = "") -> PickedValue:
        """Return the value after a step."""
        return PickedValue(text, self.raw, self.node, written, self.is_seen)


def texts_of(pick: Pick, context: PageContext, *, is_url: bool) -> Iterable[PickedValue]:
    """Return the texts of the first place with texts that a pick names, else those of the elements or items
    that it points at."""
    for key, read in _PLACES.items():
        place = getattr(pick, key)
        if place is not None:
            return read(place, pick, context)
    return _texts_of_nodes(pick, context, is_url=is_url)


# --- elements and items ---


def _texts_of_nodes(pick: Pick, context: PageContext, *, is_url: bool) -> Iterator[PickedValue]:
    nodes, attribute = nodes_of(pick, context), _attribute(pick, is_url=is_url)
    are_many = len(nodes) > _MANY_NODES
    for node in nodes:
        if are_many:
            allowed(pick.source)
        text, is_seen = _scalar_text(node), False
        if is_element(node):
            text, is_seen = _text_of_element(node, pick, attribute)
        if text is not None:
            yield PickedValue(text, text, node, is_seen=is_seen)


def _attribute(pick: Pick, *, is_url: bool) -> str:
    """Return the attribute whose value is wanted; empty where the text is."""
    if pick.attr or pick.meta:
        return (pick.attr or "content").lower()
    is_text = pick.own_text or pick.without is not None
    return "href" if pick.head_link or (is_url and not is_text) else ""


def _text_of_element(element: Element, pick: Pick, attribute: str) -> tuple[str | None, bool]:
    """Return the text that is wanted of an element, with the attribute that a rule puts behind it; and
    whether readers see that text."""
    text, is_seen = element.get(attribute) if attribute else None, False
    # a URL may be built from the text of an element that is no link
    may_be_text = not attribute or (pick.make_url is not None and not pick.attr)
    if text is None and may_be_text:
        text, is_seen = _shown_text(element, pick), element.tag not in UNSEEN
    if text is not None and pick.with_attr is not None:
        text = f"{text} {element.get(pick.with_attr.lower(), '')}"
    return text, is_seen


def _shown_text(element: Element, pick: Pick) -> str:
    if pick.own_text:
        return own_text(element)
    without = pick.without.select(element) if pick.without is not None else ()
    return element_text(element, without=frozenset(without) - {element})


# --- texts that a page has elsewhere ---


def _plain(texts: Iterable[str]) -> Iterator[PickedValue]:
    return (PickedValue(text, text) for text in texts)


def _in_json_ld(path: JsonPath, _: Pick, context: PageContext) -> Iterable[PickedValue]:
    objects = context.page.json_ld_objects
    # a path may also be written for all objects together: [?"@type" == 'NewsArticle'].name
    of_each = _scalars([path.search(member) for member in objects])
    return list(of_each) or _scalars(path.search(objects))


def _in_scripts(script: Pattern, pick: Pick, context: PageContext) -> Iterator[PickedValue]:
    for element in context.elements("script"):
        for match in script.finditer(text_inside(element)):
            captured = script.group_of(match) or ""
            yield from _plain([captured]) if pick.json is None else _in_json(captured, pick.json)


def _in_json(text: str, path: JsonPath) -> Iterator[PickedValue]:
    return _scalars([path.search(document) for document in read_json(text)[:1]])


def _in_address(pattern: Pattern, _: Pick, context: PageContext) -> Iterator[PickedValue]:
    return _plain(filter(None, [pattern.captured(context.page.url)]))


def _in_headers(header: str, _: Pick, context: PageContext) -> Iterator[PickedValue]:
    return _plain(value for name, value in context.page.headers if name.lower() == header.lower())


_PLACES: Mapping[str, Callable[[Any, Pick, PageContext], Iterable[PickedValue]]] = {
    "jsonld": _in_json_ld,
    "script": _in_scripts,
    "page_url": _in_address,
    "header": _in_headers,
    "listing": lambda name, _, context: _plain(context.listing.get(name, ())),
    "const": lambda text, *_: _plain([text]),
}
"""Keys of a pick that say a place with texts, each with what reads it; the first that is given counts."""


def _scalars(values: Any) -> Iterator[PickedValue]:
    for value in flattened(values):
        text = _scalar_text(value)
        if text is not None:
            yield PickedValue(text, str(value))


def _scalar_text(value: Any) -> str | None:
    """Return a JSON value as text; entities that a portal wrote into it are decoded, objects are no
    values."""
    for kind, write in _SCALARS.items():
        if isinstance(value, kind):
            return write(value)
    return None


_SCALARS: Mapping[type, Callable[[Any], str]] = {
    str: unescaped,
    bool: lambda value: str(value).lower(),
    int: str,
    float: lambda value: str(value).removesuffix(".0"),
}
"""Types of JSON that are values, each with how it is written; the first that fits counts."""
