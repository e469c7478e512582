"""When one host may be asked next: pace, back-off and waiting; decisions only, the clock is passed in."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Protocol

LONGEST_WAIT = 600.0
"""Seconds that we sit out when a host asks for it; when it asks for more, its URLs wait for the next run."""
LONGEST_CRAWL_DELAY = 60.0
"""A Crawl-delay beyond this would make a corpus take decades."""
_LONGEST_WISH = 366 * 86_400.0
"""Seconds; whoever asks for more is understood as asking for this much."""
_CATCH_UP = 0.05
"""Share of the pace by which a late start may be made good, so that timer drift does not lower the rate. A host may see twice as much:
requests travel for unequal times."""
_SMOOTHING = 0.2
_QUICKEST_BACKED_OFF = 0.02
"""Seconds: the pace that back-off doubles where the portal file sets no delay."""
_SLOWEST = 16
"""The pace that is kept after refusals is at most so many times the usual one ..."""
_LONGEST_HOLD = 60
"""... and while they go on, the host is left alone for at most so many times the usual pace (and for LONGEST_WAIT)."""
_MOST_DOUBLINGS = 10
_REGAINED = 0.02
"""Share of the usual rate that each good answer gives back after a back-off."""
_CEILING = 0.75
"""Recovery halts at this share of the rate that was too much ..."""
_LOWEST_CEILING = 0.25
"""... though never below this share of the usual rate, lest a bad hour costs a day ..."""
_PATIENCE = 100
"""... for so many good answers, and then for as many again at each small step beyond it."""
_CEILING_STEP = 0.05
_GLANCE = 5.0
"""Seconds between two looks at the stop event while another request holds the host. That one sees an interruption at once and lets
go; with hundreds of hosts, looking often is what costs most."""


class StopSignal(Protocol):
    """`threading.Event`, as far as waiting needs it; set when a person interrupts."""

    def is_set(self) -> bool: ...

    def wait(self, timeout: float | None = None) -> bool: ...


class HostPace:
    """Of one host: when the next request may start. Knows no clock and no thread."""

    def __init__(self, *, delay: float, in_flight: int = 1) -> None:
        self._delay = delay
        self.in_flight = max(1, in_flight)
        self._crawl_delay = 0.0
        self._latency = 0.0
        self._next_slot = -math.inf
        self._hold_until = -math.inf
        self._rate: float | None = None
        """Requests a second while backed off; None at full pace."""
        self._ceiling = math.inf
        self._calm = 0
        """Good answers since the last refusal."""
        self._doublings = 0
        """How often the host was left alone for twice as long as before."""
        self._slowed_at = -math.inf
        self.refusals = 0
        """Answers in a row that told us to slow down."""

    @property
    def seconds(self) -> float:
        """Seconds from start to start, now."""
        usual = self._usual
        if usual > 0:
            # Equal to the delay as long as the in-flight requests can keep up with it, then growing faster than the latency does,
            # so that a labouring server gets time to breathe.
            usual = max(usual, 1.5 * self._latency / self.in_flight - 0.5 * usual)
        return usual if self._rate is None else max(usual, 1 / self._rate)

    @property
    def _usual(self) -> float:
        return max(self._delay, self._crawl_delay)

    @property
    def _full_rate(self) -> float:
        return 1 / max(self._usual, _QUICKEST_BACKED_OFF)

    def tighten(self, *, delay: float, in_flight: int) -> None:
        """A second portal on the same host: the politer wish holds for both."""
        self._delay = max(self._delay, delay)
        self.in_flight = min(self.in_flight, max(1, in_flight))

    def obey_crawl_delay(self, seconds: float) -> float:
        """Keep what robots.txt wishes, within reason; gives the pace that was kept before."""
        before, self._crawl_delay = self._usual, min(seconds, LONGEST_CRAWL_DELAY)
        return before

    def held_until(self) -> float:
        """The moment before which the host does not want to be asked."""
        return self._hold_until

    def reserve(self, now: float) -> float:
        """Take the next slot: the moment at which the request may start."""
        pace = self.seconds
        # After a pause nothing is late, and nothing to be made good.
        late = min(now - self._next_slot, _CATCH_UP * pace) if now < self._next_slot + pace else 0.0
        slot = max(self._next_slot, self._hold_until, now - late)
        self._next_slot = slot + pace
        return max(slot, now)

    def begun(self, now: float) -> None:
        """A request starts now: where this machine was too busy to start it in its slot, the next one keeps its distance all the same."""
        self._next_slot = max(self._next_slot, now + (1 - _CATCH_UP) * self.seconds)

    def answered(self, latency: float) -> None:
        """A good answer came after so many seconds."""
        self._latency += _SMOOTHING * (latency - self._latency) if self._latency else latency
        self.refusals = 0
        if self._rate is not None:
            self._recover(self._rate)

    def _recover(self, rate: float) -> None:
        self._calm += 1
        if rate >= self._ceiling and self._calm % _PATIENCE == 0:
            self._ceiling += _CEILING_STEP * self._full_rate
        rate = max(rate, min(rate + _REGAINED * self._full_rate, self._ceiling))
        self._rate = None if rate >= self._full_rate else rate

    def _slow_down(self) -> None:
        rate = min(1 / self.seconds, self._full_rate) if self.seconds else self._full_rate
        self._ceiling = max(_CEILING * rate, _LOWEST_CEILING * self._full_rate)
        self._rate = max(rate / 2, self._full_rate / _SLOWEST)
        self._doublings = 0

    def refused(self, now: float, *, started: float, retry_after: float | None = None) -> float:
        """The host answered 429 or 503: slow down. Returns how long it is to be left alone."""
        if started >= self._slowed_at:  # the others that were under way got the same answer for the same reason
            if self._calm or self._rate is None:
                self._slow_down()
            else:  # a refusal right after a refusal says nothing of what rate would be right: only wait longer
                self._doublings = min(self._doublings + 1, _MOST_DOUBLINGS)
            self._slowed_at = now
        self._calm = 0
        self.refusals += 1
        longest = min(LONGEST_WAIT, _LONGEST_HOLD / self._full_rate)
        wait = max(retry_after or 0.0, min(longest, self.seconds * 2.0**self._doublings))
        self._hold_until = max(self._hold_until, now + wait)
        return wait


class PoliteHost:
    """One host shared by all threads and portals that ask it."""

    def __init__(self, name: str, pace: HostPace, *, clock: Callable[[], float] = time.monotonic) -> None:
        self.name = name
        self.pace = pace
        self.portals = 0
        """How many share it."""
        self._clock = clock
        self._busy = 0
        self._freed = threading.Condition()

    def enter(self, stop: StopSignal) -> float | None:
        """Wait for a turn. Gives the moment at which it began; None when a person interrupted the wait.

        Raises AskedToWait when the host wants to be left alone for longer than a run should sleep.
        """
        with self._freed:
            while self._busy >= self.pace.in_flight:
                if stop.is_set():
                    return None
                self._freed.wait(_GLANCE)
            self._busy += 1
        try:
            start = self._wait_for_slot(stop)
        except BaseException:
            self.abandon()
            raise
        if start is None:
            self.abandon()
        return start

    def _wait_for_slot(self, stop: StopSignal) -> float | None:
        while True:
            with self._freed:
                now = self._clock()
                held = self.pace.held_until() - now
                if held > LONGEST_WAIT:
                    raise AskedToWait(held)
                slot = self.pace.reserve(now)
            wait = slot - now
            if stop.wait(wait) if wait > 0 else stop.is_set():
                return None
            with self._freed:
                if self.pace.held_until() <= slot:  # else another request was refused meanwhile: line up again
                    begun = self._clock()
                    self.pace.begun(begun)
                    return begun

    def leave(self, started: float, *, refused: bool = False, retry_after: float | None = None) -> float:
        """The request is over. Gives the seconds that the host is to be left alone (0 after a good answer)."""
        try:
            with self._freed:
                now = self._clock()
                if refused:
                    return self.pace.refused(now, started=started, retry_after=retry_after)
                self.pace.answered(now - started)
                return 0.0
        finally:
            self.abandon()

    def abandon(self) -> None:
        """The request came to nothing that says how the host fares."""
        with self._freed:
            self._busy -= 1
            self._freed.notify()


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

    def of(self, name: str, *, delay: float, in_flight: int) -> PoliteHost:
        """The host of that name (`host:port`), at least as polite as asked for."""
        with self._lock:
            host = self._hosts.get(name)
            if host is None:
                host = self._hosts[name] = PoliteHost(name, HostPace(delay=delay, in_flight=in_flight), clock=self._clock)
            host.pace.tighten(delay=delay, in_flight=in_flight)
            return host

    def join(self, host: PoliteHost) -> None:
        """One portal more asks this host."""
        with self._lock:
            host.portals += 1

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
