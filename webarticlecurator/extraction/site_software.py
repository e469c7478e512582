"""Which software made a page: the signs that it shows, and how sure they make; which they are stands in `software_signs.txt`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import islice
from math import prod
from pathlib import Path
from typing import NamedTuple

from webarticlecurator.config.portal import Kind
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import Selector
from webarticlecurator.text import squeeze
from webarticlecurator.urls import bare_host, join

_LONGEST = 110
"""Characters of what was found that are shown."""
_MOST_LINKS = 3_000
_LONGEST_SCRIPT = 200_000
_LEAST = 0.3
"""Less is not told."""


@dataclass(frozen=True, slots=True)
class Evidence:
    """One sign of a software, and what showed it."""

    sign: str
    found: str
    weight: float
    page: str
    """Where."""


@dataclass(frozen=True, slots=True)
class Detected:
    """A software that a page may have been made with."""

    software: str
    certainty: float
    """0 to 1."""
    variant: str
    preset: str
    kind: Kind | None
    """Of the sites that are made with it."""
    evidence: tuple[Evidence, ...]
    """The weightiest first."""


class _Sign(NamedTuple):
    """One thing that a system writes into its pages."""

    place: str
    what: str
    weight: float
    variant: str


@cache
def _systems() -> Mapping[tuple[str, str, Kind | None], list[_Sign]]:
    """The signs of each, by its name, its preset and the kind of its sites."""
    systems: dict[tuple[str, str, Kind | None], list[_Sign]] = {}
    signs: list[_Sign] = []
    for line in Path(__file__).with_name("software_signs.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            place, weight, sign = line.split(maxsplit=2)
            what, _, variant = sign.partition(" -- ")
            signs.append(_Sign(place, what, float(weight), variant))
        elif line and not line.startswith("#"):
            name, preset, *kind = line.split(", ")
            signs = systems[name, preset, Kind(kind[0]) if kind else None] = []
    return systems


def detect_software(pages: Iterable[Page]) -> tuple[Detected, ...]:
    """What the pages of one site show, the likeliest first."""
    texts = [(page, _texts(page)) for page in pages]
    detected: list[Detected] = []
    for (name, preset, kind), signs in _systems().items():
        shown = [(sign, evidence) for sign in dict.fromkeys(signs) if (evidence := _evidence(sign, texts)) is not None]
        shown.sort(key=lambda pair: -pair[0].weight)
        certainty = 1 - prod(1 - sign.weight for sign, _ in shown)
        if certainty >= _LEAST:
            variant = next((sign.variant for sign, _ in shown if sign.variant), "")
            detected.append(Detected(name, certainty, variant, preset, kind, tuple(evidence for _, evidence in shown)))
    return tuple(sorted(detected, key=lambda system: -system.certainty))


def _evidence(sign: _Sign, texts: Iterable[tuple[Page, Mapping[str, list[str]]]]) -> Evidence | None:
    """The first page that shows a sign."""
    for page, places in texts:
        if seen := _shown(page, places, sign):
            return Evidence(f"{sign.place} {sign.what}", squeeze(seen)[:_LONGEST], sign.weight, page.url)
    return None


def generators(page: Page) -> list[str]:
    """What the page itself says that made it."""
    metas = (page.outline.elements[row] for row in page.outline.rows("meta"))
    return [content for meta in metas if (meta.get("name") or "").lower() == "generator" and (content := meta.get("content"))]


def _texts(page: Page) -> Mapping[str, list[str]]:
    """What of a page the signs are looked for in, by their places."""
    own = bare_host(page.url)
    scripts = (page.outline.elements[row].text or "" for row in page.outline.rows("script"))
    return {
        "generator": generators(page),
        "header": [f"{name}: {value}" for name, value in page.headers],
        "cookie": [value.partition("=")[0].strip() for name, value in page.headers if name.lower() == "set-cookie"],
        "address": [page.url],
        "asset": [*_addresses(page, "script", "src"), *_addresses(page, "link", "href", rel="stylesheet")],
        "picture": [url for url in _addresses(page, "img", "src") if bare_host(url) == own],
        "link": [url for url in _addresses(page, "a", "href") if bare_host(url) != own],
        "script": [script[:_LONGEST_SCRIPT] for script in islice(scripts, _MOST_LINKS)],
    }


def _addresses(page: Page, tag: str, attribute: str, rel: str = "") -> Iterator[str]:
    for row in page.outline.rows(tag)[:_MOST_LINKS]:
        element = page.outline.elements[row]
        value = element.get(attribute)
        if value and rel in (element.get("rel") or "").lower() and (url := join(page.base, value)) is not None:
            yield url


def _shown(page: Page, texts: Mapping[str, list[str]], sign: _Sign) -> str | None:
    """The text in which the sign stands, of a long one what was found; of an element its tag."""
    if sign.place == "css":
        elements = _parsed(sign.what).select(page.tree) if page.tree is not None else []
        attributes = (f' {name}="{(elements[0].get(name) or "")[:60]}"' for name in map(str, elements[0].attrib)) if elements else ()
        return f"<{elements[0].tag}{''.join(attributes)}>" if elements else None
    for text in texts[sign.place]:
        if found := re.search(sign.what, text):
            return text if len(text) <= _LONGEST else text[max(0, found.start() - 20) :]
    return None


_parsed = cache(Selector.parse)
