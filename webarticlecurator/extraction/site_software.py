"""Which software made a page: the signs that it shows, and how sure they make; which they are stands in `software_signs.txt`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import islice

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


@dataclass(frozen=True, slots=True)
class _Sign:
    """One thing that a system writes into its pages."""

    place: str
    what: str
    weight: float
    variant: str


@dataclass(frozen=True, slots=True)
class _System:
    name: str
    preset: str
    kind: Kind | None
    signs: list[_Sign]


@cache
def _systems() -> Sequence[_System]:
    systems: list[_System] = []
    for line in (files(__package__) / "software_signs.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            place, weight, sign = line.split(maxsplit=2)
            what, _, variant = sign.partition(" -- ")
            systems[-1].signs.append(_Sign(place, what, float(weight), variant))
        elif line and not line.startswith("#"):
            name, preset, *kind = line.split(", ")
            systems.append(_System(name, preset, Kind(kind[0]) if kind else None, []))
    return systems


def detect_software(pages: Iterable[Page]) -> tuple[Detected, ...]:
    """What the pages of one site show, the likeliest first."""
    shown: dict[str, dict[_Sign, Evidence]] = {system.name: {} for system in _systems()}
    for page in pages:
        texts = _texts(page)
        for system in _systems():
            known = shown[system.name]
            for sign in system.signs:
                if sign not in known and (seen := _shown(page, texts, sign)):
                    known[sign] = Evidence(f"{sign.place} {sign.what}", squeeze(seen)[:_LONGEST], sign.weight, page.url)
    detected = (_detected(system, shown[system.name]) for system in _systems())
    return tuple(sorted((one for one in detected if one.certainty >= _LEAST), key=lambda one: -one.certainty))


def _detected(system: _System, shown: Mapping[_Sign, Evidence]) -> Detected:
    doubt = 1.0
    for sign in shown:
        doubt *= 1 - sign.weight
    variant = next((sign.variant for sign in sorted(shown, key=lambda sign: -sign.weight) if sign.variant), "")
    evidence = tuple(sorted(shown.values(), key=lambda one: -one.weight))
    return Detected(system.name, 1 - doubt, variant, system.preset, system.kind, evidence)


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
        elements = _selector(sign.what).select(page.tree) if page.tree is not None else []
        attributes = (f' {name}="{(elements[0].get(name) or "")[:60]}"' for name in map(str, elements[0].attrib)) if elements else ()
        return f"<{elements[0].tag}{''.join(attributes)}>" if elements else None
    for text in texts[sign.place]:
        if found := re.search(sign.what, text):
            return text if len(text) <= _LONGEST else text[max(0, found.start() - 20) :]
    return None


@cache
def _selector(text: str) -> Selector:
    return Selector.parse(text)
