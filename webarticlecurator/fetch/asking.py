"""One request, politely: at its host's pace, and again where a fault may pass."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.fetch.cookies import CookieBox
from webarticlecurator.fetch.dial import Dialer
from webarticlecurator.fetch.incoming import Fault, Wanted
from webarticlecurator.fetch.limits import Limits
from webarticlecurator.fetch.politeness import LONGEST_WAIT, AskedToWait, HostPaces, PoliteHost, Stop, read_retry_after
from webarticlecurator.fetch.request_head import RequestHeads
from webarticlecurator.fetch.target import Target
from webarticlecurator.fetch.wire import Answer, Sent, Wire
from webarticlecurator.model.capture import Request

_PASSING_FAULTS = frozenset({Fault.DNS, Fault.CONNECT, Fault.TLS, Fault.TIME, Fault.RESET, Fault.CUT})
_PASSING_STATUSES = frozenset({408, 425, 429, *range(500, 600)}) - {501, 505, 511}
_SLOW_DOWN = frozenset({429, 503})
_LONGEST_PAUSE = 60.0
_SHORTEST_PAUSE = 0.02
_WORTH_SAYING = 5.0
"""Seconds of waiting that a person in front of a still screen should know of."""


@dataclass(slots=True)
class Asked:
    """Every attempt that was made, and what ended them if not an answer."""

    answers: list[Answer] = field(default_factory=list)
    interrupted: bool = False
    wait_wish: float | None = None
    """Seconds for which the host wants to be left alone, where that is more than a run should sleep."""


class Asker:
    """Sends the requests of one portal."""

    def __init__(
        self,
        rules: FetchRules,
        *,
        dialer: Dialer,
        wire: Wire,
        heads: RequestHeads,
        cookies: CookieBox,
        paces: HostPaces,
        stop: Stop,
        say: Callable[[str], None],
    ) -> None:
        self._rules = rules
        self._dialer = dialer
        self._wire = wire
        self._heads = heads
        self._cookies = cookies
        self._paces = paces
        self._stop = stop
        self._say = say
        self._hosts: dict[str, PoliteHost] = {}

    def host(self, target: Target) -> PoliteHost:
        """The pace of the target's host, as this portal and others on it wish."""
        name = target.address
        host = self._hosts.get(name)
        if host is None:
            host = self._paces.of(name, delay=self._rules.delay.total_seconds(), in_flight=self._rules.concurrency)
            self._hosts[name] = host
        return host

    @property
    def permitted_rate(self) -> float:
        """Requests a second that politeness permits, over the hosts asked so far; 0 where nothing limits it."""
        paces = [host.pace for host in list(self._hosts.values())]
        return sum(1 / pace for pace in paces) if all(paces) else 0.0

    def head(self, request: Request, target: Target) -> Sent:
        """The request as bytes; raises Unsendable."""
        return self._heads.write(request, target, proxy=self._dialer.speaks_to_proxy, proxy_authorization=self._dialer.proxy_authorization)

    def ask(
        self, request: Request, target: Target, sent: Sent, *, retries: int, wanted: Wanted | None = None, limits: Limits | None = None
    ) -> Asked:
        """Ask until there is an answer that will not change by asking again."""
        host = self.host(target)
        asked = Asked()
        for attempt in range(retries + 1):
            if attempt and not self._pause(host, asked.answers[-1], attempt):
                asked.interrupted = True
                break
            try:
                started = host.enter(self._stop)
            except AskedToWait as asked_to_wait:
                asked.wait_wish = asked_to_wait.seconds
                break
            if started is None:
                asked.interrupted = True
                break
            try:
                answer = self._wire.ask(request, target, sent, wanted=wanted, limits=limits)
                wish = _wish(answer)
            except BaseException:
                host.abandon()
                raise
            asked.answers.append(answer)
            wait = self._tell(host, answer, started, wish)
            self._cookies.keep(target, answer.exchange.headers)
            if wait > LONGEST_WAIT:
                asked.wait_wish = wait
                break
            if not _may_pass(answer) or host.refusals > retries:
                break
        return asked

    def _tell(self, host: PoliteHost, answer: Answer, started: float, wish: float | None) -> float:
        """Let the pace learn from the answer, and leave the host; gives how long it is to be left alone."""
        status = answer.exchange.status
        if status in _SLOW_DOWN:
            wait = host.leave(started, refused=True, retry_after=wish)
            if _WORTH_SAYING < wait <= LONGEST_WAIT:
                self._say(f"{host.name} answered {status}: waiting {wait:.0f} s")
            return wait
        if answer.fault in _PASSING_FAULTS:
            host.abandon()
        else:
            host.leave(started)
        return 0.0

    def _pause(self, host: PoliteHost, last: Answer, attempt: int) -> bool:
        """Wait before another attempt, longer each time; False when a person interrupted it."""
        if last.exchange.status in _SLOW_DOWN:
            return True  # the whole host is held: its pace does the waiting
        pause = min(_LONGEST_PAUSE, max(host.pace, _SHORTEST_PAUSE) * 2.0**attempt)
        return not self._stop.wait(pause)


def _wish(answer: Answer) -> float | None:
    """For how long the host wants to be left alone."""
    header = next((value for name, value in answer.exchange.headers if name.lower() == "retry-after"), None)
    return read_retry_after(header, answer.exchange.started)


def _may_pass(answer: Answer) -> bool:
    if answer.fault is not None:
        return answer.fault in _PASSING_FAULTS
    return answer.exchange.status in _PASSING_STATUSES
