"""URL templates: `https://pelda.example/{year}/{month}/?oldal={page}`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from difflib import get_close_matches
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise

from webarticlecurator.dates import DateFormatError, format_date
from webarticlecurator.own_patterns import linear
from webarticlecurator.patterns import Pattern
from webarticlecurator.urls import sendable

_PIECE = linear(r"[^{}]+|\{\{|\}\}|\{([^{}:]*)(?::([^{}]*))?\}|[{}]")
_FORMATS = {"year": "%Y", "month": "%m", "day": "%d", "date": "%Y-%m-%d", "iso_year": "%G", "week": "%V"}
_DATES = (*_FORMATS, "next_year", "next_month", "next_day", "next_date")
_SHAPES = {
    **{
        name: {"year": r"\d{4}", "date": r"\d{4}-\d{2}-\d{2}"}.get(name.rpartition("_")[2], r"\d{2}")
        for name in _DATES
    },
    "page": r"[^/?&#]*?",
    "column": r"[^/?&#]+",
    "value": r"[^/?&#]+",
}
DATE_NAMES = frozenset(_DATES)
ARCHIVE_NAMES = frozenset(_SHAPES) - {"value"}
HOME = "home"
"""The portal's `home`, cut after the last `/` of its path: filled in when the file is read, so that presets
can give whole addresses."""
NAMES = (HOME, *_SHAPES)
"""The names of all placeholders that are ours."""
_UNITS = {"y": "year", "Y": "iso_year", "M": "month", "L": "month", "w": "week", "d": "day"}
"""Letter of a CLDR pattern -> what it says."""


class DateStep(StrEnum):
    """The spans of time that one archive page may be for."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    YEAR = "year"


@dataclass(frozen=True, slots=True)
class Placeholder:
    """A placeholder, which stands in braces in the template of an address."""

    name: str
    pattern: str | None = None
    """The CLDR pattern of `{date:PATTERN}`."""

    @property
    def says(self) -> frozenset[str]:
        """Return what of a date it tells, in terms of placeholder names."""
        return frozenset(
            (self.name,)
            if self.pattern is None
            else (_UNITS[letter] for letter in self.pattern if letter in _UNITS)
        )


@dataclass(frozen=True, slots=True)
class UrlTemplate:
    """A text with placeholders, parsed once."""

    text: str
    parts: tuple[str | Placeholder, ...] = field(compare=False, repr=False)
    language: str | None = field(default=None, compare=False)
    """The language in which `{date:PATTERN}` writes month names."""

    @classmethod
    def parse(
        cls,
        text: str,
        *,
        names: frozenset[str] = ARCHIVE_NAMES,
        language: str | None = None,
        known: Mapping[str, str] | None = None,
    ) -> UrlTemplate:
        """Parse; `names` are the placeholders that there are, those of `known` are filled in at once. Raises
        ValueError."""
        known = known or {}
        parts = tuple(_part(piece, names, language, known) for piece in _PIECE.finditer(text))
        for before, part in pairwise(parts):
            if (
                isinstance(before, Placeholder)
                and before.pattern
                and isinstance(part, Placeholder)
                and part.pattern
            ):
                written = f"{{{part.name}:{part.pattern}}}"
                raise ValueError(
                    f"{written} follows another date without anything between them; write both as one, like "
                    f"{{date:yyyyMMdd}}"
                )
        filled_in = _PIECE.sub(
            lambda piece: literal(known[piece[1]]) if piece[1] in known else piece[0], text
        )
        return cls(filled_in, parts, language)

    @property
    def placeholders(self) -> tuple[Placeholder, ...]:
        return tuple(part for part in self.parts if isinstance(part, Placeholder))

    @property
    def names(self) -> frozenset[str]:
        return frozenset(placeholder.name for placeholder in self.placeholders)

    @property
    def finest_step(self) -> DateStep | None:
        """The granularity of the finest date placeholder; None: no date in it."""
        names = (name.removeprefix("next_") for placeholder in self.placeholders for name in placeholder.says)
        said = {{"date": "day", "iso_year": "year"}.get(name, name) for name in names}
        return next((step for step in DateStep if step in said), None)

    def of_page(self, page: str) -> UrlTemplate:
        """Return the template into which the page with that value of `{page}` is filled: the value may be a
        whole address."""
        return UrlTemplate.parse(page, language=self.language) if "://" in page else self

    def fill(
        self, values: Mapping[str, str] | None = None, *, start: date | None = None, end: date | None = None
    ) -> str:
        """Fill in; `values` for page, column and value, `start` and `end` (the day after the interval) for
        dates."""
        return "".join(
            part if isinstance(part, str) else self._value(part, values or {}, start, end)
            for part in self.parts
        )

    def _value(
        self, part: Placeholder, values: Mapping[str, str], start: date | None, end: date | None
    ) -> str:
        if part.name in values:
            return values[part.name]
        day = end if part.name.startswith("next_") else start
        if day is None:
            raise ValueError(f"nothing to fill {{{part.name}}} with")
        if part.pattern is not None:
            return format_date(day, part.pattern, self.language)
        return day.strftime(_FORMATS[part.name.removeprefix("next_")])

    def match(self, url: str) -> dict[str, str] | None:
        """The values that make this template that URL, or None; a placeholder that stands twice must agree.
        Raises PatternTimeout."""
        match = _pattern_of(self).fullmatch(url)
        return (
            {name: value for name, value in match.groupdict().items() if name in _SHAPES} if match else None
        )

    def with_page(self, url: str, page: str) -> str | None:
        """Return the URL with another value of `{page}`; None where the template does not make that URL."""
        match = _pattern_of(self).fullmatch(url)
        if match is None:
            return None
        values = {**match.groupdict(), "page": page}
        return "".join(
            part if isinstance(part, str) else values[_group(part, index)]
            for index, part in enumerate(self.parts)
        )


