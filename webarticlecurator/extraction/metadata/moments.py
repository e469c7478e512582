"""Dates as metadata write them, to ISO 8601: every oddity of ISO, epochs, e-mail and JavaScript forms, words, ages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta, timezone, tzinfo

from webarticlecurator.dates import DateFormat, read_date
from webarticlecurator.dates.relative import read_relative

_ISO_LIKE = re.compile(
    r"(?P<year>(?:19|20)\d\d)(?P<sep>[-/.]?)(?P<month>\d\d?)(?P=sep)(?P<day>\d\d?)"
    r"(?:(?:[T_]|\s+)(?P<hour>\d\d?)[:.]?(?P<minute>\d\d)(?:[:.]?(?P<second>\d\d))?(?:[.,:]\d+)?\s*"
    r"(?P<zone>Z|UTC|GMT)?(?:(?P<sign>[+\-−])(?P<zone_hour>\d\d):?(?P<zone_minute>\d\d)?(?::\d\d)?)?(?:\[[\w/]+\])?)?",
    re.IGNORECASE,
)
_COMPACT = re.compile(r"\d{8}(?:\D\d{4,6}.*)?")
"""Without marks between its parts a date has two digits for each of them."""
_EPOCH = re.compile(r"(\d{10})(?:\.\d+|\d{3})?")
_JAVASCRIPT_ZONE = re.compile(r"\s*\((?:[A-Z]{2,5}|[^()]*\b(?:Time|Zeit|idő|heure)\b[^()]*)\)\s*$")
_ZERO = re.compile(r"000\d-|1970-01-01[T ]00:00:00|0+$")
"""Where the calendars of programs begin: an empty field, not a date."""
_AUTO = (DateFormat.parse("auto"),)


_VAGUE = frozenset({None, "en", "en-US"})
"""What the templates of systems say whose owners never set their language."""
_NAMED_MONTH = re.compile(r"\d\W{1,3}(?:de )?[^\W\d_]{3,}\W{1,3}(?:de )?(?:19|20)\d\d|(?:19|20)\d\d\W{1,3}[^\W\d_]{3,}\W{1,3}\d")
_GUESSED = {
    re.compile("[\u0400-\u04ff]"): ("ru", "uk", "bg", "sr"),
    re.compile("[\u0370-\u03ff]"): ("el",),
    re.compile(""): ("de", "fr", "es", "it", "pt", "nl", "pl", "hu", "cs", "sv", "nb", "fi", "tr", "ro"),
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
    text = text.strip().strip("\"'")[:200]
    if _ZERO.match(text):
        return None
    found = _ISO_LIKE.fullmatch(text)
    if found and (found["sep"] or _COMPACT.fullmatch(text)):
        return _assembled(found, clock.zone)
    if epoch := _EPOCH.fullmatch(text):
        return datetime.fromtimestamp(int(epoch[1]), UTC).astimezone(clock.zone).isoformat()
    return read_date(_AUTO, _JAVASCRIPT_ZONE.sub("", text), language=clock.language, timezone=clock.zone, now=clock.now)


def read_visible(text: str, clock: Clock) -> str | None:
    """The same from what a reader of the page sees, where it may be an age."""
    if moment := read_moment(text, clock):
        return moment
    if clock.language in _VAGUE and _NAMED_MONTH.search(text):
        for language in next(languages for script, languages in _GUESSED.items() if script.search(text)):
            if moment := read_date(_AUTO, text, language=language, timezone=clock.zone, now=clock.now):
                return moment
    return read_relative(text, language=clock.language, timezone=clock.zone, now=clock.now)


def _assembled(found: re.Match[str], zone: tzinfo) -> str | None:
    parts = {name: int(found[name]) for name in ("year", "month", "day", "hour", "minute", "second") if found[name] is not None}
    try:
        if "hour" not in parts:
            return date(**parts).isoformat()
        midnight_after = parts["hour"] == 24
        value = datetime(**{**parts, "hour": parts["hour"] % 24}, tzinfo=_zone(found) or zone)
        return (value + timedelta(days=1) if midnight_after else value).isoformat()
    except (ValueError, OverflowError):
        return None


def _zone(found: re.Match[str]) -> tzinfo | None:
    if found["sign"] is None:
        return UTC if found["zone"] else None
    offset = timedelta(hours=int(found["zone_hour"]), minutes=int(found["zone_minute"] or 0))
    return timezone(offset if found["sign"] == "+" else -offset)
