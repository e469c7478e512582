"""Joins the stages: portal files in, crawled corpora and their status out. The only module that knows the
network and the clock."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path
from threading import Event as Flag
from typing import TYPE_CHECKING, TypedDict, Unpack, overload

from webarticlecurator.config.load import as_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import corpus_of, corpus_to_fill, crawled_corpus, missing
from webarticlecurator.corpus.ledger import CACHE_KIB, Ledger
from webarticlecurator.corpus.lock import locked
from webarticlecurator.corpus.problems import write_problems
from webarticlecurator.corpus.recovery import remake_ledger
from webarticlecurator.corpus.stored_pages import LedgerSource
from webarticlecurator.crawling.column_walks import chosen_columns
from webarticlecurator.crawling.crawl_options import CrawlOptions, CrawlSummary
from webarticlecurator.crawling.crawler import crawl_portal, describe, opened
from webarticlecurator.databases import Row
from webarticlecurator.document.walls import classify
from webarticlecurator.errors import CuratorError
from webarticlecurator.fetch.politeness import PoliteHost
from webarticlecurator.fetch.web import Web
from webarticlecurator.model.capture import Capture, PageSource
from webarticlecurator.model.corpus_status import StatusReport
from webarticlecurator.model.page import Wall
from webarticlecurator.model.progress import Progress, Silent, Snapshot
from webarticlecurator.program_faults import why_not
from webarticlecurator.warc.exchanges import read_warc
from webarticlecurator.warc.store import WarcStore, check_clock, utc_now
from webarticlecurator.warc.writer import WarcInfo

if TYPE_CHECKING:
    from webarticlecurator.crawling.importing import Importer

_ALL_CACHES_KIB, _LEAST_CACHE_KIB = 262_144, 1_024
"""The memory, in KiB, that the ledgers of all portals of a process may take, and that each may take at
least."""
_FILES_OF_A_PORTAL = 16
"""Open ones: lock, ledger with its two companions, two WARC files, and connections; a portal on one host
holds seven."""
_FILES_OF_THE_PROGRAM = 64


@contextmanager
def live_source(web: Web, *, browser: bool | None = None) -> Iterator[PageSource]:
    """The web as its portal may see it, with a browser where the portal's file wants one for some pages, or
    `browser` says so.

    The browser is begun for the first request that asks for it; both are ended here. Raises UsageError where
    Playwright is not installed.
    """
    portal = web.portal
    is_asked_for = portal.articles.rendering is not None or any(
        column.rendering is not None for column in portal.columns
    )
    with closing(web):
        if not (is_asked_for if browser is None else browser):
            yield web
            return
        # Brings along asyncio, which no other crawl has need of.
        from webarticlecurator.fetch.browser.engine import shared_engine

        with shared_engine() as engine:
            from webarticlecurator.fetch.browser.browser_source import (
                BrowserSource,
            )  # and Playwright, which must be there for it

            with closing(BrowserSource(engine, web, keeps_out=_keeps_out)) as shown:
                yield shown


def _keeps_out(capture: Capture) -> bool:
    """True if an answer is a wall that only a trick would get over: no browser is sent against it."""
    no_page = classify(capture)
    return no_page is not None and no_page.wall not in (None, Wall.CONSENT)


class HowToCrawl(TypedDict, total=False):
    """The arguments that `crawl` takes by name."""

    corpus: Path | str | None
    options: CrawlOptions | None
    progress: Progress | None
    stop: Flag | None
    now: Callable[[], datetime]


# A text is one portal, not a sequence of such.
@overload
def crawl(portals: Portal | Path | str, **how: Unpack[HowToCrawl]) -> CrawlSummary: ...  # type: ignore[overload-overlap]
@overload
def crawl(portals: Sequence[Portal | Path | str], **how: Unpack[HowToCrawl]) -> list[CrawlSummary]: ...
def crawl(
    portals: Portal | Path | str | Sequence[Portal | Path | str],
    *,
    corpus: Path | str | None = None,
    options: CrawlOptions | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
    now: Callable[[], datetime] = utc_now,
) -> CrawlSummary | list[CrawlSummary]:
    """Crawl a portal, or several, all at the same time: each has its own corpus, and hosts that they share
    keep one pace.

    A portal is one that was loaded, the path of its file, or its name. One gives its summary, several a list
    of theirs: one that could not be crawled does not keep the others from it, and says in `impossible` why.

    >>> from webarticlecurator import CrawlOptions, crawl
    >>> summary = crawl("portal.yaml", options=CrawlOptions(columns=("francais",)))
    >>> summary.failures, summary.incomplete
    ([], [])
    """
    if isinstance(portals, (Portal, Path, str)):
        return crawl([portals], corpus=corpus, options=options, progress=progress, stop=stop, now=now)[0]
    loaded = [as_portal(portal) for portal in portals]
    together = PortalCrawls(
        options=options or CrawlOptions(),
        progress=progress or Silent(),
        stop=stop or Flag(),
        now=now,
        portals=len(loaded),
    )
    return (
        [together.crawl(loaded[0], corpus)]
        if len(loaded) == 1
        else together.crawl_all([(portal, corpus) for portal in loaded])
    )


@dataclass(frozen=True, kw_only=True)
class PortalCrawls:
    """Crawls of several portals in one process: what they share."""

    options: CrawlOptions
    progress: Progress
    stop: Flag
    now: Callable[[], datetime] = utc_now
    portals: int
    """The number of portals that there may be."""
    hosts: dict[str, PoliteHost] = field(default_factory=dict)
    """The hosts by name: portals that share a host share its pace."""

    def crawl_all(self, placed: Sequence[tuple[Portal, Path | str | None]]) -> list[CrawlSummary]:
        """Crawl each portal with the folder of its corpus, at the same time; what keeps one from being
        crawled is told, and the others go on."""
        most = min(_portals_at_a_time(self.portals), len(placed))
        with ThreadPoolExecutor(max(1, most), thread_name_prefix="portal") as pool:
            return list(pool.map(self._crawl_or_tell, placed))

    def _crawl_or_tell(self, placed: tuple[Portal, Path | str | None]) -> CrawlSummary:
        portal, corpus = placed
        try:
            return self.crawl(portal, corpus)
        except (CuratorError, OSError) as error:
            reason = why_not(error)
        except BaseException:
            # A fault of the program ends the command: the other crawls must not go on unseen.
            self.stop.set()
            raise
        self.progress.show(Snapshot(portal=portal.name, phase="done"))
        return CrawlSummary(portal=portal.name, impossible=reason)

    def crawl(self, portal: Portal, corpus: Path | str | None) -> CrawlSummary:
        """Crawl one of the portals."""
        check_clock(self.now())
        folder, options, progress = corpus_to_fill(portal, corpus), self.options, self.progress
        if options.dry_run:
            return describe(portal, folder, options, progress, self.now())
        cache_kib = min(CACHE_KIB, max(_LEAST_CACHE_KIB, _ALL_CACHES_KIB // self.portals))
        opening = partial(
            opened, portal, folder, options, chosen_columns(portal, options), cache_kib=cache_kib
        )
        begun = partial(opening, now=self.now, stop=self.stop, progress=progress)
        if options.offline:
            with closing(LedgerSource(folder)) as stored, begun(source=stored) as run:
                summary = crawl_portal(run)
            Ledger.open(
                folder.ledger
            ).close()  # who only reads, and is the last to close it, leaves SQLite's files beside it
            return summary
        say = partial(progress.say, portal.name)
        web = Web(portal, contact=options.contact, hosts=self.hosts, stop=self.stop, say=say, now=self.now)
        with live_source(web) as source, begun(source=source) as run:
            return crawl_portal(run)


def _portals_at_a_time(wanted: int) -> int:
    """Return how many of so many portals there is room for; the limit of open files is raised as far as the
    system lets a program do that."""
    if sys.platform == "win32":
        return wanted
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    needed = wanted * _FILES_OF_A_PORTAL + _FILES_OF_THE_PROGRAM
    if 0 <= soft < needed:  # without a limit the number is below 0, or huge
        with suppress(OSError, ValueError):  # some systems have a lower limit that they do not tell of
            resource.setrlimit(resource.RLIMIT_NOFILE, (min(needed, hard) if hard >= 0 else needed, hard))
        soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return wanted if soft < 0 else max(1, min(wanted, (soft - _FILES_OF_THE_PROGRAM) // _FILES_OF_A_PORTAL))


def status(portal: Portal | Path | str, *, corpus: Path | str | None = None) -> StatusReport:
    """Return what the corpus has, lacks, and why.

    >>> from webarticlecurator import status
    >>> report = status("portal.yaml")
    >>> report.waiting, len(report.gaps)  # columns that no crawl has asked for yet
    (0, 10)
    >>> [row.column for row in report.completeness if row.intervals and row.proved == row.intervals]
    ['francais']
    """
    from webarticlecurator.corpus.completeness import status_report  # no crawl has a need of it

    loaded = as_portal(portal)
    return status_report(loaded, crawled_corpus(loaded, corpus))


def index(
    portal: Portal, *, corpus: Path | None = None, progress: Progress | None = None
) -> tuple[int, list[str]]:
    """Make the ledger again from the WARC files: of how many records, and what is lost. The old one is
    replaced when that is complete."""
    folder, say = corpus_of(portal, corpus), partial((progress or Silent()).say, portal.name)
    if not folder.warc_files():
        raise missing(portal, folder)
    with locked(folder.crawl_lock, "crawl"), closing(WarcStore(folder.warc, WarcInfo(portal))) as store:
        return remake_ledger(folder, store, utc_now, say)


def import_warcs(
    portal: Portal,
    files: Sequence[Path],
    *,
    corpus: Path | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
) -> Row:
    """Take WARC files of other programs into a corpus."""
    with importing(portal, corpus, progress or Silent(), stop or Flag()) as importer:
        return importer.take_in(read_warc(*files, on_damage=importer.tell_of))


@contextmanager
def importing(portal: Portal, corpus: Path | None, progress: Progress, stop: Flag) -> Iterator[Importer]:
    """Take pages into a corpus that no crawl asked for; what needs a human is told anew at the end."""
    folder = corpus_to_fill(portal, corpus)
    # They bring along all that reads articles, which a crawl has no need of.
    from webarticlecurator.crawling.importing import Importer

    with (
        closing(LedgerSource(folder)) as stored,  # nobody is asked
        opened(
            portal, folder, CrawlOptions(offline=True), source=stored, stop=stop, progress=progress
        ) as run,
    ):
        yield Importer(run)
        write_problems(run.ledger, folder, portal)
