"""Charts say the same as their numbers, and are legible: round ticks, no crowded labels, few colours."""

from __future__ import annotations

import re
from datetime import date

import pytest

from webarticlecurator.report.charts.calendar import calendar
from webarticlecurator.report.charts.columns import Panel, columns
from webarticlecurator.report.charts.figure import Series, folded
from webarticlecurator.report.charts.scales import percent, short, thinned, ticks


@pytest.mark.parametrize(
    ("largest", "expected"),
    [
        (0, (0, 1)),
        (1, (0, 1)),
        (3, (0, 1, 2, 3)),
        (7, (0, 2, 4, 6, 8)),
        (100, (0, 25, 50, 75, 100)),
        (18_204, (0, 5_000, 10_000, 15_000, 20_000)),
    ],
)
def test_ticks_are_round_and_reach_the_largest(largest: int, expected: tuple[int, ...]) -> None:
    assert ticks(largest) == expected


@pytest.mark.parametrize("largest", [1, 9, 99, 12_345, 9_999_999])
def test_there_are_neither_too_few_ticks_nor_too_many(largest: int) -> None:
    assert 2 <= len(ticks(largest)) <= 7
    assert ticks(largest)[-1] >= largest


def test_labels_keep_their_distance_at_round_years() -> None:
    assert [label for _, label in thinned([str(year) for year in range(1999, 2027)], 10)] == [
        "2000",
        "2005",
        "2010",
        "2015",
        "2020",
        "2025",
    ]


@pytest.mark.parametrize(
    ("part", "whole", "expected"),
    [(1, 3, "33.3 %"), (99_999, 100_000, "99.9 %"), (1, 100_000, "< 0.1 %"), (0, 5, "0.0 %"), (5, 5, "100.0 %"), (0, 0, "–")],
)
def test_a_share_is_never_rounded_to_all_or_nothing(part: int, whole: int, expected: str) -> None:
    assert percent(part, whole).replace("\u00a0", " ") == expected


def test_large_numbers_are_short_on_an_axis() -> None:
    assert [short(number) for number in (0, 750, 2_500, 3_000_000)] == ["0", "750", "2.5k", "3M"]


def test_more_series_than_colours_fold_into_others_and_say_how_many() -> None:
    series = [Series(f"s{number}", (number, 1), f"t{number % 8}") for number in range(12)]
    shown = folded(series)
    assert (len(shown), shown[-1].name) == (8, "5 others")
    assert sum(sum(one.values) for one in shown) == sum(sum(one.values) for one in series)


def test_columns_stand_on_one_another_to_scale() -> None:
    drawn = columns("x", ["2020", "2021"], [Panel("articles", (Series("a", (10, 20), "t0"), Series("b", (10, 0), "t1")), height=100)])
    heights = [
        [float(height) for height in re.findall(r"v-([\d.]+)h", path)] for path in re.findall(r'd="([^"]+)" class="t\d filled"', drawn)
    ]
    assert heights == [[50, 100], [50]]
    assert "2021: a: 20" in drawn


def test_equal_days_of_a_year_are_one_rectangle() -> None:
    whole = {date.fromordinal(number): "some" for number in range(date(2019, 1, 1).toordinal(), date(2021, 1, 1).toordinal())}
    drawn = calendar("x", [2019, 2020], whole | {date(2020, 5, 1): "gap"})
    (some,), (gap,) = (re.findall(f'd="([^"]+)" class="{state}"', drawn) for state in ("some", "gap"))
    assert (some.count("M"), gap.count("M")) == (3, 1)


def test_twenty_years_of_days_that_all_differ_stay_small() -> None:
    days = [date.fromordinal(number) for number in range(date(2004, 1, 1).toordinal(), date(2024, 1, 1).toordinal())]
    drawn = calendar("x", range(2004, 2024), {day: ("some", "gap", "failed")[number % 3] for number, day in enumerate(days)})
    assert len(drawn) < 300_000
