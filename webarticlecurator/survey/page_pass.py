"""One pass over stored article pages: each is read once, by several processes; what is tallied of them comes in their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from threading import Event as Flag
from typing import Generic, Protocol, Self, TypeVar

from webarticlecurator.building.rules_digest import rules_digest
from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import read_page
from webarticlecurator.errors import CorpusError, PatternTimeout
from webarticlecurator.extraction.article_pages import skip_reason
from webarticlecurator.faults import reason_of
from webarticlecurator.http.message import parse_response
from webarticlecurator.model.capture import Capture
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import NoPage, Page
from webarticlecurator.survey.stored_page import StoredPage
from webarticlecurator.warc.reader import CaptureReader, http_capture
from webarticlecurator.warc.records import read_record
from webarticlecurator.warc.store import finished_files
from webarticlecurator.workers import pool
from webarticlecurator.workers.carriers import Workers
from webarticlecurator.workers.collector import no_collector

BATCH = 64
"""Pages in one tally."""


class Tally(Protocol):
    """What a pass gathers; it travels from the processes that read pages to the one that joins, so it is small and can be pickled."""

    def pass_over(self, stored: StoredPage, outcome: str, reason: str) -> None:
        """A stored response that gives no page: a captcha, a cut response."""
        ...

    def join(self, other: Self) -> None:
        """Take in what another one gathered of pages that lie behind ours."""
        ...


T = TypeVar("T", bound=Tally)


class Question(Protocol[T]):
    """What a pass wants to know: given to every process once, by pickling."""

    def tally(self) -> T:
        """An empty one."""
        ...

    def look(self, page: Page, stored: StoredPage, tally: T) -> None:
        """Add one page to a tally. May raise PatternTimeout: the pass notes it, and goes on."""
        ...


@dataclass(frozen=True, slots=True)
class PassJob(Generic[T]):
    """Reads pages, and has each looked at; the same in every process."""

    portal: Portal
    question: Question[T]
    folders: tuple[Path, ...] = ()
    """Where the pages lie."""

    def worker(self) -> PassJob[T]:
        """Where one process works."""
        return self

    def must_agree(self) -> Mapping[str, str]:
        """The rules, as each worker understands them, and the pages."""
        return {"rules": rules_digest(self.portal, ""), **{str(folder): finished_files(folder) for folder in self.folders}}

    def make(self, tasks: list[StoredPage]) -> list[tuple[T, int]]:
        """One tally of all these pages, and how many they are."""
        tally = self.question.tally()
        with closing(StoredPageReader(self.portal, tasks)) as reader, no_collector():
            for stored in tasks:
                self._look(stored, reader, tally)
        return [(tally, len(tasks))]

    def give_up(self, task: StoredPage, reason: str) -> tuple[T, int]:
        """The tally of a page on which its process died."""
        tally = self.question.tally()
        tally.pass_over(task, PageOutcome.UNREADABLE, reason)
        return tally, 1

    def _look(self, stored: StoredPage, reader: StoredPageReader, tally: T) -> None:
        try:
            page = reader.read(stored)
            if isinstance(page, Page):
                self.question.look(page, stored, tally)
            else:
                tally.pass_over(stored, page.outcome, page.reason)
        except PatternTimeout as problem:
            tally.pass_over(stored, PageOutcome.UNREADABLE, str(problem))
        except (MemoryError, OSError):
            raise
        except Exception as error:  # a page may be anything, and one of them must never end a pass
            tally.pass_over(stored, PageOutcome.UNREADABLE, reason_of(error))


def tallies(job: PassJob[T], pages: Iterable[StoredPage], *, workers: Workers, stop: Flag) -> Iterator[tuple[T, int]]:
    """What all pages give, each tally with the number of its pages, in their order; a stop ends it after the pages that were handed out."""
    handed_out = takewhile(lambda _: not stop.is_set(), pages)
    for batch in pool.run(job, handed_out, workers=workers, batch=BATCH):
        yield from batch


class StoredPageReader:
    """Reads the pages of one batch as building reads them; a file stays open while its pages follow one another."""

    def __init__(self, portal: Portal, expected: Iterable[StoredPage] = ()) -> None:
        self._portal = portal
        self._expected = tuple(expected)
        self._open = ExitStack()
        self._readers: dict[Path, CaptureReader] = {}
        """By folder."""

    def close(self) -> None:
        """Close what is open."""
        self._open.close()

    def read(self, stored: StoredPage) -> Page | NoPage:
        """One page."""
        return self.with_capture(stored)[0]

    def with_capture(self, stored: StoredPage) -> tuple[Page | NoPage, Capture | None]:
        """One page, and what it was read from."""
        try:
            capture = self._capture(stored)
        except CorpusError as error:
            return NoPage(str(error)), None
        return NoPage("the stored response is not whole") if capture is None else self._page(capture), capture

    def _page(self, capture: Capture) -> Page | NoPage:
        try:
            page = read_page(capture, encoding=self._portal.fetch.encoding, format=self._portal.articles.format)
            if isinstance(page, NoPage):
                return page
            skipped = skip_reason(page, self._portal)
        except (CorpusError, PatternTimeout) as error:
            return NoPage(str(error))
        return page if skipped is None else NoPage(skipped, PageOutcome.NOT_ARTICLE)

    def _capture(self, stored: StoredPage) -> Capture | None:
        if stored.skip:
            return _capture_behind_others(stored)
        folder = stored.path.parent
        if folder not in self._readers:
            expected = (one.location for one in self._expected if one.path.parent == folder)
            self._readers[folder] = self._open.enter_context(CaptureReader(folder, expected))
        capture = self._readers[folder].read(stored.location)
        return None if capture is None else replace(capture, requested_url=stored.url)


def _capture_behind_others(stored: StoredPage) -> Capture | None:
    """Several records in one gzip member: those before it are read, too."""
    record = read_record(stored.path, stored.offset, stored.skip)
    http = parse_response(record.block)
    return None if http is None else http_capture(stored.path, record, http)
