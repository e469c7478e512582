"""The words of a page in their order, each with the element in which it stands immediately: what is kept of them, and what should be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.tag_rules import Lookup
from webarticlecurator.labelling.truth import words_found, words_of
from webarticlecurator.learning.bodies.reading import Reading
from webarticlecurator.learning.element_selectors import HEADINGS
from webarticlecurator.selectors import Scope
from webarticlecurator.text import UNSEEN

MOST_WORDS, MOST_ELEMENTS = 60_000, 60_000
"""Of one page that are looked at."""
_USUAL_BLOCKS: Mapping[str, str] = {
    **dict.fromkeys(HEADINGS, "heading"),
    "p": "paragraph",
    "li": "item",
    "ul": "list",
    "ol": "list",
    "blockquote": "quote",
    "table": "table",
    "figcaption": "caption",
}


@dataclass(slots=True, eq=False)
class PageWords:
    """The elements of a page, parents before their children, and its words; the lists of each run in parallel."""

    elements: list[Element] = field(default_factory=list)
    parents: list[int] = field(default_factory=list)
    kept: list[bool] = field(default_factory=list)
    """Whether what stands immediately in the element is text of the article, as it is read."""
    words: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    """The element of each word."""

    @property
    def kept_words(self) -> list[bool]:
        return [self.kept[row] for row in self.rows]

    def sums(self, wanted: Iterable[bool]) -> list[int]:
        """For each element how many of these words stand in it, with all inside it."""
        counts = [0] * len(self.elements)
        for row, is_wanted in zip(self.rows, wanted, strict=True):
            counts[row] += is_wanted
        for row in range(len(counts) - 1, 0, -1):
            counts[self.parents[row]] += counts[row]
        return counts

    def above(self, row: int) -> Iterator[int]:
        """The element and those around it, from the inside out."""
        while row >= 0:
            yield row
            row = self.parents[row]


def page_words(reading: Reading, lookup: Lookup) -> PageWords:
    """One walk over a page, as far as its bounds."""
    page = PageWords()
    tree = reading.page.tree
    if tree is None:
        return page
    roots = frozenset(reading.container.elements if reading.container is not None else ())
    furniture = reading.container.furniture if reading.container is not None else {}
    scope, open_rows = Scope(None, tree), [-1]

    def add(text: str | None, row: int) -> None:
        words = words_of(text) if text and not text.isspace() else ()
        page.words.extend(words)
        page.rows.extend([row] * len(words))

    walker = etree.iterwalk(tree, events=("start", "end"))
    for event, element in walker:
        if event == "end":
            open_rows.pop()
            if element is not tree and open_rows[-1] >= 0:
                add(element.tail, open_rows[-1])
        elif element.tag in UNSEEN or len(page.words) >= MOST_WORDS or len(page.elements) >= MOST_ELEMENTS:
            walker.skip_subtree()
            open_rows.append(-1)
        else:
            above = open_rows[-1]
            kept = (above >= 0 and page.kept[above]) or element in roots
            if kept and element not in roots:
                decision = lookup.decide(element, scope)
                kept = not decision.drop and not (decision.general and element in furniture)
            page.elements.append(element)
            page.parents.append(above)
            page.kept.append(kept)
            open_rows.append(len(page.elements) - 1)
            add(element.text, open_rows[-1])
    return page


def found_in(words: Sequence[str], text: Sequence[str]) -> list[bool]:
    """Which words stand in a text, among the same words as here."""
    return list(map(bool, words_found(list(words), list(text))))


def agreement(words: Sequence[str], others: Sequence[str]) -> float:
    """How much two texts are the same: 1 where they have the same words, as often."""
    if not words or not others:
        return float(not words and not others)
    both = (Counter(words) & Counter(others)).total()
    return 2 * both / (len(words) + len(others))


def usual_block(element: Element) -> str:
    """What an element is where it is text; any that is no block of its own is unwrapped."""
    return _USUAL_BLOCKS.get(str(element.tag), "unwrap")
