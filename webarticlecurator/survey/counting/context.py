"""Examples: where on a page an element stands, with a little of the text before, in and after it."""

from __future__ import annotations

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL, UNSEEN
from webarticlecurator.survey.counting.start_tags import attributes_of
from webarticlecurator.survey.inventory.results import Example
from webarticlecurator.text import squeeze

LONGEST = 160
"""Characters of each part of an example."""
_WINDOW = 4 * LONGEST
"""Characters looked at for it, white space included."""
_LONGEST_VALUE = 60


class Context:
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
