"""The text blocks of a page, in page order: what a person sees as one piece of text, with the element that it
stands in; and how much of each stands in a text that is known: what a person kept, or what rules gave."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.own_patterns import linear
from webarticlecurator.text import squeeze

# fmt: off
INLINE = frozenset((
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "ins", "kbd",
    "mark", "nobr", "picture", "q", "rp", "rt", "ruby", "s", "samp", "small", "source", "span", "strike", "strong", "sub", "sup", "time",
    "tt", "u", "var", "wbr",
))
_UNREAD = frozenset((
    "audio", "canvas", "embed", "head", "iframe", "map", "math", "noscript", "object", "script", "select", "style", "svg", "template",
    "textarea", "title", "video",
))
"""The elements that nobody reads as text of the page."""
# fmt: on
_COUNTED = {"a": "link", "b": "bold", "strong": "bold"}
"""Inlines whose characters are counted."""


class TextBlock(NamedTuple):
    """A maximal run of text and inline elements; two line breaks in a row end one, too."""

    element: Element
    """The block element that it stands in; several runs may stand in one."""
    text: str
    """The text, white space normalised; never empty."""
    linked: int
    """Characters of it that are links, and how many links there are."""
    links: int
    strong: int
    """Characters of it that are bold."""


def text_blocks(tree: Element | None) -> list[TextBlock]:
    """Return all text of a page but that of scripts and the like, menus and footers included; nothing of a
    page without a tree."""
    if tree is None:
        return []
    reader = _BlockReader(tree)
    walker = etree.iterwalk(tree, events=("start", "end", "comment", "pi"))
    for event, node in walker:
        tag = node.tag
        if event == "start" and tag in _UNREAD:
            walker.skip_subtree()
            continue
        if tag in INLINE and node is not tree:
            reader.meet_inline(event, tag)
        elif event == "start":
            reader.begin_block(node)
        elif event == "end" and tag not in _UNREAD:
            reader.end_block()
        text = node.text if event == "start" else node.tail
        if text and (reader.pieces or not text.isspace()):  # no block begins with white space
            reader.add(text)
    return reader.blocks


class _BlockReader:
    """The blocks so far, and the text that is being read; what is never ended, as what stands behind the
    tree, is no block."""

    __slots__ = ("_around", "_breaks", "_counted", "_inside", "_links", "blocks", "pieces")

    def __init__(self, tree: Element) -> None:
        self.blocks: list[TextBlock] = []
        self.pieces: list[str] = []
        self._around = [tree]
        self._inside = {"link": 0, "bold": 0}
        """Number of each that are open."""
        self._counted = {"link": 0, "bold": 0}
        """Characters in them."""
        self._links = 0
        self._breaks = False
        """True if a line break stands at the end of the text."""

    def begin_block(self, element: Element) -> None:
        self._end()
        self._around.append(element)

    def end_block(self) -> None:
        self._end()
        self._around.pop()

    def meet_inline(self, event: str, tag: str) -> None:
        """Note that an inline element begins or ends."""
        if tag in _COUNTED:
            self._inside[_COUNTED[tag]] += 1 if event == "start" else -1
            self._links += event == "start" and tag == "a"
        elif tag == "br" and event == "start":
            if self._breaks:
                self._end()
            self._breaks = True
            self.pieces.append(" ")

    def add(self, text: str) -> None:
        self.pieces.append(text)
        inside = self._inside
        if self._breaks or inside["link"] or inside["bold"]:
            length = len(text.strip())
            for kind, count in inside.items():
                if count:
                    self._counted[kind] += length
            self._breaks &= not length

    def _end(self) -> None:
        """Return the text so far is a block, if anything is said in it."""
        if self.pieces:
            text = squeeze("".join(self.pieces))
            linked, bold = (min(count, len(text)) for count in self._counted.values())
            if text:
                self.blocks.append(TextBlock(self._around[-1], text, linked, self._links, bold))
            self.pieces.clear()
            self._counted = {"link": 0, "bold": 0}
        self._links, self._breaks = self._inside["link"], False


_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_WORDS = linear(rf"[{_UNSPACED}]|[^\W{_UNSPACED}]+")
"""Words of a text; each character is one in scripts that part no words."""
_SIZES = (6, 3, 1)
"""Words in a row by which a place is recognised, first on the whole page, then between the places found."""
_MOST_WORDS = 200_000
"""Most words of a page and of a text that are looked at; those behind them count as not found."""

_Run = tuple[int, int, int]
"""A run of words: its beginning on the page and in the text, and its length."""


def words_of(text: str) -> list[str]:
    """Return the words of a text, whatever their case."""
    return _WORDS.findall(text.casefold())


def shares_in(blocks: Sequence[TextBlock], text: str) -> list[float]:
    """Return the share of each block's words that stand in the text, in the order of the page.

    A word counts only where those around it say so: `Share` between two paragraphs is not in the text because
    it stands there elsewhere. A longer passage that the text has at another place counts, too, but no passage
    of the text twice.
    """
    words = [words_of(block.text) for block in blocks]
    found = words_found(list(chain.from_iterable(words)), words_of(text))
    shares, begin = [], 0
    for of_block in words:
        end = begin + len(of_block)
        shares.append(sum(found[begin:end]) / len(of_block) if of_block else 0.0)
        begin = end
    return shares


def words_found(page: list[str], text: list[str]) -> bytearray:
    """Return for each word of a page whether it stands in the text; what lies behind a bound does not."""
    found, taken = bytearray(len(page)), bytearray(len(text))
    page, text = page[:_MOST_WORDS], text[:_MOST_WORDS]
    runs = _runs(page, text, _SIZES[0])
    ordered = _best_chain(runs)
    # what both have in one order, then the passages that are left and have been moved
    for begin, place, length in ordered:
        found[begin : begin + length] = taken[place : place + length] = b"\1" * length
    for begin, place, length in sorted(set(runs) - set(ordered), key=lambda run: (-run[2], run)):
        if not any(found[begin : begin + length]) and not any(taken[place : place + length]):
            found[begin : begin + length] = taken[place : place + length] = b"\1" * length
    for begin, _, length in _between(page, text, ordered, _SIZES[1:]):
        found[begin : begin + length] = b"\1" * length
    return found


def _between(
    page: list[str],
    text: list[str],
    ordered: Sequence[_Run],
    sizes: Sequence[int],
) -> Iterator[_Run]:
    """Return the runs, and what the gaps between them have in shorter ones."""
    yield from ordered
    if not sizes:
        return
    begin = place = 0
    for run in (*ordered, (len(page), len(text), 0)):
        if begin < run[0] and place < run[1]:
            inner_page, inner_text = page[begin : run[0]], text[place : run[1]]
            inner = _best_chain(_runs(inner_page, inner_text, sizes[0]))
            yield from (
                (begin + at, place + there, length)
                for at, there, length in _between(inner_page, inner_text, inner, sizes[1:])
            )
        begin, place = max(begin, run[0] + run[2]), max(place, run[1] + run[2])


def _runs(page: list[str], text: list[str], size: int) -> list[_Run]:
    """Return all passages of at least so many words that both have, as long as they go on."""
    places: dict[tuple[str, ...], list[int]] = {}
    for at in range(len(text) - size + 1):
        places.setdefault(tuple(text[at : at + size]), []).append(at)
    runs: list[_Run] = []
    ends: dict[int, int] = {}
    for begin in range(len(page) - size + 1):
        there = places.get(tuple(page[begin : begin + size]), ())
        for place in there if len(there) <= 8 else ():  # what stands there more often is no place
            if ends.get(begin - place, 0) <= begin:
                length = size
                most = min(len(page) - begin, len(text) - place)
                while length < most and page[begin + length] == text[place + length]:
                    length += 1
                ends[begin - place] = begin + length
                runs.append((begin, place, length))
    return runs


def _best_chain(runs: list[_Run]) -> list[_Run]:
    """Return those with most words that stand in the same order on the page and in the text; none overlaps
    the next."""
    if not runs:
        return []
    ends = sorted({place + length for _, place, length in runs})
    tree = [(0, -1)] * (len(ends) + 1)
    sums, before = [0] * len(runs), [-1] * len(runs)
    waiting = sorted(range(len(runs)), key=lambda number: (runs[number][0] + runs[number][2], number))
    done = 0
    for number, (begin, place, length) in enumerate(runs):
        while done < len(waiting) and runs[waiting[done]][0] + runs[waiting[done]][2] <= begin:
            ended = waiting[done]
            at = bisect_right(ends, runs[ended][1] + runs[ended][2])
            while at <= len(ends):
                tree[at] = max(tree[at], (sums[ended], ended))
                at += at & -at
            done += 1
        best, at = (0, -1), bisect_right(ends, place)
        while at:
            best = max(best, tree[at])
            at -= at & -at
        sums[number], before[number] = best[0] + length, best[1]
    last, chain_of = max(range(len(runs)), key=lambda number: (sums[number], -number)), list[_Run]()
    while last >= 0:
        chain_of.append(runs[last])
        last = before[last]
    return chain_of[::-1]
