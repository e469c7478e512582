"""Days without any article that look like gaps: judged by what the same weekdays brought before and after, not by a fixed rhythm."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from heapq import nlargest
from itertools import accumulate, groupby

from webarticlecurator.model.statistics import Day, Gap

_WEEKS = 26
"""Before and after, that the rhythm is taken from."""
_FEWEST_WEEKS = 4
"""With fewer of them around there is no rhythm yet."""
_LEAST = 3.0
"""Articles that must be expected of a gap: so a weekly blog may pause for a week or two."""
_USUAL = 2
"""The longest silences around that do not tell what is usual there: they may be gaps themselves."""
_MARGIN = 2
"""Where few articles come by chance, long silences are usual."""
_MOST_GAPS = 200
_LONGEST = 80 * 366
"""Days between a first and a last article; with more, one of their dates is wrong and no rhythm is looked for."""
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Silence:
    """Successive days without any article, counted from the first day, and how many articles the rhythm around lets expect."""

    start: int
    end: int
    """The day after."""
    expected: float


Spans = Sequence[tuple[date, date]]
"""First and last day, in order, none touching another."""


def gaps(
    articles: Mapping[str | None, Mapping[str, int]], until: Mapping[str | None, date], proved: Mapping[str | None, Spans]
) -> tuple[list[Gap], int]:
    """Of the portal (None) and of each column: the most expected first, and how many more there are.

    What a column shares with the whole portal is told of the portal alone.
    `articles`: by day; `until`: up to which day a silence at the end counts, where it does; `proved`: the days that are.
    """
    found = [gap for column, days in articles.items() for gap in _of_one(column, days, until.get(column), proved.get(column, ()))]
    silent = [(gap.first, gap.last) for gap in found if gap.column is None]
    found = [gap for gap in found if gap.column is None or not any(a <= gap.first and gap.last <= b for a, b in silent)]
    found.sort(key=lambda gap: (-gap.expected, gap.first, gap.column or ""))
    return found[:_MOST_GAPS], len(found[_MOST_GAPS:])


def _of_one(column: str | None, days: Mapping[str, int], until: date | None, proved: Spans) -> Iterator[Gap]:
    if not days:
        return
    first, last = date.fromisoformat(min(days)), date.fromisoformat(max(days))
    if until is not None and last < until:
        last = until
    if (last - first).days > _LONGEST:
        return
    counts = [0] * ((last - first).days + 1)
    for day, number in days.items():
        place = (date.fromisoformat(day) - first).days
        if place < len(counts):
            counts[place] = number
    for one in unusual(silences(counts)):
        start, end = first + one.start * _DAY, first + (one.end - 1) * _DAY
        is_proved = any(begin <= start and end <= finish for begin, finish in proved)
        if column is not None and is_proved and one.end == len(counts):
            continue  # a column that was closed
        yield Gap(
            column=column,
            first=start.isoformat(),
            last=end.isoformat(),
            days=one.end - one.start,
            expected=round(one.expected, 1),
            proved=is_proved,
        )


def silences(counts: Sequence[int]) -> list[Silence]:
    """Every run of days without an article, with what the same weekdays in the half year before and after it let expect."""
    by_weekday = [list(accumulate(counts[weekday::7], initial=0)) for weekday in range(7)]
    found: list[Silence] = []
    place = 0
    for is_empty, run in groupby(counts, key=lambda number: number == 0):
        end = place + sum(1 for _ in run)
        if is_empty:
            found.append(Silence(place, end, sum(_rhythm(by_weekday, len(counts), place, end, day) for day in range(place, end))))
        place = end
    return found


def _rhythm(by_weekday: Sequence[Sequence[int]], length: int, start: int, end: int, day: int) -> float:
    """The mean of this weekday around the run; days of the run itself tell nothing."""
    sums, weekday = by_weekday[day % 7], day % 7
    from_, to = _weekdays(weekday, max(0, start - 7 * _WEEKS)), _weekdays(weekday, start)
    from_after, to_after = _weekdays(weekday, end), _weekdays(weekday, min(length, end + 7 * _WEEKS))
    number = to - from_ + to_after - from_after
    return (sums[to] - sums[from_] + sums[to_after] - sums[from_after]) / number if number >= _FEWEST_WEEKS else 0.0


def _weekdays(weekday: int, day: int) -> int:
    """How many of these weekdays lie before a day."""
    return (day - weekday + 6) // 7


def unusual(found: Sequence[Silence]) -> Iterator[Silence]:
    """Those in which at least three articles are expected, and two more than twice as many as in what is usual in the half year around."""
    starts = [one.start for one in found]
    for one in found:
        if one.expected < _LEAST:
            continue
        around = found[bisect_left(starts, one.start - 7 * _WEEKS) : bisect_left(starts, one.end + 7 * _WEEKS)]
        largest = nlargest(_USUAL + 1, (other.expected for other in around if other is not one))
        usual = largest[_USUAL] if len(largest) > _USUAL else 0.0
        if one.expected >= max(_LEAST, 2 * usual + _MARGIN):
            yield one


def calendar(known: Iterable[tuple[str, int, int, int, int, int]], found: Iterable[Gap]) -> tuple[Day, ...]:
    """Every day of which something is known, and those of the portal's gaps."""
    days = {day: Day(day=day, links=a, fetched=b, failed=c, waiting=d, articles=e) for day, a, b, c, d, e in known}
    for gap in found:
        if gap.column is None:
            for number in range(gap.days):
                day = (date.fromisoformat(gap.first) + number * _DAY).isoformat()
                days[day] = replace(days.get(day, Day(day=day)), gap=True)
    return tuple(days[day] for day in sorted(days))


def spans(days: Iterable[tuple[date, date]]) -> list[tuple[date, date]]:
    """Stretches of days (first and last) joined where they touch."""
    joined: list[tuple[date, date]] = []
    for first, last in sorted(days):
        if joined and (first - joined[-1][1]).days <= 1:  # the last day may be the last of all
            joined[-1] = (joined[-1][0], max(joined[-1][1], last))
        else:
            joined.append((first, last))
    return joined
