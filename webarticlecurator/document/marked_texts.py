"""Marks put around the texts of a page, before it is made a picture of itself: by classes and titles, which that keeps."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lxml import etree
from lxml.etree import _Element as Element

from webarticlecurator.model.text_marks import DIFFERS, FIRST, MARK, PREFIX


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
        if any(name.startswith(PREFIX) for name in names):
            element.set("class", " ".join(name for name in names if not name.startswith(PREFIX)))
    before: tuple[str, str, bool] | None = None
    for mark in list(marks):
        told = (mark.kind, mark.group or mark.label, mark.differs)
        wrapped = etree.Element("span")
        also = (DIFFERS,) if mark.differs else ()
        wrapped.set("class", " ".join((MARK, f"{PREFIX}{mark.kind}", *also, *((FIRST,) if told != before else ()))))
        wrapped.set("title", mark.label)
        _wrap(mark, wrapped)
        before = told


def mark_element(element: Element, kind: str, label: str) -> None:
    """Of a picture or a player: the words that stand in its place are marked."""
    element.set("class", f"{MARK} {PREFIX}{kind} {FIRST}")
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
