from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from webarticlecurator.cli.app import main
from webarticlecurator.cli.status import next_command, screen
from webarticlecurator.model.outcome import FetchOutcome, PageOutcome
from webarticlecurator.model.statistics import PortalOverview
from webarticlecurator.model.status import Completeness, NoArticle, OpenStretch, StatusReport, Trouble, Way

PROVED = Completeness(column="belfold", year=2024, intervals=366, proved=366, pages=800, links=12_000, new=11_000, fetched=11_000)
OPEN = Completeness(
    column="kulfold",
    intervals=3,
    proved=1,
    limited={"known_pages": 1},
    open=1,
    pages=12,
    links=240,
    new=240,
    fetched=200,
    waiting=38,
    failed=2,
)
REPORT = StatusReport(
    portal="pelda",
    corpus="corpora/pelda",
    last_crawl=datetime(2026, 11, 20, 9, 30, tzinfo=UTC),
    outcomes={FetchOutcome.FETCHED: 11_200, FetchOutcome.ERROR: 2, FetchOutcome.QUEUED: 36},
    archive_pages=812,
    warc_files=3,
    warc_bytes=1_234_567_890,
    completeness=(PROVED, OPEN),
    gaps=(OpenStretch(column="kulfold", url="https://pelda.example/kulfold/12", reason="interrupted"),),
    waiting=38,
    troubles=(Trouble(outcome=FetchOutcome.ERROR, reason="HTTP 500 after 5 attempts", count=2, example="https://pelda.example/a"),),
    problems=2,
)


def lines(report: StatusReport, *, complete: bool = False) -> list[str]:
    return screen(report, Path("corpora/pelda/problems.jsonl"), complete=complete)


def row(report: StatusReport, start: str) -> list[str]:
    return next(line for line in lines(report) if line.strip().startswith(start)).split(maxsplit=10)


def test_articles_that_were_stored_anew_since_they_were_built_are_told_and_lead_to_a_build() -> None:
    report = StatusReport(portal="pelda", corpus="corpora/pelda", stored_anew=33)
    told = "33 built articles have pages with other bytes that were stored since the last build; the next build reads them"
    reads = "reads 33 articles again that were stored anew since the last build"
    makes = "makes TEI documents of 1 stored article that no build has seen"
    assert lines(report)[-1] == told
    assert next_command(report, "pelda.yaml") == f"`curator build pelda.yaml` {reads}"
    assert next_command(replace(report, unbuilt=1), "pelda.yaml") == f"`curator build pelda.yaml` {makes}, and {reads}"


def test_it_opens_with_the_corpus_in_one_line() -> None:
    assert lines(REPORT)[0] == "pelda: last crawl 2026-11-20 09:30 UTC; 812 archive pages, 3 WARC files, 1.23 GB; corpora/pelda"


def test_outcomes_come_in_a_fixed_order_and_without_zeros() -> None:
    assert lines(REPORT)[2:6] == ["11,238 article URLs known", "  queued       36", "  fetched  11,200", "  error         2"]


def test_a_column_says_whether_its_end_is_proved_or_what_limited_it() -> None:
    assert row(REPORT, "belfold") == ["belfold", "2024", "366", "366", "800", "12,000", "11,000", "11,000", "0", "0", "proved"]
    assert " ".join(row(REPORT, "kulfold")).endswith("1 open, 1 ended by known_pages")


def test_a_column_that_was_never_walked_is_not_called_proved() -> None:
    assert "not walked yet" in "\n".join(lines(StatusReport(portal="p", corpus="c", completeness=(Completeness(column="sport"),))))


def test_what_was_only_read_names_the_command_that_looks_elsewhere() -> None:
    shown = lines(StatusReport(portal="p", corpus="c", completeness=(Completeness(column="sitemap", intervals=1, only_read=1),)))
    assert "`curator audit --archive --fetch` looks elsewhere for them" in shown[-1]


def test_gaps_and_failures_are_told_with_reason_and_place() -> None:
    shown = "\n".join(lines(REPORT))
    assert "  kulfold: interrupted: https://pelda.example/kulfold/12" in shown
    assert "  2 error: HTTP 500 after 5 attempts (such as https://pelda.example/a)" in shown
    assert f"2 problems for a human: {Path('corpora/pelda/problems.jsonl')}" in shown


