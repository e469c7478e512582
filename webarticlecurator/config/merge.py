"""Let a nearer file (or a column, or a layout) change what a farther one says."""

from __future__ import annotations

from webarticlecurator.config.keys import Shape
from webarticlecurator.config.yaml_reading import (
    ListNode,
    MapNode,
    ScalarNode,
    YamlNode,
    is_null,
    items,
    mapping,
    scalars_in,
)
from webarticlecurator.own_patterns import linear

FILLED_IN = ("url", "request")
"""Keys of a column under which templates stand."""
_PAGE = linear(r"(?<!\{)(?:\{\{)*\{page\}")
_TELL_LINKS = {"feed": ("pages",), "sitemap": ("pages", "stop")}
_OF_A_FORMAT = ("item", "link", "next", "sections", "fields", "fetch")


def merge(far: MapNode, near: MapNode, shape: Shape, *, unfinished: bool = False) -> MapNode:
    """Return two mappings as one, key by key: what is nearer replaces scalars and lists; null stays, which
    removes; `key+` adds.

    `unfinished`: something farther is still to come (`archive`, for columns), so a `key+` without a list
    waits for it.
    """
    if shape.merges == "column":
        far = without(far, *_ended(far, near))
    entries, keys = dict(far.entries), dict(far.keys)
    for key, value in near.entries.items():
        keys[key] = near.keys[key]
        if shape.merges == "columns" and is_null(value) and key in far.entries:
            del entries[key]
        elif shape.adds_to(key):
            name = key if unfinished and key.removesuffix("+") not in entries else key.removesuffix("+")
            entries[name] = ListNode(value.place, (*items(entries.get(name)), *items(value)))
            keys[name] = near.keys[key]
        else:
            entries.pop(f"{key}+", None)
            inside = unfinished or shape.merges == "columns"
            entries[key] = _merged(far.entries.get(key), value, shape.of(key) or Shape(), unfinished=inside)
    return MapNode(near.place, entries, {key: keys[key] for key in entries})


def _ended(far: MapNode, near: MapNode) -> list[str]:
    """Return the keys of a farther column that a nearer one ends, since they belong to another kind of
    pages."""
    ended: list[str] = []
    own_format = _format(near)
    if own_format not in ("", _format(far) or "html"):
        # rules for pages of another format; where that itself tells the way on, also their paging
        ended += (*_OF_A_FORMAT, *_TELL_LINKS.get(own_format, ()))
    mode = _stated_mode(near.get("pages"))
    if mode is not None and mode != mode_of(without(far, *ended)):
        # `pages` merges while the mode stays the same; another mode replaces the whole, and ends a farther
        # `next` that it does not use
        uses_next = mode == "next-link" or "next" in near.entries
        ended += ("pages",) if uses_next else ("pages", "next")
    # an archive has one of the two
    if near.get("url") is not None:
        ended.append("ways")
    elif near.get("ways") is not None:
        ended.append("url")
    return ended


def _format(column: MapNode) -> str:
    """Return the format that a column states for its pages; empty if it states none."""
    node = column.get("format")
    return node.text if isinstance(node, ScalarNode) else ""


def _merged(far: YamlNode | None, near: YamlNode, shape: Shape, *, unfinished: bool) -> YamlNode:
    if shape.merges == "layers" and not is_null(near) and _layers(far):
        return ListNode(near.place, (*_layers(near), *_layers(far)))
    if shape.merges in ("whole", "layers") or is_null(near):
        return near
    if shape.short_for and isinstance(far, ScalarNode | MapNode) and not is_null(far):
        far, near = as_mapping(far, shape.short_for), as_mapping(near, shape.short_for)
    if isinstance(near, MapNode):
        return merge(
            far if isinstance(far, MapNode) else MapNode(near.place, {}, {}),
            near,
            shape,
            unfinished=unfinished,
        )
    return near


def _layers(node: YamlNode | None) -> tuple[YamlNode, ...]:
    return tuple(item for item in items(node) if isinstance(item, MapNode))


def without(node: MapNode, *keys: str) -> MapNode:
    """Return the mapping as if these keys were absent."""
    return MapNode(
        node.place, {key: value for key, value in node.entries.items() if key not in keys}, node.keys
    )


def as_mapping(node: YamlNode | None, key: str) -> MapNode:
    """Return the mapping that a word is short for."""
    return (
        MapNode(node.place, {key: node}, {key: node.place}) if isinstance(node, ScalarNode) else mapping(node)
    )


def _stated_mode(pages: YamlNode | None) -> str | None:
    """Return the mode that `pages` names; `last` and `values` have a meaning in numbered paging alone."""
    settings = as_mapping(pages, "mode")
    mode = settings.get("mode")
    if isinstance(mode, ScalarNode):
        return mode.text
    return "numbered" if settings.get("last") or settings.get("values") else None


def mode_of(column: MapNode) -> str:
    """Return how a column (or `archive`) finds its next archive page."""
    stated = _stated_mode(column.get("pages"))
    if stated is not None:
        return stated
    if column.get("next") is not None:
        return "next-link"
    if any(_PAGE.search(scalar.text) for key in FILLED_IN for scalar in scalars_in(column.get(key))):
        return "infinite"
    return "next-link" if _format(column) == "feed" else "none"
