"""How a crawl or a build shows itself while it runs: a live bar per portal on a terminal, plain lines elsewhere, or nothing."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.rates import Clock, Rate, duration_words
from webarticlecurator.model.progress import Progress, Silent, Snapshot

if TYPE_CHECKING:
    from rich.progress import Progress as Bars
    from rich.progress import TaskID

_LINE_EVERY = 10.0
_LOG_LINE_EVERY = 60.0
_BAR_WIDTH = 16
_DOING_WIDTH = 50
_NARROW = 90
"""Characters of a terminal that has no room for all figures."""
_OF_WHAT_IS_STORED = ("build", "tags", "audit", "statistics", "export", "watch", "push")
"""Phases in which no archive page is read."""
_OF_A_SAMPLE = "learn"
"""A phase that reads a few pages of each kind."""
MANY = 9
"""From so many portals on, a line for each is too much."""
_COUNTABLE = ("articles", *_OF_WHAT_IS_STORED)
"""Phases in which it is known how much there is to do."""


@contextmanager
def shown_progress(portals: int = 1) -> Iterator[Progress]:
    """What fits the terminal and what the person wants to see."""
    with ExitStack() as ended:
        if console.verbosity() is console.Verbosity.QUIET:
            yield _heard_too(Silent(), portals, ended)
        elif sys.stderr.isatty():
            with live_bars() if portals < MANY else _many_on_screen(portals) as shown:
                yield _heard_too(shown, portals, ended)
        else:
            every = 0.0 if console.verbosity() is console.Verbosity.VERBOSE else _LINE_EVERY
            yield _lines(console.progress_line, portals, ended, every=every)


def _lines(write: Callable[[str], None], portals: int, ended: ExitStack, *, every: float) -> Progress:
    if portals < MANY:
        lines = Lines(write, clock=time.monotonic, every=every)
        ended.callback(lines.end)
        return lines
    from webarticlecurator.cli.many_portals import ManyLines

    return ManyLines(write, portals, clock=time.monotonic, every=every or _LINE_EVERY)


def _many_on_screen(portals: int) -> AbstractContextManager[Progress]:
    from webarticlecurator.cli.many_portals import many_on_screen

    return many_on_screen(portals, clock=time.monotonic)


def _heard_too(shown: Progress, portals: int, ended: ExitStack) -> Progress:
    """The same, and plain lines for the log where one is kept."""
    if not console.is_heard():
        return shown
    return Both(shown, _lines(partial(console.progress_line, shown=False), portals, ended, every=_LOG_LINE_EVERY))


class Both:
    """Two that show the same in their own ways."""

    def __init__(self, *both: Progress) -> None:
        self._both = both

    def show(self, snapshot: Snapshot) -> None:
        for one in self._both:
            one.show(snapshot)

    def say(self, portal: str, message: str) -> None:
        for one in self._both:
            one.say(portal, message)


def remaining(snapshot: Snapshot, rate: float) -> float | None:
    """Seconds until nothing waits, or None while that cannot be said: an archive that is being walked still grows."""
    pace = rate or snapshot.pace
    return snapshot.waiting / pace if snapshot.phase in _COUNTABLE and pace > 0 else None


def figures(snapshot: Snapshot, rate: float, *, short: bool = False) -> str:
    """The numbers of one portal in one line; `short`: only those of what is being done."""
    if short and snapshot.phase == _OF_A_SAMPLE:
        parts = [amount(snapshot.archive_pages + snapshot.articles, "page")]
    elif short:
        total = snapshot.articles + snapshot.waiting
        parts = [f"{snapshot.articles:,} of {total:,}" if snapshot.phase in _COUNTABLE else amount(snapshot.archive_pages, "page")]
    elif snapshot.phase == _OF_A_SAMPLE:
        parts = [f"{amount(snapshot.archive_pages, 'archive page')} and {amount(snapshot.articles, 'article')} read"]
    elif snapshot.phase in _OF_WHAT_IS_STORED:
        total = snapshot.articles + snapshot.waiting
        parts = [f"{snapshot.articles:,} of {total:,} {snapshot.unit}".rstrip() if total else "not counted yet"]
    else:
        parts = [
            amount(snapshot.archive_pages, "archive page"),
            amount(snapshot.articles, "article"),
            f"{snapshot.waiting:,} waiting",
        ]
    may_fail = not short and snapshot.phase != _OF_A_SAMPLE and snapshot.unit
    parts += [f"{snapshot.failed:,} failed"] if snapshot.failed or may_fail else []
    if snapshot.phase != _OF_A_SAMPLE and (rate or snapshot.phase not in _OF_WHAT_IS_STORED):
        parts.append(f"{rate:.1f}/s")
    left = remaining(snapshot, rate)
    return ", ".join(parts) + (f", {duration_words(left)} left" if left else "")


class Lines:
    """One plain line per portal every few seconds, whenever its phase changes, and at the end, for log files."""

    def __init__(self, write: Callable[[str], None], *, clock: Clock, every: float) -> None:
        self._write = write
        self._clock = clock
        self._every = every
        self._lock = threading.Lock()
        self._last: dict[str, tuple[Snapshot, float]] = {}
        self._held: dict[str, tuple[Snapshot, float]] = {}
        """What came too soon after the last line, with its rate: the end of what is done may be among it."""
        self._rates: dict[str, Rate] = {}

    def show(self, snapshot: Snapshot) -> None:
        with self._lock:
            rate = self._rates.setdefault(snapshot.portal, Rate(self._clock)).at(snapshot.archive_pages + snapshot.articles)
            last, when = self._last.get(snapshot.portal, (None, 0.0))
            if last is not None and snapshot.phase == last.phase and self._clock() - when < self._every:
                self._held[snapshot.portal] = (snapshot, rate)
            else:
                self._write_down(snapshot, rate)

    def end(self) -> None:
        """Nothing more comes: write what was held back last, where it says anything else."""
        with self._lock:
            for snapshot, rate in list(self._held.values()):
                if snapshot != self._last[snapshot.portal][0]:
                    self._write_down(snapshot, rate)

    def _write_down(self, snapshot: Snapshot, rate: float) -> None:
        self._held.pop(snapshot.portal, None)
        self._last[snapshot.portal] = (snapshot, self._clock())
        doing = f" {snapshot.doing}" if snapshot.doing else ""
        self._write(f"{snapshot.portal}: {snapshot.phase}{doing}: {figures(snapshot, rate)}")

    def say(self, portal: str, message: str) -> None:
        with self._lock:
            self._write(f"{portal}: {message}")


class LiveBars:
    """A bar per portal that moves while the crawl runs."""

    def __init__(self, bars: Bars, *, clock: Clock, short: bool = False) -> None:
        self._bars = bars
        self._short = short
        self._clock = clock
        self._lock = threading.Lock()
        self._tasks: dict[str, TaskID] = {}
        self._rates: dict[str, Rate] = {}

    def show(self, snapshot: Snapshot) -> None:
        with self._lock:
            if snapshot.portal not in self._tasks:
                self._tasks[snapshot.portal] = self._bars.add_task(snapshot.portal, total=None, figures="", doing="")
                self._rates[snapshot.portal] = Rate(self._clock)
            rate = self._rates[snapshot.portal].at(snapshot.archive_pages + snapshot.articles)
        known = max(snapshot.articles + snapshot.waiting, 1)
        self._bars.update(
            self._tasks[snapshot.portal],
            total=None if snapshot.phase == "archive" else known,
            completed=known if snapshot.phase == "done" else snapshot.articles,
            figures=figures(snapshot, rate, short=self._short),
            doing=console.printable(f"{snapshot.phase} {snapshot.doing}")[:_DOING_WIDTH],
        )

    def say(self, portal: str, message: str) -> None:
        self._bars.console.print(
            console.fitted(console.printable(f"{portal}: {message}"), sys.stderr), markup=False, highlight=False, soft_wrap=True
        )


@contextmanager
def live_bars() -> Iterator[LiveBars]:
    """Bars on stderr, with as much beside the figures as the terminal is wide; rich, which draws them, is imported only here."""
    from rich.console import Console
    from rich.progress import BarColumn, ProgressColumn, TextColumn
    from rich.progress import Progress as Bars

    terminal = Console(stderr=True)
    by_width: tuple[tuple[int, ProgressColumn], ...] = (
        (0, TextColumn("{task.description}", markup=False)),
        (100, BarColumn(bar_width=_BAR_WIDTH)),
        (0, TextColumn("{task.fields[figures]}", markup=False)),
        (100 + _BAR_WIDTH + _DOING_WIDTH // 2, TextColumn("{task.fields[doing]}", markup=False, style="dim")),
    )
    columns = [column for width, column in by_width if terminal.width >= width]
    with Bars(*columns, console=terminal, refresh_per_second=4) as bars:
        yield LiveBars(bars, clock=time.monotonic, short=terminal.width < _NARROW)
