"""Level two: asks for every article that waits, page by page, each host at its own pace."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace

from webarticlecurator.budget import Budget
from webarticlecurator.corpus.events import ArticleEvent
from webarticlecurator.corpus.ledger import QueuedPage
from webarticlecurator.crawling.asked_again import HOME_INSTEAD, AskedAgain
from webarticlecurator.crawling.further_pages import NO_WAY_ON, WayOn, way_on
from webarticlecurator.crawling.index_pages import WholePosts
from webarticlecurator.crawling.parallel_requests import ParallelRequests
from webarticlecurator.crawling.requests import article_request, conditional
from webarticlecurator.crawling.run import Run, repeated
from webarticlecurator.document.rights import rights_signals
from webarticlecurator.errors import PatternTimeout
from webarticlecurator.model.capture import Capture, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.warc.store import Series
from webarticlecurator.warc.stored import StoredResponse

BATCH = 200
"""Pages taken out of the ledger's queue at a time: memory does not grow with it."""

_NextBatch = Callable[[int, int], list[QueuedPage]]
"""Gives the queued pages after the one with that id, so many at most."""


@dataclass(frozen=True, slots=True)
class _Ticket:
    """One request on its way."""

    page: QueuedPage
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
    whole_post: bool = False
    rights: Mapping[str, str] | None = None


@dataclass(slots=True)
class _Queue:
    """What waits for one host."""

    host: str
    next_batch: _NextBatch
    followups: deque[tuple[QueuedPage, tuple[str, ...]]] = field(default_factory=deque)
    """Next pages of articles that have begun: they go first."""
    batch: deque[QueuedPage] = field(default_factory=deque)
    last: int = 0
    drained: bool = False

    def pop(self) -> tuple[QueuedPage, tuple[str, ...]] | None:
        if self.followups:
            return self.followups.popleft()
        if not self.batch and not self.drained:
            self.batch.extend(self.next_batch(self.last, BATCH))
            self.drained = not self.batch
        if not self.batch:
            return None
        page = self.batch.popleft()
        self.last = page.id
        return page, ()


