"""Requests to several hosts at the same time, answered in the order in which they are done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from typing import Generic, TypeVar

from webarticlecurator.errors import CuratorError
from webarticlecurator.model.capture import Fetched, PageSource, Request
from webarticlecurator.model.outcome import Verdict

THREADS = 32
"""Hosts times requests in flight: more hosts than that take turns."""

Ticket = TypeVar("Ticket")


@dataclass(slots=True)
class ParallelRequests(AbstractContextManager["ParallelRequests[Ticket]"], Generic[Ticket]):
    """The page source paces each host; this only keeps enough requests at hand that no host has to wait for
    us.

    Each host takes one request more than may be in flight, so that its next start does not depend on how long
    the answer before takes to be stored.
    """

    source: PageSource
    in_flight: int
    fault: Callable[[Exception, str], Verdict]
    """Returns the verdict on a URL on which a fault of the program happened."""
    _pool: ThreadPoolExecutor = field(
        default_factory=lambda: ThreadPoolExecutor(THREADS, thread_name_prefix="request")
    )
    _done: SimpleQueue[tuple[str, Ticket, Request, Future[Fetched]]] = field(default_factory=SimpleQueue)
    busy: Counter[str] = field(default_factory=Counter)
    """Host -> how many requests to it are on their way."""

    def __exit__(self, *exception: object) -> None:
        self._pool.shutdown(wait=True, cancel_futures=True)

    def room(self, host: str) -> int:
        """How many more requests the host takes."""
        return max(0, min(self.in_flight + 1 - self.busy[host], THREADS - self.busy.total()))

    @property
    def has_answer(self) -> bool:
        """Say whether an answer waits to be taken."""
        return not self._done.empty()

    def submit(self, host: str, ticket: Ticket, request: Request) -> None:
        """Send a request on its way."""
        self.busy[host] += 1
        answer = self._pool.submit(self.source.fetch, request)
        answer.add_done_callback(lambda done: self._done.put((host, ticket, request, done)))

    def answers(
        self, refill: Callable[[], None], look: Callable[[], None]
    ) -> Iterator[tuple[str, Ticket, Fetched]]:
        """Every answer as it comes, until nothing is on its way; `refill` may submit more before each, and
        `look` is called before each is waited for.

        What a person must act on, or did, is raised here.
        """
        while True:
            refill()
            if not self.busy.total():
                return
            look()
            try:
                host, ticket, request, done = self._done.get(timeout=0.5)
            except Empty:
                continue
            self.busy[host] -= 1
            error = done.exception()
            if error is None:
                fetched = done.result()
            elif isinstance(error, Exception) and not isinstance(error, CuratorError):
                fetched = Fetched(request=request, verdict=self.fault(error, request.url), fault=True)
            else:
                raise error
            yield host, ticket, fetched
            del done, fetched  # what may be large is not held until the next answer is there
