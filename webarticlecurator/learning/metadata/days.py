"""A moment in UTC and a day alone that mean the same: the day that readers see is that of the portal's own clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import MAXYEAR, MINYEAR, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from webarticlecurator.extraction.metadata.dates import DAY
from webarticlecurator.learning.metadata.plausible import Values

_IN_UTC = ("Z", "+00:00")
_OFFSETS = range(-12, 15)
"""Hours by which clocks of the world differ from UTC."""
_SUMMER = timedelta(hours=1)


def days_by_clock(pairs: Iterable[tuple[Values, Values]], zone: ZoneInfo | None) -> int:
    """On how many pages one value is a moment in UTC, and the other one its day in this zone, which is another day than that of UTC.

    None: in one zone of the world, the same for all pages; those whose days speak against it are taken off.
    """
    told = list(_moments_and_days(pairs))
    if zone is not None:
        return sum(day == when.astimezone(zone).date().isoformat() != when.date().isoformat() for when, day in told)
    return max(sum(_evidence(when, day, hours) for when, day in told) for hours in _OFFSETS)


def _moments_and_days(pairs: Iterable[tuple[Values, Values]]) -> Iterator[tuple[datetime, str]]:
    for one, other in pairs:
        day, moment = sorted((*one[:1], *other[:1]), key=len) if one and other else ("", "")
        if len(day) != DAY or not moment.endswith(_IN_UTC):
            continue
        try:
            when = datetime.fromisoformat(moment)
        except ValueError:  # what a page tells need be no date
            continue
        if MINYEAR < when.year < MAXYEAR:  # beyond, no clock of another zone can be told
            yield when, day


def _evidence(when: datetime, day: str, hours: int) -> int:
    """1: this offset, or with an hour of summer, makes it that other day; -1: it makes the same day another one; 0: neither."""
    local = when.astimezone(timezone(timedelta(hours=hours)))
    is_so = local.date().isoformat() <= day <= (local + _SUMMER).date().isoformat()
    is_other = day != when.date().isoformat()
    return 1 if is_so and is_other else -1 if not is_so and not is_other else 0
