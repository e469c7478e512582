"""The headline: which heading of the page it is, and what most of the page's titles agree on, without the name of the site."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import islice
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.tag_rules import marks_in
from webarticlecurator.extraction.metadata.sources import WORDS, Offer, PageClues, plain_text
from webarticlecurator.model.metadata import Found
from webarticlecurator.model.page import Outline
from webarticlecurator.text import folded, short_text

# --- which heading it is ---

_MOST_HEADINGS, _LONGEST_HEADING = 100, 300
_MIN_HEADING, _MIN_TITLE = 8, 12
"""Folded characters of a text that another one must hold to repeat it."""
_HOME = re.compile(r"(?:https?://[^/]+)?/?(?:index\.\w+)?")


class Heading(NamedTuple):
    """One heading of a page."""

    row: int
    """In the outline."""
    text: str
    is_part: bool = False
    """Of the titles of the page: they repeat it beside as much else."""


def first_level(outline: Outline, samples: Collection[int]) -> list[Heading]:
    """All headings of the first level but the site's name; `samples` are rows of samples of code."""
    rows = [row for row in outline.rows("h1")[:_MOST_HEADINGS] if row not in samples and not leads_home(outline.elements[row])]
    return [Heading(row, text) for row in rows if (text := _text_of(outline, row))]


def find_headline(
    outline: Outline,
    first: Sequence[Heading],
    called: Callable[[], Iterable[int]],
    titles: Iterable[str],
    outlets: Collection[str],
    samples: Collection[int],
) -> Heading | None:
    """The heading that the titles of the page repeat most of, one of the `first` level before others; else the first of these.

    `called` gives the rows of elements that are called headlines; `outlets` the names of the portal, folded.
    """
    keys = [key for key in map(folded, titles) if key]
    best, key = _repeated(outline, first, keys, outlets)
    if 2 * len(key) <= max(map(len, keys), default=0):
        rows = sorted({*outline.rows("h2", "h3")[:_MOST_HEADINGS], *islice(called(), _MOST_HEADINGS)}.difference(samples))
        others = [Heading(row, text) for row in rows if (text := _text_of(outline, row))]
        other, other_key = _repeated(outline, others, keys, outlets)
        if other is not None and len(other_key) > len(key) and not (key and key in other_key):
            best = other
        best = best._replace(is_part=True) if best is not None else None
    return best or next(iter(first), None)


def _repeated(outline: Outline, headings: Iterable[Heading], titles: Sequence[str], outlets: Collection[str]) -> tuple[Heading | None, str]:
    """The longest heading that a title repeats, or that holds one, outside of menus if there is one; with what it is when folded."""
    repeated = [
        (not any(outline.tags[above] == "nav" for above in outline.around(heading.row)), len(key), heading, key)
        for heading in headings
        if (key := folded(heading.text)) and key not in outlets and any(_repeats(key, title) for title in titles)
    ]
    if not repeated:
        return None, ""
    _, _, heading, key = max(repeated, key=lambda one: one[:2])
    return heading, key


def _repeats(key: str, title: str) -> bool:
    return key == title or (len(key) >= _MIN_HEADING and key in title) or (len(title) >= _MIN_TITLE and title in key)


def _text_of(outline: Outline, row: int) -> str:
    """Without the marks that lead to the heading itself; empty where it is too long for one."""
    heading = outline.elements[row]
    marks = frozenset(marks_in(heading)) if outline.rows_in(row, "a") else frozenset()
    return (short_text(heading, _LONGEST_HEADING, marks) if marks else outline.short_text(row, _LONGEST_HEADING)) or ""


def leads_home(heading: Element) -> bool:
    """A heading that links to the front page is the site's name; that of a site in a folder says so itself."""
    above = heading.getparent()
    link = above if above is not None and above.tag == "a" else heading.find(".//a")
    return link is not None and ("home" in (link.get("rel") or "").split() or _HOME.fullmatch(link.get("href") or "") is not None)


# --- what the titles agree on ---

_SEPARATOR = re.compile(r"\s+(?:[|–—·•»«/\\-]+|::?|›)\s+|\s*[|｜]\s*|\s*::\s*|\s+:\s*|:\s+|,\s+")
_WEAK = re.compile(r"\s*[:,]\s*")
"""A headline has these itself: only the site's name goes behind them."""
_MOST_PARTS = 20
_LONGEST_HEADLINE = 200
_MIN_WORDS, _MIN_COMMON = 4, 0.3
"""Of a heading that says what the title says, in other words; which part of the shorter one's words the other one has, too."""
_LABELS = frozenset(map(folded, WORDS["no headline"]))
"""What programs write where nobody wrote a headline; folded."""

_WEIGHTS: dict[str, float] = {
    "json-ld:headline": 3,
    "html:h1": 3,
    "meta:og:title": 2.5,
    "microdata:headline": 2,
    "html:heading": 2,
    "meta:citation_title": 2,
    "meta:parsely-title": 1,
    "meta:dc.title": 1,
    "meta:dcterms.title": 1,
    "html:title": 1,
}
"""How much a source's word counts; all others count 0.5."""
_DISPLAYED = ("meta:og:title", "json-ld:headline", "html:h1")
"""Whose spelling is taken of those that agree: the first of these, since in the heading words of two lines may have grown together."""


def choose_headline(sources: Sequence[str], known: PageClues) -> list[Offer]:
    """What most of the titles say, and all of them."""
    titles = [
        Found(value=text, raw=clue.text, source=source)
        for source in sources
        for clue in known.clues.get(source)[:1]
        if source != "html:h1" or clue in known.clues.get("html:heading") or not known.clues.get("html:heading")
        if (text := plain_text(clue.text))
    ]
    best = _best_of(titles, known.outlets)
    if best is None:
        return []
    return [[title] for title in (best if known.is_news else _as_seen(best, known), *titles)]


def _best_of(titles: Sequence[Found], outlets: Collection[str]) -> Found | None:
    """The title with most weight behind it; they stand in the order of trust."""
    keys = {folded(title.value) for title in titles}
    cleaned = [replace(title, value=without_site(title.value, outlets, keys)) for title in titles]
    usable = [title for title in cleaned if (key := folded(title.value)) and key not in outlets and key not in _LABELS]
    if not usable:
        return None
    support = {key: _support(key, usable) for key in (folded(title.value) for title in usable)}
    best = max(usable, key=lambda title: support[folded(title.value)])
    agreeing = [title for title in usable if folded(title.value) == folded(best.value)]
    return min(agreeing, key=lambda title: _DISPLAYED.index(title.source) if title.source in _DISPLAYED else len(_DISPLAYED))


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
    headings = known.clues.get("html:h1")
    text = without_site(plain_text(headings[0].text), known.outlets, ()) if len(headings) == 1 else ""
    key, other = folded(text), folded(title.value)
    if key in other or other in key or key in known.outlets or len(text) > _LONGEST_HEADLINE:
        return title
    if any(key in folded(whole) for whole in known.clues.texts("html:title")):
        return title  # it stands in the title of the page beside the headline: the site's name
    words, others = ({folded(word) for word in said.split()} - {""} for said in (text, title.value))
    is_the_same = len(words) >= _MIN_WORDS and len(words & others) >= _MIN_COMMON * min(len(words), len(others))
    return Found(value=text, raw=text, source="html:h1") if is_the_same else title


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
        own = _MIN_TITLE <= len(folded(kept)) < len(folded(title))
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
