"""The block of a page that holds its article: the one where most of the page's running text stands, and
little else."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from webarticlecurator.extraction.body.furniture import Furniture
from webarticlecurator.extraction.body.page_blocks import PageBlocks
from webarticlecurator.extraction.body.signs import any_holds
from webarticlecurator.extraction.body.tag_rules import ELEMENTS
from webarticlecurator.labelling.element_names import PagePart
from webarticlecurator.model.metadata import Metadata
from webarticlecurator.text import HEADINGS

_LEAVES = frozenset(ELEMENTS["leaves"])
_TAG_WEIGHTS = {
    "article": 1.3,
    "main": 1.3,
    "li": 0.5,
    "figcaption": 0.5,
    "th": 0.5,
    "dd": 0.5,
    "h1": 0.2,
    "h2": 0.2,
    "h3": 0.2,
    "h4": 0.2,
}
_LINK_WEIGHTS = {"dt": 0.0}
"""A term that leads to its page stands before what says what it is."""
_PART_WEIGHTS: dict[PagePart | None, float] = {PagePart.BODY: 1.5, PagePart.CAPTION: 0.5}
_PARAGRAPH = 80
"""Characters of a text that is running text anyway."""
_SENTENCE = 30
"""Characters of a text that is running text if it has commas or full stops."""
_LITTLE = 500
"""Characters of running text beside which lists of links and cards may be what the page is for."""
_LITTLE_OF_PAGE = 0.2
"""Their share of the page's text."""
_NEARLY_ALL = 0.9
"""Share of the text of a block that boxes of one make hold, if it is made of these."""
_MOST_IN_ONE_ANOTHER = 10
"""Marked blocks in one another that are looked into; there may be endlessly many."""


class Root(NamedTuple):
    """The block that holds an article."""

    row: int
    is_of_links: bool
    """True if the block holds lists of links and cards, and hardly any running text."""


def root_of(
    furniture: Furniture,
    values: list[float],
    marked: Sequence[int],
    headline: int,
    metadata: Metadata,
) -> Root:
    """Return the block that holds the article.

    `values` are those of the texts; the `marked` blocks say that they are the article.
    """
    blocks, prose = furniture.blocks, furniture.prose
    values = _kept_values(values, furniture.aside)
    root = densest_block(blocks, values, furniture.aside, marked)
    own = _own_article(blocks, prose, root, headline)
    if own is not None:
        root = densest_block(blocks, values, furniture.aside, marked, within=own)
    kept = sum(max(value, 0) for value in values[root : blocks.ends[root]])
    if own is None and kept < _most_beside_links(metadata):
        links = root_of_links(furniture, marked, root, headline)
        if links is not None:
            return Root(links, True)
    return Root(root if kept >= _PARAGRAPH else _named_root(furniture, marked, root), False)


def _is_body_of_headline(blocks: PageBlocks, root: int, headline: int) -> bool:
    """Return True if a root says that it is the body, in the `article` of the headline."""
    articles = blocks.above(root).intersection(blocks.above(headline), blocks.tagged("article"))
    return blocks.is_part(root, PagePart.BODY) and bool(articles)


def _named_root(furniture: Furniture, marked: Sequence[int], root: int) -> int:
    """Return the block that says that it is the body, where hardly anything is said."""
    blocks = furniture.blocks
    named = [row for row in blocks.by_part[PagePart.BODY] if furniture.prose[row] > 0]
    return max(named or marked, key=blocks.characters.__getitem__, default=root)


def text_values(blocks: PageBlocks) -> list[float]:
    """Return the value of the text immediately in each block: running text counts for the article, links
    against it."""
    values, weights = list[float](), [1.0] * len(blocks)
    rows = zip(blocks.parents, blocks.tags, blocks.plain, blocks.linked, blocks.parts, strict=True)
    for row, (parent, tag, plain, linked, part) in enumerate(rows):
        weights[row] = min(weights[parent] * _TAG_WEIGHTS.get(tag, 1) * _PART_WEIGHTS.get(part, 1), 3.0)
        if linked > plain:
            values.append((-linked - 10.0) * _LINK_WEIGHTS.get(tag, 1))
        else:
            is_running = plain >= _PARAGRAPH or (plain >= _SENTENCE and row in blocks.has_stops)
            values.append((plain if is_running else plain / 5) * weights[row])
    return values


def densest_block(
    blocks: PageBlocks,
    values: list[float],
    aside: list[bool],
    marked: Collection[int] = (),
    *,
    within: int = 0,
) -> int:
    """Return the block with the text that is worth most; `marked` blocks say that they are, and `within` one
    that surely holds it."""
    worth = blocks.summed(values)
    inside = [row for row in range(within, blocks.ends[within]) if not aside[row]]
    holders = {row for row in inside if blocks.tags[row] not in _LEAVES}

    def best_of(rows: Collection[int], otherwise: int) -> int:
        return max(rows, key=lambda row: (worth[row], row), default=otherwise)

    root = _descend(blocks, values, worth, aside, best_of(holders, within))
    inner = holders.intersection(marked)
    for _ in range(_MOST_IN_ONE_ANOTHER):
        inner = inner.intersection(blocks.below(root))
        best = best_of(inner, root)
        share = 0.33 if blocks.tags[root] in ("body", "html") else 0.6  # most of a page may be furniture
        if best == root or worth[best] < share * worth[root]:
            break
        root = _descend(blocks, values, worth, aside, best)
    return root


