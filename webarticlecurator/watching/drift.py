"""Where in the row of a portal's articles the layout changed: from some article on nearly all are odd, and before it hardly any."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import log

from webarticlecurator import urls
from webarticlecurator.watching.article_row import WatchedArticle
from webarticlecurator.watching.page_facts import PageFacts
from webarticlecurator.watching.signs import Odd, Sign, likeness, signs

FEWEST_BEFORE = 6
FEWEST_AFTER = 3
_REFERENCE = 48
"""Articles that later ones are held against."""
_AHEAD = 24
"""Articles, each of which may be the first of a new layout, that are looked at together."""
_RUN = 16
"""Articles that must go on like it, where there are so many."""
_OF_A_KIND = 0.5
"""Pages that share so many of their names are of one kind."""
_MOST_KINDS = 12
"""Or sections."""
_MOST_OF_ALL = 0.9
"""A kind or section of which more are is not looked at apart."""
_NEARLY_ALL = 0.8
_HARDLY_ANY = 0.2
_FEWEST_OF_SIGN = {"empty": 4, "names": 5, "new-structure": 5, "unknown-tags": 5, "repeated-text": 5, "metadata": 8}
"""A few in a row may be videos without text, pages of another kind, articles of an agency without author."""
_SURE = 7.5
"""By how much more probable (its logarithm) a change must be than that there was none, before candidates are counted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A sign, and how it changed."""

    sign: Sign
    weight: float
    """How much more probable a change is than none; a logarithm."""
    before: tuple[int, int]
    """Odd articles, and all that something can be said of."""
    after: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drift:
    """A change of the layout, or of that of one kind of pages; places are those in the row of all articles."""

    before: int
    """Of the last article of the old layout."""
    run: tuple[int, ...]
    """Of the articles of the new one that were looked at, the first one first."""
    seen: tuple[Seen, ...]
    """The surest sign first."""

    @property
    def place(self) -> int:
        """Of the first article of the new layout."""
        return self.run[0]


def drifts(articles: Sequence[WatchedArticle]) -> list[Drift]:
    """All changes in the row of articles, which are in the order of their dates: of all, then of one section or kind of pages alone."""
    changes = list(_changes(articles, range(len(articles))))
    parts = [part for part in (*_sections(articles), *_kinds(articles)) if len(part) <= _MOST_OF_ALL * len(articles)]
    for drift in sorted((drift for part in parts for drift in _changes(articles, part)), key=lambda drift: drift.place):
        # what befell all pages befell these, too; and what befell several parts is told where it began
        if all(abs(drift.place - other.place) > _RUN for other in changes):
            changes.append(drift)
    return sorted(changes, key=lambda drift: drift.place)


def _sections(articles: Sequence[WatchedArticle]) -> list[list[int]]:
    """The places of each, the largest first: a redesign may come section by section, and then pages of old and new names are no kind."""
    sections: dict[str, list[int]] = {}
    for place, article in enumerate(articles):
        sections.setdefault(section_of(article.url), []).append(place)
    return sorted(sections.values(), key=lambda places: (-len(places), places))[:_MOST_KINDS]


def section_of(url: str) -> str:
    """The host and the first part of the path, if more follows: numbers, such as years, tell no sections apart."""
    parts = urls.split(url)
    first, more, _ = parts.path.lstrip("/").partition("/")
    return f"{parts.authority}/{first if more and not first.isdecimal() else ''}"


def _kinds(articles: Sequence[WatchedArticle]) -> list[list[int]]:
    """Where a portal has pages of several kinds: the places of each. A page is of the kind whose first page it is like."""
    kinds: list[tuple[PageFacts, list[int]]] = []
    for place, article in enumerate(articles):
        page = article.page
        if page is None:
            continue
        like = [(round(likeness(page, first), 6), -number) for number, (first, _) in enumerate(kinds)]
        best, number = max(like, default=(0.0, 0))
        if best >= _OF_A_KIND:
            kinds[-number][1].append(place)
        elif len(kinds) < _MOST_KINDS:
            kinds.append((page, [place]))
    return [places for _, places in kinds]


def _changes(articles: Sequence[WatchedArticle], places: Sequence[int]) -> Iterator[Drift]:
    """All changes in one row of articles."""
    start, place = 0, FEWEST_BEFORE
    while place + FEWEST_AFTER <= len(places):
        change = _change([articles[at] for at in places[max(start, place - _REFERENCE) : place + _AHEAD + _RUN]], place - start)
        if change is None:
            place += _AHEAD // 2
        else:
            where, seen = change
            start = place + where
            yield Drift(before=places[start - 1], run=tuple(places[start : start + _RUN]), seen=seen)
            place = start + FEWEST_BEFORE


def _change(articles: Sequence[WatchedArticle], behind: int) -> tuple[int, tuple[Seen, ...]] | None:
    """The surest change among the next articles, and how far ahead it is; `behind` so many lie at most."""
    middle = min(behind, _REFERENCE)
    earlier, later = articles[:middle], articles[middle:]
    best = [(seen, where) for sign in signs(earlier, later) for seen, where in _splits(sign, len(earlier), len(later))]
    if not best:
        return None
    _, where = max(best, key=lambda pair: (round(pair[0].weight, 6), -pair[1], pair[0].sign.kind, pair[0].sign.what))
    # what several signs find at one place is one change
    near = [seen for seen, other in best if abs(other - where) <= FEWEST_AFTER]
    return where, tuple(sorted(near, key=lambda seen: (-round(seen.weight, 6), seen.sign.kind, seen.sign.what)))


def _splits(sign: Sign, earlier: int, later: int) -> Iterator[tuple[Seen, int]]:
    """The likeliest place of a change by one sign, if it is likely enough."""
    parts: list[tuple[Seen, int]] = []
    fewest = _FEWEST_OF_SIGN.get(sign.kind, FEWEST_AFTER)
    if sign.odd[earlier:].count(True) < _NEARLY_ALL * fewest:
        return  # most signs of most portals
    for where in range(min(_AHEAD, later - fewest + 1)):
        split = earlier + where
        before, after = _tally(sign.odd[:split]), _tally(sign.odd[split : split + _RUN])
        if sign.odd[split] is not True or before[1] < FEWEST_BEFORE or after[1] < fewest:
            continue
        if after[0] < _NEARLY_ALL * after[1] or before[0] > _HARDLY_ANY * before[1]:
            continue
        weight = _weight(before, after) - log(sign.of_many)
        if weight >= _SURE:
            parts.append((Seen(sign=sign, weight=weight, before=before, after=after), where))
    if parts:
        yield max(parts, key=lambda pair: (round(pair[0].weight, 6), -pair[1]))


def _tally(odd: Sequence[Odd]) -> tuple[int, int]:
    return odd.count(True), len(odd) - odd.count(None)


def _weight(before: tuple[int, int], after: tuple[int, int]) -> float:
    usual = (before[0] + 0.5) / (before[1] + 1)
    now = min(after[0] / after[1], 0.98)
    return after[0] * log(now / usual) + (after[1] - after[0]) * log((1 - now) / (1 - usual))
