"""The JSON-LD of a page, read as leniently as it is written."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Any

import orjson
from lxml.etree import _Element as Element

from webarticlecurator.extraction.json_repair import read_broken_json
from webarticlecurator.urls import same_page

MAX_BLOCKS = 50
_OPENING, _CLOSING = ("{", "["), ("}", "]")
_TYPE = "application/ld+json"
_WRAPPER = re.compile(r"^\s*(?:(?:/[/*]\s*)?<!\[CDATA\[(?:\s*\*/)?|<!--)|(?:(?:/[/*]\s*)?\]\]>(?:\s*\*/)?|-->)\s*$")
_LENIENT = json.JSONDecoder(strict=False)
"""Takes raw line breaks and tabs inside texts."""


def json_ld_texts(scripts: Iterable[Element]) -> list[str]:
    """What stands in those scripts of a page that are JSON-LD, in page order."""
    blocks = (script for script in scripts if _is_json_ld(script.get("type")))
    return [_unwrapped((block.text or "").strip()) for block in islice(blocks, MAX_BLOCKS)]


def json_ld_blocks(scripts: Iterable[Element]) -> list[Any]:
    """The JSON values in the JSON-LD among these scripts."""
    return [value for text in json_ld_texts(scripts) for value in read_json(text)]


def _unwrapped(text: str) -> str:
    """Without the marks that hide a script from browsers of old; looking for them in a long text costs more than reading it."""
    return text if text[:1] in _OPENING and text[-1:] in _CLOSING else _WRAPPER.sub("", _WRAPPER.sub("", text))


def _is_json_ld(type: str | None) -> bool:
    return type is not None and (type == _TYPE or type.strip().lower().startswith(_TYPE))


def json_ld_objects(tree: Element, url: str) -> list[dict[str, Any]]:
    """All objects at the top or in a list or `@graph`; those about this page first."""
    found = [one for block in json_ld_blocks(tree.iter("script")) for one in objects_in(block)]
    return sorted(found, key=lambda one: not is_about(one, url))


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


def objects_in(block: Any) -> Iterator[dict[str, Any]]:
    """The objects of a block: itself, those in a list or `@graph`."""
    waiting = [block]
    while waiting:
        one = waiting.pop()
        if isinstance(one, list):
            waiting.extend(reversed(one))
        elif isinstance(one, dict):
            yield one
            waiting.append(one.get("@graph"))


def is_about(one: dict[str, Any], url: str) -> bool:
    """Whether an object says that it is about this page."""
    about = one.get("mainEntityOfPage")
    candidates = [one.get("url"), one.get("@id"), about.get("@id") if isinstance(about, dict) else about]
    return any(isinstance(candidate, str) and same_page(candidate, url) for candidate in candidates)
