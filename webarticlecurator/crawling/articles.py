"""Level two: asks for every article that waits, page by page, each host at its own pace."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from webarticlecurator.budget import Budget
from webarticlecurator.corpus.events import ArticleEvent
from webarticlecurator.corpus.ledger import QueuedPage
from webarticlecurator.crawling.further_pages import NO_WAY_ON, WayOn, way_on
from webarticlecurator.crawling.parallel_requests import ParallelRequests
from webarticlecurator.crawling.requests import article_request, conditional
from webarticlecurator.crawling.run import ENDS_THE_RUN, Run, repeated
from webarticlecurator.document.rights import rights_signals
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.model.capture import Capture, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.warc.store import Series
from webarticlecurator.warc.stored import StoredResponse

BATCH = 200
"""Tasks taken out of the ledger at a time: memory does not grow with the queue."""


@dataclass(frozen=True, slots=True)
class _Ticket:
    """One request on its way."""

    task: QueuedPage
    older: StoredResponse | None
    """The stored answer to the same request, if there is one."""
    asked: tuple[str, ...]
    """The pages of the same article that were asked for, in order; the last one is this."""


@dataclass(frozen=True, slots=True)
class _Meaning:
    """What an answer says."""

    verdict: Verdict
    capture: Capture | None = None
    """Where it is a page, or says that there is no newer one."""
    way: WayOn = NO_WAY_ON
    rights: Mapping[str, str] | None = None


@dataclass(slots=True)
class _Queue:
    """What waits for one host."""

    host: str
    next_batch: Callable[[int], list[QueuedPage]]
    """The tasks after the one with this id."""
    followups: deque[tuple[QueuedPage, tuple[str, ...]]] = field(default_factory=deque)
    """Next pages of articles that have begun: they go first."""
    batch: deque[QueuedPage] = field(default_factory=deque)
    last: int = 0
    drained: bool = False

    def pop(self) -> tuple[QueuedPage, tuple[str, ...]] | None:
        if self.followups:
            return self.followups.popleft()
        if not self.batch and not self.drained:
            self.batch.extend(self.next_batch(self.last))
            self.drained = not self.batch
        if not self.batch:
            return None
        task = self.batch.popleft()
        self.last = task.id
        return task, ()


@dataclass(slots=True)
class ArticleCrawl:
    """All articles of one run of one portal."""

    run: Run
    again: bool = False
    """--recheck: the tasks are articles that have been fetched before."""
    _probed: set[int] = field(default_factory=set)
    _identities: set[str] = field(default_factory=set)
    _deferred: dict[str, list[QueuedPage]] = field(default_factory=lambda: defaultdict(list))

    def crawl(self, queues: Mapping[str, Callable[[int], list[QueuedPage]]]) -> None:
        """Empty the queues: host -> where its next tasks come from."""
        waiting = {host: _Queue(host, next_batch) for host, next_batch in queues.items()}
        with ParallelRequests[_Ticket](self.run.source, self.run.portal.fetch.concurrency, fault=self.run.fault) as lanes:
            while True:
                for queue in waiting.values():
                    self._fill(queue, lanes)
                if not lanes.in_flight:
                    break
                taken = lanes.take(timeout=0.5)
                self.run.show()
                if taken is not None:
                    host, ticket, fetched = taken
                    self._settle(waiting[host], ticket, fetched)

    # -- asking -------------------------------------------------------------------------------------------------------

    def _fill(self, queue: _Queue, lanes: ParallelRequests[_Ticket]) -> None:
        while lanes.room(queue.host) and not self.run.stopped and self.run.closed(queue.host) is None:
            alarmed = self.run.alarmed(queue.host)
            if (alarmed and lanes.busy(queue.host)) or (self.run.limited and not queue.followups):
                return
            taken = self._probe(queue) if alarmed else queue.pop()
            if taken is None:
                return
            if alarmed or taken[0].id not in self._probed:
                self._ask(queue, lanes, *taken)

    def _probe(self, queue: _Queue) -> tuple[QueuedPage, tuple[str, ...]] | None:
        """After a block: one request at a time, from the far end of the queue, to see whether the whole host keeps us out."""
        task = self.run.ledger.furthest(queue.host, self.run.number)
        if task is None or self.again:
            return queue.pop()
        self._probed.add(task.id)
        return task, ()

    def _ask(self, queue: _Queue, lanes: ParallelRequests[_Ticket], task: QueuedPage, asked: tuple[str, ...]) -> None:
        begins = not asked
        if begins and task.identity in self._identities:
            self._deferred[task.identity].append(task)
            return
        try:
            with Budget():
                verdict = self._without_asking(task)
        except PatternTimeout as error:
            verdict = Verdict(FetchOutcome.ERROR, str(error))
        if verdict is not None:
            self._note(task, verdict)
            return
        if begins and self.run.asked == self.run.options.limit:
            self.run.limited = True
            return
        self.run.asked += begins
        self._identities.add(task.identity)
        request = article_request(self.run.portal, task.asked, task.identity, first=task.part == 1)
        older = self.run.ledger.latest_response(request.key, article=task.id)
        if self.again and older is not None:
            request = conditional(request, self.run.stored(older))
        self.run.doing(queue.host)
        before = self.run.ledger.pages_before(task) if begins else asked
        lanes.submit(queue.host, _Ticket(task, older, (*before, task.asked)), request)

    def _without_asking(self, task: QueuedPage) -> Verdict | None:
        """What is known of a URL before anyone is asked."""
        if task.part > 1 or self.again:
            return None
        elsewhere = self.run.ledger.fetched_elsewhere(task)
        if elsewhere is not None:
            return Verdict(FetchOutcome.DUPLICATE, f"the same article was fetched as {elsewhere}")
        pattern = next((one for one in self.run.portal.articles.skip_url if one.search(task.url)), None)
        return Verdict(FetchOutcome.REFUSED, f"articles.skip.url: {pattern.text}") if pattern else None

    # -- answers ------------------------------------------------------------------------------------------------------

    def _settle(self, queue: _Queue, ticket: _Ticket, fetched: Fetched) -> None:
        task = ticket.task
        if fetched.verdict.outcome is not FetchOutcome.QUEUED:
            following = self._store(ticket, fetched)
            if following is not None:
                queue.followups.appendleft((following, ticket.asked))
                return
        self._identities.discard(task.identity)
        for other in self._deferred.pop(task.identity, ()):
            queue.followups.append((other, ()))

    def _store(self, ticket: _Ticket, fetched: Fetched) -> QueuedPage | None:
        """Write the answer down; gives the article's next page, if there is one."""
        task = ticket.task
        try:
            meaning = self._understand(fetched, ticket)
        except ENDS_THE_RUN:
            raise
        except Exception as error:  # a page may be anything, and one of them must never end a crawl
            meaning = _Meaning(self.run.fault(error, task.asked))
        event = ArticleEvent(
            **self.run.stamp(),
            url=task.url,
            asked=task.asked,
            request=fetched.request.key,
            part=task.part,
            again=self.again,
            outcome=meaning.verdict.outcome.value,
            reason=meaning.verdict.reason,
            next=meaning.way.next,
            page=meaning.way.page,
            another=meaning.way.another,
            unfollowed=meaning.way.unfollowed,
            rights=meaning.rights,
            via=task.via,
        )
        self.run.record(Series.ARTICLES, fetched, event, revisit_of=repeated(ticket.older, meaning.capture))
        if meaning.way.next is None:
            self.run.count(meaning.verdict.outcome)
            return None
        return replace(task, asked=meaning.way.next, part=task.part + 1)

    def _understand(self, fetched: Fetched, ticket: _Ticket) -> _Meaning:
        verdict = self.run.judge(fetched, article=True)
        capture = fetched.capture if verdict.outcome is FetchOutcome.FETCHED else None
        way = NO_WAY_ON if capture is None else way_on(self.run, capture, ticket.older, ticket.task, ticket.asked)
        return _Meaning(verdict, capture, way, _rights(fetched))

    def _note(self, task: QueuedPage, verdict: Verdict) -> None:
        """A verdict without an exchange."""
        event = ArticleEvent(
            **self.run.stamp(),
            url=task.url,
            asked=task.asked,
            request=Request(url=task.asked).key,
            part=task.part,
            outcome=verdict.outcome.value,
            reason=verdict.reason,
            via=task.via,
        )
        self.run.note(Series.ARTICLES, event, task.url)
        self.run.count(verdict.outcome)


def _rights(fetched: Fetched) -> dict[str, str] | None:
    """What robots.txt, headers and meta tags say of use: where -> what."""
    signals = rights_signals(fetched.capture) if fetched.capture is not None else {}
    if fetched.robots == "disallowed":
        signals["robots.txt"] = "disallowed"
    return signals or None
