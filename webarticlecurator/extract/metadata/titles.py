"""The headline: which of the page's titles it is, without the site's name that is written before or behind it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from webarticlecurator.extract.metadata.authors import folded

_SEPARATOR = re.compile(r"\s+[|–—·•»«:/\\-]+\s+|\s*[|｜»]\s*|\s*::\s*|(?<=\w):\s+|\s+\|")
MIN_SUPPORT = 12
"""Folded characters of a headline that a shorter title must share before what is left of it counts as the site's."""


@dataclass(frozen=True, slots=True)
class Title:
    """One title of the page."""

    text: str
    raw: str
    source: str


def without_site(title: str, sites: Collection[str], others: Collection[str]) -> str:
    """The title without parts that evidence shows to be the site's: they are its name, or all that another title lacks.

    `sites` and `others` are folded.
    """
    cuts = [(found.start(), found.end()) for found in _SEPARATOR.finditer(title)]
    for start, end in cuts:  # the longest tail first
        if _is_site(title[end:], sites) and title[:start].strip():
            return without_site(title[:start].strip(), sites, others)
    for start, end in reversed(cuts):
        if _is_site(title[:start], sites) and title[end:].strip():
            return without_site(title[end:].strip(), sites, others)
    for start, end in cuts:
        for kept in (title[:start], title[end:]):
            if len(folded(kept)) >= MIN_SUPPORT and folded(kept) in others:
                return kept.strip()
    return title


def _is_site(part: str, sites: Collection[str]) -> bool:
    key = folded(part)
    return bool(key) and key in sites


def best_of(titles: Sequence[Title], sites: Collection[str]) -> Title | None:
    """The headline: the first title, in the order of trust, without the site's name."""
    keys = [folded(title.text) for title in titles]
    cleaned = [
        Title(without_site(title.text, sites, {key for other, key in enumerate(keys) if other != number and key != keys[number]}), title.raw, title.source)
        for number, title in enumerate(titles)
    ]
    usable = [title for title in cleaned if folded(title.text) and folded(title.text) not in sites]
    return next(iter(usable), None)
