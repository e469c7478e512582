"""What one crawl is asked to do, and what it says at the end."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta

from webarticlecurator.model.outcome import FetchOutcome, GoingOn
from webarticlecurator.model.status import Refused


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlOptions:
    """The flags of `curator crawl`."""

    archive: bool = True
    """Walk the archive; off with --articles-only."""
    articles: bool = True
    """Fetch articles; off with --archive-only."""
    columns: tuple[str, ...] = ()
    """Only these columns; empty: all."""
    start: date | None = None
    """--from: only date intervals that end after this day."""
    until: date | None = None
    """--until: only date intervals that begin on or before this day."""
    limit: int | None = None
    """At most so many articles in this run."""
    full: bool = False
    """Walk everything again, settled or known."""
    recheck: timedelta | None = None
    """Ask articles again that were first seen within this time."""
    offline: bool = False
    """Answer every request from the store; nothing goes over the network."""
    dry_run: bool = False
    """Say what would be asked, ask and write nothing."""
    contact: str | None = None
    """Who crawls: an address or a URL for the User-Agent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlSummary:
    """How one portal's crawl ended."""

    portal: str
    """Its name."""
    archive_pages: int = 0
    """Archive pages that were read."""
    new: int = 0
    """Articles that were found for the first time."""
    fetched: int = 0
    """Articles that were fetched."""
    waiting: int = 0
    """Articles that wait for the next crawl."""
    outcomes: Mapping[FetchOutcome, int] = field(default_factory=dict)
    """Of every URL the ledger knows."""
    impossible: str | None = None
    """Why this one of several portals was not crawled, or not to its end, and what to do; exit code 2."""
    blocked: str | None = None
    """Why the portal keeps us out; exit code 3."""
    ways: tuple[str, ...] = ()
    """Which of several ways to the same articles was walked, and why those before it did not do."""
    drift: tuple[str, ...] = ()
    """Where the layout seems to have changed; exit code 5."""
    incomplete: tuple[str, ...] = ()
    """Which limits were hit, or that a person interrupted; exit code 4."""
    failures: tuple[str, ...] = ()
    """What failed and is listed in problems.jsonl; exit code 1."""
    going_on: GoingOn | None = None
    """Of the articles that this run looked into, those that seem to have further pages which no rule follows."""
    refused: tuple[Refused, ...] = ()
    """Links that were not followed, in all crawls."""
    asked_again: tuple[str, ...] = ()
    """What became of articles that were asked for once more: by `--recheck`, and because the `lastmod` of their listing is newer."""
    asked_again_counts: Mapping[str, int] = field(default_factory=dict)
    """How many these were (`asked`), came with other bytes than before (`other_bytes`), and are gone from the site (`gone`)."""
    remarks: tuple[str, ...] = ()
    """What a person may want to look at, though nothing is wrong."""
    problems: int = 0
    """Lines of problems.jsonl."""
