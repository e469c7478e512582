"""One crawl of one portal, from the lock to the summary: the archive first, then the articles that wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from threading import Event as Flag

from webarticlecurator.config.portal import Column, Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger, QueuedPage, explained_errors
from webarticlecurator.corpus.lock import locked
from webarticlecurator.corpus.losses import losses
from webarticlecurator.corpus.problems import write_problems
from webarticlecurator.corpus.recorder import Recorder, recover
from webarticlecurator.crawling.archive import ArchiveCrawl
from webarticlecurator.crawling.articles import BATCH, ArticleCrawl
from webarticlecurator.crawling.options import CrawlOptions, CrawlSummary
from webarticlecurator.crawling.planning import chosen_columns
from webarticlecurator.crawling.run import Run
from webarticlecurator.model.capture import PageSource
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.progress import Progress
from webarticlecurator.warc.store import WarcStore
from webarticlecurator.warc.warcinfo import WarcInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class CrawlEnvironment:
    """What a crawl needs of the world."""

    source: PageSource
    info: WarcInfo
    now: Callable[[], datetime]
    stop: Flag
    progress: Progress
    pace: Callable[[], float] = float


def crawl_portal(portal: Portal, corpus: Corpus, options: CrawlOptions, world: CrawlEnvironment) -> CrawlSummary:
    """Crawl; whatever happens, what was stored is stored and the next crawl goes on from there."""
    columns = chosen_columns(portal, options)
    with opened(portal, corpus, options, world, columns) as run:
        return _crawl(run, corpus)


@contextmanager
def opened(portal: Portal, corpus: Corpus, options: CrawlOptions, world: CrawlEnvironment, columns: tuple[Column, ...]) -> Iterator[Run]:
    """A run that alone may write the corpus; at its end the files are sealed."""
    with (
        locked(corpus.crawl_lock, "crawl"),
        explained_errors(corpus.ledger),
        closing(WarcStore(corpus.warc, portal.name, info=world.info, now=world.now)) as store,
    ):
        lost = _recovered(corpus, store, world.now, partial(world.progress.say, portal.name))
        with closing(Ledger.open(corpus.ledger)) as ledger:
            yield Run(
                portal=portal,
                columns=columns,
                options=options,
                source=world.source,
                recorder=Recorder(store, ledger, world.now, ledger.run + 1),
                ledger=ledger,
                now=world.now,
                stop=world.stop,
                progress=world.progress,
                warc=corpus.warc,
                lost=lost,
                pace=world.pace,
            )


def _recovered(corpus: Corpus, store: WarcStore, now: Callable[[], datetime], say: Callable[[str], None]) -> tuple[str, ...]:
    """Bring store and ledger together; gives what is lost. The ledger that the run will have counts only what the run finds."""
    with closing(Ledger.open(corpus.ledger)) as ledger:
        is_new = ledger.seq == 0
        recovered = recover(corpus, ledger, store, losses(corpus.warc, ledger, now()), now, say)
    if is_new and recovered.events:
        say(f"There was no ledger: it was made again from {recovered.events:,} records in the WARC files.")
    for sentence in recovered.lost:
        say(f"{sentence}.")
    return recovered.lost


def _crawl(run: Run, corpus: Corpus) -> CrawlSummary:
    archive, articles = ArchiveCrawl(run), ArticleCrawl(run)
    if run.options.archive and not run.stopped:
        run.phase("archive")
        archive.crawl()
    if run.options.articles and not run.stopped:
        run.phase("articles")
        articles.crawl({host: partial(_waiting, run, host) for host in run.ledger.waiting_hosts()})
    if run.options.recheck is not None and not run.stopped:
        run.phase("articles")
        _recheck(run)
    problems = write_problems(run.ledger, corpus)
    run.phase("done")
    return _summary(run, archive, problems)


def _waiting(run: Run, host: str, after: int) -> list[QueuedPage]:
    return run.ledger.queued(host, run.number, after, BATCH)


def _recent(run: Run, since: datetime, host: str, after: int) -> list[QueuedPage]:
    return run.ledger.recent(host, since, run.number, after, BATCH)


def _recheck(run: Run) -> None:
    """Ask articles again that were first seen not long ago."""
    assert run.options.recheck is not None
    since = run.now() - run.options.recheck
    ArticleCrawl(run, again=True).crawl({host: partial(_recent, run, since, host) for host in run.ledger.hosts()})


def _summary(run: Run, archive: ArchiveCrawl, problems: int) -> CrawlSummary:
    outcomes = run.ledger.outcomes()
    incomplete = list(archive.limits)
    if run.stopped:
        incomplete.append("interrupted")
    if run.limited:
        incomplete.append(f"--limit {run.options.limit}: more articles wait")
    failures = [*run.lost, *archive.failures, *run.unanswering()]
    if run.failed:
        failures.append(f"{run.failed} articles failed")
    return CrawlSummary(
        portal=run.portal.name,
        archive_pages=run.pages,
        new=run.ledger.inserted,
        fetched=run.fetched,
        outcomes=outcomes,
        waiting=outcomes.get(FetchOutcome.QUEUED, 0),
        blocked=run.blocked,
        drift=tuple(archive.drift),
        incomplete=tuple(incomplete),
        failures=tuple(failures),
        going_on=run.going_on,
        refused=run.ledger.refused(),
        remarks=tuple(archive.remarks),
        problems=problems,
    )
