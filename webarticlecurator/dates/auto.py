"""Dates that need no pattern: ISO 8601, and a careful `auto`."""

from __future__ import annotations

import re
from datetime import date, datetime, tzinfo
from functools import lru_cache

from webarticlecurator.dates.names import locale_of, month_names, names_regex
from webarticlecurator.dates.values import ABBREVIATIONS, ZONE, moment, value_of

_ZONES = {name.upper(): minutes * 60 for name, minutes in ABBREVIATIONS.items()}
"""As dateutil wants them: it warns of those that it does not know."""
_ISO_PART = re.compile(r"(\d{4})(?:-(\d\d))?")


def read_iso(text: str, zone: tzinfo) -> str | None:
    """A day, a month, a year, or a moment."""
    if part := _ISO_PART.fullmatch(text):
        return text if part[2] is None or 1 <= int(part[2]) <= 12 else None
    try:
        if len(text) <= 10 and ":" not in text and "T" not in text:
            return date.fromisoformat(text).isoformat()
        return moment(datetime.fromisoformat(text), zone)
    except (ValueError, OverflowError):
        return None


_EPOCH = re.compile(r"\d{10}(?:\d{3})?")
_FULL_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_TIME = (
    r"(?:\D{1,4}(?P<hour>\d{1,2})[:.](?P<minute>\d\d)(?::(?P<second>\d\d))?(?:[.,]\d+)?"
    rf"(?:\s*(?P<half>[ap]\.?m\b))?(?:\s*{ZONE})?(?!\w))?"
)
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


def read_auto(text: str, whole: bool, language: str | None, zone: tzinfo) -> str | None:
    """Unmistakable forms only: every one of them names its year and its day."""
    if whole:
        if _EPOCH.fullmatch(text):
            return datetime.fromtimestamp(int(text[:10]), zone).isoformat()
        return read_iso(text, zone) if len(text) >= 10 else None
    if not _FULL_YEAR.search(text):
        return None
    order = str(locale_of(language).date_formats["short"].pattern)[0]
    for tongue in dict.fromkeys((language, "en")):
        for pattern in _auto_patterns(tongue, order):
            found = pattern.search(text)
            value = value_of(found, tongue, zone, None) if found else None
            if value is not None:
                return value
    return _read_english(text, zone)


@lru_cache(maxsize=64)
def _auto_patterns(language: str | None, order: str) -> tuple[re.Pattern[str], ...]:
    name = f"(?P<month>{names_regex(month_names(language))})"
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
