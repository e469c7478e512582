"""One request, politely: at its host's pace, and again where a fault may pass; each exchange with its bytes as they crossed the wire."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

import requests
import urllib3

from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.fetch.connections import Adapter, Dialler, Outgoing, Reply
from webarticlecurator.fetch.politeness import LONGEST_WAIT, AskedToWait, HostPaces, PoliteHost, StopSignal, read_retry_after
from webarticlecurator.fetch.request import Cookies, RequestTarget, Sent, prepared_request
from webarticlecurator.fetch.response import MEGABYTE, ExchangeError, Fault, IsWanted, Limits, Received
from webarticlecurator.http.codings import codings_of, stays_small, unpack
from webarticlecurator.http.message import header, joined
from webarticlecurator.model.capture import Exchange, Request

_PASSING_FAULTS = frozenset({Fault.DNS, Fault.CONNECT, Fault.TLS, Fault.TIME, Fault.RESET, Fault.CUT})
_PASSING_STATUSES = frozenset({408, 425, 429, *range(500, 600)}) - {501, 505, 511}
_SLOW_DOWN = frozenset({429, 503})
_LONGEST_PAUSE = 60.0
_SHORTEST_PAUSE = 0.02
_WORTH_SAYING = 5.0
"""Seconds of waiting that a person in front of a still screen should know of."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An exchange, and what kept it from being whole."""

    exchange: Exchange
    fault: Fault | None = None
    message: str = ""


class HttpClient:
    """Makes exchanges, one request and its response, by requests; safe to use from several threads."""

    def __init__(self, dialler: Dialler, cookies: Cookies, *, rules: FetchRules, limits: Limits, now: Callable[[], datetime]) -> None:
        self._dialler = dialler
        self._timeout = rules.timeout.total_seconds()
        self._limits = limits
        self._now = now
        self._session = requests.Session()
        self._session.trust_env = False  # neither .netrc nor the environment's proxies
        self._session.cookies = cookies  # type: ignore[assignment]  # any cookie jar will do
        adapter = Adapter(dialler, verify_tls=rules.verify_tls, connections=max(1, rules.concurrency))
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, adapter)

    def ask(
        self, request: Request, target: RequestTarget, sent: Sent, *, wanted: IsWanted | None = None, limits: Limits | None = None
    ) -> Answer:
        """Make one exchange; whatever fails is in the answer."""
        limits = limits or self._limits
        started, begin = self._now(), time.monotonic()
        ip: str | None = None
        try:
            reply = self._send(target, Outgoing(sent.wire, request.method, begin + self._timeout, limits, wanted))
            received, ip = reply.received, reply.ip
        except ExchangeError as error:
            received = Received(failure=error)
        response, failure = received.response, received.failure
        exchange = Exchange(
            request=request,
            request_bytes=sent.stored,
            redacted=sent.redacted,
            response_bytes=received.raw or None,
            status=response.status if response else None,
            headers=response.headers if response else (),
            entity=response.entity if response else b"",
            started=started,
            duration_ms=round((time.monotonic() - begin) * 1000),
            ip=ip,
            truncated=failure.truncated if failure and received.raw else None,
            error=failure.message if failure else None,
        )
        if failure is not None:
            return Answer(exchange, failure.fault, failure.message)
        return _check_packing(exchange, limits, until_close=response is not None and response.until_close)

    def close(self) -> None:
        """Close the connections that were kept."""
        self._session.close()

    def _send(self, target: RequestTarget, outgoing: Outgoing) -> Reply:
        self._dialler.check(target.host)
        prepared = prepared_request(outgoing.method, target)
        prepared.body = outgoing  # type: ignore[assignment]  # on its way to our own connection
        while True:
            timeout: Any = urllib3.Timeout(total=max(0.001, outgoing.deadline - time.monotonic()))
            try:
                answer = self._session.send(prepared, stream=True, allow_redirects=False, timeout=timeout, proxies={})
            except requests.Timeout:
                raise ExchangeError(Fault.TIME, "no connection within the time limit", "time") from None
            except (requests.RequestException, urllib3.exceptions.HTTPError) as error:
                raise ExchangeError(Fault.CONNECT, f"no connection: {error}", "disconnect") from None
            reply: Reply = cast(Any, answer.raw)
            reply.release_conn()
            failure = reply.received.failure
            if reply.received.raw or not reply.was_kept or failure is None or failure.fault is not Fault.RESET:
                return reply
            # The server closed the kept connection while the request was on its way: nobody has seen an answer, so ask anew.


