"""Which blocks of a portal's pages its rules keep, learned from what they kept before: a logistic regression."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from webarticlecurator.watching.page_facts import KEPT, PageFacts

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

_STEPS = 12
_ENOUGH = 1e-3
_RIDGE = 3.0
"""How much a feature must explain to be used: few pages of one layout are much alike, and anything would part their blocks."""
_MOST_ROWS = 12_000
"""Blocks that are learned from; a step costs their number times the square of the features."""


@dataclass(frozen=True, slots=True, eq=False)
class BlockModel:
    """Says how probable it is that a block is kept."""

    centre: NDArray[numpy.float64]
    scale: NDArray[numpy.float64]
    weights: NDArray[numpy.float64]

    def probabilities(self, page: PageFacts) -> NDArray[numpy.float64]:
        """Of each block of a page."""
        import numpy

        return _probable(_with_one((page.features - self.centre) / self.scale), self.weights) if len(page.words) else numpy.zeros(0)


def learned(pages: Sequence[PageFacts]) -> BlockModel | None:
    """By these pages; None where all of their blocks, or none, were kept."""
    import numpy

    rows = numpy.vstack([page.features for page in pages]).astype(numpy.float64)[:_MOST_ROWS]
    kept = numpy.concatenate([page.kept for page in pages]).astype(numpy.float64)[:_MOST_ROWS]
    words = numpy.concatenate([page.words for page in pages]).astype(numpy.float64)[:_MOST_ROWS]
    if not len(rows) or kept.max() < KEPT or kept.min() > KEPT:
        return None
    centre, scale = rows.mean(0), numpy.maximum(rows.std(0), 1e-3)
    scaled = _with_one(numpy.clip((rows - centre) / scale, -8, 8))
    weight = numpy.sqrt(words + 1)  # a long paragraph counts more than a button, but not a hundred times
    weight /= weight.mean()
    ridge = numpy.full(scaled.shape[1], _RIDGE)
    ridge[-1] = 1e-6
    weights = numpy.zeros(scaled.shape[1])
    for _ in range(_STEPS):
        probable = _probable(scaled, weights)
        curve = numpy.maximum(weight * probable * (1 - probable), 1e-4)
        gradient = scaled.T @ (weight * (kept - probable)) - ridge * weights
        step = numpy.linalg.solve((scaled * curve[:, None]).T @ scaled + numpy.diag(ridge), gradient)
        weights = weights + step * min(1.0, 4.0 / max(float(numpy.abs(step).max()), 1e-9))
        if float(numpy.abs(step).max()) < _ENOUGH:
            break
    return BlockModel(centre, scale, weights)


def _with_one(rows: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    import numpy

    return numpy.hstack([numpy.clip(rows, -8, 8), numpy.ones((len(rows), 1))])


def _probable(rows: NDArray[numpy.float64], weights: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
    import numpy

    return 1 / (1 + numpy.exp(-numpy.clip(rows @ weights, -30, 30)))


@dataclass(frozen=True, slots=True)
class Agreement:
    """What the model and the rules say of one page."""

    own: float
    """Words that the rules kept."""
    lost: float
    """Words that the model takes for the article's, and the rules left out."""
    foreign: float
    """Words that the rules kept, and the model does not take for the article's."""


_AT_ALL = 0.2
"""Less says nothing: so pages of much furniture and little text are no odder than others."""


def agreement(model: BlockModel, page: PageFacts) -> Agreement:
    """Block by block, each as heavy as it is long."""
    probable = model.probabilities(page)
    kept = page.kept >= KEPT
    missed = probable * (~kept & (probable > _AT_ALL))
    strange = (1 - probable) * (kept & (probable < 1 - _AT_ALL))
    return Agreement(
        own=round(float(page.words[kept].sum()), 4),
        lost=round(float(page.words @ missed), 4),
        foreign=round(float(page.words @ strange), 4),
    )
