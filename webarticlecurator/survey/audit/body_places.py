"""The places where the general finder sees the body of the pages of one layout: at one place, unless some of
them mislead it.

A place is an element that a selector finds once on a page (`div.entry`). That the body is another element
here and there says nothing yet: a box around the text holds the same text. So each page says of each place
how many words would be others if that were the body.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from itertools import chain, islice
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.amounts import amount, those_that_hold
from webarticlecurator.config.portal import Portal
from webarticlecurator.databases import Row
from webarticlecurator.model.article import COMMENTS
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.survey.audit.across_pages import FEWEST_PAGES, MOST_EXAMPLES, finding
from webarticlecurator.survey.audit.audited_page import AuditedPage, FindingKind, is_prose, without_blanks
from webarticlecurator.survey.audit.container import is_no_text, is_teaser
from webarticlecurator.survey.page_pass import Columns, Counted, Counts
from webarticlecurator.text import squeeze, word_count

PLACES = Columns(
    "layout, place, page",
    facts="is_body, differs",
    most=400_000,
    rarest="place IN (SELECT place FROM body_places GROUP BY place HAVING count(*) <= ?)",
)
"""The table `body_places`: whether the place is the body that was found, and how many words of the page would
be others if it were, where these are many."""
_LONG = 60
"""Characters of a text that is looked at."""
_MOST_TEXTS = 400
"""Texts of a page that are looked at."""
_FEWEST_WORDS = 30
"""Words of running text in a place that may be the body."""
_MANY, _MANY_WORDS = 0.15, 40
"""The share of the kept running text, and the words, from which on it is another text."""
_FEWEST = 10
"""Pages with one place that say where the body of a layout is."""
_USUAL = 0.5
"""The share of the pages on which the body that was found has the text of the usual place, or is that
place."""
_SOME = 0.1
"""The share of the pages with another text from which on that is told."""
_TOLD_PLACES = 3
"""Places that are named, the most frequent first."""
_WORD = linear_at(r"-?[A-Za-z_][\w-]{0,60}")
"""A class or an id that can be written in a selector as it is."""
_NAMELESS = "an element without a name of its own"
"""A body for which there is no such selector."""
_NAMES_ENOUGH = frozenset({"article", "main"})
"""Elements that are known without a class."""


class _Fate(Enum):
    """The fate of a text in the reading of its page."""

    KEPT = auto()
    BEFORE = auto()
    """It is kept, and stands before the body or behind it: with another body that may be so, too."""
    OUTSIDE = auto()
    """It is not kept, though its names do not say that it is furniture."""


class _Text(NamedTuple):
    """A stretch of running text on a page."""

    words: int
    around: list[int]
    """The rows of the elements that it stands in."""
    fate: _Fate


def count_places(audited: AuditedPage, layout: str, page: int, counted: Counted) -> None:
    """Count the places of one page, where nothing but the general finder says where its body is."""
    rules, root = audited.reading.rules.body, _found_body(audited)
    if root is None or rules.root is not None or rules.within is not None:
        return
    words = _WordsInPlaces.of(_running_texts(audited))
    for row, names in _names_that_are_found_once(audited, sorted({root, *words.large_places()})).items():
        differing = words.differing(row) if row != root else 0
        for name in names or [_NAMELESS] * (row == root):
            counted.note("body_places", (layout, name, page), row == root, differing)


@dataclass(frozen=True, slots=True)
class _WordsInPlaces:
    """How many words of running text stand in each element of a page, by what became of them."""

    inside: dict[_Fate, Counter[int]]
    kept: int
    """Words of the body, wherever they stand."""

    @classmethod
    def of(cls, texts: Iterable[_Text]) -> _WordsInPlaces:
        inside, kept = {fate: Counter[int]() for fate in _Fate}, 0
        for text in texts:
            inside[text.fate].update(dict.fromkeys(text.around, text.words))
            kept += text.words * (text.fate is _Fate.KEPT)
        return cls(inside, kept)

    def large_places(self) -> Iterator[int]:
        """Yield the rows of the elements that may be the body."""
        words_inside = sum(self.inside.values(), Counter[int]())
        return (row for row, words in words_inside.items() if words >= _FEWEST_WORDS)

    def differing(self, row: int) -> int:
        """Return how many words would be others if this were the body; 0 where they are few."""
        more, fewer = self.inside[_Fate.OUTSIDE][row], self.kept - self.inside[_Fate.KEPT][row]
        return more + fewer if more + fewer >= max(_MANY * self.kept, _MANY_WORDS) else 0


def _found_body(audited: AuditedPage) -> int | None:
    """Return the row of the body of an article; None where it stands in data, or is made of posts."""
    container, article = audited.container, audited.article
    is_of_posts = any(post.kind != COMMENTS for post in article.posts)
    if container is None or container.posts or is_of_posts or article.outcome is not PageOutcome.ARTICLE:
        return None
    return audited.page.outline.row_of.get(container.root)


def _running_texts(audited: AuditedPage) -> Iterator[_Text]:
    """Yield what was kept of the body, and what stands outside of it and is no furniture by its names."""
    outline, fates = audited.page.outline, _Fates(audited)
    long_texts = (place for place, text in enumerate(outline.strings) if len(text) > _LONG)
    for place in islice(long_texts, _MOST_TEXTS):
        text, owner = squeeze(outline.strings[place]), outline.owners[place]
        around = [owner, *outline.around(owner)]
        fate = fates.of(text, around) if is_prose(text) else None
        if fate is not None:
            yield _Text(word_count(text), around, fate)


class _Fates:
    """Tells what became of the texts of one page."""

    def __init__(self, audited: AuditedPage) -> None:
        self._outline, self._roots, self._kept = audited.page.outline, audited.roots, audited.kept_text
        self._apart = audited.container.apart if audited.container is not None else frozenset()
        rows = map(self._outline.row_of.__getitem__, self._roots)
        self._around_roots = frozenset(chain.from_iterable(map(self._outline.around, rows)))
        self._linked: dict[int, bool] = {}

    def of(self, text: str, around: list[int]) -> _Fate | None:
        """Return the fate of a text in elements of these rows; None where it says nothing of the body."""
        elements = [self._outline.elements[row] for row in around]
        if not self._apart.isdisjoint(elements):
            return _Fate.BEFORE
        is_kept = without_blanks(text) in self._kept
        if not self._roots.isdisjoint(elements):
            return _Fate.KEPT if is_kept else None
        return None if is_kept or self._is_furniture(around) else _Fate.OUTSIDE

    def _is_furniture(self, around: list[int]) -> bool:
        own = [row for row in around if row not in self._around_roots]
        return is_no_text([self._outline.elements[row] for row in own]) or is_teaser(
            self._outline, own, self._linked
        )


def _names_that_are_found_once(audited: AuditedPage, rows: list[int]) -> dict[int, list[str]]:
    """Return the selectors of elements, of a class, an id or a telling tag, that match nothing else on the
    page."""
    elements = audited.page.outline.elements
    of_rows = {row: _names(elements[row]) for row in rows}
    wanted = set(chain.from_iterable(of_rows.values()))
    times = Counter(name for element in elements for name in _names(element) if name in wanted)
    return {row: [name for name in names if times[name] == 1] for row, names in of_rows.items()}


def _names(element: Element) -> tuple[str, ...]:
    return _names_of(str(element.tag), element.get("class", ""), element.get("id", ""))


@lru_cache(8_192)
def _names_of(tag: str, classes: str, id: str) -> tuple[str, ...]:
    names = [f"{tag}.{name}" for name in dict.fromkeys(classes.split()[:8]) if _WORD.fullmatch(name)]
    names += those_that_hold((_WORD.fullmatch(id), f"{tag}#{id}"), (tag in _NAMES_ENOUGH, tag))
    return tuple(names)


# --- all pages of a layout together ---

_LAYOUTS = "SELECT DISTINCT layout FROM body_places ORDER BY layout"
_USUAL_PLACE = """
    SELECT place, count(*) AS pages, sum(is_body) AS bodies, sum(differs > 0) AS others, sum(differs) AS words FROM body_places
    WHERE layout = ? AND place != ? GROUP BY place ORDER BY count(*) - sum(differs > 0) DESC, sum(is_body) DESC, place LIMIT 1
