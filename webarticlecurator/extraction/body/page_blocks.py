"""The blocks of a page in page order, with how much running text and how many links stand in each."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.tag_rules import ELEMENTS, is_mark
from webarticlecurator.labelling.element_names import PagePart, Role, role_of
from webarticlecurator.model.page import Outline
from webarticlecurator.own_patterns import linear

_INLINE, _UNREAD = frozenset(ELEMENTS["inline"]), frozenset(ELEMENTS["unread"])
_OFTEN_UNCLOSED = frozenset(("button", "dialog", "form", "head", "nav", "option", "select"))
"""Where a page has no `<body>`, its text may be in the `<head>`."""
_PARAGRAPHS, _LONG = 3, 80
"""Paragraphs, and characters of each, that stand in no menu."""
_STOP = linear(r"[,、，،。।]|\. ")
"""Commas and full stops, in the scripts that have their own."""
_UNSEEN = linear(r"display\s*:\s*none", re.IGNORECASE)


class PageBlocks:
    """The lists run in parallel, one row a block, parents before their children; inlines belong to the block around them."""

    def __init__(self, outline: Outline, is_known: Callable[[str], bool] | None = None) -> None:
        """`is_known` recognises texts that are surely the article's."""
        self.outline = outline
        self.of: list[int] = [-1] * len(outline.tags)
        """The block in which each row of the outline stands, or that it is; -1 where nothing is read."""
        self.links_around: list[str | None] = [None] * len(outline.tags)
        """Where the link leads in which each row of the outline stands, or that it is."""
        self.rows = self._take_elements(outline)
        """The row of each in the outline."""
        self.elements = [outline.elements[row] for row in self.rows]
        self.tags = [outline.tags[row] for row in self.rows]
        self.parents = [self.of[outline.parents[row]] if row else -1 for row in self.rows]
        """The row of the block around it; -1 above the first."""
        self.ends = [bisect_left(self.rows, outline.ends[row]) for row in self.rows]
        """The row behind all that is in each."""
        classes, ids = outline.attribute("class"), outline.attribute("id")
        self.roles = [role_of(classes[row], ids[row]) for row in self.rows]
        """What its names say of it."""
        for row, itemprop in enumerate(outline.attribute("itemprop")):
            if itemprop and "articleBody" in itemprop and (block := self.of[row]) >= 0 and self.rows[block] == row:
                self.roles[block] = Role(PagePart.BODY, True)
        self.by_part: defaultdict[PagePart, list[int]] = defaultdict(list)
        """The rows whose names say that they are this part of a page."""
        for row, role in enumerate(self.roles):
            if role is not None:
                self.by_part[role.part].append(row)
        self.flow = [0] * len(self.rows)
        """Characters of the text that stands immediately in it, inlines included."""
        self.linked = [0] * len(self.rows)
        """Those of them that are links."""
        self.has_stops: set[int] = set()
        """The rows with a comma or a full stop in a longer text."""
        self.known: dict[int, int] = {}
        """Characters that `is_known` recognised, where it did."""
        self.openings: dict[int, str] = {}
        """The first text in it or below it."""
        self._take_strings(outline, is_known)
        self.plain = [flow - linked for flow, linked in zip(self.flow, self.linked, strict=True)]
        """Characters of the text immediately in it that are no links."""
        self.characters = self.summed(self.flow)
        """Of the text in it and all below it."""
        self.links = self.summed(self.linked)

    def _take_elements(self, outline: Outline) -> list[int]:
        rows, of, links, behind = list[int](), self.of, self.links_around, 0
        for row, (tag, around) in enumerate(zip(outline.tags, outline.parents, strict=True)):
            if row < behind:
                continue
            if row:
                links[row] = links[around]
                if tag in _INLINE:
                    if tag == "a":
                        href = outline.elements[row].get("href") or ""
                        if href[:1] == "#" and is_mark(outline.elements[row]):
                            behind = outline.ends[row]
                            continue
                        links[row] = href
                    elif tag == "span" and (style := outline.elements[row].get("style")) and _UNSEEN.search(style):
                        behind = outline.ends[row]  # data, rather than what a click unfolds
                        continue
                    of[row] = of[around]
                    continue
                if tag in _UNREAD:
                    is_long = tag in _OFTEN_UNCLOSED and outline.length(row) >= _LONG
                    if not (is_long and holds_article(outline.elements[row])):
                        behind = outline.ends[row]
                        continue
            of[row] = len(rows)
            rows.append(row)
        return rows

    def _take_strings(self, outline: Outline, is_known: Callable[[str], bool] | None) -> None:
        of, parents, openings, flow, linked, links = self.of, self.parents, self.openings, self.flow, self.linked, self.links_around
        for text, length, owner in zip(outline.strings, outline.lengths, outline.owners, strict=True):
            row = of[owner]
            if row < 0 or not length:
                continue
            flow[row] += length
            opened = row
            while opened not in openings and opened >= 0:
                openings[opened] = text
                opened = parents[opened]
            if links[owner] is not None:
                linked[row] += length
            elif length >= 25:
                if row not in self.has_stops and _STOP.search(text):
                    self.has_stops.add(row)
                if is_known is not None and is_known(text):
                    self.known[row] = self.known.get(row, 0) + length

    def __len__(self) -> int:
        return len(self.rows)

    def is_part(self, row: int, part: PagePart) -> bool:
        """Whether its names say that it is this part of a page."""
        role = self.roles[row]
        return role is not None and role.part is part

    def text(self, row: int) -> str:
        return self.outline.text(self.rows[row])

    def summed(self, values: Sequence[float]) -> list[float]:
        """For each row the sum of the values of the row and all below it."""
        sums, parents = list(values), self.parents
        for row in range(len(sums) - 1, 0, -1):
            sums[parents[row]] += sums[row]
        return sums

    def below(self, row: int) -> range:
        """All rows below it: they follow it at once."""
        return range(row + 1, self.ends[row])

    def above(self, row: int) -> set[int]:
        """The row and all rows around it."""
        rows = set()
        while row >= 0:
            rows.add(row)
            row = self.parents[row]
        return rows

    def inside(self, row: int) -> Iterator[int]:
        """The rows of the blocks immediately in it."""
        return self._side_by_side(row + 1, self.ends[row])

    def behind(self, row: int) -> Iterator[int]:
        """Those with text behind it, in the same block."""
        end = self.ends[self.parents[row]] if row else 0
        return (other for other in self._side_by_side(self.ends[row], end) if self.characters[other])

    def _side_by_side(self, row: int, end: int) -> Iterator[int]:
        while row < end:
            yield row
            row = self.ends[row]

    def before(self, row: int) -> int | None:
        """The one with text before it, in the same block."""
        parent, other = self.parents[row], row - 1
        while other > parent:
            while self.parents[other] != parent:
                other = self.parents[other]
            if self.characters[other]:
                return other
            other -= 1
        return None


def holds_article(element: Element) -> bool:
    """Whether a menu or the like, or what is hidden, has an article in it: as a rule since it was never closed, or waits for a script."""
    if element.tag not in _OFTEN_UNCLOSED and element.get("hidden") is None:
        return False
    paragraphs = 0
    for inner in islice(element.iter(etree.Element), 5_000):
        if inner.tag in {"article", "h1", "main"}:
            return True
        paragraphs += inner.tag == "p" and sum(map(len, islice(inner.itertext(), _LONG))) >= _LONG
        if paragraphs == _PARAGRAPHS:
            return True
    return False
