"""How a crawl or a build shows itself while it runs: plain lines now and then, or nothing."""

from __future__ import annotations

import threading
import time

from webarticlecurator.amounts import amount
from webarticlecurator.cli import console
from webarticlecurator.model.progress import Snapshot

_OF_CRAWL = ("archive", "articles", "done")


class Lines:
    """A line every few seconds, of each portal in turn, and whenever the phase of one changes."""

    def __init__(self, portals: int) -> None:
        self._portals = portals
        self._lock = threading.RLock()
        self._phases: dict[str, str] = {}
        self._since: dict[str, tuple[float, int]] = {}
        """Portal -> when its phase began, and how many requests had been made by then."""
        self._written: dict[str, float] = {}

    def show(self, snapshot: Snapshot) -> None:
        with self._lock:
            name, now = snapshot.portal, time.monotonic()
            has_begun = self._phases.get(name) != snapshot.phase
            if has_begun:
                self._phases[name] = snapshot.phase
                self._since[name] = now, snapshot.archive_pages + snapshot.articles
            every = 0.0 if console.is_verbose() else 10.0 * self._portals  # seconds between two lines
            if has_begun or now - self._written[name] >= every:
                self._written[name] = now
                doing = f"{snapshot.phase} {snapshot.doing}".rstrip()
                # what is short shows no other line, and "1 of 9" as the last one would look as if it had stopped there
                figures = "" if has_begun and snapshot.phase not in _OF_CRAWL else _figures(snapshot, self._rate(snapshot))
                console.complain(": ".join(filter(None, (name, doing, figures))))

    def say(self, portal: str, message: str) -> None:
        with self._lock:
            console.complain(f"{portal}: {message}")

    def _rate(self, snapshot: Snapshot) -> float:
        """Requests per second in this phase."""
        began, before = self._since[snapshot.portal]
        seconds = time.monotonic() - began
        return (snapshot.archive_pages + snapshot.articles - before) / seconds if seconds >= 0.1 else 0.0  # else it says nothing


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
    if snapshot.waiting and rate > 0 and snapshot.phase != "archive":  # which is still growing
        parts += [f"{_duration(snapshot.waiting / rate)} left"]
    return ", ".join(filter(None, parts))


def _duration(seconds: float) -> str:
    """A length of time as a person reads it: 45 s, 12 min, 3 h 20 min."""
    minutes = round(seconds / 60)
    if minutes >= 60:
        return f"{minutes // 60:,} h {minutes % 60} min"
    return f"{minutes} min" if minutes else f"{round(seconds)} s"
