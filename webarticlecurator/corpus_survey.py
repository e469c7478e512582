"""Joins the stages that look at what is stored: inventories and audits of a corpus, or of any WARC."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from itertools import takewhile
from pathlib import Path
from threading import Event as Flag
from typing import Generic, TypeVar

from webarticlecurator import pipeline
from webarticlecurator.config.portal import Portal, fitting_column
from webarticlecurator.corpus.folder import Corpus, crawled_corpus, write_whole
from webarticlecurator.crawling.options import CrawlOptions
from webarticlecurator.errors import UsageError
from webarticlecurator.model.progress import Progress, Silent, Snapshot
from webarticlecurator.storage.places import is_file
from webarticlecurator.survey.archive_audit import ArchiveAudit, LedgerComparison, Source, corpus_of_source, portal_of_source
from webarticlecurator.survey.page_pass import BATCH, PassJob, Question, Tally, tallies
from webarticlecurator.survey.stored_page_sample import Stored, StoredPageSample, corpus_pages, warc_pages
from webarticlecurator.urls import same_page
from webarticlecurator.warc.records import Damage
from webarticlecurator.warc.store import utc_now
from webarticlecurator.workers.carriers import Workers

T = TypeVar("T", bound=Tally)
_LOOKING = "looking for article pages"
_ASKING = "{source}: asked for by the preset `{source}`; columns named from here on are that preset's, and not all of them need find one"


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyOptions:
    """The flags that `tags` and `audit` share."""

    jobs: int | None = None
    """Processes; None: as many as there are processors, at most four. One: no process is started."""
    cluster: str | None = None
    """A Dask scheduler that has the work done instead: `tcp://HOST:8786`, or `local:N` for one of our own with N workers."""
    sample: int | None = None
    """Only so many pages, of every year some."""

    @property
    def workers(self) -> Workers:
        """Who reads the pages."""
        return Workers.asked_for(self.jobs, self.cluster)


@dataclass(frozen=True, slots=True)
class Surveyed(Generic[T]):
    """What a pass gathered."""

    tally: T
    pages: int
    """Gone through, those that were passed over with them."""
    of_pages: int
    """Articles that something is stored of."""
    complete: bool
    """False: interrupted."""


def surveyed(
    question: Question[T],
    portal: Portal,
    *,
    phase: str,
    corpus: Path | None = None,
    warcs: Sequence[Path] = (),
    options: SurveyOptions | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
) -> Surveyed[T]:
    """One pass over all article pages, or a sample of them. `phase` is what progress calls it: "tags", "audit"."""
    survey = _Survey(portal, options or SurveyOptions(), progress or Silent(), stop or Flag(), phase)
    tally = question.tally()
    with survey.pages(corpus, warcs) as pages:
        done = survey.read(question, pages, tally.join)
        return Surveyed(tally, pages=done, of_pages=pages.of_pages, complete=survey.is_complete(done, pages))


def compared(
    portal: Portal,
    *,
    corpus: Path | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
    asked_at: datetime | None = None,
) -> ArchiveAudit:
    """The ledger of a corpus, held against what the site's feeds and sitemaps name.

    `asked_at` is what `read_site_sources` gave just before: a source of which nothing came since then was not fetched.
    """
    folder, ended = crawled_corpus(portal, corpus), stop or Flag()
    (progress or Silent()).show(Snapshot(portal=portal.name, phase="audit", doing="reading the ledger"))
    with closing(LedgerComparison(folder, portal, is_article=partial(may_be_article, portal))) as comparison:
        compared = [comparison.compare(source, asked_at, lambda: not ended.is_set()) for source in Source]
        result = comparison.result((one for one in compared if one is not None), complete=not ended.is_set())
        if result.complete and folder.unlisted.parent.exists():
            write_whole(folder.unlisted, "".join(f"{url}\n" for url in comparison.all_unlisted()).encode())
        return result


def read_site_sources(
    portal: Portal, *, corpus: Path | None = None, contact: str | None = None, progress: Progress | None = None, stop: Flag | None = None
) -> datetime:
    """Ask a site for its feeds and sitemaps, as politely as a crawl; what they name is compared from then on. Gives when it began.

    All of each is read, whatever an earlier fetch has read: else nobody could tell what a source does not name any more.
    """
    folder, began = crawled_corpus(portal, corpus), utc_now().replace(microsecond=0)
    options = CrawlOptions(articles=False, contact=contact, full=True)
    for source in Source:
        own = corpus_of_source(folder, source)
        if progress is not None:  # else people look for these columns in their portal file
            progress.say(portal.name, _ASKING.format(source=source))
        pipeline.crawl(portal_of_source(portal, source), corpus=own.folder, options=options, progress=progress, stop=stop)
    return began


def may_be_article(portal: Portal, url: str) -> bool:
    """Whether an address can be an article's: neither the front page's, nor one of the archive's."""
    skipped = any(pattern.search(url) for pattern in portal.articles.skip.url)
    return not skipped and not same_page(url, portal.home) and fitting_column(portal, url) is None


@dataclass(frozen=True, slots=True)
class _Survey:
    """One pass, with what it is given from outside."""

    portal: Portal
    options: SurveyOptions
    progress: Progress
    stop: Flag
    phase: str

    def pages(self, corpus: Path | None, warcs: Sequence[Path]) -> StoredPageSample:
        """The pages of WARC files, else of a corpus; after a stop no more are looked for."""
        found = self._in_files(warcs) if warcs else self._in_corpus(crawled_corpus(self.portal, corpus))
        return StoredPageSample(takewhile(lambda _: not self.stop.is_set(), found), self.options.sample)

    def read(self, question: Question[T], pages: StoredPageSample, take: Callable[[T], None]) -> int:
        """Gives the number of pages that were gone through."""
        done = 0
        workers = self.options.workers.for_tasks(pages.total, BATCH).telling(partial(self.progress.say, self.portal.name), self.stop.is_set)
        self.show(total=pages.total)
        for tally, count in tallies(PassJob(self.portal, question, pages.folders()), pages, workers=workers, stop=self.stop):
            take(tally)
            done += count
            self.show(done, pages.total)
        return done

    def is_complete(self, done: int, pages: StoredPageSample) -> bool:
        return done == pages.total and not self.stop.is_set()

    def show(self, done: int = 0, total: int = 0, doing: str = "") -> None:
        """How far the pass is."""
        self.progress.show(Snapshot(portal=self.portal.name, phase=self.phase, doing=doing, articles=done, waiting=total - done))

    def _in_corpus(self, folder: Corpus) -> Iterator[Stored]:
        self.show(doing=_LOOKING)
        yield from corpus_pages(folder.ledger, folder.warc, self.portal)

    def _in_files(self, files: Sequence[Path]) -> Iterator[Stored]:
        missing = next((path for path in files if not is_file(path)), None)
        if missing is not None:
            raise UsageError(f"{missing}: there is no such file.")
        self.show(doing=_LOOKING)
        return warc_pages(files, self.portal, is_article=partial(may_be_article, self.portal), on_damage=self._tell)

    def _tell(self, damage: Damage) -> None:
        self.progress.say(self.portal.name, str(damage))
