"""Very many portals on one screen."""

from __future__ import annotations

import io
from dataclasses import replace

import pytest
from moved_clock import Clock
from rich.console import Console

from webarticlecurator.cli.many_portals import ManyLines, ManyOnScreen, ManyPortals
from webarticlecurator.cli.progress import MANY, Lines, shown_progress
from webarticlecurator.model.progress import Snapshot

WALKING = Snapshot(portal="p1", phase="archive", archive_pages=20, waiting=400, pace=1.0, proved=1, unproved=1)
FETCHING = Snapshot(portal="p2", phase="articles", archive_pages=30, articles=100, waiting=500, failed=2, pace=0.5, proved=3)
BLOCKED = Snapshot(portal="p3", phase="articles", articles=7, waiting=50, pace=1.0, needs="blocked: HTTP 403 for 5 pages in a row")
DONE = Snapshot(portal="p4", phase="done", articles=60, pace=1.0)


def test_one_line_tells_of_all_portals_together_and_compares_rates_of_those_at_work_alone(clock: Clock) -> None:
    many = ManyPortals(500, clock=clock)
    for snapshot in (WALKING, FETCHING, BLOCKED, replace(DONE, phase="articles", articles=0)):
        many.take(snapshot)
    many.in_one_line()
    for snapshot in (replace(WALKING, archive_pages=25), replace(FETCHING, articles=110), DONE):
        many.take(snapshot)
    clock.now = 10.0
    assert many.in_one_line() == (
        "500 portals: 1 done, 1 in archive, 2 in articles, 496 not begun; 1.5/s of 2.5/s permitted, 55 archive pages, 177 articles,"
        " 950 waiting, 2 failed, 4 walks proved, 1 left open; needing a person: 1 (1 blocked)"
    )


def test_those_that_need_a_person_come_first_then_those_that_take_longest_and_those_that_are_done_need_no_row(clock: Clock) -> None:
    many = ManyPortals(500, clock=clock)
    for snapshot in (WALKING, FETCHING, BLOCKED, DONE):
        many.take(snapshot)
    rows, others = many.rows(2)
    assert [row[0] for row in rows] == ["p3", "p2"]
    assert others == 1
    assert rows[1] == ("p2", "articles", "0.0/s", "0.5/s", "30", "100", "500", "2", "3 of 3", "17 min", "")


def test_lines_come_every_few_seconds_for_all_and_at_once_for_what_needs_a_person_and_only_once(clock: Clock) -> None:
    lines: list[str] = []
    shown = ManyLines(lines.append, 500, clock=clock, every=10.0)
    for second, snapshot in [(0, WALKING), (1, FETCHING), (2, BLOCKED), (3, BLOCKED), (11, WALKING)]:
        clock.now = second
        shown.show(snapshot)
    shown.say("p9", "the host asks us to wait 60 s")
    assert [line.split(":")[0] for line in lines] == ["500 portals", "p3 needs a person", "500 portals", "p9"]
    assert lines[1].endswith("blocked: HTTP 403 for 5 pages in a row")


def test_the_screen_is_never_higher_than_the_terminal(clock: Clock) -> None:
    said: list[str] = []
    screen = ManyOnScreen(500, clock=clock, say=said.append)
    for number in range(500):
        screen.show(Snapshot(portal=f"p{number}", phase="archive", needs="[red]odd[/red] \x1b[2J" if number == 7 else ""))
    drawn = io.StringIO()
    Console(file=drawn, width=160, height=24).print(screen.drawn(24))
    lines = drawn.getvalue().splitlines()
    assert len(lines) <= 24
    assert lines[-1].startswith("and 482 more")
    assert "p7 " in drawn.getvalue() and "[red]odd[/red] \\x1b[2J" in drawn.getvalue()
    screen.say("p1", "wait \x1b[2J")
    assert said == ["p1: wait \\x1b[2J"]


@pytest.mark.parametrize(("portals", "kind"), [(MANY - 1, Lines), (MANY, ManyLines)])
def test_few_portals_have_a_line_each_and_many_have_one(portals: int, kind: type) -> None:
    with shown_progress(portals) as progress:
        assert isinstance(progress, kind)
