"""Very many portals on one screen while they are crawled: what they do together, and which of them need a person."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.rates import Clock, Rate, duration_words
from webarticlecurator.model.progress import Snapshot

if TYPE_CHECKING:
    from rich.console import RenderableType

_HEADINGS = ("portal", "phase", "rate", "of", "pages", "articles", "waiting", "failed", "proved", "left", "")
_NEEDS_WIDTH = 60
_BESIDE_ROWS = 6
"""Lines of the screen that are no rows of portals."""


class ManyPortals:
    """What is known of all portals: in one line, and of those that matter most in a row each."""

    def __init__(self, portals: int, *, clock: Clock) -> None:
        self._portals = portals
        self._clock = clock
        self._lock = threading.Lock()
        self._snapshots: dict[str, Snapshot] = {}
        self._rates: dict[str, Rate] = {}

    def take(self, snapshot: Snapshot) -> str:
        """Something new of a portal; gives what needs a person, where that was not known before."""
        with self._lock:
            before = self._snapshots.get(snapshot.portal)
            self._snapshots[snapshot.portal] = snapshot
        return snapshot.needs if snapshot.needs and (before is None or before.needs != snapshot.needs) else ""

    def in_one_line(self) -> str:
        """All of them together."""
        snapshots = self._now()
        phases = Counter(one.phase for one in snapshots)
        done = phases.pop("done", 0)
        begun = [f"{number:,} in {phase}" for phase, number in sorted(phases.items())]
        not_begun = self._portals - len(snapshots)
        parts = [f"{done:,} done", *begun, *([f"{not_begun:,} not begun"] if not_begun else [])]
        at_work = [one for one in snapshots if one.phase != "done"]
        rate, permitted = sum(map(self._rate, at_work)), sum(one.pace for one in at_work)
        figures = [
            f"{rate:.1f}/s" + (f" of {permitted:.1f}/s permitted" if permitted else ""),
            *(f"{sum(getattr(one, name) for one in snapshots):,} {said}" for name, said in _SUMS.items()),
        ]
        blocked = sum(one.needs.startswith("blocked") for one in snapshots)
        needs = sum(bool(one.needs) for one in snapshots)
        trouble = f"; needing a person: {needs:,} ({blocked:,} blocked)" if needs else ""
        return f"{amount(self._portals, 'portal')}: {', '.join(parts)}; {', '.join(figures)}{trouble}"

    def rows(self, most: int) -> tuple[list[tuple[str, ...]], int]:
        """The portals that matter most, those that need a person first; and how many others there are."""
        now = [(one, self._rate(one) if one.phase != "done" else 0.0) for one in self._now()]
        left = {one.portal: self._left(one, rate) for one, rate in now}
        at_work = [(one, rate) for one, rate in now if one.phase != "done" or one.needs]
        at_work.sort(key=lambda pair: (not pair[0].needs, -(left[pair[0].portal] or 0.0), pair[0].portal))
        return [_cells(one, rate, left[one.portal]) for one, rate in at_work[:most]], max(0, len(at_work) - most)

    def _rate(self, one: Snapshot) -> float:
        return self._rates.setdefault(one.portal, Rate(self._clock)).at(one.archive_pages + one.articles)

    def _left(self, one: Snapshot, rate: float) -> float | None:
        """Seconds until its articles are fetched."""
        pace = rate or one.pace
        return one.waiting / pace if pace > 0 and one.phase != "done" else None

    def _now(self) -> list[Snapshot]:
        with self._lock:
            return list(self._snapshots.values())


_SUMS = {
    "archive_pages": "archive pages",
    "articles": "articles",
    "waiting": "waiting",
    "failed": "failed",
    "proved": "walks proved",
    "unproved": "left open",
}


def _cells(one: Snapshot, rate: float, left: float | None) -> tuple[str, ...]:
    walks = f"{one.proved:,} of {one.proved + one.unproved:,}" if one.proved + one.unproved else ""
    numbers = (one.archive_pages, one.articles, one.waiting, one.failed)
    return (
        console.printable(one.portal),
        one.phase,
        *((f"{rate:.1f}/s", f"{one.pace:.1f}/s" if one.pace else "") if one.phase != "done" else ("", "")),
        *(f"{number:,}" for number in numbers),
        walks,
        duration_words(left) if left else "",
        console.printable(one.needs)[:_NEEDS_WIDTH],
    )


class ManyLines:
    """One plain line for all portals every few seconds, and one for each portal that begins to need a person."""

    def __init__(self, write: Callable[[str], None], portals: int, *, clock: Clock, every: float) -> None:
        self._write = write
        self._many = ManyPortals(portals, clock=clock)
        self._clock = clock
        self._every = every
        self._lock = threading.Lock()
        self._last = float("-inf")

    def show(self, snapshot: Snapshot) -> None:
        needs = self._many.take(snapshot)
        with self._lock:
            if needs:
                self._write(f"{snapshot.portal} needs a person: {needs}")
            if self._clock() - self._last >= self._every:
                self._last = self._clock()
                self._write(self._many.in_one_line())

    def say(self, portal: str, message: str) -> None:
        with self._lock:
            self._write(f"{portal}: {message}")


class ManyOnScreen:
    """One screen that shows all of them together, and as many as fit in a row each."""

    def __init__(self, portals: int, *, clock: Clock, say: Callable[[str], None]) -> None:
        self._many = ManyPortals(portals, clock=clock)
        self._say = say

    def show(self, snapshot: Snapshot) -> None:
        self._many.take(snapshot)

    def say(self, portal: str, message: str) -> None:
        self._say(console.printable(f"{portal}: {message}"))

    def drawn(self, height: int) -> RenderableType:
        """What is to be seen now on a terminal of so many lines."""
        from rich.console import Group
        from rich.table import Table
        from rich.text import Text

        rows, others = self._many.rows(max(1, height - _BESIDE_ROWS))
        table = Table(box=None, pad_edge=False, show_header=bool(rows), header_style="dim")
        for number, heading in enumerate(_HEADINGS):
            table.add_column(
                heading, justify="left" if number in (0, 1, len(_HEADINGS) - 1) else "right", no_wrap=True, overflow="ellipsis"
            )
        for row in rows:
            table.add_row(*map(Text, row))
        return Group(Text(self._many.in_one_line()), table, *([Text(f"and {others:,} more", style="dim")] if others else []))


@contextmanager
def many_on_screen(portals: int, *, clock: Clock) -> Iterator[ManyOnScreen]:
    """The screen, drawn once a second; rich is imported only here."""
    from rich.console import Console
    from rich.live import Live

    terminal = Console(stderr=True)

    def say(line: str) -> None:
        terminal.print(console.fitted(line, sys.stderr), markup=False, highlight=False, soft_wrap=True)

    screen = ManyOnScreen(portals, clock=clock, say=say)
    with Live(get_renderable=lambda: screen.drawn(terminal.height), console=terminal, refresh_per_second=1, transient=True):
        yield screen
