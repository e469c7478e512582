"""What BoilerNet looks at: the tags around a block and its words, counted; the most frequent ones of the pages of training."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np
from lxml.etree import _Element as Element

from webarticlecurator.labelling.text_blocks import TextBlock
from webarticlecurator.labelling.truth import words_of

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Matrix: TypeAlias = NDArray[np.float32]

_TAGS, _WORDS = 50, 1_000
"""The figures of Leonhardt, Anand and Khosla: Boilerplate Removal using a Neural Sequence Labeling Model, 2020."""
_MOST = 32
"""A count is taken for no more than this."""


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """The tags and words that are counted."""

    tags: tuple[str, ...]
    words: tuple[str, ...]

    @property
    def width(self) -> int:
        """Columns."""
        return len(self.tags) + len(self.words)

    def counts(self, blocks: Sequence[TextBlock]) -> Matrix:
        """One row a block: how often each tag is around it, and how often each word is in it."""
        places = {("tag", name): column for column, name in enumerate(self.tags)}
        places |= {("word", name): len(self.tags) + column for column, name in enumerate(self.words)}
        rows = np.zeros((len(blocks), self.width), np.float32)
        around: dict[Element, Counter[str]] = {}
        for row, block in enumerate(blocks):
            for kind, counted in (("tag", _around(block.element, around)), ("word", Counter(words_of(block.text)))):
                for name, count in counted.items():
                    column = places.get((kind, name))
                    if column is not None:
                        rows[row, column] = min(count, _MOST)
        return rows


def vocabulary_of(pages: Iterable[Sequence[TextBlock]]) -> Vocabulary:
    """The most frequent tags and words of these pages; of equally frequent ones the first in the alphabet."""
    tags, words = Counter[str](), Counter[str]()
    for blocks in pages:
        around: dict[Element, Counter[str]] = {}
        for block in blocks:
            tags.update(_around(block.element, around))
            words.update(words_of(block.text))
    return Vocabulary(_most(tags, _TAGS), _most(words, _WORDS))


def _most(counted: Counter[str], count: int) -> tuple[str, ...]:
    return tuple(sorted(counted, key=lambda name: (-counted[name], name))[:count])


def _around(element: Element, known: dict[Element, Counter[str]]) -> Counter[str]:
    """The tags of an element and of those around it."""
    found = known.get(element)
    if found is None:
        found = known[element] = Counter([element.tag, *(one.tag for one in element.iterancestors())])
    return found
