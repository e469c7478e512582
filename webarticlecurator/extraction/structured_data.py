"""What a page says of itself as data: its JSON-LD, microdata and RDFa, all as the objects that JSON-LD has."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any

import orjson
from lxml.etree import _Element as Element

from webarticlecurator.extraction.json_repair import read_broken_json
from webarticlecurator.text import short_text
from webarticlecurator.urls import same_page

Object = Mapping[str, Any]

MAX_BLOCKS = 50
MAX_TEXT = 2_000
"""Characters of a value that stands in elements; what is longer is no metadata."""
_OPENING, _CLOSING = ("{", "["), ("}", "]")
_TYPE = "application/ld+json"
_WRAPPER = re.compile(r"^\s*(?:(?:/[/*]\s*)?<!\[CDATA\[(?:\s*\*/)?|<!--)|(?:(?:/[/*]\s*)?\]\]>(?:\s*\*/)?|-->)\s*$")
_LENIENT = json.JSONDecoder(strict=False)
"""Takes raw line breaks and tabs inside texts."""


def type_names(one: Object) -> tuple[str, ...]:
    """The types of an object, without the vocabulary's address."""
    types = one.get("@type")
    return tuple(local_name(name) for name in (types if isinstance(types, list) else [types]) if isinstance(name, str))


def local_name(name: str) -> str:
    """`https://schema.org/NewsArticle`, `schema:NewsArticle` -> `NewsArticle`."""
    return name.rpartition("/")[2].rpartition("#")[2].rpartition(":")[2].strip()


# --- JSON-LD, read as leniently as it is written ---


def json_ld_texts(scripts: Iterable[Element]) -> list[str]:
    """What stands in those scripts of a page that are JSON-LD, in page order."""
    blocks = (script for script in scripts if (script.get("type") or "").strip().lower().startswith(_TYPE))
    return [_unwrapped((block.text or "").strip()) for block in islice(blocks, MAX_BLOCKS)]


def json_ld_blocks(scripts: Iterable[Element]) -> list[Any]:
    """The JSON values in the JSON-LD among these scripts."""
    return [value for text in json_ld_texts(scripts) for value in read_json(text)]


def _unwrapped(text: str) -> str:
    """Without the marks that hide a script from browsers of old; looking for them in a long text costs more than reading it."""
    return text if text[:1] in _OPENING and text[-1:] in _CLOSING else _WRAPPER.sub("", _WRAPPER.sub("", text))


def json_ld_objects(tree: Element, url: str) -> list[dict[str, Any]]:
    """All objects at the top or in a list or `@graph`; those about this page first."""
    found = [one for block in json_ld_blocks(tree.iter("script")) for one in _objects_in(block)]
    return sorted(found, key=lambda one: not any(same_page(address, url) for address in addresses(one)))


def read_json(text: str) -> list[Any]:
    """The JSON values at the start of a text; broken ones are mended where that is safe."""
    text = text.strip().lstrip("\ufeff")
    try:
        return [orjson.loads(text)]
    except orjson.JSONDecodeError:
        pass
    values = list(_values(text))
    if values:
        return values
    mended = read_broken_json(html.unescape(text) if "{&quot;" in text or "&quot;:" in text else text)
    return [] if mended is None else [mended]


def _values(text: str) -> Iterator[Any]:
    position = 0
    while position < len(text):
        try:
            value, position = _LENIENT.raw_decode(text, position)
        except (ValueError, RecursionError):
            return
        yield value
        while position < len(text) and text[position] in " \t\r\n,;":
            position += 1


def _objects_in(block: Any) -> Iterator[dict[str, Any]]:
    """The objects of a block: itself, those in a list or `@graph`."""
    waiting = [block]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting.extend(reversed(one))
        elif isinstance(one, dict):
            yield one
            waiting.append(one.get("@graph"))


