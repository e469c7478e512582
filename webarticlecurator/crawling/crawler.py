"""One crawl of one portal, from the lock to the summary: the archive first, then the articles that wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from functools import partial

from webarticlecurator.amounts import amount
from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.lock import locked
from webarticlecurator.corpus.problems import write_problems
from webarticlecurator.corpus.recorder import Recorder, recover
from webarticlecurator.crawling.archive import ArchiveCrawl
from webarticlecurator.crawling.articles import ArticleCrawl
from webarticlecurator.crawling.changed_articles import ask_for_changed
from webarticlecurator.crawling.options import CrawlOptions, CrawlSummary
from webarticlecurator.crawling.planning import chosen_columns
from webarticlecurator.crawling.run import CrawlEnvironment, Run
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.warc.store import WarcStore


def crawl_portal(portal: Portal, corpus: Corpus, options: CrawlOptions, environment: CrawlEnvironment) -> CrawlSummary:
    """Crawl; whatever happens, what was stored is stored and the next crawl goes on from there."""
    columns = chosen_columns(portal, options)
    with opened(portal, corpus, options, environment, columns) as run:
        return _crawl(run, corpus)


@contextmanager
def opened(
    portal: Portal, corpus: Corpus, options: CrawlOptions, environment: CrawlEnvironment, columns: tuple[Column, ...]
) -> Iterator[Run]:
    """A run that alone may write the corpus; at its end the files are sealed."""
    say = partial(environment.progress.say, portal.name)
    with (
        locked(corpus.crawl_lock, "crawl"),
        closing(WarcStore(corpus.warc, portal.name, info=environment.info, now=environment.now)) as store,
    ):
        lost = _recovered(corpus, store, environment.now, say)
        with closing(Ledger.open(corpus.ledger, cache_kib=environment.cache_kib)) as ledger:
            yield Run(
                portal=portal,
                columns=columns,
                options=options,
                environment=environment,
                recorder=Recorder(store, ledger, environment.now, ledger.run + 1),
                ledger=ledger,
                warc=corpus.warc,
                failures=list(lost),
            )


def _recovered(corpus: Corpus, store: WarcStore, now: Callable[[], datetime], say: Callable[[str], None]) -> tuple[str, ...]:
    """Bring store and ledger together; gives what is lost. The ledger that the run will have counts only what the run finds."""
    with closing(Ledger.open(corpus.ledger)) as ledger:
        is_new = ledger.seq == 0
        recovered = recover(corpus, ledger, store, now, say)
    if is_new and recovered.events:
        say(f"There was no ledger: it was made again from {amount(recovered.events, 'record')} in the WARC files.")
    for sentence in recovered.lost:
        say(f"{sentence}.")
    return recovered.lost


def _crawl(run: Run, corpus: Corpus) -> CrawlSummary:
    ledger, options = run.ledger, run.options
    if options.archive and not run.stopped:
        run.phase("archive")
        ArchiveCrawl(run).crawl()
    if options.articles and not run.stopped:
        run.phase("articles")
        ArticleCrawl(run).crawl({host: partial(ledger.queued, host, run.number) for host in ledger.waiting_hosts()})
        if run.portal.reads_index_pages and run.portal.articles.fetch == "all":
            ArticleCrawl(run).crawl({host: partial(ledger.on_index_pages, host, run.number) for host in ledger.hosts()})
    if options.recheck is not None and not run.stopped:
        run.phase("articles")
        since, asked, again = run.now() - options.recheck, run.asked, ArticleCrawl(run, again=True)
        again.crawl({host: partial(ledger.recent, host, run.number, since) for host in ledger.hosts()})
        run.asked_again.append(f"{amount(run.asked - asked, 'article')} asked for again: {again.answered}")
        run.asked_again_counts.update(again.answered.counts)
    if options.articles and not options.offline and not run.stopped:
        ask_for_changed(run)
    problems = write_problems(ledger, corpus, run.portal)
    run.phase("done")
    return _summary(run, problems)


def _summary(run: Run, problems: int) -> CrawlSummary:
    outcomes = run.ledger.outcomes()
    incomplete = list(run.limits)
    if run.stopped:
        incomplete.append("interrupted")
    if run.limited:
        incomplete.append(f"--limit {run.options.limit}: more articles wait")
    failures = [*run.failures, *run.unanswering()]
    if run.failed:
        failures.append(f"{amount(run.failed, 'article')} failed")
    return CrawlSummary(
        portal=run.portal.name,
        archive_pages=run.pages,
        new=run.ledger.inserted,
        fetched=run.fetched,
        outcomes=outcomes,
        waiting=outcomes.get(FetchOutcome.QUEUED, 0),
        blocked=run.blocked,
        drift=tuple(run.drift),
        incomplete=tuple(incomplete),
        ways=tuple(run.ways),
        failures=tuple(failures),
        going_on=run.going_on,
        refused=run.ledger.refused(),
        asked_again=tuple(run.asked_again),
        asked_again_counts=dict(run.asked_again_counts),
        remarks=(*run.remarks, *run.in_part()),
        problems=problems,
    )
