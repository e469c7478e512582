"""The labels of tabs in a text, which browsers show in a row above what they unfold: words of the article, though they are links."""

from __future__ import annotations

import re
from itertools import islice

from lxml.etree import _Element as Element

_NAMED = re.compile(r"(?:^|[\s_-])tabs?(?:$|[\s_-])|tab-?list", re.IGNORECASE)
_LONGEST_NAME = 300
_MOST_LABELS, _MOST_BESIDE = 20, 2_000
_HANDLES = ("href", "data-bs-target", "data-target", "aria-controls")
_PANES = frozenset(("article", "div", "li", "section"))


def is_row_of_tabs(element: Element) -> bool:
    """Whether it is called so, and each of its links or buttons leads to a box beside it: a table of contents leads to headings."""
    told = element.get("class") or element.get("role")
    if told is None or "tab" not in told or not _NAMED.search(told[:_LONGEST_NAME]):
        return False
    labels = list(islice(element.iter("a", "button"), _MOST_LABELS + 1))
    targets = {_target(one) for one in labels}
    return 1 < len(labels) <= _MOST_LABELS and "" not in targets and targets <= _boxes_beside(element)


def _target(label: Element) -> str:
    """The id of what it unfolds; empty: it unfolds nothing."""
    told = ((name, label.get(name) or "") for name in _HANDLES)
    return next((value.removeprefix("#") for name, value in told if value.startswith("#") or (value and name == "aria-controls")), "")


def _boxes_beside(element: Element) -> set[str]:
    inside = (one for sibling in element.itersiblings("*") for one in sibling.iter("*"))
    return {one.get("id") or "" for one in islice(inside, _MOST_BESIDE) if one.tag in _PANES} - {""}
