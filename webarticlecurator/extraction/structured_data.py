"""What a page says of itself as data: its JSON-LD, microdata and RDFa, all as the objects that JSON-LD has."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

import orjson
from lxml.etree import _Element as Element

from webarticlecurator.extraction.json_repair import read_broken_json
from webarticlecurator.text import short_text
from webarticlecurator.urls import same_page

Object = Mapping[str, Any]

MAX_BLOCKS = 50
MAX_PARSED = 200_000
"""Characters of a block of JSON-LD that extruct is given: one that does not parse it looks through once more, letter by letter."""
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
    return [_text_of(script) for script in _json_ld_scripts(scripts)]


def _json_ld_scripts(scripts: Iterable[Element]) -> Iterator[Element]:
    return islice((script for script in scripts if (script.get("type") or "").strip().lower().startswith(_TYPE)), MAX_BLOCKS)


def _text_of(script: Element) -> str:
    return _unwrapped((script.text or "").strip())


def json_ld_blocks(scripts: Iterable[Element]) -> list[Any]:
    """The JSON values in the JSON-LD among these scripts: extruct reads what parses, and our repair the rest."""
    return [value for script in _json_ld_scripts(scripts) for value in _parsed(script) or read_json(_text_of(script))]


def _parsed(script: Element) -> list[Any]:
    """What extruct reads of one block, so that a broken one costs the page no other; nothing where it cannot."""
    if len(script.text or "") > MAX_PARSED:
        return []
    try:
        return list(_json_ld_extractor().extract_items(script))
    except Exception:  # beside blocks that do not parse it has errors of its own; our repair gets what there is
        return []


@cache
def _json_ld_extractor() -> Any:
    from extruct.jsonld import JsonLdExtractor  # it takes longer to load than a page to read, and is needed for pages alone

    return JsonLdExtractor()


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


# --- microdata, and the part of RDFa that is called Lite ---

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
