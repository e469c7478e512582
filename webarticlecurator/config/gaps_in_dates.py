"""Days that a portal file asks nothing for, between those of its columns."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from datetime import date, timedelta

from webarticlecurator.config.portal import Column
from webarticlecurator.config.sample_urls import sample_url
from webarticlecurator.config.template import DateStep, interval_around, interval_end
from webarticlecurator.own_patterns import linear

_WRITTEN_DATE = linear(r"(?<!\d)((?:19|20)\d\d)(?:[-/_.](0?[1-9]|1[0-2]))?(?![\d-])")
_SERIES = 3
"""Years or months that are written out in URLs of columns, half of which follow one another: one between them
may be forgotten."""
_Days = tuple[date, date, str]
"""The first and the last day, and the column that asks for them."""


def gaps_in_dates(columns: Sequence[Column]) -> list[_Days]:
    """Return the days, first and last, that lie between those of several columns with one address;
    and the column behind them."""
    gaps = dict[_Days, None]()
    for ranges in (*_asked_for(columns), *_series(columns)):
        reached = min(ranges)[0]
        for start, until, name in sorted(ranges):
            if start > reached:
                gaps[reached, start - timedelta(days=1), name] = None
            reached = max(reached, until)
    return list(gaps)


def _asked_for(columns: Sequence[Column]) -> list[set[_Days]]:
    """Return the days that all columns with one address ask for."""
    asked = defaultdict[str, set[_Days]](set)
    for column in columns:
        dates = column.dates
        if dates is not None:
            start = interval_around(dates.start, dates.step) if dates.start is not None else date.min
            until = (
                interval_end(interval_around(dates.until, dates.step), dates.step)
                if isinstance(dates.until, date)
                else date.max
            )
            asked[sample_url(column)].add((start, until, column.name))
    return list(asked.values())


def _series(columns: Sequence[Column]) -> list[set[_Days]]:
    """Return the years or months that stand in URLs which are alike but for them, where these are a series
    and no years of an event."""
    written = defaultdict[str, set[_Days]](set)
    for column in columns:
        url = column.template.text
        match = _WRITTEN_DATE.search(url) if column.dates is None else None
        if match is not None:
            step: DateStep = DateStep.MONTH if match[2] else DateStep.YEAR
            start = date(int(match[1]), int(match[2] or 1), 1)
            written[f"{step} {url[: match.start()]} {url[match.end() :]}"].add(
                (start, interval_end(start, step), column.name)
            )
    return list(filter(_is_series, written.values()))


def _is_series(ranges: set[_Days]) -> bool:
    """True if most of them begin where another one ends."""
    begins, ends = {start for start, _, _ in ranges}, {end for _, end, _ in ranges}
    return len(begins) >= _SERIES and 2 * len(begins & ends) >= len(begins) - 1
