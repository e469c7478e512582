"""Dates: by the pattern of a rule, as ages that count back from the capture, and as data, addresses and pages write them."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from babel.dates import format_date, format_time
from case_files import cases
from hypothesis import given
from hypothesis import strategies as st
from seams import portal_of
from told import GAT, news, values

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


@cases("pattern, text, language, value", "reading/cases/cldr-patterns-read-what-portals-write")
def test_cldr_patterns_read_what_portals_write(pattern: str, text: str, language: str | None, value: str | None) -> None:
    assert read(pattern, text, language) == value


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


@cases("text, value", "reading/cases/iso-dates")
def test_iso_dates(text: str, value: str | None) -> None:
    assert read("iso", text) == value


@cases("text, language, value", "reading/cases/auto-reads-the-unmistakable-and-never-what-lacks-a-year")
def test_auto_reads_the_unmistakable_and_never_what_lacks_a_year(text: str, language: str, value: str | None) -> None:
    assert read("auto", text, language) == value


LANGUAGES = (
    "af am ar az be bg bn bs ca cs cy da de el en en_GB es es_MX et fa fi fil fr fr_CA ga gl gu he hi hr hu hy id is it ja ka kk km kn ko"
    " ky lo lt lv mk ml mr ms my nb ne nl pa pl pt pt_PT ro ru si sk sl sq sr sr_Latn sv sw ta th tr uk ur uz vi zh zh_TW zu"
)


@pytest.mark.parametrize("width", ["medium", "long"])
@pytest.mark.parametrize("language", LANGUAGES.split())
def test_dates_and_times_are_read_as_each_language_writes_them(language: str, width: str) -> None:
    moment = datetime(2021, 3, 25, 15, 21, tzinfo=UTC)
    day = format_date(moment.date(), width, locale=language)
    text = f"{day} {format_time(moment.time(), 'short', locale=language)}"
    assert read(None, day, language.replace("_", "-")) == "2021-03-25", day
    assert read(None, text, language.replace("_", "-")) in ("2021-03-25T15:21:00+01:00", "2021-03-25"), text


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(
            (f"۱ فروردین {year}", day)
            for year, day in {
                1300: "1921-03-21", 1358: "1979-03-21", 1375: "1996-03-20", 1376: "1997-03-21", 1379: "2000-03-20", 1384: "2005-03-21",
                1387: "2008-03-20", 1391: "2012-03-20", 1396: "2017-03-21", 1399: "2020-03-20", 1400: "2021-03-21", 1403: "2024-03-20",
                1404: "2025-03-21", 1408: "2029-03-20", 1409: "2030-03-21",
            }.items()
        ),
        ("22 بهمن 1357", "1979-02-11"),
        ("31 شهریور 1359", "1980-09-22"),
        ("30 اسفند 1403", "2025-03-20"),
        ("30 اسفند 1402", None),
        ("31 مهر 1402", None),
    ],
)  # fmt: skip
def test_days_of_the_persian_calendar(text: str, value: str | None) -> None:
    assert read("d MMMM yyyy", text, "fa") == value


@pytest.mark.parametrize(
    ("zone", "value"),
    [("America/New_York", "2024-01-05"), ("UTC", "2024-01-05"), ("Europe/London", "2024-05-01"), ("Asia/Kolkata", "2024-05-01")],
)
def test_whether_english_names_the_day_first_is_told_by_the_clock_of_the_portal_where_both_may_be(zone: str, value: str) -> None:
    for written, expected in (("01/05/2024", value), ("01/25/2024", "2024-01-25"), ("Fri, 01/05/2024", "2024-01-05")):
        page, portal = f"<h1>The bridge</h1><p class=date>{written}</p>", portal_of(language="en", timezone=zone)
        assert extract(page, "https://pelda.example/bridge", portal, captured=NOW).date == expected


@pytest.mark.parametrize("pattern", ["", "bcj", "'open", "YYYY-MM-dd", "DD", "hh:mm", "--", "y" * 300])
def test_what_is_no_format_is_refused_when_it_is_read(pattern: str) -> None:
    with pytest.raises(PortalFileError):
        read(pattern, "2024")


@cases("text, language, expected", "reading/cases/an-age-is-counted-back-from-the-capture")
def test_an_age_is_counted_back_from_the_capture(text: str, language: str, expected: str) -> None:
    assert read(None, text, language, CHANGE_OF_CLOCKS) == expected


def test_an_age_tells_no_day_where_nobody_knows_from_when_it_counts() -> None:
    page = "<h1>Híd</h1><p class=date>5 minutes ago</p>"
    assert extract(page, "https://pelda.example/hid", captured=NOW).date == "2024-06-01T11:55:00+00:00"
    assert extract(page, "https://pelda.example/hid").date is None


@cases("text, language, expected", "reading/cases/an-age-of-several-units-is-none")
def test_an_age_of_several_units_is_none(text: str, language: str, expected: str | None) -> None:
    assert read(None, text, language, CHANGE_OF_CLOCKS) == expected


@cases("text", "reading/cases/other-texts-tell-no-age")
def test_other_texts_tell_no_age(text: str) -> None:
    assert read(None, text, "en", CHANGE_OF_CLOCKS) is None


@given(
    st.integers(0, 10**6), st.sampled_from(["seconds ago", "minutes ago", "hours ago", "days ago", "weeks ago", "months ago", "years ago"])
)
def test_whatever_is_counted_back_had_come_by_the_capture(number: int, age: str) -> None:
    counted = read(None, f"{number} {age}", "en", CHANGE_OF_CLOCKS)
    assert counted is None or counted[:10] <= "2024-03-31"


@pytest.mark.parametrize("rule", [{"css": ".d", "date": "auto"}, ".d"])
@pytest.mark.parametrize(
    "stated",
    ["<time class=d datetime=2024-05-28>{}</time>", "<i class=d title=2024-05-28>{}</i>", "<i class=d><meta content=2024-05-28>{}</i>"],
)
def test_an_age_that_a_rule_points_at_wins_over_no_date_that_its_element_states(rule: Any, stated: str) -> None:
    portal = portal_of(language="en", metadata={"datePublished": rule})
    page = f"<h1>The bridge</h1>{stated.format('1 day ago')}"
    assert extract(page, "https://pelda.example/bridge", portal, captured=NOW).date == "2024-05-28"


def test_an_age_above_a_comment_wins_over_no_date_that_its_element_states() -> None:
    portal = portal_of(language="en", posts={"comments": {"item": "li", "time": ".d", "text": "p"}})
    times = ("<time class=d datetime=2024-05-28T10:00:00Z>1 day ago</time>", "<i class=d>1 day ago</i>")
    page = f"<h1>The bridge</h1><ul>{''.join(f'<li>{time}<p>I was there.</li>' for time in times)}</ul>"
    posts = extract(page, "https://pelda.example/bridge", portal, captured=NOW).posts
    assert [(post.when, post.time) for post in posts] == [("2024-05-28T10:00:00+00:00", "1 day ago"), ("2024-05-31", "1 day ago")]


# --- moments and days as data, addresses and pages write them ---


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


@cases("page, date", "reading/cases/a-clock-of-no-known-zone")
def test_what_a_clock_says_is_written_without_an_offset_where_nobody_knows_where_it_stands(page: str, date: str) -> None:
    assert extract(page, "https://pelda.example/hid", captured=NOW).date == date


@pytest.mark.parametrize(("zone", "offset"), [("Europe/Budapest", "+02:00"), ("UTC", "+00:00")])
def test_a_portal_file_says_by_which_clock_times_are_meant(zone: str, offset: str) -> None:
    page, portal = "<h1>Híd</h1><p class=date>2024-05-01 10:15</p>", portal_of(language="en", timezone=zone)
    assert extract(page, "https://pelda.example/hid", portal, captured=NOW).date == f"2024-05-01T10:15:00{offset}"
