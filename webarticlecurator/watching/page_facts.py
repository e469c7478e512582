"""What a stored page shows of its layout: the names in it, and its text blocks beside what was kept of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import TYPE_CHECKING, Any

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.tag_names import general_name
from webarticlecurator.labelling.text_blocks import text_blocks
from webarticlecurator.labelling.truth import shares_in, words_of
from webarticlecurator.text import folded

if TYPE_CHECKING:
    import numpy
    from numpy.typing import NDArray

MOST_BLOCKS = 400
"""Of a page, for the model: those at its beginning."""
_MOST_NAMES = 600
_MOST_CLASSES = 8
_LONGEST_TAG = 30
KEPT = 0.5
"""Of a block's words: where so many stand in what was kept, it was kept."""
_SLUG, _FIRST_TEXTS, _LONGEST_OPENING = 20, 4, 200
"""Letters of an id that are compared with the text, and how much is looked at of that."""
_NEARLY_ALL = 0.9
"""Of the kept words: what holds so many is the container, or stands around it."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PageFacts:
    """One page, and what the rules made of it."""

    names: frozenset[str]
    """Elements with their classes and ids, as the portal's designers named them: `div.teaser`, `#footer`."""
    body_names: frozenset[str]
    """The same of those elements inside the container in which kept text stands."""
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
    body_names, most = set[str](), _NEARLY_ALL * sum(count for _, count in kept)
    for element in (element for element, count in under.items() if count <= most):
        id = element.get("id") or ""
        opening = "".join(islice(filter(str.strip, map(str, element.itertext())), _FIRST_TEXTS)) if id else ""
        # made of its first words, as makers of static sites name headings: that is no name of the layout
        is_of_text = bool(folded(id)) and folded(opening[:_LONGEST_OPENING]).startswith(folded(id)[:_SLUG])
        body_names.update(_named(element.tag, element.get("class") or "", "" if is_of_text else id))
    return PageFacts(
        names=frozenset(islice(dict.fromkeys(name for element in tree.iter(etree.Element) for name in names_of(element)), _MOST_NAMES)),
        body_names=frozenset(body_names),
        features=numpy.nan_to_num(numpy.asarray(features(blocks), numpy.float32)),
        kept=numpy.asarray(shares, numpy.float32),
        words=numpy.minimum(numpy.asarray(words, numpy.float32), 2_000),
    )


def names_of(element: Element) -> tuple[str, ...]:
    """Under which a designer knows it."""
    return _named(element.tag, element.get("class") or "", element.get("id") or "")


@lru_cache(maxsize=8192)
def _named(tag: str, classes: str, id: str) -> tuple[str, ...]:
    tag = tag[:_LONGEST_TAG]
    names = [f"{tag}.{name}" for written in classes.split()[:_MOST_CLASSES] if (name := general_name(written)) != "*"]
    return (*names, f"#{name}") if id and (name := general_name(id)) != "*" else tuple(names)
