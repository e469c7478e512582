"""The sites that pages are had from: several at the same time, each as politely as if it were alone."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from threading import Event
from typing import TYPE_CHECKING

from webarticlecurator.crawling.parallel_requests import THREADS, ParallelRequests
from webarticlecurator.model.capture import Fetched, PageSource, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.urls import bare_host

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal


@dataclass(frozen=True, slots=True)
class AskedSites:
    """All sites of a run; those of a portal file are asked by its rules, each other one by those of a site of
    which nothing is known."""

    rules: Portal | None
    open_site: Callable[[str], PageSource]
    """Begins to ask the site of an address. Raises UsageError."""
    stop: Event
    """Ends it: nothing more is asked for."""
    _sources: dict[str, PageSource] = field(default_factory=dict)

    def answers(self, urls: Iterable[str]) -> Iterator[Fetched]:
        """Yield what is answered, as it comes; of one host in the order of the addresses."""
        waiting: dict[str, deque[str]] = {}
        for url in urls:
            waiting.setdefault(bare_host(url), deque()).append(url)
        with ParallelRequests[None](self, in_flight=0, fault=_fault) as requests:
            for _, _, fetched in requests.answers(lambda: self._refill(requests, waiting), lambda: None):
                yield fetched

    def fetch(self, request: Request) -> Fetched:
        """Ask the site of an address, which was opened before."""
        return self._sources[self._site(request.url)].fetch(request)

    def _refill(self, requests: ParallelRequests[None], waiting: dict[str, deque[str]]) -> None:
        """Send the next address of each host on its way that nothing is asked of."""
        rendering = self.rules.articles.rendering if self.rules is not None else None
        for host in tuple(islice(waiting, 2 * THREADS)):  # of so many hosts, some are asked nothing
            if self.stop.is_set() or requests.busy.total() >= THREADS:
                return
            if requests.room(host):
                url = waiting[host].popleft()
                self._open(url)
                requests.submit(host, None, Request(url=url, rendering=rendering))
            if not waiting[host]:
                del waiting[host]

    def _open(self, url: str) -> None:
        site = self._site(url)
        if site not in self._sources:
            self._sources[site] = self.open_site(url)

    def _site(self, url: str) -> str:
        return "" if self.rules is not None else bare_host(url)


def _fault(error: Exception, _: str) -> Verdict:
    return Verdict(FetchOutcome.ERROR, f"{type(error).__name__}: {error}")
