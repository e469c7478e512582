"""Where the pages of a look come from: the web, for a few requests, each of them stored; or files."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Protocol

from webarticlecurator.corpus.events import LookedAtEvent
from webarticlecurator.crawling.run import Run, repeated
from webarticlecurator.document.decode import beginning_of
from webarticlecurator.fetch.web import Web
from webarticlecurator.model.capture import Fetched, PageSource, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.urls import bare_host
from webarticlecurator.warc.store import Series

INTERRUPTED = "interrupted"
MOST_REQUESTS = 30
"""To a site that nobody has described yet: robots.txt, redirects and second attempts included."""
LONGEST = timedelta(minutes=10)
MOST_BYTES = 24_000_000
"""Of pages that are kept in memory, whatever a site answers."""
_RESERVED = 2
"""Requests that one more step may cost: the second is its second attempt."""
_MOST_STORED = 200
"""Pages of files that are looked at."""


class LookedAt(PageSource, Protocol):
    """A source that says when it is exhausted, and knows what it was asked for."""

    requests: int
    """That it cost somebody."""

    @property
    def blocked(self) -> str | None:
        """Why the site keeps us out, since it was looked at."""
        ...

    @property
    def spent(self) -> str | None:
        """Why nothing more is asked."""
        ...

    def known(self, request: Request) -> Fetched | None:
        """The answer to what was asked for already."""
        ...


@dataclass(slots=True)
class PoliteLook:
    """The web, for so many requests and no more; every answer is stored."""

    web: Web
    run: Run
    host: str
    clock: Callable[[], float] = time.monotonic
    requests: int = 0
    bytes: int = 0
    _began: float = field(init=False)
    _answers: dict[str, Fetched] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self._began = self.clock()

    @property
    def blocked(self) -> str | None:
        return self.run.tally.blocked

    @property
    def spent(self) -> str | None:
        if self.run.stopped:
            return INTERRUPTED
        if self.blocked is not None:
            return f"the site keeps us out: {self.blocked}"
        if self.requests + _RESERVED > MOST_REQUESTS:
            return f"a look makes at most {MOST_REQUESTS} requests"
        if self.clock() - self._began > LONGEST.total_seconds():
            return f"a look takes at most {LONGEST.total_seconds() / 60:.0f} minutes"
        return f"a look reads at most {MOST_BYTES // 1_000_000} MB" if self.bytes > MOST_BYTES else None

    def known(self, request: Request) -> Fetched | None:
        return self._answers.get(request.key)

    def fetch(self, request: Request) -> Fetched:
        """Each address once; what is asked for again is known."""
        if (known := self.known(request)) is not None:
            return known
        if (why := self.spent) is not None:
            return Fetched(request=request, verdict=Verdict(FetchOutcome.QUEUED, why))
        run = self.run
        run.doing(f"request {self.requests + 1}: {request.url}")
        run.show(at_once=True)
        hops = 0

        def may_follow(url: str) -> str | None:
            nonlocal hops
            hops += 1
            if bare_host(url) != self.host:
                return "other host"
            return None if self.requests + _RESERVED * (hops + 1) <= MOST_REQUESTS else "it would be one request too many"

        fetched = self.web.fetch(request, may_follow=may_follow)
        run.verdict_of(fetched, article=False)  # which sees a streak of refusals
        run.tally.archive_pages += 1
        self.requests += len(fetched.exchanges) + len(fetched.rights)
        self.bytes += len(beginning_of(fetched.capture, MOST_BYTES)) if fetched.capture is not None else 0  # unpacked
        verdict = fetched.verdict
        if verdict.outcome is not FetchOutcome.QUEUED:
            event = LookedAtEvent(
                **run.recorder.stamp(), url=request.url, request=request.key, outcome=verdict.outcome, reason=verdict.reason
            )
            older = run.ledger.latest_response(request.key)
            run.recorder.write_fetched(Series.ARCHIVE, fetched, event, revisit_of=repeated(older, fetched.capture))
        self._answers[request.key] = replace(fetched, exchanges=(), rights=())
        return fetched


@dataclass(slots=True)
class StoredLook:
    """Stored pages; asking for them costs nothing."""

    source: PageSource
    requests: int = 0
    blocked: str | None = None
    _asked: int = 0

    @property
    def spent(self) -> str | None:
        return f"{_MOST_STORED} stored pages were looked at" if self._asked >= _MOST_STORED else None

    def known(self, request: Request) -> Fetched | None:
        return self.source.fetch(request)

    def fetch(self, request: Request) -> Fetched:
        self._asked += 1
        return self.source.fetch(request)
