"""Text: white space, and what of an element's text a reader sees."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from lxml import etree
from lxml.etree import _Element as Element

_UNSEEN = frozenset({"script", "style", "template", "noscript"})
_BREAKS = frozenset(
    (
        *("address", "article", "aside", "blockquote", "br", "caption", "dd", "div", "dl", "dt", "figcaption", "figure", "footer", "form"),
        *("h1", "h2", "h3", "h4", "h5", "h6", "header", "hr", "legend", "li", "main", "nav", "ol", "option", "p", "pre", "section"),
        *("table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul"),
    )
)


def squeeze(text: str) -> str:
    """White space normalised: runs of it are one blank, none at the ends."""
    return " ".join(text.split())


def element_text(element: Element, *, without: Collection[Element] = ()) -> str:
    """The text of an element as written, a blank where a block or a line ends; without scripts, and without the elements named."""
    return "".join(_pieces(element, without))


def short_text(element: Element, longest: int) -> str | None:
    """The same, white space normalised; None where it is longer than that, found without reading all of it."""
    pieces: list[str] = []
    length = 0
    for piece in _pieces(element, ()):
        pieces.append(piece)
        length += len(piece.strip())
        if length > longest:
            return None
    text = squeeze("".join(pieces))
    return text if len(text) <= longest else None


def own_text(element: Element) -> str:
    """Only the text that stands directly in the element, not that of its children."""
    return "".join([element.text or "", *(" " + (child.tail or "") for child in element)])


def _pieces(element: Element, without: Collection[Element]) -> Iterator[str]:
    if not len(element):  # most elements that are asked for their text
        yield element.text or ""
        return
    walker = etree.iterwalk(element, events=("start", "end", "comment", "pi"))
    for event, node in walker:
        if event == "start":
            if node is not element and (node.tag in _UNSEEN or node in without):
                walker.skip_subtree()
                continue
            if node is not element and node.tag in _BREAKS:
                yield " "
            yield node.text or ""
        elif node is not element:
            if node.tag in _BREAKS:
                yield " "
            yield node.tail or ""
