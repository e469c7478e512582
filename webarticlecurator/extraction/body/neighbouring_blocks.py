"""Neighbouring blocks of a finished article, which tell something of one another: bold lines that are
headings, descriptions that are said twice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from msgspec.structs import replace

from webarticlecurator.extraction.body.signs import all_hold
from webarticlecurator.extraction.body.structure import kinds_of
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
    kind = "subheading" if "heading" in kinds_of(blocks) else "heading"
    for number in range(_beginning(blocks) + 1, len(blocks) - 1):
        if lines[number] in titles and _is_heading(lines[number], blocks[number - 1], blocks[number + 1]):
            finished[number] = _as_heading(blocks[number], kind)
    return tuple(finished)


def _bold_line(block: Block) -> str:
    """Return the text of a paragraph that is bold as a whole; empty for any other block."""
    return squeeze(plain_text(block)) if block.type == "paragraph" and _is_bold(block.children) else ""


def _titles_among(lines: Sequence[str]) -> set[str]:
    """Return the bold lines that may be headings by their words."""
    times = Counter(filter(None, lines))
    questions = [line for line in lines if line.rstrip(_CLOSING).endswith(_QUESTION_ENDS)]
    if len(questions) < 2:
        questions = []
    # bold questions before every answer are an interview, and then all that is bold may be said by who asks
    elif 2 * len(questions) >= times.total():
        return set()
    others = times.keys() - set(questions)
    return {line for line in others if all_hold(_SIGNS_OF_TITLE, _BoldLine(line, times[line]))}


class _BoldLine(NamedTuple):
    """A paragraph that is bold as a whole."""

    text: str
    times: int
    """Number of paragraphs that say the same."""

    def stands_once(self) -> bool:
        return self.times == 1

    def is_as_long_as_title(self) -> bool:
        return 2 <= len(self.text) <= _LONGEST_TITLE

    def ends_as_title(self) -> bool:
        return self.text.rstrip(_CLOSING)[-1:] not in _NO_TITLE_ENDS

    def is_one_phrase(self) -> bool:
        return _SENTENCES.search(self.text) is None

    def has_letters(self) -> bool:
        return any(map(str.isalpha, self.text))


_SIGNS_OF_TITLE = (
    _BoldLine.stands_once,
    _BoldLine.is_as_long_as_title,
    _BoldLine.ends_as_title,
    _BoldLine.is_one_phrase,
    _BoldLine.has_letters,
)


def _beginning(blocks: Sequence[Block]) -> int:
    """Return the number of the first block that is a heading or says whole sentences: before it stand names,
    and standfirsts without an end."""
    for number, block in enumerate(blocks):
        if block.type == "heading" or _is_running(block):
            return number
    return len(blocks)


def _is_running(block: Block) -> bool:
    """Return True for a paragraph that is one or more sentences."""
    text = plain_text(block) if block.type == "paragraph" else ""
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


class _LineBetween(NamedTuple):
    """A line, with the blocks before and after it."""

    text: str
    before: Block
    after: Block

    def is_first_bold_line(self) -> bool:
        """Return False for a part of a list of bold lines."""
        return not _is_bold(self.before.children)

    def is_last_bold_line(self) -> bool:
        return not _is_bold(self.after.children)

    def is_no_caption(self) -> bool:
        """Return False under a picture, of which a bold line is the caption, unless it has one."""
        is_below_picture = HOLDS[self.before.type] in (Content.CAPTION, Content.FIGURES)
        return not is_below_picture or kinds_of(blocks_in(self.before)) == {"caption"}

    def is_before_text(self) -> bool:
        return self.after.type in _TEXT

    def is_shorter_than_paragraph(self) -> bool:
        is_long = len(plain_text(self.after)) >= max(_RUNNING, len(self.text))
        return is_long or self.after.type != "paragraph"


def _is_heading(line: str, before: Block, after: Block) -> bool:
    """Return True if a line between two blocks is a heading by what these are."""
    return all_hold(_SIGNS_OF_HEADING, _LineBetween(line, before, after))


_SIGNS_OF_HEADING = (
    _LineBetween.is_first_bold_line,
    _LineBetween.is_last_bold_line,
    _LineBetween.is_no_caption,
    _LineBetween.is_before_text,
    _LineBetween.is_shorter_than_paragraph,
)


def without_repeated_descriptions(blocks: Sequence[Block]) -> Sequence[Block]:
    """Return the blocks; pictures that are described in their captions, or in a text next to them, without
    the description."""
    finished = list(blocks)
    for number, block in enumerate(blocks):
        if block.type == "figure":
            beside = (*blocks[max(number - 1, 0) : number], *blocks[number + 1 : number + 2])
            finished[number] = _without_description(block, beside)
        elif HOLDS[block.type] not in (Content.INLINES, Content.NOTHING, Content.CAPTION):
            finished[number] = replace(block, children=tuple(without_repeated_descriptions(blocks_in(block))))
    return finished


def _without_description(figure: Block, beside: Iterable[Block]) -> Block:
    description = letters_of(figure.attributes.get("alt", ""))
    is_said = any(_says(caption, description) for caption in figure.children)
    if is_said or any(_is_described_by(plain_text(block), description) for block in beside):
        attributes = dict(figure.attributes)
        attributes.pop("alt", None)
        return replace(figure, attributes=attributes)
    return figure


def _says(caption: ContentNode, description: str) -> bool:
    """Return True if a caption holds a description, or nearly all of it."""
    letters = letters_of(plain_text(caption))
    return description in letters or (letters in description and len(letters) > 0.8 * len(description))


def _is_described_by(text: str, description: str) -> bool:
    """Return True if a text says no more and no less; one much longer is not looked at."""
    return len(text) <= 3 * len(description) and letters_of(text) == description
