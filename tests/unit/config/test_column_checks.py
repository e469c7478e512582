"""Contradictions are found (see also tests/broken_portals), and what only looks like one is left alone."""

from __future__ import annotations

from collections.abc import Callable

import pytest

MistakesOf = Callable[[str], list[str]]


@pytest.mark.parametrize(
    "archive",
    [
        "{url: 'https://pelda.example/kulfold/{page}', pages: next-link, next: a.kovetkezo}",
        "{url: 'https://pelda.example/{page}', pages: {mode: numbered, last: .lapozo a}}",
        "{url: 'https://pelda.example/{page}', pages: {mode: numbered, first: '', start: 2, last: 1}}",
        "{url: 'https://pelda.example/{page}', pages: expanding}",
        "{url: 'https://pelda.example/{iso_year}/{week}', dates: {from: 2015-01-01}}",
        "{url: 'https://pelda.example/{date}', dates: {from: 2015-01-01, step: week}}",
        "{url: 'https://pelda.example/?tol={date}&ig={next_date}', dates: {from: 2015-01-01, step: month}}",
        "{url: 'https://pelda.example/{date:yyyy/M/d}', dates: {from: 2015-01-01}}",
        "{url: 'https://pelda.example/{year}', dates: {until: 2015-01-01}, stop: {after: 1999-01-01}}",
        "{url: 'https://pelda.example/api', dates: {from: 2015-01-01}, request: {form: {nap: '{date}', oldal: '{page}'}}}",
        "{url: 'https://pelda.example/{date}', dates: [{from: 2010-01-01, until: 2014-12-31}, {from: 2015-01-01}]}",
        "{url: 'https://pelda.example/{date}', dates: {from: 2015-01-01, until: 2015-01-01}}",
        "{url: 'https://pelda.example/{year}-{next_year}', dates: {from: 9998-01-01, until: 9999-12-31}}",
        "{url: 'https://pelda.example/{date:yyyy-MM-dd}/{next_date}', dates: {from: 9999-12-31, until: 9999-12-31, order: oldest-first}}",
        "{url: 'https://pelda.example/{date:yyyy-MM-dd}/{next_date}', dates: {from: 0001-01-01, until: 0001-01-02, order: oldest-first}}",
        "{url: 'https://pelda.example/{page}', next: a, pages: {start: 2}}",
        "{url: 'https://pelda.example/', item: {html_in: data, css: li}, format: json, fields: {headline: h2}}",
        "{url: 'https://pelda.example/', item: {json: a}, link: {html_in: b, css: a}, format: json}",
        "{url: 'https://pelda.example/', fields: {rovat: {script: 'x = (.*)', json: a}}}",
    ],
)
def test_what_fits_together_is_left_alone(mistakes_of: MistakesOf, archive: str) -> None:
    link = "" if "link:" in archive else "link: a, "
    assert mistakes_of(f"archive: {{{link}{archive[1:]}\n") == []


