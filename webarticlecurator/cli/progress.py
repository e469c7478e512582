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
from webarticlecurator.cli.process import interruptible
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
_GROWING = ("archive", "learn")
"""Phases in which it is not known how much there is to do; "learn" reads a few pages of each kind."""
_OF_A_CRAWL = ("archive", "articles", "done")
_SUMS = {
    "archive_pages": "archive pages",
    "articles": "articles",
    "waiting": "waiting",
    "failed": "failed",
    "proved": "walks proved",
    "unproved": "left open",
}


@contextmanager
def at_work(portals: int = 1) -> Iterator[tuple[threading.Event, Progress]]:
    """For what takes its time, and may be ended before: an event that Ctrl-C sets, and who is shown how far it is."""
    with interruptible(quiet=console.verbosity() is console.Verbosity.QUIET) as stop, shown_progress(portals) as progress:
        yield stop, progress


@contextmanager
def shown_progress(portals: int = 1) -> Iterator[Progress]:
    """What fits the terminal and what the person wants to see."""
    if console.verbosity() is console.Verbosity.QUIET:
        yield Silent()
    elif sys.stderr.isatty():
        with _on_screen(portals) as screen:
            yield screen
    else:
        yield Lines(portals, every=0.0 if console.verbosity() is console.Verbosity.VERBOSE else _LINE_EVERY)


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
        snapshots = self.latest.values()
        phases = Counter("done" if snapshot.phase == "done" else f"in {snapshot.phase}" for snapshot in snapshots)
        phases["not begun"] = self.portals - len(snapshots)
        at_work = [snapshot for snapshot in snapshots if snapshot.phase != "done"]
        figures = [f"{sum(map(self.rate, at_work)):.1f}/s of {sum(snapshot.pace for snapshot in at_work):.1f}/s permitted"]
        figures += [f"{sum(getattr(snapshot, name) for snapshot in snapshots):,} {word}" for name, word in _SUMS.items()]
        needs, blocked = (sum(bool(getattr(snapshot, name)) for snapshot in snapshots) for name in ("needs", "blocked"))
        trouble = f"; needing a person: {needs:,} ({blocked:,} blocked)" if needs else ""
        where = ", ".join(f"{number:,} {phase}" for phase, number in sorted(phases.items()) if number)
        return f"{amount(self.portals, 'portal')}: {where}; {', '.join(figures)}{trouble}"


class Lines(_Portals):
    """A plain line every few seconds for each portal, and whenever its phase changes; for many portals one for all."""

    def __init__(self, portals: int, *, every: float) -> None:
        super().__init__(portals)
        self._every = every if portals < MANY else _LINE_EVERY
        self._written: dict[str, float] = {}

    def show(self, snapshot: Snapshot) -> None:
        with self.lock:
            before, self.latest[snapshot.portal] = self.latest.get(snapshot.portal), snapshot
            rate, name = self.rate(snapshot), snapshot.portal if self.portals < MANY else ""
            if not name and snapshot.needs and (before is None or before.needs != snapshot.needs):
                console.progress_line(f"{snapshot.portal} needs a person: {snapshot.needs}")
            has_begun = before is None or before.phase != snapshot.phase
            if (name and has_begun) or time.monotonic() - self._written.get(name, -_LINE_EVERY) >= self._every:
                self._written[name] = time.monotonic()
                doing = f"{snapshot.phase} {snapshot.doing}".rstrip()
                console.progress_line(f"{name}: {doing}: {_figures(snapshot, rate)}" if name else self.together())

    def say(self, portal: str, message: str) -> None:
        with self.lock:
            console.progress_line(f"{portal}: {message}")


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
            rows.sort(key=lambda row: (not row[0].needs, -_left(*row), row[0].portal))
        table, most = Table.grid(padding=(0, 2)), max(1, height - _BESIDE_ROWS)
        for snapshot, rate in rows[:most]:
            known = max(snapshot.articles + snapshot.waiting, 1)
            total, done = (None if snapshot.phase == "archive" else known), (known if snapshot.phase == "done" else snapshot.articles)
            cells: list[Any] = [Text(console.printable(snapshot.portal), no_wrap=True)]
            cells += [ProgressBar(total=total, completed=done, width=_BAR_WIDTH)] if width >= _ROOM_FOR_BARS else []
            cells += [Text(_figures(snapshot, rate), no_wrap=True)]
            doing = console.printable(snapshot.needs or f"{snapshot.phase} {snapshot.doing}")
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


def _left(snapshot: Snapshot, rate: float) -> float:
    """Seconds until nothing waits; 0 while that cannot be said: an archive that is being walked still grows."""
    pace = rate or snapshot.pace
    return snapshot.waiting / pace if snapshot.phase not in _GROWING and pace > 0 else 0.0


def _figures(snapshot: Snapshot, rate: float) -> str:
    """The numbers of one portal."""
    pages, articles = amount(snapshot.archive_pages, "archive page"), amount(snapshot.articles, "article")
    if snapshot.phase == "learn":
        return f"{pages} and {articles} read"
    is_crawl, total = snapshot.phase in _OF_A_CRAWL, snapshot.articles + snapshot.waiting
    if is_crawl:
        parts = [pages, articles, f"{snapshot.waiting:,} waiting", f"{snapshot.failed:,} failed"]
    else:
        parts = [f"{snapshot.articles:,} of {total:,} {snapshot.unit}".rstrip() if total else "not counted yet"]
        parts += [f"{snapshot.failed:,} failed"] if snapshot.failed else []
    parts += [f"{rate:.1f}/s"] if rate or is_crawl else []
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
