"""How a nearer file (or a column, or a layout) changes what a farther one says."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from webarticlecurator.config.portal import PagingMode
from webarticlecurator.config.yaml_nodes import FilePlace, ListNode, MapNode, Node, ScalarNode, is_null

_PAGE = re.compile(r"(?<!\{)(?:\{\{)*\{page\}")

_CHILDREN: Mapping[str, Mapping[str, str]] = {
    "portal": {
        "archive": "walk",
        "columns": "columns",
        "articles": "articles",
        "metadata": "picks",
        "body": "body",
        "posts": "posts",
    },
    "columns": {"*": "walk"},
    "walk": {"pages": "pages", "stop": "value", "request": "value", "item": "value", "link": "value", "next": "value", "fields": "picks"},
    "pages": {"last": "value"},
    "articles": {"next": "value", "request": "value"},
    "picks": {"*": "value"},
    "body": {"root": "value", "tags": "layers"},
    "posts": {"*": "picks"},
}
"""Kind of a mapping -> key -> kind of what stands there; anything else is an ordinary mapping, list or scalar."""


def nothing(place: FilePlace) -> MapNode:
    return MapNode(place, {}, {})


def merge(far: MapNode, near: MapNode, kind: str, *, unfinished: bool = False) -> MapNode:
    """Mappings key by key; scalars and lists of the nearer replace; null stays as null, which removes; `key+` adds.

    `unfinished`: something farther is still to come (`archive`, for columns), so a `key+` without a list waits for it.
    """
    if kind == "walk":
        far = _without_far_paging(far, near)
    kinds = _CHILDREN.get(kind, {})
    entries, keys = dict(far.entries), dict(far.keys)
    for key, value in near.entries.items():
        keys[key] = near.keys[key]
        if kind == "columns" and is_null(value) and key in far.entries:
            del entries[key]
        elif key.endswith("+") and kind not in ("columns", "plain"):
            name = key if unfinished and key.removesuffix("+") not in entries else key.removesuffix("+")
            entries[name] = _added(entries.get(name), value)
            keys[name] = near.keys[key]
        else:
            entries.pop(f"{key}+", None)
            below = kinds.get(key, kinds.get("*", _ORDINARY.get(key, "plain")))
            entries[key] = _merged(far.entries.get(key), value, below, unfinished=unfinished or kind == "columns")
    return MapNode(near.place, entries, {key: keys[key] for key in entries}, near.flow)


_ORDINARY: Mapping[str, str] = {"urls": "lists", "skip": "lists", "fetch": "lists", "dates": "lists"}
"""Ordinary mappings whose keys are ours, so that `key+` means adding; elsewhere (headers) a `+` is part of a name."""


def _merged(far: Node | None, near: Node, kind: str, *, unfinished: bool) -> Node:
    if kind == "layers" and not is_null(near) and _layers(far):
        return ListNode(near.place, (*_layers(near), *_layers(far)))
    if kind in ("value", "layers") or is_null(near):
        return near
    if kind == "pages" and isinstance(far, ScalarNode | MapNode) and not is_null(far):
        far, near = as_pages(far), as_pages(near)
    if isinstance(near, MapNode):
        return merge(far if isinstance(far, MapNode) else nothing(near.place), near, kind, unfinished=unfinished)
    return near


def _added(far: Node | None, more: Node) -> Node:
    items = (*_items(far), *_items(more))
    return ListNode(more.place, items)


def _items(node: Node | None) -> tuple[Node, ...]:
    if node is None or is_null(node):
        return ()
    return node.items if isinstance(node, ListNode) else (node,)


def _layers(node: Node | None) -> tuple[Node, ...]:
    return tuple(item for item in _items(node) if isinstance(item, MapNode))


def _without_far_paging(far: MapNode, near: MapNode) -> MapNode:
    """`pages` merges while the mode stays the same; another mode replaces the whole, and ends a farther `next` that it does not use."""
    pages = near.get("pages")
    mode = _stated_mode(pages) if pages is not None else None
    if mode is None or mode == mode_of(far):
        return far
    dropped = {"pages"} if mode == PagingMode.NEXT_LINK or "next" in near.entries else {"pages", "next"}
    return MapNode(far.place, {key: value for key, value in far.entries.items() if key not in dropped}, far.keys, far.flow)


def as_pages(node: Node) -> MapNode:
    """The mapping that `pages: next-link` is short for."""
    if isinstance(node, MapNode):
        return node
    return MapNode(node.place, {"mode": node}, {"mode": node.place})


def _stated_mode(pages: Node) -> PagingMode | None:
    """The mode that `pages` names; `last` and `values` have a meaning in numbered paging alone."""
    mapping = as_pages(pages)
    mode = mapping.get("mode")
    if isinstance(mode, ScalarNode):
        return PagingMode(mode.text)
    return PagingMode.NUMBERED if mapping.get("last") or mapping.get("values") else None


def mode_of(walk: MapNode) -> PagingMode:
    """How a column (or `archive`) finds its next archive page."""
    pages = walk.get("pages")
    if pages is not None and (mode := _stated_mode(pages)) is not None:
        return mode
    if walk.get("next") is not None:
        return PagingMode.NEXT_LINK
    asked = (walk.get("url"), walk.get("dates"), walk.get("request"))
    return PagingMode.INFINITE if any(_PAGE.search(text) for node in asked if node for text in _texts(node)) else PagingMode.NONE


def _texts(node: Node) -> Iterator[str]:
    if isinstance(node, ScalarNode):
        yield node.text
    else:
        for child in node.items if isinstance(node, ListNode) else node.entries.values():
            yield from _texts(child)
