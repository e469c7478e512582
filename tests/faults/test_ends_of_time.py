"""Dates at the ends of time, and clocks that are wrong: what strangers write makes nothing fail, and a clock that cannot be is told."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from crawling import crawling
from seams import ExitCode
from small_corpus import SmallCorpus, page

from webarticlecurator import UsageError, build, load_portal, status

ENDS = (
    "9999-12-31T23:59:59-14:00",
    "9999-12-31T23:59:59+14:00",
    "9999-12-31T23:59:59Z",
    "9999-12-31",
    "0001-01-01T00:00:00+14:00",
    "0001-01-01T00:00:00-14:00",
    "0001-01-01",
    "0000-00-00",
    "10000-01-01T00:00:00Z",
    "-0001-01-01T00:00:00Z",
    "2016-12-31T23:59:60Z",
)
COMMANDS = ("status", "build --jobs 1", "report", "audit", "check", "learn", "release --creator Anna", "coverage --cdx index.cdx")
FORMATS = ("csv", "jsonl", "parquet", "sqlite", "txm", "conllu")
RULES = "timezone: Europe/Budapest\nmetadata: {datePublished: {css: time, attr: datetime}}\n"


def is_harmless(code: int) -> bool:
    return code in (ExitCode.OK, ExitCode.USAGE, ExitCode.FAILURES, 1, 4)


@pytest.mark.parametrize("rules", ["timezone: Europe/Budapest\n", RULES], ids=["found", "picked"])
def test_no_command_fails_by_a_date_of_publication_at_the_end_of_time(
    tmp_path: Path, curator: Callable[..., Any], monkeypatch: pytest.MonkeyPatch, rules: str
) -> None:
    corpus = SmallCorpus(tmp_path, rules)
    pages = [
        (
            f"/2024/05/0{day}/{number}",
            page(f"Bridge {number}", published=end, text=f"{day} {number}", head=f"<time datetime='{end}'></time>"),
        )
        for number, end in enumerate(ENDS)
        for day in (1, 2)
    ]
    corpus.store(*pages, date="2024-06-01T00:00:00Z")
    monkeypatch.chdir(tmp_path)
    Path("index.cdx").write_text(f"a 99991231235959 https://pelda.example{pages[0][0]} text/html 200 x 1\n")
    summary = corpus.build()
    assert not [problem for problem in corpus.problems if "fault" in str(problem)], summary
    file = str(tmp_path / "portal.yaml")
    for command in COMMANDS:
        name, *flags = command.split()
        ended = curator(name, file, "--corpus", corpus.folder, *flags)
        assert is_harmless(ended.code), f"{command}: {ended.code}\n{ended.err}"
    for format in FORMATS:
        ended = curator("export", file, "--corpus", corpus.folder, "--format", format, "--output", tmp_path / f"out-{format}")
        assert is_harmless(ended.code), f"{format}: {ended.code}\n{ended.err}"


def at(moment: str) -> Callable[[], datetime]:
    began = datetime.fromisoformat(moment)
    return lambda: began


FEW = ("belfold", "regi")
"""One that is walked page by page, and one with dates."""


@pytest.mark.parametrize(("year", "columns"), [(1970, FEW), (9998, FEW), pytest.param(2038, (), marks=pytest.mark.nightly)])
def test_a_crawl_and_a_build_work_whatever_year_the_clock_tells(tmp_path: Path, year: int, columns: tuple[str, ...]) -> None:
    with crawling(tmp_path, articles=11, columns=columns) as site:
        for day in ("01-01", "06-01"):
            site.crawl(now=at(f"{year}-{day}T00:00:00+00:00"))
        # in 1970 no day of a column with dates has come
        assert site.fetched == site.expected if year > 1970 else site.fetched < site.expected
        portal = load_portal(site.file)
        build(portal, corpus=site.corpus, now=at(f"{year}-06-01T00:00:00+00:00"))
        last = status(portal, corpus=site.corpus).last_crawl
        assert last is not None
        assert last.year == year


@pytest.mark.parametrize("moment", ["9999-12-31T23:59:59+00:00", "0001-01-01T00:00:00+00:00"])
def test_a_clock_at_the_end_of_time_is_told_before_anything_is_written(tmp_path: Path, moment: str) -> None:
    with crawling(tmp_path, articles=11, columns=FEW) as site:
        with pytest.raises(UsageError, match=f"clock says that it is {moment[:10]}"):
            site.crawl(now=at(moment))
        assert not site.corpus.exists()
        site.crawl()
        with pytest.raises(UsageError, match="clock"):
            build(load_portal(site.file), corpus=site.corpus, now=at(moment))


def test_a_clock_that_goes_back_during_a_crawl_loses_nothing(tmp_path: Path) -> None:
    calls = 0

    def now() -> datetime:
        nonlocal calls
        calls += 1
        return datetime(2026, 6, 1, tzinfo=UTC) - timedelta(hours=calls)

    with crawling(tmp_path, articles=11, columns=FEW) as site:
        for _ in range(3):
            site.crawl(now=now)
            assert site.fetched == site.expected
        assert build(load_portal(site.file), corpus=site.corpus, now=now).written
