"""When one host may be asked next: its pace, and how it slows down; the clock is passed in."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

LONGEST_WAIT = 600.0
"""Seconds that we sit out when a host asks for it; when it asks for more, its URLs wait for the next run."""
LONGEST_CRAWL_DELAY = 60.0
"""A Crawl-delay beyond this would make a corpus take decades."""
_LONGEST_WISH = 366 * 86_400.0
"""Seconds; whoever asks for more is understood as asking for this much."""
_CATCH_UP = 0.05
"""Share of the pace by which a late start may be made good, so that timer drift does not lower the rate. A host may see twice as much:
requests travel for unequal times."""
_QUICKEST_BACKED_OFF = 0.02
"""Seconds: the pace that back-off doubles where the portal file sets no delay."""
_LEAST_SHARE = 1 / 64
"""Of the usual rate, after however many refusals."""
_REGAINED = 0.02
"""Share of the usual rate that each good answer gives back."""
_GLANCE = 5.0
"""Seconds between two looks at the stop event while another request holds the host. That one sees an interruption at once and lets
go; with hundreds of hosts, looking often is what costs most."""

StopSignal = threading.Event
"""Set when a person interrupts."""


class HostPace:
    """Of one host: when the next request may start. Knows no clock and no thread."""

    def __init__(self, *, delay: float, in_flight: int = 1) -> None:
        self._delay = delay
        self.in_flight = max(1, in_flight)
        self._crawl_delay = 0.0
        self._next_slot = -math.inf
        self.held_until = -math.inf
        """The moment before which the host does not want to be asked."""
        self._share = 1.0
        """Of the usual rate, less than 1 while backed off."""
        self._slowed_at = -math.inf
        self.refusals = 0
        """Answers in a row that told us to slow down."""

    @property
    def _usual(self) -> float:
        return max(self._delay, self._crawl_delay)

    @property
    def seconds(self) -> float:
        """Seconds from start to start, now."""
        return self._usual if self._share == 1 else max(self._usual, _QUICKEST_BACKED_OFF) / self._share

    def tighten(self, *, delay: float, in_flight: int) -> None:
        """A second portal on the same host: the politer wish holds for both."""
        self._delay = max(self._delay, delay)
        self.in_flight = min(self.in_flight, max(1, in_flight))

    def obey_crawl_delay(self, seconds: float) -> float:
        """Keep what robots.txt wishes, within reason; gives the pace that was kept before."""
        before, self._crawl_delay = self._usual, min(seconds, LONGEST_CRAWL_DELAY)
        return before

    def reserve(self, now: float) -> float:
        """Take the next slot: the moment at which the request may start."""
        pace = self.seconds
        # After a pause nothing is late, and nothing to be made good.
        late = min(now - self._next_slot, _CATCH_UP * pace) if now < self._next_slot + pace else 0.0
        slot = max(self._next_slot, self.held_until, now - late)
        self._next_slot = slot + pace
        return max(slot, now)

    def begun(self, now: float) -> None:
        """A request starts now: where this machine was too busy to start it in its slot, the next one keeps its distance all the same."""
        self._next_slot = max(self._next_slot, now + (1 - _CATCH_UP) * self.seconds)

    def answered(self) -> None:
        """A good answer came."""
        self.refusals = 0
        self._share = min(1.0, self._share + _REGAINED)

    def refused(self, now: float, *, started: float, retry_after: float | None = None) -> float:
        """The host answered 429 or 503: ask half as often. Returns how long it is to be left alone."""
        self.refusals += 1
        if started >= self._slowed_at:  # the others that were under way got the same answer for the same reason
            self._share = max(min(1.0, self._usual / LONGEST_WAIT), _LEAST_SHARE, self._share / 2)
            self._slowed_at = now
        wait = max(retry_after or 0.0, min(LONGEST_WAIT, self.seconds))
        self.held_until = max(self.held_until, now + wait)
        return wait


class PoliteHost:
    """One host shared by all threads and portals that ask it."""

    def __init__(self, name: str, pace: HostPace, clock: Callable[[], float]) -> None:
        self.name = name
        self.pace = pace
        self.portals = 0
        """How many share it."""
        self._clock = clock
        self._busy = 0
        self._freed = threading.Condition()

    @contextmanager
    def turn(self, stop: StopSignal) -> Iterator[float | None]:
        """Wait for a turn, and have it. Gives the moment at which it began; None when a person interrupted the wait.

        Raises AskedToWait when the host wants to be left alone for longer than a run should sleep.
        """
        with self._freed:
            while self._busy >= self.pace.in_flight and not stop.is_set():
                self._freed.wait(_GLANCE)
            self._busy += 1
        try:
            yield self._wait_for_slot(stop)
        finally:
            with self._freed:
                self._busy -= 1
                self._freed.notify()

    def _wait_for_slot(self, stop: StopSignal) -> float | None:
        while True:
            with self._freed:
                now = self._clock()
                held = self.pace.held_until - now
                if held > LONGEST_WAIT:
                    raise AskedToWait(held)
                slot = self.pace.reserve(now)
            wait = slot - now
            if stop.wait(wait) if wait > 0 else stop.is_set():
                return None
            with self._freed:
                if self.pace.held_until <= slot:  # else another request was refused meanwhile: line up again
                    begun = self._clock()
                    self.pace.begun(begun)
                    return begun

    def answered(self) -> None:
        """A good answer came."""
        with self._freed:
            self.pace.answered()

    def refused(self, started: float, retry_after: float | None) -> float:
        """The host answered 429 or 503 to what was asked then. Gives the seconds that it is to be left alone."""
        with self._freed:
            return self.pace.refused(self._clock(), started=started, retry_after=retry_after)


class AskedToWait(Exception):
    """The host wants to be left alone for longer than a run should sleep; becomes a verdict."""

    def __init__(self, seconds: float) -> None:
        super().__init__(seconds)
        self.seconds = seconds


class HostPaces:
    """The hosts of one process: portals that share a host share its pace."""

    def __init__(self, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._hosts: dict[str, PoliteHost] = {}
        self._lock = threading.Lock()

    def join(self, name: str, *, delay: float, in_flight: int) -> PoliteHost:
        """The host of that name (`host:port`), which one portal more asks: at least as polite as that one wishes."""
        with self._lock:
            host = self._hosts.get(name)
            if host is None:
                host = self._hosts[name] = PoliteHost(name, HostPace(delay=delay, in_flight=in_flight), self._clock)
            host.pace.tighten(delay=delay, in_flight=in_flight)
            host.portals += 1
            return host

    def leave(self, hosts: Iterable[PoliteHost]) -> None:
        """One of the portals that shared these is done."""
        with self._lock:
            for host in hosts:
                host.portals -= 1


def read_retry_after(value: str | None, now: datetime) -> float | None:
    """Seconds to wait, from either form of Retry-After; None where there is none that can be read."""
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return min(float(text), _LONGEST_WISH)
    try:
        moment = parsedate_to_datetime(text)
        seconds = (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)) - now
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return min(max(0.0, seconds.total_seconds()), _LONGEST_WISH)
