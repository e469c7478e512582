"""Examples of elements: which are worth one, and where on a page each stands, with a little of the text before, in and after it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL, UNSEEN
from webarticlecurator.survey.inventory.results import Example
from webarticlecurator.survey.inventory.start_tags import attributes_of
from webarticlecurator.survey.stored_page import Year
from webarticlecurator.text import squeeze

MOST_EXAMPLES = 3
"""Of a row."""
_MOST_ROWS = 30_000
"""Of which is remembered what was shown."""
LONGEST = 160
"""Characters of each part of an example."""
_WINDOW = 4 * LONGEST
"""Characters looked at for it, white space included."""
_LONGEST_VALUE = 60


@dataclass(frozen=True, slots=True)
class DatedExample:
    """An example, and the year of its page."""

    year: Year
    example: Example


def keep_example(one: DatedExample, kept: list[DatedExample]) -> bool:
    """Put it behind the others while there is room, else instead of one whose year comes twice; False where it is not wanted."""
    years = [other.year for other in kept]
    if any(other.example.url == one.example.url for other in kept):
        return False
    if len(kept) < MOST_EXAMPLES:
        kept.append(one)
        return True
    again = next((place for place in reversed(range(MOST_EXAMPLES)) if years.index(years[place]) < place), None)
    if again is None or one.year in years:
        return False
    kept[again:] = [*kept[again + 1 :], one]
    return True


class WantedExamples:
    """What one process has shown already, in whatever tally: no page is taken apart for an example that nobody will keep."""

    def __init__(self) -> None:
        self._shown: dict[str, list[DatedExample]] = {}

    def of(self, rows: Iterable[str], year: Year, url: str) -> list[str]:
        """The rows of which a page should show an example."""
        if len(self._shown) > _MOST_ROWS:
            self._shown.clear()
        return [row for row in rows if self._is_wanted(self._shown.setdefault(row, []), year, url)]

    def _is_wanted(self, shown: list[DatedExample], year: Year, url: str) -> bool:
        if len(shown) == MOST_EXAMPLES:
            years = {one.year for one in shown}
            if year in years or len(years) == MOST_EXAMPLES:
                return False  # by far the most frequent answer, so it comes cheap
        return keep_example(DatedExample(year, Example(url=url)), shown)


class ExampleText:
    """The text of one container, in which examples are placed; made only where one is wanted."""

    def __init__(self, root: Element, url: str) -> None:
        self._url = url
        self._starts: dict[Element, int] = {}
        self._ends: dict[Element, int] = {}
        pieces: list[str] = []
        length = 0
        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            begins = event == "start"
            if begins and element is not root and element.tag in UNSEEN:
                walker.skip_subtree()
                continue
            piece = " " if element.tag in BLOCK_LEVEL or element.tag == "br" else ""
            if begins:
                self._starts[element] = length + len(piece)
                piece += element.text or ""
            else:
                self._ends.setdefault(element, length)
                if element is not root:
                    piece += element.tail or ""
            pieces.append(piece)
            length += len(piece)
        self._text = "".join(pieces)

    def example(self, element: Element) -> Example:
        """An element of this container."""
        start, end = self._starts[element], self._ends[element]
        return Example(
            url=self._url,
            before=squeeze(self._text[max(0, start - _WINDOW) : start])[-LONGEST:].lstrip(),
            text=_cut(squeeze(self._text[start : min(end, start + _WINDOW)])),
            after=_cut(squeeze(self._text[end : end + _WINDOW])),
            start_tag=_start_tag(element),
        )


def _start_tag(element: Element) -> str:
    pairs = ((name, value if len(value) <= _LONGEST_VALUE else value[:_LONGEST_VALUE] + "…") for name, value in attributes_of(element))
    attributes = "".join(f' {name}="{squeeze(value).replace(chr(34), "&quot;")}"' for name, value in pairs)
    return _cut(f"<{element.tag}{attributes}>")


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1].rstrip() + "…"
