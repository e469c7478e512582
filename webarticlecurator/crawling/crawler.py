"""One crawl of one portal, from the lock to the summary: the archive first, then the articles that wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from functools import partial
from itertools import islice
from threading import Event as Flag

import msgspec

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import ArchiveFormat, Column, Portal
from webarticlecurator.corpus.folder import Corpus, write_whole
from webarticlecurator.corpus.ledger import CACHE_KIB, Ledger
from webarticlecurator.corpus.lock import locked
from webarticlecurator.corpus.problems import known_remarks, write_problems
from webarticlecurator.corpus.recorder import Recorder
from webarticlecurator.corpus.recovery import recover
from webarticlecurator.crawling.archive import ArchiveCrawl
from webarticlecurator.crawling.article_fetching import crawl_changed, crawl_damaged, crawl_recent, crawl_waiting
from webarticlecurator.crawling.article_ways import judge_pages
from webarticlecurator.crawling.closure import close, gaps
from webarticlecurator.crawling.column_walks import chosen_columns, intervals_to_walk
from webarticlecurator.crawling.crawl_options import CrawlOptions, CrawlSummary
from webarticlecurator.crawling.other_lists import look_at_other_lists, read_site_sitemaps
from webarticlecurator.crawling.requests import place_at
from webarticlecurator.crawling.run import Run
from webarticlecurator.crawling.unlisted import (
    left_out,
    posts_in_part,
    spoiled_addresses,
    unasked_dates,
    united_addresses,
)
from webarticlecurator.model.capture import PageSource
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.progress import Progress
from webarticlecurator.warc.store import WarcStore, utc_now
from webarticlecurator.warc.writer import WarcInfo

SHOWN = 3
"""First pages named of each column in a dry run."""


def crawl_portal(run: Run) -> CrawlSummary:
    """Crawl; whatever happens, what was stored is stored and the next crawl goes on from there."""
    options, summary, archive = run.options, run.summary, ArchiveCrawl(run)
    if options.archive and not run.stopped:
        run.phase("archive")
        archive.crawl()
    if options.articles and not run.stopped:
        run.phase("articles")
        crawl_waiting(run)
    if options.articles and not options.offline and not run.stopped:
        crawl_damaged(run)
    if options.recheck is not None and not run.stopped:
        run.phase("articles")
        crawl_recent(run, run.now() - options.recheck)
    if options.articles and not options.offline and not run.stopped:
        crawl_changed(run)
    if options.articles:
        judge_pages(run)
    is_whole, remarks = options.articles and not (run.is_partial or run.limited or run.stopped), known_remarks(run.corpus)
    if is_whole:
        # where nothing is new, only what was remarked on may have changed
        united = united_addresses(run) if summary.fetched or remarks else ()
        of_dates = {walks.column.name: walks.of_dates for walks in archive.columns}
        summary.remarks[:0] = [*left_out(run), *posts_in_part(run), *unasked_dates(run, of_dates), *united]
        if not any(column.format is ArchiveFormat.URLS for column in run.columns):  # of addresses that a person chose nothing is missing
            look_at_other_lists(run)
            read_site_sitemaps(run)
            unasked = list(close(run))
            while gaps(run) and archive.go_on_by_next_way():
                crawl_waiting(run)
                unasked = list(close(run))
            summary.remarks += unasked
        summary.failures += spoiled_addresses(run)
        if disallowed := run.ledger.outcomes().get(FetchOutcome.ROBOTS, 0):
            against = f"robots.txt disallows {amount(disallowed, 'known article')}, and so nobody asked for"
            summary.remarks.append(f"{against} {'it' if disallowed == 1 else 'them'}; `fetch: {{robots: record}}` does, if you may")
    summary.missing += gaps(run)
    summary.problems = write_problems(run.ledger, run.corpus, run.portal)
    run.phase("done")
    if run.stopped:
        summary.incomplete.append("interrupted")
    if run.limited:
        summary.incomplete.append(f"--limit {options.limit}: more articles wait")
    # hosts that were given up since their robots.txt cannot be read, where no walk has told of it
    unanswering = ((host, watch.closed) for host, watch in run.watches.items() if watch.alarm is None and not watch.reported)
    summary.failures += [f"{host}: {closed}" for host, closed in unanswering if closed is not None]
    if run.failed:
        summary.failures.append(f"{amount(run.failed, 'article')} failed")
    for example, number in run.in_part.items():
        articles = amount(number, "article", "articles, such as")
        summary.remarks.append(f"perhaps not shown whole in the browser: {articles} {example}; a recheck asks again")
    kept = [] if is_whole and options.archive else remarks  # of what was not looked at nothing else is known
    write_whole(run.corpus.remarks_file, msgspec.json.encode(list(dict.fromkeys((*summary.remarks, *kept)))))
    summary.new, summary.refused, summary.outcomes = run.ledger.inserted, list(run.ledger.refused(run.portal)), run.ledger.outcomes()
    summary.waiting = summary.outcomes.get(FetchOutcome.QUEUED, 0)
    return summary


@contextmanager
def opened(
    portal: Portal,
    corpus: Corpus,
    options: CrawlOptions,
    columns: tuple[Column, ...] = (),
    *,
    source: PageSource,
    now: Callable[[], datetime] = utc_now,
    stop: Flag,
    progress: Progress,
    cache_kib: int = CACHE_KIB,
) -> Iterator[Run]:
    """A run that alone may write the corpus; at its end the files are sealed.

    `cache_kib`: of the ledger; many portals in one process share what one may have.
    """
    say = partial(progress.say, portal.name)
    with (
        locked(corpus.crawl_lock, "crawl"),
        closing(WarcStore(corpus.warc, WarcInfo(portal, options.contact, online=not options.offline), now=now)) as store,
        closing(Ledger.open(corpus.ledger, cache_kib=cache_kib)) as ledger,
    ):
        is_new = ledger.seq == 0
        records, lost = recover(corpus, ledger, store, now, say)
        if is_new and records:
            say(f"There was no ledger: it was made again from {amount(records, 'record')} in the WARC files.")
        for sentence in lost:
            say(f"{sentence}.")
        ledger.inserted = 0  # from here on it counts what the run finds
        yield Run(
            portal=portal,
            columns=columns,
            options=options,
            source=source,
            now=now,
            stop=stop,
            progress=progress,
            corpus=corpus,
            recorder=Recorder(store, ledger, now, ledger.run + 1),
            ledger=ledger,
            summary=CrawlSummary(portal=portal.name, failures=lost),
        )


def describe(portal: Portal, corpus: Corpus, options: CrawlOptions, progress: Progress, now: datetime) -> CrawlSummary:
    """Tell what would be crawled, column by column; nothing is written."""
    columns = chosen_columns(portal, options)
    with closing(Ledger.open(corpus.ledger, read_only=True) if corpus.ledger.exists() else Ledger.open("")) as ledger:
        for column in columns if options.archive else ():
            todo = intervals_to_walk(column, portal, ledger, options, now)
            pages = ", ".join(place_at(column, interval).url for interval in islice(todo, SHOWN)) or "nothing: all of it is settled"
            rest = sum(1 for _ in todo)
            before = [other.name for other in columns[: columns.index(column)] if column.ways]
            where = f", where none of the ways before it ({', '.join(before)}) is proved," if before else ""
            progress.say(portal.name, f"column {column.name}{where} would be walked from {pages}" + (f" and {rest:,} more" if rest else ""))
        waiting = ledger.count_waiting()
        if options.articles:
            progress.say(portal.name, f"{amount(waiting, 'known article')} would be asked for, and what the archive pages list anew.")
        if options.recheck is not None:
            again = amount(ledger.count_recent(now - options.recheck), "fetched article")
            progress.say(portal.name, f"{again} would be asked for again.")
        return CrawlSummary(portal=portal.name, outcomes=ledger.outcomes(), waiting=waiting)