"""
_BODIES = """
    SELECT page, place FROM body_places WHERE layout = ? AND is_body
    AND page IN (SELECT page FROM body_places WHERE layout = ? AND place = ?)
"""
"""The names of the body on each page that has the usual place."""
_EXAMPLES = """
    SELECT url, '' AS text FROM body_places JOIN looked_at USING (page) WHERE body_places.layout = ? AND place = ? AND differs
    ORDER BY page LIMIT ?
"""


@dataclass(frozen=True, slots=True)
class _Usual:
    """The place that has the text of most pages of a layout."""

    place: str
    pages: int
    """Pages that have the place."""
    bodies: int
    """On which it is the body that was found."""
    others: int
    """On which the body that was found has another text."""
    words: int
    """Words of these pages that would be others."""

    @property
    def is_contradicted(self) -> bool:
        """True if the place is surely the usual one, and some pages have another text."""
        if self.pages < _FEWEST or self.others < FEWEST_PAGES:
            return False
        agreeing = self.pages - self.others
        return (
            agreeing > _USUAL * self.pages
            and self.bodies >= _USUAL * agreeing
            and self.others >= _SOME * self.pages
        )


@FindingKind(
    33,
    "body-at-several-places",
    "",
    "Look at these pages. Where one element holds the article on all of them, name it by body.root; else "
    "give them a layout of their own.",
)
def several_places(counts: Counts, portal: Portal) -> Iterator[Row]:  # noqa: ARG001
    """Pages that have the place where the body of their layout usually is, while the general finder saw it
    elsewhere."""
    for (layout,) in counts.rows(_LAYOUTS):
        usual = next((_Usual(*row) for row in counts.rows(_USUAL_PLACE, layout, _NAMELESS)), None)
        if usual is None or not usual.is_contradicted:
            continue
        yield finding(
            message=_message(usual.place, _bodies(counts, layout, usual.place), layout),
            tag=usual.place,
            layout=layout,
            pages=usual.others,
            of_pages=usual.pages,
            words=usual.words,
            examples=counts.named(_EXAMPLES, layout, usual.place, MOST_EXAMPLES),
        )


def _bodies(counts: Counts, layout: str, usual: str) -> Counter[str]:
    """Return on how many of the pages with the usual place the body is which element, by its most frequent
    name."""
    names = defaultdict[int, list[str]](list)
    for page, name in counts.rows(_BODIES, layout, layout, usual):
        names[page].append(name)
    times = Counter(chain.from_iterable(names.values()))
    return Counter(max(of_page, key=lambda name: (name == usual, times[name])) for of_page in names.values())


def _message(usual: str, bodies: Counter[str], layout: str) -> str:
    named = ", ".join(
        f"{name} on {amount(pages, 'page')}" for name, pages in bodies.most_common(_TOLD_PLACES)
    )
    of_layout = f"the layout {layout}" if layout else "one layout"
    found = (
        f"the text was found at {len(bodies)} places of {of_layout} ({named}), though each of these pages "
        f"has {usual}"
    )
    rule = (
        f"body: {{root: {_quoted(usual)}}}"
        if not layout
        else f"layouts: [{{name: {layout}, body: {{root: {_quoted(usual)}}}}}]"
    )
    return f"{found}; where that holds the article, `{rule}` says so"


def _quoted(selector: str) -> str:
    """Return a selector as YAML has it: the sign of an id would begin a comment."""
    return f"'{selector}'" if "#" in selector else selector
