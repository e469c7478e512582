"""Regexes of portal files: Python's syntax, bounded in time and in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from math import prod
from typing import TypeVar
from urllib.parse import unquote

import regex

from webarticlecurator.budget import allowed, over
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.own_patterns import linear

T = TypeVar("T")
TIME_LIMIT = 1.0
"""Seconds that one use on one text may take."""
MAX_RESULT = 10_000_000
"""Characters that a substitution may give."""
_COUNT = linear(r"\{(?:\d*,)?(\d+),?\}")
_MOST_COUNTED = 100_000
"""Counted repeats are compiled by copying: nested ones would fill the memory before any text is searched."""


class PatternError(ValueError):
    """The text is not a pattern (or not a replacement for it); the message says why."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """A compiled pattern; equal when written equally."""

    text: str
    _compiled: regex.Pattern[str] = field(compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> Pattern:
        """Compile. Raises PatternError."""
        if prod(int(count[-9:]) or 1 for count in _COUNT.findall(text)) > _MOST_COUNTED:
            raise PatternError(
                f"the counted repeats multiply to more than {_MOST_COUNTED:,}; use * or + instead"
            )
        try:
            return cls(text, regex.compile(text, regex.VERSION0))
        except (regex.error, ValueError, OverflowError, RecursionError) as problem:
            raise PatternError(f"not a valid pattern: {problem}") from None

    @classmethod
    def named(cls, text: str, source: str) -> Pattern:
        """The regex that this program makes of something else that a person wrote; it is called by that."""
        return cls(text, regex.compile(source, regex.VERSION0))

    def search(self, text: str) -> regex.Match[str] | None:
        return self._timed(self._compiled.search, text)

    def in_address(self, url: str) -> regex.Match[str] | None:
        """Return where it is found in a URL as it is asked for; or, with letters beyond ASCII, as browsers
        show it."""
        return self.search(url) or (
            self.search(unquote(url)) if not self.text.isascii() and "%" in url else None
        )

    def fullmatch(self, text: str) -> regex.Match[str] | None:
        return self._timed(self._compiled.fullmatch, text)

    def captured(self, text: str) -> str | None:
        """The named group if there is one, else the first group that took part, else the whole match."""
        match = self.search(text)
        return None if match is None else self.group_of(match)

    def group_of(self, match: regex.Match[str]) -> str | None:
        """Return what `captured` gives, of a match that is there already."""
        groups = sorted(self._compiled.groupindex.values()) or range(1, self._compiled.groups + 1) or [0]
        return next((match[group] for group in groups if match[group] is not None), None)

    def split(self, text: str) -> list[str]:
        """The pieces between the matches; groups of the pattern are no pieces, and an empty match splits
        nowhere."""
        pieces: list[str] = []
        position = 0
        for match in self.finditer(text):
            if match.end() > match.start():
                pieces.append(text[position : match.start()])
                position = match.end()
        return [*pieces, text[position:]]

    def finditer(self, text: str) -> list[regex.Match[str]]:
        return self._timed(lambda t, timeout: list(self._compiled.finditer(t, timeout=timeout)), text)

    def sub(self, replacement: str, text: str) -> str:
        r"""Replace all matches; `\1` and `\g<name>` stand for groups."""
        size = len(text)

        def expand(match: regex.Match[str]) -> str:
            nonlocal size
            piece = match.expand(replacement)
            size += len(piece)
            if size > MAX_RESULT:
                raise PatternTimeout(
                    f"the pattern {self.text!r} made more than {MAX_RESULT:,} characters; simplify its "
                    "replacement"
                )
            return piece

        return self._timed(lambda t, timeout: self._compiled.sub(expand, t, timeout=timeout), text)

    def check_replacement(self, replacement: str) -> str:
        r"""Return the replacement. Raises PatternError where it names a group that the pattern lacks, or is
        no replacement."""
        try:
            regex.sub(f"|{self.text}", replacement, "", flags=regex.VERSION0)  # the first branch fits at once
        except (regex.error, IndexError) as problem:
            groups = self._compiled.groups
            raise PatternError(
                f"the replacement {replacement!r} does not fit the pattern (groups in it: {groups}): "
                f"{problem}"
            ) from None
        return replacement

    def _timed(self, use: Callable[..., T], text: str) -> T:
        most = allowed(self.text, TIME_LIMIT)
        try:
            return use(text, timeout=most)
        except TimeoutError:
            if most < TIME_LIMIT:
                raise over(self.text) from None
            raise PatternTimeout(
                f"the pattern {self.text!r} needed more than {TIME_LIMIT:g} s on a text of {len(text):,} "
                "characters; "
                "make it simpler (nested repeats like (a+)+ are the usual cause)"
            ) from None


def first_in_address(patterns: Iterable[Pattern], url: str) -> Pattern | None:
    """Return the first of these patterns that is found in a URL."""
    return next((pattern for pattern in patterns if pattern.in_address(url)), None)
