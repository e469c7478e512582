"""Columns and what fills their addresses: which pages of an archive are asked for, in which order, and with what."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from case_files import cases
from seams import rules_of_walks
from written_portal import HOME, WrittenPortal

from webarticlecurator import Portal

Load = Callable[[str], Portal]
Walked = Callable[..., dict[str, str]]
Asked = Callable[..., list[str]]

INHERITED = """
archive:
  url: https://pelda.example/{year}/{month}/{day}/?oldal={page}
  dates: {from: 2001-02-27, until: 2001-02-28}
  pages: {mode: infinite, first: '', start: 2}
  item: article
columns:
  belfold: https://pelda.example/belfold?datum={date}&oldal={page}
  kulfold: {url: 'https://pelda.example/kulfold/{page}', dates: null, pages: next-link, next: a.kovetkezo}
  english: {url: 'https://en.pelda.example/{year}/', dates: {from: 2015-01-01, until: 2016-12-31, step: year}, pages: none, language: en}
"""
VARS = """
archive:
  url: https://{sub}.pelda.example/{kat}/{page}
  link: a
  dates: {from: 2010-01-01, until: 2010-12-31}
  pages: {values: 1}
columns:
  sport: {vars: {kat: 007, sub: a}, url: 'https://pelda.example/{kat}/{year}', pages: none}
  zene: {vars: {kat: x, sub: b}, dates: null}
  film: {vars: {kat: 'x{page}', sub: b}, dates: null}
"""


@pytest.mark.parametrize(
    ("rules", "pages"),
    [
        pytest.param("archive: {url: 'https://pelda.example/hirek', link: a}", {"archive": "/hirek"}, id="an archive alone"),
        pytest.param(
            INHERITED,
            {
                "belfold": "/belfold?datum=2001-02-28&oldal=, /belfold?datum=2001-02-27&oldal=",
                "kulfold": "/kulfold/1",
                "english": "https://en.pelda.example/2016/, https://en.pelda.example/2015/",
            },
            id="columns inherit what they do not say",
        ),
        pytest.param(
            "archive: {url: 'https://{column}.pelda.example/hirek', link: a}\ncolumns: [bel, '007']\n",
            {"bel": "https://bel.pelda.example/hirek", "007": "https://007.pelda.example/hirek"},
            id="a list of names",
        ),
        pytest.param(
            VARS,
            {"sport": "/007/2010", "zene": "https://b.pelda.example/x/1", "film": "https://b.pelda.example/x{page}/1"},
            id="values of a column in the templates that it inherits",
        ),
        pytest.param(
            "language: hu\narchive: {url: 'https://pelda.example/{column}/{date:MMMM-yyyy}', link: a,"
            " dates: {from: 2015-03-01, until: 2015-03-31}}\ncolumns: {a: {}, b: {language: en}}\n",
            {"a": "/a/m%C3%A1rcius-2015", "b": "/b/March-2015"},
            id="months in the column's language",
        ),
    ],
)
def test_columns_begin_with_their_pages(walked: Walked, rules: str, pages: dict[str, str]) -> None:
    assert walked(rules) == pages


@cases("url, dates, pages", "portal_file/cases/dates-are-walked-in-steps-of-the-finest-placeholder")
def test_dates_are_walked_in_steps_of_the_finest_placeholder(walked: Walked, url: str, dates: str, pages: str) -> None:
    assert walked(f"language: hu\narchive: {{url: 'https://pelda.example/{url}', link: a, dates: {dates}}}\n") == {"archive": pages}


@cases("pages, asked_for", "portal_file/cases/pages-are-counted")
def test_pages_are_counted(asked: Asked, pages: str, asked_for: str) -> None:
    mode = f"pages: {pages}" if pages != "none" else "next: a.nincs"
    there = ["/l/", "/l/elso", "/l/0", "/l/1", "/l/02", "/l/2", "/l/a-b", "/l/0-1"]
    requested = asked(f"archive: {{url: 'HOME/l/{{page}}', link: h2 a, {mode}}}\n", *there)
    expected = [f"/l/{page}" for page in asked_for.split(" ")]
    beside = requested[len(expected) :]  # behind the end, before the first, and the address without a number
    most = 0 if pages == "none" else 1 if "values" in pages or "last" in pages else 3
    assert requested[: len(expected)] == expected
    assert len(beside) <= most


def test_letters_of_all_scripts_in_addresses_are_asked_for_as_utf_8(asked: Asked) -> None:
    rules = "archive: {url: 'HOME/hírek/{page}?q=다', link: h2 a, pages: {values: [é, b]}}\n"
    there = ["/h%C3%ADrek/%C3%A9?q=%EB%8B%A4", "/h%C3%ADrek/b?q=%EB%8B%A4"]
    assert asked(rules, *there) == there


def test_values_of_a_column_fill_what_is_sent(asked: Asked) -> None:
    rules = (
        "archive: {link: h2 a, request: {form: {kat: '{kat}', oldal: '{page}'}}}\n"
        "columns: {a: {url: HOME/api, pages: {last: 2}, vars: {kat: 007}}}\n"
    )
    assert asked(rules, "/api") == ["/api kat=007&oldal=1", "/api kat=007&oldal=2"]


@pytest.mark.parametrize(
    ("home", "folder"),
    [
        ("https://pelda.example", "/"),
        ("https://pelda.example/blog/index.php?x=/y", "/blog/"),
        ("https://pelda.example/blog/", "/blog/"),
        ("https://pelda.example/blog", "/"),
    ],
)
def test_home_fills_templates_up_to_the_last_slash_of_its_path(
    walked: Walked, written: WrittenPortal, tmp_path: Path, home: str, folder: str
) -> None:
    (tmp_path / "kozos.yaml").write_text(
        "archive: {link: {css: b, make_url: '{home}cikk/{value}'}, url: '{home}hirek/{page}'}\n"
        "columns: {a: {}, b: {url: '{home}b/{x}?p={page}'}, c: {pages: none, vars: {x: 1},"
        " url: '{home}{year}/{x}/', dates: {from: 2020-01-01, until: 2020-12-31}}}\n",
        encoding="utf-8",
    )
    head = f"portal: x\nhome: {home}\nextends: ./kozos.yaml\ncolumns: {{b: {{vars: {{x: 2}}}}}}\n"
    assert walked("", head) == {"a": f"{folder}hirek/1", "b": f"{folder}b/2?p=1", "c": f"{folder}2020/1/"}
    written.head = head
    assert written.links("", "<b>7</b>", f"{folder}hirek/1") == [f"{folder}cikk/7"]


def test_hosts_are_those_of_home_archive_and_columns(written: WrittenPortal) -> None:
    rules = """
    archive: {link: a, url: 'http://www.A.pelda:8080/x'}
    columns:
      a: {}
      b: {dates: {from: 2001-01-01, until: 2001-02-01}, url: 'https://b.pelda/{date}'}
      c: {dates: {from: 2002-01-01}, url: 'https://c.pelda/{date}'}
    """
    links = [f"https://{host}/1" for host in ("pelda.example", "a.pelda", "www.b.pelda", "c.pelda", "idegen.pelda", "pelda.example.pelda")]
    line = written.archive(rules, "".join(f"<a href={link}>x</a>" for link in links), "http://www.a.pelda:8080/x", "--column", "a")
    assert [article["url"] for article in line["articles"]] == links[:4]


WAYS = """\
archive:
  item: li
  fields: {headline: h2}
  ways:
    api: {url: "{home}api?page={page}", format: json, item: {json: "@"}, link: {json: link}, pages: {mode: numbered, last: 3}}
    pages: {url: "{home}", next: a.next}
    months: "{home}x"
