"""What pages ask for: every request of theirs is caught here, and answered with what our own client fetched, or not at all."""

from __future__ import annotations

import asyncio
import contextlib
import html
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from http import HTTPStatus
from typing import TYPE_CHECKING, Any

import orjson
from requests.cookies import create_cookie

from webarticlecurator.fetch.request import SENDABLE_COOKIE
from webarticlecurator.fetch.response import MEGABYTE
from webarticlecurator.fetch.web import MayFollow, Web
from webarticlecurator.http.codings import codings_of, unpack
from webarticlecurator.http.message import joined
from webarticlecurator.model.capture import Exchange, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.rendering import Rendering
from webarticlecurator.urls import host_and_port, without_fragment

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, Page, Route
    from playwright.async_api import Request as PageRequest

_NEVER = frozenset({"ping", "eventsource", "websocket", "manifest", "cspviolationreport", "signedexchange", "texttrack", "prefetch"})
"""Kinds of requests without which a page shows the same; some of them never end."""
_METHODS = frozenset({"GET", "HEAD", "POST"})
_DATA = frozenset({"xhr", "fetch"})
_KEPT = frozenset({"script", "stylesheet", "font"})
"""What pages of a portal have in common."""
_MOST_KEPT = 32 * MEGABYTE
_THREADS = 24
"""Requests of one portal's pages that are made, or wait for their host's turn, at the same time."""
_MOST_ASKED = 500
_MOST_LOADED = 50 * MEGABYTE
_MOST_UNPACKED = 64_000_000
_MOST_NAVIGATIONS = 5
_MOST_FAILED = 50
_MOST_SAID = 1_000
_A_POLL = 3
"""Answers to one and the same request; from then on a page that goes on asking is given the last of them."""
_NO_MORE = frozenset({404, 410})
"""Statuses by which a server says that there is no further part."""
_TOO_MANY = 429
_LONGEST_REFUSAL = 10_000
_NOT_PASSED_ON = frozenset(
    {
        *("host", "connection", "content-length", "transfer-encoding", "cookie", "user-agent", "accept-encoding", "accept-language"),
        *("upgrade-insecure-requests", "dnt", "te", "range", "if-range", "priority", "purpose", "cache-control", "pragma"),
    }
)
"""Headers of the browser's that are ours to set, or say what we are not."""
_NOT_FOR_THE_BROWSER = frozenset(
    {
        *("content-encoding", "content-length", "transfer-encoding", "connection", "keep-alive", "alt-svc", "content-disposition"),
        *("strict-transport-security", "report-to", "reporting-endpoints", "nel", "clear-site-data", "link"),
    }
)
"""Headers of an answer that speak of how it crossed the wire, or would have the browser ask for things by itself."""
_DOTLESS = ".local"
"""What the standard library's jar adds to host names without a dot."""


class PortalClient:
    """Our own client, as the pages of one portal have it ask for things."""

    def __init__(self, web: Web, *, may_follow: MayFollow, say: Callable[[str], None]) -> None:
        self.web = web
        self.may_follow = may_follow
        self._say = say
        self._said: set[str] = set()
        self._threads = ThreadPoolExecutor(_THREADS, thread_name_prefix="page-request")
        self.kept: dict[str, Exchange] = {}
        """By URL: what other pages of this run may load, too."""
        self._cookies: dict[tuple[str, str, str], str] = {}
        """Of the browser, when they were last looked at."""

    def close(self) -> None:
        """Nothing more is asked."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    def say(self, message: str) -> None:
        """Tell a person, once."""
        if message not in self._said and len(self._said) < _MOST_SAID:
            self._said.add(message)
            self._say(message)

    async def ask(self, request: Request, context: BrowserContext, *, for_document: bool = False) -> Fetched:
        """Only pages are wanted for a document, and redirects stay on the portal's hosts."""
        await self.take_cookies(context)

        def answer() -> Fetched:
            return self.web.fetch(request, may_follow=self.may_follow) if for_document else self.web.load(request)

        return await asyncio.get_running_loop().run_in_executor(self._threads, answer)

    def keep(self, request: Request, exchange: Exchange, kind: str) -> None:
        """Remember what pages have in common, unless its server does not want that."""
        is_kept = kind in _KEPT and request.method == "GET" and exchange.status == HTTPStatus.OK
        if is_kept and "no-store" not in (joined(exchange.headers, "cache-control") or "").lower():
            self.kept[request.url] = exchange
            while sum(len(other.entity) for other in self.kept.values()) > _MOST_KEPT:
                del self.kept[next(iter(self.kept))]

    def cookies(self) -> list[dict[str, Any]]:
        """Of our client, which asks with them, for a browser, whose scripts read them."""
        return [
            {
                "name": cookie.name,
                "value": cookie.value or "",
                "domain": cookie.domain.removesuffix(_DOTLESS),
                "path": cookie.path,
                "expires": cookie.expires or -1,
                "httpOnly": any(cookie.has_nonstandard_attr(name) for name in ("HttpOnly", "httponly")),
                "secure": bool(cookie.secure),
            }
            for cookie in self.web.cookies
        ]

    async def take_cookies(self, context: BrowserContext) -> None:
        """What scripts of pages set, changed or removed is so for our client, too."""
        cookies = await context.cookies()
        before, self._cookies = self._cookies, {}
        for cookie in cookies:
            domain = cookie["domain"] if "." in cookie["domain"] else cookie["domain"] + _DOTLESS
            place, value = (domain, cookie["path"], cookie["name"]), cookie["value"]
            self._cookies[place] = value
            if before.pop(place, None) != value and SENDABLE_COOKIE.fullmatch(f"{cookie['name']}={value}"):
                known = {"domain": domain, "path": cookie["path"], "secure": cookie["secure"], "expires": max(0, cookie["expires"]) or None}
                self.web.cookies.set_cookie(create_cookie(cookie["name"], value, **known))  # type: ignore[no-untyped-call]
        for place in before:
            with contextlib.suppress(KeyError):
                self.web.cookies.clear(*place)


