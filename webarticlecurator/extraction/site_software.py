"""Which software made a page: the signs that it shows, and how sure they make; which they are stands in `software_signs.txt`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path
from typing import NamedTuple

from webarticlecurator.config.portal import PortalKind
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import Selector
from webarticlecurator.text import squeeze
from webarticlecurator.urls import bare_host, join

_LONGEST = 110
"""Characters of what was found that are shown."""


@dataclass(frozen=True, slots=True)
class SoftwareEvidence:
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
    kind: PortalKind | None
    """Of the sites that are made with it."""
    evidence: tuple[SoftwareEvidence, ...]
    """The weightiest first."""


class _Sign(NamedTuple):
    """One thing that a system writes into its pages."""

    place: str
    what: str
    weight: float
    variant: str


@cache
def _systems() -> Mapping[tuple[str, str, PortalKind | None], list[_Sign]]:
    """The signs of each, by its name, its preset and the kind of its sites."""
    systems: dict[tuple[str, str, PortalKind | None], list[_Sign]] = {}
    signs: list[_Sign] = []
    for line in Path(__file__).with_name("software_signs.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            place, weight, sign = line.split(maxsplit=2)
            what, _, variant = sign.partition(" -- ")
            signs.append(_Sign(place, what, float(weight), variant))
        elif line and not line.startswith("#"):
            name, preset, *kind = line.split(", ")
            signs = systems[name, preset, PortalKind(kind[0]) if kind else None] = []
    return systems


def detect_software(pages: Iterable[Page]) -> tuple[Detected, ...]:
    """What the pages of one site show, the likeliest first."""
    texts = [(page, _texts(page)) for page in pages]
    detected: list[Detected] = []
    for (name, preset, kind), signs in _systems().items():
        shown: list[tuple[_Sign, SoftwareEvidence]] = []
        for sign in sorted(signs, key=lambda sign: -sign.weight):
            first = next(((page, seen) for page, places in texts if (seen := _shown(page, places, sign))), None)
            if first is not None:
                page, seen = first
                shown.append((sign, SoftwareEvidence(f"{sign.place} {sign.what}", squeeze(seen)[:_LONGEST], sign.weight, page.url)))
        certainty = 1 - prod(1 - sign.weight for sign, _ in shown)
        if certainty >= 0.3:
            variant = next((sign.variant for sign, _ in shown if sign.variant), "")
            detected.append(Detected(name, certainty, variant, preset, kind, tuple(evidence for _, evidence in shown)))
    return tuple(sorted(detected, key=lambda system: -system.certainty))


def generators(page: Page) -> list[str]:
    """What the page itself says that made it."""
    metas = (page.outline.elements[row] for row in page.outline.rows("meta"))
    return [content for meta in metas if (meta.get("name") or "").lower() == "generator" and (content := meta.get("content"))]


def _texts(page: Page) -> Mapping[str, Sequence[str]]:
    """What of a page the signs are looked for in, by their places."""

    def addresses(tag: str, attribute: str, rel: str = "") -> list[str]:
        elements = (page.outline.elements[row] for row in page.outline.rows(tag))
        written = [element.get(attribute) or "" for element in elements if rel in (element.get("rel") or "").lower()]
        return [url for address in written if address and (url := join(page.base, address)) is not None]

    own = bare_host(page.url)
    return {
        "generator": generators(page),
        "header": [f"{name}: {value}" for name, value in page.headers],
        "cookie": [value.partition("=")[0].strip() for name, value in page.headers if name.lower() == "set-cookie"],
        "address": [page.url],
        "asset": [*addresses("script", "src"), *addresses("link", "href", rel="stylesheet")],
        "picture": [url for url in addresses("img", "src") if bare_host(url) == own],
        "link": [url for url in addresses("a", "href") if bare_host(url) != own],
        "script": [page.outline.elements[row].text or "" for row in page.outline.rows("script")],
    }


def _shown(page: Page, texts: Mapping[str, Sequence[str]], sign: _Sign) -> str | None:
    """The text in which the sign stands, of a long one what was found; of an element its tag."""
    if sign.place == "css":
        for element in _parsed(sign.what).select(page.tree) if page.tree is not None else ():
            attributes = "".join(f' {name}="{(element.get(name) or "")[:60]}"' for name in map(str, element.attrib))
            return f"<{element.tag}{attributes}>"
        return None
    matches = ((text, match) for text in texts[sign.place] if (match := re.search(sign.what, text)))
    return next((text if len(text) <= _LONGEST else text[max(0, match.start() - 20) :] for text, match in matches), None)


_parsed = cache(Selector.parse)
