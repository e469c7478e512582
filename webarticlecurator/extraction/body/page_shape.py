"""What a page is made of as a whole: running text in one place, or links and many boxes of one kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from webarticlecurator.extraction.body.furniture import Furniture
from webarticlecurator.extraction.body.page_blocks import PageBlocks

_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5"))
_LINE, _LINKED, _SENTENCE, _RUNNING = 15, 0.7, 40, 80
"""Characters of a line that may be a headline, the share of links that makes it one, characters of a sentence and of running text."""
_LINK_IN_CARD, _FEWEST_CARDS = 8, 4


@dataclass(frozen=True, slots=True, kw_only=True)
class PageShape:
    """Characters and counts of all that is no furniture; lists of links are counted with it."""

    text: int
    linked: int
    running: int
    """Of the text that is running text."""
    largest: int
    """Running text of the paragraphs of one block, where that is most."""
    lines_of_links: int
    headings: int
    linked_headings: int
    cards: int
    """The boxes of one kind and one parent with a link each, where they hold the most text."""
    text_of_cards: int
    own: int
    """Sentences that stand in none of them."""


def shape_of(blocks: PageBlocks, furniture: Furniture, aside: Sequence[bool]) -> PageShape:
    """The shape of a page; `aside` says of each row whether it stands outside the article."""
    characters, links = blocks.summed(blocks.flow), blocks.summed(blocks.linked)
    out: list[bool] = []
    running, cards, card_texts, counts = Counter[int](), Counter[tuple[int, str, str]](), Counter[tuple[int, str, str]](), Counter[str]()
    sentences, kinds = dict[int, int](), dict[int, tuple[int, str, str]]()
    for row, (parent, tag) in enumerate(zip(blocks.parents, blocks.tags, strict=True)):
        out.append(bool(row and out[parent]) or (aside[row] and furniture.reason(row) not in (None, furniture.LINKS)))
        if out[row] or not characters[row]:
            continue
        flow, linked = blocks.flow[row], blocks.linked[row]
        counts["text"] += flow
        counts["linked"] += linked
        counts["lines"] += linked >= _LINE and linked > _LINKED * flow
        if flow - linked >= _SENTENCE and row in blocks.has_stops:
            sentences[row] = flow - linked
        if flow - linked >= _RUNNING and row in blocks.has_stops and linked < flow / 2:
            running[parent] += flow - linked
        if tag in _HEADINGS:
            counts["headings"] += 1
            counts["linked headings"] += links[row] > _LINKED * characters[row]
        if characters[row] >= _LINE and links[row] >= _LINK_IN_CARD:
            kind = parent, tag, (blocks.elements[row].get("class") or "").partition(" ")[0]
            kinds[row] = kind
            cards[kind] += 1
            card_texts[kind] += int(characters[row])
    most = max((kind for kind in cards if cards[kind] >= _FEWEST_CARDS), key=card_texts.__getitem__, default=None)
    inside = _inside(blocks, {row for row, kind in kinds.items() if kind == most and kind[1] != "p"})
    return PageShape(
        text=counts["text"],
        linked=counts["linked"],
        running=running.total(),
        largest=max(running.values(), default=0),
        lines_of_links=counts["lines"],
        headings=counts["headings"],
        linked_headings=counts["linked headings"],
        cards=cards[most] if most is not None else 0,
        text_of_cards=card_texts[most] if most is not None else 0,
        own=sum(length for row, length in sentences.items() if row not in inside),
    )


def _inside(blocks: PageBlocks, rows: set[int]) -> set[int]:
    """The rows and all below them."""
    inside = set(rows)
    if rows:
        for row, parent in enumerate(blocks.parents):
            if parent in inside:
                inside.add(row)
    return inside