def _kept_values(values: Sequence[float], aside: Sequence[bool]) -> list[float]:
    """Return the values of the blocks that are not aside; the others have none."""
    return [0.0 if outside else value for outside, value in zip(aside, values, strict=True)]


def _descend(blocks: PageBlocks, values: list[float], worth: list[float], aside: list[bool], row: int) -> int:
    """Return the innermost block in a block that holds nearly all of it."""
    while inner := [child for child in blocks.inside(row) if not aside[child]]:
        best = max(inner, key=worth.__getitem__)
        leaves = [max(values[text], 0) for text in inner if blocks.tags[text] in _LEAVES]
        own = max(values[row], 0) + sum(leaves)
        if any_holds(_ENDS_OF_DESCENT, _Step(blocks, worth, row, own, best, inner)):
            break
        row = best
    return row


def _most_beside_links(metadata: Metadata) -> int:
    """Return how many characters of running text a page may have that is made of links: hardly any if its
    date may be a teaser's."""
    dates = metadata.get("datePublished", ())
    if not dates:
        return _LITTLE
    return _PARAGRAPH if dates[0].source.startswith(("html:", "url:")) else 0


class _Step(NamedTuple):
    """A step from a block to the block in it with most text."""

    blocks: PageBlocks
    worth: Sequence[float]
    row: int
    own: float
    """The worth of the text that stands immediately in the block."""
    best: int
    inner: Sequence[int]
    """The blocks immediately in it."""

    def leaves_text(self) -> bool:
        return self.own > 0.08 * self.worth[self.row]

    def leaves_much(self) -> bool:
        return self.worth[self.best] < 0.75 * self.worth[self.row]

    def leads_to_leaf(self) -> bool:
        return self.blocks.tags[self.best] in _LEAVES

    def leads_to_one_of_alike(self) -> bool:
        return _is_one_of_alike(self.blocks, self.best, self.inner, self.worth)


_ENDS_OF_DESCENT = (_Step.leaves_text, _Step.leaves_much, _Step.leads_to_leaf, _Step.leads_to_one_of_alike)
"""Reasons not to go on."""


def _is_one_of_alike(blocks: PageBlocks, row: int, beside: Sequence[int], worth: Sequence[float]) -> bool:
    """Return True for one of several sections, each with a heading of one level first; and if the block
    around it is made of boxes of one make, and running text is in another one, too.

    So editors put texts together.
    """
    make = _make_of(blocks, row)
    alike = [other for other in beside if other != row and _make_of(blocks, other) == make]
    if make is None or not alike:
        return False
    together = sum(map(blocks.characters.__getitem__, (row, *alike)))
    is_whole = together >= _NEARLY_ALL * blocks.characters[blocks.parents[row]]
    return make[0] in HEADINGS or (is_whole and any(_is_of_text(blocks, other, worth) for other in alike))


def _is_of_text(blocks: PageBlocks, row: int, worth: Sequence[float]) -> bool:
    """Return True for a box of running text."""
    characters = blocks.characters[row]
    return worth[row] >= max(_SENTENCE, characters / 2) and blocks.links[row] <= characters / 5


def _make_of(blocks: PageBlocks, row: int) -> tuple[object, ...] | None:
    """Return what a box has in common with others of its make: the level of the heading with which a section
    begins, or the attributes; None for the only one of its name, and for a cell of a page's layout."""
    element, first = blocks.elements[row], next(iter(blocks.below(row)), row)
    if element.tag == "section" and blocks.tags[first] in HEADINGS:
        return (blocks.tags[first],)
    if element.tag not in ("div", "section") or element.get("id") is not None:
        return None
    return element.tag, element.get("class"), frozenset(element.keys())


def root_of_links(furniture: Furniture, marked: Sequence[int], root: int, headline: int) -> int | None:
    """Return the block of most text, links or not, where hardly any of that is running text: links are what
    such a page is for. An article is one, however short it is."""
    blocks = furniture.blocks
    if _is_body_of_headline(blocks, root, headline):
        return None

    def reason(row: int) -> str | None:
        why = furniture.reason(row)
        return None if why is None or furniture.is_of_links(row, why) else why

    doubtful = sorted(furniture.doubtful.intersection(blocks.below(0)))
    beside = blocks.flagged(blocks.outermost(doubtful, reason))
    flow = _kept_values(blocks.flow, beside)
    other = densest_block(blocks, flow, beside, marked)
    text = blocks.summed(flow)
    has_little_prose = furniture.prose[root] < _LITTLE_OF_PAGE * text[other]
    return other if has_little_prose and 2 * text[root] < text[other] else None


def _own_article(blocks: PageBlocks, prose: Sequence[float], root: int, headline: int) -> int | None:
    """Return the `article` of the headline, if the root goes beyond it.

    Most of what the root holds beside it is then other `article`s: teasers.
    """
    around, articles = blocks.above(headline), set(blocks.tagged("article"))
    own = max(around & articles, default=0)
    if own in blocks.above(root) or blocks.linked[headline]:
        return None
    teasers = blocks.outermost(
        sorted(articles.intersection(range(root, blocks.ends[root])) - around),
        lambda _: "teaser",
    )
    beside = prose[root] - prose[own]
    return own if prose[own] >= _PARAGRAPH and sum(map(prose.__getitem__, teasers)) > beside / 2 else None
