"""Boxes amid a text with a text of their own: notes, tips and warnings, whatever software makes them.

Their role says so, or they begin with a line that their names call theirs: a `callout` with a
`callout-title`.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain, islice
from operator import methodcaller
from typing import NamedTuple

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.signs import Sign, constantly, reason_by
from webarticlecurator.own_patterns import linear
from webarticlecurator.text import HEADINGS, element_text, label_of, short_text

_BOXES = ("aside", "div", "section")
_PARAGRAPHS = frozenset(("blockquote", "dl", "figure", "ol", "p", "pre", "table", "ul"))
_TEXT = _PARAGRAPHS.union(HEADINGS)
"""Elements of running text, beside which a box is one by itself."""
_LONGEST = 2_000
"""Characters of a box: what holds more is a part of the text."""
_LONGEST_TITLE = 80
_LONGEST_NAMES = 300
"""Characters of the names of an element that are looked at."""
_SENTENCE = linear(r"[^\W\d_]{2}\S?[.!?…:。！？](?!\S)")
"""The end of a sentence."""
_MADE_UP = linear(r"_(?=[^\WA-Z\d]{0,7}[A-Z\d])\w{4,8}(?!\S)")
"""The end of a name that a program makes, so that no two are alike."""
_HUMP = linear(r"(?<=[a-z])(?=[A-Z])|__?")
"""A place where another word of a name begins, beside a hyphen."""


def callouts_in(root: Element) -> Iterator[tuple[Element, str]]:
    """Yield the boxes in an element, and their titles, each with the kind of block that it is."""
    for box in filter(is_callout, root.iter(*_BOXES)):
        if _Box(box).is_titled():
            yield _Box(box).first, "heading"
        yield box, "box"


def is_callout(element: Element) -> bool:
    """Return True if a box amid a text has a text of its own, by its role or by its title."""
    return reason_by(SIGNS.values(), _Box(element)) is not None


class _Box(NamedTuple):
    """An element that may be a box."""

    element: Element

    @property
    def first(self) -> Element:
        """The first element in it; itself where there is none."""
        return next(iter(self.element), self.element)

    def is_note(self) -> bool:
        return self.element.get("role") == "note"

    def is_named(self) -> bool:
        """Return True if it and the first element in it have names."""
        return None not in (self.element.get("class"), self.first.get("class"))

    def is_titled(self) -> bool:
        """Return True if the names of the first element in it are those of the box, with more behind them."""
        beginnings = tuple(map("{}-".format, _names(self.element)))
        return any(map(methodcaller("startswith", beginnings), _names(self.first)))

    def has_line_for_title(self) -> bool:
        return label_of(self.first, _LONGEST_TITLE) != ""

    def is_no_section(self) -> bool:
        """Return False where the title is a heading of the text, and no aside is around it."""
        return self.element.tag == "aside" or self.first.tag not in HEADINGS

    def is_short(self) -> bool:
        return short_text(self.element, _LONGEST) is not None

    def holds_sentence(self) -> bool:
        """Return True if there is a sentence in it that is not its title."""
        return _SENTENCE.search(element_text(self.element, without={self.first})) is not None

    def is_hardly_linked(self) -> bool:
        linked = sum(map(len, map(element_text, self.element.iter("a"))))
        return 2 * linked <= len(element_text(self.element))

    def holds_text_alone(self) -> bool:
        """Return False for cards with a picture, and for what asks something."""
        return next(self.element.iter("button", "iframe", "img", "input", "select"), None) is None

    def is_amid_text(self) -> bool:
        return any(map(_is_text, _beside(self.element)))

    def is_no_whole_section(self) -> bool:
        """Return False for what stands between a heading and no further text: all that the heading is of."""
        before = next(self.element.itersiblings("*", preceding=True), self.element)
        behind = next(self.element.itersiblings("*"), self.element)
        return before.tag not in HEADINGS or behind.tag in _PARAGRAPHS

    def is_alone_of_its_kind(self) -> bool:
        """Return False for one of several in a row, such as questions with their answers."""
        return self.element.get("class") not in map(methodcaller("get", "class"), _beside(self.element))


SIGNS: dict[str, Sign[_Box]] = {
    "role": Sign(constantly("its role"), (_Box.is_note, _Box.is_short, _Box.is_hardly_linked)),
    "title": Sign(
        constantly("its title"),
        (
            _Box.is_named,
            _Box.is_amid_text,  # few are, which is seen at once
            _Box.is_titled,
            _Box.is_no_section,
            _Box.has_line_for_title,
            _Box.is_short,
            _Box.holds_sentence,
            _Box.is_no_whole_section,
            _Box.is_alone_of_its_kind,
            _Box.is_hardly_linked,
            _Box.holds_text_alone,
        ),
    ),
}
"""Signs of boxes with a text of their own."""


def _names(element: Element) -> list[str]:
    """Return the classes of an element as words with hyphens between them."""
    return _HUMP.sub("-", _MADE_UP.sub("", element.get("class", "")[:_LONGEST_NAMES])).lower().split()


def _is_text(element: Element) -> bool:
    return element.tag in _TEXT


def _beside(element: Element) -> Iterator[Element]:
    """Yield the elements right before and behind it."""
    return chain(islice(element.itersiblings("*", preceding=True), 1), islice(element.itersiblings("*"), 1))
