"""The mark at a heading or a caption that is a link to just that, such as ¶: software writes it, and says it aloud at most."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from lxml.etree import _Element as Element

from webarticlecurator.text import short_text

MARK = "heading: the link to itself"
_HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "caption", "figcaption"))
_CLASS = "headerlink"
"""Of Sphinx and Python-Markdown, at whatever they number: listings, formulas, terms."""
SAID_ALOUD = (
    "screen-reader-text", "sr-only", "visually-hidden", "visuallyhidden", "is-sr-only", "is-visually-hidden", "u-visually-hidden",
    "show-for-sr", "usa-sr-only", "elementor-screen-only", "govuk-visually-hidden", "nhsuk-u-visually-hidden", "bx--visually-hidden",
    "cds--visually-hidden",
)  # fmt: skip
"""Classes of what nobody sees, and machines say to those who do not see: in common style sheets, and design systems."""
_OF_NOTES = frozenset("*†‡")
_HIGHEST, _LONGEST = 4, 4
"""Levels between a mark and its heading; characters of a mark."""


def marks_in(element: Element) -> Iterator[Element]:
    """All in the headings of an element, or of a heading."""
    return filter(is_mark, element.iter("a"))


def is_mark(link: Element) -> bool:
    """Whether it is a link within the page without a letter or a digit that is seen, in a heading or beside one, and not to a note."""
    if not (link.get("href") or "").startswith("#"):
        return False
    aloud = [span for span in link.iterchildren("span") if not set(SAID_ALOUD).isdisjoint((span.get("class") or "").split())]
    text = short_text(link, _LONGEST, aloud)
    if text is None or not _OF_NOTES.isdisjoint(text) or any(map(str.isalnum, text)):
        return False
    near = (*islice(link.iterancestors(), _HIGHEST), link.getprevious(), link.getnext())
    return _CLASS in (link.get("class") or "").split() or any(element is not None and element.tag in _HEADINGS for element in near)
