"""The mark at a heading or a caption that is a link to just that, such as ¶: software writes it, and says it aloud at most."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from urllib.parse import unquote

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
_HEARD = frozenset(SAID_ALOUD)
_HIGHEST, _MOST_PARTS, _MOST_LINKS = 4, 8, 20
"""Levels between a mark and its heading; children of a heading that may have its id, and links in one that are looked at."""
_LONGEST = 4


def heading_marks(root: Element) -> Iterator[Element]:
    """All in the headings of an element."""
    return filter(is_mark, root.iter("a"))


def marks_in(heading: Element) -> Iterator[Element]:
    """Those of one heading."""
    return filter(is_mark, islice(heading.iter("a"), _MOST_LINKS))


def is_mark(link: Element) -> bool:
    """Whether it is a link without a letter or a digit that is seen, to the heading around it or beside it, or to what begins with that."""
    href = link.get("href") or ""
    if not href.startswith("#"):
        return False
    aloud = [one for one in islice(link.iterchildren("span"), _MOST_PARTS) if not _HEARD.isdisjoint((one.get("class") or "").split())]
    text = short_text(link, _LONGEST, aloud)
    if text is None or any(map(str.isalnum, text)):
        return False
    around = list(islice(link.iterancestors(), _HIGHEST))
    heading = next((one for one in (*around, link.getprevious(), link.getnext()) if one is not None and one.tag in _HEADINGS), None)
    if heading is None:
        return _CLASS in (link.get("class") or "").split()
    section = heading.getparent()
    places = chain((link, heading, *around), () if section is None else (section,), islice(heading.iterchildren("*"), _MOST_PARTS))
    names = {href[1:], unquote(href[1:])}  # an id may be written with what stands for other letters in addresses
    return any(one.get("id") in names for one in places)
