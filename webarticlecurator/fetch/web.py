"""The web as a source of pages: one polite request, its redirects hop by hop, and exactly one verdict."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from http import HTTPStatus
from typing import cast

import requests

from webarticlecurator.config.portal import Portal
from webarticlecurator.fetch import response
from webarticlecurator.fetch.connections import Adapter, Received
from webarticlecurator.fetch.dialler import Dialler
from webarticlecurator.fetch.politeness import PoliteHost, read_retry_after
from webarticlecurator.fetch.request import (
    Cookies,
    NoRequest,
    OtherScheme,
    Proxy,
    RequestTarget,
    RequestWriter,
    Sent,
    resolve_secret,
)
from webarticlecurator.fetch.response import Answer, ExchangeError, Limits
from webarticlecurator.fetch.robots import RightsFiles, RobotsTxt
from webarticlecurator.model.capture import Exchange, Fetched, Request, capture_of
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.protocol.message import MOST_REDIRECTS, header
from webarticlecurator.urls import host_allowed, is_http, join, without_fragment
from webarticlecurator.version import NAME

MayFollow = Callable[[str], str | None]
"""A function that is given a redirect's target: it returns why that is not followed ("other host"), None
where it is."""

_KEEPING_METHOD = (HTTPStatus.TEMPORARY_REDIRECT, HTTPStatus.PERMANENT_REDIRECT)
_BODY_HEADERS = frozenset({"content-type", "content-length", "content-language", "content-encoding"})


class Web:
    """Answers requests of one portal from the network; a PageSource, safe to use from several threads."""

    def __init__(
        self,
        portal: Portal,
        *,
        contact: str | None = None,
        hosts: dict[str, PoliteHost] | None = None,
        stop: threading.Event | None = None,
        say: Callable[[str], None] = lambda _: None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Prepare the client. Only the portal's own hosts are sent secrets. `hosts`: those of the process, by
        `host:port`. Raises UsageError."""
        self.portal = portal
        self.cookies = Cookies(portal.fetch.cookies_file)
        self.stop = stop or threading.Event()
        self.say = say
        self.now = now
        self._rules = rules = portal.fetch
        self._hosts = {} if hosts is None else hosts
        proxy = Proxy.parse(resolve_secret(rules.proxy, "fetch.proxy")) if rules.proxy is not None else None
        self._writer = RequestWriter(
            rules,
            contact=contact,
            hosts=portal.hosts,
            is_encrypted=portal.home.startswith("https:"),
            cookies=self.cookies,
            proxy=proxy,
        )
        self._rights = RightsFiles(self._writer, rules, self._ask, self._host, say)
        self._session = requests.Session()
        self._session.trust_env = False  # neither .netrc nor the environment's proxies
        self._session.cookies = self.cookies  # type: ignore[assignment]  # any cookie jar will do
        adapter = Adapter(
            Dialler(private_hosts=rules.private_hosts, proxy=proxy), verify_tls=rules.verify_tls
        )
        for scheme in ("http://", "https://"):
            self._session.mount(scheme, adapter)

    def close(self) -> None:
        self._session.close()

    def fetch(self, request: Request, *, may_follow: MayFollow | None = None) -> Fetched:
        """Answer one request; failures are verdicts, never exceptions. Redirects do not lead off the portal's
        hosts, if nothing else is said."""
        if request.is_requisite:
            return self._of_page(request, response.REQUISITE_LIMITS)
        limits = response.SITEMAP_LIMITS if request.is_sitemap else response.PAGE_LIMITS
        return self._travel(request, limits, self._rules.retries, may_follow or self.may_follow)

    def may_follow(self, url: str) -> str | None:
        """Return why what redirects to this URL, or leads to it in a browser, is not followed; None where it
        is."""
        return None if host_allowed(url, (), self.portal.asked_hosts) else "other host"

    def load(self, request: Request) -> Fetched:
        """Return what a page in a browser asks for, by the same rules: its last exchange counts, whatever
        type and status it has."""
        return self._of_page(request, Limits())

    def _of_page(self, request: Request, limits: Limits) -> Fetched:
        """Ask for one of the many things that a page names, on whatever host: once more at most."""
        return self._travel(request, limits, min(self._rules.retries, 1), lambda _: None)

    def _travel(self, asked: Request, limits: Limits, retries: int, may_follow: MayFollow) -> Fetched:
        """Ask, each time with its attempts, where that may be done, and follow redirects to the end."""
        trip = _Trip(asked)
        seen: set[tuple[str, bytes]] = set()
        for _ in range(MOST_REDIRECTS + 1):
            sent = self._permitted(trip, limits)
            if isinstance(sent, Verdict):
                return trip.end(sent)
            if (sent.target.origin, sent.wire) in seen:
                return trip.end(Verdict(FetchOutcome.ERROR, "a redirect loop"))
            seen.add((sent.target.origin, sent.wire))
            answer = self._ask(sent, retries)
            trip.exchanges += answer.exchanges
            if answer.location is None:
                return trip.end(response.verdict_of(answer))
            onward = _redirected(trip.request, answer.location, answer.status, may_follow)
            if isinstance(onward, Verdict):
                return trip.end(onward)
            trip.request = onward
        return trip.end(Verdict(FetchOutcome.ERROR, f"more than {MOST_REDIRECTS} redirects"))

    def _permitted(self, trip: _Trip, limits: Limits) -> Sent | Verdict:
        """Return the request as it is sent, or why it may not be sent."""
        url = trip.request.url
        try:
            target = RequestTarget.parse(url)
            robots, looked_at = self._rights.look(target)
            trip.rights += looked_at
            against = _against(robots, url)
            if against is not None:
                trip.disallowed = True
                if self._rules.robots == "obey" or against.outcome is FetchOutcome.QUEUED:
                    return against
            return self._writer.write(trip.request, target, limits)
        except OtherScheme as error:
            return Verdict(
                FetchOutcome.REFUSED, f"{'redirected to ' if trip.exchanges else ''}another {error}"
            )
        except NoRequest as error:
            if trip.exchanges:
                return Verdict(FetchOutcome.ERROR, f"redirected to what is no URL: {error}")
            return Verdict(FetchOutcome.BAD_URL, str(error))

    def _host(self, target: RequestTarget) -> PoliteHost:
        """The target's host, at a pace as this portal and others on it wish."""
        delay, in_flight = self._rules.delay.total_seconds(), self._rules.concurrency
        host = self._hosts.setdefault(target.address, PoliteHost(target.address, delay, in_flight))
        host.tighten(delay=delay, in_flight=in_flight)
        return host

    def _ask(self, sent: Sent, retries: int) -> Answer:
        """Ask until there is an answer that will not change by asking again."""
        host, answer = self._host(sent.target), Answer()
        try:
            for attempt in range(retries + 1):
                # Where the whole host is held, its pace does the waiting.
                if attempt and answer.status not in response.SLOW_DOWN:
                    self.stop.wait(min(60.0, max(host.pace, 0.02) * 2.0**attempt))
                with host.turn(self.stop):
                    self._exchange(sent, answer)
                    if answer.status in response.SLOW_DOWN:
                        last = answer.exchanges[-1]
                        wait = host.refused(
                            read_retry_after(header(last.headers, "retry-after"), last.started)
                        )
                        if wait > 5.0:  # seconds that a person in front of a still screen should know of
                            self.say(f"{host.name} answered {last.status}: waiting {wait:.0f} s")
                    elif answer.failure is None or not answer.may_pass:
                        host.answered()
                if not answer.may_pass or host.refusals > retries:
                    break
        except ExchangeError as error:
            answer.failure = error
        return answer

    def _exchange(self, sent: Sent, answer: Answer) -> None:
        """Make one request and take its response; whatever fails is in the answer."""
        started, begin = self.now(), time.monotonic()
        timeout = self._rules.timeout.total_seconds()
        received = cast(
            Received,
            self._session.send(sent, stream=True, allow_redirects=False, timeout=timeout, proxies={}),
        )
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
            truncated=failure.truncated if failure and received.message else None,
            error=failure.reason if failure else None,
        )
        answer.exchanges.append(exchange)
        answer.failure = failure or response.packing_fault(
            exchange, sent.limits.body, until_close=http is not None and http.until_close
        )


