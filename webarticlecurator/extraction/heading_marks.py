"""The mark at a heading that is a link to the heading itself, such as ¶: software writes it, nobody reads it."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from lxml.etree import _Element as Element

from webarticlecurator.text import element_text

MARK = "heading: the link to itself"
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")


def heading_marks(root: Element) -> Iterator[Element]:
    """All in the headings of an element."""
    for heading in root.iter(*_HEADINGS):
        yield from marks_in(heading)


def marks_in(heading: Element) -> Iterator[Element]:
    """Links without a letter or a digit, to the heading or what begins with it."""
    links = [link for link in heading.iter("a") if (link.get("href") or "").startswith("#")]
    if not links:
        return
    places = {one.get("id") for one in (*heading.iter("*"), heading.getparent()) if one is not None} - {None}
    for link in links:
        if unquote((link.get("href") or "")[1:]) in places and not any(map(str.isalnum, element_text(link))):
            yield link