def _check_packing(exchange: Exchange, limits: Limits, *, until_close: bool) -> Answer:
    """Look into a packed body: a bomb is too big, and a body that only the end of the connection ended may be cut."""
    codings = codings_of(joined(exchange.headers, "content-encoding"))
    if not codings or not exchange.entity or (stays_small(len(exchange.entity), codings, limits.body) and not until_close):
        return Answer(exchange)
    unpacked = unpack(exchange.entity, codings, limits.body)
    if unpacked.too_big:
        return Answer(exchange, Fault.TOO_BIG, f"more than {limits.body / MEGABYTE:.0f} MB when unpacked")
    if unpacked.cut and until_close:
        return Answer(exchange, Fault.CUT, "the connection ended inside the packed body")
    return Answer(exchange)


@dataclass(slots=True)
class Attempts:
    """Every attempt that was made, and what ended them if not an answer."""

    answers: list[Answer] = field(default_factory=list)
    interrupted: bool = False
    wish_to_wait: float | None = None
    """Seconds for which the host wants to be left alone, where that is more than a run should sleep."""

    @property
    def exchanges(self) -> tuple[Exchange, ...]:
        return tuple(answer.exchange for answer in self.answers)


class PoliteClient:
    """Sends the requests of one portal, each at the pace of its host."""

    def __init__(self, rules: FetchRules, http: HttpClient, *, paces: HostPaces, stop: StopSignal, say: Callable[[str], None]) -> None:
        self._rules = rules
        self._http = http
        self._paces = paces
        self._stop = stop
        self._say = say
        self._hosts: dict[str, PoliteHost] = {}
        self._lock = threading.Lock()

    def host(self, target: RequestTarget) -> PoliteHost:
        """The pace of the target's host, as this portal and others on it wish."""
        name = target.address
        host = self._hosts.get(name)
        if host is None:
            with self._lock:
                if (host := self._hosts.get(name)) is None:
                    host = self._paces.of(name, delay=self._rules.delay.total_seconds(), in_flight=self._rules.concurrency)
                    self._paces.join(host)
                    self._hosts[name] = host
        return host

    def close(self) -> None:
        """This portal is done with its hosts."""
        self._paces.leave(self._hosts.values())

    @property
    def permitted_rate(self) -> float:
        """Requests a second that politeness permits, over the hosts asked so far; 0 where nothing limits it.

        Of a host that several portals share, each has its share.
        """
        paces = [host.pace.seconds * max(1, host.portals) for host in list(self._hosts.values())]
        return sum(1 / seconds for seconds in paces) if all(paces) else 0.0

    def ask(
        self,
        request: Request,
        target: RequestTarget,
        sent: Sent,
        *,
        retries: int,
        wanted: IsWanted | None = None,
        limits: Limits | None = None,
    ) -> Attempts:
        """Ask until there is an answer that will not change by asking again."""
        host = self.host(target)
        attempts = Attempts()
        for attempt in range(retries + 1):
            if attempt and not self._pause(host, attempts.answers[-1], attempt):
                attempts.interrupted = True
                break
            try:
                started = host.enter(self._stop)
            except AskedToWait as asked_to_wait:
                attempts.wish_to_wait = asked_to_wait.seconds
                break
            if started is None:
                attempts.interrupted = True
                break
            try:
                answer = self._http.ask(request, target, sent, wanted=wanted, limits=limits)
                wish = _wish(answer)
            except BaseException:
                host.abandon()
                raise
            attempts.answers.append(answer)
            wait = self._tell(host, answer, started, wish)
            if wait > LONGEST_WAIT:
                attempts.wish_to_wait = wait
                break
            if not _may_pass(answer) or host.pace.refusals > retries:
                break
        return attempts

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
        pause = min(_LONGEST_PAUSE, max(host.pace.seconds, _SHORTEST_PAUSE) * 2.0**attempt)
        return not self._stop.wait(pause)


def _wish(answer: Answer) -> float | None:
    """For how long the host wants to be left alone."""
    return read_retry_after(header(answer.exchange.headers, "retry-after"), answer.exchange.started)


def _may_pass(answer: Answer) -> bool:
    if answer.fault is not None:
        return answer.fault in _PASSING_FAULTS
    return answer.exchange.status in _PASSING_STATUSES
