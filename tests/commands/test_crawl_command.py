"""`curator crawl`: what flags ask for, what is refused before anybody is asked, and what a person and a program are told at the end."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from case_files import cases
from scripted_portal import Reply, listing, sitemap_index, urlset
from seams import duration

DAYS = """\
columns:
  news: {url: "https://pelda.example/l/{page}"}
  days:
    url: "https://pelda.example/{date:yyyy-MM-dd}/{page}"
    dates: {from: 2024-05-01, until: 2024-05-04}
archive: {item: li.t, link: h2 a}
"""


@pytest.fixture
def two_columns(desk: Any) -> Any:
    """A column without dates, and one of four days; each with an article a page."""
    desk.rules(DAYS, listing(1), listing())
    for day in range(1, 5):
        desk.site.script |= {f"/2024-05-0{day}/1": listing(f"/c/d{day}"), f"/2024-05-0{day}/2": listing()}
    return desk


@cases("flags, code, articles", "commands/cases/flags-choose-what-is-crawled")
def test_flags_choose_what_is_crawled(flags: str, code: int, articles: str, two_columns: Any) -> None:
    ended = two_columns.types(f"crawl portal.yaml {flags}")
    assert sorted(path.removeprefix("/c/") for path in two_columns.site.articles_asked) == articles.split()
    assert ended.code == code, ended.err
    assert ended.out == ""
    assert two_columns.site.asked == [] or flags not in ("--dry-run", "--offline", "--articles-only")
    assert flags != "--dry-run" or not Path("corpora").exists()


@cases("flags, noun", "commands/cases/what-cannot-be-is-refused-before-anybody-is-asked")
def test_what_cannot_be_is_refused_before_anybody_is_asked(flags: str, noun: str, two_columns: Any) -> None:
    text = Path("portal.yaml").read_text(encoding="utf-8")
    Path("copy.yaml").write_text(text, encoding="utf-8")
    Path("other.yaml").write_text(text.replace("portal: pelda", "portal: other"), encoding="utf-8")
    for name in ("rossz", "hibas"):
        Path(f"{name}.yaml").write_text(f"portal: {name}\nhome: https://pelda.example/\ntitel: x\n", encoding="utf-8")
    ended = two_columns.types(f"crawl portal.yaml {flags}")
    assert (ended.code, ended.out) == (2, "")
    assert noun in ended.err
    assert two_columns.site.asked == []


@pytest.mark.parametrize(("typed", "hours"), [("30m", 0.5), ("90 s", 0.025), ("36h", 36), ("1.5d", 36), ("2w", 336)])
def test_a_length_of_time_is_what_it_is_in_a_portal_file(typed: str, hours: float) -> None:
    """There `settle: 30m` is half an hour; `--recheck 30m` was thirty months."""
    assert duration(typed) == timedelta(hours=hours)


def test_a_program_gets_one_object_a_portal_and_with_quiet_only_what_went_wrong_is_said(desk: Any) -> None:
    failing = {f"_c_{number}": Reply("broken", 500) for number in (1, 3)}
    desk.rules("archive: {url: 'https://pelda.example/l/{page}', item: li.t, link: h2 a}\n", listing(*range(4)), listing(), **failing)
    ended = desk.types("crawl portal.yaml --json --quiet")
    told = json.loads(ended.out)
    assert (ended.code, "Next: " in ended.err, "pelda: done" in ended.err) == (1, False, False)
    names = ["portal", "exit_code", "corpus", "archive_pages", "new", "fetched", "waiting", "outcomes", "problems", "problems_file"]
    assert [told[name] for name in names] == [
        "pelda", 1, "corpora/pelda", 5, 4, 2, 0, {"fetched": 2, "error": 2}, 2, "corpora/pelda/problems.jsonl",
    ]  # fmt: skip
    assert told["failures"] == ["2 articles failed"]
    empty = {name: told[name] for name in ("impossible", "blocked", "drift", "incomplete", "refused")}
    assert empty == {"impossible": None, "blocked": None, "drift": [], "incomplete": [], "refused": []}


def test_doubts_about_portal_files_are_told_once_and_the_crawl_goes_on(desk: Any) -> None:
    desk.rules("archive: {url: 'https://pelda.example/l/{page}', item: li.t, link: h2 a}\nbody: {root: artcle}\n", listing(1), listing())
    ended = desk.types("crawl portal.yaml")
    assert ended.code == 0
    assert ended.err.count(": warning: ") == 1


def test_of_many_portals_each_is_told_of_to_programs_and_to_people(desk: Any) -> None:
    names = [f"p{number}" for number in range(12)]
    files = desk.portals(*names)
    assert [json.loads(line)["portal"] for line in desk.types(f"crawl {files} --json").out.splitlines()] == names
    assert desk.types(f"crawl {files}").err.count("\nNext: ") == 12


ENDS_OF_TIME = ("9999-12-31T23:59:59-14:00", "9999-12-31T23:59:59Z", "9999-12-31", "9999", "0001-01-01T00:00:00+14:00", "10000-01-01")


def test_sitemaps_that_changed_at_the_end_of_time_are_read_again(desk: Any) -> None:
    desk.rules("archive:\n  url: https://pelda.example/map.xml\n  format: sitemap\n")
    for number, end in enumerate(ENDS_OF_TIME):
        of_end = sitemap_index(f"{desk.site.home}/{number}.xml", lastmod=end)
        desk.site.script |= {f"/map{number}.xml": of_end, f"/{number}.xml": urlset(f"{desk.site.home}/c/{number}", lastmod=end)}
    maps = (f"{desk.site.home}/map{number}.xml" for number in range(len(ENDS_OF_TIME)))
    desk.site.script["/map.xml"] = sitemap_index(*maps, lastmod=ENDS_OF_TIME[0])
    for command in ("crawl portal.yaml", "crawl portal.yaml", "crawl portal.yaml --full", "build portal.yaml --jobs 1"):
        said = desk.types(command)
        assert said.code == 0, said.all
    assert sorted(desk.site.articles_asked) == [f"/c/{number}" for number in range(len(ENDS_OF_TIME))]
