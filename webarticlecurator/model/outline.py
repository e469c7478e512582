"""A page in rows: what all readers of it share, made in one pass, so that none walks through it again."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from itertools import accumulate

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.text import BREAKS, UNSEEN, element_text, short_text, squeeze


class Outline:
    """The elements of a page in order, and all its strings in order: what stands in an element is a range of both.

    The lists run in parallel, one row an element. A text that a reader sees is a slice of the strings, and its length a difference.
    """

    def __init__(self, root: Element | None) -> None:
        self.elements: list[Element] = [] if root is None else list(root.iter(etree.Element))
        self.tags: list[str] = [element.tag for element in self.elements]
        self.row_of: dict[Element, int] = {element: row for row, element in enumerate(self.elements)}
        self.parents: list[int] = [self.row_of.get(element.getparent(), -1) for element in self.elements]  # type: ignore[arg-type]
        """The row of the element around it; -1 above the first."""
        self.ends = list(range(1, len(self.tags) + 1))
        """The row behind all that is in it."""
        self._by_tag: dict[str, list[int]] = {}
        self.strings: list[str] = []
        """All that a reader sees, as written; a blank where a block or a line begins or ends."""
        self.owners: list[int] = []
        """The row in which each string stands immediately."""
        self._begins: list[int] = []
        """Where the strings of each row begin, and where they end."""
        self._stops = [0] * len(self.tags)
        self._lengths: list[int]
        """The characters of all strings before each, without the white space around them."""
        for row in range(len(self.tags) - 1, 0, -1):
            parent = self.parents[row]
            if self.ends[row] > self.ends[parent]:
                self.ends[parent] = self.ends[row]
        self._take_strings()

    def _take_strings(self) -> None:
        # The one loop that sees every string of a page: names are local, and calls are few.
        elements, tags, begins, stops, strings, owners = self.elements, self.tags, self._begins, self._stops, self.strings, self.owners
        within: list[int] = []
        unseen = 0
        for row, parent in enumerate((*self.parents, None)):  # behind the last one all are left
            while within and within[-1] != parent:
                left = within.pop()
                stops[left] = len(strings)
                unseen -= tags[left] in UNSEEN
                if not unseen:
                    if tags[left] in BREAKS:
                        strings.append(" ")
                        owners.append(left)
                    if within and (tail := elements[left].tail):
                        strings.append(tail)
                        owners.append(within[-1])
            if parent is None:
                break
            tag = tags[row]
            self._by_tag.setdefault(tag, []).append(row)
            within.append(row)
            if tag in BREAKS and not unseen:
                strings.append(" ")
                owners.append(row)
            begins.append(len(strings))
            unseen += tag in UNSEEN
            if not unseen and (text := elements[row].text):
                strings.append(text)
                owners.append(row)
        self._lengths = list(accumulate(map(len, map(str.strip, strings)), initial=0))

    def rows(self, *tags: str) -> list[int]:
        """Of all elements of these names, in order."""
        if len(tags) == 1:
            return self._by_tag.get(tags[0], [])
        return sorted(row for tag in tags for row in self._by_tag.get(tag, ()))

    def rows_in(self, row: int, *tags: str) -> list[int]:
        """Of those elements of these names that are in an element."""
        rows = self.rows(*tags)
        return rows[bisect_right(rows, row) : bisect_left(rows, self.ends[row])]

    def around(self, row: int) -> Iterator[int]:
        """The rows of the elements around it, the nearest first."""
        row = self.parents[row]
        while row >= 0:
            yield row
            row = self.parents[row]

    def length(self, row: int) -> int:
        """Characters of its text, without the white space around each string."""
        return self._lengths[self._stops[row]] - self._lengths[self._begins[row]]

    def strings_in(self, row: int) -> range:
        """Where its strings stand."""
        return range(self._begins[row], self._stops[row])

    def begins_at(self, row: int) -> int:
        """Characters of the text before it."""
        return self._lengths[self._begins[row]]

    def text(self, row: int) -> str:
        """As `element_text` has it."""
        begin, stop = self._begins[row], self._stops[row]
        return "".join(self.strings[begin:stop]) if begin < stop else element_text(self.elements[row])

    def short_text(self, row: int, longest: int) -> str | None:
        """White space normalised; None where it is longer than that."""
        begin, stop = self._begins[row], self._stops[row]
        if begin == stop:  # a script, a style or what stands in one, which are seen only by those who ask for them
            return short_text(self.elements[row], longest)
        if self._lengths[stop] - self._lengths[begin] > longest:
            return None
        text = squeeze("".join(self.strings[begin:stop]))
        return text if len(text) <= longest else None
