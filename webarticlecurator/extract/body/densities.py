"""One walk over a page: which of its blocks hold running text, which hold links, and what their names say of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from lxml.etree import _Element as Element

from webarticlecurator.extract.body.names import Role, role_of

# fmt: off
_INLINE = frozenset((
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "ins", "kbd",
    "label", "mark", "nobr", "picture", "q", "rp", "rt", "ruby", "s", "samp", "small", "source", "span", "strike", "strong", "sub", "sup",
    "time", "tt", "u", "var", "wbr",
))
_UNREAD = frozenset((
    "area", "audio", "button", "canvas", "embed", "head", "iframe", "input", "link", "map", "meta", "nav", "noscript", "object", "option",
    "param", "script", "select", "style", "svg", "template", "textarea", "track", "video",
))
"""Nothing in these is running text of an article."""
# fmt: on
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
_LONG = 40
"""Characters from which a text may be a sentence."""


@dataclass(slots=True, eq=False)
class Terrain:
    """The block elements of a page in page order; row by row what stands in them."""

    elements: list[Element] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    """The row of the block around it; -1 above the first."""
    roles: list[Role | None] = field(default_factory=list)
    """What the names of the element, its class and its id, say of it."""
    flow: list[int] = field(default_factory=list)
    """Characters of the text that stands immediately in it, inlines included."""
    linked: list[int] = field(default_factory=list)
    """Those of them that are links."""
    stops: list[int] = field(default_factory=list)
    """Commas and full stops in them."""
    known: list[int] = field(default_factory=list)
    """Those that `is_known` recognised."""


def survey(root: Element, is_known: Callable[[str], bool] | None = None) -> Terrain:
    """Walk a page once."""
    terrain = Terrain()
    elements, parents, roles = terrain.elements, terrain.parents, terrain.roles
    flow, linked, stops, known = terrain.flow, terrain.linked, terrain.stops, terrain.known
    stack: list[tuple[Element, int, bool]] = [(root, -1, False)]
    while stack:
        element, row, in_link = stack.pop()
        tag = element.tag
        if tag in _INLINE:
            in_link = in_link or tag == "a"
        else:
            parents.append(row)
            row = len(elements)
            elements.append(element)
            attributes = element.attrib
            roles.append(role_of(tag, attributes) if attributes else None)
            flow.append(0)
            linked.append(0)
            stops.append(0)
            known.append(0)
        text = element.text
        if text and (length := len(text.strip())):
            flow[row] += length
            if in_link:
                linked[row] += length
            elif length >= _LONG:
                stops[row] += text.count(",") + text.count(". ")
                if is_known is not None and is_known(text): known[row] += length
        for child in element.iterchildren(reversed=True):
            tail = child.tail
            if tail and (length := len(tail.strip())):
                flow[row] += length
                if in_link:
                    linked[row] += length
                elif length >= _LONG:
                    stops[row] += tail.count(",") + tail.count(". ")
                    if is_known is not None and is_known(tail): known[row] += length
            if child.tag not in _UNREAD:
                stack.append((child, row, in_link))
    return terrain
