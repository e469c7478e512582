"""Dates as portals write them: CLDR patterns with month names of any language, ISO 8601, a careful `auto`; ages, days in addresses."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, time, timedelta, timezone, tzinfo
from functools import lru_cache
from itertools import product
from typing import Literal, NamedTuple, get_args

from babel import Locale
from babel.dates import format_date as babel_format_date
from babel.dates import format_timedelta

from webarticlecurator.budget import allowed
from webarticlecurator.dates import cldr
from webarticlecurator.dates.cldr import DateFormatError, Tokens
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import normalised, primary
from webarticlecurator.urls import split

__all__ = ["DateFormatError"]

DAY = len("2024-05-01")
"""Characters of ISO 8601 that tell the day."""
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
    _tokens: Tokens = field(compare=False, repr=False)

    @classmethod
    def parse(cls, text: str) -> DateFormat:
        """Raises DateFormatError."""
        return cls(text, () if text in ("iso", "auto") else cldr.read_pattern(text))


def find_date(formats: Sequence[DateFormat], text: str, *, language: str | None, timezone: tzinfo, now: datetime | None) -> ReadDate | None:
    """ISO 8601 with offset; a day without a time stays a day. None where the text holds no such date.

    It is what the first fitting format reads: one that fits the whole text goes before one that fits a part of it. A pattern
    without year (or day) counts back from `now`, the moment of the capture.
    """
    line = _one_line(text)
    for whole, format in product((True, False), formats if line else ()):
        if format.text == "iso":
            read = _find_iso(line, timezone) if whole else None
        elif format.text == "auto":
            read = _find_auto(line, whole, language, timezone)
        else:
            allowed(format.text)
            pattern, searched = cldr.pattern_regex(format._tokens, language), cldr.plain(line)
            read = _read_match(pattern.fullmatch(searched) if whole else pattern.search(searched), line, language, timezone, now)
        if read is not None:
            return read
    return None


def _one_line(text: str) -> str:
    """A text as dates are read from it; empty where it is too long for one."""
    line = normalised("NFC", " ".join(text[: cldr.MAX_LENGTH * 4].translate(cldr.PLAIN_BLANKS).split()))
    return line if len(line) <= cldr.MAX_LENGTH else ""


def _read_match(match: re.Match[str] | None, text: str, language: str | None, zone: tzinfo, now: datetime | None) -> ReadDate | None:
    """The date or moment that a pattern matched in the `plain` form of a text; None where there is no such day."""
    if match is None:
        return None
    groups = {name: value for name, value in match.groupdict().items() if value is not None}
    month = groups.get("month")
    numbers = {name: int(value) for name, value in groups.items() if value.isdigit()}
    if month is not None and not month.isdigit():
        numbers["month"] = cldr.month_names(language)[cldr.fold(month)]
    if "year" in numbers and len(groups["year"]) == 2:
        # CLDR's rule: from 80 years before the capture to 20 years after it
        present = now.year if now is not None else 2048
        year = present - present % 100 + numbers["year"]
        numbers["year"] = year - 100 if year > present + 20 else year
    if "hour" in numbers:
        numbers["hour"] = cldr.hour_of_day(numbers["hour"], groups.get("half") or groups.get("before"), language)
    offset = _offset(groups["zone"]) if "zone" in groups else None
    try:
        value = _assembled(cldr.gregorian(numbers, language), offset or zone, now)
    except (ValueError, OverflowError):
        return None
    return ReadDate(value, text[slice(*match.span())]) if value is not None else None


def _assembled(parts: Mapping[str, int], zone: tzinfo, now: datetime | None) -> str | None:
    year, month, day = (parts.get(name) for name in ("year", "month", "day"))
    if "hour" not in parts and year is not None and day is None:
        return date(year, month or 1, 1).isoformat()[: len("yyyy-mm") if month is not None else len("yyyy")]
    base = _day(year, month, day, zone, now)
    if base is None or "hour" not in parts:
        return base.isoformat() if base else None
    value = datetime(base.year, base.month, base.day, parts["hour"] % 24, parts.get("minute", 0), parts.get("second", 0), tzinfo=zone)
    value += timedelta(days=parts["hour"] == 24)
    if day is None and now is not None and value > now:
        value -= timedelta(days=1)
    return written_moment(value)


def _day(year: int | None, month: int | None, day: int | None, zone: tzinfo, now: datetime | None) -> date | None:
    """The day; what the text does not say is taken from the capture: the latest such day that had come by then."""
    if year is not None:
        return date(year, month, day) if month is not None and day is not None else None
    if now is None or (month is None) != (day is None):
        return None
    today = now.astimezone(zone).date()
    if month is None or day is None:
        return today
    this_year = date(today.year, month, day)
    return this_year if this_year <= today + timedelta(days=1) else date(today.year - 1, month, day)


def _offset(text: str) -> tzinfo | None:
    folded = text.lower().replace("−", "-")
    if folded in cldr.ABBREVIATIONS:
        return timezone(timedelta(minutes=cldr.ABBREVIATIONS[folded]))
    sign, digits = linear(r"^(gmt|utc)").sub("", folded)[0], linear(r"\D").sub("", folded)
    hours, minutes = (int(digits), 0) if len(digits) < 3 else (int(digits[:-2]), int(digits[-2:]))
    if hours > 15 or minutes > 59:
        return None
    return timezone((timedelta(hours=hours, minutes=minutes)) * (-1 if sign == "-" else 1))


def written_moment(moment: datetime, zone: tzinfo = UTC) -> str:
    """ISO 8601, to the second; in a zone where it tells none. Offsets, which towns had with seconds, are told to the minute."""
    aware = moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)
    minutes = timezone(timedelta(minutes=round((aware.utcoffset() or timedelta(0)).total_seconds() / 60)))
    return aware.replace(microsecond=0, tzinfo=minutes).isoformat()


def by_clock(value: str, zone: tzinfo) -> str:
    """A moment told in UTC by the clock of a zone; any other text as it is."""
    try:
        return written_moment(datetime.fromisoformat(value).astimezone(zone)) if value.endswith(("Z", "+00:00")) else value
    except (OverflowError, ValueError):  # the end of time, for what has no date; and what is none
        return value


def in_reach(day: date) -> bool:
    """True if clocks of all zones can tell it, and the days around it: not so in the first and in the last year that there are."""
    return MINYEAR < day.year < MAXYEAR


def latest_moment(value: str) -> datetime | None:
    """The last moment, UTC, that ISO 8601 may mean; a day is over when it is over everywhere on earth. A time without offset is UTC.

    None where it tells none, or one at the beginning or the end of time.
    """
    try:
        if ":" in value:
            moment = datetime.fromisoformat(value)
            moment = (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)).astimezone(UTC)
        else:
            year, month, day = (*(int(part) for part in value.split("-")), 0, 0)[:3]
            after = date(year, month, day) + timedelta(days=1) if day else date(year + month // 12, month % 12 + 1, 1)
            moment = datetime.combine(after if month else date(year + 1, 1, 1), time(12), UTC)
        return moment if in_reach(moment) else None
    except (ValueError, OverflowError):
        return None


def instant(text: str | None) -> datetime | None:
    """In UTC; None where that is no moment but a day, a month, a year: a day is not its midnight."""
    try:
        moment = datetime.fromisoformat(text or "")
        return moment.astimezone(UTC) if moment.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None


def first_day(dates: Iterable[str | None]) -> date | None:
    """Of dates as ISO 8601 writes them, and of what is none."""
    for text in filter(None, dates):
        with suppress(ValueError):
            return date.fromisoformat(text[:10])
    return None


def format_date(day: date, pattern: str, language: str | None) -> str:
    """Write a day by a CLDR pattern. Raises DateFormatError."""
    if len(pattern) > cldr.MAX_LENGTH:
        raise DateFormatError(f"the date pattern has {len(pattern)} characters; at most {cldr.MAX_LENGTH} are allowed")
    try:
        return babel_format_date(day, pattern, locale=cldr.locale_of(language))
    except (ValueError, KeyError, AttributeError) as problem:  # a length that a letter cannot have, no letter of a date
        raise DateFormatError(f"{pattern!r} is no pattern that a day can be written by: {problem}") from None


def _find_iso(text: str, zone: tzinfo) -> ReadDate | None:
    """A day, a month, a year, or a moment; nothing else stands in the text."""
    value: str | None
    try:
        if part := linear_at(r"(\d{4})(?:-(\d\d))?").fullmatch(text):
            value = text if int(part[1]) and (part[2] is None or 1 <= int(part[2]) <= 12) else None
        elif len(text) <= 10 and ":" not in text and "T" not in text:
            value = date.fromisoformat(text).isoformat()
        else:
            value = written_moment(datetime.fromisoformat(text), zone)
    except (ValueError, OverflowError):
        return None
    return ReadDate(value, text) if value is not None else None


_TIME = (
    r"(?:(?:\D{0,6}?(?P<before>%(halves)s)\.?\s?|\D{1,6}?)(?P<hour>\d{1,2})(?:(?:[:.]|\s?[h時时點点시]\s?)(?P<minute>\d\d)"
    r"(?::(?P<second>\d\d)(?:[.,]\d+)?)?[分분]?)?(?:\s*(?P<half>%(halves)s)(?!\w)\.?)?(?(minute)|(?(half)|(?!)))"
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
_SLASHED = {"d": rf"{_DAY}(?P<sep>[/-]){_MONTH}(?P=sep){_YEAR}", "M": rf"{_MONTH}(?P<sep>[/-]){_DAY}(?P=sep){_YEAR}"}
"""With slashes only the language says which number is the day; where it writes the year first, none does."""
_OF_OTHER_CALENDAR = linear_at(r"(?:1[34]|2[45])\d\d\D")
"""Which is written as ISO 8601 writes Gregorian days."""


_WEEKDAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_WEEKDAY = linear(rf"\b({'|'.join(_WEEKDAYS)})[a-z]*\.?,?\s*(?=\d)", re.IGNORECASE)


def _find_auto(text: str, whole: bool, language: str | None, zone: tzinfo) -> ReadDate | None:
    """Unmistakable forms only: every one of them names its year and its day."""
    if whole:
        if linear_at(r"\d{10}(?:\d{3})?").fullmatch(text):
            return ReadDate(written_moment(datetime.fromtimestamp(int(text[:10]), zone)), text)
        return _find_iso(text, zone) if len(text) >= 10 and not _OF_OTHER_CALENDAR.match(text) else None
    searched = cldr.plain(text)
    if not linear(rf"(?<!\d){cldr.years_regex(language)}(?!\d)").search(searched):
        return None
    # English writes the month first in America alone: elsewhere, by the clock of the portal, the day, if it can be one
    place = getattr(zone, "key", "")
    is_elsewhere = "/" in place and not place.startswith(("America/", "Etc/", "US/"))
    weekday = _WEEKDAY.search(searched)  # beside which programs write the month first wherever they are
    orders = ("en-GB", language) if language in (None, "en") and is_elsewhere else (language,)
    for tongue, ordered_as in product(_tongues(language), orders[::-1] if weekday else orders):
        for pattern in _auto_patterns(tongue, ordered_as):
            match = pattern.search(searched)
            read = _read_match(match, text, tongue, zone, None)
            if read and match and weekday and match.start() == weekday.end():
                read = read if _WEEKDAYS.index(weekday[1].lower()) == date.fromisoformat(read.value[:10]).weekday() else None
            if read:
                return read
    value = _read_english(text, zone)
    return ReadDate(value, text) if value is not None else None


def _tongues(language: str | None) -> tuple[str, ...]:
    """A language and English, in which programs write wherever they are."""
    return (language or "en",) if (language or "en").startswith("en") else (language or "", "en")


@lru_cache(maxsize=64)
def _auto_patterns(names: str | None, language: str | None) -> tuple[re.Pattern[str], ...]:
    """With the months' names of one language, and the order of days and months of another one; at last as CLDR writes the former."""
    name = f"(?P<month>{cldr.names_regex(cldr.month_names(names))})"
    order = str(cldr.locale_of(language).date_formats["short"].pattern)[0]
    days = [day % {"name": name, "years": cldr.years_regex(names)} for day in (*_AUTO_DAYS, *filter(None, (_SLASHED.get(order),)))]
    written = (str(cldr.locale_of(names).date_formats[width].pattern) for width in ("long", "medium"))
    days += [cldr.pattern_text(cldr.read_pattern(pattern), names) for pattern in written if "yy" not in pattern]
    time_of_day = _TIME % {"halves": cldr.any_of(cldr.written_halves(names))}
    return tuple(linear(rf"(?<!\d){day}(?!\d){time_of_day}", re.IGNORECASE) for day in days)


