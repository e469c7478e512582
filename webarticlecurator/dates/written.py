"""Dates in the formats that a portal file names: ISO 8601, CLDR patterns with month names of any language,
and a careful `auto`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from itertools import product
from typing import NamedTuple

from webarticlecurator.budget import allowed
from webarticlecurator.dates import cldr
from webarticlecurator.dates.cldr import Tokens
from webarticlecurator.dates.moments import DAY, at_clock, written_moment
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import normalised

LONGEST_WRITTEN = 60
"""Characters that a date is written with; what is longer says something else."""


class ReadDate(NamedTuple):
    """A date, and which words of the text say it."""

    value: str
    """The date in ISO 8601."""
    written: str


@dataclass(frozen=True, slots=True)
class DateFormat:
    """A format of dates: `iso`, `auto`, or a CLDR pattern; equal when written equally."""

    text: str
    tokens: Tokens = field(compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> DateFormat:
        """Read a format. Raises DateFormatError."""
        return cls(text, () if text in ("iso", "auto") else cldr.read_pattern(text))


class Place(NamedTuple):
    """The circumstances that a date depends on beside its text."""

    language: str | None
    zone: tzinfo
    now: datetime | None
    """The moment of the capture, or the last one at which it may have been made."""
    is_all: bool = False
    """True if the text is meant to be a date, and nothing else: then two digits may be its year."""
    weekday: re.Match[str] | None = None
    """The name of a day before a number of the text."""
    order: str = ""
    """The order of day, month and year that is usual: "dMy"."""


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
    line, place = one_line(text), Place(language, timezone, now)
    for whole, form in product((True, False), formats):
        read = _find_by(form, line, whole, place)
        if read is not None:
            return read
    return None


def _find_by(form: DateFormat, line: str, whole: bool, place: Place) -> ReadDate | None:
    """Return the date that a format reads in a text, or in a part of it."""
    if form.text == "iso":
        return _find_iso(line, place.zone) if whole else None
    if form.text == "auto":
        return find_auto(line, whole, place)
    allowed(form.text)
    pattern, searched = cldr.pattern_regex(form.tokens, place.language), cldr.plain(line)
    return _read_match(pattern.fullmatch(searched) if whole else pattern.search(searched), line, place)


def one_line(text: str) -> str:
    """Return a text as dates are read from it; empty where it is too long for one."""
    line = normalised("NFC", " ".join(text[: cldr.MAX_LENGTH * 4].translate(cldr.PLAIN_BLANKS).split()))
    return line if len(line) <= cldr.MAX_LENGTH else ""


# --- what a pattern matched ---


def _read_match(match: re.Match[str] | None, text: str, place: Place) -> ReadDate | None:
    """Return the date or moment that a pattern matched in the `plain` form of a text; None where there is no
    such day."""
    if match is None:
        return None
    groups = {name: value for name, value in match.groupdict().items() if value is not None}
    zone = _offset(groups.get("zone", "")) or place.zone
    try:
        numbers = _numbers(groups, place) | _day_of_three(match, place)
        value = _assembled(cldr.gregorian(numbers, place.language), zone, place.now)
    except (ValueError, OverflowError, KeyError):
        return None
    return ReadDate(value, text[slice(*match.span())])


def _numbers(groups: Mapping[str, str], place: Place) -> dict[str, int]:
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
_YEAR, _DAY = r"(?P<year>%(years)s)", r"(?P<day>\d{1,2})"
_SHORT_YEAR = r"(?P<year>\d\d)"
_MIDDLE = r"(?P<middle>\d{1,2})"
_AUTO_DAYS = (
    rf"(?P<first>%(years)s)(?P<mark>[./-]| [./-]? ?|\. ){_MIDDLE}(?P=mark)(?P<last>\d{{1,2}})",
    rf"{_YEAR} ?[年년] ?(?P<month>\d{{1,2}}) ?[月월] ?{_DAY} ?[日号일]",
    rf"{_YEAR}\.? *%(name)s,? *{_DAY}",
    rf"{_DAY}(?:\.|st|nd|rd|th|er|º|ª)?(?: of| de|-)?[ -]?%(name)s,?(?: de| nam|-)? ?{_YEAR}",
    rf"%(name)s {_DAY}(?:st|nd|rd|th)?,? {_YEAR}",
    rf"(?P<first>\d{{1,2}})(?P<mark>[./-]) ?{_MIDDLE}(?P=mark) ?(?P<last>%(years)s)",
    r"(?<!\.)(?P<first>\d\d)(?P<mark>\.)(?P<middle>\d\d)\.(?P<last>\d\d)(?!\.\d)",
)
_SHORT_DAYS = (
    rf"(?P<first>\d{{1,2}})(?P<mark>[./-]) ?{_MIDDLE}(?P=mark) ?(?P<last>\d\d)(?![./-]\d)",
    rf"{_DAY}-%(name)s-{_SHORT_YEAR}",
    rf"{_DAY}\.? %(name)s,? ['’]{_SHORT_YEAR}",
    rf"%(name)s {_DAY},? ['’]{_SHORT_YEAR}",
)
"""Forms with two digits for the year that may be something else, where a text is not meant to be a date."""
_PERHAPS_YEAR = r"(?<!\d)(?:%s|\d\d?(?:[./-] ?\d\d?[./-] ?|-[^\W\d_]+-|\D{0,12}['’])\d\d)(?!\d)"
_OF_OTHER_CALENDAR = linear_at(r"(?:1[34]|2[45])\d\d\D")
"""Years of other calendars, written as ISO 8601 writes Gregorian days."""


_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = linear(rf"\b({'|'.join(_WEEKDAYS)})[a-z]*\.?,?\s*(?=\d)", re.IGNORECASE)


_SECONDS = linear_at(r"\d{10}(?:\d{3})?")
"""Seconds or milliseconds since 1970."""
_ZONE_ELSEWHERE = linear_at(r"(?!America/|Etc/|US/)[^/]*/")
"""Zones but those of America, where English writes the month first, and those of nowhere."""


def find_auto(text: str, whole: bool, place: Place) -> ReadDate | None:
    """Return the date of an unmistakable form: every one of them names its year and its day."""
    if whole:
        return _find_for_machines(text, place.zone)
    searched = cldr.plain(text)
    if not linear(_PERHAPS_YEAR % cldr.years_regex(place.language)).search(searched):
        return None
    weekday = _WEEKDAY.search(searched)
    place = place._replace(weekday=weekday, order=_usual_order(place, has_weekday=weekday is not None))
    for tongue in tongues(place.language):
        for pattern in _auto_patterns(tongue, place.is_all):
            match = pattern.search(searched)
            read = _read_match(match, text, place._replace(language=tongue))
            if read and not _is_another_weekday(date.fromisoformat(read.value[:DAY]), match, place):
                return read
    return _read_english(text, place.zone)


def _find_for_machines(text: str, zone: tzinfo) -> ReadDate | None:
    """Return the date of a text that is nothing else: seconds, or ISO 8601."""
    if _SECONDS.fullmatch(text):
        return ReadDate(written_moment(at_clock(datetime.fromtimestamp(int(text[:10]), UTC), zone)), text)
    return _find_iso(text, zone) if len(text) >= DAY and not _OF_OTHER_CALENDAR.match(text) else None


def _is_another_weekday(day: date, match: re.Match[str] | None, place: Place) -> bool:
    """Return True if the day that stands right before a date is not its weekday."""
    weekday = place.weekday
    if match is None or weekday is None or match.start() != weekday.end():
        return False
    return _WEEKDAYS.index(weekday[1].lower()) != day.weekday()


def tongues(language: str | None) -> tuple[str, ...]:
    """Return a language and English, in which programs write wherever they are."""
    tongue = language or "en"
    return (tongue,) if tongue.startswith("en") else (tongue, "en")


@lru_cache(maxsize=128)
def _auto_patterns(names: str | None, is_all: bool) -> tuple[re.Pattern[str], ...]:
    """Return the patterns with the months' names of a language; at last those of CLDR for it."""
    name = f"(?P<month>{cldr.names_regex(cldr.month_names(names))})"
    forms = _AUTO_DAYS + (_SHORT_DAYS if is_all else ())
    days = [form % {"name": name, "years": cldr.years_regex(names)} for form in forms]
    written = [str(cldr.locale_of(names).date_formats[width].pattern) for width in ("long", "medium")]
    days += [cldr.pattern_text(cldr.read_pattern(text), names) for text in written if "yy" not in text]
    time_of_day = _TIME % {"halves": cldr.any_of(cldr.written_halves(names))}
    return tuple(linear(rf"(?<!\d){day}(?!\d){time_of_day}", re.IGNORECASE) for day in days)


