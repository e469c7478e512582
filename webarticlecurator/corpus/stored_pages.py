"""Where the pages that somebody asks for by their URLs come from, and what the archive pages told of them: a
corpus, or somewhere else."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from functools import cached_property
from threading import RLock

from webarticlecurator.config.portal import Portal, rules_of
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.ledger_schema import key_of
from webarticlecurator.corpus.stored_articles import StoredArticles
from webarticlecurator.errors import CorpusError
from webarticlecurator.extraction.url_rules import identity_of
from webarticlecurator.model.capture import Fetched, PageSource, Request
from webarticlecurator.model.links import Fields
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.urls import normalise
from webarticlecurator.warc.exchanges import CaptureReader, WarcExchange, rendered_capture, to_exchange
from webarticlecurator.warc.source import StoredAnswer, answered, worth_of
from webarticlecurator.warc.stored import StoredResponse, read_groups


class LedgerSource:
    """Answers a request with what a corpus has of it: its ledger says where, and nothing else is read. Any
    thread may ask.

    The newest whole page goes before an error. The ledger is opened when it is asked first: a crawl may make
    it before.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._captures = CaptureReader(corpus.warc)
        self._lock = RLock()

    @cached_property
    def ledger(self) -> Ledger:
        """Open it only to be read."""
        return Ledger.open(self._corpus.ledger, read_only=True)

    def close(self) -> None:
        self._captures.close()
        if "ledger" in self.__dict__:
            self.ledger.close()

    def fetch(self, request: Request) -> Fetched:
        """Answer one request. What cannot be read, or failed once, says nothing of the host."""
        try:
            fetched = answered(request, self.newest, "the corpus")
        except CorpusError as error:
            fetched = Fetched(request=request, verdict=Verdict(FetchOutcome.ERROR, str(error)))
        return replace(fetched, fault=fetched.verdict.outcome is FetchOutcome.ERROR)

    def newest(self, request: Request) -> StoredAnswer | None:
        """The best answer to exactly this request; None when there is none. Raises CorpusError where none can
        be read."""
        unreadable: list[CorpusError] = []
        cut: StoredAnswer | None = None
        with self._lock:
            answers = self._answers(request)
            # a page, or that one is as it was, before a redirect, and that before an error
            for answer in sorted(answers, key=lambda answer: -worth_of(answer.status or 0, answer.kind)):
                try:
                    stored = self._read(_whole_of(answer, answers), request)
                except CorpusError as error:
                    unreadable.append(error)
                    continue
                if stored is not None and not stored.is_cut:
                    return replace(stored, capture=replace(stored.capture, date=answer.date))
                cut = cut or stored
        if cut is None and unreadable:
            raise unreadable[0]
        return cut

    def _answers(self, request: Request) -> list[StoredResponse]:
        """Return what came for a request, or for its address in its plain form; else what came for the
        article of that address."""
        asked = replace(request, body=request.body or None)
        plain = replace(asked, url=normalise(asked.url))
        answers = [
            answer for key in dict.fromkeys((asked.key, plain.key)) for answer in self.ledger.answers(key)
        ]
        if not answers and plain.key == f"GET {plain.url}":  # it may be asked for in another way
            return self.ledger.first_pages_of(plain.url)
        return answers

    def _read(self, answer: StoredResponse | None, request: Request) -> StoredAnswer | None:
        if answer is not None and answer.kind == "conversion":
            received = self._received(answer.made_of)
            page = self._captures.record(answer.location)
            shown = next(read_groups(page.path, start=page.offset))
            capture = rendered_capture(page, received.capture.headers if received is not None else ())
            return StoredAnswer(received.exchange if received is not None else None, capture, shown.shown())
        received = self._received(answer)
        if received is None:
            return None
        asked = Request(url=received.capture.url, method=request.method, body=request.body)
        return StoredAnswer(
            replace(received.exchange, request=asked), replace(received.capture, method=request.method)
        )

    def _received(self, response: StoredResponse | None) -> WarcExchange | None:
        """Return what came over the wire; what a browser loaded may be stored as unchanged since the newest
        whole answer."""
        if response is None:
            return None
        record = self._captures.record(response.location)
        if record.type == "revisit":
            whole = self.ledger.loaded(f"GET {response.target}")
            if whole is None or whole.digest != response.digest:
                return None
            record = self._captures.record(whole.location)
        exchange = to_exchange(record, None)
        return None if isinstance(exchange, str) else exchange


def _whole_of(answer: StoredResponse, answers: Sequence[StoredResponse]) -> StoredResponse | None:
    """Return the answer itself; of a revisit the whole one before it, for which it stands."""
    if answer.kind != "revisit":
        return answer
    for other in answers:
        if (other.kind, other.status) == ("response", 200) and other.date <= answer.date:
            return other
    return None


@dataclass(frozen=True, slots=True)
class PagesOfCorpus:
    """Pages from anywhere, with what a corpus knows of them, if any does: else a trial would show other
    values than a build."""

    source: PageSource
    portal: Portal
    corpus: Corpus | None = None

    def fetch(self, request: Request) -> Fetched:
        """The page; of one that is not in the corpus, what the crawl says of it."""
        fetched = self.source.fetch(request)
        if fetched.capture is not None or not isinstance(self.source, LedgerSource):
            return fetched
        ledger = self.source.ledger
        became = ledger.outcome_of(request.url) or ledger.outcome_of(normalise(request.url))
        if (
            became is None or became[0] == FetchOutcome.FETCHED
        ):  # it was stored whole, and only what was read says what is wrong
            return fetched
        return replace(fetched, verdict=Verdict(FetchOutcome(became[0]), f"the crawl says: {became[1]}"))

    def listing(self, url: str) -> Fields:
        """Return what the archive pages told of an article that something is stored of."""
        if self.corpus is None:
            return {}
        identity = identity_of(url, self.portal)
        key = key_of(identity)
        with closing(StoredArticles(self.corpus.ledger, self.portal)) as articles:
            return articles.of(key, identity).listing if articles.has(key, identity) else {}

    def listed_on(self, url: str) -> str | None:
        """The archive page that listed an article first."""
        if self.corpus is None or not self.corpus.ledger.exists():
            return None
        with Ledger.reading(self.corpus.ledger) as ledger:
            return ledger.listed_first_on(identity_of(url, self.portal))

    def walked_by(self, url: str) -> str | None:
        """The column of the portal file whose walk, or that of a section of it, read a page as one of the
        archive."""
        if self.corpus is None or not self.corpus.ledger.exists():
            return None
        with Ledger.reading(self.corpus.ledger) as ledger:
            column = rules_of(
                self.portal, ledger.column_of_page(url) or ledger.column_of_page(normalise(url))
            )
        return column.name if column is not None else None
