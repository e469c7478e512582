"""The archive side of a portal file, with all defaults filled in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import ArchiveFormat, DateStep, Order, PagingMode, Portal, StopRules
from webarticlecurator.config.template import ARCHIVE_NAMES, HOME

Load = Callable[[str], Portal]
MistakesOf = Callable[[str], list[str]]


def test_an_archive_alone_is_one_column_of_that_name(load: Load) -> None:
    portal = load("archive: {url: 'https://pelda.example/hirek', link: a}\n")
    assert [column.name for column in portal.columns] == ["archive"]
    assert portal.archive == portal.columns[0]


def test_without_archive_there_are_no_columns(load: Load) -> None:
    portal = load("")
    assert (portal.columns, portal.archive) == ((), None)


def test_columns_take_their_defaults_from_the_archive(load: Load) -> None:
    portal = load(
        "language: hu\n"
        "archive:\n"
        "  url: https://pelda.example/{year}/{month}/{day}/?oldal={page}\n"
        "  dates: {from: 1999-06-30}\n"
        "  pages: {mode: infinite, first: '', start: 2}\n"
        "  item: article\n"
        "columns:\n"
        "  belfold: https://pelda.example/belfold?datum={date}&oldal={page}\n"
        "  kulfold: {url: 'https://pelda.example/kulfold/{page}', dates: null, pages: next-link, next: a.kovetkezo}\n"
        "  english: {url: 'https://en.pelda.example/{year}/', dates: {from: 2015-01-01, step: year}, pages: none, language: en}\n"
    )
    belfold, kulfold, english = portal.columns
    assert (belfold.paging.mode, belfold.paging.first, belfold.paging.start) == (PagingMode.INFINITE, "", 2)
    assert belfold.dates is not None
    assert belfold.dates.ranges[0].start == date(1999, 6, 30)
    assert (kulfold.dates, kulfold.paging.mode, kulfold.paging.first, kulfold.paging.start) == (None, PagingMode.NEXT_LINK, None, 1)
    assert kulfold.item is not None
    assert english.dates is not None
    assert (english.dates.ranges[0].step, english.paging.mode, english.language) == (DateStep.YEAR, PagingMode.NONE, "en")
    assert portal.hosts == {"pelda.example", "en.pelda.example"}


def test_a_list_of_columns_fills_the_placeholder(load: Load) -> None:
    portal = load("archive: {url: 'https://{column}.pelda.example/hirek', link: a}\ncolumns: [belfold, sport]\n")
    assert [column.template.text for column in portal.columns] == ["https://{column}.pelda.example/hirek"] * 2
    assert portal.hosts == {"pelda.example", "belfold.pelda.example", "sport.pelda.example"}


def test_vars_of_a_column_fill_the_templates_that_it_inherits(load: Load) -> None:
    one, other = load(
        "archive:\n"
        "  url: https://{sub}.pelda.example/{kat}/{page}\n"
        "  link: a\n"
        "  dates: [{from: 2010-01-01, until: 2010-12-31, url: 'https://pelda.example/{kat}/{year}'}, {from: 2011-01-01, step: year}]\n"
        "  request: {json: {filter: ['{kat}', '{year}']}, headers: {X-Kat: '{kat}'}}\n"
        "columns:\n"
        "  sport: {vars: {kat: 007, sub: a}}\n"
        "  zene: {vars: {kat: 'x{page}', sub: b}, dates: null, request: {form: {k: '{kat}'}}}\n"
    ).columns
    assert one.template.fill({"page": "2"}) == "https://a.pelda.example/007/2"
    assert one.dates is not None
    assert [dates.template.text for dates in one.dates.ranges] == ["https://pelda.example/007/{year}", "https://a.pelda.example/007/{page}"]
    assert one.request.json["filter"][0].fill() == one.request.headers["X-Kat"].fill() == "007"
    assert other.template.fill({"page": "2"}) == "https://b.pelda.example/x{page}/2"
    assert other.request.form is not None
    assert other.request.form["k"].fill({"page": "2"}) == "x{page}"


@pytest.mark.parametrize(
    ("home", "folder"),
    [
        ("https://x.example", "https://x.example/"),
        ("https://x.example/blog/index.php?x=/y", "https://x.example/blog/"),
        ("https://x.example/blog/", "https://x.example/blog/"),
        ("https://x.example/blog", "https://x.example/"),
    ],
)
def test_home_fills_templates_up_to_the_last_slash_of_its_path(tmp_path: Path, home: str, folder: str) -> None:
    (tmp_path / "kozos.yaml").write_text(
        "archive:\n"
        "  link: {css: a, make_url: '{home}cikk/{value}'}\n"
        "  url: '{home}hirek/{page}'\n"
        "  request: {headers: {X-From: '{home}'}}\n"
        "columns: {a: {}, b: {url: '{home}b/{x}?p={page}'},"
        " c: {pages: none, vars: {x: 1}, dates: [{from: 2020-01-01, url: '{home}{year}/{x}/'}]}}\n"
        "articles: {make_url: '{home}json/{value}'}\n",
        encoding="utf-8",
    )
    file = tmp_path / "portal.yaml"
    file.write_text(f"portal: x\nhome: {home}\nextends: ./kozos.yaml\ncolumns: {{b: {{vars: {{x: 2}}}}}}\n", encoding="utf-8")
    portal = load_portal(file)
    a, b, c = portal.columns
    assert a.template.text == f"{folder}hirek/{{page}}"
    assert a.request.headers["X-From"].fill() == folder
    assert a.link is not None
    assert [pick.make_url.fill({"value": "7"}) for pick in a.link.each() if pick.make_url is not None] == [f"{folder}cikk/7"]
    assert b.template.text == f"{folder}b/2?p={{page}}"
    assert c.dates is not None
    assert c.dates.ranges[0].template.text == f"{folder}{{year}}/1/"
    assert portal.articles.make_url is not None
    assert portal.articles.make_url.fill({"value": "7"}) == f"{folder}json/7"


WAYS = """\
archive:
  item: li
  fields: {headline: h2}
  ways:
    api:
      url: "{home}api?page={page}"
      format: json
      item: {json: "@"}
      link: {json: link}
      pages: {mode: numbered, last: {header: X-WP-TotalPages}}
    pages: {url: "{home}", next: a.next}
    months: "{home}{year}/{month}/"
  dates: {from: 2020-01-01}