@pytest.mark.parametrize(
    ("archive", "sentence"),
    [
        ("{url: 'https://pelda.example/{week}', dates: {from: 2015-01-01}}", "give the same URL"),
        ("{url: 'https://pelda.example/{day}', dates: {from: 2015-01-01}}", "give the same URL"),
        ("{url: 'https://pelda.example/{date:MMMM d}', dates: {from: 2015-01-01}}", "give the same URL"),
        ("{url: 'https://pelda.example/{year}', dates: {from: 2015-01-01, step: week}}", "finer than the URL"),
        ("{url: 'https://pelda.example/{iso_year}/{week}', dates: {from: 2015-01-01, step: day}}", "finer than the URL"),
        ("{url: 'https://pelda.example/{page}', dates: {from: 2015-01-01}}", "no date placeholder"),
        ("{url: 'https://pelda.example/?d={next_date}'}", "`{next_date}` stands here"),
        ("{url: 'https://pelda.example/', request: {form: {d: '{date}'}}}", "`{date}` stands here"),
        ("{url: 'https://pelda.example/', pages: expanding}", "counts `{page}`"),
        ("{url: 'https://pelda.example/{page}', pages: {mode: next-link}}", "needs `next`"),
        ("{url: 'https://pelda.example/{page}', pages: expanding, next: a}", "`next` is only followed"),
        ("{url: 'https://pelda.example/{page}', pages: none, next: a}", "`next` is only followed"),
        ("{url: 'https://pelda.example/{page}', link: a, sections: b, pages: infinite}", "sections have addresses of their own"),
        ("{url: 'https://pelda.example/{page}', pages: {mode: infinite, last: 3}}", "belongs to `numbered`"),
        ("{url: 'https://pelda.example/', next: a, pages: {mode: next-link, values: 1-3}}", "does not count"),
        ("{url: 'https://pelda.example/{date}', dates: {from: 2015-01-01, ranges: [{from: 2016-01-01}]}}", "stands beside `ranges`"),
        ("{url: 'https://pelda.example/sitemap.xml', format: sitemap, link: a}", "itself says where its links are; delete `link`"),
        ("{url: 'https://pelda.example/sitemap.xml', format: sitemap, fields: {headline: h2}}", "fields have names of their own"),
        ("{url: 'https://pelda.example/sitemap.xml', format: sitemap, stop: {after: 2020-01-01}}", "is read whole; delete `stop`"),
        ("{url: 'https://pelda.example/sitemap.xml', format: sitemap, pages: none}", "leads to its own files; delete `pages`"),
        ("{url: 'https://pelda.example/sitemap{page}.xml', format: sitemap}", "leads to its own files; delete `{page}`"),
        ("{url: 'https://pelda.example/feed', format: feed, item: a}", "itself says where its links are; delete `item`"),
        ("{url: 'https://pelda.example/feed', format: feed, fields: {headline: h2}}", "has no elements of HTML"),
        ("{url: 'https://pelda.example/{date}', dates: {}, stop: null}", "without `from`"),
        ("{url: 'https://pelda.example/', next: a, pages: {start: 2}}", "`start` is a value of `{page}`"),
        ("{url: 'https://pelda.example/', format: json, next: {json: next}}", "give `item`"),
        ("{url: 'https://pelda.example/', format: json, item: {json: a}, link: {all_of: [{json: b}, a]}}", "`a` is a CSS selector"),
        ("{url: 'https://pelda.example/', format: json, item: {json: a}, fields: {headline: h2}}", "`h2` is a CSS selector"),
        ("{url: 'https://pelda.example/{page}', format: json, item: {json: a}, pages: {last: i}}", "`i` is a CSS selector"),
        ("{url: 'https://pelda.example/', item: {json: a}}", "reads JSON, and this page is HTML"),
    ],
)
def test_what_contradicts_itself_is_told(mistakes_of: MistakesOf, archive: str, sentence: str) -> None:
    assert any(sentence in message for message in mistakes_of(f"archive: {archive}\n"))


@pytest.mark.parametrize("rules", ["item: li", "link: a", "item: li, link: a", "format: urls", "Link: a", "item: a..b"])
def test_an_archive_must_say_where_its_links_are(mistakes_of: MistakesOf, rules: str) -> None:
    sentence = "nothing says where the links to the articles are"
    assert any(sentence in message for message in mistakes_of("archive: {url: 'https://pelda.example/'}\n"))
    assert not any(sentence in message for message in mistakes_of(f"archive: {{url: 'https://pelda.example/', {rules}}}\n"))


def test_a_preset_s_next_link_gives_way_to_the_portal_s_paging_mode(mistakes_of: MistakesOf) -> None:
    assert mistakes_of("extends: wordpress\narchive: {url: 'https://pelda.example/{page}', link: a, pages: infinite}\n") == []


def test_a_value_that_was_refused_is_not_told_to_be_missing_as_well(mistakes_of: MistakesOf) -> None:
    (message,) = mistakes_of("archive: {url: 'https://pelda.example/{page}', link: a, pages: {mode: numbered, last: 1.5}}\n")
    assert "`archive.pages.last`" in message