@dataclass(slots=True)
class ArticleCrawl:
    """All articles of one run of one portal."""

    run: Run
    again: bool = False
    """--recheck: the pages are those of articles that have been fetched before."""
    whole: bool = False
    """Each is asked for as if it were new, since another page says that it has changed: some servers know nothing of that, and would
    answer that it has not."""
    answered: AskedAgain = field(init=False, default_factory=AskedAgain)
    """What became of those."""
    _requests: ParallelRequests[_Ticket] = field(init=False)
    _whole_posts: WholePosts = field(init=False)
    _probed: set[int] = field(default_factory=set)
    _identities: set[str] = field(default_factory=set)
    _deferred: dict[str, list[QueuedPage]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        self._whole_posts = WholePosts(self.run)

    def crawl(self, queues: Mapping[str, _NextBatch]) -> None:
        """Empty the queues: host -> where its next pages come from."""
        if self.again:
            self.run.ask_again()
        waiting = {host: _Queue(host, next_batch) for host, next_batch in queues.items()}
        with self.run.requests() as self._requests:
            for host, ticket, fetched in self._requests.answers(lambda: self._fill(waiting.values()), self.run.show):
                self._settle(waiting[host], ticket, fetched)

    # -- asking -------------------------------------------------------------------------------------------------------

    def _fill(self, queues: Iterable[_Queue]) -> None:
        for queue in queues:
            while self._requests.room(queue.host) and not self.run.stopped and self.run.closed(queue.host) is None:
                alarmed = self.run.alarmed(queue.host)
                if (alarmed and self._requests.busy(queue.host)) or (self.run.limited and not queue.followups):
                    break
                taken = self._probe(queue) if alarmed else queue.pop()
                if taken is None:
                    break
                if alarmed or taken[0].id not in self._probed:
                    self._ask(queue.host, *taken)

    def _probe(self, queue: _Queue) -> tuple[QueuedPage, tuple[str, ...]] | None:
        """After a block: one request at a time, from the far end of the queue, to see whether the whole host keeps us out."""
        page = self.run.ledger.furthest(queue.host, self.run.number)
        if page is None or self.again:
            return queue.pop()
        self._probed.add(page.id)
        return page, ()

    def _ask(self, host: str, page: QueuedPage, asked: tuple[str, ...]) -> None:
        begins = not asked
        if begins and page.identity in self._identities:
            self._deferred[page.identity].append(page)
            return
        try:
            with Budget():
                known = self._without_asking(page)
        except PatternTimeout as error:
            known = _Meaning(Verdict(FetchOutcome.ERROR, str(error)))
        if known is not None:
            if not (self.again and known.verdict.outcome is FetchOutcome.REFUSED):  # what is stored of it stays
                self._write(page, Fetched(request=Request(url=page.asked), verdict=known.verdict), known)
            return
        if begins and self.run.asked == self.run.options.limit:
            self.run.limited = True
            return
        self.run.asked += begins
        self._identities.add(page.identity)
        request = article_request(self.run.portal, page.asked, page.identity, first=page.part == 1)
        older = self.run.ledger.latest_response(request.key, article=page.id)
        if self.again and not self.whole and older is not None and older.kind == "response" and request.rendering is None:
            request = conditional(request, self.run.stored(older))
        self.run.doing(host)
        before = self.run.ledger.pages_before(page) if begins else asked
        self._requests.submit(host, _Ticket(page, older, (*before, page.asked)), request)

    def _without_asking(self, page: QueuedPage) -> _Meaning | None:
        """What is known of a URL before anyone is asked."""
        if page.part > 1:
            return None
        elsewhere = None if self.again else self.run.ledger.fetched_elsewhere(page)
        if elsewhere is not None:
            return _Meaning(Verdict(FetchOutcome.DUPLICATE, f"the same article was fetched as {elsewhere}"))
        truncated = self.run.portal.articles.fetch == "truncated" and not self.again
        if truncated and page.via and self._whole_posts.stands_on(page.via, page.identity):
            return _Meaning(Verdict(FetchOutcome.DUPLICATE, f"the whole post stands on {page.via}"), whole_post=True)
        pattern = next((one for one in self.run.portal.articles.skip_url if one.search(page.url)), None)
        return _Meaning(Verdict(FetchOutcome.REFUSED, f"articles.skip.url: {pattern.text}")) if pattern else None

    # -- answers ------------------------------------------------------------------------------------------------------

    def _settle(self, queue: _Queue, ticket: _Ticket, fetched: Fetched) -> None:
        page = ticket.page
        if fetched.verdict.outcome is not FetchOutcome.QUEUED:
            following = self._store(ticket, fetched)
            if following is not None:
                queue.followups.appendleft((following, ticket.asked))
                return
        self._identities.discard(page.identity)
        for other in self._deferred.pop(page.identity, ()):
            queue.followups.append((other, ()))

    def _store(self, ticket: _Ticket, fetched: Fetched) -> QueuedPage | None:
        """Write the answer down; gives the article's next page, if there is one."""
        page = ticket.page
        meaning = self.run.guarded(page.asked, lambda: self._understand(fetched, ticket), _Meaning)
        self._write(page, fetched, meaning, ticket.older)
        return replace(page, asked=meaning.way.next, part=page.part + 1) if meaning.way.next is not None else None

    def _reason(self, fetched: Fetched, meaning: _Meaning) -> str:
        limit = fetched.rendered.limit if fetched.rendered is not None else None
        if limit is None or meaning.verdict.outcome is not FetchOutcome.FETCHED:
            return meaning.verdict.reason
        self.run.count_in_part(fetched.request.url, limit)
        return f"{meaning.verdict.reason}; perhaps shown in part: {limit}"

    def _understand(self, fetched: Fetched, ticket: _Ticket) -> _Meaning:
        verdict = self.run.verdict_of(_unless_lacking(fetched), article=True)
        capture = fetched.capture if verdict.outcome is FetchOutcome.FETCHED else None
        if self.again and capture is not None and self.run.is_home(capture.url) and not self.run.is_home(ticket.page.asked):
            return _Meaning(HOME_INSTEAD)
        way = NO_WAY_ON if capture is None else way_on(self.run, capture, ticket.older, ticket.page, ticket.asked)
        return _Meaning(verdict, capture, way, rights=_rights(fetched))

    def _write(self, page: QueuedPage, fetched: Fetched, meaning: _Meaning, older: StoredResponse | None = None) -> None:
        event = ArticleEvent(
            **self.run.recorder.stamp(),
            url=page.url,
            asked=page.asked,
            request=fetched.request.key,
            part=page.part,
            again=self.again,
            outcome=meaning.verdict.outcome,
            reason=self._reason(fetched, meaning),
            next=meaning.way.next,
            whole_post=meaning.whole_post,
            saw=meaning.way.saw,
            page=meaning.way.page,
            another=meaning.way.another,
            unfollowed=meaning.way.unfollowed,
            rights=meaning.rights,
            via=page.via,
        )
        same = repeated(older, meaning.capture)
        if self.again and page.part == 1:
            self.answered.count(page.url, meaning.verdict, other=meaning.capture is not None and same is None)
        self.run.recorder.write_fetched(Series.ARTICLES, fetched, event, revisit_of=same)
        if meaning.way.next is None:
            self.run.count(meaning.verdict.outcome)


def _unless_lacking(fetched: Fetched) -> Fetched:
    """An article is no article yet while data of it may still be had."""
    lack = fetched.rendered.lack if fetched.rendered is not None else None
    if lack is None or fetched.capture is None:
        return fetched
    reason = f"{lack}; where the article is whole without it, name what is enough in `articles.fetch.wait`"
    return replace(fetched, verdict=Verdict(FetchOutcome.ERROR, reason), capture=None)


def _rights(fetched: Fetched) -> dict[str, str] | None:
    """What robots.txt, headers and meta tags say of use: where -> what."""
    capture = fetched.capture
    if capture is not None and capture.is_rendered and fetched.exchanges:
        capture = replace(capture, headers=(*fetched.exchanges[-1].headers, *capture.headers))
    signals = rights_signals(capture) if capture is not None else {}
    if fetched.robots == "disallowed":
        signals["robots.txt"] = "disallowed"
    return signals or None
