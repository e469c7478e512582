"""One walk over an article container: its elements in page order, with the words in each."""

from __future__ import annotations

from dataclasses import dataclass, field

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL, UNSEEN
from webarticlecurator.text import element_text, squeeze


@dataclass(slots=True, eq=False)
class ContainerRows:
    """The elements of a container, parents before their children, without scripts and the like; the lists run in parallel."""

    elements: list[Element] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    """The row of the element around it; -1 for the container."""
    depths: list[int] = field(default_factory=list)
    own: list[int] = field(default_factory=list)
    """Words immediately in it."""
    words: list[int] = field(default_factory=list)
    """With all in it."""
    linked: list[int] = field(default_factory=list)
    """Of `words`, those in links."""
    descendants: list[int] = field(default_factory=list)
    holds_block: list[bool] = field(default_factory=list)

    def __len__(self) -> int:
        return len(self.elements)

    def text_of(self, row: int) -> str:
        """All text in it, white space normalised."""
        return squeeze(element_text(self.elements[row]))


def rows_of(root: Element) -> ContainerRows:
    """Walk a container."""
    rows = ContainerRows()
    # This is the one loop that sees every element: names are local, and calls are few.
    elements, parents, depths, own, linked = rows.elements, rows.parents, rows.depths, rows.own, rows.linked
    waiting: list[tuple[Element, int, int, bool]] = [(root, -1, 0, False)]
    while waiting:
        element, parent, depth, in_link = waiting.pop()
        row = len(elements)
        in_link = in_link or element.tag == "a"
        words = len(text.split()) if (text := element.text) else 0
        for child in element[::-1]:  # type: ignore[index]  # lxml takes slices, and this is its fastest way backwards
            if tail := child.tail:
                words += len(tail.split())
            if child.tag not in UNSEEN:
                waiting.append((child, row, depth + 1, in_link))
        elements.append(element)
        parents.append(parent)
        depths.append(depth)
        own.append(words)
        linked.append(words if in_link else 0)
    _sum_up(rows)
    return rows


def _sum_up(rows: ContainerRows) -> None:
    """From what is in each element itself to what is in it with all inside."""
    count = len(rows)
    rows.words, rows.descendants, rows.holds_block = list(rows.own), [0] * count, [False] * count
    elements, parents, words, linked = rows.elements, rows.parents, rows.words, rows.linked
    descendants, blocks = rows.descendants, rows.holds_block
    for row in range(count - 1, 0, -1):
        parent = parents[row]
        words[parent] += words[row]
        linked[parent] += linked[row]
        descendants[parent] += descendants[row] + 1
        if blocks[row] or elements[row].tag in BLOCK_LEVEL:
            blocks[parent] = True
