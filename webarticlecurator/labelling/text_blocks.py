"""The text blocks of a page, in page order: what a person sees as one piece of text, with the element that it stands in."""

from __future__ import annotations

from typing import NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.text import squeeze

# fmt: off
INLINE = frozenset((
    "a", "abbr", "acronym", "b", "bdi", "bdo", "big", "br", "cite", "code", "data", "del", "dfn", "em", "font", "i", "img", "ins", "kbd",
    "mark", "nobr", "picture", "q", "rp", "rt", "ruby", "s", "samp", "small", "source", "span", "strike", "strong", "sub", "sup", "time",
    "tt", "u", "var", "wbr",
))
_UNREAD = frozenset((
    "audio", "canvas", "embed", "head", "iframe", "map", "math", "noscript", "object", "script", "select", "style", "svg", "template",
    "textarea", "title", "video",
))
"""Nobody reads these as text of the page."""
# fmt: on
_STRONG = frozenset(("b", "strong"))


class TextBlock(NamedTuple):
    """A maximal run of text and inline elements; two line breaks in a row end one, too."""

    element: Element
    """The block element that it stands in; several runs may stand in one."""
    text: str
    """White space normalised; never empty."""
    linked: int
    """Characters of it that are links, and how many links there are."""
    links: int
    strong: int
    """Characters of it that are bold."""


def text_blocks(tree: Element) -> list[TextBlock]:
    """All text of a page but that of scripts and the like, menus and footers included."""
    blocks: list[TextBlock] = []
    around = [tree]
    pieces: list[str] = []
    linked = links = strong = in_link = in_strong = 0
    breaks = False

    def end() -> None:
        nonlocal linked, links, strong, breaks
        if pieces:
            text = squeeze("".join(pieces))
            pieces.clear()
            if text:
                blocks.append(TextBlock(around[-1], text, min(linked, len(text)), links, min(strong, len(text))))
            linked = strong = 0
        links, breaks = in_link, False

    walker = etree.iterwalk(tree, events=("start", "end", "comment", "pi"))
    for event, node in walker:
        tag = node.tag
        if event == "start":
            if tag in _UNREAD:
                walker.skip_subtree()
                continue
            text = node.text
            if tag not in INLINE or node is tree:
                end()
                around.append(node)
            elif tag == "a":
                in_link += 1
                links += 1
            elif tag in _STRONG:
                in_strong += 1
            elif tag == "br":
                if breaks:
                    end()
                breaks = True
                pieces.append(" ")
        else:
            text = node.tail if node is not tree else None
            if event != "end" or tag in _UNREAD:
                pass
            elif tag not in INLINE or node is tree:
                end()
                around.pop()
            elif tag == "a":
                in_link -= 1
            elif tag in _STRONG:
                in_strong -= 1
        if text and (pieces or not text.isspace()):  # no block begins with white space
            pieces.append(text)
            if in_link or in_strong or breaks:
                length = len(text.strip())
                linked += length if in_link else 0
                strong += length if in_strong else 0
                breaks = breaks and not length
    return blocks
