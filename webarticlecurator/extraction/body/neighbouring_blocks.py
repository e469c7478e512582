"""What neighbouring blocks of a finished article say of one another: bold lines that are headings,
descriptions that are said twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from msgspec.structs import replace

from webarticlecurator.model.article import HOLDS, Block, Content, ContentNode, Inline, blocks_in, plain_text
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import letters_of, squeeze

_RUNNING = 40
"""Characters of a paragraph that is none of names or labels."""
_LONGEST_TITLE = 100
_CLOSING = " \"'»«”“’‘›)]」』"
"""Marks that may stand behind the end of a sentence."""
_SENTENCE_ENDS = frozenset(".!?…:。！？؟۔।")
_QUESTION_ENDS = ("?", "？")
_NO_TITLE_ENDS = frozenset((*".!…:,;|。！：，、।؟۔", ""))
"""With what no heading ends: the marks of sentences and labels, or nothing but closing marks."""
_SENTENCES = linear(r"\w{2}[.!?…]\s+\w|[|@\n]|\bwww\.|://")
"""More than one sentence, or none at all: addresses, parts set side by side."""
_SHAPES = frozenset({"bold", "italic", "emphasis", "underline", "language"})
_TEXT = frozenset({"paragraph", "list", "quote", "table", "box"})


def with_bold_headings(blocks: Sequence[Block]) -> tuple[Block, ...]:
    """Whole short bold paragraphs between texts are headings, where authors had no others at hand; below
    those that there are."""
    lines = [_bold_line(block) for block in blocks]
    titles = _titles_among(lines)
    finished = list(blocks)
    if titles:
        kind = "subheading" if any(block.type == "heading" for block in blocks) else "heading"
        for number in range(_beginning(blocks, lines) + 1, len(blocks) - 1):
            if lines[number] in titles and _is_between_texts(blocks[number - 1], blocks[number + 1], lines[number]):
                finished[number] = _as_heading(blocks[number], kind)
    return tuple(finished)


def _bold_line(block: Block) -> str:
    """Return the text of a paragraph that is bold as a whole; empty for any other block."""
    return squeeze(plain_text(block)) if block.type == "paragraph" and _is_bold(block.children) else ""


def _titles_among(lines: Sequence[str]) -> set[str]:
    """Return the bold lines that may be headings by their words."""
    times = Counter(line for line in lines if line)
    questions = [line for line in lines if line.rstrip(_CLOSING).endswith(_QUESTION_ENDS)]
    # bold questions before every answer are an interview, and then all that is bold may be said by who asks
    if len(questions) > 1 and 2 * len(questions) >= times.total():
        return set()
    once = {line for line, count in times.items() if count == 1}
    no_titles = questions if len(questions) > 1 else ()
    return {line for line in once.difference(no_titles) if _is_title(line)}


def _is_title(line: str) -> bool:
    end = line.rstrip(_CLOSING)[-1:]
    if not 2 <= len(line) <= _LONGEST_TITLE or end in _NO_TITLE_ENDS:
        return False
    return _SENTENCES.search(line) is None and any(map(str.isalpha, line))


def _beginning(blocks: Sequence[Block], lines: Sequence[str]) -> int:
    """Return the number of the first block that is a heading or says whole sentences: before it stand names,
    and standfirsts without an end."""
    for number, (block, line) in enumerate(zip(blocks, lines, strict=True)):
        if block.type == "heading" or (block.type == "paragraph" and not line and _is_running(plain_text(block))):
            return number
    return len(blocks)


def _is_running(text: str) -> bool:
    return len(text) >= _RUNNING and text.rstrip(_CLOSING)[-1:] in _SENTENCE_ENDS


def _as_heading(block: Block, kind: str) -> Block:
    """Return the line as a heading, which need not be bold, too."""
    match block.children:
        case [Inline(type="bold") as bold]:
            block = replace(block, children=bold.children)
    return replace(block, type=kind)


def _is_bold(nodes: Sequence[ContentNode], *, inside: bool = False) -> bool:
    """Return True if all of it is bold and nothing of it a link: bold links lead to other articles."""
    return bool(nodes) and all(_is_bold_node(node, inside) for node in nodes)


def _is_bold_node(node: ContentNode, inside: bool) -> bool:
    if isinstance(node, str):
        return inside or not node.strip()
    return node.type in _SHAPES and _is_bold(node.children, inside=inside or node.type == "bold")


def _is_between_texts(before: Block, after: Block, heading: str) -> bool:
    """Under a picture a bold line is its caption, beside another one part of a list."""
    if _is_bold(before.children) or _is_bold(after.children):
        return False
    has_own_caption = before.children and before.type != "gallery"
    if HOLDS[before.type] in (Content.CAPTION, Content.FIGURES) and not has_own_caption:
        return False
    return after.type in _TEXT and (after.type != "paragraph" or len(plain_text(after)) >= max(_RUNNING, len(heading)))


def without_repeated_descriptions(blocks: Sequence[Block]) -> Sequence[Block]:
    """Return the blocks; pictures that are described in their captions, or in a text next to them, without
    the description."""
    finished = list(blocks)
    for number, block in enumerate(blocks):
        if block.type == "figure":
            beside = (*blocks[max(number - 1, 0) : number], *blocks[number + 1 : number + 2])
            finished[number] = _without_description(block, beside)
        elif HOLDS[block.type] not in (Content.INLINES, Content.NOTHING, Content.CAPTION):
            inner = blocks_in(block)
            settled = without_repeated_descriptions(inner)
            finished[number] = block if settled == inner else replace(block, children=tuple(settled))
    return finished


def _without_description(figure: Block, beside: Iterable[Block]) -> Block:
    description = letters_of(figure.attributes.get("alt", ""))
    if not description:
        return figure
    is_said = any(_says(caption, description) for caption in figure.children)
    if is_said or any(_is_described_by(plain_text(block), description) for block in beside):
        return replace(figure, attributes={name: value for name, value in figure.attributes.items() if name != "alt"})
    return figure


def _says(caption: ContentNode, description: str) -> bool:
    """Return True if a caption holds a description, or nearly all of it."""
    said = letters_of(plain_text(caption))
    return description in said or (said in description and len(said) > 0.8 * len(description))


def _is_described_by(text: str, description: str) -> bool:
    """Return True if a text says no more and no less; one much longer is not looked at."""
    return len(text) <= 3 * len(description) and letters_of(text) == description
