"""Where a caption says who made the picture: that is the picture's credit, and is written once."""

from __future__ import annotations

from dataclasses import dataclass

from webarticlecurator.model.article import Inline, Node, flat_text

_ENDS = (".", "!", "?", "…", ")", "]", "”", "“", "»", "|", "\n")
"""After these something new begins: what follows can do without what stands before."""


@dataclass(frozen=True, slots=True)
class Caption:
    """The content of a caption, in page order."""

    said: tuple[Node, ...] = ()
    """Of the picture; without the credit, if that stands apart."""
    credit: tuple[Node, ...] = ()
    within: bool = False
    """The credit ends a sentence of the caption, and belongs in it."""


def divided(content: tuple[Node, ...], credit: str) -> Caption:
    """The caption, with what is said of the maker apart from the rest; a credit that is not in the caption comes of itself."""
    if not credit:
        return Caption(content)
    text = flat_text(content).rstrip()
    if not text.endswith(credit):
        return Caption(content, () if credit in text else (credit,))
    before, after = _split(content, len(text) - len(credit))
    if flat_text(after).rstrip() != credit:
        return Caption(content)
    said = _without_end(before)
    return Caption(said, after) if not said or flat_text(before).rstrip(" ").endswith(_ENDS) else Caption(before, after, within=True)


def _split(content: tuple[Node, ...], position: int) -> tuple[tuple[Node, ...], tuple[Node, ...]]:
    """Before and from a position in the text; an inline around it is not divided, and goes with what is before."""
    for index, node in enumerate(content):
        length = len(flat_text((node,)))
        if isinstance(node, str) and position < length:
            return (*content[:index], *filter(None, [node[:position]])), (node[position:], *content[index + 1 :])
        if position == 0:
            return content[:index], content[index:]
        position = max(0, position - length)
    return content, ()


def _without_end(content: tuple[Node, ...]) -> tuple[Node, ...]:
    """Without line breaks and blanks at the end."""
    while content:
        *others, last = content
        if isinstance(last, str) and last.rstrip():
            return (*others, last.rstrip())
        if not isinstance(last, str) and not (isinstance(last, Inline) and last.type == "line-break"):
            return content
        content = tuple(others)
    return ()
