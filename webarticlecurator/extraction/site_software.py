"""Which software made a page: the signs that it shows, and how sure they make."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import islice

from webarticlecurator.config.portal import Kind
from webarticlecurator.extraction.software_signs import SYSTEMS, Place, Sign, System
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
    preset: str | None
    kind: Kind | None
    """Of the sites that are made with it."""
    evidence: tuple[Evidence, ...]
    """The weightiest first."""


def detect_software(pages: Iterable[Page], *, without: frozenset[Place] = frozenset()) -> tuple[Detected, ...]:
    """What the pages of one site show, the likeliest first; `without`: places that are not looked at."""
    shown: dict[str, dict[Sign, Evidence]] = {system.name: {} for system in SYSTEMS}
    for page in pages:
        parts = _Parts(page)
        for system in SYSTEMS:
            known = shown[system.name]
            for sign in system.signs:
                if sign.place not in without and sign not in known and (seen := _PLACES[sign.place](parts, sign.what)):
                    known[sign] = Evidence(f"{sign.place} {sign.what}", squeeze(seen)[:_LONGEST], sign.weight, page.url)
    detected = (_detected(system, shown[system.name]) for system in SYSTEMS)
    return tuple(sorted((one for one in detected if one.certainty >= _LEAST), key=lambda one: -one.certainty))


def generators(page: Page) -> tuple[str, ...]:
    """What the page itself says that made it."""
    return tuple(_Parts(page).generators)


def _detected(system: System, shown: Mapping[Sign, Evidence]) -> Detected:
    doubt = 1.0
    for sign in shown:
        doubt *= 1 - sign.weight
    variants = dict.fromkeys(sign.variant for sign in sorted(shown, key=lambda sign: -sign.weight) if sign.variant)
    evidence = tuple(sorted(shown.values(), key=lambda one: -one.weight))
    return Detected(system.name, 1 - doubt, next(iter(variants), ""), system.preset, system.kind, evidence)


# --- the places ---


@dataclass(slots=True)
class _Parts:
    """What of a page the signs are looked for in."""

    page: Page
    _made: dict[str, list[str]] = field(default_factory=dict)

    def _once(self, name: str, make: Callable[[], Iterator[str]]) -> list[str]:
        if name not in self._made:
            self._made[name] = list(islice(make(), _MOST_LINKS))
        return self._made[name]

    @property
    def generators(self) -> list[str]:
        return self._once("generator", lambda: self._attributes("content", "meta", name="generator"))

    def headers(self) -> list[str]:
        return [f"{name}: {value}" for name, value in self.page.headers]

    def cookies(self) -> list[str]:
        return [value.partition("=")[0].strip() for name, value in self.page.headers if name.lower() == "set-cookie"]

    def assets(self) -> list[str]:
        return self._once("asset", self._assets)

    def pictures(self) -> list[str]:
        return self._once("picture", lambda: (url for url in self._joined("src", "img") if bare_host(url) == bare_host(self.page.url)))

    def links(self) -> list[str]:
        return self._once("link", lambda: (url for url in self._joined("href", "a") if bare_host(url) != bare_host(self.page.url)))

    def scripts(self) -> list[str]:
        return self._once("script", self._scripts)

    def _assets(self) -> Iterator[str]:
        yield from self._joined("src", "script")
        yield from self._joined("href", "link", rel="stylesheet")

    def _scripts(self) -> Iterator[str]:
        for script in self.page.tree.iter("script") if self.page.tree is not None else ():
            if script.text:
                yield script.text[:_LONGEST_SCRIPT]

    def _joined(self, attribute: str, tag: str, **having: str) -> Iterator[str]:
        yield from (url for value in self._attributes(attribute, tag, **having) if (url := join(self.page.base, value)) is not None)

    def _attributes(self, attribute: str, tag: str, **having: str) -> Iterator[str]:
        for element in self.page.tree.iter(tag) if self.page.tree is not None else ():
            value = element.get(attribute)
            if value and all(wanted in (element.get(name) or "").lower().split() for name, wanted in having.items()):
                yield value


def _found_in(texts: Callable[[_Parts], list[str]]) -> Callable[[_Parts, str], str | None]:
    """Searches texts for a pattern; shows the text, or of a long one what was found."""

    def search(parts: _Parts, pattern: str) -> str | None:
        for text in texts(parts):
            if found := re.search(pattern, text):
                return text if len(text) <= _LONGEST else text[max(0, found.start() - 20) :]
        return None

    return search


def _selected(parts: _Parts, selector: str) -> str | None:
    tree = parts.page.tree
    elements = _selector(selector).select(tree) if tree is not None else []
    if not elements:
        return None
    element = elements[0]
    attributes = "".join(f' {name}="{(element.get(name) or "")[:60]}"' for name in map(str, element.attrib))
    return f"<{element.tag}{attributes}>"


@lru_cache(maxsize=512)
def _selector(text: str) -> Selector:
    return Selector.parse(text)


_PLACES: Mapping[Place, Callable[[_Parts, str], str | None]] = {
    "generator": _found_in(lambda parts: parts.generators),
    "header": _found_in(_Parts.headers),
    "cookie": _found_in(_Parts.cookies),
    "address": _found_in(lambda parts: [parts.page.url]),
    "asset": _found_in(_Parts.assets),
    "picture": _found_in(_Parts.pictures),
    "link": _found_in(_Parts.links),
    "script": _found_in(_Parts.scripts),
    "css": _selected,
}
