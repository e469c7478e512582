"""Joins the stages that look at what is stored: inventories and audits of a corpus, or of any WARC."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import takewhile
from pathlib import Path
from threading import Event as Flag
from typing import Generic, TypeVar

from webarticlecurator.building.options import MOST_JOBS
from webarticlecurator.config.column_urls import fitting_column
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus, crawled_corpus
from webarticlecurator.corpus.ledger import explained_errors
from webarticlecurator.corpus.lock import locked
from webarticlecurator.errors import UsageError
from webarticlecurator.model.progress import Progress, Silent, Snapshot
from webarticlecurator.survey.archive_audit.comparison import Comparison, LedgerComparison
from webarticlecurator.survey.archive_audit.neighbour_links import NeighbourQuestion, NeighbourTally
from webarticlecurator.survey.counting.observations import Observations
from webarticlecurator.survey.counting.observed import Observed
from webarticlecurator.survey.counting.observing import Observing
from webarticlecurator.survey.counting.renewal import StoredPages, renewed
from webarticlecurator.survey.counting.store import SurveyStore
from webarticlecurator.survey.counting.taking_stock import observed_of
from webarticlecurator.survey.page_pass import BATCH, PassJob, Question, Tally, tallies
from webarticlecurator.survey.stored_page_sample import Stored, StoredPage, StoredPageSample, corpus_pages, warc_pages
from webarticlecurator.urls import same_page
from webarticlecurator.warc.records import Damage

T = TypeVar("T", bound=Tally)
PHASE, COMPARING = "tags", "audit"
"""What progress calls an inventory, and a comparison with the ledger."""
_LOOKING = "looking for article pages"


@dataclass(frozen=True, slots=True, kw_only=True)
class SurveyOptions:
    """The flags that `tags` and `audit` share."""

    jobs: int | None = None
    """Processes; None: as many as there are processors, at most four. One: no process is started."""
    sample: int | None = None
    """Only so many pages, of every year some."""

    @property
    def processes(self) -> int:
        """How many processes there will be."""
        return self.jobs or min(MOST_JOBS, os.cpu_count() or 1)


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


def observed(
    portal: Portal,
    *,
    corpus: Path | None = None,
    warcs: Sequence[Path] = (),
    options: SurveyOptions | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
) -> Observed:
    """What the article containers of a corpus (or of WARC files, without a corpus) are made of, each node decided by the portal's rules.

    Only what is not in the cache (`survey.sqlite` in the corpus folder) is read.
    """
    options = options or SurveyOptions()
    world = _World(portal, options, progress or Silent(), stop or Flag(), PHASE)
    if warcs:
        with world.supply(corpus, warcs) as supply:
            observations = Observations()
            done = world.read(Observing(portal), supply, supply.total, observations.join)
            complete = done == supply.total and not world.stop.is_set()
        return observed_of(observations, portal, of_pages=supply.of_pages, complete=complete, read_now=done)
    folder = crawled_corpus(portal, corpus)
    path = _store(folder, options)

    def read(pages: Iterable[StoredPage], total: int, into: Observations) -> int:
        return world.read(Observing(portal), pages, total, into.join)

    with locked(folder.folder / "survey.lock", "inventory"), SurveyStore(path) as store:
        renewal = renewed(store, portal, _stored_pages(folder, world), read)
        again = f"{path} could not be used (it was damaged, or of another version), so it was made again."
        return observed_of(
            store.observations,
            portal,
            of_pages=store.notes.of_pages,
            complete=renewal.complete,
            read_now=renewal.read,
            first=store.notes.run < 2,
            new_tags=store.new_tags(),
            notes=(*([again] if store.made_again else []), *([renewal.why] if renewal.why else [])),
        )


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
    """One pass over all article pages, nothing cached. `phase` is what progress calls it: "audit"."""
    world = _World(portal, options or SurveyOptions(), progress or Silent(), stop or Flag(), phase)
    tally = question.tally()
    with world.supply(corpus, warcs) as supply:
        done = world.read(question, supply, supply.total, tally.join)
        return Surveyed(tally, pages=done, of_pages=supply.of_pages, complete=done == supply.total and not world.stop.is_set())


def compared(
    portal: Portal,
    *,
    corpus: Path | None = None,
    jobs: int | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
) -> Comparison:
    """The ledger of a corpus, held against what else knows of articles: the links of stored articles to those before and after them."""
    folder = crawled_corpus(portal, corpus)
    world = _World(portal, SurveyOptions(jobs=jobs), progress or Silent(), stop or Flag(), COMPARING)
    world.show(doing="reading the ledger")
    with explained_errors(folder.ledger), LedgerComparison(folder.ledger, portal, is_article=world.may_be_article) as comparison:

        def take(tally: NeighbourTally) -> None:
            comparison.add_known(tally.own)
            comparison.compare(tally.named)

        with world.supply(corpus, ()) as supply:
            done = world.read(NeighbourQuestion(), supply, supply.total, take)
            complete, of_pages = done == supply.total and not world.stop.is_set(), supply.of_pages
        total, at_the_edge = comparison.counts()
        return Comparison(
            portal=portal.name,
            pages=done,
            of_pages=of_pages,
            links=comparison.compared,
            passed_over=comparison.passed_over,
            such_as=comparison.such_as,
            unlisted=tuple(comparison.unlisted()),
            total=total,
            at_the_edge=at_the_edge,
            complete=complete,
        )


@dataclass(frozen=True, slots=True)
class _World:
    """What a survey is given from outside."""

    portal: Portal
    options: SurveyOptions
    progress: Progress
    stop: Flag
    phase: str

    def supply(self, corpus: Path | None, warcs: Sequence[Path]) -> StoredPageSample:
        """The pages of WARC files, else of a corpus."""
        return StoredPageSample(self._in_files(warcs) if warcs else self.find(crawled_corpus(self.portal, corpus)), self.options.sample)

    def find(self, folder: Corpus) -> Iterator[Stored]:
        """The pages of a corpus; none after a stop."""
        self.show(doing=_LOOKING)
        with explained_errors(folder.ledger):
            yield from takewhile(self._goes_on, corpus_pages(folder.ledger, folder.warc, self.portal))

    def read(self, question: Question[T], pages: Iterable[StoredPage], total: int, take: Callable[[T], None]) -> int:
        """One pass; gives the number of pages that were gone through."""
        done = 0
        jobs = min(self.options.processes, 1 + total // BATCH)
        self.show(total=total)
        for one in tallies(PassJob(self.portal, question), pages, jobs=jobs, stop=self.stop):
            take(one.tally)
            done += one.pages
            self.show(done, total)
        return done

    def show(self, done: int = 0, total: int = 0, doing: str = "") -> None:
        """How far the pass is."""
        self.progress.show(Snapshot(portal=self.portal.name, phase=self.phase, doing=doing, articles=done, waiting=total - done))

    def _in_files(self, files: Sequence[Path]) -> Iterator[Stored]:
        missing = next((path for path in files if not path.is_file()), None)
        if missing is not None:
            raise UsageError(f"{missing}: there is no such file.")
        self.show(doing=_LOOKING)
        return takewhile(self._goes_on, warc_pages(files, self.portal, is_article=self.may_be_article, on_damage=self._tell))

    def _goes_on(self, _: Stored) -> bool:
        return not self.stop.is_set()

    def may_be_article(self, url: str) -> bool:
        """Whether an address can be an article's: neither the front page's, nor one of the archive's."""
        skipped = any(pattern.search(url) for pattern in self.portal.articles.skip_url)
        return not skipped and not same_page(url, self.portal.home) and fitting_column(self.portal, url) is None

    def _tell(self, damage: Damage) -> None:
        self.progress.say(self.portal.name, str(damage))


def _store(folder: Corpus, options: SurveyOptions) -> Path:
    """A sample has a cache of its own, so that it does not push out what was counted of all pages."""
    return folder.folder / ("survey.sqlite" if options.sample is None else "survey-sample.sqlite")


def _stored_pages(folder: Corpus, world: _World) -> StoredPages:
    find = partial(world.find, folder)
    return StoredPages(state=_state(folder.ledger), warc=folder.warc, find=find, sample=world.options.sample, stop=world.stop)


def _state(ledger: Path) -> str:
    """Changes with whatever is written into the ledger."""
    files = (path for path in (ledger, ledger.with_name(ledger.name + "-wal")) if path.exists())
    return " ".join(f"{stat.st_size}:{stat.st_mtime_ns}" for stat in (path.stat() for path in files) if stat.st_size)
