"""Signs of kept text in the wrong shape: cut, glued together, prose as headings, lists without items, articles without text, twice."""

from __future__ import annotations

from collections.abc import Iterator

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.general_table import BLOCK_LEVEL
from webarticlecurator.model.article import plain_text
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.survey.audit.page import Looked, Sign
from webarticlecurator.survey.audit.results import Kind
from webarticlecurator.survey.audit.text import breaks_off, fingerprint, goes_on, sentences, word_count

_HEADINGS = frozenset({"heading", "subheading"})
_NEAR = 3
"""Blocks from one half of a paragraph that was cut to the other."""
_LONG_HEADING = 25
_TWO_SENTENCES = 12
"""Words of a heading that is prose: of any, and of one with two sentences."""
_FEWEST_WORDS = 15
_GLUED = 3
"""Blocks of the page in one paragraph."""
_HALF = 6
"""Words of the first half; shorter lines that do not end are entries of a list."""
_PARTS = {"li": "item", "dd": "item", "td": "cell", "th": "cell"}
"""Parts of lists and tables, and what each becomes."""
_LONGEST_CELL = 60
"""Words; what is longer stands in a table, or a list, for the sake of layout."""
_SHOWN = frozenset({"figure", "gallery", "embed", "social"})
_REPEATED = 8
"""Words of a text that nobody writes twice."""


def cut_paragraphs(looked: Looked) -> Iterator[Sign]:
    """A paragraph that breaks off, and the next begins in the middle of a sentence."""
    before: int | None = None
    for number, leaf in enumerate(looked.leaves):
        if leaf.inside or leaf.of_post or leaf.type != "paragraph":
            continue
        half = looked.leaves[before] if before is not None and number - before <= _NEAR else None
        if half is not None and half.words >= _HALF and goes_on(leaf.text) and breaks_off(half.text):
            text = f"{half.text[-60:]} ¶ {leaf.text[:60]}"
            yield Sign(kind=Kind.CUT, tag=looked.tag_of(number), words=leaf.words, text=text)
        before = number


def glued_paragraphs(looked: Looked) -> Iterator[Sign]:
    """Several blocks of the page that became one paragraph."""
    for number, leaf in enumerate(looked.leaves):
        if leaf.type == "paragraph" and _blocks_in(looked, number) >= _GLUED:
            yield Sign(kind=Kind.GLUED, tag=looked.tag_of(number), words=leaf.words, text=leaf.text)


def _blocks_in(looked: Looked, number: int) -> int:
    """How many blocks of the page the text of a leaf comes from; a `div` may be anything."""
    position, ground = looked.positions[number], looked.ground
    if position is None:
        return 0
    blocks = {ground.block_of(node) for node in ground.nodes_of(position, looked.leaves[number].text)}
    return sum(block.tag in BLOCK_LEVEL and block.tag != "div" for block in blocks)


def prose_headings(looked: Looked) -> Iterator[Sign]:
    """Headings that are running text."""
    for number, leaf in enumerate(looked.leaves):
        if leaf.type in _HEADINGS:
            ends = sentences(leaf.text)
            if (ends and leaf.words >= _LONG_HEADING) or (ends > 1 and leaf.words >= _TWO_SENTENCES):
                yield Sign(kind=Kind.HEADING, tag=looked.tag_of(number), words=leaf.words, text=leaf.text)


def flattened(looked: Looked) -> Iterator[Sign]:
    """Items of a list, or cells of a table, that became paragraphs by themselves."""
    for number, node in enumerate(looked.nodes):
        leaf = looked.leaves[number]
        if node is None or leaf.type != "paragraph" or leaf.of_post or leaf.words > _LONGEST_CELL:
            continue
        part = next((one for one in looked.ground.around(looked.ground.block_of(node)) if one.tag in _PARTS), None)
        if part is not None and _PARTS[part.tag] not in leaf.inside and _has_siblings(part) and _blocks_in(looked, number) < _GLUED:
            yield Sign(kind=Kind.FLATTENED, tag=looked.tag_of(number), words=leaf.words, text=leaf.text)


def _has_siblings(element: Element) -> bool:
    return element.getprevious() is not None or element.getnext() is not None


def almost_empty(looked: Looked) -> Iterator[Sign]:
    """An article with next to no text, and no pictures or posts instead of it."""
    article = looked.article
    if looked.container is None or article.posts or article.outcome not in (PageOutcome.ARTICLE, PageOutcome.EMPTY):
        return
    if looked.kept_words < _FEWEST_WORDS and not any(block.type in _SHOWN for block in article.blocks):
        text = plain_text(article.blocks) or article.reason
        yield Sign(kind=Kind.ALMOST_EMPTY, words=word_count(text), text=text)


def kept_twice(looked: Looked) -> Iterator[Sign]:
    """The same text in two blocks of one article."""
    seen: set[int] = set()
    for number, leaf in enumerate(looked.leaves):
        if leaf.words >= _REPEATED and not leaf.of_post:
            same = fingerprint(leaf.text)
            if same in seen:
                yield Sign(kind=Kind.REPEATED, tag=looked.tag_of(number), words=leaf.words, text=leaf.text)
            seen.add(same)
