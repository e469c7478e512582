"""How a host is asked: at its pace, slower where it refuses, and again where a fault may pass."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import cast

import requests

from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.fetch.connections import Adapter, Received
from webarticlecurator.fetch.dialler import Dialler
from webarticlecurator.fetch.request import Cookies, RequestTarget, Sent
from webarticlecurator.fetch.response import MEGABYTE, PASSING_FAULTS, SLOW_DOWN, TRUNCATED, Answer, ExchangeError, Fault
from webarticlecurator.http.codings import BEST_RATIO, codings_of, unpack
from webarticlecurator.http.message import header, joined
from webarticlecurator.model.capture import Exchange

_LONGEST_WAIT = 600.0
"""Seconds that we sit out when a host asks for it; when it asks for more, its URLs wait for the next run."""
LONGEST_CRAWL_DELAY = 60.0
"""A Crawl-delay beyond this would make a corpus take decades."""
_LONGEST_WISH = 366 * 86_400.0
"""Seconds; whoever asks for more is understood as asking for this much."""
_CATCH_UP = 0.05
"""Share of the pace by which a late start may be made good, so that timer drift does not lower the rate."""
_QUICKEST_BACKED_OFF = 0.02
"""Seconds: the pace that back-off doubles where the portal file sets no delay."""
_LEAST_SHARE = 1 / 64
"""Of the usual rate, after however many refusals."""
_REGAINED = 0.02
"""Share of the usual rate that each good answer gives back."""
_GLANCE = 5.0
"""Seconds between two looks at the stop event while another request holds the host. That one sees an interruption at once and lets
go; with hundreds of hosts, looking often is what costs most."""
_LONGEST_PAUSE = 60.0
_SHORTEST_PAUSE = 0.02
_WORTH_SAYING = 5.0
"""Seconds of waiting that a person in front of a still screen should know of."""


class HostPace:
    """Of one host: when the next request may start. Knows no clock and no thread."""

    def __init__(self, *, delay: float, in_flight: int) -> None:
        self._usual = delay
        self.in_flight = max(1, in_flight)
        self._next_slot = -math.inf
        self.held_until = -math.inf
        """The moment before which the host does not want to be asked."""
        self._share = 1.0
        """Of the usual rate, less than 1 while backed off."""
        self.refusals = 0
        """Answers in a row that told us to slow down."""

    @property
    def seconds(self) -> float:
        """Seconds from start to start, now."""
        return self._usual if self._share == 1 else max(self._usual, _QUICKEST_BACKED_OFF) / self._share

    def tighten(self, *, delay: float, in_flight: int) -> float:
        """Another portal on the same host, or its robots.txt, has a wish: the politer one holds. Gives the delay that was kept before."""
        before, self._usual = self._usual, max(self._usual, delay)
        self.in_flight = min(self.in_flight, max(1, in_flight))
        return before

    def reserve(self, now: float) -> float:
        """Take the next slot: the moment at which the request may start."""
        slot = max(self._next_slot, self.held_until, now)
        self._next_slot = slot + self.seconds
        return slot

    def begun(self, now: float) -> None:
        """A request starts now: where this machine was too busy to start it in its slot, the next one keeps its distance all the same."""
        self._next_slot = max(self._next_slot, now + (1 - _CATCH_UP) * self.seconds)

    def answered(self) -> None:
        """A good answer came."""
        self.refusals = 0
        self._share = min(1.0, self._share + _REGAINED)

    def refused(self, now: float, retry_after: float | None) -> float:
        """The host answered 429 or 503: ask half as often. Returns how long it is to be left alone."""
        self.refusals += 1
        if now >= self.held_until:  # else it is held already: this one was under way, and is refused for the same reason
            self._share = max(min(1.0, self._usual / _LONGEST_WAIT), _LEAST_SHARE, self._share / 2)
        wait = max(retry_after or 0.0, min(_LONGEST_WAIT, self.seconds))
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
    def turn(self, stop: threading.Event) -> Iterator[None]:
        """Wait for a turn, and have it. Raises ExchangeError where a person, or the host, does not want it to be waited for."""
        with self._freed:
            while self._busy >= self.pace.in_flight and not stop.is_set():
                self._freed.wait(_GLANCE)
            self._busy += 1
        try:
            self._wait_for_slot(stop)
            yield
        finally:
            with self._freed:
                self._busy -= 1
                self._freed.notify()

    def _wait_for_slot(self, stop: threading.Event) -> None:
        while True:
            with self._freed:
                self._check_wish()
                now = self._clock()
                slot = self.pace.reserve(now)
            if stop.wait(slot - now) if slot > now else stop.is_set():
                raise ExchangeError(Fault.INTERRUPTED, "interrupted")
            with self._freed:
                if self.pace.held_until <= slot:  # else another request was refused meanwhile: line up again
                    self.pace.begun(self._clock())
                    return

    def _check_wish(self) -> None:
        held = self.pace.held_until - self._clock()
        if held > _LONGEST_WAIT:
            raise ExchangeError(Fault.LEFT_ALONE, f"the host asks to be left alone for {held / 60:.0f} more minutes")

    def answered(self) -> None:
        """A good answer came."""
        with self._freed:
            self.pace.answered()

    def refused(self, retry_after: float | None) -> float:
        """The host answered 429 or 503. Gives the seconds that it is to be left alone; raises ExchangeError where those are too many."""
        with self._freed:
            wait = self.pace.refused(self._clock(), retry_after)
            self._check_wish()
            return wait


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


class PoliteClient:
    """Sends the requests of one portal, each at the pace of its host; safe to use from several threads."""

    def __init__(
        self,
        rules: FetchRules,
        dialler: Dialler,
        cookies: Cookies,
        *,
        paces: HostPaces,
        stop: threading.Event,
        say: Callable[[str], None],
        now: Callable[[], datetime],
    ) -> None:
        self._rules = rules
        self._paces = paces
        self._stop = stop
        self._say = say
        self._now = now
        self._hosts: dict[str, PoliteHost] = {}
        self._lock = threading.Lock()
        self._session = requests.Session()
        self._session.trust_env = False  # neither .netrc nor the environment's proxies
        self._session.cookies = cookies  # type: ignore[assignment]  # any cookie jar will do
        adapter = Adapter(dialler, verify_tls=rules.verify_tls)
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, adapter)

    def host(self, target: RequestTarget) -> PoliteHost:
        """The target's host, at a pace as this portal and others on it wish."""
        name = target.address
        with self._lock:
            if name not in self._hosts:
                delay, in_flight = self._rules.delay.total_seconds(), self._rules.concurrency
                self._hosts[name] = self._paces.join(name, delay=delay, in_flight=in_flight)
            return self._hosts[name]

    def close(self) -> None:
        """This portal is done with its hosts: close the connections that were kept."""
        self._session.close()
        for host in self._hosts.values():
            host.portals -= 1

    @property
    def permitted_rate(self) -> float:
        """Requests a second that politeness permits, over the hosts asked so far; 0 where nothing limits it.

        Of a host that several portals share, each has its share.
        """
        paces = [host.pace.seconds * max(1, host.portals) for host in list(self._hosts.values())]
        return sum(1 / seconds for seconds in paces) if all(paces) else 0.0

    def ask(self, sent: Sent, *, retries: int) -> Answer:
        """Ask until there is an answer that will not change by asking again."""
        host, answer = self.host(sent.target), Answer()
        try:
            for attempt in range(retries + 1):
                # Where the whole host is held, its pace does the waiting.
                if attempt and answer.status not in SLOW_DOWN:
                    self._stop.wait(min(_LONGEST_PAUSE, max(host.pace.seconds, _SHORTEST_PAUSE) * 2.0**attempt))
                with host.turn(self._stop):
                    self._exchange(sent, answer)
                    self._heed(answer, host)
                if not answer.may_pass or host.pace.refusals > retries:
                    break
        except ExchangeError as error:
            answer.failure = error
        return answer

    def _heed(self, answer: Answer, host: PoliteHost) -> None:
        """Let the pace learn from the answer."""
        if answer.status in SLOW_DOWN:
            last = answer.exchanges[-1]
            wait = host.refused(read_retry_after(header(last.headers, "retry-after"), last.started))
            if wait > _WORTH_SAYING:
                self._say(f"{host.name} answered {last.status}: waiting {wait:.0f} s")
        elif answer.fault not in PASSING_FAULTS:
            host.answered()

    def _exchange(self, sent: Sent, answer: Answer) -> None:
        """One request and its response; whatever fails is in the answer."""
        started, begin = self._now(), time.monotonic()
        timeout = self._rules.timeout.total_seconds()
        received = cast(Received, self._session.send(sent, stream=True, allow_redirects=False, timeout=timeout, proxies={}))
        http, failure = received.http, received.failure
        exchange = Exchange(
            request=sent.request,
            request_bytes=sent.stored,
            redacted=sent.redacted,
            response_bytes=received.message or None,
            status=http.status if http else None,
            headers=http.headers if http else (),
            entity=http.entity if http else b"",
            started=started,
            duration_ms=round((time.monotonic() - begin) * 1000),
            ip=received.ip,
            truncated=TRUNCATED.get(failure.fault) if failure and received.message else None,
            error=failure.reason if failure else None,
        )
        answer.exchanges.append(exchange)
        answer.failure = failure or _packing_fault(exchange, sent.limits.body, until_close=http is not None and http.until_close)


def _packing_fault(exchange: Exchange, most: int, *, until_close: bool) -> ExchangeError | None:
    """What is wrong with a packed body: it may be a bomb; and one that only the end of the connection ended may be cut."""
    codings = codings_of(joined(exchange.headers, "content-encoding"))
    if codings and exchange.entity and (until_close or len(exchange.entity) * BEST_RATIO ** len(codings) > most):
        unpacked = unpack(exchange.entity, codings, most)
        if unpacked.too_big:
            return ExchangeError(Fault.TOO_BIG, f"more than {most / MEGABYTE:.0f} MB when unpacked")
        if unpacked.cut and until_close:
            return ExchangeError(Fault.CUT, "the connection ended inside the packed body")
    return None


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