# --- days written as three numbers ---

_PARTS = {"d": "day", "M": "month", "y": "year"}
_ORDERS = {(4, 2): ("yMd",), (2, 4): ("dMy", "Mdy"), (2, 2): ("dMy", "Mdy", "yMd")}
"""Orders of three numbers, by the digits of the first and the last: a year has two or four."""


def _day_of_three(match: re.Match[str], place: Place) -> dict[str, int]:
    """Return the year, month and day that three numbers tell; nothing where it is no match of three.

    It is the day in the order that is usual, if that had come by the capture, else the only one that had;
    where none had, it is told all the same. Raises ValueError.
    """
    if "mark" not in match.re.groupindex:
        return {}
    first, last = (max(2, len(match[name])) for name in ("first", "last"))
    days = {order: _day_in(order, match, place) for order in _ORDERS[first, last]}
    possible = {order: day for order, day in days.items() if day is not None}
    past = {order: day for order, day in possible.items() if not _is_to_come(day, place)} or possible
    usual = "dMy" if match["mark"] == "." and place.order == "Mdy" else place.order
    others = set(past.values())
    if usual not in past and len(others) != 1:
        raise ValueError(f"{match[0]}: no order of day and month is sure")
    day = past.get(usual) or others.pop()
    return {"year": day.year, "month": day.month, "day": day.day}


