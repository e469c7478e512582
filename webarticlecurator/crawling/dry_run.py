"""What a crawl would ask for, without asking."""

from __future__ import annotations

from datetime import datetime
from itertools import islice

from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.crawling.agenda import first_url, walks_of
from webarticlecurator.crawling.choice import chosen_columns
from webarticlecurator.crawling.options import CrawlOptions, CrawlSummary, Progress

SHOWN = 3
"""First pages named of each column."""


def describe(portal: Portal, corpus: Corpus, options: CrawlOptions, progress: Progress, now: datetime) -> CrawlSummary:
    """Tell it, column by column; nothing is written."""
    columns = chosen_columns(portal, options)
    ledger = Ledger.open(corpus.ledger, read_only=True) if corpus.ledger.exists() else None
    try:
        for column in columns if options.archive else ():
            todo = walks_of(column, portal, ledger, options, now)
            first = list(islice(todo, SHOWN))
            rest = sum(1 for _ in todo)
            pages = ", ".join(first_url(column, interval) for interval in first) or "nothing: all of it is settled"
            progress.say(portal.name, f"column {column.name} would be walked from {pages}" + (f" and {rest:,} more" if rest else ""))
        waiting = ledger.count_waiting() if ledger is not None else 0
        if options.articles:
            progress.say(portal.name, f"{waiting:,} known articles would be asked for, and what the archive pages list anew.")
        outcomes = ledger.outcomes() if ledger is not None else {}
        return CrawlSummary(portal=portal.name, outcomes=outcomes, waiting=waiting)
    finally:
        if ledger is not None:
            ledger.close()
