"""Columns of a screen: letters of Chinese and the like and emoji take two, marks on letters none."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from functools import lru_cache
from itertools import accumulate
from unicodedata import category, east_asian_width

_WITHOUT_WIDTH = ("Mn", "Me", "Cf")
"""Marks that stand on another character, and characters that nobody sees, as Unicode names their kinds."""
_COLUMNS = {"W": 2, "F": 2}
"""How wide Unicode says that a character is -> its columns; of all others one."""


@lru_cache(maxsize=4_096)
def _columns_of_one(character: str) -> int:
    if category(character) in _WITHOUT_WIDTH:
        return 0
    return _COLUMNS.get(east_asian_width(character), 1)


def columns_of(text: str) -> int:
    """Return the columns that a text takes on a screen."""
    return len(text) if text.isascii() else sum(map(_columns_of_one, text))


def beginning(text: str, columns: int) -> str:
    """Return as much of the beginning of a text as fits."""
    return text[: bisect_right(list(accumulate(map(_columns_of_one, text))), columns)]


def end(text: str, columns: int) -> str:
    """Return as much of the end of a text as fits; no mark is parted from its letter."""
    before = list(accumulate(map(_columns_of_one, text), initial=0))
    least = before[bisect_left(before, before[-1] - columns)]
    return text[bisect_right(before, least) - 1 :]
