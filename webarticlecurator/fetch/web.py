"""The web as a source of pages: one polite request, its redirects hop by hop, and exactly one verdict."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.fetch.dialler import Dialler
from webarticlecurator.fetch.politeness import HostPaces, PoliteClient
from webarticlecurator.fetch.request import Cookies, NoRequest, OtherScheme, Proxy, RequestTarget, RequestWriter, resolve_secret
from webarticlecurator.fetch.response import PAGE_LIMITS, SITEMAP_LIMITS, Fault, Limits, judge
from webarticlecurator.fetch.robots import RightsFiles, RobotsTxt, Says
from webarticlecurator.model.capture import Exchange, Fetched, Request, capture_of
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.urls import DEFAULT_PORTS, join, without_fragment

MayFollow = Callable[[str], str | None]
"""Given a redirect's target: why it is not followed ("other host"), None where it is."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,30}):(?!\d+(?:/|$))")
"""A scheme, but not a host name with its port."""
_MOST_REDIRECTS = 10
_MOST_RETRIES_OF_LOADED = 1
"""Of what a page loads in a browser: one of many things, and the page waits for it."""
_KEEPS_METHOD = frozenset({307, 308})
_BODY_HEADERS = frozenset({"content-type", "content-length", "content-language", "content-encoding"})


@dataclass(slots=True)
class _Journey:
    """One request on its way, redirect by redirect."""

    request: Request
    limits: Limits
    retries: int
    may_follow: MayFollow
    exchanges: list[Exchange] = field(default_factory=list)
    rights: tuple[Exchange, ...] = ()
    robots: Says = "none"
    seen: set[tuple[str, bytes]] = field(default_factory=set)

    def end(self, verdict: Verdict, *, permanent: bool = False) -> Fetched:
        is_fetched = verdict.outcome is FetchOutcome.FETCHED
        return Fetched(
            request=self.request,
            verdict=verdict,
            exchanges=tuple(self.exchanges),
            capture=capture_of(self.exchanges[-1], self.request.url) if is_fetched else None,
            rights=self.rights,
            robots=self.robots,
            permanent=permanent,
        )

    def refuse(self, reason: str) -> Fetched:
        return self.end(Verdict(FetchOutcome.REFUSED, reason))

    def fail_for_good(self, reason: str) -> Fetched:
        return self.end(Verdict(FetchOutcome.ERROR, reason), permanent=True)


