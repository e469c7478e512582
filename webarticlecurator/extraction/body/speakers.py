"""Who says what a quotation quotes: the last line that begins with a dash, or the caption under it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from webarticlecurator.model.article import Block, ContentNode, Inline, plain_text

_SPEAKER = re.compile(r"(?:[—–―~]|--|-(?!\d))\s*(?![\s—–―-])(?P<name>[^\n]{2,100})")
_DASH = ("—", "–", "―", "~", "-")
_STOPS = (".", "!", "?", "…", ":", ";", "。", "”", "“", "»", '"')
_INITIAL = re.compile(r"\b\w{1,3}\.$")


def quote_with_caption(blocks: Sequence[Block]) -> Block | None:
    """A figure may be a frame for a quotation: its caption says who speaks. None for any other figure."""
    if len(blocks) < 2 or blocks[0].type != "quote" or any(block.type != "caption" for block in blocks[1:]):
        return None
    captions = tuple(replace(block, type="source", attributes={}) for block in blocks[1:])
    return replace(blocks[0], children=(*blocks[0].children, *captions))


def with_speaker(children: Sequence[Block]) -> list[Block]:
    """The content of a quotation, with its last line as `source` where that is a name behind a dash; several such lines are a talk."""
    *before, last = children
    if last.type != "paragraph" or any(child.type == "source" for child in before):
        return list(children)
    said, line = _last_line(last)
    text = plain_text(line)
    earlier = [plain_text(block) for block in before] + plain_text(said).split("\n")
    if not any(earlier) or not _is_name(text) or any(one.startswith(_DASH) for one in earlier):
        return list(children)
    spoken = [*before, replace(last, children=said)] if said else before
    return [*spoken, Block(type="source", children=line)]


def _last_line(block: Block) -> tuple[tuple[ContentNode, ...], tuple[ContentNode, ...]]:
    breaks = [n for n, node in enumerate(block.children) if isinstance(node, Inline) and node.type == "line-break"]
    return (block.children[: breaks[-1]], block.children[breaks[-1] + 1 :]) if breaks else ((), block.children)


def _is_name(text: str) -> bool:
    found = _SPEAKER.fullmatch(text.strip())
    if found is None or found["name"][0].islower():
        return False
    return not found["name"].endswith(_STOPS) or _INITIAL.search(found["name"]) is not None
