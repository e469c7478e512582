"""Dates that are told from the moment of the capture: "3 hours ago", "tegnap 14:05", "heute"."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Literal

from babel import Locale
from babel.dates import format_timedelta

from webarticlecurator.dates.names import locale_of
from webarticlecurator.dates.values import ReadDate, written_moment

MAX_LENGTH = 60
"""Characters; a longer text is a sentence, and what it tells the age of is not the article."""
MAX_LENGTH_BEFORE_CLOCK = 200
"""For "today" with the time beside it, as in notes of who edited a post, when, and why."""

_Unit = Literal["second", "minute", "hour", "day", "week"]
_UNITS: dict[_Unit, timedelta] = {
    "second": timedelta(seconds=1),
    "minute": timedelta(minutes=1),
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(weeks=1),
}
"""Of months and years ago only the month or year would be known."""
_AND = r"(?:,?\s*|,?\s+[^\W\d_]{1,3}\s+)"
_PART_BEFORE = re.compile(rf"(?<!\w)\d{{1,4}}\s?([^\W\d_]+)\.?{_AND}$")
_PART_BEHIND = re.compile(rf"{_AND}(?<!\w)\d{{1,4}}\s?([^\W\d_]+)(?!\w)")
"""Other parts of one age: "1 year, 2 weeks ago"."""
_STEM = 3
"""Letters that a unit has in all its forms."""
_EXACT = timedelta(hours=1)
"""From this unit on a text tells a day, not a moment."""
_SAMPLES = (1, 2, 3, 5, 11, 21, 100)
"""Numbers that together have every plural form of every language."""
_WIDTHS: tuple[Literal["long", "short"], ...] = ("long", "short")
_TODAY_AND_YESTERDAY = """
bg: днес, вчера; cs: dnes, včera; da: i dag, i går; de: heute, gestern; el: σήμερα, χθες; en: today, yesterday; es: hoy, ayer;
et: täna, eile; fi: tänään, eilen; fr: aujourd'hui, hier; hr: danas, jučer; hu: ma, tegnap; it: oggi, ieri; lt: šiandien, vakar;
lv: šodien, vakar; nb: i dag, i går; nl: vandaag, gisteren; no: i dag, i går; pl: dzisiaj, wczoraj; pt: hoje, ontem; ro: azi, ieri;
ru: сегодня, вчера; sk: dnes, včera; sl: danes, včeraj; sr: danas, juče; sv: i dag, i går; tr: bugün, dün; uk: сьогодні, вчора
"""
_NAMED_DAYS = {
    language.strip(): names.strip().split(", ")
    for language, _, names in (entry.partition(":") for entry in _TODAY_AND_YESTERDAY.split(";"))
}
_TIME = r"\D{1,6}(?P<hour>[01]?\d|2[0-4])[:.](?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?!\d)(?:\s?(?P<half>[ap])\.?m\b)?"
_NUMBER = re.compile(r"\d+")
_NOON = 12


def find_relative(text: str, *, language: str | None, timezone: tzinfo, now: datetime) -> ReadDate | None:
    """ISO 8601; a day where the text is no more exact than that. None where it tells no age."""
    try:
        return _found(text, language, now.astimezone(timezone).replace(microsecond=0)) if len(text) <= MAX_LENGTH_BEFORE_CLOCK else None
    except OverflowError:  # before the first of all years; or a foreign file dates its capture to the end of time
        return None


def _found(text: str, language: str | None, now: datetime) -> ReadDate | None:
    short = len(text) <= MAX_LENGTH
    for tongue in dict.fromkeys((language, "en")):
        for unit, pattern in _ages(tongue) if short else ():
            if found := pattern.search(text):
                parts = _PART_BEFORE.search(text, 0, found.start()), _PART_BEHIND.match(text, found.end())
                if any(part and part[1][:_STEM].casefold() in _unit_stems(tongue) for part in parts):
                    return None  # an age of several units
                then = (now.astimezone(UTC) - unit * int(_NUMBER.findall(found[0])[0])).astimezone(
                    now.tzinfo
                )  # clocks may have been changed since
                return ReadDate(written_moment(then) if unit <= _EXACT else then.date().isoformat(), found[0])
        for days, (with_clock, alone) in enumerate(_named_days(tongue)):
            if found := with_clock.search(text):
                return ReadDate(_at_clock(now - timedelta(days=days), found), found[0].strip())
            if short and (found := alone.search(text)):
                return ReadDate((now - timedelta(days=days)).date().isoformat(), found[0].strip())
    return None


@lru_cache(maxsize=64)
def _unit_stems(language: str | None) -> frozenset[str]:
    ages = (timedelta(days=days) for days in (1 / 1440, 1 / 24, 1, 2, 7, 14, 30, 60, 365, 730))
    written = (format_timedelta(age, threshold=1, locale=locale_of(language)) for age in ages)
    return frozenset(found[1][:_STEM].casefold() for text in written if (found := re.search(r"\d\s?([^\W\d_]+)", text)))


def _at_clock(day: datetime, found: re.Match[str]) -> str:
    hour, half = int(found["hour"]) % 24, (found["half"] or "").lower()
    if half and hour <= _NOON:
        hour = hour % _NOON + (_NOON if half == "p" else 0)
    return written_moment(day.replace(hour=hour, minute=int(found["minute"]), second=int(found["second"] or 0)))


@lru_cache(maxsize=64)
def _ages(language: str | None) -> tuple[tuple[timedelta, re.Pattern[str]], ...]:
    """CLDR's own wordings of an age, of each unit those of each plural form."""
    locale = locale_of(language)
    wordings = {unit: {_wording(unit, number, width, locale) for number in _SAMPLES for width in _WIDTHS} - {""} for unit in _UNITS}
    return tuple((_UNITS[unit], re.compile("|".join(sorted(those)), re.IGNORECASE)) for unit, those in wordings.items() if those)


def _wording(unit: _Unit, number: int, width: Literal["long", "short"], locale: Locale) -> str:
    """A pattern of "NUMBER units ago"; empty where CLDR has no wording, or one without the number."""
    try:
        written = format_timedelta(-_UNITS[unit] * number, unit, 10**9, add_direction=True, format=width, locale=locale)
    except KeyError:
        return ""
    before, digits, behind = written.rstrip(".").partition(str(number))
    return rf"(?<!\w){re.escape(before)}\d{{1,4}}{re.escape(behind)}(?!\w)" if digits else ""


@lru_cache(maxsize=64)
def _named_days(language: str | None) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Of today and of yesterday: with a time, wherever they stand; alone, where the text begins with them."""
    names = _NAMED_DAYS.get((language or "en").replace("_", "-").partition("-")[0].lower(), ())
    words = [re.escape(name).replace("'", "['’]") + r"(?!\w)" for name in names]
    return tuple((re.compile(rf"(?<!\w){word}{_TIME}", re.IGNORECASE), re.compile(rf"^\W*{word}", re.IGNORECASE)) for word in words)