def _read_english(text: str, zone: tzinfo) -> str | None:
    """The rest, by dateutil, where it is spelt with words; it fills in what a text lacks, so two fillings must agree."""
    if not linear(r"[A-Za-z]{3}").search(text):
        return None
    from dateutil.parser import parse as dateutil_parse  # needed for few dates, and slow to load

    fillings = datetime(1996, 2, 3), datetime(2003, 11, 25, 13, 47, 11)
    zones = {name.upper(): minutes * 60 for name, minutes in cldr.ABBREVIATIONS.items()}  # it warns of those that it does not know
    try:
        first, other = (dateutil_parse(text, default=filling, tzinfos=zones) for filling in fillings)
        if first.date() != other.date():
            return None
        return written_moment(first, zone) if first.timetz() == other.timetz() else first.date().isoformat()
    except (ValueError, OverflowError, TypeError):
        return None


_LONGEST_AGE = 60
"""Characters; a longer text is a sentence, and what it tells the age of is not the article."""
_Unit = Literal["second", "minute", "hour", "day", "week"]
_UNITS: dict[_Unit, timedelta] = {unit: timedelta(**{f"{unit}s": 1}) for unit in get_args(_Unit)}
"""Of months and years ago only the month or year would be known."""
_AND = r"\s*(?:,\s*)?(?:[^\W\d_]{1,3}\s+)?"
_PART_BEFORE = linear(rf"(?<!\w)(?P<number>\d{{1,4}}\s?)?(?P<unit>[^\W\d_]+)\.?{_AND}$")
_PART_BEHIND = linear_at(rf"{_AND}(?<!\w)(?P<number>\d{{1,4}})\s?(?P<unit>[^\W\d_]+)(?!\w)")
"""Other parts of one age: "a year , 2 weeks ago"."""
_STEM = 3
"""Letters that a unit has in all its forms."""
_SAMPLES = (1, 2, 3, 5, 11, 21, 100)
"""Numbers that together have every plural form of every language."""
_WIDTHS: tuple[Literal["long", "short"], ...] = ("long", "short")
_CLOCK = (
    r"(?:\D{0,6}?(?P<before>%(halves)s)\.?\s?|\D{1,6}?)(?P<hour>[01]?\d|2[0-4])[:.](?P<minute>[0-5]\d)(?::(?P<second>[0-5]\d))?(?!\d)"
    r"(?:\s?(?P<half>%(halves)s)(?!\w))?"
)


