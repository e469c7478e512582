"""The day on which an article was published, as its readers saw it, and not of a change, of another article or by another clock."""

from __future__ import annotations

import pytest
from told import GAT, news, read, values


def published(html: str, zone: str = "UTC", language: str = "en", listed: str | None = None, url: str = GAT) -> str | None:
    listing = {"datePublished": (listed,)} if listed is not None else None
    return next(iter(values(html, "datePublished", url, listing=listing, timezone=zone, language=language)), None)


def ld(moment: str) -> str:
    return news(datePublished=moment)


# --- the day that readers saw ---


def test_the_end_of_time_which_stands_for_no_date_is_left_as_it_is() -> None:
    assert published(ld("9999-12-31T23:59:59Z"), "Europe/Budapest") == "9999-12-31T23:59:59+00:00"


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("<time datetime='2024-05-01T23:30:00-04:00'></time>", "2024-05-01T23:30:00-04:00"),
        ("<time datetime='2024-05-01 23:30:00'></time>", "2024-05-01T23:30:00-04:00"),
        ("<p class=date>May 1, 2024 at 11:30 p.m.</p>", "2024-05-01T23:30:00-04:00"),
        ("<p class=date>May 1, 2024 at 11:37 p.m.</p>", "2024-05-02T03:30:00+00:00"),
        ("<p class=date>May 1, 2024</p>", "2024-05-02T03:30:00+00:00"),
        ("<time datetime='2024-04-20T23:30:00'></time>", "2024-05-02T03:30:00+00:00"),
    ],
    ids=["with its offset", "without it", "in words", "another moment", "no time", "another day"],
)
def test_a_moment_in_utc_is_told_by_the_clock_that_the_page_shows_for_it(shown: str, expected: str) -> None:
    assert published(ld("2024-05-02T03:30:00Z") + f"<h1>A dam</h1>{shown}") == expected


@pytest.mark.parametrize(
    ("shown", "expected"),
    [("July 22, 2017", "2017-07-22"), ("July 20, 2017", "2017-07-20"), ("July 25, 2017", "2017-07-21"), ("22nd", "2017-07-21")],
    ids=["the day after", "the day before", "another day", "no date"],
)
def test_of_an_address_that_has_the_day_of_another_clock_the_text_tells_the_day(shown: str, expected: str) -> None:
    assert published(f"<h2>A dam</h2><ul><li>{shown}</li></ul><p>It broke.</p>", url="https://pelda.example/2017/07/21/dam") == expected


def test_where_a_day_began_for_the_portal_its_zone_is_meant() -> None:
    assert published(ld("2024-04-30T22:00:00Z"), "Europe/Budapest") == "2024-05-01T00:00:00+02:00"
    assert published(ld("2024-04-30T22:10:00Z"), "Europe/Budapest") == "2024-04-30T22:10:00+00:00"
    assert published(ld("2024-05-01T00:00:00Z"), "Europe/Budapest") == "2024-05-01T00:00:00+00:00"


@pytest.mark.parametrize(
    ("shown", "expected"),
    [
        ("<time datetime='2024-05-01'>1 May</time>", "2024-05-01T00:10:00+02:00"),
        ("<p class=date>May 1, 2024</p>", "2024-05-01T00:10:00+02:00"),
        ("<ul><li>May 1, 2024</li></ul>", "2024-05-01T00:10:00+02:00"),
        ("<time datetime='2024-04-30'>30 April</time>", "2024-04-30T22:10:00+00:00"),
    ],
)
def test_where_the_page_shows_the_day_that_it_was_for_the_portal_its_zone_is_meant(shown: str, expected: str) -> None:
    assert published(ld("2024-04-30T22:10:00Z") + f"<h1>A dam</h1>{shown}", "Europe/Budapest") == expected
    assert published(ld("2024-04-30T22:10:00Z") + f"<h1>A dam</h1>{shown}", "UTC") == "2024-04-30T22:10:00+00:00"


def test_the_time_of_a_listed_day_is_told_by_the_portals_clock() -> None:
    assert published(ld("2024-04-30T22:10:00Z"), "Europe/Budapest", listed="2024-05-01") == "2024-05-01T00:10:00+02:00"
    assert published(ld("2024-05-01T10:00:00Z"), "Europe/Budapest", listed="2024-05-01") == "2024-05-01T10:00:00+00:00"
    assert published(ld("2024-04-30T22:10:00Z"), "UTC", listed="2024-05-01") == "2024-05-01"


