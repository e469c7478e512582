"""The web as a source of pages: one polite request, its redirects hop by hop, and exactly one verdict."""

from __future__ import annotations

import re
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime

from webarticlecurator.config.fetch_rules import FetchRules
from webarticlecurator.fetch.client import Attempts, PoliteClient
from webarticlecurator.fetch.dialler import Dialler
from webarticlecurator.fetch.politeness import HostPaces, StopSignal
from webarticlecurator.fetch.request import Cookies, NoRequest, OtherScheme, Proxy, RequestTarget, RequestWriter, resolve_secret
from webarticlecurator.fetch.response import SITEMAP_LIMITS, Fault, Limits
from webarticlecurator.fetch.robots import RightsFiles, Says
from webarticlecurator.fetch.verdicts import Ruling, is_wanted, is_wanted_sitemap, redirect_location, rule
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
class _RedirectChain:
    """One request on its way, redirect by redirect."""

    any_type: bool
    """Whatever is answered is read, be it a page or not."""
    exchanges: tuple[Exchange, ...] = ()
    rights: tuple[Exchange, ...] = ()
    robots: Says = "none"
    seen: set[tuple[str, bytes]] = field(default_factory=set)


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

    def fetch(self, request: Request, *, may_follow: MayFollow | None = None) -> Fetched:
        """Answer one request; failures are verdicts, never exceptions."""
        return self._travel(request, _RedirectChain(any_type=False), may_follow)

    def load(self, request: Request) -> Fetched:
        """What a page in a browser asks for, by the same rules: its last exchange counts, whatever type and status it has."""
        return self._travel(request, _RedirectChain(any_type=True), None)

    def _travel(self, request: Request, chain: _RedirectChain, may_follow: MayFollow | None) -> Fetched:
        asked, ruling = request, _error(f"more than {_MOST_REDIRECTS} redirects", permanent=True)
        for _ in range(_MOST_REDIRECTS + 1):
            step = self._hop(asked, chain, may_follow)
            if isinstance(step, Ruling):
                ruling = step
                break
            asked = step
        is_fetched = ruling.verdict.outcome is FetchOutcome.FETCHED
        return Fetched(
            request=request,
            verdict=ruling.verdict,
            exchanges=chain.exchanges,
            capture=capture_of(chain.exchanges[-1], request.url) if is_fetched else None,
            rights=chain.rights,
            robots=chain.robots,
            permanent=ruling.permanent,
        )

    def _hop(self, request: Request, chain: _RedirectChain, may_follow: MayFollow | None) -> Ruling | Request:
        """Ask once (with its attempts), where that may be done: a ruling, or where it goes on."""
        try:
            target = RequestTarget.parse(request.url)
            ruling = self._check_robots(chain, request, target)
            if ruling is not None:
                return ruling
            wanted = is_wanted_sitemap if request.is_sitemap else None if chain.any_type else is_wanted
            sent = self._writer.write(request, target, SITEMAP_LIMITS if request.is_sitemap else Limits(), wanted)
        except NoRequest as error:
            return _no_request(error, redirected=bool(chain.exchanges))
        key = (target.origin, sent.wire)
        if key in chain.seen:
            return _error("a redirect loop", permanent=True)
        chain.seen.add(key)
        retries = self._rules.retries
        attempts = self._client.ask(sent, retries=min(retries, _MOST_RETRIES_OF_LOADED) if chain.any_type else retries)
        chain.exchanges += attempts.exchanges
        ruling = _unfinished(attempts)
        if ruling is not None:
            return ruling
        answer = attempts.answers[-1]
        location = redirect_location(answer.exchange)
        if location is None:
            return rule(answer, len(attempts.answers))
        return _next_request(request, answer.exchange.status or 0, location, may_follow)

    def _check_robots(self, chain: _RedirectChain, request: Request, target: RequestTarget) -> Ruling | None:
        """Why robots.txt lets us not ask, None where it does."""
        robots, exchanges = self._rights.look(target)
        chain.rights += exchanges
        if robots is None:
            return _INTERRUPTED
        says = robots.says(request.url)
        if chain.robots != "disallowed":
            chain.robots = says
        if self._rules.robots != "obey" or says != "disallowed":
            return None
        if robots.fault is Fault.PRIVATE:
            return Ruling(Verdict(FetchOutcome.REFUSED, robots.unreachable or ""))
        if robots.unreachable is None:
            return Ruling(Verdict(FetchOutcome.ROBOTS, "robots.txt disallows it"))
        reason = f"{robots.unreachable}; so robots.txt cannot be read, and nothing may be asked of this host now"
        return _error(reason, permanent=robots.fault is Fault.CERTIFICATE)


_INTERRUPTED = Ruling(Verdict(FetchOutcome.QUEUED, "interrupted"))


def _error(reason: str, *, permanent: bool = False) -> Ruling:
    return Ruling(Verdict(FetchOutcome.ERROR, reason), permanent)


def _no_request(error: NoRequest, *, redirected: bool) -> Ruling:
    """A URL, or a header, that no request can be made of."""
    if isinstance(error, OtherScheme):
        return Ruling(Verdict(FetchOutcome.REFUSED, f"{'redirected to ' if redirected else ''}another {error}"))
    return (
        _error(f"redirected to what is no URL: {error}", permanent=True)
        if redirected
        else Ruling(Verdict(FetchOutcome.BAD_URL, str(error)))
    )


def _unfinished(attempts: Attempts) -> Ruling | None:
    """The verdict where asking ended without an answer that decides."""
    if attempts.interrupted:
        return _INTERRUPTED
    if attempts.wish_to_wait is None:
        return None
    status = attempts.answers[-1].exchange.status if attempts.answers else None
    said = f"HTTP {status}: " if status else ""
    return _error(f"{said}the host asks to be left alone for {attempts.wish_to_wait / 60:.0f} more minutes")


def _next_request(request: Request, status: int, location: str, may_follow: MayFollow | None) -> Ruling | Request:
    """The request that a redirect asks for, or why it is not made."""
    scheme = _SCHEME.match(location.strip())
    if scheme and scheme[1].lower() not in DEFAULT_PORTS:
        return Ruling(Verdict(FetchOutcome.REFUSED, f'redirected to another scheme: "{scheme[1].lower()}"'))
    url = join(request.url, location)
    if url is None:
        return _error("redirected to what is no URL", permanent=True)
    url = without_fragment(url)
    reason = may_follow(url) if may_follow is not None else None
    if reason is not None:
        return Ruling(Verdict(FetchOutcome.REFUSED, f"redirected: {reason}"))
    if status in _KEEPS_METHOD or request.method in ("GET", "HEAD"):
        return replace(request, url=url)
    headers = tuple((name, value) for name, value in request.headers if name.lower() not in _BODY_HEADERS)
    return replace(request, url=url, method="GET", body=None, headers=headers)