class _Trip:
    """A request on its way through redirects, and what came of it so far."""

    def __init__(self, asked: Request) -> None:
        self._asked = asked
        self.request = asked
        """The next one to be sent."""
        self.exchanges: list[Exchange] = []
        self.rights: list[Exchange] = []
        self.disallowed = False

    def end(self, verdict: Verdict) -> Fetched:
        is_fetched = verdict.outcome is FetchOutcome.FETCHED
        return Fetched(
            request=self._asked,
            verdict=verdict,
            exchanges=tuple(self.exchanges),
            capture=capture_of(self.exchanges[-1], self._asked.url) if is_fetched else None,
            rights=tuple(self.rights),
            disallowed=self.disallowed,
        )


def _redirected(
    request: Request, location: str, status: int | None, may_follow: MayFollow
) -> Request | Verdict:
    """Return the request that a redirect leads to, or why it is not followed; what is no address of the web
    is told at the next hop."""
    joined = join(request.url, location)
    if joined is None:
        return Verdict(FetchOutcome.ERROR, "redirected to what is no URL")
    url = without_fragment(joined)
    reason = may_follow(url) if is_http(url) else None
    if reason is not None:
        return Verdict(FetchOutcome.REFUSED, f"redirected: {reason}")
    if status in _KEEPING_METHOD or request.method in ("GET", "HEAD"):
        return replace(request, url=url)
    headers = tuple((name, value) for name, value in request.headers if name.lower() not in _BODY_HEADERS)
    return replace(request, url=url, method="GET", body=None, headers=headers)


def _against(robots: RobotsTxt, url: str) -> Verdict | None:
    """Return what robots.txt makes of a URL, or that nobody knows what it says; None where it lets us ask."""
    if not isinstance(robots, ExchangeError):
        may_ask = robots is None or robots.can_fetch(url, NAME)
        return None if may_ask else Verdict(FetchOutcome.ROBOTS, "robots.txt disallows it")
    if robots.fault == "interrupted":
        return Verdict(FetchOutcome.QUEUED, "interrupted")
    if robots.fault == "private":
        return Verdict(FetchOutcome.REFUSED, robots.reason)
    reason = f"{robots.reason}; so robots.txt cannot be read, and nothing may be asked of this host now"
    return Verdict(FetchOutcome.ERROR, reason)
