"""From the parts of a date as they were matched to ISO 8601."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import date, datetime, timedelta, timezone, tzinfo

from webarticlecurator.dates.names import fold, half_names, month_names

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
    if "hour" not in parts:
        if year is not None and day is None:
            return f"{date(year, month or 1, 1):%Y-%m}" if month is not None else f"{date(year, 1, 1):%Y}"
        found = _day(year, month, day, zone, now)
        return found.isoformat() if found else None
    base = _day(year, month, day, zone, now)
    if base is None:
        return None
    hour = 0 if parts["hour"] == 24 else parts["hour"]
    value = datetime(base.year, base.month, base.day, hour, parts.get("minute", 0), parts.get("second", 0), tzinfo=zone)
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
        return aware.replace(microsecond=0).isoformat()
    except (ValueError, OverflowError):
        return None
