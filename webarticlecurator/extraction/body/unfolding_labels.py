"""The labels of what a click unfolds in a text: of tabs, which browsers show in a row, and of boxes. They are words of the article."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import chain, islice

from lxml.etree import _Element as Element

from webarticlecurator.extraction.body.general_table import UNSEEN
from webarticlecurator.extraction.body.hidden import is_unseen
from webarticlecurator.text import element_text, squeeze

LABELS = ("a", "button", "label")
_NAMED = re.compile(r"(?:^|[\s_-])tab(?:s|bed)?(?:$|[\s_-])|tab-?list", re.IGNORECASE)
_LONGEST_NAME = 300
_MOST_LABELS, _MOST_BESIDE = 20, 2_000
_MOST_IN_ROW = 50
_BEGIN_ANEW = frozenset(("h1", "h2", "h3", "h4", "h5", "h6", "hr"))
_HANDLES = ("href", "data-bs-target", "data-target", "aria-controls")
_PANES = frozenset(("article", "div", "li", "section"))


def is_row_of_tabs(element: Element) -> bool:
    """Whether it is called so, and each of its links, buttons or labels leads to a box beside it that does not begin with the same words.

    A table of contents leads to headings; some software says each label once more in its box.
    """
    row = element[0] if element.tag == "nav" and len(element) == 1 else element
    told = f"{row.get('role') or ''} {row.get('class') or ''}"
    if "tab" not in told or not _NAMED.search(told[:_LONGEST_NAME]):
        return False
    labels = list(islice(row.iter(*LABELS), _MOST_LABELS + 1))
    if not 1 < len(labels) <= _MOST_LABELS:
        return False
    if not any(label.get("href") or _target(label) for label in labels):
        unfolded: list[Element | None] = _as_many_beside(element, len(labels))
    else:
        boxes = {one.get("id"): one for one in _boxes_beside(element)}
        unfolded = [boxes.get(_target(label)) for label in labels]
    return bool(unfolded) and all(box is not None and not _begins_with(box, label) for label, box in zip(labels, unfolded, strict=True))


def is_amid_text(summary: Element) -> bool:
    """Whether text stands behind the box that it unfolds, or behind a row of such: it would be a part of what a heading begins."""
    box = summary.getparent()
    if box is None or box.tag != "details":
        return False
    for one in chain((box,), islice(box.itersiblings("*"), _MOST_IN_ROW)):
        if one.tag != "details" and one.tag not in UNSEEN:
            return one.tag not in _BEGIN_ANEW
        if one.tail and not one.tail.isspace():
            return True
    return False


def _target(label: Element) -> str:
    """The id of what it unfolds; empty: it unfolds nothing."""
    told = ((name, label.get(name) or "") for name in _HANDLES)
    return next((value.removeprefix("#") for name, value in told if value.startswith("#") or (value and name == "aria-controls")), "")


def _boxes_beside(element: Element) -> Iterator[Element]:
    inside = (one for sibling in element.itersiblings("*") for one in sibling.iter("*"))
    return (one for one in islice(inside, _MOST_BESIDE) if one.tag in _PANES and one.get("id"))


def _as_many_beside(element: Element, labels: int) -> list[Element | None]:
    """What labels without a target unfold: the first the first box of what stands behind the row, and so on, if they are as many."""
    behind = element.getnext()
    if behind is None or len(behind) != labels:
        return []
    told = _NAMED.search((behind.get("class") or "")[:_LONGEST_NAME]) is not None
    return list(behind) if all(one.tag in _PANES and (told or one.get("role") == "tabpanel") for one in behind) else []


def _begins_with(box: Element, label: Element) -> bool:
    unseen = frozenset(one for one in islice(box.iterdescendants("*"), _MOST_BESIDE) if is_unseen(one))
    return squeeze(element_text(box, without=unseen)).startswith(squeeze(element_text(label)) or "\0")