class Traffic:
    """The requests of one page, and what became of them."""

    def __init__(self, page: Page, document: Fetched, rendering: Rendering, client: PortalClient) -> None:
        self._page = page
        self._opening: Fetched | None = document
        self._rendering = rendering
        self._client = client
        self._moved: dict[str, Fetched] = {}  # by URL: documents that redirects led to, which are asked for once more
        self.loaded: list[Exchange] = []
        self.rights: list[Exchange] = []
        self.hops: list[Fetched] = []
        """Documents to which the page led on by itself."""
        self.left: str | None = None
        """Where the page wanted to lead that is not the portal's, and so was not followed; `led`: the same once it was open."""
        self.led: str | None = None
        self.limit: str | None = None
        """Which bound kept a part of the page away."""
        self.lack: str | None = None
        """What data could not be had, and may be had another time."""
        self.is_open = False
        """It has been shown: it may not lead elsewhere any more, and every failure of what it asks for counts."""
        self.loading = 0
        self._changed = time.monotonic()
        self._asked = self._bytes = self._navigations = 0
        self._answered = Counter[str]()
        self._polled: dict[str, Exchange] = {}
        self._data_hosts: set[str] = set()
        self.failed: dict[str, tuple[str, bool]] = {}
        """Data that could not be had, and whether that may pass, by address without its query; until it could."""

    @property
    def quiet(self) -> float:
        """Seconds since anything was loading."""
        return 0.0 if self.loading else time.monotonic() - self._changed

    @property
    def trouble(self) -> str | None:
        """What data of the page could not be had: then what is not there need not be missing."""
        return next((why for why, _ in self.failed.values()), None)

    def count_trouble(self) -> None:
        """What failed until now keeps a part of the page away."""
        self.limit = self.limit or self.trouble
        self.lack = self.lack or next((why for why, passes in self.failed.values() if passes), None)

    async def answer(self, route: Route) -> None:
        """Answer one request of the page."""
        asked = route.request
        kind = asked.resource_type
        if kind in _NEVER or kind in self._rendering.block or asked.method not in _METHODS:
            await route.abort("blockedbyclient")
            return
        if self._asked >= _MOST_ASKED or self._bytes >= _MOST_LOADED:
            self.limit = f"it asks for more than {_MOST_ASKED} things, or {_MOST_LOADED // MEGABYTE} MB"
            await route.abort("blockedbyclient")
            return
        request = _request_of(asked)
        if (polled := self._polled.get(request.key)) is not None:
            await _fulfil(route, polled)
            return
        self.loading += 1
        self._changed = time.monotonic()
        try:
            if asked.is_navigation_request():
                await self._answer_navigation(route, request, is_top=asked.frame == self._page.main_frame)
            else:
                await self._answer_other(route, request, asked.resource_type)
        finally:
            self.loading -= 1
            self._changed = time.monotonic()

    async def _answer_other(self, route: Route, request: Request, kind: str) -> None:
        exchange = self._client.kept.get(request.url) if request.method == "GET" else None
        if exchange is None:
            fetched = await self._load(request, kind)
            if fetched is None:
                await route.abort()
                return
            exchange = fetched.exchanges[-1]
            self._client.keep(request, exchange, kind)
        self._answered[request.key] += 1
        if self._answered[request.key] >= _A_POLL and request.method == "GET":
            self._polled[request.key] = exchange
        await _fulfil(route, exchange)

    async def _load(self, request: Request, kind: str) -> Fetched | None:
        """Ask our own client; None where there is no answer that could be handed on."""
        self._asked += 1
        fetched = await self._client.ask(request, self._page.context, for_document=kind == "document")
        self.loaded += fetched.exchanges
        self.rights += fetched.rights
        self._bytes += sum(len(exchange.response_bytes or b"") for exchange in fetched.exchanges)
        last, outcome = fetched.exchanges[-1] if fetched.exchanges else None, fetched.verdict.outcome
        is_whole = last is not None and last.error is None and last.status is not None
        if kind in _DATA and outcome is not FetchOutcome.QUEUED:
            self._judge(request, fetched, last.status if last is not None and is_whole else None)
        if is_whole and outcome not in (FetchOutcome.ROBOTS, FetchOutcome.QUEUED):
            return fetched
        if outcome in (FetchOutcome.ROBOTS, FetchOutcome.REFUSED):
            self._client.say(f"{request.url} is not loaded: {fetched.verdict.reason}")
        return None

    def _judge(self, request: Request, fetched: Fetched, status: int | None) -> None:
        """Whether data that the page may have its content from failed; a refusal at its beginning (who is logged in?) is ordinary."""
        place, host = request.url.partition("?")[0], host_and_port(request.url)
        if self.is_open and status == HTTPStatus.OK and _has_errors(fetched.exchanges[-1].entity):
            self.failed[place] = f"{request.url} was answered with errors", True
        elif status is not None and (status < 400 or status in _NO_MORE):
            self._data_hosts.add(host)
            self.failed.pop(place, None)
        elif status is not None and status < 500 and status != _TOO_MANY and not self.is_open:
            return
        elif (self._client.may_follow(request.url) is None or host in self._data_hosts) and len(self.failed) < _MOST_FAILED:
            passes = fetched.verdict.outcome in (FetchOutcome.ERROR, FetchOutcome.FETCHED) and not fetched.permanent
            self.failed[place] = f"{request.url} could not be had: {fetched.verdict.reason}", passes

    async def _answer_navigation(self, route: Route, request: Request, *, is_top: bool) -> None:
        """A document, of the page or of a frame in it."""
        encoding = self._client.web.encoding
        ready = self._moved.pop(request.url, None)
        if is_top and self._opening is not None:
            ready, self._opening = self._opening, None
        if ready is not None:
            await _fulfil(route, ready.exchanges[-1], encoding=encoding)
            return
        reason = self._client.may_follow(request.url)
        if reason is None and is_top and (self.is_open or self._navigations >= _MOST_NAVIGATIONS):
            reason = "it was read already" if self.is_open else f"it leads on more than {_MOST_NAVIGATIONS} times"
        if reason is not None:
            if is_top and self.is_open:
                self.led = request.url
            elif is_top:
                self.left = f"{reason} ({request.url})"
            await route.abort("aborted")  # which leaves the page as it is
            return
        fetched: Fetched | None
        if is_top:
            self._navigations += 1
            fetched = await self._client.ask(request, self._page.context, for_document=True)
            self.hops.append(fetched)
            self.rights += fetched.rights
        else:
            fetched = await self._load(request, "document")
        if fetched is None or fetched.capture is None:
            await route.abort("aborted")
        elif (final_url := without_fragment(fetched.final_url)) != request.url:
            # The browser is led to where the redirects led, and that is there already.
            self._moved[final_url] = fetched
            page = f'<!DOCTYPE html><meta http-equiv="refresh" content="0;url={html.escape(fetched.final_url)}">'
            headers = {"content-type": "text/html; charset=utf-8", "referrer-policy": "no-referrer"}
            await route.fulfill(status=200, headers=headers, body=page)
        else:
            await _fulfil(route, fetched.exchanges[-1], encoding=encoding)


