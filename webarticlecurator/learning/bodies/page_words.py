"""The words of a page in their order, each with the element in which it stands immediately: what is kept of them, and what should be."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.footnotes import footnotes_in
from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL, UNSEEN
from webarticlecurator.extraction.body.lookup import Decision, Lookup
from webarticlecurator.labelling.truth import words_found, words_of
from webarticlecurator.learning.bodies.reading import Reading
from webarticlecurator.learning.element_selectors import HEADINGS
from webarticlecurator.selectors import Scope
from webarticlecurator.survey.rule_selectors import tells_more_than_a_tag

MOST_WORDS, MOST_ELEMENTS = 60_000, 60_000
"""Of one page that are looked at."""
_CODE = frozenset(("code", "pre"))
_BREAKS = BLOCK_LEVEL | {"br"}
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
    may_repeat: list[bool] = field(default_factory=list)
    """Whether it is, or stands in, a caption, a footnote, code, or what a rule names by more than its tag: that many articles may say."""
    words: list[str] = field(default_factory=list)
    rows: list[int] = field(default_factory=list)
    """The element of each word."""
    lines: list[int] = field(default_factory=list)
    """The line of each word: a block begins a new one."""
    is_cut: bool = False
    """The page has more words or elements than are looked at."""

    @property
    def kept_words(self) -> list[bool]:
        return [self.kept[row] for row in self.rows]

    def sums(self, wanted: Iterable[bool]) -> list[int]:
        """For each element how many of these words stand in it, with all inside it."""
        counts = [0] * len(self.elements)
        for row, one in zip(self.rows, wanted, strict=True):
            counts[row] += one
        return self.summed(counts)

    def summed(self, counts: list[int]) -> list[int]:
        """For each element the sum of its count and those of all inside it."""
        for row in range(len(counts) - 1, 0, -1):
            counts[self.parents[row]] += counts[row]
        return counts

    def ends(self) -> list[int]:
        """The row behind all that is in each element."""
        return [row + size for row, size in enumerate(self.summed([1] * len(self.elements)))]

    def above(self, row: int) -> Iterator[int]:
        """The element and those around it, from the inside out."""
        while row >= 0:
            yield row
            row = self.parents[row]

    def each_line(self) -> Iterator[range]:
        """The places of the words of each line."""
        start = 0
        for place in range(1, len(self.lines) + 1):
            if place == len(self.lines) or self.lines[place] != self.lines[start]:
                yield range(start, place)
                start = place


def page_words(reading: Reading, lookup: Lookup) -> PageWords:
    """One walk over a page."""
    page = PageWords()
    tree = reading.page.tree
    if tree is None:
        return page
    roots = frozenset(reading.container.elements if reading.container is not None else ())
    captions = reading.container.captions if reading.container is not None else {}
    furniture = reading.container.furniture if reading.container is not None else {}
    notes = footnotes_in([tree], reading.page.url).notes
    scope, line, open_rows = Scope(None, tree), 0, [-1]

    def add(text: str | None, row: int) -> None:
        found = words_of(text) if text and not text.isspace() else ()
        page.words.extend(found)
        page.rows.extend([row] * len(found))
        page.lines.extend([line] * len(found))

    walker = etree.iterwalk(tree, events=("start", "end"))
    for event, element in walker:
        if event == "start":
            is_full = len(page.words) >= MOST_WORDS or len(page.elements) >= MOST_ELEMENTS
            page.is_cut = page.is_cut or is_full
            if is_full or element.tag in UNSEEN:
                walker.skip_subtree()
                open_rows.append(-1)
                continue
            above = open_rows[-1]
            line += element.tag in _BREAKS
            may_repeat = (above >= 0 and page.may_repeat[above]) or element in captions or element.tag in _CODE
            kept = (above >= 0 and page.kept[above]) or element in roots
            if kept and element not in roots:
                decision = lookup.decide(element, scope)
                may_repeat = may_repeat or "caption" in decision.blocks or element in notes or _is_named(decision)
                kept = not decision.drop and not (decision.general and element in furniture)
            page.elements.append(element)
            page.parents.append(above)
            page.kept.append(kept)
            page.may_repeat.append(may_repeat)
            open_rows.append(len(page.elements) - 1)
            add(element.text, open_rows[-1])
        else:
            open_rows.pop()
            line += element.tag in _BREAKS
            if element is not tree and open_rows[-1] >= 0:
                add(element.tail, open_rows[-1])
    return page


def _is_named(decision: Decision) -> bool:
    """Whether a person has said of just such elements what they are."""
    return bool(decision.blocks) and not decision.general and tells_more_than_a_tag(decision.selector)


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
