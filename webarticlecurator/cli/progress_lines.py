"""How a crawl or a build shows itself while it runs: plain lines now and then, or nothing."""

from __future__ import annotations

import threading
import time
from collections import Counter

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.model.progress import Snapshot

MANY = 9
"""From so many portals on there is one line for all."""
_LINE_EVERY = 10.0
_SHORTEST = 0.1
"""Seconds in which a rate can be measured."""
_OF_CRAWL = ("archive", "articles", "done")
_GROWING = ("archive", "learn")
"""Phases in which it is not known how much there is to do; "learn" reads a few pages of each kind."""
_SUMS = {
    "archive_pages": "archive pages",
    "articles": "articles",
    "waiting": "waiting",
    "failed": "failed",
    "proved": "walks proved",
    "unproved": "left open",
}


class Lines:
    """A line every few seconds for each portal, and whenever its phase changes; for many portals one for all."""

    def __init__(self, portals: int) -> None:
        self._portals = portals
        self._lock = threading.RLock()
        self._latest: dict[str, Snapshot] = {}
        self._since: dict[str, tuple[float, int]] = {}
        """Portal -> when its phase began, and how many requests had been made by then."""
        self._written: dict[str, float] = {}

    def show(self, snapshot: Snapshot) -> None:
        with self._lock:
            before, self._latest[snapshot.portal] = self._latest.get(snapshot.portal), snapshot
            has_begun = before is None or before.phase != snapshot.phase
            if has_begun:
                self._since[snapshot.portal] = time.monotonic(), snapshot.archive_pages + snapshot.articles
            if self._portals >= MANY and snapshot.needs and (before is None or before.needs != snapshot.needs):
                self.say(snapshot.portal, f"needs a person: {snapshot.needs}")
            name, now = snapshot.portal if self._portals < MANY else "", time.monotonic()
            every = 0.0 if name and console.is_verbose() else _LINE_EVERY
            if (name and has_begun) or now - self._written.get(name, -_LINE_EVERY) >= every:
                self._written[name] = now
                doing = f"{snapshot.phase} {snapshot.doing}".rstrip()
                # what is short shows no other line, and "1 of 9" as the last one would look as if it had stopped there
                figures = "" if has_begun and snapshot.phase not in _OF_CRAWL else _figures(snapshot, self._rate(snapshot))
                line = ": ".join(filter(None, (name, doing, figures)))
                console.complain(line if name else self._together())

    def say(self, portal: str, message: str) -> None:
        with self._lock:
            console.complain(f"{portal}: {message}")

    def _rate(self, snapshot: Snapshot) -> float:
        """Requests per second in this phase."""
        began, before = self._since[snapshot.portal]
        seconds = time.monotonic() - began
        return (snapshot.archive_pages + snapshot.articles - before) / seconds if seconds >= _SHORTEST else 0.0

    def _together(self) -> str:
        """All of them in one line."""
        snapshots = self._latest.values()
        phases = Counter("done" if snapshot.phase == "done" else f"in {snapshot.phase}" for snapshot in snapshots)
        phases["not begun"] = self._portals - len(snapshots)
        at_work = [snapshot for snapshot in snapshots if snapshot.phase != "done"]
        figures = [f"{sum(map(self._rate, at_work)):.1f}/s of {sum(snapshot.pace for snapshot in at_work):.1f}/s permitted"]
        figures += [f"{sum(getattr(snapshot, name) for snapshot in snapshots):,} {word}" for name, word in _SUMS.items()]
        needs, blocked = (sum(bool(getattr(snapshot, name)) for snapshot in snapshots) for name in ("needs", "blocked"))
        trouble = f"; needing a person: {needs:,} ({blocked:,} blocked)" if needs else ""
        where = ", ".join(f"{number:,} {phase}" for phase, number in sorted(phases.items()) if number)
        return f"{amount(self._portals, 'portal')}: {where}; {', '.join(figures)}{trouble}"


def _figures(snapshot: Snapshot, rate: float) -> str:
    """The numbers of one portal, and how long it will take, where that can be said: an archive that is being walked still grows."""
    pages, articles = amount(snapshot.archive_pages, "archive page"), amount(snapshot.articles, "article")
    if snapshot.phase == "learn":
        return f"{pages} and {articles} read"
    total = snapshot.articles + snapshot.waiting
    if snapshot.phase in _OF_CRAWL:
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
    """A length of time as a person reads it: 45 s, 12 min, 3 h 20 min."""
    minutes = round(seconds / 60)
    if minutes >= 60:
        return f"{minutes // 60:,} h {minutes % 60} min"
    return f"{minutes} min" if minutes else f"{round(seconds)} s"
