"""What a case of the long run is, and what it comes to."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Limits:
    """How much of a case is done: no more than so many times, and not after its time is over."""

    times: int
    until: float
    """By `time.monotonic`."""

    def numbers(self) -> Iterator[int]:
        """Counts from 0 while there is time; at least once."""
        for number in range(self.times):
            if number and time.monotonic() > self.until:
                return
            yield number


@dataclass(slots=True)
class Outcome:
    """What happened in all repetitions of a case."""

    times: int = 0
    """How often it was disturbed."""
    lost: list[str] = field(default_factory=list)
    """What an undisturbed run has, and this one has not."""
    doubled: list[str] = field(default_factory=list)
    invented: list[str] = field(default_factory=list)
    """What no undisturbed run has."""
    broken: list[str] = field(default_factory=list)
    """Any other promise: a traceback, an exit code that is not true, a file that is not valid."""

    def add(self, other: Outcome) -> None:
        self.times += other.times
        for mine, more in zip(self.faults(), other.faults(), strict=True):
            mine += more

    def faults(self) -> tuple[list[str], ...]:
        return self.lost, self.doubled, self.invented, self.broken

    @property
    def is_clean(self) -> bool:
        return not any(self.faults())


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One way in which things go wrong."""

    kind: str
    name: str
    done: str
    """What is done to the program, in a sentence's words."""
    happens: str
    """What it does then, and what the next run does."""
    run: Callable[[Path, Limits], Outcome]
    """In an empty folder."""
    times: int
    """In the long run."""
    short: int
    """In the short form."""
    needs_mount: bool = False
    """Whether it makes disks, which is root's alone."""
