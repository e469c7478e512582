from __future__ import annotations

from datetime import UTC, date, datetime
from zoneinfo import ZoneInfo

import pytest

from webarticlecurator.dates import DateFormat, DateFormatError, format_date, latest_moment, read_date

NOW = datetime(2024, 6, 1, 12, tzinfo=UTC)


def read(pattern: str, text: str, language: str | None = "hu", now: datetime | None = NOW) -> str | None:
    return read_date([DateFormat.parse(pattern)], text, language=language, timezone=ZoneInfo("Europe/Budapest"), now=now)


@pytest.mark.parametrize(
    ("pattern", "text", "language", "value"),
    [
        ("yyyy. MMMM d. HH:mm", "2024. május 1. 10:15", "hu", "2024-05-01T10:15:00+02:00"),
        ("yyyy. MMMM d.", "2024. MÁJUS 01.", "hu", "2024-05-01"),
        ("yyyy. MMM d.", "2024. szept. 1.", "hu", "2024-09-01"),
        ("yyyy. MMM d.", "2024. majus 1.", "hu", "2024-05-01"),
        ("yyyy.MM.dd., EEEE HH:mm", "2018.04.12., csütörtök 08:00", "hu", "2018-04-12T08:00:00+02:00"),
        ("yyyy-MM-dd HH:mm", "2024-01-01 10:15", "hu", "2024-01-01T10:15:00+01:00"),
        ("d MMMM yyyy", "1 мая 2024", "ru", "2024-05-01"),
        ("d MMMM yyyy", "1 MAYIS 2024", "tr", "2024-05-01"),
        ("d. MMMM yyyy", "23. prosince 2021", "cs", "2021-12-23"),
        ("LLLL yyyy", "prosinec 2021", "cs", "2021-12"),
        ("LLLL yyyy", "prosinec 0195", "cs", "0195-12"),
        ("d MMMM yyyy", "5 Μαΐου 2021", "el", "2021-05-05"),
        ("d MMMM yyyy", "5 ΜΑΪΟΥ 2021", "el", "2021-05-05"),
        ("d MMM yyyy", "3 févr. 2021", "fr", "2021-02-03"),
        ("MMMM d, yyyy h:mm a", "May 1, 2024 12:05 AM", "en", "2024-05-01T00:05:00+02:00"),
        ("MMMM d, yyyy h:mm a", "May 1, 2024 1:05 p.m.", "en", "2024-05-01T13:05:00+02:00"),
        ("yyyyMMddHHmm", "202405011015", "hu", "2024-05-01T10:15:00+02:00"),
        ("dd/MM/yy", "01/05/24", "fr", "2024-05-01"),
        ("dd/MM/yy", "01/05/98", "fr", "1998-05-01"),
        ("yyyy-MM-dd'T'HH:mm:ssXXX", "2024-05-01T10:15:30Z", "hu", "2024-05-01T10:15:30+00:00"),
        ("yyyy-MM-dd HH:mm z", "2024-05-01 10:15 CET", "hu", "2024-05-01T10:15:00+01:00"),
        ("d. 'de' MMMM yyyy", "1. de mayo 2024", "es", "2024-05-01"),
        ("d. MMMM yyyy", "1. May 2024", None, "2024-05-01"),
    ],
)
def test_cldr_patterns_read_what_portals_write(pattern: str, text: str, language: str | None, value: str) -> None:
    assert read(pattern, text, language) == value


def test_a_date_may_stand_inside_a_text() -> None:
    assert read("yyyy. MMMM d. HH:mm", "Írta: Kiss Anna | 2024. május 1. 10:15 | Belföld") == "2024-05-01T10:15:00+02:00"


@pytest.mark.parametrize("text", ["2024. május 32.", "2024. foo 1.", "12024. május 1.", "2023. február 29.", "", "x" * 5000])
def test_what_is_no_such_date_gives_nothing(text: str) -> None:
    assert read("yyyy. MMMM d.", text) is None


@pytest.mark.parametrize(
    ("pattern", "text", "value"),
    [
        ("MMMM d. HH:mm", "május 1. 10:15", "2024-05-01T10:15:00+02:00"),
        ("MMMM d.", "december 24.", "2023-12-24"),
        ("HH:mm", "10:15", "2024-06-01T10:15:00+02:00"),
        ("HH:mm", "20:15", "2024-05-31T20:15:00+02:00"),
    ],
)
def test_what_a_pattern_does_not_name_is_counted_back_from_the_capture(pattern: str, text: str, value: str) -> None:
    assert read(pattern, text) == value
    assert read(pattern, text, now=None) is None