def find_relative(text: str, *, language: str | None, timezone: tzinfo, now: datetime) -> ReadDate | None:
    """ISO 8601; a day where the text is no more exact than that. None where it tells no age."""
    if len(text) > 200:  # as long as notes of who edited a post, when, and why
        return None
    with suppress(OverflowError):  # before the first of all years; or a foreign file dates its capture to the end of time
        now = now.astimezone(timezone).replace(microsecond=0)
        for tongue in _tongues(language):
            for unit, pattern in _ages(tongue) if len(text) <= _LONGEST_AGE else ():
                if match := pattern.search(text):
                    return _ago(match, unit, tongue, now)
            for days, (with_clock, alone) in enumerate(_named_days(tongue)):
                day = now - timedelta(days=days)
                if match := with_clock.search(text):
                    hour = cldr.hour_of_day(int(match["hour"]), match["half"] or match["before"], tongue)
                    day = day.replace(hour=hour % 24, minute=int(match["minute"]), second=int(match["second"] or 0))
                    return ReadDate(written_moment(day), match[0].strip())
                if len(text) <= _LONGEST_AGE and (match := alone.search(text)):
                    return ReadDate(day.date().isoformat(), match[0].strip())
    return None


def _ago(match: re.Match[str], unit: timedelta, language: str | None, now: datetime) -> ReadDate | None:
    parts = _PART_BEFORE.search(match.string, 0, match.start()), _PART_BEHIND.match(match.string, match.end())
    told, words = [(part["number"], part["unit"].casefold()) for part in parts if part], _unit_words(language)
    stems = {word[:_STEM] for word in words}
    # without its number only the whole word is a unit: a month, and no Monica
    if any(unit in words or (number and unit[:_STEM] in stems) for number, unit in told):
        return None  # an age of several units
    number = int("".join(filter(str.isdigit, match[0])))
    then = (now.astimezone(UTC) - unit * number).astimezone(now.tzinfo)  # clocks may have been changed since
    return ReadDate(written_moment(then) if unit <= timedelta(hours=1) else then.date().isoformat(), match[0])