@pytest.mark.parametrize("moment", ["2024-05-01T00:00:00+00:00", "2024-05-01T10:00:00+00:00"])
def test_a_moment_in_utc_that_is_listed_is_told_as_the_page_tells_it(moment: str) -> None:
    alone = published(ld(moment), "Europe/Budapest")
    assert published(ld(moment), "Europe/Budapest", listed=moment) == alone


@pytest.mark.parametrize("shown", ["<p class=date>May 1, 2024</p>", "", "<p class=date>May 1, 2024 at 00:10</p>"])
def test_a_rule_that_reads_a_moment_in_utc_gives_it_by_the_clock_by_which_it_is_told_without_a_rule(shown: str) -> None:
    page = f"<h1>A dam</h1><time datetime=2024-04-30T22:10:00Z></time>{shown}"
    rule = {"datePublished": [{"css": "time", "attr": "datetime", "date": "iso"}]}
    ruled, own = (read(page, GAT, timezone="Europe/Budapest", metadata=rules).metadata["datePublished"] for rules in (rule, {}))
    assert [one.value for one in ruled] == [one.value for one in own]
    assert ruled[0].raw == "2024-04-30T22:10:00Z"


# --- changes publish nothing ---


@pytest.mark.parametrize("label", ["Last modified", "Zuletzt geändert am", "Módosítva:", "Modifié le"])
def test_the_date_of_the_last_change_publishes_nothing(label: str) -> None:
    language = {"L": "en", "Z": "de", "M": "hu"}[label[0]] if label != "Modifié le" else "fr"
    assert published(f"<h1>A dam</h1><p class=date>{label} 2024-05-01 10:00 h</p>", language=language) is None


def test_the_date_of_an_update_counts_only_where_no_other_is_told() -> None:
    update = "<p class=date>Updated on May 9, 2024</p>"
    assert published(f"<h1>A dam</h1>{update}<p class=date>May 1, 2024</p>") == "2024-05-01"
    assert published(f"<h1>A dam</h1>{update}") == "2024-05-09"
    assert published("<h1>A dam</h1><p class=date>Published May 1, 2024 | Updated May 9, 2024</p>") == "2024-05-01"


def test_a_day_in_a_line_by_itself_goes_before_that_of_an_update() -> None:
    update = "<p class=date>Updated on May 9, 2024</p>"
    assert published(f"<h1>A dam</h1>{update}<p>Text.</p><span>May 1, 2024</span>") == "2024-05-01"
    assert published(f"<h1>A dam</h1>{update}<p>May 1, 2024 was the day on which it broke.</p>") == "2024-05-09"


# --- other articles' dates ---


def test_a_day_in_the_midst_of_a_line_is_of_what_that_tells() -> None:
    story = "<p>The story of the old bridge, which we told in <a href=/bridge>an article of our own, with pictures</a>, of May 1, 2019.</p>"
    assert published(f"<h1>A dam</h1>{story}") is None
    assert published(f"<h1>A dam</h1>{story}<aside><b>May 7, 2024</b></aside>") == "2024-05-07"
    assert published("<h1>A dam</h1><p>Posted by <a href=/ann>Ann Lee</a> on May 7, 2024</p>") == "2024-05-07"
    assert (
        published("<h1>A dam</h1><p>All rights are those of the valley and its people, who wrote it.<br>Last seen May 7, 2024</p>")
        == "2024-05-07"
    )


def test_a_date_in_a_link_to_another_site_is_not_the_articles() -> None:
    def link(href: str) -> str:
        return f"<h1>A dam</h1><p><a href='{href}'>May 1, 2019: the bridge</a></p><p><a href='{href}'><b class=date>May 1, 2019</b></a></p>"

    assert published(link("https://other.example/bridge")) is None
    assert published(link("https://www.pelda.example/gat")) == "2019-05-01"
    assert published(link("/gat")) == "2019-05-01"


def item(title: str, day: str) -> str:
    date = f'<meta itemprop=datePublished content="{day}">'
    return f'<div itemscope itemtype="https://schema.org/Article"><b itemprop=headline>{title}</b>{date}</div>'


def test_dates_of_several_articles_on_a_page_are_nobodys() -> None:
    assert published(item("A flood", "2015-01-01") + item("A bridge", "2016-01-01")) is None
    assert published(item("A flood", "2015-01-01")) == "2015-01-01"


def test_a_first_publication_is_not_read_out_of_a_list_of_dates() -> None:
    html = '<div itemscope itemtype="https://schema.org/Article"><h1 itemprop=headline>A dam</h1>' + "".join(
        f'<meta itemprop=datePublished content="{year}-01-01">' for year in (2015, 2016)
    )
    assert published(ld("2024-05-01") + html) == "2024-05-01"
