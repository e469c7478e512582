"""`curator status`: what is there, what is missing and why, on one screen; of several portals a row each."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from ledgers import changed_by_hand
from scripted_portal import GONE, Reply, listing

HOME = "https://pelda.example"
WAY = f"url: '{HOME}/l/{{page}}', item: li.t, link: h2 a"
DATED = """\
archive:
  url: '{home}/{{date:{pattern}}}'
  item: li.t
  link: h2 a
  pages: none
  dates: {{from: {first}, until: {last}, step: {step}}}
"""


def by_dates(desk: Any, first: str, last: str, step: str, pattern: str) -> None:
    desk.rules(DATED.format(home=HOME, pattern=pattern, first=first, last=last, step=step))


def test_a_portal_of_many_years_has_one_row_a_column_and_all_on_demand(desk: Any) -> None:
    by_dates(desk, "1999-01-01", "2024-12-31", "year", "yyyy")
    desk.site.script |= {f"/{year}": listing(f"/c/{year}") if year != 2001 else Reply("broken", 500) for year in range(1999, 2025)}
    assert desk.types("crawl portal.yaml").code == 1
    screen = desk.types("status portal.yaml").out.splitlines()
    rows = [line.split() for line in screen if line.startswith("  archive  ")]
    assert [row[:3] for row in rows] == [["archive", "26", "25"]] and rows[0][-2:] == ["1", "open"]
    every = [line.split()[:2] for line in desk.types("status portal.yaml --verbose").out.splitlines() if line.startswith("  archive ")]
    assert ["archive", "1999"] in every and len(every) >= 26


def test_open_intervals_are_counted_and_what_many_of_them_share_is_told_once(desk: Any) -> None:
    by_dates(desk, "2020-01-01", "2020-03-31", "day", "yyyy-MM-dd")
    desk.site.script |= {f"/2020-03-{day:02}": listing(f"/c/{day}") for day in range(1, 32)}
    assert desk.types("crawl portal.yaml --from 2020-03-01").code == 0
    screen = desk.types("status portal.yaml").out
    assert "60 open intervals of the archive" in screen
    assert len([line for line in screen.splitlines() if "not walked yet" in line]) == 1
    (row,) = json.loads(desk.types("status portal.yaml --json").out)["completeness"]
    assert (row["intervals"], row["proved"], row["open"]) == (91, 31, 60)


def test_one_screen_holds_very_many_columns_with_those_that_are_open_first(desk: Any) -> None:
    names = [f"c{number}" for number in range(100)]
    desk.rules(f"archive: {{url: '{HOME}/{{column}}', item: li.t, link: h2 a, pages: none}}\ncolumns: [{', '.join(names)}]\n")
    desk.site.script |= {f"/{name}": listing(f"/c/{name}") for name in names if name != "c77"}
    desk.types("crawl portal.yaml")
    screen = desk.types("status portal.yaml").out.splitlines()
    assert len(screen) <= 60
    assert any(line.startswith("  c77 ") for line in screen)
    assert any("--verbose shows all" in line for line in screen)
    assert len(desk.types("status portal.yaml --verbose").out.splitlines()) > 100


def test_where_nothing_waits_nothing_is_said_to_wait(desk: Any, article_page: Any) -> None:
    desk.crawled(_c_1=article_page("A bridge"), _c_2=GONE)
    screen = desk.types("status portal.yaml").out
    assert f"URLs that have no article of their own, most frequent first\n  1 gone: HTTP 410 (such as {HOME}/c/2)" in screen
    assert "wait for the next crawl" not in screen
    report = json.loads(desk.types("status portal.yaml --json").out)
    assert report["outcomes"] == {"fetched": 1, "gone": 1}
    assert [(one["outcome"], one["count"]) for one in report["troubles"]] == [("gone", 1)]


def test_stored_pages_that_are_no_articles_are_no_failures_and_say_why(desk: Any, article_page: Any) -> None:
    desk.crawled(_c_1=article_page("A bridge"), _c_2=listing(*(f"/a-longer-address/of-an-article/{number}" for number in range(60))))
    desk.types("build portal.yaml --jobs 1")
    screen = desk.types("status portal.yaml").out
    (reason,) = (line for line in screen.splitlines() if f"such as {HOME}/c/2" in line)
    assert reason.split()[0] == "1" and reason.rpartition(": ")[2]


def test_articles_that_were_stored_anew_lead_to_a_build(desk: Any, article_page: Any) -> None:
    desk.built()
    assert "curator build" not in desk.types("status portal.yaml").err
    desk.site.script["/c/1"] = article_page("A bridge", text="More of it")
    assert desk.types("crawl portal.yaml --recheck 30d").code == 0
    ended = desk.types("status portal.yaml")
    assert "1 built article" in ended.out
    assert "Next: `curator build portal.yaml`" in ended.err and "1 article again" in ended.err
    assert json.loads(desk.types("status portal.yaml --json").out)["stored_anew"] == 1
    desk.types("build portal.yaml --jobs 1")
    assert json.loads(desk.types("status portal.yaml --json").out)["stored_anew"] == 0


def test_after_a_limit_of_the_portal_file_crawling_again_is_not_all_that_is_to_be_done(desk: Any, article_page: Any) -> None:
    pages = "pages: {mode: numbered, first: 1, last: 1}"
    desk.rules(f"archive: {{{WAY}, {pages}}}\n", listing(1), listing(2), listing(), _c_1=article_page("A bridge"), _c_2=article_page("B"))
    assert desk.types("crawl portal.yaml").code == 4
    assert "not proved" in desk.types("status portal.yaml").out
    told = desk.types("status portal.yaml").err
    assert "Next: `curator build portal.yaml`" in told and "raised" in told
    assert desk.types("build portal.yaml --jobs 1").code == 0
    told = desk.types("status portal.yaml").err
    assert "Next: `curator crawl portal.yaml` goes on where a limit ended archive; one that stands in the portal file" in told
    desk.rules(f"archive: {{{WAY}}}\n")
    assert desk.types("crawl portal.yaml").code == 0
    assert "limit" not in desk.types("status portal.yaml").err


def test_what_was_never_walked_is_not_called_proved(desk: Any) -> None:
    desk.rules(f"archive: {{url: '{HOME}/{{column}}/{{page}}', item: li.t, link: h2 a}}\ncolumns: [news, sport]\n")
    desk.site.script |= {"/news/1": listing(1), "/news/2": listing()}
    assert desk.types("crawl portal.yaml --column news").code == 0
    proved = {row["column"]: row["proved"] for row in json.loads(desk.types("status portal.yaml --json").out)["completeness"]}
    assert proved == {"news": 1, "sport": 0}
    screen = desk.types("status portal.yaml").out
    assert "sport: not walked yet" in screen and "1 open interval of the archive" in screen


# --- several portals ---


@pytest.fixture
def two(desk: Any) -> Any:
    """Two portals that were crawled; the second has a page that failed."""
    files = desk.portals("one", "two")
    desk.site.script["/c/two"] = Reply("broken", 500)
    desk.types(f"crawl {files}")
    return desk


def test_as_json_they_are_a_list_that_tells_of_the_unreadable_too(two: Any) -> None:
    ended = two.types("status one.yaml nowhere.yaml --json")
    first, second = json.loads(ended.out)
    assert ended.code == 2
    assert (first["portal"], first["unreadable"]) == ("one", None)
    assert "no portal file" in second["unreadable"]


@pytest.mark.parametrize("command", ["status", "crawl"])
def test_one_corpus_folder_does_not_go_with_several_portals(two: Any, command: str) -> None:
    ended = two.types(f"{command} one.yaml two.yaml --corpus x")
    assert (ended.code, "name one portal with it" in ended.err) == (2, True)


def test_a_first_date_that_nobody_said_is_told_beside_what_is_proved_from_it_on(desk: Any) -> None:
    def begins(comment: str) -> tuple[str, list[str]]:
        desk.rules(comment + DATED.format(home=HOME, pattern="yyyy", first="2023-01-01", last="2024-12-31", step="year"))
        ended = desk.types("status portal.yaml --json")
        return " ".join(desk.types("status portal.yaml").out.split()), json.loads(ended.out)["only_seen"]

    desk.site.script |= {f"/{year}": listing(f"/c/{year}") for year in (2023, 2024)}
    by_dates(desk, "2023-01-01", "2024-12-31", "year", "yyyy")
    assert desk.types("crawl portal.yaml").code == 0
    screen, seen = begins("# learned: 2 articles; `from` 2023-01-01 was only\n# seen, and said by nobody: what is older is left out\n")
    assert "proved" in screen and "archive: `dates.from` (2023-01-01) was only seen by `curator new`" in screen and len(seen) == 1
    for comment in ("", "# `from` 2022-01-01 was only seen, and said by nobody\n"):
        screen, seen = begins(comment)
        assert "only seen" not in screen and seen == []


@pytest.mark.parametrize("stop", ["stop: {at_url: 'https://pelda.example/l/2'}", "stop: null"])
def test_what_a_stop_rule_ended_is_said_to_be_proved_up_to_it(stop: str, desk: Any) -> None:
    desk.rules(f"archive: {{url: '{HOME}/l/1', item: li.t, link: h2 a, next: a.next, {stop}}}\n", listing(1, next="/l/2"), listing(2))
    assert desk.types("crawl portal.yaml").code == 0
    told = "  archive: proved up to the portal file's `stop`; what lies behind it is neither walked nor counted"
    assert (told in desk.types("status portal.yaml").out.splitlines()) is ("at_url" in stop)
    (proof,) = json.loads(desk.types("status portal.yaml --json").out)["proofs"]
    assert proof["by_stop"] is ("at_url" in stop)


def test_where_a_rule_must_be_mended_first_no_crawl_is_said_to_go_on(desk: Any) -> None:
    rules = f"archive: {{url: '{HOME}/l/1', item: li.t, link: h2 a, next: a.next}}\n"
    desk.rules(rules, listing(1, next="/l/2"), listing(2, next="/l/1"))
    assert desk.types("crawl portal.yaml").code == 1
    told = desk.types("status portal.yaml").all
    assert "1 interval of the archive that is not proved" in told and "an earlier page of this walk" in told
    assert (
        f"Next: `curator try portal.yaml {HOME}/l/2 --as archive` shows what the rules find there; crawling again changes nothing" in told
    )

    desk.rules(rules.replace("a.next", "'a.next:contains(\"older\")'"))
    told = desk.types("status portal.yaml").all
    assert "1 open interval of the archive; the next crawl walks it" in told and "Next: `curator crawl portal.yaml` goes on" in told


def test_a_corpus_of_another_version_says_of_each_database_what_makes_it_again(desk: Any) -> None:
    desk.crawled()
    assert desk.types("build portal.yaml --jobs 1").code == 0
    for name, advice in (("build", "`curator build portal.yaml`"), ("ledger", "`curator warc index portal.yaml`")):
        with changed_by_hand(Path(f"corpora/pelda/{name}.sqlite")) as database:
            database.executescript("PRAGMA user_version = 1")
        ended = desk.types("status portal.yaml")
        assert (ended.code, f"{name}.sqlite was written by another version" in ended.err, advice in ended.err) == (2, True, True)
    for command in ("warc index portal.yaml", "build portal.yaml --jobs 1", "status portal.yaml"):
        assert desk.types(command).code == 0
