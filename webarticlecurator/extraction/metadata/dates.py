"""Dates of metadata: as values and addresses write them, to ISO 8601, and which of them cannot be."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo

from webarticlecurator.config.portal import Portal
from webarticlecurator.dates import DateFormat, ReadDate, find_date, read_date, written_moment
from webarticlecurator.dates.relative import find_relative
from webarticlecurator.model.metadata import Found, Metadata
from webarticlecurator.urls import split
from webarticlecurator.word_lists import read_word_lists

OFFSET = re.compile(r"(?:Z|GMT|UTC|[+\-−]\d\d:?\d\d)\W*(?:\([^()]*\))?$|^\d{10}(?:\d{3})?$", re.IGNORECASE)
"""At the end of a date as it is written; or all of it, where it counts seconds."""
_LONGEST_OFFSET = 80
"""With the name of the zone behind it."""
DAY = len("2024-05-01")
_DAY_ALONE = re.compile(r"\s*((?:19|20)\d\d)(\d\d)(\d\d)\s*")
_FOR_MACHINES = re.compile(r"(?:19|20)\d\d([-/.]?)\d\d?\1\d\d?(?:[T_\s].*)?|\d{10}(?:\d{3})?", re.DOTALL)
"""What programs write for programs: no words of the page."""
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
    return read_date(_AUTO, _spelt(text), language=clock.language, timezone=clock.zone, now=clock.now)


def _spelt(text: str) -> str:
    day = _DAY_ALONE.fullmatch(text)
    return "-".join(day.groups()) if day else text


def find_visible(text: str, clock: Clock) -> ReadDate | None:
    """The same from what a reader of the page sees, where it may be an age; with the words that say it, if they are words."""
    text = text.strip()
    if _ZERO.match(text):
        return None
    languages: tuple[str | None, ...] = (clock.language,)
    if clock.language in _VAGUE and _NAMED_MONTH.search(text):
        languages += next(guessed for script, guessed in _GUESSED.items() if script.search(text))
    for language in languages:
        if found := find_date(_AUTO, _spelt(text[:200]), language=language, timezone=clock.zone, now=clock.now):
            return found._replace(written="") if _FOR_MACHINES.fullmatch(text) else found
    return find_relative(text, language=clock.language, timezone=clock.zone, now=clock.now)


def read_visible(text: str, clock: Clock) -> str | None:
    """Its value."""
    found = find_visible(text, clock)
    return found.value if found is not None else None


# --- words before a date ---

_CHANGED = "|".join(read_word_lists(__file__, "value_words.txt")["later edition"])
OF_UPDATE = re.compile(rf"(?:{_CHANGED})(?:\s+(?:on|at|am|um|le|el|il|op|den|dne|den|på|em))?\W*$", re.IGNORECASE)
"""Before the date of a later edition, which counts only where it is the only one."""
_CHANGE = re.compile(rf"\b(?:{_CHANGED})", re.IGNORECASE)


def word_of_change(label: str) -> str:
    """The word in the label of a date that says it to be that of a change or an update, if there is one."""
    found = _CHANGE.search(label)
    return found[0] if found else ""


# --- in addresses ---

_YEAR, _MONTH, _DAY = r"(?P<year>(?:19[89]|20[0-4])\d)", r"(?P<month>0?[1-9]|1[0-2])", r"(?P<day>0?[1-9]|[12]\d|3[01])"
_IN_PATH = (
    re.compile(rf"(?<!\d){_YEAR}/{_MONTH}/{_DAY}(?=/|;|$|\.[a-z]+$)"),
    re.compile(rf"(?<!\d){_YEAR}(?P<sep>[_-]){_MONTH}(?P=sep){_DAY}(?!\d)"),
    re.compile(r"(?<!\d)(?P<year>20[0-4]\d)(?P<month>0[1-9]|1[0-2])(?P<day>0[1-9]|[12]\d|3[01])(?!\d)"),
)
"""Parts of the path, of which the last is nothing but the day: a title may begin with a number. Or all of it in one part."""
_MONTH_IN_PATH = re.compile(rf"/{_YEAR}[/-]{_MONTH}/(?=[^/]*[^\W\d])")
"""A title stands behind it: `/forum/2021/6` is the sixth page of a thread."""


def day_in_url(url: str) -> str | None:
    """The day in the path, as ISO 8601."""
    path = split(url).path
    for pattern in _IN_PATH:
        if found := pattern.search(path):
            return f"{found['year']}-{int(found['month']):02}-{int(found['day']):02}"
    return None


def month_in_url(url: str) -> str | None:
    """The month in the path, where no day is."""
    found = _MONTH_IN_PATH.search(split(url).path)
    return f"{found['year']}-{int(found['month']):02}" if found else None


# --- what a listing says, and the page more exactly ---


def completed(decided: tuple[Found, ...], told: Sequence[Found], zone: tzinfo) -> tuple[Found, ...]:
    """A date of a listing as the page has it, where that tells the time of that day; a moment in UTC by the page's own clock."""
    if len(decided) != 1:
        return decided
    date, is_listed = decided[0], decided[0].source in _LISTED_DATES
    day, moment = read_iso(date.value, UTC)
    if is_listed and all(found.value != date.value for found in told):
        told = (*told, *(in_zone(found, zone) for found in told))
    for found in told:
        other_day, other = read_iso(found.value, UTC)
        if other is not None and (
            (other == moment and is_utc(date) and other.utcoffset()) or (is_listed and len(date.value) == DAY and other_day == day)
        ):
            return (found if is_listed else replace(date, value=found.value),)
    return decided


