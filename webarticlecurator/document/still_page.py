"""An archived page as a picture of itself: nothing in it runs, asks for anything, or leads away; texts in
it may be marked.

Who shows it shows it in a frame without scripts, under a policy that forbids requests; this is the other
half. Only attributes that can do nothing are kept, whatever others there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.own_patterns import linear, linear_at

_GOES = frozenset(
    (
        "script", "object", "applet", "iframe", "portal", "template", "svg", "select", "datalist", "dialog",
        "fencedframe", "map",
    )
)  # fmt: skip
_BECOMES = {
    # nothing should stand in them; but to libxml2 some go on to the end of what is around them
    **dict.fromkeys(
        ("base", "link", "meta", "embed", "param", "frame", "source", "track", "input", "area"),
        "span",
    ),
    **dict.fromkeys(("form", "noscript", "frameset", "noframes", "noembed", "marquee"), "div"),
    **dict.fromkeys(("xmp", "plaintext", "listing"), "pre"),
}
_SHOWN_AS = {
    **dict.fromkeys(("img", "image"), "picture, not stored"),
    **{player: f"{player}, not stored" for player in ("video", "audio", "canvas")},
}
"""The words that stand in the place of pictures and players."""
_KEPT = frozenset(
    (
        *(
            "class", "id", "style", "title", "alt", "lang", "dir", "colspan", "rowspan", "start", "datetime",
            "align", "valign", "hidden",
        ),
        *(
            "open", "width", "height", "bgcolor", "color", "face", "size", "border", "cellpadding",
            "cellspacing",
        ),
    )
)  # fmt: skip
_KEPT_OF_PICTURES = _KEPT | {"src"}
"""Attributes of pictures that are written into the page itself."""
_IN_THE_PAGE = linear_at(r"data:image/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=\s]+", re.IGNORECASE)
"""The address of a picture that is written into the page itself."""
_REACHES_OUT = linear(r"@import|@font-face|url\s*\(|image-set\s*\(|src\s*\(|\\", re.IGNORECASE)
"""Words that ask for something in a style sheet; a backslash can spell any of it."""
MOST = 4_000_000
"""Characters of a page that are shown."""


@dataclass(frozen=True, slots=True)
class StillPage:
    """A page as it is shown."""

    html: str
    pictures: int
    """The number of pictures. They are not stored: a word stands in place of each."""
    cut: bool
    """True if the page is longer than what is shown."""


def _bare(tag: str) -> str:
    return tag.lower().rpartition(":")[2]


def still_page(tree: Element) -> StillPage:
    """Return the page of this tree, which is changed by it."""
    gone = {element.tag for element in tree.iter("*") if _bare(element.tag) in _GOES}
    # each goes with all in it; the text behind it stays
    etree.strip_elements(tree, etree.Comment, etree.ProcessingInstruction, *gone, with_tail=False)
    pictures = 0
    for element in list(tree.iter("*")):
        tag = _bare(element.tag)
        element.tag = _BECOMES.get(tag, element.tag)
        if tag == "style":
            element.text = _harmless(element.text or "")
        elif tag in _SHOWN_AS and not _IN_THE_PAGE.fullmatch(element.get("src", "")):
            pictures += 1
            element.tag, element.text = (
                "span",
                f"[{': '.join(filter(None, (_SHOWN_AS[tag], element.get('alt'))))}]",
            )
        _keep_harmless_attributes(element)
    html = etree.tostring(tree, encoding="unicode", method="html", with_tail=False)
    return StillPage(html[:MOST], pictures, len(html) > MOST)


def _harmless(style: str) -> str:
    return _REACHES_OUT.sub("none", style)


def _keep_harmless_attributes(element: Element) -> None:
    """Take all attributes from an element that may do anything; where a link leads becomes its title."""
    address = element.get("href") if element.tag == "a" else None
    kept = _KEPT_OF_PICTURES if element.tag == "img" else _KEPT
    for key in element.attrib:
        if str(key).lower() not in kept:
            del element.attrib[key]
    if "style" in element.attrib:
        element.set("style", _harmless(element.get("style", "")))
    if address:
        element.set("title", address)


# --- marks around texts, made before: by classes, which `report/templates/marks.css` draws, and titles; both are kept ---

_PREFIX = "curator-"
"""Beginning of the classes of marks; those of the page that begin so are taken from it."""
_OWN_CLASS = linear(rf"(?<!\S){_PREFIX}\S*")


@dataclass(frozen=True, slots=True)
class TextMark:
    """A mark that is shown on one text."""

    element: Element
    is_tail: bool
    """True if the text stands behind the element, not in it."""
    kind: str
    label: str
    group: str = ""
    """The group of several texts behind one another, of which the first says what they are."""
    differs: bool = False
    """The labeller thinks otherwise."""


def mark_texts(tree: Element, marks: Iterable[TextMark]) -> None:
    """Put each text into an element of its own; of marks alike behind one another the first says what they
    are."""
    _take_own_classes(tree)
    before: tuple[str, str, bool] | None = None
    for mark in list(marks):
        alike = mark.kind, mark.group or mark.label, mark.differs
        names = ["mark", mark.kind, *["differs"] * mark.differs, *["first"] * (alike != before)]
        wrapped = etree.Element(
            "span",
            {"class": " ".join(_PREFIX + name for name in names), "title": mark.label},
        )
        element, before = mark.element, alike
        parent = element.getparent()
        if not mark.is_tail:
            wrapped.text, element.text = element.text, None
            element.insert(0, wrapped)
        elif parent is not None:
            wrapped.text, element.tail = element.tail, None
            parent.insert(parent.index(element) + 1, wrapped)


def _take_own_classes(tree: Element) -> None:
    """Take from the page its classes that begin as those of marks do."""
    for element in tree.iter(etree.Element):
        written = element.get("class", "")
        if _PREFIX in written:
            element.set("class", _OWN_CLASS.sub("", written).strip())


def mark_element(element: Element, kind: str, label: str) -> None:
    """True for a picture or a player: the words that stand in its place are marked."""
    element.set("class", f"{_PREFIX}mark {_PREFIX}{kind} {_PREFIX}first")
    element.set("title", label)