@lru_cache(maxsize=64)
def _unit_words(language: str | None) -> frozenset[str]:
    ages = (timedelta(days=days) for days in (1 / 1440, 1 / 24, 1, 2, 7, 14, 30, 60, 365, 730))
    written = (format_timedelta(age, threshold=1, locale=cldr.locale_of(language)) for age in ages)
    return frozenset(match[1].casefold() for text in written if (match := linear(r"\d\s?([^\W\d_]+)").search(text)))


@lru_cache(maxsize=64)
def _ages(language: str | None) -> tuple[tuple[timedelta, re.Pattern[str]], ...]:
    """CLDR's own wordings of an age, of each unit those of each plural form."""
    locale = cldr.locale_of(language)
    wordings = {unit: {_wording(unit, number, width, locale) for number in _SAMPLES for width in _WIDTHS} - {""} for unit in _UNITS}
    return tuple((_UNITS[unit], linear("|".join(sorted(those)), re.IGNORECASE)) for unit, those in wordings.items() if those)


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
    names = cldr.DATE_WORDS.get(f"days {primary(language or 'en')}", ())
    words = [re.escape(name).replace("'", "['’]") + r"(?!\w)" for name in names]
    clock = _CLOCK % {"halves": cldr.any_of(cldr.written_halves(language))}
    return tuple((linear(rf"(?<!\w){word}{clock}", re.IGNORECASE), linear(rf"^\W*{word}", re.IGNORECASE)) for word in words)


