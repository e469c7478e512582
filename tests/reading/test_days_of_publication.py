"""The day on which an article was published, as its readers saw it, and not of a change, of another article or by another clock."""

from __future__ import annotations

from typing import Any

import pytest
from told import GAT, news, read, values

UTC = news(datePublished="2024-05-02T03:30:00Z") + "<h1>A dam</h1>"
NIGHT, LATE, MORNING = (news(datePublished=f"2024-04-30T{time}:00Z") for time in ("22:00", "22:10", "24:00"))
LETTER = "We sent a letter to them on May 1, 2024, and asked all who sit there to tell us what they think of the bridge."
CHANGED = news(dateCreated="2024-05-01T12:05:00+02:00", datePublished="2024-05-01T12:45:44+02:00", dateModified="2024-05-01T12:45:44+02:00")
HEADING = "<h1>A dam</h1>"
UPDATE = "<p class=date>Updated on May 9, 2024</p>"
STORY = "<p>The story of the old bridge, which we told in <a href=/bridge>an article of our own, with pictures</a>, of May 1, 2019.</p>"
AGO = "<p class=date>4 minutes ago</p>"
MAY_OR_APRIL = "<p class=date>05/04/2024</p>"
RIGHTS = "<p>All rights are those of the valley and its people, who wrote it.<br>Last seen May 7, 2024</p>"
BUDAPEST = {"timezone": "Europe/Budapest"}


def listed(day: str) -> dict[str, Any]:
    return {"listing": {"datePublished": (day,)}}


def item(title: str, day: str) -> str:
    date = f'<meta itemprop=datePublished content="{day}">'
    return f'<div itemscope itemtype="https://schema.org/Article"><b itemprop=headline>{title}</b>{date}</div>'


TWO_DAYS = f"{item('A dam', '2015-01-01')[:-6]}<meta itemprop=datePublished content='2016-01-01'></div>"

