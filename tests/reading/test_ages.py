from __future__ import annotations

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.dates.relative import find_relative

NOW = datetime(2024, 3, 31, 10, 30, 5, tzinfo=UTC)
BUDAPEST = ZoneInfo("Europe/Budapest")


def read_relative(text: str, language: str | None) -> str | None:
    found = find_relative(text, language=language, timezone=BUDAPEST, now=NOW)
    return found.value if found is not None else None


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("5 minutes ago", "en", "2024-03-31T12:25:05+02:00"),
        ("3 órával ezelőtt", "hu", "2024-03-31T09:30:05+02:00"),
        ("Updated 1 hour ago", "de", "2024-03-31T11:30:05+02:00"),
        ("vor 2 Tagen", "de", "2024-03-29"),
        ("il y a 2 semaines", "fr", "2024-03-17"),
        ("2 dni temu", "pl", "2024-03-29"),
        ("tegnap 14:05", "hu", "2024-03-30T14:05:00+01:00"),
        ("heute, 08:00 Uhr", "de", "2024-03-31T08:00:00+02:00"),
        ("Yesterday", "en", "2024-03-30"),
        ("Yesterday at 10:50:07 PM", "en", "2024-03-30T22:50:07+01:00"),
        ("Today, 12:05 am", "en", "2024-03-31T00:05:00+01:00"),
        ("by Anna Today at 9:05 a.m.", "en", "2024-03-31T09:05:00+02:00"),
        ("Aujourd’hui, 08:00", "fr", "2024-03-31T08:00:00+02:00"),
        ("Zuletzt geändert von Anna am Heute, 08:00, insgesamt 2-mal geändert.", "de", "2024-03-31T08:00:00+02:00"),
    ],
)
def test_an_age_is_counted_back_from_the_capture(text: str, language: str, expected: str) -> None:
    assert read_relative(text, language) == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("3 dage, 4 timer siden", "da", "2024-03-28T07:30:05+01:00"),
        ("3 days and 4 hours ago", "en", "2024-03-28T07:30:05+01:00"),
        ("1 week, 3 days ago", "en", "2024-03-21"),
        ("1 hour 5 minutes ago", "en", "2024-03-31T11:25:05+02:00"),
        ("vor 3 Tagen, 4 Stunden", "de", "2024-03-28T07:30:05+01:00"),
        ("il y a 2 semaines et 1 jour", "fr", "2024-03-16"),
        ("1 måned, 2 uger siden", "da", None),
        ("8 months, 4 weeks ago", "en", None),
        ("2 years, 3 days ago", "en", None),
        ("12 comments 3 days ago", "en", "2024-03-28"),
        ("5 min · 3 days ago", "en", "2024-03-28"),
        ("Bus 7 days, 3 days ago", "en", "2024-03-28"),
    ],
)
def test_all_parts_of_an_age_count_and_months_and_years_tell_no_day(text: str, language: str, expected: str | None) -> None:
    assert read_relative(text, language) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "2024-03-30", "made in 5 minutes", "todays paper", "What we know today of 3 towns"),
        "It happened 3 days ago in the old town, where he " + "lived " * 5,
    ],
)
def test_other_texts_tell_no_age(text: str) -> None:
    assert read_relative(text, "en") is None


@given(st.text(max_size=40), st.sampled_from(["hu", "de", "ar", "zz", None]))
def test_whatever_is_read_had_come_by_the_capture(text: str, language: str | None) -> None:
    read = read_relative(text, language)
    assert read is None or read[:10] <= "2024-03-31"


@pytest.mark.parametrize("now", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
def test_at_the_ends_of_time_nothing_is_reckoned(now: datetime) -> None:
    assert find_relative("3 days ago", language="en", timezone=ZoneInfo("Asia/Tokyo" if now.year > 1 else "UTC"), now=now) is None