def _day_in(order: str, match: re.Match[str], place: Place) -> date | None:
    """Return the day that three numbers tell in this order; None where there is none."""
    numbers = map(int, match.group("first", "middle", "last"))
    parts = {_PARTS[letter]: number for letter, number in zip(order, numbers, strict=True)}
    if parts["year"] < 100:
        parts["year"] = _whole_year(parts["year"], place.now)
    try:
        day = date(**cldr.gregorian(parts, place.language))
    except ValueError:
        return None
    return None if _is_another_weekday(day, match, place) else day


def _is_to_come(day: date, place: Place) -> bool:
    """Return True for a day that had not come anywhere on earth by the capture."""
    return place.now is not None and (day - place.now.date()).days > 1


_THREE_NUMBERS = linear(r"(?<!\d)\d\d?([./-]) ?\d\d?\1 ?(?:\d{4}|\d\d)(?!\d)")
"""A day of which another one may be meant, with its month for its day."""


def with_day_for_month(text: str, value: str) -> str:
    """Return the date that was read in a text with its day for its month; empty where that cannot be
    meant."""
    if len(value) < DAY or not _THREE_NUMBERS.search(text):
        return ""
    year, month, day = value[:DAY].split("-")
    return f"{year}-{day}-{month}{value[DAY:]}" if day <= "12" else ""


def _usual_order(place: Place, *, has_weekday: bool) -> str:
    """Return the order of day, month and year that is usual.

    English writes the month first in America alone: elsewhere, by the clock of the portal, the day. But
    beside the name of a weekday programs write the month first wherever they are.
    """
    order = _written_order(place.language)
    may_be_elsewhere = place.language in (None, "en") and not has_weekday
    is_elsewhere = may_be_elsewhere and _ZONE_ELSEWHERE.match(getattr(place.zone, "key", "")) is not None
    return "dMy" if is_elsewhere else order


@lru_cache(maxsize=128)
def _written_order(language: str | None) -> str:
    """Return the letters of day, month and year in the order of CLDR's short pattern."""
    pattern = str(cldr.locale_of(language).date_formats["short"].pattern)
    return "".join(sorted(_PARTS, key=pattern.find))


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
