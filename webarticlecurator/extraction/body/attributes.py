"""What a block keeps of its element's attributes, by the name of the block."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.media import kind_of_tag, network
from webarticlecurator.text import element_text, squeeze

_MOST_CELLS = 1000
_LONGEST = 2_000
"""Characters of an attribute."""
_HEADING = re.compile("h[1-6]")
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:?\d\d)?)?")
_CREDITS = re.compile(r"credit|copyright|photographer|courtesy|attribution|photo-?by|image-source|bildquelle|fotogra[fp]", re.IGNORECASE)


def attributes_of(name: str, element: Element) -> dict[str, str]:
    """Those of `model.article.ATTRIBUTES` that the element itself tells; empty ones are left out."""
    readers = _READERS.get(name)
    if readers is None:
        return {}
    found = {key: read(element) for key, read in readers.items()}
    return {key: value[:_LONGEST] for key, value in found.items() if value}


def credit_in(element: Element) -> str | None:
    """Who made a picture, where a part of its caption is marked as saying so."""
    names = element.get("class")
    return squeeze(element_text(element))[:_LONGEST] or None if names and _CREDITS.search(names) else None


def speaker_of(element: Element) -> str:
    return squeeze(element_text(element))[:_LONGEST]


def moment_of(element: Element) -> str | None:
    """The machine-readable time of an element, or of the first `time` in it."""
    for holder in (element, *element.iter("time")):
        found = _MOMENT.fullmatch((holder.get("datetime") or "").strip())
        if found is not None:
            return found[0].replace(" ", "T")
    return None


def _level(element: Element) -> str | None:
    level = element.tag[1:] if _HEADING.fullmatch(element.tag) else (element.get("aria-level") or "").strip()
    return level if level in set("123456") else None


def _span(attribute: str) -> Callable[[Element], str | None]:
    def read(element: Element) -> str | None:
        found = re.match(r"\s*(\d{1,4})", element.get(attribute) or "", re.ASCII)
        return str(int(found[1])) if found is not None and 1 < int(found[1]) <= _MOST_CELLS else None

    return read


def _text(attribute: str) -> Callable[[Element], str | None]:
    return lambda element: squeeze(element.get(attribute) or "")


_READERS: Mapping[str, Mapping[str, Callable[[Element], str | None]]] = {
    "heading": {"level": _level},
    "list": {"ordered": lambda element: "yes" if element.tag == "ol" else None},
    "cell": {
        "rows": _span("rowspan"),
        "columns": _span("colspan"),
        "header": lambda element: "yes" if element.tag == "th" else None,
    },
    "figure": {"alt": _text("alt")},
    "embed": {"kind": lambda element: kind_of_tag(element.tag), "title": _text("title")},
    "social": {"kind": lambda element: network(element.get("class") or element.tag, None), "title": _text("title")},
    "post": {"id": _text("id")},
}
