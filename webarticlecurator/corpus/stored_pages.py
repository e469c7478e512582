"""Where the pages that somebody asks for by their URLs come from, and what the archive pages told of them: a corpus, or WARC files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Protocol

from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_schema import key_of
from webarticlecurator.corpus.stored_articles import StoredArticles
from webarticlecurator.extraction.url_rules import identity_of
from webarticlecurator.model.capture import Fetched, PageSource, Request
from webarticlecurator.model.links import Fields
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.urls import normalise
from webarticlecurator.warc.reader import CaptureReader
from webarticlecurator.warc.records import Damage
from webarticlecurator.warc.source import WarcSource


class StoredPages(PageSource, Protocol):
    """A page source that also knows what is told of the pages elsewhere."""

    def listing(self, url: str) -> Fields:
        """What the archive pages told of the article."""
        ...


@contextmanager
def warc_pages(files: Iterable[Path], on_damage: Callable[[Damage], None]) -> Iterator[StoredPages]:
    """The pages in WARC files of any program; each file is read once, from end to end."""
    with closing(WarcSource(files, on_damage=on_damage)) as source:
        yield BarePages(source)


@contextmanager
def corpus_pages(corpus: Corpus, portal: Portal) -> Iterator[StoredPages]:
    """The pages of a corpus, found by its ledger: only what is asked for is read."""
    with (
        Ledger.reading(corpus.ledger) as ledger,
        StoredArticles(corpus.ledger, portal) as sources,
        CaptureReader(corpus.warc) as captures,
    ):
        yield _CorpusPages(ledger, sources, captures, portal)


@dataclass(frozen=True, slots=True)
class BarePages:
    """Pages of which nothing is known beside themselves."""

    source: PageSource

    def fetch(self, request: Request) -> Fetched:
        return self.source.fetch(request)

    def listing(self, url: str) -> Fields:  # noqa: ARG002
        return {}


@dataclass(frozen=True, slots=True)
class ListedPages:
    """Pages from elsewhere, with what a corpus knows of them: else a trial would show other values than a build."""

    source: PageSource
    known: StoredPages

    def fetch(self, request: Request) -> Fetched:
        return self.source.fetch(request)

    def listing(self, url: str) -> Fields:
        return self.known.listing(url)


@dataclass(frozen=True, slots=True)
class _CorpusPages:
    ledger: Ledger
    sources: StoredArticles
    captures: CaptureReader
    portal: Portal

    def fetch(self, request: Request) -> Fetched:
        asked = dict.fromkeys((request.url, normalise(request.url)))
        stored = next(filter(None, (self.ledger.latest_response(replace(request, url=url).key) for url in asked)), None)
        if stored is None:
            return Fetched(request=request, verdict=next(filter(None, map(self._verdict, asked)), _UNKNOWN))
        capture = self.captures.read(stored.location)
        if capture is None:
            return Fetched(request=request, verdict=Verdict(FetchOutcome.ERROR, "the stored response is not whole"))
        return Fetched(
            request=request, verdict=Verdict(FetchOutcome.FETCHED, "in the corpus"), capture=replace(capture, requested_url=request.url)
        )

    def listing(self, url: str) -> Fields:
        identity = identity_of(url, self.portal)
        key = key_of(identity)
        return self.sources.of(key, identity).listing if self.sources.has(key, identity) else {}

    def _verdict(self, url: str) -> Verdict | None:
        """What the crawl says of an article that nothing is stored of."""
        rows = self.ledger.rows("SELECT outcome, reason FROM urls WHERE key = ? AND url = ?", (key_of(url), url))
        return next((Verdict(FetchOutcome(outcome), f"the crawl says: {reason}") for outcome, reason in rows), None)


_UNKNOWN = Verdict(FetchOutcome.ERROR, "not in the corpus")
