"""Stored pages read back, as building reads them: a page, or why there is none."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from webarticlecurator.config.portal import Portal
from webarticlecurator.document.page import Page, Unreadable, read_page
from webarticlecurator.document.page_class import classify
from webarticlecurator.errors import CorpusError
from webarticlecurator.extraction.links import skip_reason
from webarticlecurator.http.message import parse_response
from webarticlecurator.model.capture import Capture, Location
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.survey.passing.question import StoredPage
from webarticlecurator.warc.reader import CaptureReader, capture_of
from webarticlecurator.warc.records import read_record


@dataclass(frozen=True, slots=True)
class Passed:
    """Why a stored response gives no page to look at."""

    outcome: PageOutcome
    reason: str


class StoredReader:
    """Reads the pages of one batch; a file stays open while its pages follow one another."""

    def __init__(self, portal: Portal) -> None:
        self._portal = portal
        self._open = ExitStack()
        self._readers: dict[Path, CaptureReader] = {}
        """At most one, by its folder."""

    def close(self) -> None:
        """Close what is open."""
        self._open.close()
        self._readers.clear()

    def read(self, stored: StoredPage) -> Page | Passed:
        """One page. Raises PatternTimeout for a rule without end."""
        try:
            capture = self._capture(stored)
        except CorpusError as error:
            return Passed(PageOutcome.UNREADABLE, str(error))
        if capture is None:
            return Passed(PageOutcome.UNREADABLE, "the stored response is not whole")
        sign = classify(capture)
        if sign is not None:
            return Passed(sign.outcome, str(sign))
        page = read_page(capture, encoding=self._portal.fetch.encoding, format=self._portal.articles.format)
        if isinstance(page, Unreadable):
            return Passed(PageOutcome.UNREADABLE, page.reason)
        skipped = skip_reason(page, self._portal)
        return page if skipped is None else Passed(PageOutcome.NOT_ARTICLE, skipped)

    def _capture(self, stored: StoredPage) -> Capture | None:
        if stored.skip:
            return self._among_others(stored)
        folder = stored.path.parent
        if folder not in self._readers:
            self.close()
            self._readers[folder] = self._open.enter_context(CaptureReader(folder))
        location = Location(file=stored.path.name.removesuffix(".open"), offset=stored.offset, length=stored.length)
        capture = self._readers[folder].read(location)
        return None if capture is None else replace(capture, requested_url=stored.url)

    def _among_others(self, stored: StoredPage) -> Capture | None:
        """Several records in one gzip member: those before it are read, too."""
        record = read_record(stored.path, stored.offset, stored.skip)
        http = parse_response(record.block)
        return None if http is None else capture_of(stored.path, record, http)
