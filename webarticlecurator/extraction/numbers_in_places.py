"""Which numbers does a page say of what it lists, or of itself, and in which place of each row or page?"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import chain

from lxml.etree import _Element as Element

from webarticlecurator.own_patterns import linear
from webarticlecurator.text import whole_number

_NUMBER = linear(r"(?<![\w.,:/-])\d{1,3}(?:[.,  ]\d{3})+(?![\w:/-])|(?<![\w.,:/-])\d{1,7}(?![\w:/-])")
"""A number that is a part of no date, time, version or name."""
_MOST_NUMBERS = 3
"""In one text; where there are more, it is no label."""
_LONGEST_LABEL = 60
_NO_LABELS = ("script", "style", "time", "option", "textarea")


def numbers_in(holder: Element) -> dict[str, int]:
    """Return the numbers in short texts of an element by their places, which are alike in all rows of one make."""
    numbers: dict[str, int] = {}
    for place, text in _labels(holder):
        found = _NUMBER.findall(text)
        if len(found) <= _MOST_NUMBERS:
            numbers.update((f"{place} {at}", _value(number)) for at, number in enumerate(found))
    return numbers


def _labels(holder: Element) -> Iterator[tuple[str, str]]:
    """Give the short texts with digits, each with the elements that lead to it."""
    for element in holder.iter("*"):
        own = None if element.tag in _NO_LABELS else element.text
        behind = None if element is holder else element.tail
        for mark, text in (("", own), ("~", behind)):
            if text is not None and len(text) <= _LONGEST_LABEL and any(map(str.isdigit, text)):
                yield f"{_place(element, holder)}{mark}", text


def _place(element: Element, holder: Element) -> str:
    """Return the way from what holds an element to it: each tag, and how many of it stand before."""
    steps = []
    for step in chain((element,), element.iterancestors()):
        if step is holder:
            break
        steps.append(f"{step.tag}{sum(1 for _ in step.itersiblings(step.tag, preceding=True))}")
    return "/".join(reversed(steps))


def _value(written: str) -> int:
    return whole_number("".join(filter(str.isdigit, written))) or 0
