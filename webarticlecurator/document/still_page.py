"""An archived page as a picture of itself: nothing in it runs, asks for anything, or leads away; texts in it may be marked.

Who shows it shows it in a frame without scripts, under a policy that forbids requests; this is the other half. Only attributes
that can do nothing are kept, whatever others there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.own_patterns import linear, linear_at

_GOES = frozenset(
    ("script", "object", "applet", "iframe", "portal", "template", "svg", "select", "datalist", "dialog", "fencedframe", "map")
)
_BECOMES = {
    # nothing should stand in them; but to libxml2 some go on to the end of what is around them
    **dict.fromkeys(("base", "link", "meta", "embed", "param", "frame", "source", "track", "input", "area"), "span"),
    **dict.fromkeys(("form", "noscript", "frameset", "noframes", "noembed", "marquee"), "div"),
    **dict.fromkeys(("xmp", "plaintext", "listing"), "pre"),
}
_PICTURES, _PLAYERS = frozenset({"img", "image"}), frozenset({"video", "audio", "canvas"})
_KEPT = frozenset(
    (
        *("class", "id", "style", "title", "alt", "lang", "dir", "colspan", "rowspan", "start", "datetime", "align", "valign", "hidden"),
        *("open", "width", "height", "bgcolor", "color", "face", "size", "border", "cellpadding", "cellspacing"),
    )
)
_IN_THE_PAGE = linear_at(r"data:image/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=\s]+", re.IGNORECASE)
"""The address of a picture that is written into the page itself."""
_REACHES_OUT = linear(r"@import|@font-face|url\s*\(|image-set\s*\(|src\s*\(|\\", re.IGNORECASE)
"""What asks for something in a style sheet; a backslash can spell any of it."""
MOST = 4_000_000
"""Characters of a page that are shown."""


@dataclass(frozen=True, slots=True)
class StillPage:
    """What is shown of a page."""

    html: str
    pictures: int
    """Not stored: a word stands in place of each."""
    cut: bool
    """It is longer than what is shown."""


def _bare(tag: str) -> str:
    return tag.lower().rpartition(":")[2]


def still_page(tree: Element) -> StillPage:
    """The page of this tree, which is changed by it."""
    pictures, tags = 0, {element.tag for element in tree.iter()}
    gone = [tag for tag in tags if not isinstance(tag, str) or _bare(tag) in _GOES]
    etree.strip_elements(tree, *gone, with_tail=False)  # each goes with all in it; the text behind it stays
    for element in list(tree.iter()):
        tag = _bare(element.tag)
        element.tag = _BECOMES.get(tag, element.tag)
        if tag == "style":
            element.text = _REACHES_OUT.sub("none", element.text or "")
        elif tag in _PLAYERS or (tag in _PICTURES and not _IN_THE_PAGE.fullmatch(element.get("src", ""))):
            pictures += 1
            name, alt = "picture" if tag in _PICTURES else tag, element.get("alt") or ""
            element.tag, element.text = "span", f"[{name}, not stored{': ' if alt else ''}{alt}]"
        address = element.get("href")
        for key, value in element.attrib.items():
            if key == "style":
                element.set("style", _REACHES_OUT.sub("none", str(value)))
            elif str(key).lower() not in _KEPT and not (key == "src" and element.tag == "img" and _IN_THE_PAGE.fullmatch(str(value))):
                del element.attrib[key]
        if address and element.tag == "a":
            element.set("title", address)
    html = etree.tostring(tree, encoding="unicode", method="html", with_tail=False)
    return StillPage(html[:MOST], pictures, len(html) > MOST)


# --- marks around texts, made before: by classes, which `report/templates/marks.css` draws, and titles; both are kept ---

_PREFIX = "curator-"
"""How the classes begin; those of the page that begin so are taken from it."""


@dataclass(frozen=True, slots=True)
class TextMark:
    """What is shown of one text."""

    element: Element
    is_tail: bool
    """It stands behind the element, not in it."""
    kind: str
    label: str
    group: str = ""
    """What several texts behind one another have in common of which the first says what they are."""
    differs: bool = False
    """The labeller thinks otherwise."""


def mark_texts(tree: Element, marks: Iterable[TextMark]) -> None:
    """Put each text into an element of its own; of marks alike behind one another the first says what they are."""
    for element in tree.iter(etree.Element):
        names = (element.get("class") or "").split()
        if any(name.startswith(_PREFIX) for name in names):
            element.set("class", " ".join(name for name in names if not name.startswith(_PREFIX)))
    before: tuple[str, str, bool] | None = None
    for mark in list(marks):
        wrapped, alike = etree.Element("span"), (mark.kind, mark.group or mark.label, mark.differs)
        names = ["mark", mark.kind, *["differs"] * mark.differs, *["first"] * (alike != before)]
        wrapped.set("class", " ".join(_PREFIX + name for name in names))
        wrapped.set("title", mark.label)
        element, before = mark.element, alike
        if not mark.is_tail:
            wrapped.text, element.text = element.text, None
            element.insert(0, wrapped)
        elif (parent := element.getparent()) is not None:
            wrapped.text, element.tail = element.tail, None
            parent.insert(parent.index(element) + 1, wrapped)


def mark_element(element: Element, kind: str, label: str) -> None:
    """Of a picture or a player: the words that stand in its place are marked."""
    element.set("class", f"{_PREFIX}mark {_PREFIX}{kind} {_PREFIX}first")
    element.set("title", label)
