"""Words that touch where one inline element ends and the next begins: one word in two pieces, or two that a page shows apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import islice

from lxml.etree import _Element as Element

TextPlace = tuple[Element, bool]
"""Where a text stands: in an element before all else, or (then True) behind it."""
_MOST_AROUND = 50
"""Elements around a text that are looked at."""
_CLOCK, _LONGEST_CLOCK = re.compile(r"(?<!\d)\d{1,2}[:.]\d\d$"), 6
_BY_EDITORS = re.compile(r"(?:[A-Za-z]{1,2}\d{1,4}|(?:Spell|Gram)E|(?:Normal)?TextRun|Mso\w{0,40})(?:\s|$)")
"""Classes that word processors give to pieces of text, which may end within a word."""
_FIRST_WITHOUT_BLANKS = 0x0E00
"""Thai; most scripts from there on part no words."""


def are_apart(left: str, right: str, before: TextPlace, after: TextPlace) -> bool:
    """Whether the words that end and begin these texts are two: what ends and begins between their places tells."""
    one, other, last, first = _around(before), _around(after), left[-1], right[0]
    closed, opened = _not_in(one, other), _not_in(other, one)
    if closed is None or opened is None or max(ord(last), ord(first)) >= _FIRST_WITHOUT_BLANKS:
        return False
    if any(element.tag in ("button", "label") for element in (*closed, *opened)):
        return True
    if any(element.tag == "time" for element in (*closed, *opened)):
        return not first.islower()  # "the 2010s"
    if not closed or not opened:
        # "<b>W</b>ord", but "<b>21:00</b>Anna"
        return bool(closed or opened) and first.isupper() and _CLOCK.search(left[-_LONGEST_CLOCK:]) is not None
    from_link, to_link = (next((element.get("href") for element in side if element.tag == "a"), None) for side in (closed, opened))
    if from_link is not None and to_link is not None:
        # pieces of one link lead to one place, and the number of a note belongs to the word before it
        return from_link != to_link and (_is_raised(closed) or not _is_raised(opened))
    if _are_columns(closed[-1], opened[-1]) and last.isalpha() and first.isdigit():
        return True
    # "by lineAnna": a designer named one of them, and a new word begins
    return first.isupper() and not last.isupper() and any(_is_designed(side[-1]) for side in (closed, opened))


def _is_raised(elements: Sequence[Element]) -> bool:
    return any(element.tag in ("sup", "sub") for element in elements)


def _are_columns(one: Element, other: Element) -> bool:
    """Whether they are all that their parent holds, and mean nothing: "<li><span>Herring</span><span>95</span></li>"."""
    parent = one.getparent()
    alone = parent is not None and other.getparent() is parent and len(parent) == 2 and not (parent.text or "").strip()
    return alone and one.tag == other.tag == "span" and not (other.tail or "").strip()


def _is_designed(element: Element) -> bool:
    names = element.get("class")
    return element.tag == "cite" or (names is not None and _BY_EDITORS.match(names) is None)


def _around(place: TextPlace) -> list[Element]:
    """The elements that a text stands in, the inner ones first."""
    element, is_behind = place
    inner = [] if is_behind else [element]
    return [*inner, *islice(element.iterancestors(), _MOST_AROUND)]


def _not_in(elements: Sequence[Element], others: Sequence[Element]) -> list[Element] | None:
    """Those before the first that is around both; None if that lies too far out."""
    shared = set(others)
    for number, element in enumerate(elements):
        if element in shared:
            return list(elements[:number])
    return None
