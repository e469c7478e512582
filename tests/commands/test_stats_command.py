from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from threading import Event

import orjson
import pytest
from built_corpora import article, built_corpus
from reports import statistics_saying

from webarticlecurator.cli import stats
from webarticlecurator.cli.app import main
from webarticlecurator.corpus_statistics import statistics
from webarticlecurator.model.statistics import FieldStatistics, Share

TEXT = "The council counts the bridges of the town once a year."


@pytest.fixture
def portal(tmp_path: Path) -> Path:
    return built_corpus(tmp_path, [article(1, TEXT, metadata={"author": "\x1b[31mred"}), article(2, TEXT, date="2023-05-01")])


def test_it_shows_the_years_and_what_comes_next(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", str(portal), "--no-analyse"]) == 0
    out, err = capsys.readouterr()
    assert out.startswith("pelda: 2 articles, 22 words")
    assert [line.split()[:2] for line in out.splitlines() if line.strip().startswith("202")] == [["2023", "1"], ["2024", "1"]]
    assert f"`curator report {portal}`" in err


def test_what_would_steer_a_terminal_is_shown(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["stats", str(portal), "--no-analyse"])
    out = capsys.readouterr().out
    assert "\x1b" not in out and "\\x1b[31mred" in out


def test_json_holds_everything_a_line_a_portal(portal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = built_corpus(tmp_path, [article(1, TEXT, portal="other")], portal="other")
    assert main(["stats", str(portal), str(other), "--json", "--no-analyse", "--quiet"]) == 0
    first, second = map(orjson.loads, capsys.readouterr().out.splitlines())
    assert (first["portal"]["name"], first["totals"]["articles"], second["portal"]["name"]) == ("pelda", 2, "other")


def test_one_portal_that_cannot_be_counted_hides_no_other(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["stats", "nowhere.yaml", str(portal), "--json", "--no-analyse"]) == 2
    out, err = capsys.readouterr()
    assert orjson.loads(out)["portal"]["name"] == "pelda"
    assert "nowhere.yaml" in err


def test_status_of_several_portals_is_a_row_each(portal: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = built_corpus(tmp_path, [article(1, TEXT, portal="other")], portal="other")
    assert main(["status", str(portal), str(other)]) == 0
    out, err = capsys.readouterr()
    heading, *rows = out.splitlines()
    assert heading.split()[:3] == ["portal", "articles", "URLs"]
    assert [row.split()[:3] for row in rows] == [["pelda", "2", "2"], ["other", "1", "1"]]
    assert "Next for pelda: `curator" in err


def test_status_of_several_portals_as_json_is_a_list_and_tells_of_the_unreadable(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", str(portal), "nowhere.yaml", "--json"]) == 2
    first, second = orjson.loads(capsys.readouterr().out)
    assert (first["portal"], first["unreadable"]) == ("pelda", None)
    assert "no portal file" in second["unreadable"]


def test_one_corpus_folder_does_not_go_with_several_portals(portal: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["status", str(portal), str(portal), "--corpus", "x"]) == 2
    assert main(["stats", str(portal), str(portal), "--corpus", "x"]) == 2
    assert "name one portal with it" in capsys.readouterr().err


def test_an_interrupted_count_says_so_and_is_no_fault_of_the_command_line(
    portal: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    @contextmanager
    def at_once(*, quiet: bool) -> Iterator[Event]:
        stop = Event()
        stop.set()
        yield stop

    monkeypatch.setattr(stats, "interruptible", at_once)
    assert main(["stats", str(portal), "--no-analyse"]) == 4
    out, err = capsys.readouterr()
    assert out == "" and "Interrupted: nothing was counted." in err


@pytest.mark.parametrize(("days", "said"), [(("2024-05-01",), "on 1 day"), (("2024-05-01", "2024-05-02"), "on 2 days")])
def test_the_days_of_requests_are_told_in_the_right_number(days: tuple[str, ...], said: str) -> None:
    told = statistics_saying(lambda: "x")
    requests = tuple(replace(told.provenance.requests[0], day=day, requests=58) for day in days)
    shown = stats.screen(replace(told, provenance=replace(told.provenance, requests=requests)), complete=True)
    assert f"Requests: {58 * len(days)} stored, {said}" in shown


def test_nothing_is_a_hundred_percent_where_something_is_missing() -> None:
    told = statistics_saying(lambda: "x")
    nearly = FieldStatistics(field="author", filled=9_999, years=(), sources=(Share(name="meta", count=9_998),), disagreeing=0)
    shown = "\n".join(stats.screen(replace(told, totals=replace(told.totals, articles=10_000), fields=(nearly,)), complete=True))
    assert "99.9\u00a0%" in shown and "meta 99.9\u00a0%" in shown


def test_the_heading_of_the_sections_says_that_each_article_counts_in_its_first_one(tmp_path: Path) -> None:
    two = [article(1, TEXT, metadata={"articleSection": ["News", "Culture"]}), article(2, TEXT, metadata={"articleSection": "Culture"})]
    told = statistics(built_corpus(tmp_path, two), analysed=False)
    shown = "\n".join(stats.screen(told, complete=True))
    by_first, all_of_them = shown.partition("Sections, by the first of each article\n")[2].split("articleSection: 2 in 2 articles")
    assert ["Culture", "1"] in [line.split()[:2] for line in by_first.splitlines()]
    assert ["Culture", "2"] in [line.split()[:2] for line in all_of_them.splitlines()]
