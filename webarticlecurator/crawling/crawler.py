"""One crawl of one portal, from the lock to the summary: the archive first, then the articles that wait."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from functools import partial
from itertools import chain, islice
from typing import Any

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.lock import locked
from webarticlecurator.corpus.problems import write_problems
from webarticlecurator.corpus.recorder import Recorder
from webarticlecurator.corpus.recovery import recover
from webarticlecurator.crawling.archive import ArchiveCrawl
from webarticlecurator.crawling.article_fetching import crawl_changed, crawl_recent, crawl_waiting
from webarticlecurator.crawling.column_walks import chosen_columns, intervals_to_walk
from webarticlecurator.crawling.crawl_options import CrawlOptions, CrawlSummary
from webarticlecurator.crawling.requests import place_at
from webarticlecurator.crawling.run import CrawlEnvironment, Run, Tally
from webarticlecurator.crawling.unlisted import unasked_dates, united_addresses, unlisted_articles, unlisted_in_sitemaps, unread_lists
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.progress import Progress
from webarticlecurator.warc.store import WarcStore

SHOWN = 3
"""First pages named of each column in a dry run."""


def crawl_portal(portal: Portal, corpus: Corpus, options: CrawlOptions, environment: CrawlEnvironment) -> CrawlSummary:
    """Crawl; whatever happens, what was stored is stored and the next crawl goes on from there."""
    columns = chosen_columns(portal, options)
    with opened(portal, corpus, options, environment, columns) as run:
        archive = ArchiveCrawl(run)
        if options.archive and not run.stopped:
            run.phase("archive")
            archive.crawl()
        if options.articles and not run.stopped:
            run.phase("articles")
            crawl_waiting(run)
        if options.recheck is not None and not run.stopped:
            run.phase("articles")
            crawl_recent(run, environment.now() - options.recheck)
        if options.articles and not options.offline and not run.stopped:
            crawl_changed(run)
        if options.articles and not (run.is_partial or run.limited or run.stopped):
            of_articles = (united_addresses(run), unlisted_articles(run, columns)) if run.tally.fetched else ()
            elsewhere = (unread_lists(run, columns), unlisted_in_sitemaps(run, columns), unasked_dates(run, archive.of_dates))
            run.tally.remarks += chain(*of_articles, *elsewhere)
        problems = write_problems(run.ledger, corpus, portal)
        run.phase("done")
        tally, outcomes = run.tally, run.ledger.outcomes()
        if run.stopped:
            tally.incomplete.append("interrupted")
        if run.limited:
            tally.incomplete.append(f"--limit {options.limit}: more articles wait")
        # hosts that were given up since their robots.txt cannot be read, where no walk has told of it
        unanswering = ((host, watch.closed) for host, watch in run.watches.items() if watch.alarm is None and not watch.reported)
        tally.failures += [f"{host}: {closed}" for host, closed in unanswering if closed is not None]
        if run.failed:
            tally.failures.append(f"{amount(run.failed, 'article')} failed")
        if run.shown_in_part:
            articles = amount(run.shown_in_part, "article", "articles, such as")
            tally.remarks.append(f"perhaps not shown whole in the browser: {articles} {run.in_part}; a recheck asks again")
        counts: dict[str, Any] = {name: tuple(value) if isinstance(value, list) else value for name, value in vars(tally).items()}
        return CrawlSummary(
            portal=portal.name,
            new=run.ledger.inserted,
            waiting=outcomes.get(FetchOutcome.QUEUED, 0),
            outcomes=outcomes,
            refused=run.ledger.refused(),
            problems=problems,
            **counts,
        )


@contextmanager
def opened(
    portal: Portal, corpus: Corpus, options: CrawlOptions, environment: CrawlEnvironment, columns: tuple[Column, ...]
) -> Iterator[Run]:
    """A run that alone may write the corpus; at its end the files are sealed."""
    say = partial(environment.progress.say, portal.name)
    with (
        locked(corpus.crawl_lock, "crawl"),
        closing(WarcStore(corpus.warc, portal.name, warcinfo=environment.warcinfo, now=environment.now)) as store,
        closing(Ledger.open(corpus.ledger, cache_kib=environment.cache_kib)) as ledger,
    ):
        is_new = ledger.seq == 0
        records, lost = recover(corpus, ledger, store, environment.now, say)
        if is_new and records:
            say(f"There was no ledger: it was made again from {amount(records, 'record')} in the WARC files.")
        for sentence in lost:
            say(f"{sentence}.")
        ledger.inserted = 0  # from here on it counts what the run finds
        yield Run(
            portal=portal,
            columns=columns,
            options=options,
            environment=environment,
            recorder=Recorder(store, ledger, environment.now, ledger.run + 1),
            ledger=ledger,
            warc=corpus.warc,
            tally=Tally(failures=lost),
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
