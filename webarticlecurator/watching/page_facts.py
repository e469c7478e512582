"""What a stored page shows of its layout: the names in it, and its text blocks beside what was kept of them; and which blocks the rules
keep, learned from what they kept before by a logistic regression."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.tag_rules import general_name
from webarticlecurator.labelling.text_blocks import shares_in, text_blocks, words_of
from webarticlecurator.text import folded

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

    BlockModel = Callable[["PageFacts"], NDArray[numpy.float64]]
    """Says how probable it is that each block of a page is kept."""

MOST_BLOCKS = 400
"""Of a page, for the model: those at its beginning."""
KEPT = 0.5
"""Of a block's words: where so many stand in what was kept, it was kept."""
_SLUG, _FIRST_TEXTS, _LONGEST_OPENING = 20, 4, 200
"""Letters of an id that are compared with the text, and how much is looked at of that."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PageFacts:
    """One page, and what the rules made of it."""

    body_names: frozenset[str]
    """The elements inside the container in which kept text stands, with their classes and ids, as the portal's designers named them:
    `div.teaser`, `#footer`."""
    features: NDArray[numpy.float32]
    """A row for each text block."""
    kept: NDArray[numpy.float32]
    """Of each block, which share of its words was kept."""
    words: NDArray[numpy.float32]
    """In each block."""


def page_facts(tree: Element, text: str) -> PageFacts:
    """Of a page, of which this text was kept."""
    import numpy

    from webarticlecurator.labelling.features import features

    blocks = text_blocks(tree)[:MOST_BLOCKS]
    shares = shares_in(blocks, text)
    words = [len(words_of(block.text)) for block in blocks]
    # what parts the kept text from within: an element that holds nearly all of it is the container
    under: Counter[Any] = Counter()
    kept = [(block.element, count) for block, share, count in zip(blocks, shares, words, strict=True) if share >= KEPT]
    for element, count in kept:
        under.update(dict.fromkeys((element, *element.iterancestors()), count))
    body_names, most = set[str](), 0.9 * sum(count for _, count in kept)
    for element in (element for element, count in under.items() if count <= most):
        id = element.get("id") or ""
        opening = "".join(islice(filter(str.strip, map(str, element.itertext())), _FIRST_TEXTS)) if id else ""
        # made of its first words, as makers of static sites name headings: that is no name of the layout
        is_of_text = bool(folded(id)) and folded(opening[:_LONGEST_OPENING]).startswith(folded(id)[:_SLUG])
        body_names.update(_named(element.tag, element.get("class") or "", "" if is_of_text else id))
    return PageFacts(
        body_names=frozenset(body_names),
        features=numpy.nan_to_num(numpy.asarray(features(blocks), numpy.float32)),
        kept=numpy.asarray(shares, numpy.float32),
        words=numpy.minimum(numpy.asarray(words, numpy.float32), 2_000),
    )


@lru_cache(maxsize=8192)
def _named(tag: str, classes: str, id: str) -> tuple[str, ...]:
    tag = tag[:30]
    names = [f"{tag}.{name}" for written in classes.split()[:8] if (name := general_name(written)) != "*"]
    return (*names, f"#{name}") if id and (name := general_name(id)) != "*" else tuple(names)


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
    for _ in range(12):
        now = probable(rows)
        curve = numpy.maximum(weight * now * (1 - now), 1e-4)
        gradient = rows.T @ (weight * (kept - now)) - ridge * weights
        step = numpy.linalg.solve((rows * curve[:, None]).T @ rows + numpy.diag(ridge), gradient)
        weights = weights + step * min(1.0, 4.0 / max(float(numpy.abs(step).max()), 1e-9))
        if float(numpy.abs(step).max()) < 1e-3:
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
