"""The blocks of a page in page order, with how much running text and how many links stand in each."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import compress, islice, takewhile

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.tag_rules import ELEMENTS, is_mark
from webarticlecurator.labelling.element_names import PagePart, Role, role_of
from webarticlecurator.model.page import Outline
from webarticlecurator.own_patterns import linear

_INLINE = frozenset(ELEMENTS["inline"])
_OFTEN_UNCLOSED = frozenset(("button", "dialog", "form", "head", "nav", "option", "select"))
"""Elements that as a rule were never closed where they have an article in them.

Where a page has no `<body>`, its text may be in the `<head>`.
"""
_OF_ARTICLES = frozenset(("article", "h1", "main"))
_PARAGRAPHS = 3
"""Long paragraphs that stand in no menu."""
_LONG = 80
"""Characters of a long paragraph."""
_TELLING = 25
"""Characters of a text in which commas and full stops are looked for; shorter ones have them by chance."""
_OF_PROPERTIES: dict[str | None, Role] = {"articleBody": Role(PagePart.BODY, True)}
"""The role of an element that microdata call so, whatever its names are."""
_STOP = linear(r"[,、，،。।]|\. ")
"""Commas and full stops, in the scripts that have their own."""
_UNSEEN = linear(r"display\s*:\s*none", re.IGNORECASE)


def _is_mark_of_heading(outline: Outline, row: int) -> bool:
    return is_mark(outline.elements[row])


def _is_data(outline: Outline, row: int) -> bool:
    """Return True if an inline is hidden: it is data, rather than what a click unfolds."""
    return _UNSEEN.search(outline.elements[row].get("style", "")) is not None


def _is_unread(outline: Outline, row: int) -> bool:
    """Return True if an element of the site is not read: unless it was never closed, and has an article in
    it."""
    may_hold = outline.tags[row] in _OFTEN_UNCLOSED and outline.length(row) >= _LONG
    return not (may_hold and holds_article(outline.elements[row]))


_LEFT_OUT_IF: dict[str, Callable[[Outline, int], bool]] = {
    **dict.fromkeys(ELEMENTS["unread"], _is_unread),
    "a": _is_mark_of_heading,
    "span": _is_data,
}
"""Elements that are left out with all in them, under a condition."""


class PageBlocks:
    """The lists run in parallel, one row a block, parents before their children; inlines belong to the block
    around them."""

    def __init__(self, outline: Outline, is_known: Callable[[str], object] = lambda _: False) -> None:
        """`is_known` recognises texts that are surely the article's."""
        self.outline = outline
        self.of: list[int] = [-1] * (len(outline.tags) + 1)
        """The block in which each row of the outline stands, or that it is; -1 where nothing is read, and
        above the first."""
        self.links_around: list[str | None] = [None] * len(outline.tags)
        """The address of the link in which each row of the outline stands, or that it is."""
        self.rows = self._take_elements(outline)
        """The row of each in the outline."""
        self.elements = [outline.elements[row] for row in self.rows]
        self.tags = [outline.tags[row] for row in self.rows]
        self.parents = [self.of[outline.parents[row]] for row in self.rows]
        """The row of the block around it; -1 above the first."""
        self.ends = [bisect_left(self.rows, outline.ends[row]) for row in self.rows]
        """The row behind all that is in each."""
        self.roles: dict[int, Role] = {}
        """The role that the names of a block say, where they say any."""
        self.parts: list[PagePart | None] = [None] * len(self.rows)
        """The part of a page that its names say it is."""
        self.by_part: defaultdict[PagePart, list[int]] = defaultdict(list)
        """The rows whose names say that they are this part of a page."""
        self._read_names(outline)
        self.flow = [0] * len(self.rows)
        """Characters of the text that stands immediately in it, inlines included."""
        self.linked = [0] * len(self.rows)
        """Characters of that text that are links."""
        self.has_stops: set[int] = set()
        """The rows with a comma or a full stop in a longer text."""
        self.known: defaultdict[int, int] = defaultdict(int)
        """Characters that `is_known` recognised, where it did."""
        self.openings: dict[int, str] = {-1: ""}
        """The first text in it or below it."""
        self._take_strings(outline, is_known)
        self.plain = [flow - linked for flow, linked in zip(self.flow, self.linked, strict=True)]
        """Characters of the text immediately in it that are no links."""
        self.characters = self.summed(self.flow)
        """Characters of the text in it and all below it."""
        self.with_text = frozenset(compress(range(len(self.rows)), self.characters))
        """The rows with text in them or below them."""
        self.links = self.summed(self.linked)
        """Characters of links in it and all below it."""

    def _take_elements(self, outline: Outline) -> list[int]:
        rows, of, links, behind = list[int](), self.of, self.links_around, 0
        for row, (tag, around) in enumerate(zip(outline.tags, outline.parents, strict=True)):
            if row < behind:
                continue
            links[row] = links[around]
            check = _LEFT_OUT_IF.get(tag)
            if check is not None and check(outline, row):
                behind = outline.ends[row]
            elif tag in _INLINE:
                of[row] = of[around]
                if tag == "a":
                    links[row] = outline.elements[row].get("href", "")
            else:
                of[row] = len(rows)
                rows.append(row)
        return rows

    def _read_names(self, outline: Outline) -> None:
        classes, ids, properties = map(outline.attribute, ("class", "id", "itemprop"))
        for number, row in enumerate(self.rows):
            role = _OF_PROPERTIES.get(properties[row]) or role_of(classes[row], ids[row])
            if role is not None:
                self.roles[number], self.parts[number] = role, role.part
                self.by_part[role.part].append(number)

    def _take_strings(self, outline: Outline, is_known: Callable[[str], object]) -> None:
        of, parents, openings, flow, linked, links = (
            self.of,
            self.parents,
            self.openings,
            self.flow,
            self.linked,
            self.links_around,
        )
        for text, length, owner in zip(outline.strings, outline.lengths, outline.owners, strict=True):
            row = of[owner]
            if row < 0 or not length:
                continue
            flow[row] += length
            opened = row
            while opened not in openings:
                openings[opened] = text
                opened = parents[opened]
            if links[owner] is not None:
                linked[row] += length
            elif length >= _TELLING:
                if _STOP.search(text):
                    self.has_stops.add(row)
                if is_known(text):
                    self.known[row] += length

    def __len__(self) -> int:
        return len(self.rows)

    def is_part(self, row: int, part: PagePart) -> bool:
        """Return True if its names say that it is this part of a page."""
        return self.parts[row] is part

    def text(self, row: int) -> str:
        return self.outline.text(self.rows[row])

    def tagged(self, *tags: str) -> list[int]:
        """Return the rows of elements of these names."""
        return [row for outlined in self.outline.rows(*tags) if (row := self.of[outlined]) >= 0]

    def with_attribute(self, name: str, value: str) -> list[int]:
        """Return the rows of elements with an attribute of this value."""
        return [row for row, element in enumerate(self.elements) if element.get(name) == value]

    def inner(self, row: int, *tags: str) -> list[Element]:
        """Return the elements of these names in it, blocks or not."""
        return [self.outline.elements[outlined] for outlined in self.outline.rows_in(self.rows[row], *tags)]

    def flagged(self, rows: Iterable[int]) -> list[bool]:
        """Return for each row True if it is one of these, or below one."""
        flags = [False] * len(self.rows)
        for row in rows:
            flags[row : self.ends[row]] = [True] * (self.ends[row] - row)
        return flags

    def summed(self, values: Sequence[float]) -> list[float]:
        """Return for each row the sum of the values of the row and all below it."""
        sums, parents = list(values), self.parents
        for row in range(len(sums) - 1, 0, -1):
            sums[parents[row]] += sums[row]
        return sums

    def below(self, row: int) -> range:
        """Return all rows below it: they follow it at once."""
        return range(row + 1, self.ends[row])

    def above(self, row: int) -> set[int]:
        """Return the row and all rows around it."""
        rows = set()
        while row >= 0:
            rows.add(row)
            row = self.parents[row]
        return rows

    def inside(self, row: int) -> Iterator[int]:
        """Yield the rows of the blocks immediately in it that have text."""
        return self._side_by_side(row + 1, self.ends[row])

    def behind(self, row: int) -> Iterator[int]:
        """Yield the rows with text behind it, in the same block."""
        return self._side_by_side(self.ends[row], self.ends[self.parents[row]])

    def _side_by_side(self, row: int, end: int) -> Iterator[int]:
        while row < end:
            if self.characters[row]:
                yield row
            row = self.ends[row]

    def before(self, row: int) -> int | None:
        """Return the row with text before it, in the same block."""
        return max(takewhile(row.__gt__, self.inside(self.parents[row])), default=None)

    def outermost(self, rows: Iterable[int], reason: Callable[[int], str | None]) -> dict[int, str]:
        """Return those of the rows, which are in order, that have a reason, each with it; of rows in one
        another the outermost alone."""
        outermost, behind = dict[int, str](), 0
        for row in rows:
            why = reason(row) if row >= behind else None
            if why is not None:
                outermost[row], behind = why, self.ends[row]
        return outermost


def holds_article(element: Element) -> bool:
    """Return True if a menu or the like, or a hidden element, has an article in it.

    As a rule that was never closed, or waits for a script.
    """
    if element.tag not in _OFTEN_UNCLOSED and element.get("hidden") is None:
        return False
    paragraphs = 0
    for inner in islice(element.iter(etree.Element), 5_000):
        paragraphs += inner.tag == "p" and sum(map(len, islice(inner.itertext(), _LONG))) >= _LONG
        if inner.tag in _OF_ARTICLES or paragraphs == _PARAGRAPHS:
            return True
    return False
