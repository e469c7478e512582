"""The software that a site may be made with, by signs on its pages.

The signs stand in `software_signs.txt`, with how sure they make.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path

from webarticlecurator.config.portal import PortalKind
from webarticlecurator.extraction.page_context import selected_on
from webarticlecurator.model.page import Page
from webarticlecurator.own_patterns import linear
from webarticlecurator.selectors import Selector
from webarticlecurator.urls import bare_host


@dataclass(frozen=True, slots=True)
class Detected:
    """A software that a page may have been made with."""

    software: str
    certainty: float
    """0 to 1."""
    preset: str
    kind: PortalKind | None
    """The kind of the sites that are made with it."""
    signs: int
    """The number of signs that the page shows."""


@dataclass(frozen=True, slots=True)
class _Sign:
    """A text or an element that software writes into its pages."""

    place: str
    """A key of `_READERS`, or `css`."""
    weight: float
    """The certainty that it gives alone."""
    what: str
    """A regular expression, or a selector."""

    def is_shown(self, page: Page, texts: Mapping[str, Sequence[str]]) -> bool:
        """Say whether a page shows it."""
        if self.place == _CSS:
            return bool(selected_on(page, _parsed(self.what)))
        return any(map(linear(self.what).search, texts[self.place]))


@dataclass(frozen=True, slots=True)
class _System:
    """A software that is known by its signs."""

    name: str
    preset: str
    kind: PortalKind | None
    signs: list[_Sign]


@cache
def _systems() -> Sequence[_System]:
    """Return what `software_signs.txt` knows."""
    systems: list[_System] = []
    for line in Path(__file__).with_name("software_signs.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            place, weight, what = line.split(maxsplit=2)
            systems[-1].signs.append(_Sign(place, float(weight), what))
        elif line[:1] not in ("", "#"):
            name, preset, *kind = line.split(", ")
            systems.append(_System(name, preset, next(map(PortalKind, kind), None), []))
    return systems


def detect_software(page: Page) -> tuple[Detected, ...]:
    """Return the software that a page of a site may be made with, the likeliest first.

    A page that names its software is believed: classes that others use, too, are no signs of anything else.
    """
    texts = {place: read(page) for place, read in _READERS.items()}
    names_maker = bool(texts["generator"])
    detected: list[Detected] = []
    for system in _systems():
        shown = [sign for sign in system.signs if sign.is_shown(page, texts)]
        if names_maker and not any(sign.place == "generator" for sign in shown):
            shown = [sign for sign in shown if sign.place != _CSS]
        certainty = 1 - prod(1 - sign.weight for sign in shown)
        if certainty >= 0.3:
            detected.append(Detected(system.name, certainty, system.preset, system.kind, len(shown)))
    return tuple(sorted(detected, key=lambda system: -system.certainty))


def generators(page: Page) -> list[str]:
    """Return the names by which the page itself says what made it."""
    metas = page.outline.named("meta")
    written = (meta.get("content") for meta in metas if meta.get("name", "").lower() == "generator")
    return list(filter(None, written))


def _header_lines(page: Page) -> list[str]:
    return [f"{name}: {value}" for name, value in page.headers]


def _cookies(page: Page) -> list[str]:
    return [value.partition("=")[0].strip() for name, value in page.headers if name.lower() == "set-cookie"]


def _addresses(page: Page, tag: str, attribute: str) -> list[str]:
    """Return the addresses that elements of a page lead to."""
    return list(page.joined(element.get(attribute) for element in page.outline.named(tag)))


def _assets(page: Page) -> list[str]:
    sheets = (
        link.get("href") for link in page.outline.named("link") if "stylesheet" in link.get("rel", "").lower()
    )
    return [*_addresses(page, "script", "src"), *page.joined(sheets)]


def _own_pictures(page: Page) -> list[str]:
    return [url for url in _addresses(page, "img", "src") if bare_host(url) == bare_host(page.url)]


def _links_elsewhere(page: Page) -> list[str]:
    return [url for url in _addresses(page, "a", "href") if bare_host(url) != bare_host(page.url)]


_CSS = "css"
_READERS: Mapping[str, Callable[[Page], Sequence[str]]] = {
    "generator": generators,
    "header": _header_lines,
    "cookie": _cookies,
    "address": lambda page: [page.url],
    "asset": _assets,
    "picture": _own_pictures,
    "link": _links_elsewhere,
    "script": lambda page: [script.text or "" for script in page.outline.named("script")],
}
"""Place of a sign -> the texts that it is looked for in."""
_parsed = cache(Selector.parse)