"""


def test_ways_are_tried_best_first_and_end_where_columns_have_addresses(load: Load, walked: Walked) -> None:
    assert [column.name for column in load(WAYS).columns] == ["api", "pages", "months"]
    assert walked(WAYS + "columns: {a: '{home}a', b: '{home}b'}\n") == {"a": "/a", "b": "/b"}


def test_what_reads_pages_of_another_format_is_not_inherited(written: WrittenPortal) -> None:
    page = '[{"link": "/1", "h2": "x"}]'
    assert written.archive(WAYS, page, "/api?page=1")["articles"] == [{"url": f"{HOME}/1"}]
    assert written.archive(WAYS, "<li><a href=/1><h2>Cím</h2></a>", "/")["articles"] == [{"url": f"{HOME}/1", "headline": "Cím"}]


# What a walk proved is proved by the rules that it was walked by.


PLAIN = "archive: {url: '{home}l', link: a}\n"
SHOWN = f"fetch: {{via: browser}}\n{PLAIN}"


@pytest.mark.parametrize(
    ("before", "after", "walked_again"),
    [
        pytest.param(WAYS, WAYS.replace("a.next", "a.older"), {"pages"}, id="one way says nothing of another"),
        pytest.param(PLAIN, f"fetch: {{via: http}}\n{PLAIN}", set(), id="no browser, said and unsaid"),
        pytest.param(PLAIN, SHOWN, {"archive"}, id="a browser"),
        pytest.param(SHOWN, SHOWN.replace("browser", "browser, click: a"), {"archive"}, id="what a browser does"),
        pytest.param(PLAIN, f"title: Más\n{PLAIN}", set(), id="what is no rule of the archive"),
        pytest.param(PLAIN, PLAIN.replace("link: a", "link: b"), {"archive"}, id="another selector"),
    ],
)
def test_under_other_rules_an_archive_is_walked_again(load: Load, before: str, after: str, walked_again: set[str]) -> None:
    first, second = rules_of_walks(load(before)), rules_of_walks(load(after))
    assert {name for name in first if first[name] != second[name]} == walked_again


# --- defaults, and words for them ---


@pytest.mark.parametrize(
    ("dates", "settle"),
    [("{from: 2015-01-01}", 72), ("{from: 2015-01-01, settle: 12h}", 12)],
)
def test_dates_settle_after_three_days_unless_the_file_says_otherwise(load: Load, dates: str, settle: int) -> None:
    read = load(f"archive: {{url: 'https://pelda.example/{{date}}', link: a, dates: {dates}}}\n").columns[0].dates
    assert read is not None
    assert read.settle.total_seconds() / 3600 == settle


def test_links_are_mapped_and_left_out_in_the_form_in_which_they_are_compared(written: WrittenPortal) -> None:
    files = {"elo.tsv": "HTTPS://pelda.example/r%c3%a9gi\thttps://pelda.example/uj\n\n"}
    rules = "archive: {url: 'https://pelda.example/', link: a, urls: {map_file: elo.tsv, exclude: [/pr$]}}"
    assert written.links(rules, "<a href=/régi>x</a><a href=/pr>x</a><a href=/2>x</a>", "/", files=files) == ["/uj", "/2"]
