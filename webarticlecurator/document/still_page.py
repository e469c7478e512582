"""An archived page as a picture of itself: nothing in it runs, asks for anything, or leads away; texts in
it may be marked, and what lies around them be folded.

Who shows it shows it in a frame without scripts, under a policy that forbids requests; this is the other
half. Only attributes that can do nothing are kept, whatever others there are; its styles and pictures are
those that are given, written into the page itself.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections import defaultdict
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.document.xml import NO_XML
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.urls import join

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
    "image": "img",
}
_SHOWN_AS = {
    "img": "picture, not stored",
    **{player: f"{player}, not stored" for player in ("video", "audio", "canvas")},
}
"""The words that stand in the place of pictures and players."""
_BOX = "outline: 1px dashed; outline-offset: -1px; padding: 0 .3em"
"""The looks of those words."""
_KEPT = frozenset(
    (
        *(
            "class", "id", "style", "title", "alt", "lang", "dir", "colspan", "rowspan", "start", "datetime",
            "align", "valign", "hidden", "media",
        ),
        *(
            "open", "width", "height", "bgcolor", "color", "face", "size", "border", "cellpadding",
            "cellspacing",
        ),
    )
)  # fmt: skip
_KEPT_OF_PICTURES = _KEPT | {"src"}
"""Attributes of pictures, whose address is data by then."""
_IN_THE_PAGE = linear_at(r"data:image/(?:png|jpe?g|gif|webp|avif);base64,[A-Za-z0-9+/=\s]+", re.IGNORECASE)
"""The address of a picture that is written into the page itself."""
_MEDIA_TYPE = linear_at(r"[\w.+-]+/[\w.+-]+")
_NEW_LINE = linear(r"\r\n?|\f")
"""Each of these is a new line to browsers, and a new line ends a text in a style sheet."""
_TAG = linear(r"<(?=[A-Za-z/!?])")
"""The beginning of a tag."""
_STYLE = linear(
    r"""(?P<comment>/\*.*?(?:\*/|\Z))
    |(?P<text>"[^"\\\n]*(?:\\.[^"\\\n]*)*"?|'[^'\\\n]*(?:\\.[^'\\\n]*)*'?)
    |(?P<sheet>@import\s+(?:url\(\s*)?["']?(?P<named>[^"'()\s]+?)(?=["'()\s]|;\s*$|;\s)
        ["']?(?P<media>[^;{}"'@]{0,200});)
    |(?P<file>url\(\s*(?:"(?P<a>[^"\n]*)"|'(?P<b>[^'\n]*)'|(?P<c>[^()"'\s]*))\s{0,20}\))
    |(?P<bar>(?<![\w-])position\s*:\s*(?:fixed|(?:-webkit-)?sticky))
    |(?P<asks>@import|url\s*\(|image-set\s*\(|src\s*\(|\\(?=[0-9a-z-]))""",
    re.IGNORECASE | re.DOTALL | re.VERBOSE,
)
"""The pieces of a style sheet that may not stay as they are, with comments and texts, in which nothing of
them is meant; a backslash can spell any word."""
_DEEPEST, _MOST_USES, _MOST_BYTES = 4, 10_000, 8_000_000
"""Style sheets in one another, and uses and bytes of files, that are written into a page."""
_MOST_NAMES = 20
"""Addresses of one picture that are looked for."""
MOST = 4_000_000
"""Characters of a page that are shown, beside files."""
Files = Callable[[str], tuple[str, bytes] | None]
"""Gives a stored file by its address, with its media type."""


def no_files(_: str) -> tuple[str, bytes] | None:
    """Give no file, where none are stored."""
    return None


@dataclass(frozen=True, slots=True)
class StillPage:
    """A page as it is shown."""

    html: str
    pictures: int
    """The number of pictures and players that are not stored: a word stands in place of each."""
    styles: int
    """The number of style sheets that are not stored."""
    cut: bool
    """True if the page is longer than what is shown."""


def _bare(tag: str) -> str:
    return tag.lower().rpartition(":")[2]


def _frame_of(element: Element) -> Element:
    """Return the `picture` around an element; itself where there is none."""
    return next(element.iterancestors("picture"), element)


def _become(element: Element, tag: str) -> None:
    """Give an element another tag; its class says which it had, as selectors for the page need."""
    element.set("class", f"{element.get('class', '')} {_PREFIX}was-{_bare(str(element.tag))}".strip())
    element.tag = tag


def still_page(tree: Element, *, base: str = "", files: Files = no_files) -> StillPage:
    """Return the page of this tree, which is changed by it; `base`: what its addresses are joined with."""
    gone = {element.tag for element in tree.iter("*") if _bare(element.tag) in _GOES}
    # each goes with all in it; the text behind it stays
    etree.strip_elements(tree, etree.Comment, etree.ProcessingInstruction, *gone, with_tail=False)
    written = _WrittenIn(base, files)
    for element in list(tree.iter("*")):
        tag = _bare(element.tag)
        if tag in _BECOMES:  # lxml takes none of the odd names that a page may have, not even the same one
            _become(element, _BECOMES[tag])
        if tag == "link" and element.get("rel", "").lower().split() == ["stylesheet"]:
            element.tag, element.text = "style", written.sheet_at(element.get("href", ""), base)
        elif tag == "style":
            element.text = written.sheet(element.text or "", base)
        elif tag == "source":
            written.sources[_frame_of(element)].append(element.get("srcset", ""))
        elif element.tag in _SHOWN_AS:
            written.show_picture(element)
        _keep_harmless_attributes(element, written)
    html = etree.tostring(tree, encoding="unicode", method="html", with_tail=False)
    most = MOST + written.characters
    return StillPage(html[:most], written.pictures, written.styles, len(html) > most)


def settable(text: str) -> str:
    """Return a text without the characters that lxml does not take."""
    return NO_XML.sub(" ", text)


class _WrittenIn:
    """Writes stored files into a page, as far as there is room."""

    def __init__(self, base: str, files: Files) -> None:
        self.base, self._files = base, files
        self._uses = self._bytes = 0
        self._missing: set[str] = set()
        """The addresses of files that are not stored, or too large for the room that is left."""
        self.sources: defaultdict[Element, list[str]] = defaultdict(list)
        """The addresses of a picture in several sizes, by the element that frames it."""
        self.characters = self.pictures = self.styles = 0
        """Characters that were written for files; pictures, and style sheets, that are not stored."""

    def _file(self, address: str, base: str) -> tuple[str, bytes] | None:
        """Return a file, None if it is not stored, or there is no more room."""
        self._uses += 1
        url = join(base, address) if self._uses <= _MOST_USES else None
        found = self._files(url) if url is not None and url not in self._missing else None
        if found is None or self._bytes + len(found[1]) > _MOST_BYTES:
            self._missing.add(url or "")
            return None
        self._bytes += len(found[1])
        return found

    def _data(self, address: str, base: str) -> str:
        """Return a file as the address that holds it; empty if there is none."""
        if _IN_THE_PAGE.fullmatch(address):
            return address
        found = self._file(address, base)
        if found is None:
            return ""
        kind = found[0] if _MEDIA_TYPE.fullmatch(found[0]) else "application/octet-stream"
        data = f"data:{kind};base64,{b64encode(found[1]).decode('ascii')}"
        self.characters += len(data)
        return data

    def sheet_at(self, address: str, base: str, depth: int = 0) -> str:
        """Return the style sheet at an address, with all that it asks for written into it."""
        found = self._file(address, base) if depth < _DEEPEST else None
        if found is None:
            self.styles += 1
            return ""
        sheet = self.sheet(found[1].decode("utf-8", "replace"), join(base, address) or base, depth)
        self.characters += len(sheet)
        return sheet

    def sheet(self, text: str, base: str, depth: int = 0) -> str:
        """Return a style sheet that asks for nothing."""

        def still(piece: re.Match[str]) -> str:
            return _STILL[piece.lastgroup or ""](self, piece, base, depth)

        # it ends where the page says so, and none of it is markup, wherever a browser sees some
        return _TAG.sub(r"\\3c ", _STYLE.sub(still, settable(_NEW_LINE.sub("\n", text))))

    def _imported(self, piece: re.Match[str], base: str, depth: int) -> str:
        sheet, media = self.sheet_at(piece["named"], base, depth + 1), piece["media"].strip(" )\n\t")
        return f"@media {media} {{ {sheet} }}" if media else sheet

    def _used(self, piece: re.Match[str], base: str, _: int) -> str:
        data = self._data(piece["a"] or piece["b"] or piece["c"] or "", base)
        return f'url("{data}")' if data else "none"

    def show_picture(self, element: Element) -> None:
        """Show a picture that is stored, and a box with words in the place of another, or of a player."""
        is_picture = element.tag == "img"
        data = self._picture(element) if is_picture else ""
        if data:
            element.set("src", data)
            return
        self.pictures += 1
        words = ": ".join(filter(None, (_SHOWN_AS[str(element.tag)], settable(element.get("alt", "")))))
        _become(element, "span")
        element.text = f"[{words}]"
        element.set("style", _BOX)

    def _picture(self, element: Element) -> str:
        """Return the first address of a picture that something is stored of; of those in the page the last,
        for it may only keep the place."""
        own = (str(value) for name, value in element.items() if str(name).startswith(("src", "data-")))
        names = sorted(
            " ".join((*own, *self.sources.pop(_frame_of(element), ()))).split()[:_MOST_NAMES],
            key=lambda name: name.startswith("data:"),
        )
        stored = (self._data(name.rstrip(","), self.base) for name in [*names, element.get("src", "")])
        return next(filter(None, stored), "")


_STILL: dict[str, Callable[[_WrittenIn, re.Match[str], str, int], str]] = {
    "comment": lambda *_: "",
    "text": lambda _, piece, *__: piece[0],
    "sheet": _WrittenIn._imported,
    "file": _WrittenIn._used,
    "bar": lambda *_: "position: static",
    "asks": lambda *_: "none",
}
"""What becomes of the pieces of a style sheet."""


def _keep_harmless_attributes(element: Element, written: _WrittenIn) -> None:
    """Take all attributes from an element that may do anything; where a link leads becomes its title."""
    address = element.get("href") if element.tag == "a" else None
    kept = _KEPT_OF_PICTURES if element.tag == "img" else _KEPT
    for key in element.attrib:
        if str(key).lower() not in kept:
            del element.attrib[key]
    if "style" in element.attrib:
        element.set("style", written.sheet(element.get("style", ""), written.base))
    if address:
        element.set("title", settable(address))


# --- marks, made before: by classes, which `report/templates/marks.css` draws, and titles; both are kept ---

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
    differs: bool = False
    """The labeller thinks otherwise."""


def mark_texts(marks: Iterable[TextMark], first: int) -> list[Element]:
    """Put each text into an element of its own, which has the number of its mark, the first of these; return
    those elements."""
    made: list[Element] = []
    for number, mark in enumerate(marks, first):
        names = ["mark", mark.kind, f"text-{number}", *["differs"] * mark.differs]
        wrapped = etree.Element(
            "span", {"class": " ".join(_PREFIX + name for name in names), "title": mark.label}
        )
        made.append(wrapped)
        element = mark.element
        parent = element.getparent()
        if not mark.is_tail:
            wrapped.text, element.text = settable(element.text or ""), None
            element.insert(0, wrapped)
        elif parent is not None:
            wrapped.text, element.tail = settable(element.tail or ""), None
            element.addnext(wrapped)
    return made


def take_own_classes(tree: Element) -> None:
    """Take from the page its classes that begin as those of marks do."""
    for element in tree.iter(etree.Element):
        written = element.get("class", "")
        if _PREFIX in written:
            element.set("class", _OWN_CLASS.sub("", written).strip())


def mark_element(element: Element, kind: str, label: str) -> None:
    """Mark a picture or a player, or the words that stand in its place."""
    element.set("class", f"{_PREFIX}mark {_PREFIX}{kind}")
    element.set("title", label)


def fold_around(tree: Element, roots: Iterable[Element], marked: Iterable[Element], label: str) -> None:
    """Fold all of a page to a line but these elements and what they stand in; of `roots` nothing is folded.

    It needs no script: a style hides what has the class, until the line is opened.
    """
    shown = {each for root in roots for each in root.iter(etree.Element)}
    around: set[Element] = set()
    for element in [*shown, *marked]:
        above = element.getparent()
        while above is not None and above not in around:
            around.add(above)
            above = above.getparent()
    shown.update(around, marked)
    for holder in around:
        for child in holder.iterchildren(etree.Element):
            if child not in shown:
                child.set("class", f"{child.get('class', '')} {_PREFIX}folded".strip())
    body = next(tree.iter("body"), tree)
    line = etree.SubElement(body, "details", {"class": f"{_PREFIX}fold"})
    etree.SubElement(line, "summary").text = label
    body.insert(0, line)
