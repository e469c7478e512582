"""What a run has to walk: of each column its date intervals that are not settled, or the column itself."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.corpus.intervals import Interval, intervals
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.crawling.options import CrawlOptions
from webarticlecurator.crawling.paging import page_value
from webarticlecurator.urls import normalise


def walks_of(column: Column, portal: Portal, ledger: Ledger | None, options: CrawlOptions, now: datetime) -> Iterator[Interval | None]:
    """The intervals to walk, in their order, up to the one that `stop.at_url` begins; one None for a column without dates."""
    if column.dates is None:
        yield None
        return
    known = ledger if ledger is not None and not options.full else None
    proved = known.proved_intervals(column.name, column.rules) if known is not None else {}
    oldest = known.stopped_at(column.name, column.rules) if known is not None else None
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
        for interval in walks_of(column, portal, None, CrawlOptions(), now):
            yield first_url(column, interval)


def page_url(column: Column, interval: Interval | None, page: str) -> str:
    """The URL of one archive page."""
    if interval is None:
        return column.template.fill({"page": page, "column": column.name})
    return interval.template.fill({"page": page, "column": column.name}, start=interval.start, end=interval.end)


def is_page(column: Column, interval: Interval | None, url: str) -> bool | None:
    """Whether a normalised URL is an archive page of this column and interval; False: of another interval; None: of neither."""
    fitting = [values for template in column.templates if (values := template.match(url)) is not None]
    if not fitting:
        return None
    return any(normalise(page_url(column, interval, values.get("page", ""))) == url for values in fitting)


def first_url(column: Column, interval: Interval | None) -> str:
    """Where the walk begins."""
    return page_url(column, interval, page_value(column, 0) or "")
