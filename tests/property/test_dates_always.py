from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.dates import DateFormat, format_date, read_date

ZONE = ZoneInfo("Europe/Budapest")
NOW = datetime(2024, 6, 1, tzinfo=UTC)


@pytest.mark.parametrize("language", ["hu", "en", "de", "fr", "cs", "ru", "pl", "el", "tr", "fi", "ar", "ja", "hi"])
@given(day=st.dates(date(1900, 1, 1), date(2100, 1, 1)))
def test_every_written_day_is_read_back(language: str, day: date) -> None:
    written = format_date(day, "d. MMMM yyyy", language)
    read = read_date([DateFormat.parse("d. MMMM yyyy")], written, language=language, timezone=ZONE, now=NOW)
    assert read == day.isoformat()


@pytest.mark.parametrize("language", ["hu", "en", "de", "fr", "cs", "ru", "pl", "tr", "az", "lt", "vi", "ka", "hy"])
@pytest.mark.parametrize("pattern", ["auto", "d MMMM yyyy"])
def test_every_month_is_known_in_capitals(language: str, pattern: str) -> None:
    for month in range(1, 13):
        written = format_date(date(2024, month, 24), "d MMMM yyyy", language).upper()
        read = read_date([DateFormat.parse(pattern)], written, language=language, timezone=ZONE, now=NOW)
        assert (written, read) == (written, f"2024-{month:02}-24")


@given(
    st.sampled_from(["auto", "iso", "d. MMMM yyyy H:mm", "HH:mm", "MMMM d."]),
    st.text(alphabet="0123456789 .:-/TZ+májusMay1é,", max_size=40),
)
def test_no_text_makes_reading_fail(pattern: str, text: str) -> None:
    value = read_date([DateFormat.parse(pattern)], text, language="hu", timezone=ZONE, now=NOW)
    assert value is None or value[:4].isdigit()
