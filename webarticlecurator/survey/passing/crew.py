"""A pass: every stored page is read once, by several processes, and what they gather is handed on in the order of the pages."""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from threading import Event as Flag
from typing import Generic, TypeVar

from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import Page
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.faults import reason_of
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.survey.passing.pages import StoredReader
from webarticlecurator.survey.passing.question import Question, StoredPage, Tally
from webarticlecurator.workers.pool import InProcess, ProcessPool

BATCH = 64
"""Pages in one tally."""

T = TypeVar("T", bound=Tally)


@dataclass(frozen=True, slots=True)
class Gathered(Generic[T]):
    """What some pages gave, one after the other in the order of the pass."""

    tally: T
    pages: int


@dataclass(frozen=True, slots=True)
class PassJob(Generic[T]):
    """What the processes of a pass are told."""

    portal: Portal
    question: Question[T]

    def worker(self) -> PageReader[T]:
        """Where one process works."""
        return PageReader(self.portal, self.question)


class PageReader(Generic[T]):
    """Reads pages, and has each looked at."""

    def __init__(self, portal: Portal, question: Question[T]) -> None:
        self._portal = portal
        self._question = question

    def make(self, tasks: list[StoredPage]) -> list[Gathered[T]]:
        """One tally of all these pages."""
        tally = self._question.tally()
        with closing(StoredReader(self._portal)) as reader, _no_collector():
            for stored in tasks:
                self._look(stored, reader, tally)
        return [Gathered(tally, len(tasks))]

    def give_up(self, task: StoredPage, reason: str) -> Gathered[T]:
        """The tally of a page on which its process died."""
        tally = self._question.tally()
        tally.pass_over(task, PageOutcome.UNREADABLE, reason)
        return Gathered(tally, 1)

    def _look(self, stored: StoredPage, reader: StoredReader, tally: T) -> None:
        try:
            page = reader.read(stored)
            if isinstance(page, Page):
                tally.look(page, stored)
            else:
                tally.pass_over(stored, page.outcome, page.reason)
        except PatternTimeout as problem:
            tally.pass_over(stored, PageOutcome.UNREADABLE, str(problem))
        except (MemoryError, OSError):
            raise
        except Exception as error:  # a page may be anything, and one of them must never end a pass
            tally.pass_over(stored, PageOutcome.UNREADABLE, reason_of(error))


@contextmanager
def _no_collector() -> Iterator[None]:
    """Pages are made of very many objects in no circles: to look for circles among them, again and again, took a tenth of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def gathered(job: PassJob[T], pages: Iterable[StoredPage], *, jobs: int, stop: Flag) -> Iterator[Gathered[T]]:
    """What all pages give, batch by batch, in their order; a stop ends it after the pages that were handed out."""

    def handed_out() -> Iterator[StoredPage]:
        for stored in pages:
            if stop.is_set():
                return
            yield stored

    workers = InProcess(job, batch=BATCH) if jobs == 1 else ProcessPool(job, jobs, batch=BATCH)
    with workers:
        for batch in workers.make(handed_out()):
            yield from batch
