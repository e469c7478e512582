"""The stored pages of the articles in a row, read again."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass

from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.document.page import read_page
from webarticlecurator.errors import CorpusError, PatternTimeout
from webarticlecurator.model.capture import Location, Request
from webarticlecurator.model.page import Page
from webarticlecurator.warc.reader import CaptureReader
from webarticlecurator.watching.page_facts import PageFacts, page_facts
from webarticlecurator.watching.series import SeriesArticle


@dataclass(frozen=True, slots=True)
class ArticlePages:
    """Where they are read from."""

    portal: Portal
    ledger: Ledger
    captures: CaptureReader

    def first(self, one: SeriesArticle) -> Page | None:
        """Its first page, with a tree; None where it has none of its own, or that cannot be read."""
        place = (one.place or self._stored_place(one.article.url)) if one.has_own_page else None
        if place is None:
            return None
        with suppress(CorpusError, PatternTimeout):
            capture = self.captures.read(place)
            if capture is None:
                return None
            page = read_page(capture, encoding=self.portal.fetch.encoding, format=self.portal.articles.format, classified=True)
            return page if isinstance(page, Page) and page.tree is not None else None
        return None

    def facts(self, one: SeriesArticle, text: str) -> PageFacts | None:
        """What it shows, where this text was kept of it."""
        page = self.first(one)
        return None if page is None or page.tree is None else page_facts(page.tree, text)

    def _stored_place(self, url: str) -> Location | None:
        """Of an article of which nothing was kept only the ledger knows it."""
        stored = self.ledger.latest_response(Request(url=url).key)
        return None if stored is None else stored.location
