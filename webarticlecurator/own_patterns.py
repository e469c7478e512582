"""Regular expressions of the program itself: tests prove that they need no bound, whatever text they meet."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING, Any, AnyStr

if TYPE_CHECKING:
    import regex


def linear(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Compile a pattern of the program itself, whose time grows no faster than the text that it meets,
    whatever that text is.

    Nobody can stop a match of Python's own engine, and pages and portal files are written by strangers. So
    all patterns are made here, and `tests/reading/test_own_patterns.py` tries each of them on hostile texts.
    """
    compiled: re.Pattern[AnyStr] = _compiled(pattern, flags)
    return compiled


def linear_at(pattern: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Compile a pattern of the program itself by which only one place of a text is looked at (`match`,
    `fullmatch`), which takes a time that grows no faster than the text; to search with it may not."""
    return linear(pattern, flags)


@lru_cache(maxsize=4096, typed=True)
def _compiled(pattern: Any, flags: int) -> Any:
    return re.compile(pattern, flags)


def linear_by_properties(pattern: str, flags: int = 0, **lists: Any) -> regex.Pattern[str]:
    r"""Compile a pattern of the program itself that needs what only the other engine has: `\p{L}`, and lists
    of words that it looks up."""
    import regex  # help needs none of it

    return regex.compile(pattern, flags, **lists)
