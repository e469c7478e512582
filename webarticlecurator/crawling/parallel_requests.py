"""Requests to several hosts at the same time, answered in the order in which they are done."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from queue import Empty, SimpleQueue
from threading import Thread
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
    """What a fault of the program makes of the URL that it happened on."""
    _threads: list[Thread] = field(default_factory=list)
    """As many as requests were on their way at a time, so that none waits for another."""
    _asked: SimpleQueue[tuple[str, Ticket, Request] | None] = field(default_factory=SimpleQueue)
    """None ends all threads: each hands it on to the next."""
    _done: SimpleQueue[tuple[str, Ticket, Request, Fetched | BaseException]] = field(
        default_factory=SimpleQueue
    )
    busy: Counter[str] = field(default_factory=Counter)
    """Host -> how many requests to it are on their way."""

    def __exit__(self, *exception: object) -> None:
        self._asked.put(None)
        for thread in self._threads:
            thread.join()

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
        if self.busy.total() > len(self._threads):
            self._threads.append(Thread(target=self._fetch_all, name=f"request {len(self._threads)}"))
            self._threads[-1].start()
        self._asked.put((host, ticket, request))

    def _fetch_all(self) -> None:
        """Fetch what is asked for, one after the other, in a thread of its own."""
        for host, ticket, request in iter(self._asked.get, None):
            try:
                fetched: Fetched | BaseException = self.source.fetch(request)
            except BaseException as error:  # raised where the answers are taken
                fetched = error
            self._done.put((host, ticket, request, fetched))
            del fetched
        self._asked.put(None)

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
                host, ticket, request, fetched = self._done.get(timeout=0.5)
            except Empty:
                continue
            self.busy[host] -= 1
            if isinstance(fetched, Exception) and not isinstance(fetched, CuratorError):
                fetched = Fetched(request=request, verdict=self.fault(fetched, request.url), fault=True)
            if isinstance(fetched, BaseException):
                raise fetched
            yield host, ticket, fetched
            del fetched  # what may be large is not held until the next answer is there
