from __future__ import annotations

import io
from dataclasses import replace

import pytest
from moved_clock import Clock
from rich.console import Console
from rich.progress import Progress as Bars
from rich.progress import TextColumn

from webarticlecurator.cli import console
from webarticlecurator.cli.progress import Lines, LiveBars, figures, remaining, shown_progress
from webarticlecurator.cli.rates import Rate, duration_words
from webarticlecurator.model.progress import Silent, Snapshot

WALKING = Snapshot(portal="pelda", phase="archive", doing="belfold 2024-05", archive_pages=20, new=400, waiting=400, pace=1.0)
FETCHING = Snapshot(portal="pelda", phase="articles", archive_pages=30, articles=100, new=600, waiting=500, failed=2, pace=1.0)


def test_plain_lines_come_every_few_seconds_and_when_the_phase_changes(clock: Clock) -> None:
    lines: list[str] = []
    shown = Lines(lines.append, clock=clock, every=10.0)
    for second, snapshot in [(1, WALKING), (2, WALKING), (5, FETCHING), (9, FETCHING), (15, FETCHING), (16, FETCHING)]:
        clock.now = second
        shown.show(snapshot)
    assert [line.split(":")[1].split()[0] for line in lines] == ["archive", "articles", "articles"]


def test_the_last_line_is_the_final_count(clock: Clock) -> None:
    lines: list[str] = []
    shown = Lines(lines.append, clock=clock, every=10.0)
    begun = Snapshot(portal="pelda", phase="statistics", doing="articles analysed", waiting=175, unit="")
    for snapshot in (begun, replace(begun, articles=90, waiting=85), replace(begun, articles=175, waiting=0), WALKING):
        shown.show(snapshot)
    assert len(lines) == 2, "another phase has begun"
    for snapshot in (begun, replace(begun, articles=175, waiting=0)):
        shown.show(snapshot)
    shown.end()
    shown.end()
    assert lines[2:] == [
        "pelda: statistics articles analysed: 0 of 175",
        "pelda: statistics articles analysed: 175 of 175",
    ]


def test_each_portal_has_its_own_pace_of_lines(clock: Clock) -> None:
    lines: list[str] = []
    shown = Lines(lines.append, clock=clock, every=10.0)
    shown.show(WALKING)
    shown.show(replace(WALKING, portal="other"))
    assert [line.split(":")[0] for line in lines] == ["pelda", "other"]


def test_what_a_person_should_see_now_is_never_held_back(clock: Clock) -> None:
    lines: list[str] = []
    shown = Lines(lines.append, clock=clock, every=10.0)
    shown.say("pelda", "the host asks us to wait 60 s")
    shown.say("pelda", "blocked: HTTP 403 for 12 pages in a row")
    assert lines == ["pelda: the host asks us to wait 60 s", "pelda: blocked: HTTP 403 for 12 pages in a row"]


def test_in_a_narrow_terminal_the_figures_are_those_of_what_is_being_done() -> None:
    assert figures(WALKING, 2.0, short=True) == "20 pages, 2.0/s"
    assert figures(FETCHING, 2.0, short=True) == "100 of 600, 2 failed, 2.0/s, 4 min left"
    assert len(figures(replace(FETCHING, articles=123_456, waiting=1_540_000, pace=0.9), 0.9, short=True)) < 60


def test_the_rate_is_that_of_the_last_half_minute(clock: Clock) -> None:
    rate = Rate(clock)
    assert rate.at(0) == 0.0
    for second in range(1, 101):
        clock.now = second
        fast = rate.at(second * 4)
    assert fast == pytest.approx(4.0)
    for second in range(101, 141):
        clock.now = second
        slow = rate.at(400)
    assert slow == 0.0


def test_the_remaining_time_follows_the_measured_rate_and_before_that_the_permitted_pace() -> None:
    assert remaining(FETCHING, 2.0) == 250.0
    assert remaining(FETCHING, 0.0) == 500.0
    assert remaining(replace(FETCHING, pace=0.0), 0.0) is None


def test_while_the_archive_is_walked_nobody_knows_how_long_it_takes() -> None:
    assert remaining(WALKING, 2.0) is None
    assert "left" not in figures(WALKING, 2.0)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"), (45.4, "45 s"), (60, "1 min"), (3540, "59 min"), (3600, "1 h 0 min"),
        (12_000, "3 h 20 min"), (86_400, "1 d 0 h"), (370_800, "4 d 7 h"),
    ],
)  # fmt: skip
def test_lengths_of_time_are_read_by_people(seconds: float, words: str) -> None:
    assert duration_words(seconds) == words


def test_a_rate_is_that_of_a_tenth_of_a_second_or_more(clock: Clock) -> None:
    rate = Rate(clock)
    rate.at(0)
    clock.now += 0.003
    assert rate.at(20) == 0.0
    clock.now += 0.097
    assert rate.at(20) == pytest.approx(200.0)


def test_one_line_has_all_the_figures() -> None:
    assert figures(FETCHING, 2.0) == "30 archive pages, 100 articles, 500 waiting, 2 failed, 2.0/s, 4 min left"


def test_a_terminal_gets_one_bar_a_portal_that_is_full_at_the_end(clock: Clock) -> None:
    screen = io.StringIO()
    bars = Bars(TextColumn("{task.description} {task.fields[figures]}"), console=Console(file=screen, width=200))
    live = LiveBars(bars, clock=clock)
    for snapshot in (WALKING, replace(WALKING, portal="other"), FETCHING):
        live.show(snapshot)
    assert [(task.description, task.total, task.completed) for task in bars.tasks] == [("pelda", 600, 100), ("other", None, 0)]
    live.show(replace(FETCHING, phase="done", articles=590, waiting=10))
    assert bars.tasks[0].finished
    live.say("pelda", "[red]wait[/red] \x1b[2J")
    assert screen.getvalue() == "pelda: [red]wait[/red] \\x1b[2J\n"


def test_quiet_shows_nothing_and_a_log_file_gets_lines(capsys: pytest.CaptureFixture[str]) -> None:
    with shown_progress() as progress:
        progress.show(WALKING)
    assert capsys.readouterr().err.startswith("pelda: archive belfold 2024-05: 20 archive pages")
    console.set_verbosity(console.Verbosity.QUIET)
    try:
        with shown_progress() as progress:
            assert isinstance(progress, Silent)
    finally:
        console.set_verbosity(console.Verbosity.NORMAL)
