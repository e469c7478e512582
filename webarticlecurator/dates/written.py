"""Dates in the formats that a portal file names: ISO 8601, CLDR patterns with month names of any language,
and a careful `auto`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from webarticlecurator.budget import allowed
from webarticlecurator.dates import cldr
from webarticlecurator.dates.cldr import Tokens
from webarticlecurator.dates.moments import DAY, written_moment
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import normalised

LONGEST_WRITTEN = 60
"""Characters that a date is written with; what is longer says something else."""


class ReadDate(NamedTuple):
    """A date, and which words of the text say it."""

    value: str
    """ISO 8601."""
    written: str


@dataclass(frozen=True, slots=True)
class DateFormat:
    """`iso`, `auto`, or a CLDR pattern; equal when written equally."""

    text: str
    tokens: Tokens = field(compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> DateFormat:
        """Read a format. Raises DateFormatError."""
        return cls(text, () if text in ("iso", "auto") else cldr.read_pattern(text))


class _Place(NamedTuple):
    """The circumstances that a date depends on beside its text."""

    language: str | None
    zone: tzinfo
    now: datetime | None
    """The moment of the capture."""


def find_date(
    formats: Sequence[DateFormat],
    text: str,
    *,
    language: str | None,
    timezone: tzinfo,
    now: datetime | None,
) -> ReadDate | None:
    """Return ISO 8601 with offset; a day without a time stays a day. None where the text holds no such date.

    It is what the first fitting format reads: one that fits the whole text goes before one that fits a part
    of it. A pattern without year (or day) counts back from `now`, the moment of the capture.
    """
    line, place = one_line(text), _Place(language, timezone, now)
    for whole, form in product((True, False), formats):
        read = _find_by(form, line, whole, place)
        if read is not None:
            return read
    return None


def _find_by(form: DateFormat, line: str, whole: bool, place: _Place) -> ReadDate | None:
    """Return the date that a format reads in a text, or in a part of it."""
    if form.text == "iso":
        return _find_iso(line, place.zone) if whole else None
    if form.text == "auto":
        return find_auto(line, whole, place.language, place.zone)
    allowed(form.text)
    pattern, searched = cldr.pattern_regex(form.tokens, place.language), cldr.plain(line)
    return _read_match(pattern.fullmatch(searched) if whole else pattern.search(searched), line, place)


def one_line(text: str) -> str:
    """Return a text as dates are read from it; empty where it is too long for one."""
    line = normalised("NFC", " ".join(text[: cldr.MAX_LENGTH * 4].translate(cldr.PLAIN_BLANKS).split()))
    return line if len(line) <= cldr.MAX_LENGTH else ""


# --- what a pattern matched ---


def _read_match(match: re.Match[str] | None, text: str, place: _Place) -> ReadDate | None:
    """Return the date or moment that a pattern matched in the `plain` form of a text; None where there is no
    such day."""
    if match is None:
        return None
    groups = {name: value for name, value in match.groupdict().items() if value is not None}
    zone = _offset(groups.get("zone", "")) or place.zone
    try:
        value = _assembled(cldr.gregorian(_numbers(groups, place), place.language), zone, place.now)
    except (ValueError, OverflowError, KeyError):
        return None
    return ReadDate(value, text[slice(*match.span())])


def _numbers(groups: Mapping[str, str], place: _Place) -> dict[str, int]:
    """Return the parts of a date as numbers."""
    numbers = {name: int(value) for name, value in groups.items() if value.isdigit()}
    if "month" in groups.keys() - numbers.keys():
        numbers["month"] = cldr.month_names(place.language)[cldr.fold(groups["month"])]
    if len(groups.get("year", "")) == 2:
        numbers["year"] = _whole_year(numbers["year"], place.now)
    if "hour" in numbers:
        half = groups.get("half") or groups.get("before")
        numbers["hour"] = cldr.hour_of_day(numbers["hour"], half, place.language)
    return numbers


def _whole_year(number: int, now: datetime | None) -> int:
    """Return the year that two digits mean, by CLDR's rule: from 80 years before the capture to 20 years
    after it."""
    present = now.year if now is not None else 2048
    year = present - present % 100 + number
    return year - 100 if year > present + 20 else year


def _assembled(parts: Mapping[str, int], zone: tzinfo, now: datetime | None) -> str:
    """Return the date of these parts as ISO 8601. Raises KeyError where they are too few, ValueError and
    OverflowError where there is no such date."""
    if parts.keys() & {"year", "day", "hour"} == {"year"}:
        written = date(parts["year"], parts.get("month", 1), 1).isoformat()
        return written[: len("yyyy-mm")] if "month" in parts else written[: len("yyyy")]
    base = _day(parts, zone, now)
    if "hour" not in parts:
        return base.isoformat()
    minute, second = parts.get("minute", 0), parts.get("second", 0)
    value = datetime(base.year, base.month, base.day, parts["hour"] % 24, minute, second, tzinfo=zone)
    value += timedelta(days=parts["hour"] == 24)
    if "day" not in parts and now is not None and value > now:
        value -= timedelta(days=1)
    return written_moment(value)


def _day(parts: Mapping[str, int], zone: tzinfo, now: datetime | None) -> date:
    """Return the day; what the text does not say is taken from the capture: the latest such day that had come
    by then. Raises KeyError, ValueError."""
    if "year" in parts:
        return date(parts["year"], parts["month"], parts["day"])
    if now is None:
        raise KeyError("year")
    today = now.astimezone(zone).date()
    if parts.keys().isdisjoint(("month", "day")):
        return today
    month, day = parts["month"], parts["day"]
    is_past = date(today.year, month, day) <= today + timedelta(days=1)
    return date(today.year if is_past else today.year - 1, month, day)


_OFFSET = linear_at(r"(?:gmt|utc)?([+-]?)(\d|0\d|1[0-5])\D?([0-5]\d)?")
"""An offset from UTC, in hours and minutes, with its sign."""


def _offset(text: str) -> tzinfo | None:
    """Return the zone that a text names; None where it names none."""
    name = text.lower().replace("−", "-")
    if name in cldr.ABBREVIATIONS:
        return timezone(timedelta(minutes=cldr.ABBREVIATIONS[name]))
    offset = _OFFSET.fullmatch(name)
    if offset is None:
        return None
    sign, hours, minutes = offset.groups("0")
    return timezone(timedelta(hours=int(f"{sign}{hours}"), minutes=int(f"{sign}{minutes}")))


# --- ISO 8601 ---

_YEAR_AND_MONTH = linear_at(r"\d{4}(?:-\d\d)?")


def _find_iso(text: str, zone: tzinfo) -> ReadDate | None:
    """Return a day, a month, a year, or a moment; nothing else stands in the text."""
    try:
        return ReadDate(_iso(text, zone), text)
    except (ValueError, OverflowError):
        return None


def _iso(text: str, zone: tzinfo) -> str:
    """Return a date as ISO 8601 writes it. Raises ValueError, OverflowError."""
    if _YEAR_AND_MONTH.fullmatch(text):
        date.fromisoformat(f"{text}-01-01"[:DAY])
        return text
    if len(text) <= DAY:
        return date.fromisoformat(text).isoformat()
    return written_moment(datetime.fromisoformat(text), zone)


# --- `auto` ---

_TIME = (
    r"(?:(?:\D{0,6}?(?P<before>%(halves)s)\.?\s?|\D{1,6}?)(?P<hour>\d{1,2})"
    r"(?:(?:[:.]|\s?[h時时點点시]\s?)(?P<minute>\d\d)"
    r"(?::(?P<second>\d\d)(?:[.,]\d+)?)?[分분]?)?(?:\s*(?P<half>%(halves)s)(?!\w)\.?)?"
    r"(?(minute)|(?(half)|(?!)))"
    rf"(?:\s*{cldr.ZONE})?(?![\w.]\d|\w))?"
)
"""A full hour may stand alone where the half of the day does not: `7 p.m.`"""
_YEAR, _MONTH, _DAY = r"(?P<year>%(years)s)", r"(?P<month>\d{1,2})", r"(?P<day>\d{1,2})"
_AUTO_DAYS = (
    rf"{_YEAR}(?P<sep>[./-]| [./-]? ?|\. ){_MONTH}(?P=sep){_DAY}",
    rf"{_YEAR} ?[年년] ?{_MONTH} ?[月월] ?{_DAY} ?[日号일]",
    rf"{_YEAR}\.? *%(name)s,? *{_DAY}",
    rf"{_DAY}(?:\.|st|nd|rd|th|er|º|ª)?(?: of| de|-)?[ -]?%(name)s,?(?: de| nam|-)? ?{_YEAR}",
    rf"%(name)s {_DAY}(?:st|nd|rd|th)?,? {_YEAR}",
    rf"{_DAY}\. ?{_MONTH}\. ?{_YEAR}",
)
_SLASHED = {
    "d": (rf"{_DAY}(?P<sep>[/-]){_MONTH}(?P=sep){_YEAR}",),
    "M": (rf"{_MONTH}(?P<sep>[/-]){_DAY}(?P=sep){_YEAR}",),
}
"""With slashes only the language says which number is the day; where it writes the year first, none does."""
_OF_OTHER_CALENDAR = linear_at(r"(?:1[34]|2[45])\d\d\D")
"""Years of other calendars, written as ISO 8601 writes Gregorian days."""


_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = linear(rf"\b({'|'.join(_WEEKDAYS)})[a-z]*\.?,?\s*(?=\d)", re.IGNORECASE)


_SECONDS = linear_at(r"\d{10}(?:\d{3})?")
"""Seconds or milliseconds since 1970."""
_ZONE_ELSEWHERE = linear_at(r"(?!America/|Etc/|US/)[^/]*/")
"""Zones but those of America, where English writes the month first, and those of nowhere."""


def find_auto(text: str, whole: bool, language: str | None, zone: tzinfo) -> ReadDate | None:
    """Return the date of an unmistakable form: every one of them names its year and its day."""
    if whole:
        return _find_for_machines(text, zone)
    searched = cldr.plain(text)
    if not linear(rf"(?<!\d){cldr.years_regex(language)}(?!\d)").search(searched):
        return None
    weekday = _WEEKDAY.search(searched)
    for tongue, pattern in _auto_patterns_of(language, zone, has_weekday=weekday is not None):
        match = pattern.search(searched)
        read = _read_match(match, text, _Place(tongue, zone, None))
        if read and not _is_another_weekday(read, match, weekday):
            return read
    return _read_english(text, zone)


def _find_for_machines(text: str, zone: tzinfo) -> ReadDate | None:
    """Return the date of a text that is nothing else: seconds, or ISO 8601."""
    if _SECONDS.fullmatch(text):
        return ReadDate(written_moment(datetime.fromtimestamp(int(text[:10]), zone)), text)
    return _find_iso(text, zone) if len(text) >= DAY and not _OF_OTHER_CALENDAR.match(text) else None


def _is_another_weekday(read: ReadDate, match: re.Match[str] | None, weekday: re.Match[str] | None) -> bool:
    """Return True if the day that stands right before a date is not its weekday."""
    if match is None or weekday is None or match.start() != weekday.end():
        return False
    return _WEEKDAYS.index(weekday[1].lower()) != date.fromisoformat(read.value[:DAY]).weekday()


def _auto_patterns_of(
    language: str | None,
    zone: tzinfo,
    *,
    has_weekday: bool,
) -> Iterator[tuple[str, re.Pattern[str]]]:
    """Yield the patterns that may fit, each with the language of its names.

    English writes the month first in America alone: elsewhere, by the clock of the portal, the day, if it can
    be one. But beside the name of a weekday programs write the month first wherever they are.
    """
    place = getattr(zone, "key", "")
    is_elsewhere = language in (None, "en") and _ZONE_ELSEWHERE.match(place) is not None
    orders = ("en-GB", language) if is_elsewhere else (language,)
    for tongue, ordered_as in product(tongues(language), orders[::-1] if has_weekday else orders):
        for pattern in _auto_patterns(tongue, ordered_as):
            yield tongue, pattern


def tongues(language: str | None) -> tuple[str, ...]:
    """Return a language and English, in which programs write wherever they are."""
    tongue = language or "en"
    return (tongue,) if tongue.startswith("en") else (tongue, "en")


@lru_cache(maxsize=64)
def _auto_patterns(names: str | None, language: str | None) -> tuple[re.Pattern[str], ...]:
    """Return the patterns with the months' names of one language, and the order of days and months of another
    one; at last those of CLDR for the former."""
    name = f"(?P<month>{cldr.names_regex(cldr.month_names(names))})"
    order = str(cldr.locale_of(language).date_formats["short"].pattern)[0]
    forms = (*_AUTO_DAYS, *_SLASHED.get(order, ()))
    days = [form % {"name": name, "years": cldr.years_regex(names)} for form in forms]
    written = [str(cldr.locale_of(names).date_formats[width].pattern) for width in ("long", "medium")]
    days += [cldr.pattern_text(cldr.read_pattern(text), names) for text in written if "yy" not in text]
    time_of_day = _TIME % {"halves": cldr.any_of(cldr.written_halves(names))}
    return tuple(linear(rf"(?<!\d){day}(?!\d){time_of_day}", re.IGNORECASE) for day in days)


def _read_english(text: str, zone: tzinfo) -> ReadDate | None:
    """Return the date that dateutil reads in a text with words; it fills in what a text lacks, so two
    fillings must agree."""
    if not linear(r"[A-Za-z]{3}").search(text):
        return None
    from dateutil.parser import parse as dateutil_parse  # needed for few dates, and slow to load

    fillings = datetime(1996, 2, 3), datetime(2003, 11, 25, 13, 47, 11)
    # it warns of zones that it does not know
    zones = {name.upper(): minutes * 60 for name, minutes in cldr.ABBREVIATIONS.items()}
    try:
        first, other = (dateutil_parse(text, default=filling, tzinfos=zones) for filling in fillings)
        if first.date() != other.date():
            return None
        is_moment = first.timetz() == other.timetz()
        return ReadDate(written_moment(first, zone) if is_moment else first.date().isoformat(), text)
    except (ValueError, OverflowError, TypeError):
        return None