"""


def test_each_way_is_a_column_that_knows_those_before_it(load: Load) -> None:
    portal = load(
        WAYS.replace('{url: "{home}", next: a.next}', '{url: "{home}", next: a.next, dates: null}').replace(
            "    api:", "    api:\n      dates: null"
        )
    )
    assert [(column.name, column.way, column.following_ways) for column in portal.columns] == [
        ("api", "api", ("pages", "months")),
        ("pages", "pages", ("months",)),
        ("months", "months", ()),
    ]
    assert {column.ways for column in portal.columns} == {("api", "pages", "months")}
    assert [column.dates is None for column in portal.columns] == [True, True, False]


def test_what_reads_pages_of_another_format_is_not_inherited(load: Load) -> None:
    api, pages, _ = load(WAYS.replace("  dates: {from: 2020-01-01}\n", "").replace("{year}/{month}/", "x")).columns
    assert (list(api.fields), list(pages.fields)) == ([], ["headline"])


def test_the_rules_of_one_way_say_nothing_of_another(load: Load) -> None:
    rules = WAYS.replace("  dates: {from: 2020-01-01}\n", "").replace("{year}/{month}/", "x")
    before = {column.name: column.rules for column in load(rules).columns}
    after = {column.name: column.rules for column in load(rules.replace("a.next", "a.older")).columns}
    assert {name for name in before if before[name] != after[name]} == {"pages"}


def test_columns_with_addresses_of_their_own_end_the_ways(load: Load) -> None:
    rules = WAYS.replace("  dates: {from: 2020-01-01}\n", "").replace("{year}/{month}/", "x")
    portal = load(rules + "columns: {a: '{home}a', b: '{home}b'}\n")
    assert [(column.name, column.ways) for column in portal.columns] == [("a", ()), ("b", ())]


def test_a_url_beside_ways_is_a_mistake(mistakes_of: MistakesOf) -> None:
    (mistake,) = mistakes_of("archive: {url: 'https://pelda.example/', item: li, ways: {a: '{home}a'}}\n")
    assert "`url` and `ways` stand side by side" in mistake


def test_what_is_proved_of_one_home_is_not_proved_of_another(tmp_path: Path) -> None:
    def rules(home: str, url: str) -> str:
        file = tmp_path / "portal.yaml"
        file.write_text(f"portal: x\nhome: {home}\narchive: {{link: a, url: '{url}'}}\n", encoding="utf-8")
        return load_portal(file).columns[0].rules

    one, other = "https://x.example/a/", "https://x.example/b/"
    assert rules(one, "{home}{page}") != rules(other, "{home}{page}")
    assert rules(one, "https://x.example/{page}") == rules(other, "https://x.example/{page}")


def test_a_template_begins_with_http_or_home(mistakes_of: MistakesOf) -> None:
    assert "begins with http://, https:// or {home}" in mistakes_of("archive: {url: '/hirek/{page}', link: a}\n")[0]


def test_vars_merge_like_everything_else(load: Load, tmp_path: Path) -> None:
    (tmp_path / "kozos.yaml").write_text("columns: {a: {vars: {x: 1, y: 1}}}\n", encoding="utf-8")
    rules = "archive: {url: 'https://pelda.example/{x}/{y}', link: a}\n"
    (column,) = load(f"extends: kozos.yaml\n{rules}columns: {{a: {{vars: {{y: 2}}}}}}\n").columns
    assert column.template.fill() == "https://pelda.example/1/2"


def test_no_var_has_the_name_of_a_placeholder(mistakes_of: MistakesOf) -> None:
    for name in (*ARCHIVE_NAMES, "value", HOME):
        assert len(mistakes_of(f"columns: {{a: {{url: 'https://pelda.example/', link: a, vars: {{{name}: 1}}}}}}\n")) == 1, name


def test_the_archive_of_a_portal_with_columns_keeps_its_defaults(load: Load) -> None:
    portal = load("archive: {item: article}\ncolumns: {a: 'https://pelda.example/a'}\n")
    assert portal.archive is not None
    assert portal.archive.item == portal.columns[0].item


@pytest.mark.parametrize(
    ("pages", "first", "start"),
    [
        ("{}", None, 1),
        ("{start: 0}", None, 0),
        ("{first: 0}", "0", 1),
        ("{first: 5}", "5", 6),
        ("{first: ''}", "", 2),
        ("{first: elso}", "elso", 2),
        ("{first: '', start: 10}", "", 10),
    ],
)
def test_pages_are_counted_from_what_follows_the_first(load: Load, pages: str, first: str | None, start: int) -> None:
    paging = load(f"archive: {{url: 'https://pelda.example/{{page}}', link: a, pages: {pages}}}\n").columns[0].paging
    assert (paging.mode, paging.first, paging.start) == (PagingMode.INFINITE, first, start)


@pytest.mark.parametrize(
    ("values", "expected"),
    [
        ("'1-2, 4-5, 7-9'", ("1", "2", "4", "5", "7", "8", "9")),
        ("5", ("5",)),
        ("'a, b'", ("a", "b")),
        ("[1, 03, a-b, 2-4]", ("1", "03", "a-b", "2-4")),
    ],
)
def test_values_name_all_pages(load: Load, values: str, expected: tuple[str, ...]) -> None:
    paging = load(f"archive: {{url: 'https://pelda.example/{{page}}', link: a, pages: {{values: {values}}}}}\n").columns[0].paging
    assert (paging.mode, paging.values) == (PagingMode.NUMBERED, expected)


def test_a_series_of_pages_is_bounded(mistakes_of: MistakesOf) -> None:
    (message,) = mistakes_of("archive: {url: 'https://pelda.example/{page}', link: a, pages: {values: 1-999999999}}\n")
    assert "more than 100,000" in message


def test_last_is_a_number_or_a_pick(load: Load) -> None:
    number = load("archive: {url: 'https://pelda.example/{page}', link: a, pages: {last: 12}}\n").columns[0].paging
    pick = load("archive: {url: 'https://pelda.example/{page}', link: a, pages: {last: .lapozo a}}\n").columns[0].paging
    assert (number.last, number.mode, pick.mode) == (12, PagingMode.NUMBERED, PagingMode.NUMBERED)
    assert not isinstance(pick.last, int)
    assert pick.last is not None


@pytest.mark.parametrize(
    ("extra", "stop"),
    [
        ("", StopRules(known_pages=3)),
        (", stop: null", StopRules()),
        (", stop: {known_pages: 7}", StopRules(known_pages=7)),
        (", stop: {after: 2015-01-01}", StopRules(known_pages=3, after=date(2015, 1, 1))),
        (", stop: {known_pages: null, at_url: 'https://pelda.example/9'}", StopRules(at_url="https://pelda.example/9")),
    ],
)
def test_without_dates_a_walk_stops_after_three_known_pages(load: Load, extra: str, stop: StopRules) -> None:
    assert load(f"archive: {{url: 'https://pelda.example/{{page}}', link: a{extra}}}\n").columns[0].stop == stop


def test_with_dates_a_walk_does_not_stop_early(load: Load) -> None:
    assert load("archive: {url: 'https://pelda.example/{date}', link: a, dates: {from: 2015-01-01}}\n").columns[0].stop == StopRules()


@pytest.mark.parametrize(
    ("url", "step"),
    [
        ("{year}", DateStep.YEAR),
        ("{year}/{month}", DateStep.MONTH),
        ("{year}/{month}/{day}", DateStep.DAY),
        ("{iso_year}/{week}", DateStep.WEEK),
        ("{date}", DateStep.DAY),
        ("{date:yyyy-MM}", DateStep.MONTH),
        ("{date:yyyy. MMMM}", DateStep.MONTH),
        ("{date}..{next_date}", DateStep.DAY),
        ("{year}/?q={next_year}", DateStep.YEAR),
    ],
)
def test_the_step_is_the_finest_placeholder(load: Load, url: str, step: DateStep) -> None:
    dates = load(f"archive: {{url: 'https://pelda.example/{url}', link: a, dates: {{from: 2015-01-01}}}}\n").columns[0].dates
    assert dates is not None
    assert dates.ranges[0].step is step


def test_dates_have_defaults(load: Load) -> None:
    dates = load("archive: {url: 'https://pelda.example/{date}', link: a, dates: {from: 2015-01-01}}\n").columns[0].dates
    assert dates is not None
    assert (dates.order, dates.settle, dates.drift_after) == (Order.NEWEST_FIRST, timedelta(days=3), 3)
    assert dates.ranges[0].until == "yesterday"


@pytest.mark.parametrize("where", ["dates: {{from: 2015-01-01, {}}}", "dates: {{from: 2015-01-01}}, {}"])
def test_settle_and_drift_after_stand_inside_dates_or_beside_them(load: Load, where: str) -> None:
    extra = where.format("settle: 12h, drift_after: 5")
    dates = load(f"archive: {{url: 'https://pelda.example/{{date}}', link: a, {extra}}}\n").columns[0].dates
    assert dates is not None
    assert (dates.settle, dates.drift_after) == (timedelta(hours=12), 5)


@pytest.mark.parametrize("form", ["{ranges}", "{{ranges: {ranges}, order: oldest-first}}"])
def test_ranges_of_dates_have_their_own_step_and_url(load: Load, form: str) -> None:
    ranges = "[{from: 1999-06-30, until: 2009-12-31, url: 'https://regi.pelda.example/{year}/{month}'}, {from: 2010-01-01}]"
    column = load(f"archive: {{url: 'https://pelda.example/{{date}}', link: a, dates: {form.format(ranges=ranges)}}}\n").columns[0]
    assert column.dates is not None
    assert [(one.step, one.template.text) for one in column.dates.ranges] == [
        (DateStep.MONTH, "https://regi.pelda.example/{year}/{month}"),
        (DateStep.DAY, "https://pelda.example/{date}"),
    ]


def test_each_range_may_have_the_only_url(load: Load) -> None:
    portal = load("archive: {link: a, dates: [{from: 2010-01-01, url: 'https://pelda.example/{date}'}]}\n")
    assert portal.columns[0].dates is not None
    assert portal.hosts == {"pelda.example"}


def test_months_are_written_in_the_column_s_language(load: Load) -> None:
    portal = load(
        "language: hu\n"
        "archive: {url: 'https://pelda.example/{column}/{date:MMMM-yyyy}', link: a, dates: {from: 2015-01-01}}\n"
        "columns: {a: {}, b: {language: en}}\n"
    )
    filled = [column.template.fill({"column": column.name}, start=date(2015, 3, 1)) for column in portal.columns]
    assert filled == ["https://pelda.example/a/március-2015", "https://pelda.example/b/March-2015"]


def test_a_request_with_a_body_is_a_post(load: Load) -> None:
    request = load("archive: {url: 'https://pelda.example/api', link: a, request: {form: {oldal: '{page}', db: 20}}}\n").columns[0].request
    assert request.method == "POST"
    assert request.form is not None
    assert {name: value.fill({"page": "4"}) for name, value in request.form.items()} == {"oldal": "4", "db": "20"}


def test_a_json_body_keeps_its_types(load: Load) -> None:
    request = (
        load(
            "archive:\n"
            "  url: https://pelda.example/api\n"
            "  format: json\n"
            "  link: {json: url}\n"
            "  request: {json: {page: '{page}', size: 50, deep: [true, null, 1.5]}}\n"
        )
        .columns[0]
        .request
    )
    assert request.json["page"].fill({"page": "4"}) == "4"
    assert (request.json["size"], request.json["deep"]) == (50, [True, None, 1.5])


def test_a_column_may_read_json(load: Load) -> None:
    column = load("archive: {url: 'https://pelda.example/api', format: json, item: {json: 'data[*]'}, link: {json: url}}\n").columns[0]
    assert column.format is ArchiveFormat.JSON


def test_url_rules_read_their_files_in_the_form_in_which_links_are_compared(load: Load, tmp_path: Path) -> None:
    (tmp_path / "halott.tsv").write_text("HTTPS://pelda.example/r%c3%a9gi\thttps://pelda.example/uj\n\n", encoding="utf-8")
    (tmp_path / "kihagyni.txt").write_text("https://pelda.example:443/pr\n", encoding="utf-8")
    rules = "urls: {map_file: halott.tsv, exclude_file: kihagyni.txt}"
    urls = load(f"archive: {{url: 'https://pelda.example/', link: a, {rules}}}\n").columns[0].urls
    assert urls.map == {"https://pelda.example/r%C3%A9gi": "https://pelda.example/uj"}
    assert urls.exclude_urls == {"https://pelda.example/pr"}


def test_a_column_adds_to_the_url_rules_of_the_archive(load: Load) -> None:
    portal = load(
        "archive: {url: 'https://pelda.example/{column}', link: a, urls: {exclude: [a]}}\ncolumns: {x: {urls: {exclude+: [b]}}, y: {}}\n"
    )
    assert [[pattern.text for pattern in column.urls.exclude] for column in portal.columns] == [["a", "b"], ["a"]]


def test_mistakes_of_the_archive_are_told_once_however_many_columns_share_them(mistakes_of: MistakesOf) -> None:
    found = mistakes_of("archive: {url: 'https://pelda.example/{column}', item: 'a:hoverr'}\ncolumns: [a, b, c]\n")
    assert len(found) == 1


def test_a_column_that_stands_twice_is_a_mistake(mistakes_of: MistakesOf) -> None:
    (message,) = mistakes_of("archive: {url: 'https://pelda.example/{column}', link: a}\ncolumns: [a, b, a]\n")
    assert message.startswith("2:17: ")