class Web:
    """Answers requests of one portal from the network; a PageSource, safe to use from several threads."""

    def __init__(
        self,
        rules: FetchRules,
        *,
        hosts: frozenset[str],
        contact: str | None = None,
        paces: HostPaces | None = None,
        stop: threading.Event | None = None,
        say: Callable[[str], None] = lambda _: None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """`hosts` are the portal's own (as in `Portal.hosts`): only they are sent secrets. Raises UsageError."""
        self.encoding = rules.encoding
        self.cookies = cookies = Cookies(rules.cookies_file)
        self._rules = rules
        proxy = Proxy.parse(resolve_secret(rules.proxy, "fetch.proxy")) if rules.proxy is not None else None
        dialler = Dialler(private_hosts=rules.private_hosts, proxy=proxy)
        paces, stop = paces or HostPaces(clock=clock), stop or threading.Event()
        self._writer = RequestWriter(rules, contact=contact, hosts=hosts, cookies=cookies, proxy=proxy)
        self._client = PoliteClient(rules, dialler, cookies, paces=paces, stop=stop, say=say, now=now)
        self._rights = RightsFiles(self._client, self._writer, rules, say=say, clock=clock)

    @property
    def permitted_rate(self) -> float:
        """Requests a second that politeness permits, over the hosts asked so far; 0 where nothing limits it."""
        return self._client.permitted_rate

    def close(self) -> None:
        """Close the connections that were kept."""
        self._client.close()

    def fetch(self, request: Request, *, may_follow: MayFollow = lambda _: None) -> Fetched:
        """Answer one request; failures are verdicts, never exceptions."""
        limits = SITEMAP_LIMITS if request.is_sitemap else PAGE_LIMITS
        return self._travel(_Journey(request, limits, self._rules.retries, may_follow))

    def load(self, request: Request) -> Fetched:
        """What a page in a browser asks for, by the same rules: its last exchange counts, whatever type and status it has."""
        return self._travel(_Journey(request, Limits(), min(self._rules.retries, _MOST_RETRIES_OF_LOADED), lambda _: None))

    def _travel(self, journey: _Journey) -> Fetched:
        asked = journey.request
        for _ in range(_MOST_REDIRECTS + 1):
            step = self._hop(asked, journey)
            if isinstance(step, Fetched):
                return step
            asked = step
        return journey.fail_for_good(f"more than {_MOST_REDIRECTS} redirects")

    def _hop(self, request: Request, journey: _Journey) -> Fetched | Request:
        """Ask once (with its attempts), where that may be done: the end, or where it goes on."""
        try:
            target = RequestTarget.parse(request.url)
            robots, rights = self._rights.look(target)
            journey.rights += rights
            closed = self._closed_by_robots(robots, request.url, journey)
            if closed is not None:
                return closed
            sent = self._writer.write(request, target, journey.limits)
        except OtherScheme as error:
            return journey.refuse(f"{'redirected to ' if journey.exchanges else ''}another {error}")
        except NoRequest as error:
            if journey.exchanges:
                return journey.fail_for_good(f"redirected to what is no URL: {error}")
            return journey.end(Verdict(FetchOutcome.BAD_URL, str(error)))
        key = (target.origin, sent.wire)
        if key in journey.seen:
            return journey.fail_for_good("a redirect loop")
        journey.seen.add(key)
        answer = self._client.ask(sent, retries=journey.retries)
        journey.exchanges += answer.exchanges
        if answer.location is None:
            return journey.end(judge(answer), permanent=answer.fault is Fault.CERTIFICATE)
        return _next_request(request, answer.status or 0, answer.location, journey)

    def _closed_by_robots(self, robots: RobotsTxt | None, url: str, journey: _Journey) -> Fetched | None:
        """The end where robots.txt lets us not ask, None where it does."""
        if robots is None:
            return journey.end(Verdict(FetchOutcome.QUEUED, "interrupted"))
        says = robots.says(url)
        if journey.robots != "disallowed":
            journey.robots = says
        if self._rules.robots != "obey" or says != "disallowed":
            return None
        if robots.unreachable is None:
            return journey.end(Verdict(FetchOutcome.ROBOTS, "robots.txt disallows it"))
        if robots.fault is Fault.PRIVATE:
            return journey.refuse(robots.unreachable)
        reason = f"{robots.unreachable}; so robots.txt cannot be read, and nothing may be asked of this host now"
        return journey.end(Verdict(FetchOutcome.ERROR, reason), permanent=robots.fault is Fault.CERTIFICATE)


def _next_request(request: Request, status: int, location: str, journey: _Journey) -> Fetched | Request:
    """The request that a redirect asks for, or the end where it is not made."""
    scheme = _SCHEME.match(location.strip())
    if scheme and scheme[1].lower() not in DEFAULT_PORTS:
        return journey.refuse(f'redirected to another scheme: "{scheme[1].lower()}"')
    url = join(request.url, location)
    if url is None:
        return journey.fail_for_good("redirected to what is no URL")
    url = without_fragment(url)
    reason = journey.may_follow(url)
    if reason is not None:
        return journey.refuse(f"redirected: {reason}")
    if status in _KEEPS_METHOD or request.method in ("GET", "HEAD"):
        return replace(request, url=url)
    headers = tuple((name, value) for name, value in request.headers if name.lower() not in _BODY_HEADERS)
    return replace(request, url=url, method="GET", body=None, headers=headers)
