"""One pass over stored article pages: each is read once, by several processes; what is counted of them comes in their order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from threading import Event as Flag
from typing import ClassVar, Protocol

from webarticlecurator.building.rules_digest import rules_digest
from webarticlecurator.config.portal import Portal
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.faults import reason_of
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page
from webarticlecurator.survey.counts import Columns, Counted, Counts
from webarticlecurator.survey.stored_page_sample import StoredPage, StoredPageReader
from webarticlecurator.warc.store import finished_files
from webarticlecurator.workers import pool
from webarticlecurator.workers.carriers import Workers
from webarticlecurator.workers.collector import no_collector

BATCH = 64
"""Pages that are counted together."""
PASSED_OVER = "passed_over"
"""The table that every pass has: stored responses that give nothing to look at, by their outcome."""


class Question(Protocol):
    """What a pass wants to know: given to every process once, by pickling."""

    tables: ClassVar[Mapping[str, Columns]]
    """What it counts."""

    def look(self, page: Page, stored: StoredPage, counted: Counted) -> None:
        """Count one page. May raise PatternTimeout: the pass notes it, and goes on."""
        ...


def counts_for(question: type[Question]) -> Counts:
    """Nothing yet."""
    return Counts({**question.tables, PASSED_OVER: Columns("outcome", "pages")})


@dataclass(frozen=True, slots=True)
class PassJob:
    """Reads pages, and has each looked at; the same in every process."""

    portal: Portal
    question: Question
    folders: tuple[Path, ...] = ()
    """Where the pages lie."""

    def worker(self) -> PassJob:
        """Where one process works."""
        return self

    def must_agree(self) -> Mapping[str, str]:
        """The rules, as each worker understands them, and the pages."""
        return {"rules": rules_digest(self.portal, ""), **{str(folder): finished_files(folder) for folder in self.folders}}

    def make(self, tasks: list[StoredPage]) -> list[tuple[Counted, int]]:
        """What is counted of all these pages, and how many they are."""
        counted = Counted()
        with closing(StoredPageReader(self.portal, tasks)) as reader, no_collector():
            for stored in tasks:
                self._look(stored, reader, counted)
        return [(counted, len(tasks))]

    def give_up(self, task: StoredPage, reason: str) -> tuple[Counted, int]:  # noqa: ARG002
        """What is counted of a page on which its process died."""
        counted = Counted()
        counted.add(PASSED_OVER, (PageOutcome.UNREADABLE,), 1)
        return counted, 1

    def _look(self, stored: StoredPage, reader: StoredPageReader, counted: Counted) -> None:
        outcome: str = PageOutcome.UNREADABLE
        try:
            page = reader.read(stored)
            if isinstance(page, Page):
                self.question.look(page, stored, counted)
                return
            outcome = page.outcome
        except PatternTimeout:
            pass
        except (MemoryError, OSError):
            raise
        except Exception as error:  # a page may be anything, and one of them must never end a pass
            reason_of(error)
        counted.add(PASSED_OVER, (outcome,), 1)


def counted_pages(job: PassJob, pages: Iterable[StoredPage], *, workers: Workers, stop: Flag) -> Iterator[tuple[Counted, int]]:
    """What all pages give, batch by batch in their order, with their number; a stop ends it after the pages that were handed out."""
    handed_out = takewhile(lambda _: not stop.is_set(), pages)
    for batch in pool.run(job, handed_out, workers=workers, batch=BATCH):
        yield from batch
