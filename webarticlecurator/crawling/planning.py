"""What a run has to walk: of each column its date intervals that are not settled, or the column itself."""

from __future__ import annotations

import difflib
import shlex
from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import islice

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.corpus.earlier_walks import EarlierWalks
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.intervals import Interval, intervals
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.crawling.options import CrawlOptions, CrawlSummary
from webarticlecurator.crawling.requests import first_url
from webarticlecurator.errors import UsageError
from webarticlecurator.model.progress import Progress
from webarticlecurator.urls import normalise


def intervals_to_walk(
    column: Column, portal: Portal, ledger: Ledger | None, options: CrawlOptions, now: datetime
) -> Iterator[Interval | None]:
    """The intervals to walk, in their order, up to the one that `stop.at_url` begins; one None for a column without dates."""
    if column.dates is None:
        yield None
        return
    earlier = EarlierWalks(ledger, column.name, column.rules) if ledger is not None and not options.full else None
    proved = earlier.proved() if earlier is not None else {}
    oldest = earlier.stopped_at() if earlier is not None else None
    at_url = normalise(column.stop.at_url) if column.stop.at_url is not None else None
    for interval in intervals(column.dates, now.astimezone(portal.timezone).date()):
        if at_url is not None and normalise(first_url(column, interval)) == at_url:
            return
        wanted = (options.start is None or interval.end > options.start) and (options.until is None or interval.start <= options.until)
        if not wanted or (oldest is not None and interval.end <= oldest):
            continue
        proved_at = proved.get(interval.name)
        if proved_at is None or not interval.settled(proved_at, column.dates.settle, portal.timezone):
            yield interval


def first_urls(portal: Portal, now: datetime) -> Iterator[str]:
    """Where the walks of a first crawl begin."""
    for column in portal.columns:
        for interval in intervals_to_walk(column, portal, None, CrawlOptions(), now):
            yield first_url(column, interval)


def chosen_columns(portal: Portal, options: CrawlOptions) -> tuple[Column, ...]:
    """In the order of the portal file. Raises UsageError where there is no such column, or where its pages have no dates to choose by."""
    names = [column.name for column in portal.columns]
    unknown = next((name for name in options.columns if name not in names), None)
    if unknown is not None:
        close = difflib.get_close_matches(unknown, names, n=1)
        hint = f"did you mean {close[0]!r}?" if close else f"there are: {', '.join(names) or 'none'}"
        raise UsageError(f"--column {unknown}: {portal.name} has no such column; {hint}")
    chosen = tuple(column for column in portal.columns if not options.columns or column.name in options.columns)
    undated = [column.name for column in chosen if column.dates is None]
    if not (options.start or options.until) or not undated:
        return chosen
    dated = tuple(column for column in chosen if column.dates is not None)
    if dated and all(column.ways for column in chosen):
        return dated  # the others list the same articles
    raise UsageError(_why_not(portal.name, undated, [column.name for column in dated]))


def _why_not(portal: str, undated: Sequence[str], dated: Sequence[str]) -> str:
    named = ", ".join(undated)
    reason = f"--from and --until cannot choose among archive pages without dates: in {portal} these columns have no `dates`: {named}."
    if not dated:
        return f"{reason} They can only be walked whole; --limit N takes a part of their articles."
    return f"{reason} Those that have are chosen with {shlex.join(word for name in dated for word in ('--column', name))}"


SHOWN = 3
"""First pages named of each column."""


def describe(portal: Portal, corpus: Corpus, options: CrawlOptions, progress: Progress, now: datetime) -> CrawlSummary:
    """Tell it, column by column; nothing is written."""
    columns = chosen_columns(portal, options)
    ledger = Ledger.open(corpus.ledger, read_only=True) if corpus.ledger.exists() else None
    try:
        for column in columns if options.archive else ():
            todo = intervals_to_walk(column, portal, ledger, options, now)
            first = list(islice(todo, SHOWN))
            rest = sum(1 for _ in todo)
            before = [one.name for one in columns[: columns.index(column)] if column.ways]
            where = f", where none of the ways before it ({', '.join(before)}) is proved," if before else ""
            pages = ", ".join(first_url(column, interval) for interval in first) or "nothing: all of it is settled"
            progress.say(portal.name, f"column {column.name}{where} would be walked from {pages}" + (f" and {rest:,} more" if rest else ""))
        waiting = ledger.count_waiting() if ledger is not None else 0
        if options.articles:
            progress.say(portal.name, f"{amount(waiting, 'known article')} would be asked for, and what the archive pages list anew.")
        if options.recheck is not None:
            again = ledger.count_recent(now - options.recheck) if ledger is not None else 0
            progress.say(portal.name, f"{amount(again, 'fetched article')} would be asked for again.")
        outcomes = ledger.outcomes() if ledger is not None else {}
        return CrawlSummary(portal=portal.name, outcomes=outcomes, waiting=waiting)
    finally:
        if ledger is not None:
            ledger.close()
