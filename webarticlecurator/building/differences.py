"""What two versions of a document differ in, as lines of text: how many words come and go, and a diff for a person."""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable, Sequence

_CONTEXT = 1
_MOST_LINES = 40
_MOST_COMPARED = 3_000
"""Lines of a document that are set against each other: the time for it grows with their square."""
_LONGEST_LINE = 400


def words_changed(old: Iterable[str], new: Iterable[str]) -> tuple[int, int]:
    """How many words only the new lines have, and how many only the old ones."""
    before, after = _words(old), _words(new)
    return (after - before).total(), (before - after).total()


def difference(old: Sequence[str], new: Sequence[str]) -> list[str]:
    """A diff that a person can read: the lines that go, those that come, and one around them."""
    lines = [line[:_LONGEST_LINE] for line in difflib.unified_diff(old[:_MOST_COMPARED], new[:_MOST_COMPARED], lineterm="", n=_CONTEXT)][2:]
    more = len(lines) - _MOST_LINES
    return [*lines[:_MOST_LINES], f"... and {more:,} more lines"] if more > 0 else lines


def _words(lines: Iterable[str]) -> Counter[str]:
    return Counter(word for line in lines for word in line.split())
