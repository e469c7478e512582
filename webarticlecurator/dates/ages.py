"""Ages as pages show them in place of dates: "3 days ago", "yesterday at 8:15"."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from itertools import product
from typing import Literal, get_args

from babel import Locale
from babel.dates import format_timedelta

from webarticlecurator.dates import cldr
from webarticlecurator.dates.moments import at_clock, written_moment
from webarticlecurator.dates.written import ReadDate, tongues
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import primary

_LONGEST_NOTE = 200
"""Characters; as long are notes of who edited a post, when, and why."""
_LONGEST_AGE = 60
"""Characters; a longer text is a sentence, and what it tells the age of is not the article."""
_Unit = Literal["second", "minute", "hour", "day", "week"]
_UNITS: dict[_Unit, timedelta] = {unit: timedelta(**{f"{unit}s": 1}) for unit in get_args(_Unit)}
"""Units of ages; of months and years ago only the month or year would be known."""
_AND = r"\s*(?:,\s*)?(?:[^\W\d_]{1,3}\s+)?"
_PART_BEFORE = linear(rf"(?<!\w)(?P<number>\d{{1,4}}\s?)?(?P<unit>[^\W\d_]+)\.?{_AND}$")
"""A further part of one age, before it: "a year , 2 weeks ago"."""
_PART_BEHIND = linear_at(rf"{_AND}(?<!\w)(?P<number>\d{{1,4}})\s?(?P<unit>[^\W\d_]+)(?!\w)")
"""A further part of one age, behind it."""
_STEM = 3
"""Letters that a unit has in all its forms."""
_SAMPLES = (1, 2, 3, 5, 11, 21, 100)
"""Numbers that together have every plural form of every language."""
_WIDTHS: tuple[Literal["long", "short"], ...] = ("long", "short")
_CLOCK = (
    r"(?:\D{0,6}?(?P<before>%(halves)s)\.?\s?|\D{1,6}?)"
    r"(?P<hour>[01]?\d|2[0-4])[:.](?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?!\d)"
    r"(?:\s?(?P<half>%(halves)s)(?!\w))?"
)


def find_relative(text: str, *, language: str | None, timezone: tzinfo, now: datetime) -> ReadDate | None:
    """Return ISO 8601; a day where the text is no more exact than that. None where it tells no age."""
    if len(text) > _LONGEST_NOTE:
        return None
    # it may be before the first of all years; and foreign files date captures to the end of time
    with suppress(OverflowError):
        now = now.astimezone(timezone).replace(microsecond=0)
        for tongue, find in product(tongues(language), _WAYS):
            told = find(text, tongue, now)
            if told is not None:
                return ReadDate(*told) if told[0] else None
    return None


def _age(text: str, language: str | None, now: datetime) -> tuple[str, str] | None:
    """Return the moment or the day of an age, and the words for it; no moment where it is an age of several
    units."""
    for unit, pattern in _ages(language) if len(text) <= _LONGEST_AGE else ():
        match = pattern.search(text)
        if match:
            return _ago(match, unit, language, now), match[0]
    return None


def _named_day(text: str, language: str | None, now: datetime) -> tuple[str, str] | None:
    """Return today or yesterday, with a time where one stands behind."""
    for days, (with_clock, alone) in enumerate(_named_days(language)):
        day, match = now - timedelta(days=days), with_clock.search(text)
        if match:
            return written_moment(_at_clock(day, match, language)), match[0].strip()
        match = alone.search(text) if len(text) <= _LONGEST_AGE else None
        if match:
            return day.date().isoformat(), match[0].strip()
    return None


_WAYS: tuple[Callable[[str, str | None, datetime], tuple[str, str] | None], ...] = (_age, _named_day)
"""Ways in which an age is told."""


def _at_clock(day: datetime, match: re.Match[str], language: str | None) -> datetime:
    """Return the moment of a day that a match of `_CLOCK` tells."""
    hour = cldr.hour_of_day(int(match["hour"]), match["half"] or match["before"], language)
    return day.replace(hour=hour % 24, minute=int(match["minute"]), second=int(match["second"] or 0))


def _ago(match: re.Match[str], unit: timedelta, language: str | None, now: datetime) -> str:
    """Return when it was; empty where the match is a part of an age of several units."""
    parts = _PART_BEFORE.search(match.string, 0, match.start()), _PART_BEHIND.match(match.string, match.end())
    if any(_is_unit(part, _unit_words(language)) for part in parts if part):
        return ""
    number = int("".join(filter(str.isdigit, match[0])))
    then = at_clock(
        now.astimezone(UTC) - unit * number, now.tzinfo or UTC
    )  # clocks may have been changed since
    return written_moment(then) if unit <= timedelta(hours=1) else then.date().isoformat()


def _is_unit(part: re.Match[str], units: frozenset[str]) -> bool:
    """Return True for a unit of time; without its number only the whole word is one: a month, and no
    Monica."""
    word = part["unit"].casefold()
    return word in units or (bool(part["number"]) and word[:_STEM] in {unit[:_STEM] for unit in units})


_NUMBERED = linear(r"\d\s?([^\W\d_]+)")
"""A word behind a number."""


@lru_cache(maxsize=64)
def _unit_words(language: str | None) -> frozenset[str]:
    """Return the words for units of time, as CLDR has them behind small numbers."""
    ages = (timedelta(days=days) for days in (1 / 1440, 1 / 24, 1, 2, 7, 14, 30, 60, 365, 730))
    written = "\n".join(format_timedelta(age, threshold=1, locale=cldr.locale_of(language)) for age in ages)
    return frozenset(map(str.casefold, _NUMBERED.findall(written)))


@lru_cache(maxsize=64)
def _ages(language: str | None) -> tuple[tuple[timedelta, re.Pattern[str]], ...]:
    """Return CLDR's own wordings of an age, of each unit those of each plural form."""
    locale = cldr.locale_of(language)
    wordings = {unit: _wordings(unit, locale) for unit in _UNITS}
    patterns = {unit: "|".join(sorted(those or {"(?!)"})) for unit, those in wordings.items()}
    return tuple((_UNITS[unit], linear(pattern, re.IGNORECASE)) for unit, pattern in patterns.items())


def _wordings(unit: _Unit, locale: Locale) -> set[str]:
    """Return the patterns of an age in this unit."""
    return {_wording(unit, number, width, locale) for number, width in product(_SAMPLES, _WIDTHS)} - {""}


def _wording(unit: _Unit, number: int, width: Literal["long", "short"], locale: Locale) -> str:
    """Return a pattern of "NUMBER units ago"; empty where CLDR has no wording, or one without the number."""
    try:
        age = -_UNITS[unit] * number
        written = format_timedelta(age, unit, 10**9, add_direction=True, format=width, locale=locale)
    except KeyError:
        return ""
    before, digits, behind = written.rstrip(".").partition(str(number))
    return rf"(?<!\w){re.escape(before)}\d{{1,4}}{re.escape(behind)}(?!\w)" if digits else ""


@lru_cache(maxsize=64)
def _named_days(language: str | None) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Return the patterns of today and of yesterday: with a time, wherever they stand; alone, where the text
    begins with them."""
    names = cldr.DATE_WORDS.get(f"days {primary(language or 'en')}", ())
    words = [re.escape(name).replace("'", "['’]") + r"(?!\w)" for name in names]
    clock = _CLOCK % {"halves": cldr.any_of(cldr.written_halves(language))}
    patterns = ((rf"(?<!\w){word}{clock}", rf"^\W*{word}") for word in words)
    return tuple((linear(timed, re.IGNORECASE), linear(alone, re.IGNORECASE)) for timed, alone in patterns)
