"""Level two: asks for every article that waits, page by page, each host at its own pace."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace

from webarticlecurator.crawling.events import ArticleEvent
from webarticlecurator.crawling.lanes import Lanes
from webarticlecurator.crawling.ledger import Task
from webarticlecurator.crawling.requests import article_request, conditional
from webarticlecurator.crawling.run import Run, repeated
from webarticlecurator.document.page import Unreadable, read_page
from webarticlecurator.document.rights import rights_signals
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.extract.links import identity_of, next_article_page, skip_reason
from webarticlecurator.model.capture import Capture, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.warc.store import Series
from webarticlecurator.warc.stored import StoredResponse

BATCH = 200
"""Tasks taken out of the ledger at a time: memory does not grow with the queue."""
MOST_PARTS = 1000
"""Pages of one article."""


@dataclass(frozen=True, slots=True)
class _Ticket:
    """One request on its way."""

    task: Task
    older: StoredResponse | None
    """The stored answer to the same request, if there is one."""
    seen: frozenset[str] = frozenset()
    """Pages of the same article that this run has asked for."""


@dataclass(slots=True)
class _Queue:
    """What waits for one host."""

    host: str
    next_batch: Callable[[int], list[Task]]
    """The tasks after the one with this id."""
    followups: deque[tuple[Task, frozenset[str]]] = field(default_factory=deque)
    """Next pages of articles that have begun: they go first."""
    batch: deque[Task] = field(default_factory=deque)
    last: int = 0
    drained: bool = False

    def pop(self) -> tuple[Task, frozenset[str]] | None:
        if self.followups:
            return self.followups.popleft()
        if not self.batch and not self.drained:
            self.batch.extend(self.next_batch(self.last))
            self.drained = not self.batch
        if not self.batch:
            return None
        task = self.batch.popleft()
        self.last = task.id
        return task, frozenset()


@dataclass(slots=True)
class ArticleCrawl:
    """All articles of one run of one portal."""

    run: Run
    again: bool = False
    """--recheck: the tasks are articles that have been fetched before."""
    _probed: set[int] = field(default_factory=set)
    _identities: set[str] = field(default_factory=set)
    _deferred: dict[str, list[Task]] = field(default_factory=lambda: defaultdict(list))

    def crawl(self, queues: Mapping[str, Callable[[int], list[Task]]]) -> None:
        """Empty the queues: host -> where its next tasks come from."""
        waiting = {host: _Queue(host, next_batch) for host, next_batch in queues.items()}
        with Lanes[_Ticket](self.run.source, self.run.portal.fetch.concurrency) as lanes:
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

    def _fill(self, queue: _Queue, lanes: Lanes[_Ticket]) -> None:
        while lanes.room(queue.host) and not self.run.stopped and self.run.closed(queue.host) is None:
            alarmed = self.run.alarmed(queue.host)
            if (alarmed and lanes.busy(queue.host)) or (self.run.limited and not queue.followups):
                return
            taken = self._probe(queue) if alarmed else queue.pop()
            if taken is None:
                return
            if alarmed or taken[0].id not in self._probed:
                self._ask(queue, lanes, *taken)

    def _probe(self, queue: _Queue) -> tuple[Task, frozenset[str]] | None:
        """After a block: one request at a time, from the far end of the queue, to see whether the whole host keeps us out."""
        task = self.run.ledger.furthest(queue.host, self.run.number)
        if task is None or self.again:
            return queue.pop()
        self._probed.add(task.id)
        return task, frozenset()

    def _ask(self, queue: _Queue, lanes: Lanes[_Ticket], task: Task, seen: frozenset[str]) -> None:
        begins = not seen
        if begins and task.identity in self._identities:
            self._deferred[task.identity].append(task)
            return
        verdict = self._without_asking(task)
        if verdict is not None:
            self._note(task, verdict)
            return
        if begins and self.run.asked == self.run.options.limit:
            self.run.limited = True
            return
        self.run.asked += begins
        self._identities.add(task.identity)
        request = article_request(self.run.portal, task.asked, task.identity, first=task.part == 1)
        older = self.run.ledger.latest_response(request.key)
        if self.again and older is not None:
            request = conditional(request, self.run.stored(older))
        self.run.doing(queue.host)
        lanes.submit(queue.host, _Ticket(task, older, seen | {task.asked}), request)

    def _without_asking(self, task: Task) -> Verdict | None:
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
                queue.followups.appendleft((following, ticket.seen))
                return
        self._identities.discard(task.identity)
        for other in self._deferred.pop(task.identity, ()):
            queue.followups.append((other, frozenset()))

    def _store(self, ticket: _Ticket, fetched: Fetched) -> Task | None:
        """Write the answer down; gives the article's next page, if there is one."""
        task, verdict = ticket.task, self.run.judge(fetched, article=True)
        capture = fetched.capture if verdict.outcome is FetchOutcome.FETCHED else None
        following, skipped = (None, None) if capture is None or capture.status == 304 else self._read(capture, ticket)
        event = ArticleEvent(
            **self.run.stamp(),
            url=task.url,
            asked=task.asked,
            request=fetched.request.key,
            part=task.part,
            again=self.again,
            outcome=verdict.outcome.value,
            reason=verdict.reason,
            next=following,
            page=skipped,
            rights=_rights(fetched),
            via=task.via,
        )
        self.run.record(Series.ARTICLES, fetched, event, revisit_of=repeated(ticket.older, capture))
        if following is None:
            self.run.count(verdict.outcome)
            return None
        return replace(task, asked=following, part=task.part + 1)

    def _read(self, capture: Capture, ticket: _Ticket) -> tuple[str | None, str | None]:
        """The next page of the article, and why the page is none; parsed only where a rule needs it."""
        portal = self.run.portal
        if portal.articles.next is None and not portal.articles.skip_when:
            return None, None
        page = read_page(capture, encoding=portal.fetch.encoding, format=portal.articles.format)
        if isinstance(page, Unreadable):
            return None, f"unreadable: {page.reason}"
        try:
            skipped = skip_reason(page, portal)
            if skipped is not None or ticket.task.part >= MOST_PARTS:
                return None, skipped
            following = next_article_page(page, portal, ticket.seen | {ticket.task.url})
            return (None if following is None or self._is_another_article(following, ticket.task) else following), None
        except PatternTimeout as error:
            return None, f"unreadable: {error}"

    def _is_another_article(self, url: str, task: Task) -> bool:
        """What the archive lists is an article of its own, however much its URL looks like a further page of this one."""
        return identity_of(url, self.run.portal) != task.identity and self.run.ledger.is_listed(url)

    def _note(self, task: Task, verdict: Verdict) -> None:
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
    signals: dict[str, str] = {}
    if fetched.capture is not None:
        for signal in rights_signals(fetched.capture.headers, fetched.capture.entity):
            key = f"{signal.where} {signal.name}"
            signals[key] = f"{signals[key]}; {signal.value}" if key in signals else signal.value
    if fetched.robots == "disallowed":
        signals["robots.txt"] = "disallowed"
    return signals or None
