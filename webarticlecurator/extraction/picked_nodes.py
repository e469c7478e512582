"""The elements, or items of JSON, that a pick points at in a page or an item."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain, islice, takewhile
from typing import Any

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.budget import allowed
from webarticlecurator.config.picks import PageNumber, Pick, Take, Within
from webarticlecurator.document.parsed_page import parse_part
from webarticlecurator.extraction.page_context import PageContext, PageNode, is_element
from webarticlecurator.jmespaths import JsonPath
from webarticlecurator.model.page import Page, relations
from webarticlecurator.patterns import Pattern
from webarticlecurator.selectors import Selector
from webarticlecurator.text import element_text, squeeze, whole_number

_CURRENT = Selector.parse("[aria-current], .current, .active")
"""Elements that hold the number of the current page, where no rule tells them."""


def nodes_of(pick: Pick, context: PageContext) -> list[PageNode]:
    """Return all elements or items that a pick points at; where no key says a place, the item itself."""
    nodes: Iterable[PageNode] = _at_place(pick, context)
    for name, pattern in (pick.having or {}).items():
        nodes = [node for node in filter(is_element, nodes) if _has(node, name, pattern)]
    if pick.page_number is not None:
        nodes = _with_number(pick.page_number, pick, context, nodes)
    return list(nodes)


_TAKEN = {"first": slice(1), "last": slice(-1, None), "rest": slice(1, None)}
"""Slices of several values that a word takes; every other word takes all."""


def chosen(values: list[Any], take: Take) -> list[Any]:
    """Return those of the values that `take` takes; `min` and `max` leave all."""
    if isinstance(take, int):
        return values[take:][:1] if take >= -len(values) else []
    return values[_TAKEN.get(take, slice(None))]


def flattened(value: Any) -> list[Any]:
    """Return lists inside lists as one; nothing is left out but null."""
    values: list[Any] = []
    waiting = [value]
    while waiting:
        member = waiting.pop()
        if isinstance(member, list):
            waiting.extend(reversed(member))
        elif member is not None:
            values.append(member)
    return values


# --- places ---


def _at_place(pick: Pick, context: PageContext) -> Iterable[PageNode]:
    for key, find in _PLACES.items():
        place = getattr(pick, key)
        if place is not None:
            return find(place, pick, context)
    is_json = context.is_item and not is_element(context.node)
    return [context.node] if is_json else _containers(pick.within, context.node)


def _containers(within: Within | None, node: PageNode) -> list[Element]:
    """Return where to search: the page or item itself, or the containers in it that `within` names."""
    if within is None or not is_element(node):
        return list(filter(is_element, [node]))
    return chosen(within.css.select(node), within.take)


def _in_html(name: JsonPath | str, pick: Pick, context: PageContext) -> list[Element]:
    """Return what `css` selects in HTML that stands in an attribute or a value, or else its roots."""
    texts = [text for text in _texts_of_html(name, pick, context) if isinstance(text, str)]
    trees = [parse_part(context.page, text) for text in texts]
    roots = [tree for tree in trees if tree is not None]
    return list(chain.from_iterable(map(pick.css.select, roots))) if pick.css is not None else roots


def _texts_of_html(name: JsonPath | str, pick: Pick, context: PageContext) -> Iterable[Any]:
    """Return the values that hold HTML: attributes of elements, or members of JSON."""
    if is_element(context.node):
        holders = _within(pick, context, lambda container: container.iter(etree.Element))
        return [holder.get(str(name).lower()) for holder in holders]
    if isinstance(name, JsonPath):
        return flattened(name.search(context.node))
    return flattened(context.node.get(name)) if isinstance(context.node, Mapping) else ()


def _within(
    pick: Pick,
    context: PageContext,
    search: Callable[[Element], Iterable[Element]],
) -> list[Element]:
    """Return what is found in the containers, which may lie in one another, each once."""
    return list(dict.fromkeys(chain.from_iterable(map(search, _containers(pick.within, context.node)))))


def _selected(css: Selector, pick: Pick, context: PageContext) -> list[Element]:
    elements = _within(pick, context, css.select)
    if not context.others:
        return elements
    # what is in other items is theirs
    return [element for element in elements if not _is_of_other(element, context)]


def _is_of_other(element: Element, context: PageContext) -> bool:
    """Return True if an element of an item is in another item in it, or is one."""
    around = takewhile(lambda holder: holder is not context.node, chain((element,), element.iterancestors()))
    return any(map(context.others.__contains__, around))


def _nearest(selector: Selector, context: PageContext, *, before: bool) -> list[Element]:
    """Return the nearest that stands before (behind) the item: not one that holds it, nor one in it."""
    if not is_element(context.node):
        return []
    marks = _marks(selector, context, before=before)
    allowed(selector.text)
    for level in (context.node, *context.node.iterancestors()):
        for sibling in level.itersiblings(preceding=before):
            if sibling in marks:
                return [marks[sibling]]
            if not before and sibling in context.others:
                return []  # what stands behind the next item is that one's
    return []


def _marks(selector: Selector, context: PageContext, *, before: bool) -> dict[Element, Element]:
    """Return each element that is selected or holds one that is, with the first of these in it."""
    if (selector, before) not in context.marks:
        tree: PageNode = context.page.tree  # which the node is of
        matching = selector.select(tree)
        marks: dict[Element, Element] = {}
        for mark in reversed(matching) if before else matching:
            for holder in chain((mark,), mark.iterancestors()):
                if holder in marks:
                    break
                marks[holder] = mark
        context.marks[selector, before] = marks
    return context.marks[selector, before]


def _by_path(path: JsonPath, _: Pick, context: PageContext) -> list[Any]:
    return [] if is_element(context.node) else flattened(path.search(context.node))


def _by_meta(name: str, _: Pick, context: PageContext) -> Iterator[Element]:
    for meta in context.elements("meta"):
        if name.lower() in (meta.get("name", "").lower(), meta.get("property", "").lower()):
            yield meta


def _by_relation(relation: str, _: Pick, context: PageContext) -> Iterator[Element]:
    return (link for link in context.elements("link") if relation.lower() in relations(link))


_PLACES: Mapping[str, Callable[[Any, Pick, PageContext], Iterable[PageNode]]] = {
    "html_in": _in_html,
    "css": _selected,
    "before": lambda mark, _, context: _nearest(mark, context, before=True),
    "after": lambda mark, _, context: _nearest(mark, context, before=False),
    "json": _by_path,
    "meta": _by_meta,
    "head_link": _by_relation,
}
"""Keys of a pick that say a place, each with what finds it; the first that is given counts."""


# --- which of what is found there ---


def _has(element: Element, name: str, pattern: Pattern) -> bool:
    """Return True if a pattern finds something in the text of an element, or in one of its attributes."""
    text = squeeze(element_text(element)) if name == "text" else element.get(name.lower())
    return text is not None and pattern.search(text) is not None


def _with_number(
    rule: PageNumber,
    pick: Pick,
    context: PageContext,
    nodes: Iterable[PageNode],
) -> list[Element]:
    """Return the links whose whole text is the wanted number; empty where that of the page is not found."""
    numbers = (number for number in map(_number_of, _numbered(rule, pick, context)) if number is not None)
    wanted = [number + rule.step for number in islice(numbers, 1)]
    return [link for link in filter(is_element, nodes) if _number_of(link) in wanted]


def _numbered(rule: PageNumber, pick: Pick, context: PageContext) -> Iterator[Element]:
    """Give what may hold the number of the current page; it is looked for in the container first."""
    trees: list[PageNode] = [*_containers(pick.within, context.node), context.page.tree]
    places = list(filter(is_element, trees))
    for current in chain.from_iterable(map((rule.current or _CURRENT).select, places)):
        yield from current.iter(etree.Element)
    if rule.current is None:
        yield from chain.from_iterable(_self_links(place, context.page) for place in places)


def _number_of(element: Element) -> int | None:
    """Return the number that is an element's whole text."""
    return whole_number(squeeze(element_text(element)), 9)


def _self_links(place: Element, page: Page) -> Iterator[Element]:
    """Give the links that lead to the page itself, and not to a place on it."""
    for link in place.iter("a"):
        href = link.get("href", "").strip()
        if not href.startswith("#") and any(map(page.is_at, page.joined([href]))):
            yield link
