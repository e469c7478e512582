"""Alternative texts of pictures that say no more than what stands beside them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from webarticlecurator.model.article import Block, ContentNode, plain_text

_WORDS = re.compile(r"[^\W_]+")
_MOSTLY = 0.8
"""Share of an alternative text that a caption has to say again for the text to be that caption."""
_LONGER = 3
"""How many times as long a text may be whose letters are the same."""


def without_repeated_descriptions(blocks: Sequence[Block]) -> list[Block]:
    """The same blocks; of pictures that are described in their captions, or in a text next to them, without the description."""
    found = list(blocks)
    for number, block in enumerate(blocks):
        if block.type == "figure" or (block.children and isinstance(block.children[0], Block)):
            found[number] = _settled(block, blocks[number - 1 : number], blocks[number + 1 : number + 2])
    return found


def _settled(block: Block, before: Sequence[Block], after: Sequence[Block]) -> Block:
    if block.type == "figure":
        alt = block.attributes.get("alt")
        if not alt or not _is_said(_letters(alt), block.children, (*before, *after)):
            return block
        return replace(block, attributes={name: value for name, value in block.attributes.items() if name != "alt"})
    inner = [child for child in block.children if isinstance(child, Block)]
    settled = without_repeated_descriptions(inner)
    return block if all(new is old for new, old in zip(settled, inner, strict=True)) else replace(block, children=tuple(settled))


def _is_said(alt: str, captions: Sequence[ContentNode], beside: Sequence[Block]) -> bool:
    for caption in map(_letters, map(plain_text, captions)):
        if alt in caption or (caption in alt and len(caption) > _MOSTLY * len(alt)):
            return True
    texts = map(plain_text, beside)
    return any(len(text) <= _LONGER * len(alt) and _letters(text) == alt for text in texts)


def _letters(text: str) -> str:
    return "".join(_WORDS.findall(text.casefold()))