_FOR_MACHINES = linear_at(r"(?:19|20)\d\d([-/.]?)\d\d?\1\d\d?(?:[T_\s].*)?|\d{10}(?:\d{3})?", re.DOTALL)
"""What programs write for programs: no words of the page."""
_ZERO = linear_at(r"000\d-|1970-01-01[T ]00:00:00|0+$")
"""Where the calendars of programs begin: an empty field, not a date."""
_NAMED_MONTH = linear(r"\d\W{1,3}(?:de )?[^\W\d_]{3,}\W{1,3}(?:de )?(?:19|20)\d\d|(?:19|20)\d\d\W{1,3}[^\W\d_]{3,}\W{1,3}\d")
_GUESSED = {
    linear("[\u0400-\u04ff]"): ("ru", "uk", "bg", "sr"),
    linear("[\u0370-\u03ff]"): ("el",),
    linear(""): ("de", "fr", "es", "it", "pt", "nl", "pl", "hu", "cs", "sv", "nb", "fi", "tr", "ro"),
}
"""Then months are tried in the languages of the script that the text is written in."""


@dataclass(frozen=True, slots=True)
class Clock:
    """What the dates of a page are read against."""

    zone: tzinfo
    """Of dates without an offset."""
    language: str | None
    now: datetime
    """When the page was captured."""