CASES: dict[str, list[tuple[str, str | None] | tuple[str, str | None, dict[str, Any]]]] = {
    "the end of time which stands for no date is left as it is": [
        (news(datePublished="9999-12-31T23:59:59Z"), "9999-12-31T23:59:59+00:00", BUDAPEST),
    ],
    "a moment in UTC is told by the clock that the page shows for it": [
        (UTC + "<time datetime='2024-05-01T23:30:00-04:00'></time>", "2024-05-01T23:30:00-04:00"),
        (UTC + "<time datetime='2024-05-01 23:30:00'></time>", "2024-05-01T23:30:00-04:00"),
        (UTC + "<p class=date>May 1, 2024 at 11:30 p.m.</p>", "2024-05-01T23:30:00-04:00"),
        (UTC + "<p class=date>May 1, 2024 at 11:37 p.m.</p>", "2024-05-02T03:30:00+00:00"),
        (UTC + "<p class=date>May 1, 2024</p>", "2024-05-02T03:30:00+00:00"),
        (UTC.replace("05-02", "06-01") + "<p class=date>Yesterday, 11:30 pm</p>", "2024-05-31T23:30:00-04:00"),
        (UTC + "<time datetime='2024-04-20T23:30:00'></time>", "2024-05-02T03:30:00+00:00"),
    ],
    "a time of a day of which nothing else is known tells of a change": [
        (news(datePublished="2024-05-02T00:00:00Z") + f"{HEADING}<p class=date>{shown}</p><time>2024-05-02 06:30</time>", expected)
        for shown, expected in (("May 2, 2024", "2024-05-02T00:00:00+00:00"), ("", "2024-05-02T06:30:00+06:30"))
    ],
    "where a day began for the portal its zone is meant": [
        (NIGHT, "2024-05-01T00:00:00+02:00", BUDAPEST),
        (LATE, "2024-04-30T22:10:00+00:00", BUDAPEST),
        (MORNING, "2024-05-01T00:00:00+00:00", BUDAPEST),
    ],
    "where the page shows the day that it was for the portal its zone is meant": [
        (LATE + HEADING + shown, expected, zone)
        for shown, local in (
            ("<time datetime='2024-05-01'>1 May</time>", "2024-05-01T00:10:00+02:00"),
            ("<p class=date>May 1, 2024</p>", "2024-05-01T00:10:00+02:00"),
            ("<ul><li>May 1, 2024</li></ul>", "2024-05-01T00:10:00+02:00"),
            ("<time datetime='2024-04-30'>30 April</time>", "2024-04-30T22:10:00+00:00"),
        )
        for zone, expected in ((BUDAPEST, local), ({}, "2024-04-30T22:10:00+00:00"))
    ],
    "the time of a listed day is told by the portal's clock": [
        (LATE, "2024-05-01T00:10:00+02:00", {**BUDAPEST, **listed("2024-05-01")}),
        (news(datePublished="2024-05-01T10:00:00Z"), "2024-05-01T10:00:00+00:00", {**BUDAPEST, **listed("2024-05-01")}),
        (LATE, "2024-05-01", listed("2024-05-01")),
        (MORNING, "2024-05-01T00:00:00+00:00", {**BUDAPEST, **listed("2024-05-01T00:00:00+00:00")}),
    ],
    "the date of an update counts only where no other is told, and that of a change never": [
        (f"{HEADING}{UPDATE}<p class=date>May 1, 2024</p>", "2024-05-01"),
        (f"{HEADING}{UPDATE}", "2024-05-09"),
        (f"{HEADING}<p>Last edited <time datetime='2024-05-09T13:11:32Z'>9 May 2024 13:11</time></p>", None),
        (f"{HEADING}<p>Zuletzt geändert am 9. Mai 2024</p>", None),
        (f"{HEADING}<p><b>Last modified:</b> <span>May 9, 2024</span></p><div class=related><b>May 7, 2024</b></div>", None),
        (f"{HEADING}<p><b>Updated:</b> <span>May 9, 2024</span></p><div class=related><b>May 7, 2024</b></div>", "2024-05-09"),
        (f"{HEADING}<p class=date>Published May 1, 2024 | Updated May 9, 2024</p>", "2024-05-01"),
        (f"{HEADING}{UPDATE}<p>Text.</p><span>May 1, 2024</span>", "2024-05-01"),
        (f"{HEADING}{UPDATE}<p>May 1, 2024 was the day on which it broke.</p>", "2024-05-09"),
    ],
    "a day whose class says that it is that of an update is no publication": [
        (f"{HEADING}<p>Text.</p><footer><span class=lastupdated>Last updated on May 9, 2024.</span></footer>", None),
        (f"{HEADING}<p>Text.</p><p><time class=updated datetime=2024-05-09 pubdate>May 9, 2024</time></p>", "2024-05-09"),
        (f"{HEADING}<p>Text.</p><footer><span class=shown>Last updated on May 9, 2024.</span></footer>", "2024-05-09"),
    ],
    "a day in a sentence of the story is no publication": [
        (f"{HEADING}<p>{LETTER}</p><p>Answers until May 9, 2024</p>", None),
        (f"{HEADING}<p>{LETTER}</p><p>Answers came in.</p><p>May 9, 2024</p>", "2024-05-09"),
        (f"{HEADING}<p>{LETTER}</p><p>Posted: May 9, 2024</p>", "2024-05-09"),
        (f"{HEADING}<p>Answers until May 9, 2024</p>", "2024-05-09"),
        (f"{HEADING}<p>{LETTER}</p><div class=date-line><span>Put here on May 9, 2024</span></div>", "2024-05-09"),
    ],
    "what the data have for the publication and for the last change is the change if the page shows the clock of the beginning": [
        (f"{CHANGED}{HEADING}<p class=date>Changed: 1 May 2024 12:45 Published: 1 May 2024 12:05</p>", "2024-05-01T12:05:00+02:00"),
        (f"{CHANGED}{HEADING}<p class=date>1 May 2024 12:45</p>", "2024-05-01T12:45:44+02:00"),
        (f"{CHANGED}{HEADING}", "2024-05-01T12:45:44+02:00"),
    ],
    "an age wins over no day that the page tells": [
        (f"{HEADING}{AGO}", "2024-06-01T11:56:00+00:00"),
        (f"{HEADING}{AGO}<time datetime=2024-05-28></time>", "2024-05-28"),
        (f"{HEADING}<p class=date>4 minutes ago <time datetime=2024-05-28></time></p>", "2024-05-28"),
        (f"{HEADING}<p class=date content=2024-05-28>4 minutes ago</p>", "2024-05-28"),
        (f"{HEADING}<abbr class=date title='Tuesday, May 28, 2024 at 10:15'>Yesterday</abbr>", "2024-05-28T10:15:00+00:00"),
        (f"{news(datePublished='2024-06-01')}{HEADING}{AGO}", "2024-06-01"),
        (f"{HEADING}{AGO}", "2024-05-28", {"url": "https://pelda.example/2024/05/28/gat"}),
        (f"{HEADING}<p class=date>Wczoraj</p><time datetime=2024-05-28></time>", "2024-05-28", {"language": "pl"}),
    ],
    "of two orders of day and month the one is meant that is possible": [
        (f"{HEADING}<p class=date>{written}</p>", day, {"language": language})
        for written, language, day in (
            *(("04/25/2024", language, "2024-04-25") for language in ("de", "fr", "hu", "en")),
            ("07/05/2024", "en", "2024-05-07"),
            ("07/06/2024", "fr", "2024-06-07"),
            ("05/04/2024", "hu", None),
            ("04.25.2024", "de", "2024-04-25"),
            ("07/08/2024", "en", "2024-07-08"),
        )
    ],
    "of two orders of day and month the one is meant that another date of the page confirms": [
        (f"{HEADING}{MAY_OR_APRIL}", "2024-05-04"),
        (f"{HEADING}{MAY_OR_APRIL}", "2024-04-05", {"url": "https://pelda.example/2024/04/05/gat"}),
        (f"{news(datePublished='05/04/2024 10:15')}{HEADING}<p class=date>April 5, 2024</p>", "2024-04-05T10:15:00+00:00"),
        (f"{news(datePublished='2024-05-04')}{HEADING}<p class=date>April 5, 2024</p>", "2024-05-04"),
    ],
    "a day that had not come by the capture gives way to one that had": [
        (f"{news(datePublished='2024-07-05')}{HEADING}<p class=date>May 28, 2024</p>", "2024-05-28"),
        (f"{news(datePublished='2024-07-05')}{HEADING}", "2024-07-05"),
    ],
    "two digits are a year where the order of the numbers is sure": [
        (f"{HEADING}<p{place}>{written}</p>", day, {"language": language})
        for place, written, language, day in (
            (" class=date", "28.05.24", "de", "2024-05-28"),
            ("", "28.05.24, 10:15 Uhr", "de", "2024-05-28T10:15:00+00:00"),
            (" class=date", "28/05/24", "fr", "2024-05-28"),
            (" class=date", "5/28/24", "en", "2024-05-28"),
            (" class=date", "24.05.28", "ko", "2024-05-28"),
            (" class=date", "28-May-24", "en", "2024-05-28"),
            (" class=date", "28 May ’24", "en", "2024-05-28"),
            ("", "28/05/24", "fr", None),
            ("", "Version 1.2.12 is there", "de", None),
            (" class=date", "28.05.24.1", "de", None),
        )
    ],
    "half of a day at the end of a long byline is none": [
        (f"{HEADING}<p>written by {'Anne-Marie Lef'.ljust(length, 'x')} on 2023-09-15</p>", day)
        for length, day in ((34, "2023-09-15"), (35, "2023-09-15"), (36, None), (40, None))
    ],
    "a day in the midst of a line is of what that tells": [
        (HEADING + STORY, None),
        (f"{HEADING}{STORY}<aside><b>May 7, 2024</b></aside>", "2024-05-07"),
        (f"{HEADING}<p>Posted by <a href=/ann>Ann Lee</a> on May 7, 2024</p>", "2024-05-07"),
        (HEADING + RIGHTS, "2024-05-07"),
    ],
    "dates of several articles on a page are nobody's": [
        (item("A flood", "2015-01-01") + item("A bridge", "2016-01-01"), None),
        (item("A flood", "2015-01-01"), "2015-01-01"),
        (news(datePublished="2024-05-01") + TWO_DAYS, "2024-05-01"),
    ],
}


