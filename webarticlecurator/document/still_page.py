"""An archived page as a picture of itself: nothing in it runs, asks for anything, or leads away.

Who shows it shows it in a frame without scripts, under a policy that forbids requests; this is the other half. Only attributes
that can do nothing are kept, whatever others there are.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from lxml import etree
from lxml.etree import _Element as Element

_GOES = frozenset(
    ("script", "object", "applet", "iframe", "portal", "template", "svg", "select", "datalist", "dialog", "fencedframe", "map")
)
_EMPTIES = ("base", "link", "meta", "embed", "param", "frame", "source", "track", "input", "area")
"""Nothing should stand in them; but to libxml2 some go on to the end of what is around them."""
_BECOMES = {
    **dict.fromkeys(_EMPTIES, "span"),
    **dict.fromkeys(("form", "noscript", "frameset", "noframes", "noembed", "marquee"), "div"),
    **dict.fromkeys(("xmp", "plaintext", "listing"), "pre"),
}
_SHOWN_BY_PLAYERS = frozenset({"video", "audio", "canvas"})
_KEPT = frozenset(
    (
        *("class", "id", "style", "title", "alt", "lang", "dir", "colspan", "rowspan", "start", "datetime", "align", "valign", "hidden"),
        *("open", "width", "height", "bgcolor", "color", "face", "size", "border", "cellpadding", "cellspacing"),
    )
)
_PICTURE = re.compile(r"data:image/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=\s]+", re.IGNORECASE)
_REACHES_OUT = re.compile(r"@import|@font-face|url\s*\(|image-set\s*\(|src\s*\(|\\", re.IGNORECASE)
"""What asks for something in a style sheet; a backslash can spell any of it."""
MOST = 4_000_000
"""Characters of a page that are shown."""


@dataclass(frozen=True, slots=True)
class StillPage:
    """What is shown of a page."""

    html: str
    pictures: int
    """Not stored: a word stands in place of each."""
    scripts: int
    cut: bool
    """It is longer than what is shown."""


def still_page(tree: Element) -> StillPage:
    """The page of this tree, which is changed by it."""
    pictures = scripts = 0
    for one in list(tree.iter()):
        if not isinstance(one.tag, str):
            _remove(one)
            continue
        tag = one.tag.lower().rpartition(":")[2]
        if tag in _GOES:
            scripts += tag == "script"
            _remove(one)
            continue
        one.tag = _BECOMES.get(tag, one.tag)
        if tag == "style":
            one.text = _REACHES_OUT.sub("none", one.text or "")
        elif tag in _SHOWN_BY_PLAYERS or (tag in ("img", "image", "picture") and not _PICTURE.fullmatch(one.get("src", ""))):
            pictures += tag != "picture"
            if tag != "picture":  # the `img` in it is told of
                name = "picture" if tag in ("img", "image") else tag
                one.tag, one.text = "span", f"[{name}, not stored{': ' if one.get('alt') else ''}{one.get('alt') or ''}]"
        _keep_harmless(one)
    html = etree.tostring(tree, encoding="unicode", method="html", with_tail=False)
    return StillPage(html[:MOST], pictures, scripts, len(html) > MOST)


def _keep_harmless(one: Element) -> None:
    address = one.get("href")
    for name, value in one.attrib.items():
        if name == "style":
            one.set("style", _REACHES_OUT.sub("none", str(value)))
        elif str(name).lower() not in _KEPT and not (name == "src" and one.tag == "img" and _PICTURE.fullmatch(str(value))):
            del one.attrib[name]
    if address and one.tag == "a":
        one.set("title", address)


def _remove(one: Element) -> None:
    """The element with all in it; the text behind it stays."""
    parent = one.getparent()
    if parent is None:
        return
    before = one.getprevious()
    if one.tail and before is not None:
        before.tail = (before.tail or "") + one.tail
    elif one.tail:
        parent.text = (parent.text or "") + one.tail
    parent.remove(one)


# --- marks around texts, made before: by classes, which `report/templates/marks.css` draws, and titles; both are kept ---

_PREFIX = "curator-"
"""How the classes begin; those of the page that begin so are taken from it."""
_MARK = "curator-mark"
"""Of every marked text."""
_FIRST = "curator-first"
"""Of the first of several that are marked alike: it says how, by its title."""
_DIFFERS = "curator-differs"
"""Of a text of which the labeller thinks otherwise."""


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
        told = (mark.kind, mark.group or mark.label, mark.differs)
        wrapped = etree.Element("span")
        also = (_DIFFERS,) if mark.differs else ()
        wrapped.set("class", " ".join((_MARK, f"{_PREFIX}{mark.kind}", *also, *((_FIRST,) if told != before else ()))))
        wrapped.set("title", mark.label)
        _wrap(mark, wrapped)
        before = told


def mark_element(element: Element, kind: str, label: str) -> None:
    """Of a picture or a player: the words that stand in its place are marked."""
    element.set("class", f"{_MARK} {_PREFIX}{kind} {_FIRST}")
    element.set("title", label)


def _wrap(mark: TextMark, wrapped: Element) -> None:
    element = mark.element
    if not mark.is_tail:
        wrapped.text, element.text = element.text, None
        element.insert(0, wrapped)
        return
    parent = element.getparent()
    if parent is not None:
        wrapped.text, element.tail = element.tail, None
        parent.insert(parent.index(element) + 1, wrapped)
