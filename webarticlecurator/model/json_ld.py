"""JSON-LD, and other JSON in pages, read as leniently as it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from itertools import islice
from typing import Any

import orjson
from lxml.etree import _Element as Element

from webarticlecurator.text import SAMPLES
from webarticlecurator.urls import same_page

Object = Mapping[str, Any]

_LENIENT = json.JSONDecoder(strict=False)
"""Takes raw line breaks and tabs inside texts."""
_HALF_A_CHARACTER = re.compile(
    r"\\u[dD][89abAB][0-9a-fA-F]{2}(?!\\u[dD][c-fC-F])|(?<!\\u[dD][89abAB][0-9a-fA-F]{2})\\u[dD][c-fC-F][0-9a-fA-F]{2}"
)
"""One surrogate without the other: what is left where a text was cut within an emoji."""
_OPENING_MARKS = re.compile(r"[\s\ufeff]*(?:(?://|/\*)?\s*(?:<!\[CDATA\[|<!--)\s*(?:\*/)?\s*)?")
"""Those that hide a script from readers of XML, or from old ones of HTML."""


def read_json_ld(scripts: Iterable[Element]) -> list[Any]:
    """The values in the JSON-LD of a page's scripts, each read by itself: a broken block costs the page no other."""
    typed = (script for script in scripts if (script.get("type") or "").strip().lower().startswith("application/ld+json"))
    outside_samples = (script for script in typed if next(script.iterancestors(*SAMPLES), None) is None)
    return [value for script in islice(outside_samples, 50) for value in _values(script)]


def _values(script: Element) -> list[Any]:
    text = script.text or ""
    try:
        return [orjson.loads(text)]
    except orjson.JSONDecodeError:
        return _with_comments(script) or read_json(text)


def _with_comments(script: Element) -> list[Any]:
    """What extruct reads; it looks through a text that it cannot parse letter by letter."""
    text = script.text or ""
    if len(text) > 200_000 or _HALF_A_CHARACTER.search(text):
        return []
    from extruct.jsonld import JsonLdExtractor  # takes longer to load than a page to read

    try:
        return list(JsonLdExtractor().extract_items(script))
    except Exception:  # beside blocks that do not parse it has errors of its own
        return []


def objects_in(values: Iterable[Any], url: str) -> list[dict[str, Any]]:
    """The objects at the top or in a list or `@graph`; those about the page at this address first."""
    objects: list[dict[str, Any]] = []
    waiting = list(values)[::-1]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting.extend(reversed(value))
        elif isinstance(value, dict):
            objects.append(value)
            waiting.append(value.get("@graph"))
    return sorted(objects, key=lambda one: not any(same_page(address, url) for address in addresses(one)))


def addresses(thing: Object) -> list[str]:
    """Of the page that an object is about, as the object says."""
    page = thing.get("mainEntityOfPage")
    about = (page.get("@id"), page.get("url")) if isinstance(page, dict) else (page,)
    return [value for value in (thing.get("url"), thing.get("@id"), *about) if isinstance(value, str)]


def type_names(thing: Object) -> tuple[str, ...]:
    """The types of an object, without the vocabulary's address."""
    types = thing.get("@type")
    return tuple(local_name(name) for name in (types if isinstance(types, list) else [types]) if isinstance(name, str))


def local_name(name: str) -> str:
    """`https://schema.org/NewsArticle`, `schema:NewsArticle` -> `NewsArticle`."""
    return name.rpartition("/")[2].rpartition("#")[2].rpartition(":")[2].strip()


def whole_json(text: str) -> Any:
    """The value that a text is, with what servers write all the same: NaN, control characters, half an emoji. Raises ValueError."""
    try:
        return orjson.loads(text)
    except orjson.JSONDecodeError as problem:
        try:
            return _LENIENT.decode(_HALF_A_CHARACTER.sub(r"\\ufffd", text))
        except (ValueError, RecursionError):
            raise problem from None


def read_json(text: str) -> list[Any]:
    """The JSON values at the start of a text, whatever stands behind them; none where the first one is broken."""
    text = _OPENING_MARKS.sub("", text, count=1).rstrip("\ufeff \t\r\n")
    try:
        return [orjson.loads(text)]
    except orjson.JSONDecodeError:
        text = _HALF_A_CHARACTER.sub(r"\\ufffd", text)
    values: list[Any] = []
    position = 0
    while position < len(text):
        try:
            value, position = _LENIENT.raw_decode(text, position)
        except (ValueError, RecursionError):
            break
        values.append(value)
        while position < len(text) and text[position] in " \t\r\n,;":
            position += 1
    return values