def test_of_several_formats_one_that_fits_the_whole_text_wins() -> None:
    formats = [DateFormat.parse("yyyy. MMMM d."), DateFormat.parse("yyyy. MMMM d. HH:mm")]
    value = read_date(formats, "2024. május 1. 10:15", language="hu", timezone=ZoneInfo("Europe/Budapest"), now=NOW)
    assert value == "2024-05-01T10:15:00+02:00"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("2024-05-01", "2024-05-01"),
        ("2024-05", "2024-05"),
        ("2024-05-01T10:15", "2024-05-01T10:15:00+02:00"),
        ("2024-05-01 10:15:59.123", "2024-05-01T10:15:59+02:00"),
        ("2024-05-01T10:15:00Z", "2024-05-01T10:15:00+00:00"),
        ("20240501T101500+0200", "2024-05-01T10:15:00+02:00"),
        ("1850-05-01T10:15", "1850-05-01T10:15:00+01:16"),  # Budapest was 76 minutes and 20 seconds ahead
        ("2024-13-01", None),
        ("0000", None),
        ("0000-05", None),
        ("tegnap", None),
    ],
)
def test_iso_dates(text: str, value: str | None) -> None:
    assert read("iso", text) == value


@pytest.mark.parametrize(
    ("text", "language", "value"),
    [
        ("2024. május 1., 10:15", "hu", "2024-05-01T10:15:00+02:00"),
        ("Megjelent: 2024. 05. 01. 10:15", "hu", "2024-05-01T10:15:00+02:00"),
        ("Wed, 01 May 2024 10:15:00 GMT", "hu", "2024-05-01T10:15:00+00:00"),
        ("Publié le 1 mai 2024 à 10:15", "fr", "2024-05-01T10:15:00+02:00"),
        ("01/05/2024", "fr", "2024-05-01"),
        ("01/05/2024", "en", "2024-01-05"),
        ("01/05/2024", "hu", None),
        ("1714551300", "hu", "2024-05-01T10:15:00+02:00"),
        ("május 1.", "hu", None),
        ("10:15", "hu", None),
        ("2024", "hu", None),
        ("a 2024 articles", "en", None),
        ("Wed May 1 10:00:00 CEST 2024", "en", "2024-05-01T10:00:00+02:00"),
        ("May 1, 2024, 7 p.m.", "en", "2024-05-01T19:00:00+02:00"),
        ("May 1, 2024, 7 comments", "en", "2024-05-01"),
        ("1 mai 2024 à 10 h 15 min", "fr", "2024-05-01T10:15:00+02:00"),
        ("1er mai 2024, 10h15", "fr", "2024-05-01T10:15:00+02:00"),
    ],
)
def test_auto_reads_the_unmistakable_and_never_what_lacks_a_year(text: str, language: str, value: str | None) -> None:
    assert read("auto", text, language) == value


@pytest.mark.parametrize("pattern", ["", "bcj", "'open", "YYYY-MM-dd", "DD", "hh:mm", "--", "y" * 300])
def test_what_is_no_format_is_refused_when_it_is_read(pattern: str) -> None:
    with pytest.raises(DateFormatError):
        DateFormat.parse(pattern)


def test_dates_are_written_in_the_portals_language() -> None:
    assert format_date(date(2024, 5, 1), "yyyy-MMMM", "hu") == "2024-május"


@pytest.mark.parametrize(
    ("value", "moment"),
    [
        ("2024-05-01T10:00:00+02:00", "2024-05-01T08:00:00+00:00"),
        ("2024-05-01T10:00:00", "2024-05-01T10:00:00+00:00"),
        ("2024-05-01", "2024-05-02T12:00:00+00:00"),
        ("2024-12", "2025-01-01T12:00:00+00:00"),
        ("2024-02", "2024-03-01T12:00:00+00:00"),
        ("2024", "2025-01-01T12:00:00+00:00"),
        ("9999-12-31", None),
        ("tegnap", None),
    ],
)
def test_the_latest_moment_that_a_date_may_mean(value: str, moment: str | None) -> None:
    found = latest_moment(value)
    assert (found.isoformat() if found else None) == moment
