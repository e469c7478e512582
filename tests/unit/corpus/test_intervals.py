"""Which date intervals there are, and when they are settled."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from webarticlecurator.config.portal import DateRange, Dates, DateStep, Order
from webarticlecurator.config.template import UrlTemplate
from webarticlecurator.corpus.intervals import Interval, interval_days, interval_start, intervals

TEMPLATE = UrlTemplate.parse("https://pelda.example/{date}/")
TODAY = date(2024, 5, 15)


def names(*ranges: DateRange, order: Order = Order.OLDEST_FIRST) -> list[str]:
    return [one.name for one in intervals(Dates(ranges=ranges, order=order), TODAY)]


def stretch(start: date | None, until: object, step: DateStep) -> DateRange:
    return DateRange(start=start, until=until, step=step, template=TEMPLATE)  # type: ignore[arg-type]


def test_days_run_up_to_and_with_yesterday() -> None:
    assert names(stretch(date(2024, 5, 12), "yesterday", DateStep.DAY)) == ["2024-05-12", "2024-05-13", "2024-05-14"]


def test_today_is_included_where_the_file_says_so() -> None:
    assert names(stretch(date(2024, 5, 14), "today", DateStep.DAY)) == ["2024-05-14", "2024-05-15"]


def test_what_has_not_begun_is_not_asked_for() -> None:
    assert names(stretch(date(2024, 5, 14), date(2030, 1, 1), DateStep.DAY)) == ["2024-05-14", "2024-05-15"]


@pytest.mark.parametrize(
    ("step", "expected"),
    [
        (DateStep.WEEK, ["2023-W52", "2024-W01", "2024-W02"]),
        (DateStep.MONTH, ["2023-12", "2024-01"]),
        (DateStep.YEAR, ["2023", "2024"]),
    ],
)
def test_an_interval_that_the_range_only_touches_is_walked_whole(step: DateStep, expected: list[str]) -> None:
    assert names(stretch(date(2023, 12, 31), date(2024, 1, 10), step)) == expected


def test_newest_first_is_the_same_backwards() -> None:
    ranges = (stretch(date(1999, 6, 30), date(1999, 8, 31), DateStep.MONTH), stretch(date(1999, 9, 1), date(1999, 9, 2), DateStep.DAY))
    forward = names(*ranges)
    assert forward == ["1999-06", "1999-07", "1999-08", "1999-09-01", "1999-09-02"]
    assert names(*ranges, order=Order.NEWEST_FIRST) == forward[::-1]


def test_without_a_beginning_the_walk_back_ends_where_the_web_began() -> None:
    assert names(stretch(None, "today", DateStep.YEAR), order=Order.NEWEST_FIRST)[-1] == "1990"


@pytest.mark.parametrize("step", list(DateStep))
def test_the_calendar_may_begin_where_dates_do(step: DateStep) -> None:
    first = stretch(date.min, date(3, 12, 1), step)
    forward = names(first)
    assert {name[:4] for name in forward} == {"0001", "0002", "0003"}
    assert names(first, order=Order.NEWEST_FIRST) == forward[::-1]


@pytest.mark.parametrize("step", list(DateStep))
@pytest.mark.parametrize("order", list(Order))
def test_the_calendar_ends_with_the_last_day_that_there_is(step: DateStep, order: Order) -> None:
    dates = Dates(ranges=(stretch(date(9999, 12, 1), date.max, step),), order=order)
    walked = sorted(intervals(dates, date.max), key=lambda interval: interval.start)
    assert walked[-1].end == date.max
    assert not walked[-1].settled(datetime(2024, 5, 15, tzinfo=UTC), timedelta(days=365_000), ZoneInfo("Pacific/Auckland"))


@pytest.mark.parametrize("name", ["2024-05-01", "2024-W18", "2024-05", "2024", "0001-01-01", "0001-W01", "0001-01", "0001"])
def test_a_name_gives_the_first_day_back(name: str) -> None:
    step = {10: DateStep.DAY, 8: DateStep.WEEK, 7: DateStep.MONTH, 4: DateStep.YEAR}[len(name)]
    start = interval_start(name)
    assert Interval(start, start, step, TEMPLATE).name == name


def test_an_interval_is_settled_three_days_after_its_end_in_the_portal_s_time_zone() -> None:
    day = Interval(date(2024, 5, 1), date(2024, 5, 2), DateStep.DAY, TEMPLATE)
    budapest = ZoneInfo("Europe/Budapest")
    end = datetime(2024, 5, 4, 22, tzinfo=UTC)  # 5 May, 0:00 in Budapest
    assert day.settled(end, timedelta(days=3), budapest)
    assert not day.settled(end - timedelta(seconds=1), timedelta(days=3), budapest)


@pytest.mark.parametrize(
    ("interval", "first", "last"),
    [
        ("2024-02-29", date(2024, 2, 29), date(2024, 2, 29)),
        ("2024-W01", date(2024, 1, 1), date(2024, 1, 7)),
        ("2024-02", date(2024, 2, 1), date(2024, 2, 29)),
        ("2024-12", date(2024, 12, 1), date(2024, 12, 31)),
        ("2024", date(2024, 1, 1), date(2024, 12, 31)),
        (None, date.min, date.max),
    ],
)
def test_the_name_of_an_interval_says_its_days(interval: str | None, first: date, last: date) -> None:
    assert interval_days(interval) == (first, last)
