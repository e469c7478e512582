"""One walk over a page: its blocks in page order, with how much running text and how many links stand in each."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import islice

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.general_table import is_mark
from webarticlecurator.labelling.names import PagePart, Role, role_of

# fmt: off
_INLINE = frozenset((
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "ins", "kbd",
    "label", "mark", "nobr", "picture", "q", "rp", "rt", "ruby", "s", "samp", "small", "source", "span", "strike", "strong", "sub", "sup",
    "time", "tt", "u", "var", "wbr",
))
_UNREAD = frozenset((
    "area", "audio", "button", "canvas", "embed", "head", "iframe", "input", "link", "map", "meta", "nav", "noscript", "object", "option",
    "param", "script", "select", "style", "svg", "template", "textarea", "track", "video",
))
"""Nothing in these is running text of an article."""
# fmt: on
_OFTEN_UNCLOSED = frozenset(("button", "dialog", "form", "nav", "option", "select"))
_OF_ARTICLE = frozenset(("article", "h1", "main"))
_PARAGRAPHS, _LONG = 3, 80
"""Paragraphs, and characters of each, that stand in no menu."""
_MOST_LOOKED_AT = 5_000
_BOXES = frozenset(("article", "aside", "div", "header", "section"))
_LINES_OF_BOX, _SHORTEST_BOX = 3, 100
"""Lines and characters of a box that hardly says the same as another by chance."""
_SENTENCE = 25
"""Characters from which a text is asked for commas and full stops."""
_OPENING = 150
"""Characters by which a headline or a label is recognised."""
_STOP = re.compile(r"[,、，،。।]|\. ")
"""Commas and full stops, in the scripts that have their own."""
_BODY = Role(PagePart.BODY, True)


@dataclass(slots=True, eq=False)
class PageBlocks:
    """The blocks of a page; the lists run in parallel, one row a block, parents before their children."""

    elements: list[Element] = field(default_factory=list)
    tags: list[str] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    """The row of the block around it; -1 above the first."""
    roles: list[Role | None] = field(default_factory=list)
    """What its names say of it."""
    flow: list[int] = field(default_factory=list)
    """Characters of the text that stands immediately in it, inlines included."""
    linked: list[int] = field(default_factory=list)
    """Those of them that are links."""
    has_stops: set[int] = field(default_factory=set)
    """The rows with a comma or a full stop in a longer text."""
    known: dict[int, int] = field(default_factory=dict)
    """Characters that `is_known` recognised, where it did."""

    openings: dict[int, str] = field(default_factory=dict)
    """How the text begins of those rows that have text of their own before any block."""
    _ends: list[int] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.elements)

    def is_part(self, row: int, part: PagePart) -> bool:
        """Whether its names say that it is this part of a page."""
        role = self.roles[row]
        return role is not None and role.part is part

    def summed(self, values: Sequence[float]) -> list[float]:
        """For each row the sum of the values of the row and all below it."""
        sums, parents = list(values), self.parents
        for row in range(len(sums) - 1, 0, -1):
            sums[parents[row]] += sums[row]
        return sums

    def below(self, row: int) -> range:
        """All rows below it: they follow it at once."""
        return range(row + 1, self.ends[row])

    @property
    def ends(self) -> list[int]:
        """The row behind all that is in each row."""
        if len(self._ends) != len(self):
            sizes = [1] * len(self)
            for row in range(len(self) - 1, 0, -1):
                sizes[self.parents[row]] += sizes[row]
            self._ends = [row + size for row, size in enumerate(sizes)]
        return self._ends

    def above(self, row: int) -> set[int]:
        """The row and all rows around it."""
        rows = set()
        while row >= 0:
            rows.add(row)
            row = self.parents[row]
        return rows


def blocks_of(root: Element, is_known: Callable[[str], bool] | None = None) -> PageBlocks:
    """Walk a page once; `is_known` recognises texts that are surely the article's."""
    blocks = PageBlocks()
    # This is the one loop that sees every element of a page: names are local, and calls are few.
    elements, tags, parents, roles = blocks.elements, blocks.tags, blocks.parents, blocks.roles
    flow, linked, openings = blocks.flow, blocks.linked, blocks.openings

    def count(text: str, row: int, in_link: bool) -> None:
        length = len(text.strip())
        flow[row] += length
        if in_link:
            linked[row] += length
        elif length >= _SENTENCE:
            if _STOP.search(text):
                blocks.has_stops.add(row)
            if is_known is not None and is_known(text):
                blocks.known[row] = blocks.known.get(row, 0) + length

    waiting: list[tuple[Element, str, int, bool]] = [(root, root.tag, -1, False)]
    while waiting:
        element, tag, row, in_link = waiting.pop()
        if tag not in _INLINE or row < 0:
            elements.append(element)
            tags.append(tag)
            parents.append(row)
            roles.append(_role_of(element) if len(element.attrib) else None)
            flow.append(0)
            linked.append(0)
            row = len(flow) - 1
        elif tag == "a":
            in_link = True
        if (text := element.text) and not text.isspace():
            count(text, row, in_link)
            if row not in openings:
                openings[row] = text[:_OPENING]
        for child in element[::-1]:  # type: ignore[index]  # lxml takes slices, and this is its fastest way backwards
            if (text := child.tail) and not text.isspace():
                count(text, row, in_link)
            if (tag := child.tag) == "a" and is_mark(child):
                continue
            if tag not in _UNREAD or (tag in _OFTEN_UNCLOSED and holds_article(child)):
                waiting.append((child, tag, row, in_link))
    return blocks


def holds_article(element: Element) -> bool:
    """Whether a menu or the like, or what is hidden, has an article in it: as a rule since it was never closed, or waits for a script."""
    if element.tag not in _OFTEN_UNCLOSED and element.get("hidden") is None:
        return False
    paragraphs = 0
    for inner in islice(element.iter(etree.Element), _MOST_LOOKED_AT):
        if inner.tag in _OF_ARTICLE:
            return True
        if inner.tag == "p" and sum(map(len, islice(inner.itertext(), _LONG))) >= _LONG:
            paragraphs += 1
            if paragraphs == _PARAGRAPHS:
                return True
    return False


def _role_of(element: Element) -> Role | None:
    get = element.get
    if (what := get("itemprop")) and "articleBody" in what:
        return _BODY
    return role_of(get("class"), get("id"))


def boxes_below(blocks: PageBlocks, root: int) -> dict[int, int]:
    """A number for what the boxes of several lines below a row say, code left out; a box in a box that says nothing else is none.

    Two of one number begin all their lines alike, and may end them differently.
    """
    texts, lines, characters = [0] * len(blocks), [0] * len(blocks), [0] * len(blocks)
    for row in blocks.below(root):
        if blocks.flow[row]:
            texts[row] = hash((blocks.flow[row], blocks.openings.get(row)))
            lines[row] = 1
            characters[row] = blocks.flow[row] - blocks.linked[row]
    for row in reversed(blocks.below(root)):
        if blocks.tags[row] != "pre":
            parent = blocks.parents[row]
            texts[parent] += texts[row]
            lines[parent] += lines[row]
            characters[parent] += characters[row]
    return {
        row: texts[row]
        for row in blocks.below(root)
        if blocks.tags[row] in _BOXES
        and lines[row] >= _LINES_OF_BOX
        and characters[row] >= _SHORTEST_BOX
        and texts[row] != texts[blocks.parents[row]]
    }
