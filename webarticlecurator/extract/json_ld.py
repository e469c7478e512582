"""The JSON-LD of a page, read as leniently as it is written."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from lxml.etree import _Element as Element

from webarticlecurator.urls import same_page

MAX_BLOCKS = 50
_WRAPPER = re.compile(r"^\s*(?:(?:/[/*]\s*)?<!\[CDATA\[(?:\s*\*/)?|<!--)|(?:(?:/[/*]\s*)?\]\]>(?:\s*\*/)?|-->)\s*$")
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_LENIENT = json.JSONDecoder(strict=False)
"""Takes raw line breaks and tabs inside texts."""


def json_ld_objects(tree: Element, url: str) -> list[dict[str, Any]]:
    """All objects at the top or in a list or `@graph`; those about this page first."""
    found = [one for block in _blocks(tree) for one in _objects(block)]
    return sorted(found, key=lambda one: not _is_about(one, url))


def read_json(text: str) -> list[Any]:
    """The JSON values at the start of a text; broken ones are mended where that is safe."""
    text = text.strip().lstrip("\ufeff")
    for attempt in (text, _TRAILING_COMMA.sub(r"\1", text)):
        values = list(_values(attempt))
        if values:
            return values
    return []


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


def _blocks(tree: Element) -> Iterator[Any]:
    scripts = [script for script in tree.iter("script") if (script.get("type") or "").strip().lower().startswith("application/ld+json")]
    for script in scripts[:MAX_BLOCKS]:
        text = _WRAPPER.sub("", script.text or "")
        yield from read_json(_WRAPPER.sub("", text))


def _objects(block: Any) -> Iterator[dict[str, Any]]:
    if isinstance(block, list):
        for one in block:
            yield from _objects(one)
    elif isinstance(block, dict):
        yield block
        yield from _objects(block.get("@graph"))


def _is_about(one: dict[str, Any], url: str) -> bool:
    about = one.get("mainEntityOfPage")
    candidates = [one.get("url"), one.get("@id"), about.get("@id") if isinstance(about, dict) else about]
    return any(isinstance(candidate, str) and same_page(candidate, url) for candidate in candidates)
