"""From dates as they were matched to ISO 8601; and the forms that need no pattern: ISO 8601 itself, and a careful `auto`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta, timezone, tzinfo
from functools import lru_cache
from typing import NamedTuple

from webarticlecurator.dates.names import fold, half_names, locale_of, month_names, names_regex, plain


class ReadDate(NamedTuple):
    """A date, and which words of the text say it."""

    value: str
    """ISO 8601."""
    written: str


ABBREVIATIONS = {
    **dict.fromkeys(("z", "utc", "gmt", "wet"), 0),
    **dict.fromkeys(("bst", "cet", "met", "mez", "west"), 60),
    **dict.fromkeys(("cest", "mest", "mesz", "eet"), 120),
    **dict.fromkeys(("eest", "msk"), 180),
    "edt": -240,
    **dict.fromkeys(("est", "cdt"), -300),
    **dict.fromkeys(("cst", "mdt"), -360),
    **dict.fromkeys(("mst", "pdt"), -420),
    "pst": -480,
}
ZONE = r"(?P<zone>(?:gmt|utc)?[+\-−]\d{1,2}:?(?:\d\d)?|" + "|".join(sorted(ABBREVIATIONS, key=len, reverse=True)) + ")"
"""A zone at the end of a time, as a named group."""


def value_of(found: re.Match[str], language: str | None, zone: tzinfo, now: datetime | None) -> str | None:
    groups = {name: value for name, value in found.groupdict().items() if value is not None}
    month = groups.get("month")
    numbers = {name: int(value) for name, value in groups.items() if value.isdigit()}
    if month is not None and not month.isdigit():
        numbers["month"] = month_names(language)[fold(month)]
    if "year" in numbers and len(groups["year"]) == 2:
        numbers["year"] = _century(numbers["year"], now)
    if "half" in groups:
        numbers["hour"] = numbers.get("hour", 0) % 12 + half_names(language)[fold(groups["half"])]
    offset = _offset(groups["zone"]) if "zone" in groups else None
    try:
        return _assembled(numbers, offset or zone, now)
    except (ValueError, OverflowError):
        return None


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
    return moment(value, zone)


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


def _century(two_digits: int, now: datetime | None) -> int:
    """CLDR's rule: from 80 years before the capture to 20 years after it."""
    present = now.year if now is not None else 2048
    year = present - present % 100 + two_digits
    return year - 100 if year > present + 20 else year


def _offset(text: str) -> tzinfo | None:
    folded = text.lower().replace("−", "-")
    if folded in ABBREVIATIONS:
        return timezone(timedelta(minutes=ABBREVIATIONS[folded]))
    sign, digits = re.sub(r"^(gmt|utc)", "", folded)[0], re.sub(r"\D", "", folded)
    hours, minutes = (int(digits), 0) if len(digits) < 3 else (int(digits[:-2]), int(digits[-2:]))
    if hours > 15 or minutes > 59:
        return None
    return timezone((timedelta(hours=hours, minutes=minutes)) * (-1 if sign == "-" else 1))


def moment(value: datetime, zone: tzinfo) -> str | None:
    """A moment with its offset, to the second; the portal's zone where it has none."""
    try:
        aware = value if value.tzinfo is not None else value.replace(tzinfo=zone)
        return written_moment(aware)
    except (ValueError, OverflowError):
        return None


def written_moment(aware: datetime) -> str:
    """ISO 8601, to the second. It has no offsets with seconds, as towns had them before there were zones: they are told to the minute."""
    offset = aware.utcoffset() or timedelta(0)
    minutes = timezone(timedelta(minutes=round(offset.total_seconds() / 60)))
    return aware.replace(microsecond=0, tzinfo=minutes).isoformat()


# --- without a pattern ---

_ZONES = {name.upper(): minutes * 60 for name, minutes in ABBREVIATIONS.items()}
"""As dateutil wants them: it warns of those that it does not know."""
_ISO_PART = re.compile(r"(\d{4})(?:-(\d\d))?")


def find_iso(text: str, zone: tzinfo) -> ReadDate | None:
    """A day, a month, a year, or a moment; nothing else stands in the text."""
    value = _read_iso(text, zone)
    return ReadDate(value, text) if value is not None else None


