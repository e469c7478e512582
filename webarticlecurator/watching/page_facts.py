"""Tell what a stored page shows of its layout: the names in its text, and its text blocks beside what was
kept of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

from lxml.etree import _Element as Element

from webarticlecurator.labelling.simplified_tags import general_name
from webarticlecurator.labelling.text_blocks import shares_in, text_blocks, words_of
from webarticlecurator.text import folded

BlockKind = tuple[str, bool]
"""The element that it stands in, and whether it is mostly links."""
KEPT = 0.5
"""The share of a block's words: where so many stand in what was kept, the block was kept."""
_SLUG, _FIRST_TEXTS, _LONGEST_OPENING = 20, 4, 200
"""Letters of an id that are compared with the text, and how much is looked at of that."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class PageFacts:
    """The facts of one page, and of what the rules made of it."""

    body_names: frozenset[str]
    """The elements inside the container in which kept text stands, with their classes and ids, as the
    portal's designers named them: `div.teaser`, `#footer`."""
    blocks: tuple[tuple[BlockKind, int, float], ...]
    """The text blocks at its beginning: for each its kind, its number of words, and the share of them that
    was kept."""


def page_facts(tree: Element, text: str) -> PageFacts:
    """Return the facts of a page, of which this text was kept."""
    blocks = text_blocks(tree)[:400]
    shares, kinds = (
        shares_in(blocks, text),
        [(str(block.element.tag), 2 * block.linked > len(block.text)) for block in blocks],
    )
    words = [len(words_of(block.text)) for block in blocks]
    # what parts the kept text from within: an element that holds nearly all of it is the container
    under: Counter[Any] = Counter()
    kept = [
        (block.element, count)
        for block, share, count in zip(blocks, shares, words, strict=True)
        if share >= KEPT
    ]
    for element, count in kept:
        under.update(dict.fromkeys((element, *element.iterancestors()), count))
    body_names, most = set[str](), 0.9 * sum(count for _, count in kept)
    for element in (element for element, count in under.items() if count <= most):
        id = element.get("id") or ""
        opening = "".join(islice(filter(str.strip, map(str, element.itertext())), _FIRST_TEXTS)) if id else ""
        # made of its first words, as makers of static sites name headings: that is no name of the layout
        is_of_text = bool(folded(id)) and folded(opening[:_LONGEST_OPENING]).startswith(folded(id)[:_SLUG])
        body_names.update(_named(element.tag, element.get("class") or "", "" if is_of_text else id))
    return PageFacts(body_names=frozenset(body_names), blocks=tuple(zip(kinds, words, shares, strict=True)))


@lru_cache(maxsize=8192)
def _named(tag: str, classes: str, id: str) -> tuple[str, ...]:
    tag = tag[:30]
    names = [f"{tag}.{name}" for written in classes.split()[:8] if (name := general_name(written)) != "*"]
    return (*names, f"#{name}") if id and (name := general_name(id)) != "*" else tuple(names)
