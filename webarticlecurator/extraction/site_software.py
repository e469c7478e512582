"""Which software made a page: the signs that it shows, and how sure they make; which they are stands in `software_signs.txt`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from math import prod
from pathlib import Path
from typing import NamedTuple

from webarticlecurator.config.portal import PortalKind
from webarticlecurator.model.page import Page
from webarticlecurator.selectors import Selector
from webarticlecurator.urls import bare_host, join


@dataclass(frozen=True, slots=True)
class Detected:
    """A software that a page may have been made with."""

    software: str
    certainty: float
    """0 to 1."""
    preset: str
    kind: PortalKind | None
    """Of the sites that are made with it."""
    signs: int
    """That the page shows."""


class _Sign(NamedTuple):
    """One thing that a system writes into its pages."""

    place: str
    what: str
    weight: float


@cache
def _systems() -> Mapping[tuple[str, str, PortalKind | None], list[_Sign]]:
    """The signs of each, by its name, its preset and the kind of its sites."""
    systems: dict[tuple[str, str, PortalKind | None], list[_Sign]] = {}
    signs: list[_Sign] = []
    for line in Path(__file__).with_name("software_signs.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith(" "):
            place, weight, what = line.split(maxsplit=2)
            signs.append(_Sign(place, what, float(weight)))
        elif line and not line.startswith("#"):
            name, preset, *kind = line.split(", ")
            signs = systems[name, preset, PortalKind(kind[0]) if kind else None] = []
    return systems


def detect_software(page: Page) -> tuple[Detected, ...]:
    """What a page of a site shows, the likeliest first."""
    texts = _texts(page)
    detected: list[Detected] = []
    for (name, preset, kind), signs in _systems().items():
        shown = [sign for sign in signs if _is_shown(page, texts, sign)]
        certainty = 1 - prod(1 - sign.weight for sign in shown)
        if certainty >= 0.3:
            detected.append(Detected(name, certainty, preset, kind, len(shown)))
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


def _is_shown(page: Page, texts: Mapping[str, Sequence[str]], sign: _Sign) -> bool:
    if sign.place == "css":
        return page.tree is not None and bool(_parsed(sign.what).select(page.tree))
    return any(re.search(sign.what, text) for text in texts[sign.place])


_parsed = cache(Selector.parse)