def _read_iso(text: str, zone: tzinfo) -> str | None:
    if part := _ISO_PART.fullmatch(text):
        return text if int(part[1]) and (part[2] is None or 1 <= int(part[2]) <= 12) else None
    try:
        if len(text) <= 10 and ":" not in text and "T" not in text:
            return date.fromisoformat(text).isoformat()
        return moment(datetime.fromisoformat(text), zone)
    except (ValueError, OverflowError):
        return None


_EPOCH = re.compile(r"\d{10}(?:\d{3})?")
_FULL_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_TIME = (
    r"(?:\D{1,4}(?P<hour>\d{1,2})(?:(?:[:.]|\s?h\s?)(?P<minute>\d\d)(?::(?P<second>\d\d)(?:[.,]\d+)?)?)?"
    rf"(?:\s*(?P<half>[ap]\.?m\b))?(?(minute)|(?(half)|(?!)))(?:\s*{ZONE})?(?![\w.]\d|\w))?"
)
"""A full hour may stand alone where the half of the day does not: `7 p.m.`"""
_YEAR, _MONTH, _DAY = r"(?P<year>(?:19|20)\d\d)", r"(?P<month>\d{1,2})", r"(?P<day>\d{1,2})"
_AUTO_DAYS = (
    rf"{_YEAR}(?P<sep>[./-]| [./-]? ?|\. ){_MONTH}(?P=sep){_DAY}",
    rf"{_YEAR}年{_MONTH}月{_DAY}日",
    rf"{_YEAR}\.? *%(name)s,? *{_DAY}",
    rf"{_DAY}(?:\.|st|nd|rd|th|er|º|ª)?(?: of| de|-)?[ -]?%(name)s,?(?: de|-)? ?{_YEAR}",
    rf"%(name)s {_DAY}(?:st|nd|rd|th)?,? {_YEAR}",
    rf"{_DAY}\. ?{_MONTH}\. ?{_YEAR}",
)
_SLASHED = {"d": rf"{_DAY}(?P<sep>[/-]){_MONTH}(?P=sep){_YEAR}", "M": rf"{_MONTH}(?P<sep>[/-]){_DAY}(?P=sep){_YEAR}"}
"""With slashes only the language says which number is the day; where it writes the year first, none does."""


def find_auto(text: str, whole: bool, language: str | None, zone: tzinfo) -> ReadDate | None:
    """Unmistakable forms only: every one of them names its year and its day."""
    if whole:
        if _EPOCH.fullmatch(text):
            return ReadDate(written_moment(datetime.fromtimestamp(int(text[:10]), zone)), text)
        return find_iso(text, zone) if len(text) >= 10 else None
    if not _FULL_YEAR.search(text):
        return None
    order = str(locale_of(language).date_formats["short"].pattern)[0]
    searched = plain(text)
    for tongue in dict.fromkeys((language, "en")):
        for pattern in _auto_patterns(tongue, order):
            found = pattern.search(searched)
            value = value_of(found, tongue, zone, None) if found else None
            if found and value is not None:
                return ReadDate(value, text[slice(*found.span())])
    value = _read_english(text, zone)
    return ReadDate(value, text) if value is not None else None


@lru_cache(maxsize=64)
def _auto_patterns(language: str | None, order: str) -> tuple[re.Pattern[str], ...]:
    name = f"(?P<month>{names_regex(month_names(language), in_plain_text=True)})"
    days = [day % {"name": name} if "%(name)s" in day else day for day in _AUTO_DAYS]
    if order in _SLASHED:
        days.append(_SLASHED[order])
    return tuple(re.compile(rf"(?<!\d){day}(?!\d){_TIME}", re.IGNORECASE) for day in days)


def _read_english(text: str, zone: tzinfo) -> str | None:
    """The rest, by dateutil, where it is spelt with words; it fills in what a text lacks, so two fillings must agree."""
    if not re.search(r"[A-Za-z]{3}", text):
        return None
    from dateutil.parser import parse as dateutil_parse  # needed for few dates, and slow to load

    fillings = datetime(1996, 2, 3), datetime(2003, 11, 25, 13, 47, 11)
    try:
        one, other = (dateutil_parse(text, default=filling, tzinfos=_ZONES) for filling in fillings)
    except (ValueError, OverflowError, TypeError):
        return None
    if one.date() != other.date():
        return None
    return moment(one, zone) if one.timetz() == other.timetz() else one.date().isoformat()
