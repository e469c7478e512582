"""robots.txt by RFC 9309, and `/.well-known/tdmrep.json`: asked for once a run and origin, in a long run once a day, and what they say."""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from protego import Protego

from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.fetch.politeness import PoliteHost
from webarticlecurator.fetch.request import NoRequest, RequestTarget, RequestWriter, Sent
from webarticlecurator.fetch.response import Answer, Fault, Limits
from webarticlecurator.http.codings import codings_of, unpack
from webarticlecurator.http.message import header
from webarticlecurator.model.capture import Exchange, Request
from webarticlecurator.urls import join, without_fragment
from webarticlecurator.version import NAME

_DAY = 24 * 3600.0
_ASK_AGAIN = 60.0
"""Seconds after which an unreachable robots.txt is asked for again: until then its host is left alone."""
_LONGEST_CRAWL_DELAY = 60.0
"""A Crawl-delay beyond this would make a corpus take decades."""
_LONGEST_PERIOD = 366 * 86_400
"""Seconds of a Request-rate; a number may be so long that it cannot be divided."""
_LIMITS = Limits(body=500 << 10, take_start=True)
"""RFC 9309 asks for at least these to be read and obeyed."""
_MOST_REDIRECTS = 5
_READABLE_FAULTS = frozenset({None, "too big", "long"})
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


class RightsFiles:
    """robots.txt and tdmrep.json of every origin that one portal leads to."""

    def __init__(
        self,
        writer: RequestWriter,
        rules: FetchRules,
        *,
        ask: Callable[[Sent, int], Answer],
        host: Callable[[RequestTarget], PoliteHost],
        say: Callable[[str], None],
        clock: Callable[[], float],
    ) -> None:
        self._writer = writer
        self._rules = rules
        self._ask = ask
        self._host = host
        self._say = say
        self._clock = clock
        self._known: dict[str, tuple[float, RobotsTxt]] = {}
        """By origin, each until when it counts."""
        self._locks: dict[str, threading.Lock] = {}
        self._lock = threading.Lock()

    def look(self, target: RequestTarget) -> tuple[RobotsTxt | None, tuple[Exchange, ...]]:
        """What the target's origin says (None: a person interrupted the asking), and the exchanges that it took to know.

        The first to need it in a day of the run asks for it, the others wait for that.
        """
        with self._lock:
            lock = self._locks.setdefault(target.origin, threading.Lock())
        with lock:
            until, before = self._known.get(target.origin, (-math.inf, None))
            if self._clock() < until:
                return before, ()
            exchanges: list[Exchange] = []
            answer = self._follow(f"{target.origin}/robots.txt", self._rules.retries, exchanges)
            if answer.fault == "interrupted":
                return None, tuple(exchanges)
            robots, lifetime = _read(answer), _DAY
            if robots.unreachable is None:
                self._follow(f"{target.origin}/.well-known/tdmrep.json", 0, exchanges)
                self._slow_down(target, robots)
            else:
                lifetime = _ASK_AGAIN
                if before is not None and before.unreachable is None:
                    robots = before  # the rules read before are better than none
            self._known[target.origin] = (self._clock() + lifetime, robots)
            return robots, tuple(exchanges)

    def _slow_down(self, target: RequestTarget, robots: RobotsTxt) -> None:
        """Keep the pace that Crawl-delay or Request-rate wishes, within reason."""
        if robots.rules is None or self._rules.robots != "obey":
            return
        rate = robots.rules.request_rate(NAME)
        wish = max(robots.rules.crawl_delay(NAME) or 0.0, min(rate.seconds, _LONGEST_PERIOD) / rate.requests if rate else 0.0)
        before = self._host(target).tighten(delay=min(wish, _LONGEST_CRAWL_DELAY))
        if wish > _LONGEST_CRAWL_DELAY:
            self._say(f"robots.txt of {target.address} asks for {wish:.0f} s between requests: we keep {_LONGEST_CRAWL_DELAY:.0f} s")
        elif wish > before:
            self._say(f"robots.txt of {target.address} asks for {wish:g} s between requests, which is kept instead of {before:g} s")

    def _follow(self, url: str, retries: int, exchanges: list[Exchange]) -> Answer:
        """Ask, and follow redirects, also to other hosts; every exchange is noted."""
        for _ in range(_MOST_REDIRECTS + 1):
            try:
                sent = self._writer.write(Request(url=url), RequestTarget.parse(url), _LIMITS)
            except NoRequest:
                break  # a redirect into nowhere: as if there were no such file
            answer = self._ask(sent, retries)
            exchanges += answer.exchanges
            if answer.location is None:
                return answer
            url = without_fragment(join(url, answer.location) or "")
        return Answer()


def _read(answer: Answer) -> RobotsTxt:
    status, fault = answer.status, answer.fault
    if fault not in _READABLE_FAULTS:
        return RobotsTxt(unreachable=str(answer.failure), fault=fault)
    if status is not None and status >= 500:
        return RobotsTxt(unreachable=f"robots.txt answered HTTP {status}")
    if status is None or not 200 <= status < 300:
        return RobotsTxt()  # RFC 9309: "unavailable" (4xx, or lost in redirects) means that everything is allowed
    exchange = answer.exchanges[-1]
    codings = codings_of(header(exchange.headers, "content-encoding"))
    body = unpack(exchange.entity, codings, _LIMITS.body, keep=True).data if codings else exchange.entity[: _LIMITS.body]
    return RobotsTxt(rules=Protego.parse(body.decode("utf-8-sig", "replace")))