def addresses(one: Object) -> list[str]:
    """Of the page that an object is about, as the object says."""
    page = one.get("mainEntityOfPage")
    about = (page.get("@id"), page.get("url")) if isinstance(page, dict) else (page,)
    return [value for value in (one.get("url"), one.get("@id"), *about) if isinstance(value, str)]


# --- microdata, by extruct ---

MAX_PROPERTIES, MAX_ITEMS, MAX_NESTING, MAX_REFERENCES = 5_000, 2_000, 20, 1_000
"""What extruct is asked to read: with items in items its time grows with the third power (of a thousand: half a minute)."""


def microdata(properties: Sequence[Element], tree: Element, url: str) -> list[Object]:
    """The items of a page whose elements have these properties; those that belong to no item are one without a type."""
    if not properties or _takes_long(properties, tree):
        return []
    reader = _microdata_reader()
    bare = tree.get("itemscope") is None
    if bare:
        tree.set("itemscope", "")  # the standard knows no properties without an item
    try:
        return [_object_of(item) for item in reader.extract_items(tree, url)]
    except Exception:  # it has errors of its own, none of which is worth the page's other metadata
        return []
    finally:
        if bare:
            del tree.attrib["itemscope"]


def _takes_long(properties: Sequence[Element], tree: Element) -> bool:
    if len(properties) > MAX_PROPERTIES:
        return True
    nesting: dict[Element, int] = {}
    references = 0
    for item in islice(tree.iterfind(".//*[@itemscope]"), MAX_ITEMS + 1):
        nesting[item] = 1 + next((nesting[above] for above in item.iterancestors() if above in nesting), 0)
        references += len((item.get("itemref") or "").split())
    return len(nesting) > MAX_ITEMS or max(nesting.values(), default=0) > MAX_NESTING or references > MAX_REFERENCES


@cache
def _microdata_reader() -> Any:
    from extruct.w3cmicrodata import MicrodataExtractor  # it takes a tenth of a second to load, and many portals have no microdata

    class Reader(MicrodataExtractor):  # type: ignore[misc]
        """With the values that people mean; its own way with text would need a tree of lxml.html."""

        def _extract_property_value(self, node: Element, *, force: bool = False, **known: Any) -> Any:
            is_item = node.get("itemscope") is not None and not force
            return super()._extract_property_value(node, **known) if is_item else _value(node)

    return Reader(add_html_node=True)


def _object_of(item: Object) -> Object:
    properties = {local_name(name): _value_of(value) for name, value in item.get("properties", {}).items()}
    return {"@type": item.get("type"), "@id": item.get("id"), **properties}


def _value_of(value: Any) -> Any:
    """An item without a name goes by its text."""
    if isinstance(value, list):
        return [_value_of(one) for one in value]
    if not isinstance(value, dict) or "htmlNode" not in value:
        return value
    object_ = _object_of(value)
    return object_ if "name" in object_ else {**object_, "@value": value.get("value") or _text(value["htmlNode"])}


# --- RDFa, the part that is called Lite: extruct, by way of a graph, would lose the order of authors and keywords ---


def rdfa(properties: Sequence[Element]) -> list[Object]:
    """The things of a page whose elements have these properties; those that belong to no thing are one without a type."""
    things: dict[Element | None, dict[str, Any]] = {}
    for element in properties[:MAX_PROPERTIES]:
        owner = next((above for above in element.iterancestors() if above.get("typeof") is not None), None)
        thing = things.setdefault(owner, _thing(owner))
        value = _value(element) if element.get("typeof") is None else things.setdefault(element, _thing(element))
        for name in (element.get("property") or "").split():
            thing.setdefault(local_name(name), []).append(value)
    return [thing for element, thing in things.items() if element is None or element.get("property") is None]


def _thing(element: Element | None) -> dict[str, Any]:
    if element is None:
        return {}
    return {"@type": (element.get("typeof") or "").split(), "@value": _text(element)}


# --- values that stand in elements ---

_ADDRESS = {"a": "href", "link": "href", "area": "href", "img": "src", "audio": "src", "video": "src", "iframe": "src", "object": "data"}


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
