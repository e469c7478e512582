"""The headline: what most of the titles of a page agree on, without the name of the site."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain, islice

from webarticlecurator.extraction.metadata.sources import WORDS, Offer, PageClues, plain_text
from webarticlecurator.model.metadata import Found
from webarticlecurator.text import folded

_SEPARATOR = re.compile(r"\s+(?:[|–—·•»«/\\-]+|::?|›)\s+|\s*[|｜]\s*|\s*::\s*|\s+:\s*|:\s+|,\s+")
_WEAK = re.compile(r"\s*[:,]\s*")
"""A headline has these itself: only the site's name goes behind them."""
_MOST_PARTS = 20
_MIN_TITLE = 12
"""Folded characters of a text that another one must hold to repeat it."""
_LABELS = frozenset(map(folded, WORDS["no headline"]))
"""What programs write where nobody wrote a headline; folded."""

_WEIGHTS = {
    **dict.fromkeys(("json-ld:headline", "html:h1"), 3.0),
    "meta:og:title": 2.5,
    **dict.fromkeys(("microdata:headline", "html:heading", "meta:citation_title"), 2.0),
    **dict.fromkeys(("meta:parsely-title", "meta:dc.title", "meta:dcterms.title", "html:title"), 1.0),
}
"""How much a source's word counts; all others count 0.5."""
_DISPLAYED = ("meta:og:title", "json-ld:headline", "html:h1")
"""Whose spelling is taken of those that agree: the first of these, since in the heading words of two lines may have grown together."""


def choose_headline(known: PageClues) -> list[Offer]:
    """What most of the titles say, and all of them, each without the name of the site."""
    written = [
        (source, clue.text, text)
        for source in known.sources_of("headline")
        for clue in known.get(source)[:1]
        if source != "html:h1" or clue in known.get("html:heading") or not known.get("html:heading")
        if (text := plain_text(clue.text))
    ]
    names = known.outlets | _LABELS
    titles = [Found(value=without_site(text, known.outlets), raw=raw, source=source) for source, raw, text in written]
    titles = [title for title in titles if (key := folded(title.value)) and key not in names]
    if not titles:
        return []
    keys = {folded(text) for _, _, text in written}
    if known.parts is not None and not known.parts.first_level:  # the page may link to itself by its headline
        keys.update(folded(clue.text) for clue in known.parts.texts(known.parts.linked["own"]))
    bare = [replace(title, value=_without_more(title.value, keys)) for title in titles]
    said = list(dict.fromkeys(folded(title.value) for title in bare))  # in the order of trust
    told = max(said, key=lambda key: _support(key, bare)) if len(said) > 1 else said[0]
    agreeing = (title for title in bare if folded(title.value) == told)
    best = min(agreeing, key=lambda title: _DISPLAYED.index(title.source) if title.source in _DISPLAYED else len(_DISPLAYED))
    is_news = any(name.endswith("NewsArticle") for name in known.types[:1])
    return [[title] for title in (best if is_news else _as_seen(best, known), *titles)]


def _support(key: str, titles: Sequence[Found]) -> float:
    """The weight of those that say the same; cut-off ones, and document titles that hold it among other things, agree."""
    total = 0.0
    for title in titles:
        other = folded(title.value)
        begins = _is_cut_off(title) and len(other) >= _MIN_TITLE and key.startswith(other)
        if other == key or begins or (title.source == "html:title" and len(key) >= _MIN_TITLE and key in other):
            total += _WEIGHTS.get(title.source, 0.5)
    return total - any(_is_cut_off(title) for title in titles if folded(title.value) == key)


def _is_cut_off(title: Found) -> bool:
    return title.value.endswith(("…", "..."))


def _as_seen(title: Found, known: PageClues) -> Found:
    """The heading that readers see, where it words otherwise what search engines are told; newspapers write their data with care."""
    headings = known.get("html:h1")
    text = without_site(plain_text(headings[0].text), known.outlets) if len(headings) == 1 else ""
    key, other = folded(text), folded(title.value)
    if key in other or other in key or key in known.outlets or len(text) > 200:
        return title
    if any(key in folded(whole) for whole in known.texts("html:title")):
        return title  # it stands in the title of the page beside the headline: the site's name
    words, others = ({folded(word) for word in said.split()} - {""} for said in (text, title.value))
    is_the_same = len(words) >= 4 and len(words & others) >= 0.3 * min(len(words), len(others))
    return Found(value=text, raw=text, source="html:h1") if is_the_same else title


def without_site(title: str, sites: Collection[str]) -> str:
    """The title without the names of the site around it, which are folded."""
    for _ in range(_MOST_PARTS):
        shorter = _without_name(title, sites)
        if shorter is None:
            break
        title = shorter
    return title


def _without_more(title: str, others: Collection[str]) -> str:
    """The title without what stands behind another title, as the name of a section does; `others` are folded."""
    for start, end in _cuts(title):
        kept = title[:start].strip()
        if _MIN_TITLE <= len(folded(kept)) < len(folded(title)) and folded(kept) in others and not _WEAK.fullmatch(title[start:end]):
            return kept
    return title


def _without_name(title: str, sites: Collection[str]) -> str | None:
    """Without the site's name behind or before it; None where there is none."""
    cuts = [(title[:start].strip(), title[start:end], title[end:].strip()) for start, end in _cuts(title)]
    before = (head for head, _, tail in cuts if head and folded(tail) in sites)  # the longest tail first
    behind = (tail for head, cut, tail in reversed(cuts) if tail and folded(head) in sites and not _WEAK.fullmatch(cut))
    return next(chain(before, behind), None)


@lru_cache(maxsize=256)
def _cuts(title: str) -> tuple[tuple[int, int], ...]:
    return tuple(match.span() for match in islice(_SEPARATOR.finditer(title), _MOST_PARTS))
