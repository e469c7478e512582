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
_COARSE: dict[Literal["month", "year"], timedelta] = {"month": timedelta(days=30), "year": timedelta(days=365)}
_AND = r"(?:,?\s*|,?\s+[^\W\d_]{1,3}\s+)"
_LARGER = re.compile(rf"(?<!\w)(\d{{1,4}})\s?([^\W\d_]+)\.?{_AND}$")
_SMALLER = re.compile(rf"{_AND}(?<!\w)(\d{{1,4}})\s?([^\W\d_]+)(?!\w)")
"""Other parts of one age: "3 days, 4 hours ago"."""
_STEM = 3
"""Letters that a unit has in all its forms, and shares with no other one."""
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
                return _counted_back(now, text, found, unit, tongue)
        for days, (with_clock, alone) in enumerate(_named_days(tongue)):
            if found := with_clock.search(text):
                return ReadDate(_at_clock(now - timedelta(days=days), found), found[0].strip())
            if short and (found := alone.search(text)):
                return ReadDate((now - timedelta(days=days)).date().isoformat(), found[0].strip())
    return None


def _counted_back(now: datetime, text: str, found: re.Match[str], unit: timedelta, language: str | None) -> ReadDate | None:
    """By an age and its other parts; None where one of them is months or years."""
    parts = [(unit, int(found[1]))]
    start, end = found.span()
    while (part := _LARGER.search(text, 0, start)) and (larger := _unit_of(part[2], language)) and larger > parts[0][0]:
        parts.insert(0, (larger, int(part[1])))
        start = part.start()
    while (part := _SMALLER.match(text, end)) and (smaller := _unit_of(part[2], language)) and smaller < parts[-1][0]:
        parts.append((smaller, int(part[1])))
        end = part.end()
    if parts[0][0] in _COARSE.values():
        return None
    age = sum((one * number for one, number in parts), timedelta())
    if parts[-1][0] > _EXACT:
        return ReadDate((now - age).date().isoformat(), text[start:end])
    then = (now.astimezone(UTC) - age).astimezone(now.tzinfo)  # clocks may have been changed since
    return ReadDate(written_moment(then), text[start:end])


def _unit_of(word: str, language: str | None) -> timedelta | None:
    return _unit_words(language).get(word[:_STEM].casefold())


@lru_cache(maxsize=64)
def _unit_words(language: str | None) -> dict[str, timedelta]:
    """The first letters of each unit in all its forms."""
    locale, words = locale_of(language), dict[str, timedelta]()
    for name, unit in (*_UNITS.items(), *_COARSE.items()):
        for number in _SAMPLES:
            written = format_timedelta(unit * number, name, 10**9, locale=locale)
            if found := re.search(r"\d\s?([^\W\d_]+)", written):
                words.setdefault(found[1][:_STEM].casefold(), unit)
    return words


def _at_clock(day: datetime, found: re.Match[str]) -> str:
    hour, half = int(found["hour"]) % 24, (found["half"] or "").lower()
    if half and hour <= _NOON:
        hour = hour % _NOON + (_NOON if half == "p" else 0)
    return written_moment(day.replace(hour=hour, minute=int(found["minute"]), second=int(found["second"] or 0)))


@lru_cache(maxsize=64)
def _ages(language: str | None) -> tuple[tuple[timedelta, re.Pattern[str]], ...]:
    """CLDR's own wording of an age, for each unit and each plural form."""
    locale = locale_of(language)
    patterns: list[tuple[timedelta, re.Pattern[str]]] = []
    for name, unit in _UNITS.items():
        written = {_wording(name, sample, width, locale) for sample in _SAMPLES for width in _WIDTHS}
        patterns.extend((unit, re.compile(one, re.IGNORECASE)) for one in sorted(filter(None, written)))
    return tuple(patterns)


def _wording(unit: _Unit, number: int, width: Literal["long", "short"], locale: Locale) -> str | None:
    """A pattern of "NUMBER units ago"; None where CLDR has no wording."""
    try:
        written = format_timedelta(-_UNITS[unit] * number, unit, 10**9, add_direction=True, format=width, locale=locale)
    except KeyError:
        return None
    wording = re.escape(written.rstrip(".")).replace(str(number), r"(\d{1,4})", 1)
    return rf"(?<!\w){wording}(?!\w)" if r"(\d" in wording else None


@lru_cache(maxsize=64)
def _named_days(language: str | None) -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """Of today and of yesterday: with a time, wherever they stand; alone, where the text begins with them."""
    names = _NAMED_DAYS.get((language or "en").replace("_", "-").partition("-")[0].lower(), ())
    words = [re.escape(name).replace("'", "['’]") + r"(?!\w)" for name in names]
    return tuple((re.compile(rf"(?<!\w){word}{_TIME}", re.IGNORECASE), re.compile(rf"^\W*{word}", re.IGNORECASE)) for word in words)
