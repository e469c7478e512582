"""The web as a source of pages: one polite request, its redirects hop by hop, and exactly one verdict."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.fetch.client import Attempts, HttpClient, PoliteClient
from webarticlecurator.fetch.connections import Connect, Dialler, Resolve, resolve_stream
from webarticlecurator.fetch.politeness import HostPaces, StopSignal
from webarticlecurator.fetch.request import (
    DEFAULT_PORTS,
    BadUrl,
    Cookies,
    OtherScheme,
    Proxy,
    RequestTarget,
    RequestWriter,
    Sent,
    Unsendable,
    resolve_secret,
)
from webarticlecurator.fetch.response import SITEMAP_LIMITS, Fault, Limits
from webarticlecurator.fetch.robots import RightsFiles, RobotsTxt, Says, redirect_location
from webarticlecurator.fetch.verdicts import Ruling, is_wanted, is_wanted_sitemap, rule
from webarticlecurator.model.capture import Capture, Exchange, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.urls import join, without_fragment

MayFollow = Callable[[str], str | None]
"""Given a redirect's target: why it is not followed ("other host"), None where it is."""

_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]{0,30}):(?!\d+(?:/|$))")
"""A scheme, but not a host name with its port."""
_MOST_REDIRECTS = 10
_MOST_RETRIES_OF_LOADED = 1
"""Of what a page loads in a browser: one of many things, and the page waits for it."""
_KEEPS_METHOD = frozenset({307, 308})
_BODY_HEADERS = frozenset({"content-type", "content-length", "content-language", "content-encoding"})
_INTERRUPTED = Ruling(Verdict(FetchOutcome.QUEUED, "interrupted"))


@dataclass(slots=True)
class _RedirectChain:
    """One request on its way, redirect by redirect."""

    request: Request
    any_type: bool = False
    """Whatever is answered is read, be it a page or not."""
    exchanges: list[Exchange] = field(default_factory=list)
    rights: list[Exchange] = field(default_factory=list)
    robots: Says = "none"
    seen: set[tuple[str, bytes]] = field(default_factory=set)

    def end(self, ruling: Ruling) -> Fetched:
        verdict = ruling.verdict
        return Fetched(
            request=self.request,
            verdict=verdict,
            exchanges=tuple(self.exchanges),
            capture=self._capture() if verdict.outcome is FetchOutcome.FETCHED else None,
            rights=tuple(self.rights),
            robots=self.robots,
            permanent=ruling.permanent,
        )

    def _capture(self) -> Capture:
        last = self.exchanges[-1]
        return Capture(
            url=last.request.url,
            requested_url=self.request.url,
            method=self.request.method,
            status=last.status or 0,
            headers=last.headers,
            entity=last.entity,
            date=last.started,
        )


