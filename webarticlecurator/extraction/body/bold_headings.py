"""Bold lines that stand as headings: whole short paragraphs before running text, where authors had no other headings at hand."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from webarticlecurator.model.article import HOLDS, Block, Content, ContentNode, Inline, plain_text
from webarticlecurator.text import squeeze

_LONGEST, _SHORTEST = 100, 2
_RUNNING = 40
"""Characters of a paragraph that is none of names or labels."""
_QUESTION = ("?", "？")
_STOPS = ".!?…:。！？؟۔।"
_ENDS = ".!…:,;|。！：，、।؟۔"
"""No heading ends with these, before closing quotation marks and brackets."""
_CLOSING = " \"'»«”“’‘›)]」』"
_SENTENCES = re.compile(r"\w{2}[.!?…]\s+\w|[|@\n]|\bwww\.|://")
"""More than one sentence, or none at all: addresses, parts set side by side."""
_SHAPES = frozenset({"bold", "italic", "emphasis", "underline", "language"})
_TEXT = frozenset({"paragraph", "list", "quote", "table", "heading", "subheading", "box"})


def with_bold_headings(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """The blocks of an article; its bold lines that are headings stand below those that it has."""
    bold = [_bold_text(block) for block in blocks]
    lines = [text if text is not None and _may_be_heading(text) else None for text in bold]
    if not any(lines):
        return tuple(blocks)
    times = Counter(lines)
    # bold questions before every answer are an interview, and then all that is bold may be said by who asks
    asked = sum(map(_is_question, bold))
    is_interview = asked > 1
    if is_interview and 2 * asked >= sum(text is not None for text in bold):
        return tuple(blocks)
    kind = "subheading" if any(block.type == "heading" for block in blocks) else "heading"
    found: list[Block] = []
    has_begun = False
    for number, (block, line) in enumerate(zip(blocks, lines, strict=True)):
        is_heading = (
            has_begun
            and line is not None
            and times[line] == 1
            and not (is_interview and _is_question(line))
            and _follows_text(blocks[number - 1], lines[number - 1])
            and number + 1 < len(blocks)
            and _goes_on(blocks[number + 1], lines[number + 1], line)
        )
        has_begun = has_begun or block.type == "heading" or (block.type == "paragraph" and line is None and _is_running(block))
        found.append(replace(block, type=kind, children=_without_bold(block)) if is_heading else block)
    return tuple(found)


def _bold_text(block: Block) -> str | None:
    """The text of a paragraph that is nothing but bold."""
    return squeeze(plain_text(block)) if block.type == "paragraph" and _is_bold(block.children) else None


def _may_be_heading(text: str) -> bool:
    stem = text.rstrip(_CLOSING)
    if not _SHORTEST <= len(text) <= _LONGEST or not stem or stem[-1] in _ENDS or _SENTENCES.search(text):
        return False
    return any(map(str.isalpha, text))


def _is_question(text: str | None) -> bool:
    return text is not None and text.rstrip(_CLOSING).endswith(_QUESTION)


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


def _follows_text(block: Block, line: str | None) -> bool:
    """Under a picture a bold line is its caption, under another one part of a list."""
    return line is None and (
        HOLDS[block.type] not in (Content.CAPTION, Content.FIGURES) or bool(block.children and block.type != "gallery")
    )


def _goes_on(block: Block, line: str | None, heading: str) -> bool:
    if line is not None or block.type not in _TEXT or block.type in ("heading", "subheading"):
        return False
    return block.type != "paragraph" or len(plain_text(block)) >= max(_RUNNING, len(heading))


def _without_bold(block: Block) -> tuple[ContentNode, ...]:
    """A heading need not be bold, too."""
    only = block.children[0] if len(block.children) == 1 else None
    return only.children if isinstance(only, Inline) and only.type == "bold" else block.children