def test_open_intervals_are_counted_as_in_the_table_whatever_stands_on_one_line() -> None:
    day = OpenStretch(column="naptar", url="", reason="not walked yet: 76 of its intervals, such as 2024-05-15", intervals=76)
    gaps = (day, *(OpenStretch(column=f"c{number}", url="", reason="not walked yet") for number in range(9)))
    shown = lines(StatusReport(portal="p", corpus="c", gaps=gaps))
    assert "85 open intervals of the archive; the next crawl walks them" in shown
    assert "  and 5 more (--verbose shows all)" in shown
    shown = lines(StatusReport(portal="p", corpus="c", gaps=(*gaps[1:6], day)))
    assert "  and 76 more (--verbose shows all)" in shown
    assert "1 open interval of the archive; the next crawl walks it" in lines(REPORT)


def test_a_reason_that_many_intervals_of_a_column_share_is_told_once() -> None:
    months = ("2020-03", "2020-02", "2020-01")
    never = [OpenStretch(column="regi", interval=one, url=f"https://pelda.example/{one}", reason="column regi: no page") for one in months]
    gaps = (*never, OpenStretch(column="uj", url="", reason="column uj: no page"))
    shown = lines(StatusReport(portal="p", corpus="c", gaps=gaps))
    assert shown[-2:] == ["  regi: 3 intervals, such as 2020-03: no page: https://pelda.example/2020-03", "  uj: no page"]
    assert "4 open intervals of the archive; the next crawl walks them" in shown
    complete = "\n".join(screen(StatusReport(portal="p", corpus="c", gaps=gaps), Path("p"), complete=True))
    assert complete.count("no page") == 4


def test_an_address_that_a_reason_begins_with_is_not_told_twice() -> None:
    gap = OpenStretch(column="a", url="https://pelda.example/a/", reason="https://pelda.example/a/: HTTP 500", end="failed")
    assert lines(StatusReport(portal="p", corpus="c", gaps=(gap,)))[-1] == "  a: https://pelda.example/a/: HTTP 500"


def test_an_address_that_a_reason_names_is_not_told_twice() -> None:
    page = "https://pelda.example/sitemap.xml"
    gap = OpenStretch(column="sitemap", url=page, reason=f"{page} (HTTP 404) could not be read", end="failed")
    assert lines(StatusReport(portal="p", corpus="c", gaps=(gap,)))[-1] == f"  sitemap: {page} (HTTP 404) could not be read"
    home = OpenStretch(column="pages", url="https://pelda.example/", reason=f"{page} names nothing", end="unproved")
    assert lines(StatusReport(portal="p", corpus="c", gaps=(home,)))[-1].endswith(": https://pelda.example/")


def test_a_column_that_a_reason_names_is_not_named_twice() -> None:
    reason = "column feed: this feed never listed an article link"
    gap = OpenStretch(column="feed", url="", reason=reason, end="unproved")
    shown = lines(StatusReport(portal="p", corpus="c", gaps=(gap,), ways=(Way(name="feed", state="unproved", reason=reason),)))
    assert shown[-1] == "  feed: this feed never listed an article link"
    assert "  feed  unproved  this feed never listed an article link" in shown


def test_stored_articles_that_are_gone_since_stand_apart_from_what_failed() -> None:
    gone = Trouble(outcome=FetchOutcome.GONE, reason="HTTP 404", count=2, example="https://pelda.example/a")
    shown = lines(StatusReport(portal="p", corpus="c", not_again=(gone,)))
    assert shown[-2:] == [
        "2 stored articles could not be had when last asked for again; what is stored stays",
        "  2 gone: HTTP 404 (such as https://pelda.example/a)",
    ]


def test_pages_that_are_no_articles_are_not_called_so_and_all_are_named_on_demand() -> None:
    urls = "https://pelda.example/a", "https://pelda.example/2021/06/"
    gone = Trouble(outcome=FetchOutcome.GONE, reason="HTTP 404", count=3, example=urls[0], no_articles=2, urls=urls)
    told = "1 stored article and 2 stored pages that are no articles could not be had when last asked for again; what is stored stays"
    report = StatusReport(portal="p", corpus="c", not_again=(gone,))
    assert lines(report)[-2:] == [told, f"  3 gone: HTTP 404 (such as {urls[0]})"]
    assert lines(report, complete=True)[-5:] == [
        told,
        "  3 gone: HTTP 404",
        f"    {urls[0]}",
        f"    {urls[1]} (no article)",
        "    and 1 more",
    ]


