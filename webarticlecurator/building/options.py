"""What one build is asked to do, and what it says at the end."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field

from webarticlecurator.model.outcome import PageOutcome

MOST_JOBS = 4
"""Processes that are started unasked; more of them share one disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildOptions:
    """The flags of `curator build`."""

    jobs: int | None = None
    """Processes; None: as many as there are processors, at most four. One: no process is started."""
    everything: bool = False
    """--all: build every article again, changed or not."""
    zip: bool = False
    """One zip file a year instead of files."""

    @property
    def processes(self) -> int:
        """How many processes there will be."""
        return self.jobs or min(MOST_JOBS, os.cpu_count() or 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class BuildSummary:
    """How the build of one portal ended."""

    portal: str
    articles: int = 0
    """All that the ledger has pages of."""
    unchanged: int = 0
    """Of these, nothing had to be done for."""
    written: int = 0
    """Documents written, new or anew."""
    confirmed: int = 0
    """Built again, with the document they had."""
    removed: int = 0
    """Documents that went, because what they were made of is no article any more."""
    outcomes: Mapping[PageOutcome, int] = field(default_factory=dict)
    """Of every article that was ever built."""
    failures: tuple[str, ...] = ()
    """What failed and is listed in problems.jsonl; exit code 1."""
    incomplete: str | None = None
    """Why not everything was built; exit code 4."""
    problems: int = 0
    """Lines of problems.jsonl."""