def in_zone(found: Found, zone: tzinfo) -> Found:
    """A moment told in UTC, by the clock of the portal's zone; any other date, and one of a portal in UTC, as it is."""
    if not is_utc(found):
        return found
    try:
        local = datetime.fromisoformat(found.value).astimezone(zone)
    except (OverflowError, ValueError):  # the end of time, for what has no date; and what is none
        return found
    return replace(found, value=written_moment(local)) if local.utcoffset() else found


def is_utc(found: Found) -> bool:
    """Whether it is a moment that its source tells in UTC."""
    return len(found.value) > DAY and found.value.endswith("+00:00") and OFFSET.search(found.raw[-_LONGEST_OFFSET:]) is not None


# --- odd dates: what cannot be is flagged, never deleted ---

FIRST_PORTALS = date(1990, 1, 1)
_LATE = timedelta(hours=1)
"""Clocks differ."""
_DATES = ("datePublished", "dateModified", "dateCreated")
_LISTED_DATES = frozenset(f"listing:{name}" for name in _DATES)


def odd_dates(metadata: Metadata, portal: Portal, captured: datetime) -> Iterator[str]:
    """What is odd about the dates, each as a sentence."""
    born, name = _birth(portal)
    for field in _DATES:
        for found in metadata.get(field, ())[:1]:
            day, moment = read_iso(found.value, portal.timezone)
            if day is None:
                yield f"{field} is no date: {found.value}"
            elif day < born:
                yield f"{field} lies before {name}: {found.value}"
            elif (moment is not None and moment > captured + _LATE) or day > captured.date() + timedelta(days=1):
                yield f"{field} lies after the capture: {found.value}"
    (published, began), (modified, changed) = (
        read_iso(metadata[name][0].value, portal.timezone) if metadata.get(name) else (None, None) for name in _DATES[:2]
    )
    is_before = changed < began if changed and began else published and modified and modified < published
    if is_before:
        yield f"dateModified lies before datePublished: {metadata['dateModified'][0].value}"


def _birth(portal: Portal) -> tuple[date, str]:
    """When the portal's archive begins, if its columns say so."""
    starts = [part.start for column in portal.columns if column.dates and not column.ways for part in column.dates.ranges]
    known = [start for start in starts if start is not None]
    if starts and len(known) == len(starts):
        return min(known), "the portal's archive begins"
    return FIRST_PORTALS, "there were portals"


def read_iso(value: str, zone: tzinfo) -> tuple[date | None, datetime | None]:
    """The day that ISO 8601 tells, and its moment where it tells one; both None where it is no date."""
    try:
        if len(value) <= 10:
            return date.fromisoformat((value + "-01-01")[:10] if len(value) < 10 else value), None
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None, None
    return moment.date(), moment if moment.tzinfo else moment.replace(tzinfo=zone)