def test_stored_pages_that_are_no_articles_are_no_failures_and_say_why() -> None:
    topic = NoArticle(outcome=PageOutcome.LISTING, count=32, example="https://pelda.example/tags/a", reason="most of its text are 21 links")
    shown = lines(StatusReport(portal="p", corpus="c", no_articles=(topic,)))
    assert shown[-2:] == [
        "32 stored pages are no articles, and have no document",
        "  32 listing, such as https://pelda.example/tags/a: most of its text are 21 links",
    ]


def test_many_years_become_one_row_a_column() -> None:
    years = tuple(
        Completeness(column="belfold", year=year, intervals=12, proved=12 if year > 2000 else 11, open=year <= 2000)
        for year in range(1999, 2025)
    )
    shown = lines(StatusReport(portal="p", corpus="c", completeness=years))
    assert next(line for line in shown if "belfold" in line).split()[:3] == ["belfold", "312", "310"]
    assert len(lines(StatusReport(portal="p", corpus="c", completeness=years), complete=True)) > 26


def test_of_many_columns_those_with_something_open_are_shown_first() -> None:
    columns = tuple(Completeness(column=f"c{number}", intervals=1, proved=int(number != 77)) for number in range(100))
    shown = "\n".join(lines(StatusReport(portal="p", corpus="c", completeness=columns)))
    assert "  c77 " in shown
    assert "and 85 more (--verbose shows all)" in shown


def test_one_screen_holds_even_the_worst_corpus() -> None:
    worst = StatusReport(
        portal="p",
        corpus="c",
        outcomes=dict.fromkeys(FetchOutcome, 1),
        completeness=tuple(Completeness(column=f"c{n}", year=year, intervals=5) for n in range(250) for year in range(1998, 2027)),
        gaps=tuple(OpenStretch(column="c", url=f"https://p.example/{n}", reason="r") for n in range(500)),
        troubles=tuple(Trouble(outcome=FetchOutcome.ERROR, reason=f"r{n}", count=1, example="x") for n in range(500)),
    )
    assert len(lines(worst)) <= 60
    assert "and 495 more" in "\n".join(lines(worst))


def test_hostile_column_names_keep_the_table_straight() -> None:
    report = StatusReport(portal="p", corpus="c", completeness=(Completeness(column="a\x1b[31m", intervals=1, proved=1),))
    assert "a\\x1b[31m" in "\n".join(lines(report))


DOUBTED = OpenStretch(column="kulfold", url="https://pelda.example/kulfold/", reason="no archive page ever gave a link", end="unproved")


@pytest.mark.parametrize(
    ("report", "told"),
    [
        (REPORT, "`curator crawl pelda.yaml` goes on"),
        (StatusReport(portal="p", corpus="c", drift=("belfold",)), "`curator try pelda.yaml URL --as archive --fetch`"),
        (StatusReport(portal="p", corpus="c", outcomes={FetchOutcome.BLOCKED: 3}, waiting=3), "wait, or raise fetch.delay"),
        (StatusReport(portal="p", corpus="c", completeness=(PROVED,)), "fetches what is new"),
        (StatusReport(portal="p", corpus="c", gaps=(DOUBTED,)), "`curator try pelda.yaml https://pelda.example/kulfold/ --as archive`"),
        (StatusReport(portal="p", corpus="c", gaps=(DOUBTED, *REPORT.gaps)), "`curator crawl pelda.yaml` goes on"),
        (StatusReport(portal="p", corpus="c", gaps=(DOUBTED,), waiting=3), "`curator crawl pelda.yaml` goes on"),
    ],
)
def test_it_ends_with_the_most_useful_command(report: StatusReport, told: str) -> None:
    assert told in next_command(report, "pelda.yaml")


def test_of_several_portals_none_is_proved_whole_by_rounding(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    row = PortalOverview(portal="pelda", corpus="corpora/pelda", intervals=1_000, proved=999)
    monkeypatch.setattr("webarticlecurator.corpus_statistics.overview", lambda *_, **__: [row])
    assert main(["status", "one.yaml", "two.yaml"]) == 0
    assert "99.9\u00a0%" in capsys.readouterr().out
