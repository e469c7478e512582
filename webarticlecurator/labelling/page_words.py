"""The words of a page in their order, each with the element that it stands in."""

from __future__ import annotations

from collections.abc import Iterable

from webarticlecurator.labelling.text_blocks import words_of
from webarticlecurator.model.page import Outline

_MOST = 60_000
"""Words of one page that are looked at."""


class PageWords:
    """The words of a page: what is counted of words is counted for the elements around them, too."""

    def __init__(self, outline: Outline) -> None:
        self.elements, self._parents = outline.elements, outline.parents
        self.words: list[str] = []
        self.rows: list[int] = []
        """The row of the element of each word."""
        for text, row in zip(outline.strings, outline.owners, strict=True):
            words = words_of(text)[: _MOST - len(self.words)]
            self.words.extend(words)
            self.rows.extend([row] * len(words))

    def sums(self, weights: Iterable[float]) -> list[float]:
        """Return for each element the sum of these weights of the words in it, and in all inside it."""
        sums = [0.0] * len(self.elements)
        for row, weight in zip(self.rows, weights, strict=True):
            sums[row] += weight
        for row in range(len(sums) - 1, 0, -1):
            sums[self._parents[row]] += sums[row]
        return sums
