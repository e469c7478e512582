"""What elements of a page say of it as data: microdata, and the part of RDFa that is called Lite, as the objects that JSON-LD has."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.model.json_ld import Object, local_name
from webarticlecurator.text import short_text

MAX_TEXT = 2_000
"""Characters of a value that stands in elements; what is longer is no metadata."""
MAX_PROPERTIES = 5_000
MAX_ENTRIES = 100
"""Of a list that is a property: a longer one is a text."""


class Syntax(NamedTuple):
    """The attributes by which a syntax marks a thing, its type and its properties."""

    thing: str
    type: str
    property: str


MICRODATA = Syntax("itemscope", "itemtype", "itemprop")
RDFA = Syntax("typeof", "typeof", "property")


def embedded(properties: Sequence[Element], syntax: Syntax) -> list[Object]:
    """The things of a page whose elements have these properties; those that belong to no thing are one without a type."""
    things: dict[Element | None, dict[str, Any]] = {}

    def thing_at(element: Element | None) -> dict[str, Any]:
        if element not in things:
            things[element] = {} if element is None else {"@type": (element.get(syntax.type) or "").split(), "@id": element.get("itemid")}
        return things[element]

    for element in properties[:MAX_PROPERTIES]:
        owner = thing_at(next((above for above in element.iterancestors() if above.get(syntax.thing) is not None), None))
        values = _told(element) if element.get(syntax.thing) is None else [thing_at(element)]
        # each name once: the same things again and again, one in the other, would be endlessly many
        for name in dict.fromkeys((element.get(syntax.property) or "").split()):
            owner.setdefault(local_name(name), []).extend(values)
    inner = {element for element in things if element is not None and element.get(syntax.property) is not None}
    for element in inner:
        if "name" not in things[element]:
            things[element]["@value"] = _text(element)
    return [thing for element, thing in things.items() if element not in inner]


# --- values that stand in elements ---

_ADDRESS = {"a": "href", "link": "href", "area": "href", "img": "src", "audio": "src", "video": "src", "iframe": "src", "object": "data"}


def _told(element: Element) -> list[str | Object]:
    """Of a list of short entries each is one, and each link of those that are all there is."""
    entries = [child for child in element if child.tag == "li"] if element.tag in ("ul", "ol") else _links_alone(element)
    return [_value(entry) for entry in entries] if 0 < len(entries) <= MAX_ENTRIES else [_value(element)]


def _links_alone(element: Element) -> list[Element]:
    """Several links to several places, with nothing between them but blanks, not even a comma."""
    links = [child for child in element if child.tag == "a" and child.get("href") and _text(child)]
    around = "".join([element.text or "", *(link.tail or "" for link in links)])
    alone = 1 < len(links) == len(element) and not around.strip() and element.get("content") is None
    return links if alone and len({link.get("href") for link in links}) == len(links) else []


def _value(element: Element) -> str | Object:
    """What an element says for machines, else its text; of what leads somewhere both its text and the address."""
    written = element.get("content") or element.get("datetime")
    if written:
        return written
    text = _text(element)
    address = element.get(_ADDRESS.get(str(element.tag), "href"))
    return {"name": text, "url": address} if address else text


def _text(element: Element) -> str:
    return short_text(element, MAX_TEXT) or ""
