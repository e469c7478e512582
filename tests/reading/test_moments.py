"""Moments and days as data, addresses and pages write them, and as an article has them."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from case_files import cases
from hypothesis import given
from hypothesis import strategies as st
from told import GAT, news, values


def published(html: str, language: str | None = "hu", url: str = GAT) -> str | None:
    return next(iter(values(html, "datePublished", url, language=language)), None)


@cases("path, day", "reading/cases/a-part-of-an-address-is-a-day-if-it-is-nothing-else")
def test_a_part_of_an_address_is_a_day_if_it_is_nothing_else(path: str, day: str | None) -> None:
    assert published("<h1>A híd</h1>", url=f"https://pelda.example{path}") == day


@cases("text, expected", "reading/cases/every-way-of-writing-a-moment-comes-out-as-iso-8601")
def test_every_way_of_writing_a_moment_comes_out_as_iso_8601(text: str, expected: str) -> None:
    assert published(news(datePublished=text)) == expected


@pytest.mark.parametrize(
    "text", ["", "soon", "0001-01-01T00:00:00", "1970-01-01T00:00:00Z", "2024-13-01", "2024-02-30", "12:30", "3 minutes"]
)
def test_what_is_no_date_is_none(text: str) -> None:
    assert published(news(datePublished=text)) is None


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("2 órával ezelőtt", "hu", "2024-06-01T12:00:00+02:00"),
        ("15 августа 2016, 13:43", None, "2016-08-15T13:43:00+02:00"),
        ("08.01.2020 - 02.02.2020", "de", "2020-01-08"),  # the second day is no time of the first
        ("26 Mai, 2008 |", "en", "2008-05-26"),
        ("26 Mai, 2008 |", "hu", None),
    ],
)
def test_what_a_visitor_sees_may_be_an_age_or_in_a_language_nobody_declared(text: str, language: str | None, expected: str | None) -> None:
    assert published(f"<h1>A gát</h1><p class=date>{text}</p>", language) == expected


@given(st.datetimes(min_value=datetime(1990, 1, 1), max_value=datetime(2024, 1, 1), timezones=st.just(UTC)))
def test_a_moment_in_iso_8601_is_read_as_that_moment(moment: datetime) -> None:
    read = published(news(datePublished=moment.isoformat()))
    assert read is not None
    assert datetime.fromisoformat(read) == moment.replace(microsecond=0)
