"""Alternative texts of pictures that say no more than what stands beside them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from webarticlecurator.model.article import HOLDS, Block, Content, ContentNode, plain_text
from webarticlecurator.text import letters_of

_MOSTLY = 0.8
"""Share of an alternative text that a caption has to say again for the text to be that caption."""
_WITHOUT_PICTURES = frozenset(type for type, holds in HOLDS.items() if holds in (Content.INLINES, Content.NOTHING, Content.CAPTION))
_WITHOUT_PICTURES -= {"figure"}
_LONGER = 3
"""How many times as long a text may be whose letters are the same."""


def without_repeated_descriptions(blocks: Sequence[Block]) -> Sequence[Block]:
    """The same blocks; of pictures that are described in their captions, or in a text next to them, without the description."""
    found: list[Block] | None = None
    for number, block in enumerate(blocks):
        if block.type in _WITHOUT_PICTURES:  # most of them
            continue
        if block.type == "figure":
            settled = _figure(block, blocks, number)
        else:
            inner = [child for child in block.children if isinstance(child, Block)]
            told = without_repeated_descriptions(inner)
            settled = block if told is inner else replace(block, children=tuple(told))
        if settled is not block:
            found = found or list(blocks)
            found[number] = settled
    return blocks if found is None else found


def _figure(block: Block, blocks: Sequence[Block], number: int) -> Block:
    alt = block.attributes.get("alt")
    if not alt or not _is_said(letters_of(alt), block.children, (*blocks[number - 1 : number], *blocks[number + 1 : number + 2])):
        return block
    return replace(block, attributes={name: value for name, value in block.attributes.items() if name != "alt"})


def _is_said(alt: str, captions: Sequence[ContentNode], beside: Sequence[Block]) -> bool:
    for caption in map(letters_of, map(plain_text, captions)):
        if alt in caption or (caption in alt and len(caption) > _MOSTLY * len(alt)):
            return True
    texts = map(plain_text, beside)
    return any(len(text) <= _LONGER * len(alt) and letters_of(text) == alt for text in texts)
