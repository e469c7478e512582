"""Days without any article that look like gaps: judged by what the same weekdays brought before and after,
not by a fixed rhythm."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, timedelta
from heapq import nlargest
from itertools import groupby

from webarticlecurator.config.portal import Dates, Portal, column_of
from webarticlecurator.corpus.intervals import interval_days
from webarticlecurator.databases import Row
from webarticlecurator.model.corpus_status import StatusReport

_WEEKS = 26
"""The weeks before and after that the rhythm is taken from."""
_LEAST = 3.0
"""Articles that must be expected of a gap: so a weekly blog may pause for a week or two."""
_USUAL = 2
"""The longest silences around that do not tell what is usual there: they may be gaps themselves."""
_DAY = timedelta(days=1)


Silence = tuple[int, int, float]
"""Successive days without any article: the first, counted from the first of all, the day after, and how many
articles the rhythm around lets expect."""
Spans = Sequence[tuple[date, date]]
"""First and last day, in order, none touching another."""


def gaps(
    articles: Mapping[str | None, Mapping[str, int]],
    until: Mapping[str | None, date],
    proved: Mapping[str | None, Spans],
) -> list[Row]:
    """Days without any article where the rhythm lets one expect some, of the portal (None) and of each
    column: the most expected first. What a column shares with the whole portal is told of the portal alone.

    `articles`: by day; `until`: up to which day a silence at the end counts, where it does; `proved`: the
    days that are. Of a gap, `expected` are so many articles as the same weekdays brought around it; it is
    `proved` where every interval of it is walked to a proved end: the portal seems to have published nothing,
    or under other dates.
    """
    gaps_of_columns = [
        gap
        for column, days in articles.items()
        for gap in _of_one(column, days, until.get(column), proved.get(column, ()))
    ]
    silent = [(gap.first, gap.last) for gap in gaps_of_columns if gap.column is None]
    gaps_of_columns = [
        gap
        for gap in gaps_of_columns
        if gap.column is None or not any(a <= gap.first and gap.last <= b for a, b in silent)
    ]
    return sorted(gaps_of_columns, key=lambda gap: (-gap.expected, gap.first, gap.column or ""))


def _of_one(column: str | None, days: Mapping[str, int], until: date | None, proved: Spans) -> Iterator[Row]:
    if not days:
        return
    first = date.fromisoformat(min(days))
    last = max(date.fromisoformat(max(days)), until or first)
    if (last - first).days > 80 * 366:
        return  # one of the dates is wrong
    counts = [0] * ((last - first).days + 1)
    for day, number in days.items():
        counts[(date.fromisoformat(day) - first).days] = number
    for silent_from, silent_until, expected in unusual(silences(counts)):
        start, end = first + silent_from * _DAY, first + (silent_until - 1) * _DAY
        is_proved = any(begin <= start and end <= finish for begin, finish in proved)
        if column is not None and is_proved and silent_until == len(counts):
            continue  # a column that was closed
        length, articles = silent_until - silent_from, round(expected, 1)
        yield Row(
            column=column,
            first=start.isoformat(),
            last=end.isoformat(),
            days=length,
            expected=articles,
            proved=is_proved,
        )


def silences(counts: Sequence[int]) -> list[Silence]:
    """Return every run of days without an article, with what the same weekdays in the half year before and
    after it let expect."""
    silent: list[Silence] = []
    place = 0
    for is_empty, run in groupby(counts, key=lambda number: number == 0):
        end = place + sum(1 for _ in run)
        if is_empty:
            silent.append((place, end, sum(_rhythm(counts, place, end, day) for day in range(place, end))))
        place = end
    return silent


def _rhythm(counts: Sequence[int], start: int, end: int, day: int) -> float:
    """The mean of this weekday around the run; days of the run itself tell nothing. With few weeks around
    there is no rhythm yet."""
    first, last = max(0, start - 7 * _WEEKS), end + 7 * _WEEKS
    around = [*counts[first + (day - first) % 7 : start : 7], *counts[end + (day - end) % 7 : last : 7]]
    return sum(around) / len(around) if len(around) >= 4 else 0.0


def unusual(silent: Sequence[Silence]) -> Iterator[Silence]:
    """Give those in which at least three articles are expected, and two more than twice as many as in what is
    usual in the half year around."""
    starts = [start for start, _, _ in silent]
    for start, end, expected in silent:
        if expected < _LEAST:
            continue
        around = silent[bisect_left(starts, start - 7 * _WEEKS) : bisect_left(starts, end + 7 * _WEEKS)]
        largest = nlargest(
            _USUAL + 1, (other_expected for other_start, _, other_expected in around if other_start != start)
        )
        usual = largest[_USUAL] if len(largest) > _USUAL else 0.0
        if expected >= max(
            _LEAST, 2 * usual + 2
        ):  # where few articles come by chance, long silences are usual
            yield start, end, expected


def ends(portal: Portal, last_crawl: date) -> dict[str | None, date]:
    """Return up to when articles of each column can be expected: its archive may end at a day that the portal
    file names."""
    ends: dict[str | None, date] = {}
    for column in portal.columns:
        ends[column.name] = min(last_crawl, column.dates.days[1]) if column.dates else last_crawl
    return {**ends, None: max(ends.values(), default=last_crawl)}


def proved_days(portal: Portal, status: StatusReport) -> dict[str | None, Spans]:
    """The days that are proved, of each column, and of all of them that are needed."""
    of_column: dict[str, list[tuple[date, date]]] = {
        column_of(row.column): [] for row in status.completeness if row.counts
    }
    gone = {row.column for row in status.completeness if row.removed}
    for proof in status.proofs:
        if not proof.only_read and proof.column not in gone:
            of_column.setdefault(column_of(proof.column), []).append(
                (interval_days(proof.first)[0], interval_days(proof.last)[1])
            )
    for column in portal.columns:
        if column.name in of_column and column.dates:
            of_column[column.name] += _outside(column.dates)
    joined: dict[str | None, Spans] = {name: spans(days) for name, days in of_column.items()}
    in_all: Spans = [(date.min, date.max)] if joined else ()
    for days in joined.values():
        in_all = _common(in_all, days)
    return {**joined, None: in_all}


def _outside(dates: Dates) -> Iterator[tuple[date, date]]:
    """Give the days before and after those of a column, of which it is expected to say nothing."""
    first, last = dates.days
    if first > date.min:
        yield date.min, first - _DAY
    if last < date.max:
        yield last + _DAY, date.max


def _common(some: Spans, others: Spans) -> Spans:
    """Return the days that are in both."""
    common = ((max(first, begin), min(last, end)) for first, last in some for begin, end in others)
    return [(first, last) for first, last in common if first <= last]


def spans(days: Iterable[tuple[date, date]]) -> list[tuple[date, date]]:
    """Stretches of days (first and last) joined where they touch."""
    joined: list[tuple[date, date]] = []
    for first, last in sorted(days):
        if joined and (first - joined[-1][1]).days <= 1:  # the last day may be the last of all
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined
