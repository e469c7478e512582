"""How good a labeller is: the text that it chooses on pages beside the text that should have been chosen."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from webarticlecurator.labelling.labeller import chosen
from webarticlecurator.labelling.text_blocks import TextBlock

DRAWS = 1_000
"""Of the bootstrap."""
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelledPage:
    """A page whose main text is known."""

    name: str
    """A file, or an address: what is of one name is never judged by what was trained on it."""
    blocks: Sequence[TextBlock]
    shares: Sequence[float]
    """How much of each block is main text."""
    text: str
    """The main text."""


@dataclass(frozen=True, slots=True)
class Mean:
    """Over pages, with its 95 % interval: bootstrap over pages."""

    value: float
    low: float
    high: float


def score(page: LabelledPage, shares: Sequence[float]) -> tuple[float, float]:
    """What a labeller's shares make of a page: F1 of the words that were chosen, and of the blocks, each as heavy as it is long."""
    kept, right = chosen(shares), [share >= 0.5 for share in page.shares]
    said, wanted = _words(block.text for block, keep in zip(page.blocks, kept, strict=True) if keep), _words([page.text])
    sizes = [len(_WORD.findall(block.text)) for block in page.blocks]
    both = sum(size for size, keep, is_text in zip(sizes, kept, right, strict=True) if keep and is_text)
    of_blocks = sum(size * (keep + is_text) for size, keep, is_text in zip(sizes, kept, right, strict=True))
    return _f1((said & wanted).total(), said.total() + wanted.total()), _f1(both, of_blocks)


def mean(values: Sequence[float]) -> Mean:
    """The same interval for the same values."""
    draw = random.Random(1)
    means = sorted(sum(draw.choices(values, k=len(values))) / len(values) for _ in range(DRAWS))
    return Mean(sum(values) / len(values), means[DRAWS // 40], means[-1 - DRAWS // 40])


def _words(texts: Iterable[str]) -> Counter[str]:
    return Counter(word for text in texts for word in _WORD.findall(text.lower()))


def _f1(both: int, of_two: int) -> float:
    return 2 * both / of_two if of_two else 1.0
