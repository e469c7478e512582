"""How far something that takes its time is, told to whoever watches."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """How far one portal's crawl is: what lines of progress tell."""

    portal: str
    phase: str
    """"archive", "articles" or "done"; of a build "build"."""
    doing: str = ""
    """The column and interval, or the host, being worked on."""
    archive_pages: int = 0
    articles: int = 0
    """Fetched in this run."""
    new: int = 0
    """Article URLs seen for the first time in this run."""
    waiting: int = 0
    unit: str = "articles"
    """What `articles` and `waiting` count; empty where `doing` says it."""
    failed: int = 0
    pace: float = 0.0
    """Requests per second that politeness permits, over all hosts being asked; for the remaining time."""
    proved: int = 0
    """Walks over the archive that came to a proved end in this run."""
    unproved: int = 0
    """Those that ended otherwise."""
    needs: str = ""
    """What needs a person: a block, a layout that seems to have changed, a failure."""
    blocked: bool = False
    """It is a block."""


class Progress(Protocol):
    """Whoever shows how it goes; called from several threads, a few times a second at most."""

    def show(self, snapshot: Snapshot) -> None: ...

    def say(self, portal: str, message: str) -> None:
        """One line that a person should see now: a host that asks us to wait, a block, a drift."""
        ...


class Silent:
    """Progress that nobody watches."""

    def show(self, snapshot: Snapshot) -> None:
        pass

    def say(self, portal: str, message: str) -> None:
        pass
