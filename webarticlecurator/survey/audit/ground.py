"""The text of an article's container with the elements that it stands in: where in the page a piece of text comes from."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from unicodedata import normalize

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL, UNSEEN
from webarticlecurator.extraction.body.runs import nfc

_MOST_NODES = 20_000
_NEEDLE = 60
"""Characters by which a text is found again."""
_MOST_MISSES = 200
"""Texts that were not found, after which none is looked for any more: each costs a walk through all of the text."""


class Ground:
    """Text nodes in page order. White space is left out of what is searched: the rules may have changed it."""

    def __init__(self, roots: Sequence[Element]) -> None:
        self.raw: list[str] = []
        self.owners: list[Element] = []
        """The element that each text stands immediately in."""
        self.linked: list[bool] = []
        self._starts: list[int] = []
        self._roots = frozenset(roots)
        self._misses = 0
        pieces: list[str] = []
        length = 0
        for text, owner, in_link in _texts(roots):
            bare = nfc("".join(text.split()))
            if not bare:
                continue
            if len(self.raw) >= _MOST_NODES:
                break
            self.raw.append(text)
            self.owners.append(owner)
            self.linked.append(in_link)
            self._starts.append(length)
            pieces.append(bare)
            length += len(bare)
        self._text = "".join(pieces)

    def find(self, text: str, start: int = 0) -> int | None:
        """The position of a text behind `start`, or anywhere; None if it is not there as it stood in the page."""
        if self._misses >= _MOST_MISSES:
            return None
        needle = bare(text[: 2 * _NEEDLE])[:_NEEDLE]
        found = self._text.find(needle, start)
        if found < 0 and start:
            found = self._text.find(needle)
        self._misses += found < 0
        return None if found < 0 else found

    def node_at(self, position: int) -> int:
        """The number of the text node at a position."""
        return max(bisect_right(self._starts, position) - 1, 0)

    def nodes_of(self, position: int, text: str) -> range:
        """The numbers of the text nodes that a text at this position spans."""
        end = position + max(len(bare(text)), 1)
        return range(self.node_at(position), self.node_at(end - 1) + 1)

    def link_share(self, position: int, text: str) -> float:
        """How much of a text at this position stands in links."""
        nodes = self.nodes_of(position, text)
        letters = [(len(self.raw[node]), self.linked[node]) for node in nodes]
        whole = sum(length for length, _ in letters)
        return sum(length for length, linked in letters if linked) / whole if whole else 0.0

    def block_of(self, node: int) -> Element:
        """The innermost element around a text node that begins a new line, or the container itself."""
        element = self.owners[node]
        while element not in self._roots and element.tag not in BLOCK_LEVEL:
            parent = element.getparent()
            if parent is None:
                break
            element = parent
        return element

    def around(self, element: Element) -> Iterator[Element]:
        """The element and those around it, below the container."""
        while element not in self._roots:
            yield element
            parent = element.getparent()
            if parent is None:
                return
            element = parent


def bare(text: str) -> str:
    """Without white space."""
    joined = "".join(text.split())
    return joined if joined.isascii() else normalize("NFC", joined)


def _texts(roots: Sequence[Element]) -> Iterator[tuple[str, Element, bool]]:
    for root in roots:
        links = 0
        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            if event == "start":
                if element.tag in UNSEEN:
                    walker.skip_subtree()
                    links += element.tag == "a"
                    continue
                links += element.tag == "a"
                if element.text:
                    yield element.text, element, links > 0
            else:
                links -= element.tag == "a"
                parent = element.getparent()
                if element.tail and element is not root and parent is not None:
                    yield element.tail, parent, links > 0
