"""One request, politely: at its host's pace, and again where a fault may pass; each exchange with its bytes as they crossed the wire."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from typing import cast

import requests

from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.fetch.connections import Adapter, Reply
from webarticlecurator.fetch.dialler import Dialler
from webarticlecurator.fetch.politeness import LONGEST_WAIT, AskedToWait, HostPaces, PoliteHost, StopSignal, read_retry_after
from webarticlecurator.fetch.request import Cookies, RequestTarget, Sent
from webarticlecurator.fetch.response import MEGABYTE, Answer, Fault
from webarticlecurator.fetch.verdicts import PASSING_FAULTS, SLOW_DOWN, may_pass
from webarticlecurator.http.codings import BEST_RATIO, codings_of, unpack
from webarticlecurator.http.message import header, joined
from webarticlecurator.model.capture import Exchange

_LONGEST_PAUSE = 60.0
_SHORTEST_PAUSE = 0.02
_WORTH_SAYING = 5.0
"""Seconds of waiting that a person in front of a still screen should know of."""


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
    """Sends the requests of one portal, each at the pace of its host; safe to use from several threads."""

    def __init__(
        self,
        rules: FetchRules,
        dialler: Dialler,
        cookies: Cookies,
        *,
        paces: HostPaces,
        stop: StopSignal,
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
        """The pace of the target's host, as this portal and others on it wish."""
        name = target.address
        with self._lock:
            if name not in self._hosts:
                delay, in_flight = self._rules.delay.total_seconds(), self._rules.concurrency
                self._hosts[name] = self._paces.join(name, delay=delay, in_flight=in_flight)
            return self._hosts[name]

    def close(self) -> None:
        """This portal is done with its hosts: close the connections that were kept."""
        self._session.close()
        self._paces.leave(self._hosts.values())

    @property
    def permitted_rate(self) -> float:
        """Requests a second that politeness permits, over the hosts asked so far; 0 where nothing limits it.

        Of a host that several portals share, each has its share.
        """
        paces = [host.pace.seconds * max(1, host.portals) for host in list(self._hosts.values())]
        return sum(1 / seconds for seconds in paces) if all(paces) else 0.0

    def ask(self, sent: Sent, *, retries: int) -> Attempts:
        """Ask until there is an answer that will not change by asking again."""
        host, attempts = self.host(sent.target), Attempts()
        for attempt in range(retries + 1):
            # Where the whole host is held, its pace does the waiting.
            if attempt and attempts.answers[-1].exchange.status not in SLOW_DOWN:
                self._stop.wait(min(_LONGEST_PAUSE, max(host.pace.seconds, _SHORTEST_PAUSE) * 2.0**attempt))
            try:
                with host.turn(self._stop) as started:
                    if started is None:
                        attempts.interrupted = True
                        break
                    answer = self._exchange(sent)
                    attempts.answers.append(answer)
                    wait = self._tell(host, answer, started)
            except AskedToWait as asked_to_wait:
                attempts.wish_to_wait = asked_to_wait.seconds
                break
            if wait > LONGEST_WAIT:
                attempts.wish_to_wait = wait
                break
            if not may_pass(answer) or host.pace.refusals > retries:
                break
        return attempts

    def _tell(self, host: PoliteHost, answer: Answer, started: float) -> float:
        """Let the pace learn from the answer; gives how long the host is to be left alone."""
        exchange = answer.exchange
        if exchange.status not in SLOW_DOWN:
            if answer.fault not in PASSING_FAULTS:
                host.answered()
            return 0.0
        wait = host.refused(started, read_retry_after(header(exchange.headers, "retry-after"), exchange.started))
        if _WORTH_SAYING < wait <= LONGEST_WAIT:
            self._say(f"{host.name} answered {exchange.status}: waiting {wait:.0f} s")
        return wait

    def _exchange(self, sent: Sent) -> Answer:
        """One request and its response; whatever fails is in the answer."""
        started, begin = self._now(), time.monotonic()
        timeout = self._rules.timeout.total_seconds()
        reply = cast(Reply, self._session.send(sent, stream=True, allow_redirects=False, timeout=timeout, proxies={}))
        received = reply.received
        response, failure = received.response, received.failure
        exchange = Exchange(
            request=sent.request,
            request_bytes=sent.stored,
            redacted=sent.redacted,
            response_bytes=received.raw or None,
            status=response.status if response else None,
            headers=response.headers if response else (),
            entity=response.entity if response else b"",
            started=started,
            duration_ms=round((time.monotonic() - begin) * 1000),
            ip=reply.ip,
            truncated=failure.truncated if failure and received.raw else None,
            error=failure.message if failure else None,
        )
        if failure is not None:
            return Answer(exchange, failure.fault, failure.message)
        # A packed body may be a bomb; and one that only the end of the connection ended may be cut.
        most, codings = sent.limits.body, codings_of(joined(exchange.headers, "content-encoding"))
        until_close = response is not None and response.until_close
        if codings and exchange.entity and (until_close or len(exchange.entity) * BEST_RATIO ** len(codings) > most):
            unpacked = unpack(exchange.entity, codings, most)
            if unpacked.too_big:
                return Answer(exchange, Fault.TOO_BIG, f"more than {most / MEGABYTE:.0f} MB when unpacked")
            if unpacked.cut and until_close:
                return Answer(exchange, Fault.CUT, "the connection ended inside the packed body")
        return Answer(exchange)
