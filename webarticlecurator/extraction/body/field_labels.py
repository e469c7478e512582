"""Labels of fields into which readers enter something, which are no text of an article."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import chain, islice, takewhile

from lxml.etree import _Element as Element

from webarticlecurator.text import short_text

RULE = "form: the label of a field"
_RUNNING_TEXT = 80
"""Characters of a label that is text."""
_NEAR = 4
"""Elements around a label among which is the box that it shares with its field."""
_LARGEST_BOX = 500
"""Characters of a box of fields."""
_ENTERS_NOTHING = frozenset(("button", "checkbox", "hidden", "image", "radio", "reset", "submit"))
"""Types of fields that hold nothing that is written: what folds a text, and the answers of a quiz, are some
of these."""


def labels_of_fields(roots: Iterable[Element]) -> Iterator[Element]:
    """Yield the labels and legends that share a small box with a field for entering."""
    # labels side by side share their boxes, each of which is looked at once
    is_small, has_field = cache(_is_small), cache(_has_field)
    for label in chain.from_iterable(root.iter("label", "legend") for root in roots):
        boxes = takewhile(is_small, (label, *islice(label.iterancestors(), _NEAR)))
        if short_text(label, _RUNNING_TEXT) is not None and any(map(has_field, boxes)):
            yield label


def _is_small(box: Element) -> bool:
    return short_text(box, _LARGEST_BOX) is not None


def _has_field(box: Element) -> bool:
    return any(map(_takes_in_text, box.iter("input", "select", "textarea")))


def _takes_in_text(field: Element) -> bool:
    return field.get("type", "text").lower() not in _ENTERS_NOTHING
