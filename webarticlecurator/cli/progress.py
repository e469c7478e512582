"""How a crawl or a build shows itself while it runs: rows that move on a terminal, plain lines elsewhere, or nothing."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.model.progress import Progress, Silent, Snapshot

if TYPE_CHECKING:
    from rich.console import RenderableType

MANY = 9
"""From so many portals on, a line for each is too much."""
_LINE_EVERY = 10.0
_WINDOW, _SHORTEST = 30.0, 0.1
"""Seconds over which a rate is taken; in less nobody can measure one."""
_BAR_WIDTH, _ROOM_FOR_BARS = 16, 100
"""Characters of a bar, and of a terminal that has room for it."""
_BESIDE_ROWS = 6
"""Lines of a terminal that are no rows of portals."""
_OF_WHAT_IS_STORED = ("build", "tags", "audit", "statistics", "export", "watch", "push")
"""Phases in which no archive page is read."""
_OF_A_SAMPLE = "learn"
"""A phase that reads a few pages of each kind."""
_COUNTABLE = ("articles", *_OF_WHAT_IS_STORED)
"""Phases in which it is known how much there is to do."""
_SUMS = {
    "archive_pages": "archive pages",
    "articles": "articles",
    "waiting": "waiting",
    "failed": "failed",
    "proved": "walks proved",
    "unproved": "left open",
}


@contextmanager
def shown_progress(portals: int = 1) -> Iterator[Progress]:
    """What fits the terminal and what the person wants to see."""
    if console.verbosity() is console.Verbosity.QUIET:
        yield Silent()
    elif sys.stderr.isatty():
        with _on_screen(portals) as screen:
            yield screen
    else:
        lines = Lines(portals, every=0.0 if console.verbosity() is console.Verbosity.VERBOSE else _LINE_EVERY)
        yield lines
        lines.end()


class _Portals:
    """What is known of each portal now."""

    def __init__(self, portals: int) -> None:
        self.portals = portals
        self.lock = threading.RLock()
        self.latest: dict[str, Snapshot] = {}
        self._counted: dict[str, deque[tuple[float, int]]] = {}

    def rate(self, snapshot: Snapshot) -> float:
        """Requests per second over the last half minute."""
        now, requests = time.monotonic(), snapshot.archive_pages + snapshot.articles
        seen = self._counted.setdefault(snapshot.portal, deque())
        if seen and requests < seen[-1][1]:  # something new has begun, which counts from zero
            seen.clear()
        seen.append((now, requests))
        while now - seen[0][0] > _WINDOW and len(seen) > 2:
            seen.popleft()
        since, before = seen[0]
        return (requests - before) / (now - since) if now - since >= _SHORTEST else 0.0

    def together(self) -> str:
        """All of them in one line."""
        snapshots = list(self.latest.values())
        phases = Counter(snapshot.phase for snapshot in snapshots)
        done = phases.pop("done", 0)
        begun = [f"{number:,} in {phase}" for phase, number in sorted(phases.items())]
        begun += [f"{self.portals - len(snapshots):,} not begun"] if self.portals > len(snapshots) else []
        at_work = [snapshot for snapshot in snapshots if snapshot.phase != "done"]
        rate, permitted = sum(map(self.rate, at_work)), sum(snapshot.pace for snapshot in at_work)
        figures = [f"{rate:.1f}/s" + (f" of {permitted:.1f}/s permitted" if permitted else "")]
        figures += [f"{sum(getattr(snapshot, name) for snapshot in snapshots):,} {word}" for name, word in _SUMS.items()]
        needs, blocked = (sum(bool(getattr(snapshot, name)) for snapshot in snapshots) for name in ("needs", "blocked"))
        trouble = f"; needing a person: {needs:,} ({blocked:,} blocked)" if needs else ""
        return f"{amount(self.portals, 'portal')}: {', '.join([f'{done:,} done', *begun])}; {', '.join(figures)}{trouble}"


class Lines(_Portals):
    """A plain line every few seconds for each portal, whenever its phase changes, and at the end; for many portals one for all."""

    def __init__(self, portals: int, *, every: float) -> None:
        super().__init__(portals)
        self._every = every if portals < MANY else every or _LINE_EVERY
        self._written: dict[str, tuple[Snapshot, float]] = {}

    def show(self, snapshot: Snapshot) -> None:
        with self.lock:
            before, self.latest[snapshot.portal] = self.latest.get(snapshot.portal), snapshot
            rate, name = self.rate(snapshot), snapshot.portal if self.portals < MANY else ""
            last, when = self._written.get(name, (None, 0.0))
            if self.portals >= MANY and snapshot.needs and (before is None or before.needs != snapshot.needs):
                console.progress_line(f"{snapshot.portal} needs a person: {snapshot.needs}")
            if last is None or (name and last.phase != snapshot.phase) or time.monotonic() - when >= self._every:
                self._written[name] = snapshot, time.monotonic()
                console.progress_line(_in_words(snapshot, rate) if name else self.together())

    def say(self, portal: str, message: str) -> None:
        with self.lock:
            console.progress_line(f"{portal}: {message}")

    def end(self) -> None:
        """Nothing more comes: write what came too soon after the last line, where it says anything else."""
        for name, (written, _) in self._written.items():
            if name and (snapshot := self.latest[name]) != written:
                console.progress_line(_in_words(snapshot, self.rate(snapshot)))


class _Screen(_Portals):
    """A row for each portal, as many as fit; of very many those that need a person and those that take longest, below a line for all."""

    def __init__(self, portals: int, tell: Callable[[str], None]) -> None:
        super().__init__(portals)
        self._tell = tell

    def show(self, snapshot: Snapshot) -> None:
        with self.lock:
            self.latest[snapshot.portal] = snapshot

    def say(self, portal: str, message: str) -> None:
        self._tell(console.fitted(console.printable(f"{portal}: {message}"), sys.stderr))

    def drawn(self, width: int, height: int) -> RenderableType:
        """What is to be seen now on a terminal of this size."""
        from rich.console import Group
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        with self.lock:
            rows = [(snapshot, self.rate(snapshot)) for snapshot in self.latest.values()]
            head = [Text(self.together())] if self.portals >= MANY else []
        if head:
            rows = [row for row in rows if row[0].phase != "done" or row[0].needs]
            rows.sort(key=lambda row: (not row[0].needs, -(_left(*row) or 0.0), row[0].portal))
        table, most = Table.grid(padding=(0, 2)), max(1, height - _BESIDE_ROWS)
        for snapshot, rate in rows[:most]:
            known = max(snapshot.articles + snapshot.waiting, 1)
            total, done = (None if snapshot.phase == "archive" else known), (known if snapshot.phase == "done" else snapshot.articles)
            cells: list[Any] = [Text(console.printable(snapshot.portal), no_wrap=True)]
            cells += [ProgressBar(total=total, completed=done, width=_BAR_WIDTH)] if width >= _ROOM_FOR_BARS else []
            doing = console.printable(snapshot.needs or f"{snapshot.phase} {snapshot.doing}")
            cells += [Text(_figures(snapshot, rate, brief=True), no_wrap=True)]
            table.add_row(*cells, Text(doing, style="dim", no_wrap=True, overflow="ellipsis"))
        return Group(*head, table, *([Text(f"and {len(rows) - most:,} more", style="dim")] if len(rows) > most else []))


@contextmanager
def _on_screen(portals: int) -> Iterator[_Screen]:
    """On stderr; rich, which draws it, is imported only here."""
    from rich.console import Console
    from rich.live import Live

    terminal = Console(stderr=True)
    screen = _Screen(portals, lambda line: terminal.print(line, markup=False, highlight=False, soft_wrap=True))
    with Live(
        get_renderable=lambda: screen.drawn(terminal.width, terminal.height),
        console=terminal,
        refresh_per_second=4 if portals < MANY else 1,
        transient=portals >= MANY,  # the report says how these went
    ):
        yield screen


def _in_words(snapshot: Snapshot, rate: float) -> str:
    doing = f" {snapshot.doing}" if snapshot.doing else ""
    return f"{snapshot.portal}: {snapshot.phase}{doing}: {_figures(snapshot, rate)}"


def _left(snapshot: Snapshot, rate: float) -> float | None:
    """Seconds until nothing waits, or None while that cannot be said: an archive that is being walked still grows."""
    pace = rate or snapshot.pace
    return snapshot.waiting / pace if snapshot.phase in _COUNTABLE and pace > 0 else None


def _figures(snapshot: Snapshot, rate: float, *, brief: bool = False) -> str:
    """The numbers of one portal; `brief`: only those of what is being done."""
    pages, articles = amount(snapshot.archive_pages, "archive page"), amount(snapshot.articles, "article")
    if snapshot.phase == _OF_A_SAMPLE:
        return f"{pages} and {articles} read"
    is_stored, total = snapshot.phase in _OF_WHAT_IS_STORED, snapshot.articles + snapshot.waiting
    of_all = f"{snapshot.articles:,} of {total:,} {snapshot.unit}".rstrip() if total or not is_stored else "not counted yet"
    if is_stored or (brief and snapshot.phase in _COUNTABLE):
        parts = [of_all]
    else:
        parts = [pages, articles, *([] if brief else [f"{snapshot.waiting:,} waiting"])]
    parts += [f"{snapshot.failed:,} failed"] if snapshot.failed or (snapshot.unit and not brief) else []
    parts += [f"{rate:.1f}/s"] if rate or not is_stored else []
    left = _left(snapshot, rate)
    return ", ".join(parts) + (f", {_duration(left)} left" if left else "")


def _duration(seconds: float) -> str:
    """A length of time as a person reads it: 45 s, 12 min, 3 h 20 min, 4 d 7 h."""
    minutes, hours = round(seconds / 60), round(seconds / 3600)
    if seconds < 60:
        return f"{round(seconds)} s"
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min" if minutes < 24 * 60 else f"{hours // 24} d {hours % 24} h"
