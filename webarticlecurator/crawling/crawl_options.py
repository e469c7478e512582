"""The options of one crawl, and its summary."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Annotated

from webarticlecurator.corpus.intervals import Interval
from webarticlecurator.model.links import Refused
from webarticlecurator.model.outcome import FetchOutcome, GoingOn
from webarticlecurator.settings import SETTINGS
from webarticlecurator.written_options import TypedAs


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlOptions:
    """The options of a crawl; on the command line the flags that stand here."""

    archive: Annotated[bool, TypedAs("--articles-only", "Fetch articles already known, walk nothing.")] = True
    articles: Annotated[bool, TypedAs("--archive-only", "Walk the archive, fetch no articles.")] = True
    full: Annotated[bool, TypedAs("--full", "Walk everything again, known or not.")] = False
    columns: Annotated[tuple[str, ...], TypedAs("--column", "Only this column.", "NAME")] = ()
    start: Annotated[
        date | None,
        TypedAs(
            "--from",
            "Only date intervals that end on this day (2024-05-01) or later; of feeds and sitemaps without "
            "dates in their addresses, articles whose `lastmod` is not earlier.",
            "DAY",
        ),
    ] = None
    until: Annotated[
        date | None, TypedAs("--until", "Only date intervals that begin on this day or before.", "DAY")
    ] = None
    limit: Annotated[int | None, TypedAs("--limit", "At most N articles in this run.", "N", least=0)] = None
    recheck: Annotated[
        timedelta | None, TypedAs("--recheck", "Ask again for articles first seen within TIME (30d).", "TIME")
    ] = None
    offline: Annotated[bool, TypedAs("--offline", "Answer every request from the corpus; ask nobody.")] = (
        False
    )
    dry_run: Annotated[bool, TypedAs("--dry-run", "Say what would be asked; ask and write nothing.")] = False
    contact: Annotated[str | None, TypedAs("--contact", SETTINGS[0].help, "WHO")] = None

    def wants(self, interval: Interval) -> bool:
        """Say whether a date interval is one of those that were chosen by days."""
        begins = self.start is None or interval.end > self.start
        return begins and (self.until is None or interval.start <= self.until)


@dataclass(slots=True, kw_only=True)
class CrawlSummary:
    """How one portal's crawl ended; while it runs, what it has come to so far."""

    portal: str
    """Its name."""
    archive_pages: int = 0
    """Archive pages that were read."""
    new: int = 0
    """Articles that were found for the first time."""
    fetched: int = 0
    """Articles that were fetched."""
    gone: int = 0
    """Articles that the site said to have no more, stored or not."""
    not_there: int = 0
    """Gone articles that were never stored."""
    gone_such_as: str = ""
    """One of them, and what it said."""
    waiting: int = 0
    """Articles that wait for the next crawl."""
    outcomes: Mapping[FetchOutcome, int] = field(default_factory=dict)
    """Outcome -> how many URLs of the ledger have it."""
    impossible: str | None = None
    """Why this one of several portals was not crawled, or not to its end, and what to do; exit code 2."""
    blocked: str | None = None
    """Why the portal keeps us out; exit code 3."""
    ways: list[str] = field(default_factory=list)
    """The way to the same articles, of several, that was walked, and why those before it did not do."""
    by_stop: list[str] = field(default_factory=list)
    """Columns that were walked to where their `stop` ends them, and what it says."""
    drift: list[str] = field(default_factory=list)
    """Places where the layout seems to have changed; exit code 5."""
    incomplete: list[str] = field(default_factory=list)
    """Limits that were hit, or that a person interrupted; exit code 4."""
    missing: list[str] = field(default_factory=list)
    """Articles that pages of the site lead to, and that no list names; exit code 1."""
    failures: list[str] = field(default_factory=list)
    """Failures, which are listed in problems.jsonl; exit code 1."""
    going_on: GoingOn | None = None
    """Articles that this run looked into, and that seem to have further pages which no rule follows."""
    refused: list[Refused] = field(default_factory=list)
    """Links that were not followed, in all crawls."""
    asked_again: list[str] = field(default_factory=list)
    """Results of asking once more for articles: by `--recheck`, and because the `lastmod` of their listing is
    newer."""
    asked_again_counts: Counter[str] = field(default_factory=Counter)
    """How many these were (`asked`), came with other bytes than before (`other_bytes`), and are gone from the
    site (`gone`)."""
    requisites: Counter[str] = field(default_factory=Counter)
    """How many style sheets, pictures and fonts were `asked` for and `stored`, and the `bytes` that came."""
    remarks: list[str] = field(default_factory=list)
    """Remarks that a person may want to look into, though nothing is wrong."""
    problems: int = 0
    """Lines of problems.jsonl."""
