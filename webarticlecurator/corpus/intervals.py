"""The date intervals of a column."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, timedelta

from webarticlecurator.config.portal import Dates, Order
from webarticlecurator.config.template import DateStep, interval_around, interval_end

WEB_BEGAN = date(1990, 1, 1)
"""The day at which a walk back without `from` ends at the latest."""
_STEPS = {4: DateStep.YEAR, 7: DateStep.MONTH, 10: DateStep.DAY}
"""By so many characters of a date the interval is named that begins with it."""


@dataclass(frozen=True, slots=True)
class Interval:
    """Some days for which there are archive pages of their own."""

    start: date
    end: date
    """The day after."""
    step: DateStep

    @property
    def name(self) -> str:
        """Return what the ledger and people call it: 2024-05-01, 2024-W18, 2024-05, 2024."""
        if self.step is DateStep.WEEK:
            year, week, _ = self.start.isocalendar()
            return f"{year:04d}-W{week:02d}"
        length = next(length for length, step in _STEPS.items() if step is self.step)
        return self.start.isoformat()[:length]  # strftime writes the year 1 in one digit


def intervals(dates: Dates, today: date) -> Iterator[Interval]:
    """Give all intervals that have begun, in the order in which they are to be walked."""
    newest_first = dates.order is Order.NEWEST_FIRST
    until = {"today": today, "yesterday": today - timedelta(days=1)}.get(str(dates.until), dates.until)
    assert isinstance(until, date)
    first, last = dates.start or WEB_BEGAN, min(until, today)
    start = interval_around(last if newest_first else first, dates.step)
    while start <= last and (end := interval_end(start, dates.step)) > first:
        yield Interval(start, end, dates.step)
        if (start if newest_first else end) in (date.min, date.max):  # the calendar ends here
            break
        start = interval_around(start - timedelta(days=1), dates.step) if newest_first else end


def adjoining_intervals(dates: Dates, today: date) -> Iterator[Interval]:
    """Give those before the first and behind the last; of days three, since some have no article."""
    first, last = dates.days
    reach = timedelta(days=3 if dates.step is DateStep.DAY else 1)
    start = interval_around(first, dates.step) - reach if first > WEB_BEGAN else dates.start
    until = (
        interval_end(interval_around(last, dates.step), dates.step) - timedelta(days=1) + reach
        if last < today
        else dates.until
    )
    for interval in intervals(replace(dates, start=start, until=until), today):
        if interval.end <= first or last < interval.start:
            yield interval


def interval_start(name: str) -> date:
    """The first day of an interval by its name."""
    if "W" in name:
        return date.fromisoformat(f"{name}-1")
    return date.fromisoformat(f"{name}-01-01"[:10])


def interval_days(name: str | None) -> tuple[date, date]:
    """The first and the last day of the interval of that name; all days there are of a column that has no
    dates."""
    if name is None:
        return date.min, date.max
    step = DateStep.WEEK if "W" in name else _STEPS[len(name)]
    return (start := interval_start(name)), interval_end(start, step) - timedelta(days=1)
