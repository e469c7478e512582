"""How a crawl or a build shows itself while it runs: rows that move on a terminal, plain lines elsewhere, or nothing."""

from __future__ import annotations

import sys
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.cli.process import interruptible
from webarticlecurator.model.progress import Progress, Silent, Snapshot

if TYPE_CHECKING:
    from rich.console import RenderableType

MANY = 9
"""From so many portals on there is one line for all."""
_LINE_EVERY = 10.0
_SHORTEST = 0.1
"""Seconds in which a rate can be measured."""
_BAR_WIDTH = 16
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
def at_work(portals: int) -> Iterator[tuple[threading.Event, Progress]]:
    """For what takes its time, and may be ended before: an event that Ctrl-C sets, and who is shown how far it is."""
    with interruptible(quiet=console.is_quiet()) as stop:
        if console.is_quiet():
            yield stop, Silent()
        elif sys.stderr.isatty():
            from rich.console import Console  # only here
            from rich.live import Live

            terminal = Console(stderr=True)
            screen = _Screen(portals, terminal)
            with Live(get_renderable=screen.drawn, console=terminal, refresh_per_second=4):
                yield stop, screen
        else:
            yield stop, Lines(portals)


class Lines:
    """A plain line every few seconds for each portal, and whenever its phase changes; for many portals one for all."""

    def __init__(self, portals: int) -> None:
        self.portals = portals
        self.lock = threading.RLock()
        self.latest: dict[str, Snapshot] = {}
        self._since: dict[str, tuple[float, int]] = {}
        """Portal -> when its phase began, and how many requests had been made by then."""
        self._written: dict[str, float] = {}

    def show(self, snapshot: Snapshot) -> None:
        with self.lock:
            has_begun = self.keep(snapshot)
            name, now = snapshot.portal if self.portals < MANY else "", time.monotonic()
            every = 0.0 if name and console.is_verbose() else _LINE_EVERY
            if (name and has_begun) or now - self._written.get(name, -_LINE_EVERY) >= every:
                self._written[name] = now
                doing = f"{snapshot.phase} {snapshot.doing}".rstrip()
                line = ": ".join(filter(None, (name, doing, _figures(snapshot, self.rate(snapshot)))))
                self.tell(line if name else self.together())

    def keep(self, snapshot: Snapshot) -> bool:
        """Gives whether its phase has begun. Of many portals it is told at once that one needs a person."""
        before, self.latest[snapshot.portal] = self.latest.get(snapshot.portal), snapshot
        if self.portals >= MANY and snapshot.needs and (before is None or before.needs != snapshot.needs):
            self.say(snapshot.portal, f"needs a person: {snapshot.needs}")
        has_begun = before is None or before.phase != snapshot.phase
        if has_begun:
            self._since[snapshot.portal] = time.monotonic(), snapshot.archive_pages + snapshot.articles
        return has_begun

    def say(self, portal: str, message: str) -> None:
        with self.lock:
            self.tell(f"{portal}: {message}")

    def tell(self, line: str) -> None:
        console.complain(line)

    def rate(self, snapshot: Snapshot) -> float:
        """Requests per second in this phase."""
        began, before = self._since[snapshot.portal]
        seconds = time.monotonic() - began
        return (snapshot.archive_pages + snapshot.articles - before) / seconds if seconds >= _SHORTEST else 0.0

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


class _Screen(Lines):
    """A row for each portal; of many portals the line for all."""

    def __init__(self, portals: int, terminal: Any) -> None:
        super().__init__(portals)
        self._terminal = terminal

    def show(self, snapshot: Snapshot) -> None:
        with self.lock:
            self.keep(snapshot)

    def tell(self, line: str) -> None:
        self._terminal.print(console.fitted(console.printable(line), sys.stderr), markup=False, highlight=False, soft_wrap=True)

    def drawn(self) -> RenderableType:
        """What is to be seen now."""
        from rich.progress_bar import ProgressBar
        from rich.table import Table
        from rich.text import Text

        with self.lock:
            if self.portals >= MANY:
                return Text(console.printable(self.together()), no_wrap=True, overflow="ellipsis")
            rows = [(snapshot, self.rate(snapshot)) for snapshot in self.latest.values()]
        table = Table.grid(padding=(0, 2))
        for snapshot, rate in rows:
            total = None if snapshot.phase == "archive" else max(snapshot.articles + snapshot.waiting, 1)
            bar = ProgressBar(total=total, completed=total if snapshot.phase == "done" and total else snapshot.articles, width=_BAR_WIDTH)
            doing = Text(console.printable(snapshot.needs or f"{snapshot.phase} {snapshot.doing}"), style="dim", no_wrap=True)
            table.add_row(Text(console.printable(snapshot.portal), no_wrap=True), bar, Text(_figures(snapshot, rate)), doing)
        return table


def _figures(snapshot: Snapshot, rate: float) -> str:
    """The numbers of one portal, and how long it will take, where that can be said: an archive that is being walked still grows."""
    pages, articles = amount(snapshot.archive_pages, "archive page"), amount(snapshot.articles, "article")
    if snapshot.phase == "learn":
        return f"{pages} and {articles} read"
    is_crawl, total = snapshot.phase in _OF_A_CRAWL, snapshot.articles + snapshot.waiting
    if is_crawl:
        parts = [pages, articles, f"{snapshot.waiting:,} waiting", f"{snapshot.failed:,} failed"]
    else:
        parts = [f"{snapshot.articles:,} of {total:,} {snapshot.unit}".rstrip() if total else ""]
        parts += [f"{snapshot.failed:,} failed"] if snapshot.failed else []
    parts += [f"{rate:.1f}/s"] if rate else []
    pace = rate or snapshot.pace
    if snapshot.waiting and pace > 0 and snapshot.phase not in _GROWING:
        parts += [f"{_duration(snapshot.waiting / pace)} left"]
    return ", ".join(filter(None, parts))


def _duration(seconds: float) -> str:
    """A length of time as a person reads it: 45 s, 12 min, 3 h 20 min, 4 d 7 h."""
    minutes, hours = round(seconds / 60), round(seconds / 3600)
    if seconds < 60:
        return f"{round(seconds)} s"
    if minutes < 60:
        return f"{minutes} min"
    return f"{minutes // 60} h {minutes % 60} min" if minutes < 24 * 60 else f"{hours // 24} d {hours % 24} h"