@lru_cache(maxsize=512)
def _pattern_of(template: UrlTemplate) -> Pattern:
    """Return what recognises the URLs that a template makes."""
    seen: set[str] = set()
    regex = ""
    for index, part in enumerate(template.parts):
        if isinstance(part, str):
            regex += re.escape(sendable(part))
            continue
        group = _group(part, index)
        shape = _SHAPES[part.name] if part.pattern is None else "[^?&#]+?"
        regex += f"(?P={group})" if group in seen else f"(?P<{group}>{shape})"
        seen.add(group)
    return Pattern.named(template.text, regex)


def _group(placeholder: Placeholder, index: int) -> str:
    """The name of its group; a date in words may be written twice in two ways."""
    return placeholder.name if placeholder.pattern is None else f"part{index}"


def _part(
    match: re.Match[str], names: frozenset[str], language: str | None, known: Mapping[str, str]
) -> str | Placeholder:
    """Return a part of a template: text, what stands in braces, or a brace that is written twice. Raises
    ValueError."""
    name, pattern = match[1], match[2]
    if match[0][0] not in "{}":
        return match[0]
    if match[0] in ("{{", "}}"):
        return match[0][0]
    if name is None:
        raise ValueError(
            f"a lone {match[0]!r} at character {match.start() + 1}; write {match[0] * 2} for the brace itself"
        )
    if name in known and pattern is None:
        return known[name]
    if name not in names or (pattern is not None and name not in ("date", "next_date")):
        raise ValueError(f"unknown placeholder {match[0]}; {_meant(name, pattern, names | known.keys())}")
    if pattern is not None:
        try:
            format_date(date(2019, 5, 17), pattern, language)
        except DateFormatError as problem:
            raise ValueError(str(problem)) from None
    return Placeholder(name, pattern)


def placeholders(text: str) -> set[str]:
    """The names in a text that may be no template."""
    return {piece[1] for piece in _PIECE.finditer(text) if piece[1] is not None}


def literal(text: str) -> str:
    """Return a text as a template has it, in which braces stand for something else."""
    return text.replace("{", "{{").replace("}", "}}")


def _meant(name: str, pattern: str | None, allowed: frozenset[str]) -> str:
    if pattern is not None and name in DATE_NAMES & allowed:
        return f"only a date takes a pattern: {{date:{pattern}}}"
    folded, of_others = name.strip().lower(), {"yyyy": "year", "yy": "year", "mm": "month", "dd": "day"}
    close = get_close_matches(of_others.get(folded, folded), sorted(allowed), n=1)
    if close and folded.isidentifier():
        return f"did you mean {{{close[0]}}}?"
    return (
        f"there are {', '.join(f'{{{known}}}' for known in sorted(allowed))}; a brace itself is written "
        f"twice: {{{{ or }}}}"
    )


def interval_around(day: date, step: str) -> date:
    """The first day of the interval that a day lies in."""
    if step == "week":
        return day - timedelta(days=day.weekday())
    if step == "day":
        return day
    return day.replace(day=1) if step == "month" else day.replace(month=1, day=1)


def interval_end(start: date, step: str) -> date:
    """The day after an interval that begins on `start`; the last day that there is, where that would lie
    beyond it."""
    try:
        if step in ("day", "week"):
            return start + timedelta(days=7 if step == "week" else 1)
        if step == "month":
            return (start.replace(day=1) + timedelta(days=32)).replace(day=1)
        return date(start.year + 1, 1, 1)
    except (OverflowError, ValueError):
        return date.max