class Web:
    """Answers requests of one portal from the network; a PageSource, safe to use from several threads."""

    def __init__(
        self,
        rules: FetchRules,
        *,
        hosts: frozenset[str],
        contact: str | None = None,
        paces: HostPaces | None = None,
        stop: StopSignal | None = None,
        say: Callable[[str], None] | None = None,
        limits: Limits | None = None,
        clock: Callable[[], float] = time.monotonic,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        resolve: Resolve = resolve_stream,
        connect: Connect | None = None,
    ) -> None:
        """`hosts` are the portal's own (as in `Portal.hosts`): only they are sent secrets. Raises UsageError."""
        say = say or (lambda _: None)
        self.encoding = rules.encoding
        self._retries = rules.retries
        self._obey = rules.robots == "obey"
        self.cookies = cookies = Cookies(rules.cookies_file)
        proxy = Proxy.parse(resolve_secret(rules.proxy, "fetch.proxy")) if rules.proxy is not None else None
        dialler = Dialler(private_hosts=rules.private_hosts, proxy=proxy, resolve=resolve, connect=connect)
        self._http = HttpClient(dialler, cookies, rules=rules, limits=limits or Limits(), now=now)
        self._writer = RequestWriter(rules, contact=contact, hosts=hosts, cookies=cookies, proxy=dialler.http_proxy)
        self._client = PoliteClient(rules, self._http, paces=paces or HostPaces(clock=clock), stop=stop or threading.Event(), say=say)
        self._rights = RightsFiles(self._client, self._writer, retries=rules.retries, obey=self._obey, say=say, clock=clock)

    @property
    def has_credentials(self) -> bool:
        """Whether requests carry what belongs to a person: WARCs made with it must say so."""
        return self._writer.has_credentials

    @property
    def permitted_rate(self) -> float:
        """Requests a second that politeness permits, over the hosts asked so far; 0 where nothing limits it."""
        return self._client.permitted_rate

    def close(self) -> None:
        """Close the connections that were kept."""
        self._http.close()
        self._client.close()

    def fetch(self, request: Request, *, may_follow: MayFollow | None = None) -> Fetched:
        """Answer one request; failures are verdicts, never exceptions."""
        chain = _RedirectChain(request)
        return chain.end(self._travel(chain, may_follow))

    def load(self, request: Request) -> Fetched:
        """What a page in a browser asks for, by the same rules: its last exchange counts, whatever type and status it has."""
        chain = _RedirectChain(request, any_type=True)
        return chain.end(self._travel(chain, None))

    def _travel(self, chain: _RedirectChain, may_follow: MayFollow | None) -> Ruling:
        request = chain.request
        for _ in range(_MOST_REDIRECTS + 1):
            try:
                target = RequestTarget.parse(request.url)
                ruling = self._check_robots(chain, request, target)
                if ruling is not None:
                    return ruling
                sent = self._writer.write(request, target)
            except (BadUrl, Unsendable) as error:
                return _no_request(error, redirected=request is not chain.request)
            key = (target.origin, sent.wire)
            if key in chain.seen:
                return Ruling(Verdict(FetchOutcome.ERROR, "a redirect loop"), permanent=True)
            chain.seen.add(key)
            step = self._step(chain, request, target, sent, may_follow)
            if isinstance(step, Ruling):
                return step
            request = step
        return Ruling(Verdict(FetchOutcome.ERROR, f"more than {_MOST_REDIRECTS} redirects"), permanent=True)

    def _check_robots(self, chain: _RedirectChain, request: Request, target: RequestTarget) -> Ruling | None:
        """Why robots.txt lets us not ask, None where it does."""
        robots, exchanges = self._rights.look(target)
        chain.rights.extend(exchanges)
        if robots is None:
            return _INTERRUPTED
        says = robots.says(request.url)
        if chain.robots != "disallowed":
            chain.robots = says
        if not self._obey or says != "disallowed":
            return None
        return _unknown_rules(robots) or Ruling(Verdict(FetchOutcome.ROBOTS, "robots.txt disallows it"))

    def _step(
        self, chain: _RedirectChain, request: Request, target: RequestTarget, sent: Sent, may_follow: MayFollow | None
    ) -> Ruling | Request:
        """Ask once (with its attempts): a ruling, or where it goes on."""
        wanted, limits = (is_wanted_sitemap, SITEMAP_LIMITS) if request.is_sitemap else (None if chain.any_type else is_wanted, None)
        retries = min(self._retries, _MOST_RETRIES_OF_LOADED) if chain.any_type else self._retries
        attempts = self._client.ask(request, target, sent, retries=retries, wanted=wanted, limits=limits)
        chain.exchanges.extend(attempts.exchanges)
        ruling = _unfinished(attempts)
        if ruling is not None:
            return ruling
        answer = attempts.answers[-1]
        location = redirect_location(answer.exchange)
        if location is None:
            return rule(answer, len(attempts.answers))
        return _next_request(request, answer.exchange.status or 0, location, may_follow)


def _no_request(error: BadUrl | Unsendable, *, redirected: bool) -> Ruling:
    """A URL, or a header, that no request can be made of."""
    if isinstance(error, OtherScheme) and "no scheme" not in str(error):
        return Ruling(Verdict(FetchOutcome.REFUSED, f"{'redirected to ' if redirected else ''}another {error}"))
    if redirected:
        return Ruling(Verdict(FetchOutcome.ERROR, f"redirected to what is no URL: {error}"), permanent=True)
    return Ruling(Verdict(FetchOutcome.BAD_URL, str(error)))


def _unknown_rules(robots: RobotsTxt) -> Ruling | None:
    """The verdict where nobody can know what robots.txt says."""
    if robots.fault is Fault.PRIVATE:
        return Ruling(Verdict(FetchOutcome.REFUSED, robots.unreachable or ""))
    if robots.unreachable is None:
        return None
    reason = f"{robots.unreachable}; so robots.txt cannot be read, and nothing may be asked of this host now"
    return Ruling(Verdict(FetchOutcome.ERROR, reason), permanent=robots.fault is Fault.CERTIFICATE)


def _unfinished(attempts: Attempts) -> Ruling | None:
    """The verdict where asking ended without an answer that decides."""
    if attempts.interrupted:
        return _INTERRUPTED
    if attempts.wish_to_wait is None:
        return None
    status = attempts.answers[-1].exchange.status if attempts.answers else None
    said = f"HTTP {status}: " if status else ""
    return Ruling(Verdict(FetchOutcome.ERROR, f"{said}the host asks to be left alone for {attempts.wish_to_wait / 60:.0f} more minutes"))


def _next_request(request: Request, status: int, location: str, may_follow: MayFollow | None) -> Ruling | Request:
    """The request that a redirect asks for, or why it is not made."""
    scheme = _SCHEME.match(location.strip())
    if scheme and scheme[1].lower() not in DEFAULT_PORTS:
        return Ruling(Verdict(FetchOutcome.REFUSED, f'redirected to another scheme: "{scheme[1].lower()}"'))
    url = join(request.url, location)
    if url is None:
        return Ruling(Verdict(FetchOutcome.ERROR, "redirected to what is no URL"), permanent=True)
    url = without_fragment(url)
    reason = may_follow(url) if may_follow is not None else None
    if reason is not None:
        return Ruling(Verdict(FetchOutcome.REFUSED, f"redirected: {reason}"))
    if status in _KEEPS_METHOD or request.method in ("GET", "HEAD"):
        return replace(request, url=url)
    headers = tuple((name, value) for name, value in request.headers if name.lower() not in _BODY_HEADERS)
    return replace(request, url=url, method="GET", body=None, headers=headers)
