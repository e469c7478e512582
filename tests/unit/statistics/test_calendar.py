from __future__ import annotations

from datetime import date, timedelta

import pytest

from webarticlecurator.model.statistics import Gap
from webarticlecurator.statistics.calendar import calendar, gaps, silences, spans

MONDAY = date(2024, 1, 1)


def published(weeks: int, rhythm: tuple[int, ...], *, without: range = range(0)) -> dict[str, int]:
    """Articles by day; `rhythm`: how many from Monday to Sunday; `without`: days, from 0, on which there were none."""
    numbers = {number: rhythm[number % 7] for number in range(7 * weeks) if number not in without}
    return {(MONDAY + timedelta(days=number)).isoformat(): articles for number, articles in numbers.items() if articles}


def found(days: dict[str, int], until: date | None = None) -> list[Gap]:
    return gaps({None: days}, {None: until} if until else {}, {})[0]


WEEKLY = (0, 1, 0, 0, 0, 0, 0)
WEEKDAYS = (14, 14, 14, 14, 14, 0, 0)
DAILY = (5, 5, 5, 5, 5, 5, 5)


@pytest.mark.parametrize("rhythm", [WEEKLY, WEEKDAYS, DAILY])
def test_a_portal_that_keeps_its_rhythm_has_no_gap(rhythm: tuple[int, ...]) -> None:
    assert found(published(60, rhythm)) == []


def test_a_weekly_blog_may_pause_once_and_not_for_a_month() -> None:
    assert found(published(60, WEEKLY, without=range(210, 217))) == []
    (gap,) = found(published(60, WEEKLY, without=range(210, 238)))
    assert (gap.first, gap.last, gap.expected) == ("2024-07-24", "2024-08-26", 4.0)


def test_one_working_day_without_articles_is_a_gap_and_a_weekend_is_none() -> None:
    (gap,) = found(published(60, WEEKDAYS, without=range(203, 204)))
    assert (gap.first, gap.last, gap.expected) == ("2024-07-20", "2024-07-22", 14.0)  # with the weekend before it
    assert date.fromisoformat(gap.last).weekday() == 0


def test_where_few_articles_come_by_chance_a_longer_silence_is_needed() -> None:
    by_chance = {MONDAY + timedelta(days=number * number * 7 % 800): 1 for number in range(200)}
    assert found({day.isoformat(): 1 for day in by_chance}) == []


def test_two_gaps_near_each_other_do_not_hide_one_another() -> None:
    days = published(60, DAILY, without=range(200, 214))
    for number in range(260, 274):
        days.pop((MONDAY + timedelta(days=number)).isoformat())
    assert [gap.days for gap in found(days)] == [14, 14]


def test_silence_up_to_the_last_crawl_counts() -> None:
    days = published(20, DAILY)
    assert found(days, MONDAY + timedelta(days=139)) == []
    (gap,) = found(days, MONDAY + timedelta(days=149))
    assert (gap.days, gap.expected) == (10, 50.0)


def test_a_gap_says_whether_its_days_are_proved() -> None:
    days = published(60, DAILY, without=range(200, 214))
    whole = [(MONDAY, MONDAY + timedelta(days=420))]
    assert [gap.proved for gap in gaps({"home": days}, {}, {"home": whole})[0]] == [True]
    assert [gap.proved for gap in gaps({"home": days}, {}, {"home": [(MONDAY, MONDAY + timedelta(days=205))]})[0]] == [False]


def test_a_few_weeks_are_no_rhythm() -> None:
    assert found({"2024-05-01": 9, "2024-05-02": 9}, date(2024, 8, 1)) == []


def test_dates_that_lie_an_age_apart_have_no_rhythm() -> None:
    assert found({"0001-01-01": 5, "2024-05-01": 5}) == []
    assert found({}) == []


def test_the_calendar_has_the_days_of_gaps_too() -> None:
    gap = Gap(column=None, first="2024-05-02", last="2024-05-03", days=2, expected=9.0, proved=False)
    days = calendar([("2024-05-01", 3, 2, 1, 0, 2), ("2024-05-03", 1, 0, 1, 0, 0)], [gap])
    assert [(day.day, day.links, day.gap) for day in days] == [("2024-05-01", 3, False), ("2024-05-02", 0, True), ("2024-05-03", 1, True)]


def test_what_is_expected_is_the_mean_of_the_same_weekdays_around() -> None:
    (silence,) = silences([2, 7, 2, 7, 2, 7, 2] * 4 + [0] + [7, 2, 7, 2, 7, 2] + [2, 7, 2, 7, 2, 7, 2] * 4)
    assert silence.expected == 2.0


def test_stretches_that_touch_are_one() -> None:
    one, two, far = date(2024, 1, 1), date(2024, 1, 2), date(2024, 3, 1)
    assert spans([(far, far), (two, two), (one, one)]) == [(one, two), (far, far)]


def test_a_column_that_was_closed_is_no_gap_where_its_archive_proves_its_end() -> None:
    days, later = {"closed": published(40, DAILY), None: published(120, DAILY)}, MONDAY + timedelta(days=839)
    until = dict.fromkeys(days, later)
    everything = [(date.min, date.max)]
    assert gaps(days, until, {"closed": everything}) == ([], 0)
    ((gap,), _) = gaps(days, until, {})
    assert (gap.column, gap.days, gap.proved) == ("closed", 560, False)


def test_what_a_column_shares_with_the_whole_portal_is_told_once() -> None:
    days = published(60, DAILY, without=range(200, 214))
    ((gap,), _) = gaps({None: days, "home": days}, {}, {})
    assert gap.column is None


def test_stretches_that_reach_to_the_end_of_time_are_joined() -> None:
    assert spans([(date.min, date.max), (date.min, date.max)]) == [(date.min, date.max)]
