"""One crawl of one portal, from the lock to the summary: the archive first, then the articles that wait."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from datetime import datetime
from functools import partial
from itertools import islice
from threading import Event as Flag

import msgspec

from webarticlecurator.amounts import agreeing, amount, if_any
from webarticlecurator.config.portal import ArchiveFormat, Column, Portal
from webarticlecurator.corpus.folder import Corpus, write_whole
from webarticlecurator.corpus.ledger import CACHE_KIB, Ledger
from webarticlecurator.corpus.ledger_requisites import requisite_counts
from webarticlecurator.corpus.lock import locked
from webarticlecurator.corpus.never_there import never_there
from webarticlecurator.corpus.problems import known_remarks, write_problems
from webarticlecurator.corpus.recorder import Recorder
from webarticlecurator.corpus.recovery import recover
from webarticlecurator.corpus.seen_addresses import going_on
from webarticlecurator.crawling.archive import ArchiveCrawl
from webarticlecurator.crawling.article_fetching import (
    crawl_changed,
    crawl_damaged,
    crawl_recent,
    crawl_waiting,
)
from webarticlecurator.crawling.article_ways import judge_pages
from webarticlecurator.crawling.closure import close, gaps, left_to_ask
from webarticlecurator.crawling.column_walks import chosen_columns, intervals_to_walk
from webarticlecurator.crawling.crawl_options import CrawlOptions, CrawlSummary
from webarticlecurator.crawling.other_lists import look_at_other_lists, site_sitemaps
from webarticlecurator.crawling.requests import place_at
from webarticlecurator.crawling.run import BlockWatch, Run
from webarticlecurator.crawling.unlisted import (
    posts_in_part,
    spoiled_addresses,
    unasked_dates,
    united_addresses,
)
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.model.capture import PageSource
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.progress import Progress
from webarticlecurator.warc.store import WarcStore, utc_now
from webarticlecurator.warc.writer import WarcInfo

SHOWN = 3
"""First pages named of each column in a dry run."""


def crawl_portal(run: Run) -> CrawlSummary:
    """Crawl; whatever happens, what was stored is stored and the next crawl goes on from there."""
    archive, remarks = ArchiveCrawl(run), known_remarks(run.corpus)
    _ask_for_pages(run, archive)
    if run.options.articles:
        judge_pages(run)
    is_whole = not first_reason(NOT_WHOLE, run)
    if is_whole:
        # where nothing is new, only what was remarked on may have changed
        _look_for_faults(run, archive, anew=bool(run.summary.fetched or remarks))
    if not first_reason(NO_REQUISITES, run):
        from webarticlecurator.crawling.requisite_crawl import crawl_requisites  # few portals want any

        run.phase("page files")
        crawl_requisites(run)
    run.summary.missing += gaps(run)
    run.summary.incomplete += left_to_ask(run)
    run.summary.going_on = run.summary.going_on or going_on(run.portal, run.ledger)
    run.summary.problems = write_problems(run.ledger, run.corpus, run.portal)
    run.phase("done")
    _sum_up(run)
    # what was not looked at is as it was
    kept = [] if is_whole and run.options.archive else remarks
    all_remarks = list(dict.fromkeys((*run.summary.remarks, *kept)))
    write_whole(run.corpus.remarks_file, msgspec.json.encode(all_remarks))
    return run.summary


NOT_WHOLE: tuple[Check[Run], ...] = (
    Check("no articles are asked for", lambda run: not run.options.articles),
    Check("a part of the archive was chosen", lambda run: run.is_partial),
    Check("as many articles were asked for as were wanted", lambda run: run.limited),
    Check("a person has stopped it", lambda run: run.stopped),
)
"""Why a crawl cannot tell what the portal has besides."""


NO_REQUISITES: tuple[Check[Run], ...] = (
    Check("the portal file wants none", lambda run: not run.portal.fetch.requisites),
    Check("no articles are asked for", lambda run: not run.options.articles),
    Check("nobody is asked", lambda run: run.options.offline),
    Check("a person has stopped it", lambda run: run.stopped),
)
"""Why a crawl asks for no style sheets, pictures and fonts of pages."""


def _ask_for_pages(run: Run, archive: ArchiveCrawl) -> None:
    """Take each step of a crawl that is wanted, unless a person has interrupted it."""
    options = run.options
    asks_for_articles = options.articles and not options.offline
    steps: tuple[tuple[bool, str, Callable[[], None]], ...] = (
        (options.archive, "archive", archive.crawl),
        (options.articles, "articles", partial(crawl_waiting, run)),
        (asks_for_articles, "", partial(crawl_damaged, run)),
        (options.recheck is not None, "articles", partial(_recheck, run)),
        (asks_for_articles, "", partial(crawl_changed, run)),
    )
    for is_wanted, phase, step in steps:
        if not is_wanted or run.stopped:
            continue
        if phase:
            run.phase(phase)
        step()


def _recheck(run: Run) -> None:
    assert run.options.recheck is not None
    crawl_recent(run, run.now() - run.options.recheck)


def _look_for_faults(run: Run, archive: ArchiveCrawl, *, anew: bool) -> None:
    """Look for what rules spoil, and for articles that no list names; `anew`: addresses may have been united
    since."""
    summary = run.summary
    of_dates = {walks.column.name: walks.of_dates for walks in archive.columns}
    united = united_addresses(run) if anew else ()
    summary.remarks[:0] = [*posts_in_part(run), *unasked_dates(run, of_dates), *united]
    # of addresses that a person chose nothing is missing
    if not any(column.format is ArchiveFormat.URLS for column in run.columns):
        named = list(site_sitemaps(run))
        look_at_other_lists(run)
        for urls, sitemap in named:  # pages that lead to them say more of where they belong
            run.seen.take_addresses(urls, sitemap)
        _close_by_all_ways(run, archive)
    summary.failures += spoiled_addresses(run)
    disallowed = run.ledger.outcomes().get(FetchOutcome.ROBOTS, 0)
    if disallowed:
        against = f"robots.txt disallows {amount(disallowed, 'known article')}, and so nobody asked for"
        them = agreeing(disallowed, "it", "them")
        summary.remarks.append(f"{against} {them}; `fetch: {{robots: record}}` does, if you may")


def _close_by_all_ways(run: Run, archive: ArchiveCrawl) -> None:
    """Ask what no list names; while articles are missing, the next way to the same articles is walked,
    too."""
    close(run)
    while gaps(run) and archive.go_on_by_next_way():
        crawl_waiting(run)
        close(run)


def _sum_up(run: Run) -> None:
    """Write into the summary what kept the crawl from being whole, and what it came to."""
    summary = run.summary
    if run.stopped:
        summary.incomplete.append("interrupted")
    if run.limited:
        summary.incomplete.append(f"--limit {run.options.limit}: more articles wait")
    summary.failures += _unanswering_hosts(run)
    if not run.are_new_gone:
        summary.failures += map(str, never_there(run.portal, run.ledger))
    if run.failed:
        summary.failures.append(f"{amount(run.failed, 'article')} failed")
    for example, number in run.in_part.items():
        articles = amount(number, "article", "articles, such as")
        summary.remarks.append(
            f"perhaps not shown whole in the browser: {articles} {example}; a recheck asks again"
        )
    summary.new, summary.refused = run.ledger.inserted, list(run.ledger.refused(run.portal))
    summary.outcomes = run.ledger.outcomes()
    summary.waiting = summary.outcomes.get(FetchOutcome.QUEUED, 0)


def _unanswering_hosts(run: Run) -> Iterator[str]:
    """Give the hosts that were given up since their robots.txt cannot be read, where no walk has said so."""
    for host, watch in run.watches.items():
        if not first_reason(NOT_TO_TELL, watch):
            yield f"{host}: {watch.closed}"


NOT_TO_TELL: tuple[Check[BlockWatch], ...] = (
    Check("it may be asked", lambda watch: watch.closed is None),
    Check("the portal keeps us out, which is said", lambda watch: watch.alarm is not None),
    Check("a walk has told of it", lambda watch: watch.reported),
)
"""Why nothing is said of a host."""


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
        closing(
            WarcStore(corpus.warc, WarcInfo(portal, options.contact, online=not options.offline), now=now)
        ) as store,
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


def describe(
    portal: Portal, corpus: Corpus, options: CrawlOptions, progress: Progress, now: datetime
) -> CrawlSummary:
    """Tell what would be crawled, column by column; nothing is written."""
    columns = chosen_columns(portal, options)
    with closing(
        Ledger.open(corpus.ledger, read_only=True) if corpus.ledger.exists() else Ledger.open("")
    ) as ledger:
        for column in columns if options.archive else ():
            todo = intervals_to_walk(column, portal, ledger, options, now)
            pages = (
                ", ".join(place_at(column, interval).url for interval in islice(todo, SHOWN))
                or "nothing: all of it is settled"
            )
            rest = sum(1 for _ in todo)
            before = [other.name for other in columns[: columns.index(column)] if column.ways]
            where = if_any(
                len(before), f", where none of the ways before it ({', '.join(before)}) is proved,"
            )
            more = if_any(rest, f" and {rest:,} more")
            progress.say(portal.name, f"column {column.name}{where} would be walked from {pages}{more}")
        waiting = ledger.count_waiting()
        if options.articles:
            progress.say(
                portal.name,
                f"{amount(waiting, 'known article')} would be asked for, and what the archive pages list "
                "anew.",
            )
        if portal.fetch.requisites and options.articles:
            left = requisite_counts(ledger, portal.fetch.requisites).get("wait", 0)
            files = amount(
                left, "known style sheet, picture or font", "known style sheets, pictures and fonts"
            )
            progress.say(portal.name, f"{files} would be asked for, and what pages name anew.")
        if options.recheck is not None:
            again = amount(ledger.count_recent(now - options.recheck), "fetched article")
            progress.say(portal.name, f"{again} would be asked for again.")
        return CrawlSummary(portal=portal.name, outcomes=ledger.outcomes(), waiting=waiting)
