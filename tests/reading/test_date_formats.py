"""Dates that a rule reads by its pattern, and ages, which count back from the capture."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st
from seams import portal_of

from webarticlecurator import PortalFileError, extract

NOW = datetime(2024, 6, 1, 12, tzinfo=UTC)
CHANGE_OF_CLOCKS = datetime(2024, 3, 31, 10, 30, 5, tzinfo=UTC)


def read(pattern: str | list[str] | None, text: str, language: str | None = "hu", now: datetime = NOW) -> str | None:
    """The date that a rule reads in a text; without a pattern, what the page shows below its headline is read without a rule."""
    portal = portal_of(
        language=language, **({"metadata": {"datePublished": {"css": "b.x", "date": pattern}}} if pattern is not None else {})
    )
    place = "<b class=x>{}</b>" if pattern is not None else "<p class=date>{}</p>"
    return extract(f"<h1>Híd</h1>{place.format(text)}", "https://pelda.example/hid", portal, captured=now).date


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
        ("dd/MM/yy", "01/05/44", "fr", "2044-05-01"),
        ("dd/MM/yy", "01/05/45", "fr", "1945-05-01"),
        ("yyyy-MM-dd HH:mm z", "2024-05-01 10:15 UTC-3", "hu", "2024-05-01T10:15:00-03:00"),
        ("yyyy-MM-dd HH:mmXXX", "2024-05-01 10:15+02:75", "hu", "2024-05-01T10:15:00+02:00"),
        ("yyyy-MM-dd'T'HH:mm:ssXXX", "2024-05-01T10:15:30Z", "hu", "2024-05-01T10:15:30+00:00"),
        ("yyyy-MM-dd HH:mm z", "2024-05-01 10:15 CET", "hu", "2024-05-01T10:15:00+01:00"),
        ("d. 'de' MMMM yyyy", "1. de mayo 2024", "es", "2024-05-01"),
        ("d. MMMM yyyy", "1. May 2024", None, "2024-05-01"),
    ],
)
def test_cldr_patterns_read_what_portals_write(pattern: str, text: str, language: str | None, value: str | None) -> None:
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


def test_of_several_formats_one_that_fits_the_whole_text_wins() -> None:
    assert read(["yyyy. MMMM d.", "yyyy. MMMM d. HH:mm"], "2024. május 1. 10:15") == "2024-05-01T10:15:00+02:00"


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
    with pytest.raises(PortalFileError):
        read(pattern, "2024")


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
    assert read(None, text, language, CHANGE_OF_CLOCKS) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("10 hours ago", "2024-03-31T01:30:05+01:00"),
        ("11 hours ago", "2024-03-31T00:30:05+01:00"),
        ("700 minutes ago", "2024-03-30T23:50:05+01:00"),
    ],
)
def test_an_age_counts_the_hours_that_passed_though_clocks_were_changed_meanwhile(text: str, expected: str) -> None:
    assert read(None, text, "en", CHANGE_OF_CLOCKS) == expected


@pytest.mark.parametrize(
    ("text", "language", "expected"),
    [
        ("3 dage, 4 timer siden", "da", None),
        ("1 hour 5 minutes ago", "en", None),
        ("vor 3 Tagen, 4 Stunden", "de", None),
        ("8 months, 4 weeks ago", "en", None),
        ("12 comments 3 days ago", "en", "2024-03-28"),
        ("5 min · 3 days ago", "en", "2024-03-28"),
    ],
)
def test_an_age_of_several_units_is_none(text: str, language: str, expected: str | None) -> None:
    assert read(None, text, language, CHANGE_OF_CLOCKS) == expected


@pytest.mark.parametrize(
    "text",
    [
        *("", "made in 5 minutes", "todays paper", "What we know today of 3 towns"),
        "It happened 3 days ago in the old town, where he " + "lived " * 5,
    ],
)
def test_other_texts_tell_no_age(text: str) -> None:
    assert read(None, text, "en", CHANGE_OF_CLOCKS) is None


@given(
    st.integers(0, 10**6), st.sampled_from(["seconds ago", "minutes ago", "hours ago", "days ago", "weeks ago", "months ago", "years ago"])
)
def test_whatever_is_counted_back_had_come_by_the_capture(number: int, age: str) -> None:
    counted = read(None, f"{number} {age}", "en", CHANGE_OF_CLOCKS)
    assert counted is None or counted[:10] <= "2024-03-31"


@pytest.mark.parametrize("now", [datetime.min.replace(tzinfo=UTC), datetime.max.replace(tzinfo=UTC)])
def test_at_the_ends_of_time_nothing_is_reckoned(now: datetime) -> None:
    assert read(None, "3 days ago", "en", now) is None
