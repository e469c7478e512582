"""robots.txt by RFC 9309 with the pace that it wishes, and `/.well-known/tdmrep.json`: what may be asked for.

Each is asked for once a run and origin, in a long run once a day."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from protego import Protego

from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.fetch.politeness import PoliteHost
from webarticlecurator.fetch.request import NoRequest, RequestTarget, RequestWriter, Sent
from webarticlecurator.fetch.response import PASSING_STATUSES, WHOLE_STATUSES, Answer, ExchangeError, Limits
from webarticlecurator.model.capture import Exchange, Request
from webarticlecurator.own_patterns import linear
from webarticlecurator.protocol.message import Unpacked, coding_names, joined, unpack
from webarticlecurator.protocol.robots_text import MOST_BYTES, robots_text
from webarticlecurator.urls import join, without_fragment
from webarticlecurator.version import NAME

_LIMITS = Limits(body=MOST_BYTES, take_start=True)
_NO_TEXT = linear("[\x01-\x08\x0e-\x19\x1c-\x1f]")
"""Control characters that no text holds; the end mark of DOS is allowed."""

RobotsTxt = Protego | ExchangeError | None
"""The robots.txt of one origin. None: there is none, so everything is allowed; an error: nobody can know, so
nothing is for now."""


@dataclass(slots=True)
class RightsFiles:
    """robots.txt and tdmrep.json of every origin that one portal leads to."""

    writer: RequestWriter
    rules: FetchRules
    ask: Callable[[Sent, int], Answer]
    host: Callable[[RequestTarget], PoliteHost]
    say: Callable[[str], None]
    _known: dict[str, tuple[float, RobotsTxt]] = field(default_factory=dict)
    """The robots.txt of each origin, and until when it counts."""
    _locks: dict[str, threading.Lock] = field(default_factory=dict)

    def look(self, target: RequestTarget) -> tuple[RobotsTxt, list[Exchange]]:
        """Return what the target's origin says, and the exchanges that it took to know.

        The first to need it in a day of the run asks for it, the others wait for that.
        """
        with self._locks.setdefault(target.origin, threading.Lock()):
            until, before = self._known.get(target.origin, (-math.inf, None))
            exchanges: list[Exchange] = []
            if time.monotonic() < until:
                return before, exchanges
            robots, lifetime = (
                _read(self._follow(f"{target.origin}/robots.txt", self.rules.retries, exchanges)),
                24 * 3600.0,
            )
            if not isinstance(robots, ExchangeError):
                self._follow(f"{target.origin}/.well-known/tdmrep.json", 0, exchanges)
                if robots is not None and self.rules.robots == "obey":
                    # the pace that Crawl-delay or Request-rate wishes is kept, within reason
                    rate = robots.request_rate(
                        NAME
                    )  # of a year at most: a number may be so long that it cannot be divided
                    wish = max(
                        robots.crawl_delay(NAME) or 0.0,
                        min(rate.seconds, 366 * 86_400) / rate.requests if rate else 0.0,
                    )
                    kept = min(wish, 60.0)  # more would make a corpus take decades
                    if kept > (usual := self.host(target).tighten(delay=kept)):
                        asks = f"robots.txt of {target.address} asks for {wish:.9g} s between requests"
                        self.say(f"{asks}: {kept:g} s are kept instead of {usual:g} s")
            elif robots.fault == "interrupted":
                return robots, exchanges
            else:
                lifetime = 60.0  # seconds for which its host is left alone
                if target.origin in self._known and not isinstance(before, ExchangeError):
                    robots = before  # the rules read before are better than none
            self._known[target.origin] = (time.monotonic() + lifetime, robots)
            return robots, exchanges

    def _follow(self, url: str, retries: int, exchanges: list[Exchange]) -> Answer:
        """Ask, and follow redirects, also to other hosts; every exchange is noted."""
        for _ in range(5 + 1):  # as many as RFC 9309 asks for; beyond them there is no robots.txt
            try:
                sent = self.writer.write(Request(url=url), RequestTarget.parse(url), _LIMITS)
            except NoRequest:
                break  # a redirect into nowhere: as if there were no such file
            answer = self.ask(sent, retries)
            exchanges += answer.exchanges
            if answer.location is None:
                return answer
            url = without_fragment(join(url, answer.location) or "")
        return Answer()


def _read(answer: Answer) -> RobotsTxt:
    """Return the rules; None where there are none, and an error where nobody can know them."""
    status = answer.status
    if answer.fault not in (None, "too big"):  # of what is too big there is a start that can be obeyed
        return answer.failure
    if status is None:
        return None  # RFC 9309: a file that redirects lead nowhere to is "unavailable", and so everything is allowed
    if 400 <= status < 500 and status not in PASSING_STATUSES:
        return None  # "unavailable", too
    if status not in WHOLE_STATUSES:
        return ExchangeError("status", f"robots.txt answered HTTP {status}")
    content = _unpacked(answer)
    if isinstance(content, ExchangeError):
        return content
    text = robots_text(content)
    is_page_or_rules = text.lstrip().startswith("<") or "user-agent" in text.lower()
    is_garbled = (
        text.count("\ufffd") > len(text) / 6 and not is_page_or_rules
    )  # as packed bytes are that nobody declares
    if is_garbled or _NO_TEXT.search(text[:4096]) is not None:
        return ExchangeError("garbage", "robots.txt is no text")
    return Protego.parse(text)


def _unpacked(answer: Answer) -> bytes | ExchangeError:
    """Return the body, or its first 500 KiB; an error where it is damaged, for a rule may stand in what is
    lost."""
    exchange = answer.exchanges[-1]
    codings = coding_names(joined(exchange.headers, "content-encoding"))
    strange = [name for name in codings if name not in ("gzip", "deflate")]
    if strange:
        return ExchangeError("garbage", f"robots.txt is packed as {strange[0][:40]}, which we never ask for")
    unpacked = (
        unpack(exchange.entity, codings, _LIMITS.body, keep=True)
        if codings
        else Unpacked(exchange.entity[: _LIMITS.body])
    )
    is_start = unpacked.too_big or answer.fault == "too big"
    if unpacked.broken or (unpacked.cut and not is_start) or (exchange.entity and not unpacked.content):
        return ExchangeError(
            "garbage",
            f"robots.txt is damaged: it is not whole {', '.join(codings)}, whatever its header says",
        )
    return unpacked.content
