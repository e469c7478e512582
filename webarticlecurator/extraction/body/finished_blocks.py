"""What only the blocks of a whole text tell: which bold lines are headings, which descriptions of pictures are said beside them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from webarticlecurator.model.article import HOLDS, Block, Content, ContentNode, Inline, plain_text
from webarticlecurator.text import letters_of, squeeze

_LONGEST, _SHORTEST = 100, 2
_RUNNING = 40
"""Characters of a paragraph that is none of names or labels."""
_STOPS = ".!?…:。！？؟۔।"
_ENDS = ".!…:,;|。！：，、।؟۔"
"""No heading ends with these, before closing quotation marks and brackets."""
_CLOSING = " \"'»«”“’‘›)]」』"
_SENTENCES = re.compile(r"\w{2}[.!?…]\s+\w|[|@\n]|\bwww\.|://")
"""More than one sentence, or none at all: addresses, parts set side by side."""
_SHAPES = frozenset({"bold", "italic", "emphasis", "underline", "language"})
_TEXT = frozenset({"paragraph", "list", "quote", "table", "box"})


def with_bold_headings(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Whole short bold paragraphs between texts are headings, where authors had no others at hand; below those that there are."""
    lines = [squeeze(plain_text(block)) if block.type == "paragraph" and _is_bold(block.children) else None for block in blocks]
    if not any(lines):
        return tuple(blocks)
    times, asked = Counter(lines), [line for line in lines if line is not None and line.rstrip(_CLOSING).endswith(("?", "？"))]
    # bold questions before every answer are an interview, and then all that is bold may be said by who asks
    if len(asked) > 1 and 2 * len(asked) >= sum(line is not None for line in lines):
        return tuple(blocks)
    no_headings = {*asked} if len(asked) > 1 else set()
    kind = "subheading" if any(block.type == "heading" for block in blocks) else "heading"
    finished: list[Block] = []
    has_begun = False
    for block, line, before, after in zip(blocks, lines, (None, *blocks), (*blocks[1:], None), strict=False):
        is_heading = False
        if has_begun and line is not None and times[line] == 1 and line not in no_headings:
            is_heading = _may_be_heading(line) and _is_between_texts(before, after, line)
        has_begun = has_begun or block.type == "heading" or (block.type == "paragraph" and line is None and _is_running(block))
        only = block.children[0] if len(block.children) == 1 else None
        children = only.children if isinstance(only, Inline) and only.type == "bold" else block.children  # it need not be bold, too
        finished.append(replace(block, type=kind, children=children) if is_heading else block)
    return tuple(finished)


def _may_be_heading(text: str) -> bool:
    stem = text.rstrip(_CLOSING)
    if not _SHORTEST <= len(text) <= _LONGEST or not stem or stem[-1] in _ENDS or _SENTENCES.search(text):
        return False
    return any(map(str.isalpha, text))


def _is_bold(nodes: Sequence[ContentNode], *, inside: bool = False) -> bool:
    """Whether all of it is bold and nothing of it a link: bold links lead to other articles."""
    return bool(nodes) and all(
        (inside or not node.strip())
        if isinstance(node, str)
        else isinstance(node, Inline) and node.type in _SHAPES and _is_bold(node.children, inside=inside or node.type == "bold")
        for node in nodes
    )


def _is_running(block: Block) -> bool:
    """Sentences: no name, no standfirst without an end."""
    text = plain_text(block)
    return len(text) >= _RUNNING and text.rstrip(_CLOSING)[-1:] in _STOPS


def _is_between_texts(before: Block | None, after: Block | None, heading: str) -> bool:
    """Under a picture a bold line is its caption, beside another one part of a list."""
    if before is None or after is None or _is_bold(before.children) or _is_bold(after.children):
        return False
    if HOLDS[before.type] in (Content.CAPTION, Content.FIGURES) and not (before.children and before.type != "gallery"):
        return False
    return after.type in _TEXT and (after.type != "paragraph" or len(plain_text(after)) >= max(_RUNNING, len(heading)))


# --- descriptions of pictures ---

_MOSTLY = 0.8
"""Share of an alternative text that a caption has to say again for the text to be that caption."""
_LONGER = 3
"""How many times as long a text may be whose letters are the same."""


def without_repeated_descriptions(blocks: Sequence[Block]) -> Sequence[Block]:
    """The same blocks; of pictures that are described in their captions, or in a text next to them, without the description."""
    finished = list(blocks)
    for number, block in enumerate(blocks):
        if block.type == "figure":
            alt = letters_of(block.attributes.get("alt", ""))
            if alt and _is_said(alt, block.children, (*blocks[number - 1 : number], *blocks[number + 1 : number + 2])):
                finished[number] = replace(block, attributes={name: value for name, value in block.attributes.items() if name != "alt"})
        elif HOLDS[block.type] not in (Content.INLINES, Content.NOTHING, Content.CAPTION):
            inner = [child for child in block.children if isinstance(child, Block)]
            settled = without_repeated_descriptions(inner)
            finished[number] = block if settled == inner else replace(block, children=tuple(settled))
    return finished


def _is_said(alt: str, captions: Sequence[ContentNode], beside: Sequence[Block]) -> bool:
    for caption in map(letters_of, map(plain_text, captions)):
        if alt in caption or (caption in alt and len(caption) > _MOSTLY * len(alt)):
            return True
    return any(len(text) <= _LONGER * len(alt) and letters_of(text) == alt for text in map(plain_text, beside))