def read_moment(text: str, clock: Clock) -> str | None:
    """A day or a moment with its offset, from a value that is meant to be a date."""
    moment = _find_anyhow(text.strip().strip("\"'"), clock.language, clock)
    return moment.value if moment is not None else None


def find_visible(text: str, clock: Clock) -> ReadDate | None:
    """The same from what a reader of the page sees, where it may be an age; with the words that say it, if they are words."""
    text = text.strip()
    languages: tuple[str | None, ...] = (clock.language,)
    if clock.language in {None, "en", "en-US"} and _NAMED_MONTH.search(text):  # of owners who never set it
        languages += next(guessed for script, guessed in _GUESSED.items() if script.search(text))
    for language in languages:
        if moment := _find_anyhow(text, language, clock):
            return moment._replace(written="") if _FOR_MACHINES.fullmatch(text) else moment
    return find_relative(text, language=clock.language, timezone=clock.zone, now=clock.now)


def _find_anyhow(text: str, language: str | None, clock: Clock) -> ReadDate | None:
    day = linear_at(r"\s*((?:19|20)\d\d)(\d\d)(\d\d)\s*").fullmatch(text)
    line = "" if _ZERO.match(text) else "-".join(day.groups()) if day else _one_line(text[: cldr.MAX_LENGTH])
    return (_find_auto(line, True, language, clock.zone) or _find_auto(line, False, language, clock.zone)) if line else None


def read_visible(text: str, clock: Clock) -> str | None:
    """Its value."""
    moment = find_visible(text, clock)
    return moment.value if moment is not None else None


_URL_YEAR, _URL_MONTH, _URL_DAY = r"(?P<year>(?:19[89]|20[0-4])\d)", r"(?P<month>0?[1-9]|1[0-2])", r"(?P<day>0?[1-9]|[12]\d|3[01])"
_IN_PATH = (
    linear(rf"(?<!\d){_URL_YEAR}/{_URL_MONTH}/{_URL_DAY}(?=/|;|$|\.[a-z]+$)"),
    linear(rf"(?<!\d){_URL_YEAR}(?P<sep>[_-]){_URL_MONTH}(?P=sep){_URL_DAY}(?!\d)"),
    linear(r"(?<!\d)(?P<year>20[0-4]\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)"),
)
"""Parts of the path, of which the last is nothing but the day: a title may begin with a number. Or all of it in one part."""
_MONTH_IN_PATH = linear(rf"/{_URL_YEAR}[/-]{_URL_MONTH}/(?=[^/]*[^\W\d])")
"""A title stands behind it: `/forum/2021/6` is the sixth page of a thread."""


def day_in_url(url: str) -> str | None:
    """The day in the path, as ISO 8601."""
    path = split(url).path
    match = next(filter(None, (pattern.search(path) for pattern in _IN_PATH)), None)
    return f"{match['year']}-{int(match['month']):02}-{int(match['day']):02}" if match else None


def month_in_url(url: str) -> str | None:
    """The month in the path, where no day is."""
    match = _MONTH_IN_PATH.search(split(url).path)
    return f"{match['year']}-{int(match['month']):02}" if match else None