@pytest.mark.parametrize(
    ("identity", "fine"),
    [
        (r"/(\d+)/", False),
        (r"(\d{4})", False),
        (r"\d+", False),
        (r"/(\d{4})/(\d{2})/(\d{2})/", False),
        (r"/cikk/(\d+)", True),
        (r"-(\d{5,})$", True),
        (r"/(\d{4}/\d{2}/\d{2}/[^/?]+)", True),
        (r"[^/]+$", True),
        (r"^https?://[^/]+(/.*)$", True),
    ],
)
def test_an_identity_must_not_find_the_date(mistakes_of: MistakesOf, identity: str, fine: bool) -> None:
    found = mistakes_of(
        "archive: {url: 'https://pelda.example/{year}/{month}/{day}/', link: a, dates: {from: 2015-01-01}}\n"
        f"articles: {{identity: '{identity}'}}\n"
    )
    assert (found == []) is fine, found


@pytest.mark.parametrize(
    ("url", "identity", "fine"),
    [
        ("?datum={date}", r"/(\d+)/", True),
        ("?datum={date}", r"-(\d+)$", False),
        ("rovat/12/{year}/{month}/", r"/rovat/(\d+)/", True),
        ("{year}/{month}", r"/(\d+)/", False),
    ],
)
def test_only_what_changes_with_the_date_is_the_date(mistakes_of: MistakesOf, url: str, identity: str, fine: bool) -> None:
    found = mistakes_of(
        f"archive: {{url: 'https://pelda.example/{url}', link: a, dates: {{from: 2015-01-01}}}}\narticles: {{identity: '{identity}'}}\n"
    )
    assert (found == []) is fine, found


def test_numbers_are_a_good_identity_where_no_dates_are(mistakes_of: MistakesOf) -> None:
    assert mistakes_of("archive: {url: 'https://pelda.example/{page}', link: a}\narticles: {identity: '/(\\d+)/'}\n") == []


@pytest.mark.parametrize(
    ("columns", "fine"),
    [
        ("{a: 'https://pelda.example/x', b: 'https://pelda.example/x'}", False),
        ("{a: 'https://pelda.example/x', b: 'https://pelda.example/y'}", True),
        ("{a: {request: {form: {k: 1}}}, b: {request: {form: {k: 2}}}}", True),
        ("{a: {request: {form: {k: 1}}}, b: {request: {form: {k: 1}}}}", False),
    ],
)
def test_two_columns_must_not_begin_with_the_same_page(mistakes_of: MistakesOf, columns: str, fine: bool) -> None:
    assert (mistakes_of(f"archive: {{url: 'https://pelda.example/api', link: a}}\ncolumns: {columns}\n") == []) is fine


def test_columns_that_share_a_url_but_not_their_dates_are_fine(mistakes_of: MistakesOf) -> None:
    assert (
        mistakes_of(
            "archive: {url: 'https://pelda.example/{date}', link: a}\n"
            "columns: {regi: {dates: {from: 2001-01-01, until: 2009-12-31}, item: td}, uj: {dates: {from: 2010-01-01}, item: article}}\n"
        )
        == []
    )


def test_a_portal_that_uses_everything_on_top_of_a_preset_is_right(mistakes_of: MistakesOf) -> None:
    assert (
        mistakes_of(
            "extends: wordpress\n"
            "archive:\n"
            "  url: 'https://pelda.example/{year}/{month}/{day}/?oldal={page}'\n"
            "  dates: {from: 1999-06-30, until: yesterday, step: day, order: newest-first}\n"
            "  pages: {mode: infinite, first: '', start: 2}\n"
            "columns:\n"
            "  belfold: 'https://pelda.example/belfold?datum={date}&oldal={page}'\n"
            "  kulfold: {url: 'https://pelda.example/kulfold/{page}', dates: null, pages: next-link, next: a.kovetkezo}\n"
            "  english: {url: 'https://en.pelda.example/{year}/', dates: {from: 2015-01-01, step: year}, pages: none, language: en}\n"
        )
        == []
    )
