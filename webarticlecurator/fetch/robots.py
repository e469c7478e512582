"""robots.txt by RFC 9309, and `/.well-known/tdmrep.json`: asked for once a run and origin, in a long run once a day, and what they say."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from protego import Protego

from webarticlecurator.fetch.client import Attempts, PoliteClient
from webarticlecurator.fetch.politeness import LONGEST_CRAWL_DELAY
from webarticlecurator.fetch.request import BadUrl, RequestTarget, RequestWriter
from webarticlecurator.fetch.response import Fault, Limits
from webarticlecurator.http.codings import codings_of, unpack
from webarticlecurator.http.message import header
from webarticlecurator.model.capture import Exchange, Request
from webarticlecurator.urls import join, without_fragment
from webarticlecurator.version import NAME

_DAY = 24 * 3600.0
_ASK_AGAIN = 60.0
"""Seconds after which an unreachable robots.txt is asked for again: until then its host is left alone."""
_LONGEST_PERIOD = 366 * 86_400
"""Seconds of a Request-rate; a number may be so long that it cannot be divided."""
_LIMITS = Limits(body=500 << 10, take_start=True)
"""RFC 9309 asks for at least these to be read and obeyed."""
_MOST_REDIRECTS = 5
_REDIRECTS = frozenset({301, 302, 303, 307, 308})
_READABLE_FAULTS = frozenset({Fault.TOO_BIG, Fault.LONG})
"""Faults after which there is still a start that can be obeyed."""

Says = Literal["allowed", "disallowed", "none"]


@dataclass(frozen=True, slots=True)
class RobotsTxt:
    """What one origin's robots.txt says."""

    rules: Protego | None = None
    """None: there is no robots.txt, so everything is allowed."""
    unreachable: str | None = None
    """Why nobody can know: then nothing is allowed for now."""
    fault: Fault | None = None
    """What went wrong on the wire, where that made it unreachable."""

    def says(self, url: str) -> Says:
        if self.unreachable is not None:
            return "disallowed"
        if self.rules is None:
            return "none"
        return "allowed" if self.rules.can_fetch(url, NAME) else "disallowed"

    @property
    def crawl_delay(self) -> float | None:
        """Seconds from request to request, from Crawl-delay or Request-rate."""
        if self.rules is None:
            return None
        rate = self.rules.request_rate(NAME)
        return max(self.rules.crawl_delay(NAME) or 0.0, min(rate.seconds, _LONGEST_PERIOD) / rate.requests if rate else 0.0) or None


class RightsFiles:
    """robots.txt and tdmrep.json of every origin that one portal leads to."""

    def __init__(
        self,
        client: PoliteClient,
        writer: RequestWriter,
        *,
        retries: int,
        obey: bool,
        say: Callable[[str], None],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._client = client
        self._writer = writer
        self._retries = retries
        self._obey = obey
        self._say = say
        self._clock = clock
        self._known: dict[str, tuple[float, RobotsTxt]] = {}
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def look(self, target: RequestTarget) -> tuple[RobotsTxt | None, tuple[Exchange, ...]]:
        """What the target's origin says (None: a person interrupted the asking), and the exchanges that it took to know.

        The first to need it in a day of the run asks for it, the others wait for that.
        """
        known = self._fresh(target)
        if known is not None:
            return known, ()
        with self._lock:
            lock = self._locks.setdefault(target.origin, threading.Lock())
        with lock:
            known = self._fresh(target)
            return (known, ()) if known is not None else self._ask(target)

    def _fresh(self, target: RequestTarget) -> RobotsTxt | None:
        entry = self._known.get(target.origin)
        return entry[1] if entry is not None and self._clock() < entry[0] else None

    def _ask(self, target: RequestTarget) -> tuple[RobotsTxt | None, tuple[Exchange, ...]]:
        attempts, exchanges = self._follow(f"{target.origin}/robots.txt", self._retries)
        if attempts.interrupted:
            return None, exchanges
        robots = _read(attempts)
        if robots.unreachable is None:
            exchanges += self._follow(f"{target.origin}/.well-known/tdmrep.json", 0)[1]
        if self._obey:
            self._slow_down(target, robots)
        lifetime = _DAY if robots.unreachable is None else _ASK_AGAIN
        known = self._known.get(target.origin)
        if robots.unreachable is not None and known is not None and known[1].unreachable is None:
            robots = known[1]  # the rules read before are better than none
        self._known[target.origin] = (self._clock() + lifetime, robots)
        return robots, exchanges

    def _slow_down(self, target: RequestTarget, robots: RobotsTxt) -> None:
        wish = robots.crawl_delay
        if wish is None:
            return
        pace = self._client.host(target).pace
        before = pace.obey_crawl_delay(wish)
        if wish > LONGEST_CRAWL_DELAY:
            self._say(f"robots.txt of {target.address} asks for {wish:.0f} s between requests: we keep {LONGEST_CRAWL_DELAY:.0f} s")
        elif wish > before:
            self._say(f"robots.txt of {target.address} asks for {wish:g} s between requests, which is kept instead of {before:g} s")

    def _follow(self, url: str, retries: int) -> tuple[Attempts, tuple[Exchange, ...]]:
        """Ask, and follow redirects, also to other hosts; gives what ended it and every exchange."""
        exchanges: list[Exchange] = []
        for _ in range(_MOST_REDIRECTS + 1):
            try:
                target = RequestTarget.parse(url)
            except BadUrl:
                break  # a redirect into nowhere: as if there were no such file
            request = Request(url=url)
            attempts = self._client.ask(request, target, self._writer.write(request, target), retries=retries, limits=_LIMITS)
            exchanges += attempts.exchanges
            location = redirect_location(attempts.answers[-1].exchange) if attempts.answers else None
            if location is None or attempts.interrupted:
                return attempts, tuple(exchanges)
            url = without_fragment(join(url, location) or "")
        return Attempts(), tuple(exchanges)


def redirect_location(exchange: Exchange) -> str | None:
    """Where a response sends us, as it stands in its head; None when it is no redirect."""
    if exchange.status not in _REDIRECTS:
        return None
    return next((value for name, value in exchange.headers if name.lower() == "location" and value), None)


def _read(attempts: Attempts) -> RobotsTxt:
    if not attempts.answers:
        return RobotsTxt(unreachable="the host asks to be left alone") if attempts.wish_to_wait else RobotsTxt()
    answer = attempts.answers[-1]
    exchange = answer.exchange
    status = exchange.status
    if status is None or (answer.fault is not None and answer.fault not in _READABLE_FAULTS):
        return RobotsTxt(unreachable=answer.message, fault=answer.fault)
    if status >= 500:
        return RobotsTxt(unreachable=f"robots.txt answered HTTP {status}")
    if not 200 <= status < 300:
        return RobotsTxt()  # RFC 9309: "unavailable" (4xx, or lost in redirects) means that everything is allowed
    return RobotsTxt(rules=Protego.parse(_text(exchange)))


def _text(exchange: Exchange) -> str:
    codings = codings_of(header(exchange.headers, "content-encoding"))
    body = unpack(exchange.entity, codings, _LIMITS.body, keep=True).data if codings else exchange.entity[: _LIMITS.body]
    return body.decode("utf-8-sig", "replace")