def _request_of(asked: PageRequest) -> Request:
    """The request that a page makes; cookies, our name and the portal's own headers are added by the client."""
    passed = ((name, value) for name, value in asked.headers.items() if not name.startswith(("sec-", "proxy-", ":")))
    headers = tuple((name.title(), value) for name, value in passed if name.lower() not in _NOT_PASSED_ON)
    return Request(url=without_fragment(asked.url), method=asked.method, body=asked.post_data_buffer, headers=headers)


async def _fulfil(route: Route, exchange: Exchange, *, encoding: str | None = None) -> None:
    """Hand an exchange on to the page. `encoding`: what the portal file says that documents are written in."""
    codings = codings_of(joined(exchange.headers, "content-encoding"))
    body = unpack(exchange.entity, codings, _MOST_UNPACKED, keep=True).data if codings else exchange.entity
    headers: dict[str, str] = {}
    for name, value in exchange.headers:
        lowered = name.lower()
        if lowered not in _NOT_FOR_THE_BROWSER:
            between = "\n" if lowered == "set-cookie" else ", "
            headers[lowered] = f"{headers[lowered]}{between}{value}" if lowered in headers else value
    if encoding is not None:
        headers["content-type"] = f"{headers.get('content-type', 'text/html').partition(';')[0]}; charset={encoding}"
    await route.fulfill(status=exchange.status or 200, headers=headers, body=body)


def _has_errors(entity: bytes) -> bool:
    """Whether an answer has errors in the place of data, as those to GraphQL have, whose status is always 200."""
    if b'"errors"' not in entity[:_LONGEST_REFUSAL]:
        return False
    try:
        content = orjson.loads(entity)
    except orjson.JSONDecodeError:
        return False
    return isinstance(content, dict) and bool(content.get("errors")) and not content.get("data")
