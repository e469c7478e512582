"""What became of each fetch of a site's feed or sitemaps, and which of them counts: the newest that came to its end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from webarticlecurator.corpus import ledger_numbers as numbers
from webarticlecurator.corpus.events import PageResult
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.model.capture import Request
from webarticlecurator.model.outcome import FetchOutcome

_CUT_OFF = "it was interrupted"


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFetch:
    """One fetch of one source: a run of its own small crawl."""

    run: int
    at: datetime
    """When it began."""
    named: int = 0
    """How many articles are named by what came, those that stand twice counted twice."""
    read: str = ""
    """How far that was read, and what it is worth."""
    looked_at: tuple[str, ...] = ()
    """Where nothing was found: every address that was asked for, with what came of it."""
    failed: str = ""
    """Why it is not known what the source names now, or not all of it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFetches:
    """Those of one source."""

    counts: SourceFetch | None = None
    """What it brought is compared; None: none brought anything."""
    failed: str = ""
    """Why the newest did not come to its end."""
    newest: datetime | None = None
    """When that began."""


def fetches_of(ledger: Path) -> SourceFetches:
    """A fetch that failed takes nothing away: what an older one brought counts on."""
    if not ledger.exists():
        return SourceFetches()
    with Ledger.reading(ledger) as opened:
        newest, counts = None, None
        for fetch in _fetches(opened):
            newest = newest or fetch
            if not fetch.failed:
                counts = fetch
                break
            counts = counts or (fetch if fetch.named else None)
    if newest is None:
        return SourceFetches()
    return SourceFetches(counts=counts, failed=newest.failed, newest=newest.at)


def _fetches(ledger: Ledger) -> Iterator[SourceFetch]:
    """The newest first."""
    for run, began, links, is_whole, since, ground, left_open in numbers.runs(ledger):
        at = datetime.fromisoformat(began)
        pages = [_Page(*row) for row in numbers.pages_of_run(ledger, run)]
        unanswered = next((str(page) for page in pages if not page.was_answered(ledger, since)), "")
        read = ground or "its end was not reached"
        if is_whole:
            yield SourceFetch(run=run, at=at, named=links, read=read)
        elif unanswered or not pages or any(page.result == PageResult.LINKS for page in pages):
            yield SourceFetch(run=run, at=at, named=links, read=read, failed=unanswered or left_open or _CUT_OFF)
        else:
            yield SourceFetch(run=run, at=at, looked_at=tuple({page.url: str(page) for page in pages}.values()))


class _Page(NamedTuple):
    """One that was asked for."""

    url: str
    outcome: str
    result: str
    reason: str
    at: str

    def __str__(self) -> str:
        return f"{self.url} ({self.reason})"

    def was_answered(self, ledger: Ledger, since: str) -> bool:
        """Whether it is known what stands there: something else than a feed does, too, where a page of HTML comes."""
        request = Request(url=self.url).key
        answered = self.outcome == FetchOutcome.ERROR and numbers.was_answered(ledger, request, since, self.at)
        return answered or self.outcome not in (FetchOutcome.ERROR, FetchOutcome.BLOCKED)