@pytest.mark.parametrize("cases", CASES.values(), ids=CASES)
def test_the_day_of_publication(cases: list[Any]) -> None:
    usual = {"url": GAT, "timezone": "UTC", "language": "en"}
    found = [values(html, "datePublished", **{**usual, **(more[0] if more else {})}) for html, _, *more in cases]
    assert found == [[expected] if expected else [] for _, expected, *_ in cases]


@pytest.mark.parametrize(
    ("language", "published", "changed"),
    [
        ("tr", "3 Mayıs 2024, 12:00", "Güncelleme: 5 Mayıs 2024, 14:05"),
        ("tr", "3 Mayıs 2024", "Güncellenme tarihi: 05.05.2024"),
        ("pl", "3 maja 2024", "Aktualizacja: 5 maja 2024"),
        ("cs", "3. května 2024", "Aktualizace: 5. května 2024"),
        ("de", "3. Mai 2024", "Zuletzt aktualisiert am Sonntag, 5. Mai 2024"),
        ("bg", "3 май 2024", "Последна актуализация: 5 май 2024"),
        ("fa", "۱۴ اردیبهشت ۱۴۰۳", "آخرین به‌روزرسانی: ۱۶ اردیبهشت ۱۴۰۳"),
        ("ar", "3 مايو 2024", "آخر تحديث: 5 مايو 2024"),
        ("ur", "3 مئی 2024", "اپ ڈیٹ: 5 مئی 2024"),
        ("bn", "৩ মে ২০২৪", "হালনাগাদ: ৫ মে ২০২৪"),
        ("th", "3 พฤษภาคม 2567", "อัปเดต: 5 พฤษภาคม 2567"),
        ("ko", "2024.05.03", "최종수정 2024.05.05"),
        ("zh", "2024年5月3日", "更新时间：2024年5月5日"),
    ],
)
@pytest.mark.parametrize(
    "byline", ["<p>{} | {}</p>", "<h6><b>{}</b> <b>{}</b></h6>", "<p>{}</p><p>{}</p>", "<p class=date>{}</p><p class=date>{}</p>"]
)
def test_a_day_behind_the_word_for_an_update_is_that_of_a_change(language: str, published: str, changed: str, byline: str) -> None:
    metadata = read(f"{HEADING}{byline.format(published, changed)}<p>It broke.</p>", GAT, language=language).metadata
    assert [metadata[name][0].value[:10] for name in ("datePublished", "dateModified")] == ["2024-05-03", "2024-05-05"]


