"""Days and moments as ISO 8601 writes them."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from datetime import MAXYEAR, MINYEAR, UTC, date, datetime, time, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

from babel.dates import format_date as babel_format_date

from webarticlecurator.dates.cldr import DateFormatError, check_length, locale_of

DAY = len("2024-05-01")
"""Characters of ISO 8601 that tell the day."""
NO_ZONE = ZoneInfo("Factory")
"""The zone of a clock of which nobody knows where it stands: what it says is written without an offset. The
database of zones has it for computers that were never set; it counts as UTC where moments are compared."""


def with_zone(moment: datetime, zone: tzinfo) -> datetime:
    """Return a moment, in a zone where it tells none."""
    return moment if moment.tzinfo is not None else moment.replace(tzinfo=zone)


def written_moment(moment: datetime, zone: tzinfo = NO_ZONE) -> str:
    """Return a moment as ISO 8601, to the second; in a zone where it tells none, if one is known.

    Offsets, which towns had with seconds, are told to the minute.
    """
    aware = with_zone(moment, zone)
    minutes = round((aware.utcoffset() or timedelta(0)).total_seconds() / 60)
    offset = None if aware.tzinfo is NO_ZONE else timezone(timedelta(minutes=minutes))
    return aware.replace(microsecond=0, tzinfo=offset).isoformat()


def at_clock(moment: datetime, zone: tzinfo) -> datetime:
    """Return a moment by the clock of a zone; in UTC where none is known."""
    return moment.astimezone(UTC if zone is NO_ZONE else zone)


def by_clock(value: str, zone: tzinfo) -> str:
    """Return a moment told in UTC by the clock of a zone; any other text as it is."""
    if not value.endswith(("Z", "+00:00")):
        return value
    try:
        return written_moment(at_clock(datetime.fromisoformat(value), zone))
    except (OverflowError, ValueError):  # the end of time, for what has no date; and what is none
        return value


def in_reach(day: date) -> bool:
    """Return True if clocks of all zones can tell a day, and the days around it: not so in the first and in
    the last year that there are."""
    return MINYEAR < day.year < MAXYEAR


def latest_moment(value: str) -> datetime | None:
    """Return the last moment, UTC, that ISO 8601 may mean; a day is over when it is over everywhere on earth.

    A time without offset is UTC. None where it tells none, or one at the beginning or the end of time.
    """
    try:
        if ":" in value:
            moment = with_zone(datetime.fromisoformat(value), UTC).astimezone(UTC)
        else:
            moment = datetime.combine(_day_after(value), time(12), UTC)
    except (ValueError, OverflowError):
        return None
    return moment if in_reach(moment) else None


def _day_after(value: str) -> date:
    """Return the first day behind a day, a month, or a year. Raises ValueError, OverflowError."""
    year, month, day = (*map(int, value.split("-")), 0, 0)[:3]
    if day:
        return date(year, month, day) + timedelta(days=1)
    if month:
        return date(year + month // 12, month % 12 + 1, 1)
    return date(year + 1, 1, 1)


def is_later(date_told: str, other: str | None) -> bool:
    """Return True if a date is surely later than another one, if there is one; of one day, if both tell the
    time."""
    if other is None:
        return True
    is_of_one_day = date_told[:DAY] == other[:DAY] and min(len(date_told), len(other)) <= DAY
    return not is_of_one_day and _begin(date_told) > _begin(other)


def apart(date_told: str, other: str) -> timedelta:
    """Return how far two dates lie apart; nothing where one of them tells no day."""
    if min(len(date_told), len(other)) < DAY:
        return timedelta(0)
    return abs(_begin(date_told) - _begin(other))


def _begin(date_told: str) -> datetime:
    """Return the moment of a date, or the begin of its day."""
    return with_zone(datetime.fromisoformat(date_told), UTC)


def instant(text: str | None) -> datetime | None:
    """Return a moment in UTC; None where a text is no moment but a day, a month, a year: a day is not its
    midnight."""
    try:
        moment = datetime.fromisoformat(text or "")
        return moment.astimezone(UTC) if moment.tzinfo is not None else None
    except (ValueError, OverflowError):
        return None


def first_day(dates: Iterable[str | None]) -> date | None:
    """Return the first day among dates as ISO 8601 writes them, and what is none."""
    for text in filter(None, dates):
        with suppress(ValueError):
            return date.fromisoformat(text[:DAY])
    return None


def format_date(day: date, pattern: str, language: str | None) -> str:
    """Write a day by a CLDR pattern. Raises DateFormatError."""
    check_length(pattern)
    try:
        return babel_format_date(day, pattern, locale=locale_of(language))
    # a length that a letter cannot have, no letter of a date
    except (ValueError, KeyError, AttributeError) as problem:
        raise DateFormatError(f"{pattern!r} is no pattern that a day can be written by: {problem}") from None
