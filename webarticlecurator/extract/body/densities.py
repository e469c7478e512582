"""One walk over a page: its blocks in page order, with how much running text and how many links stand in each."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from lxml.etree import _Element as Element

from webarticlecurator.extract.body.names import Part, Role, role_of_names

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
# fmt: on
"""Nothing in these is running text of an article."""
_SENTENCE = 25
"""Characters from which a text is asked for commas and full stops."""
_BODY = Role(Part.BODY, True)


@dataclass(slots=True, eq=False)
class Terrain:
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
    stops: list[int] = field(default_factory=list)
    """Commas and full stops in them."""
    known: list[int] = field(default_factory=list)
    """Characters that `is_known` recognised."""

    def __len__(self) -> int:
        return len(self.elements)

    def add(self, element: Element, parent: int) -> int:
        """A new row; its number."""
        self.elements.append(element)
        self.tags.append(element.tag)
        self.parents.append(parent)
        self.roles.append(_role_of(element))
        for counts in (self.flow, self.linked, self.stops, self.known):
            counts.append(0)
        return len(self.elements) - 1

    def summed(self, values: Sequence[float]) -> list[float]:
        """For each row the sum of the values of the row and all below it."""
        sums, parents = list(values), self.parents
        for row in range(len(sums) - 1, 0, -1):
            sums[parents[row]] += sums[row]
        return sums

    def above(self, row: int) -> set[int]:
        """The row and all rows around it."""
        rows = set()
        while row >= 0:
            rows.add(row)
            row = self.parents[row]
        return rows


def survey(root: Element, is_known: Callable[[str], bool] | None = None) -> Terrain:
    """Walk a page once; `is_known` recognises texts that are surely the article's."""
    terrain = Terrain()

    def count(text: str, row: int, in_link: bool) -> None:
        length = len(text.strip())
        terrain.flow[row] += length
        if in_link:
            terrain.linked[row] += length
        elif length >= _SENTENCE:
            terrain.stops[row] += text.count(",") + text.count(". ") + text.count("、") + text.count("。")
            if is_known is not None and is_known(text):
                terrain.known[row] += length

    stack = [(root, -1, False)]
    while stack:
        element, row, in_link = stack.pop()
        if element.tag not in _INLINE or row < 0:
            row = terrain.add(element, row)
        elif element.tag == "a":
            in_link = True
        if text := element.text:
            count(text, row, in_link)
        for child in element.iterchildren(reversed=True):
            if tail := child.tail:
                count(tail, row, in_link)
            if child.tag not in _UNREAD:
                stack.append((child, row, in_link))
    return terrain


def _role_of(element: Element) -> Role | None:
    get = element.get
    if "articleBody" in get("itemprop", ""):
        return _BODY
    names = f"{get('class', '')} {get('id', '')}"
    return role_of_names(names) if len(names) > 1 else None
