"""The headline: what most of the page's titles agree on, without the site's name that is written before or behind it."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice

from webarticlecurator.extraction.metadata.authors import folded

_SEPARATOR = re.compile(r"\s+(?:[|–—·•»«/\\-]+|::?|›)\s+|\s*[|｜]\s*|\s*::\s*|\s+:\s*|:\s+|,\s+")
_WORD, _NO_WORD = re.compile(r"\w+"), re.compile(r"[^\w\s]")
_EDGES = " |–—·•»«›/\\-:"
_WEAK = re.compile(r"\s*[:,]\s*")
"""A headline has these itself: only the site's name goes behind them."""
_MOST_PARTS = 20
_MIN_SHARED = 12
"""Folded characters that a cut-off title must share with the whole one."""

_LABELS = frozenset(
    (
        *("page", "post", "article", "untitled", "notitle", "title", "headline", "home", "homepage", "start", "startseite", "index"),
        *("document", "főoldal", "accueil", "inicio", "început", "null", "undefined", "true", "none"),
    )
)
"""What programs write where nobody wrote a headline; folded."""

WEIGHTS: dict[str, float] = {
    "json-ld:headline": 3,
    "html:h1": 3,
    "meta:og:title": 2.5,
    "microdata:headline": 2,
    "rdfa:headline": 2,
    "html:heading": 2,
    "meta:citation_title": 2,
    "meta:parsely-title": 1,
    "meta:sailthru.title": 1,
    "meta:dc.title": 1,
    "meta:dcterms.title": 1,
    "html:title": 1,
}
"""How much a source's word counts; all others count 0.5."""
_DISPLAYED = ("meta:og:title", "json-ld:headline", "html:h1")
"""Whose spelling is taken of those that agree: the first of these, since in the heading words of two lines may have grown together."""


@dataclass(frozen=True, slots=True)
class Title:
    """One title of the page."""

    text: str
    raw: str
    source: str

    @property
    def key(self) -> str:
        return folded(self.text)

    @property
    def is_cut_off(self) -> bool:
        return self.text.endswith(("…", "..."))


def best_of(titles: Sequence[Title], sites: Collection[str]) -> Title | None:
    """The title with most weight behind it; `titles` in the order of trust, `sites` folded."""
    keys = {title.key for title in titles}
    cleaned = [Title(without_site(title.text, sites, keys), title.raw, title.source) for title in titles]
    usable = [title for title in cleaned if title.key and title.key not in sites and title.key not in _LABELS]
    usable = [title for title in usable if not any(ends_within_word(title.text, one.text) for one in usable)] or usable
    if not usable:
        return None
    support = {key: _support(key, usable) for key in {title.key for title in usable}}
    best = max(usable, key=lambda title: support[title.key])
    agreeing = [title for title in usable if title.key == best.key]
    shown = min(agreeing, key=lambda title: _DISPLAYED.index(title.source) if title.source in _DISPLAYED else len(_DISPLAYED))
    return next((title for title in agreeing if title.source == "html:h1" and _lost_marks(shown.text, title.text)), shown)


def ends_within_word(title: str, whole: str) -> bool:
    """Whether a title, or all of it before a part of its own, is another one as far as the middle of a word: "The dam bro - News"."""
    heads = [title, *(title[:start].rstrip() for start, _ in _cuts(title))]
    return any(
        len(head) >= _MIN_SHARED and head[-1].isalnum() and whole.startswith(head) and whole[len(head) :][:1].islower() for head in heads
    )


def _lost_marks(title: str, heading: str) -> bool:
    """Whether a title has the words of the heading and not all that stands between them: some software takes it for markup."""
    words, marks = zip(*((_WORD.findall(one), "".join(_NO_WORD.findall(one.strip(_EDGES)))) for one in (title, heading)), strict=True)
    return words[0] == words[1] and len(marks[0]) < len(marks[1])


def _support(key: str, titles: Sequence[Title]) -> float:
    """The weight of those that say the same; cut-off ones, and document titles that hold it among other things, agree."""
    total = 0.0
    for title in titles:
        other = title.key
        begins = title.is_cut_off and len(other) >= _MIN_SHARED and key.startswith(other)
        if other == key or begins or (title.source == "html:title" and len(key) >= _MIN_SHARED and key in other):
            total += WEIGHTS.get(title.source, 0.5)
    return total - any(title.is_cut_off for title in titles if title.key == key)


def without_site(title: str, sites: Collection[str], others: Collection[str]) -> str:
    """The title without parts that evidence shows to be the site's: they are its name, or all that other titles lack.

    `sites` and `others` are folded.
    """
    for _ in range(_MOST_PARTS):
        shorter = _without_name(title, sites)
        if shorter is None:
            break
        title = shorter
    for start, end in _cuts(title):
        kept = title[:start].strip()
        own = _MIN_SHARED <= len(folded(kept)) < len(folded(title))
        if own and folded(kept) in others and not _WEAK.fullmatch(title[start:end]):
            return kept
    return title


def _without_name(title: str, sites: Collection[str]) -> str | None:
    """Without the site's name behind or before it; None where there is none."""
    for start, end in _cuts(title):  # the longest tail first
        if title[:start].strip() and folded(title[end:]) in sites:
            return title[:start].strip()
    for start, end in reversed(_cuts(title)):
        if title[end:].strip() and folded(title[:start]) in sites and not _WEAK.fullmatch(title[start:end]):
            return title[end:].strip()
    return None


@lru_cache(maxsize=256)
def _cuts(title: str) -> tuple[tuple[int, int], ...]:
    return tuple(found.span() for found in islice(_SEPARATOR.finditer(title), _MOST_PARTS))
