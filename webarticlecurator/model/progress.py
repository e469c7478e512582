"""Tell whoever watches how far something is that takes its time."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Event as Flag
from typing import Any, Protocol

_SHOWN_EVERY = 200
"""Steps between two looks at how far it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The state of one portal's crawl, as lines of progress tell it."""

    portal: str
    phase: str
    """The phase: "archive", "articles", "page files" (style sheets, pictures and fonts) or "done"; of a
    build "build"."""
    doing: str = ""
    """The column and interval, or the host, being worked on."""
    archive_pages: int = 0
    articles: int = 0
    """The number of articles that were fetched in this run."""
    waiting: int = 0
    unit: str = "articles"
    """The unit that `articles` and `waiting` count; empty where `doing` says it."""
    failed: int = 0


class Progress(Protocol):
    """Whoever shows how it goes; called from several threads, a few times a second at most."""

    def show(self, snapshot: Snapshot) -> None: ...

    def say(self, portal: str, message: str) -> None:
        """Say a line that a person should see now: a host that asks us to wait, a block, a drift."""


class Silent:
    """Progress that nobody watches."""

    def show(self, snapshot: Snapshot) -> None:
        pass

    def say(self, portal: str, message: str) -> None:
        pass


class Stopped(Exception):
    """Somebody asked for an end before it was reached, or reads no more."""


@dataclass(frozen=True, slots=True)
class Work:
    """Work that takes its time, done for one portal: who is shown how far it is, and who may end it."""

    portal: str = ""
    phase: str = ""
    progress: Progress | None = None
    stop: Flag | None = None
    unit: str = "articles"
    """The unit that is counted; empty where `doing` says it."""

    def show(self, doing: str = "", done: int = 0, total: int = 0, **more: Any) -> None:
        if self.progress is not None:
            left = max(0, total - done)
            self.progress.show(
                Snapshot(
                    portal=self.portal,
                    phase=self.phase,
                    doing=doing,
                    articles=done,
                    waiting=left,
                    unit=self.unit,
                    **more,
                )
            )

    def say(self, message: str) -> None:
        if self.progress is not None:
            self.progress.say(self.portal, message)

    @property
    def stopped(self) -> bool:
        return self.stop is not None and self.stop.is_set()

    def check(self) -> None:
        """Raises Stopped."""
        if self.stopped:
            raise Stopped

    def step(self, doing: str = "", done: int = 0, total: int = 0) -> None:
        """Begin one of so many things that only some are shown. Raises Stopped."""
        self.check()
        if done % _SHOWN_EVERY == 0 or done in (1, total):
            self.show(doing, done, total)