@pytest.mark.parametrize(
    "line",
    [
        "Updated rules of our town start on May 9, 2024",
        "Edited by Ann Lee and Bob Ray | May 9, 2024",
        f"Updated on May 9, 2024 {'was what the page said that we saw ' * 4}",
    ],
)
def test_a_line_that_only_begins_with_such_a_word_tells_no_change(line: str) -> None:
    assert values(f"{HEADING}<p>{line}</p>", "dateModified", GAT, language="en") == []


@pytest.mark.parametrize(
    ("between", "expected"),
    [
        ("</p><p>Blorp: ", ["2024-05-05T10:00:00+02:00", None]),
        (" – ", ["2024-05-05T10:00:00+02:00", None]),
    ],
)
def test_a_time_behind_another_date_is_the_more_exact_one(between: str, expected: list[str | None]) -> None:
    page = f"{HEADING}<p>Ann Lee, May 3, 2024{between}<time datetime=2024-05-05T10:00:00+02:00>May 5</time></p><p>It broke.</p>"
    metadata = read(page, GAT, language="en").metadata
    assert [next((date.value for date in metadata.get(name, ())), None) for name in ("datePublished", "dateModified")] == expected


def test_such_a_time_is_that_of_publication_where_no_other_date_is_read() -> None:
    page = f"{HEADING}<p>On the 3rd of 2024 / Blorp: <time datetime=2024-05-05T10:00:00+02:00>May 5</time></p>"
    assert values(page, "datePublished", GAT, language="en") == ["2024-05-05T10:00:00+02:00"]


@pytest.mark.parametrize("shown", ["<p class=date>May 1, 2024</p>", "", "<p class=date>May 1, 2024 at 00:10</p>"])
def test_a_rule_that_reads_a_moment_in_utc_gives_it_by_the_clock_by_which_it_is_told_without_a_rule(shown: str) -> None:
    page = f"{HEADING}<time datetime=2024-04-30T22:10:00Z></time>{shown}"
    rule = {"datePublished": [{"css": "time", "attr": "datetime", "date": "iso"}]}
    ruled, own = (read(page, GAT, timezone="Europe/Budapest", metadata=rules).metadata["datePublished"] for rules in (rule, {}))
    assert [one.value for one in ruled] == [one.value for one in own]
    assert ruled[0].raw == "2024-04-30T22:10:00Z"
