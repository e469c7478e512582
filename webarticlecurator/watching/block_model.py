"""Which blocks of a portal's pages its rules keep, learned from what they kept before: a logistic regression."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from webarticlecurator.watching.page_facts import KEPT, PageFacts

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    BlockModel = Callable[[PageFacts], NDArray[numpy.float64]]
    """Says how probable it is that each block of a page is kept."""

_STEPS = 12
_ENOUGH = 1e-3
_RIDGE = 3.0
"""How much a feature must explain to be used: few pages of one layout are much alike, and anything would part their blocks."""
_MOST_ROWS = 12_000
"""Blocks that are learned from; a step costs their number times the square of the features."""
_AT_ALL = 0.2
"""Less says nothing: so pages of much furniture and little text are no odder than others."""


def learned(pages: Sequence[PageFacts]) -> BlockModel | None:
    """By these pages; None where all of their blocks, or none, were kept."""
    import numpy

    rows = numpy.vstack([page.features for page in pages]).astype(numpy.float64)[:_MOST_ROWS]
    kept = numpy.concatenate([page.kept for page in pages]).astype(numpy.float64)[:_MOST_ROWS]
    words = numpy.concatenate([page.words for page in pages]).astype(numpy.float64)[:_MOST_ROWS]
    if not len(rows) or kept.max() < KEPT or kept.min() > KEPT:
        return None
    centre, scale = rows.mean(0), numpy.maximum(rows.std(0), 1e-3)

    def scaled(features: NDArray[Any]) -> NDArray[numpy.float64]:
        return numpy.hstack([numpy.clip((features - centre) / scale, -8, 8), numpy.ones((len(features), 1))])

    def probable(rows: NDArray[numpy.float64]) -> NDArray[numpy.float64]:
        return 1 / (1 + numpy.exp(-numpy.clip(rows @ weights, -30, 30)))

    rows = scaled(rows)
    weight = numpy.sqrt(words + 1)  # a long paragraph counts more than a button, but not a hundred times
    weight /= weight.mean()
    ridge = numpy.full(rows.shape[1], _RIDGE)
    ridge[-1] = 1e-6
    weights = numpy.zeros(rows.shape[1])
    for _ in range(_STEPS):
        now = probable(rows)
        curve = numpy.maximum(weight * now * (1 - now), 1e-4)
        gradient = rows.T @ (weight * (kept - now)) - ridge * weights
        step = numpy.linalg.solve((rows * curve[:, None]).T @ rows + numpy.diag(ridge), gradient)
        weights = weights + step * min(1.0, 4.0 / max(float(numpy.abs(step).max()), 1e-9))
        if float(numpy.abs(step).max()) < _ENOUGH:
            break
    return lambda page: probable(scaled(page.features)) if len(page.words) else numpy.zeros(0)


def agreement(model: BlockModel, page: PageFacts) -> tuple[tuple[float, float], tuple[float, float]]:
    """Words of one page, and which part of the kept ones these are: that the model takes for the article's and the rules left out, and that
    the rules kept and the model does not take for the article's."""
    probable = model(page)
    kept = page.kept >= KEPT
    missed = probable * (~kept & (probable > _AT_ALL))
    strange = (1 - probable) * (kept & (probable < 1 - _AT_ALL))
    own, lost, foreign = (round(float(words), 4) for words in (page.words[kept].sum(), page.words @ missed, page.words @ strange))
    return (lost, lost / max(own + lost, 1.0)), (foreign, foreign / max(own, 1.0))
