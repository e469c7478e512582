"""The JSON-LD of a page, read as leniently as it is written."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator
from typing import Any

import orjson
from lxml.etree import _Element as Element

from webarticlecurator.extract.json_repair import read_broken_json
from webarticlecurator.urls import same_page

MAX_BLOCKS = 50
_WRAPPER = re.compile(r"^\s*(?:(?:/[/*]\s*)?<!\[CDATA\[(?:\s*\*/)?|<!--)|(?:(?:/[/*]\s*)?\]\]>(?:\s*\*/)?|-->)\s*$")
_LENIENT = json.JSONDecoder(strict=False)
"""Takes raw line breaks and tabs inside texts."""


def json_ld_blocks(tree: Element) -> list[Any]:
    """The JSON values in the page's JSON-LD scripts, in page order."""
    scripts = [script for script in tree.iter("script") if (script.get("type") or "").strip().lower().startswith("application/ld+json")]
    return [value for script in scripts[:MAX_BLOCKS] for value in read_json(_WRAPPER.sub("", _WRAPPER.sub("", script.text or "")))]


def json_ld_objects(tree: Element, url: str) -> list[dict[str, Any]]:
    """All objects at the top or in a list or `@graph`; those about this page first."""
    found = [one for block in json_ld_blocks(tree) for one in objects_in(block)]
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
