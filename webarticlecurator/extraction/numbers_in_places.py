"""Numbers that a page says of the things it lists, or of itself, by their place in each row or page."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import islice

from lxml.etree import _Element as Element

from webarticlecurator.own_patterns import linear
from webarticlecurator.text import text_behind, text_inside, whole_number

_NUMBER = linear(r"(?<![\w.,:/-])\d{1,3}(?:[.,  ]\d{3})+(?![\w:/-])|(?<![\w.,:/-])\d{1,7}(?![\w:/-])")
"""A number that is a part of no date, time, version or name."""
_MOST_NUMBERS = 3
"""Numbers in one text; where there are more, it is no label."""
_LONGEST_LABEL = 60
_MOST_LABELS = 2_000
"""Labels of one element that are looked at."""
_DEEPEST = 30
"""Elements within one another; what lies deeper is no part of a row."""
_NO_LABELS = ("script", "style", "time", "option", "textarea")


def numbers_in(holder: Element) -> dict[str, int]:
    """Return the numbers in short texts of an element by places, which are alike in all rows of one make."""
    numbers: dict[str, int] = {}
    labels = ((place, text) for place, text in _texts(holder) if _is_label(text))
    for place, text in islice(labels, _MOST_LABELS):
        written = _NUMBER.findall(text)
        if len(written) <= _MOST_NUMBERS:
            numbers.update((f"{place} {at}", _value(number)) for at, number in enumerate(written))
    return numbers


def _texts(holder: Element) -> Iterator[tuple[str, str]]:
    """Give the texts of an element, each with its place; a text behind an element has a mark."""
    for element, place in _places(holder):
        if element.tag not in _NO_LABELS:
            yield place, text_inside(element)
        if element is not holder:
            yield f"{place}~", text_behind(element)


def _is_label(text: str) -> bool:
    return len(text) <= _LONGEST_LABEL and any(map(str.isdigit, text))


def _places(holder: Element) -> Iterator[tuple[Element, str]]:
    """Give each element with the way to it: tags, and how many of each stand before."""
    waiting = [(holder, "")]
    while waiting:
        element, place = waiting.pop()
        yield element, place
        if place.count("/") < _DEEPEST:
            before = Counter[str]()
            inside = []
            for child in element.iterchildren("*"):
                inside.append((child, f"{place}/{child.tag}{before[child.tag]}"))
                before[child.tag] += 1
            waiting += reversed(inside)


def _value(written: str) -> int:
    return whole_number("".join(filter(str.isdigit, written))) or 0
