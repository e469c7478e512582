"""Catch every request of shown pages, and answer it with what our own client fetched, or not at all."""

from __future__ import annotations

import asyncio
import html
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import lru_cache
from http import HTTPStatus
from typing import Any

import orjson
from playwright.async_api import BrowserContext, Frame, Page, Route
from requests.cookies import create_cookie

from webarticlecurator.fetch.request import SENDABLE_COOKIE
from webarticlecurator.fetch.response import MEGABYTE, Limits
from webarticlecurator.fetch.web import Web
from webarticlecurator.model.capture import Exchange, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.protocol.message import GONE, REDIRECTS, joined, unpacked_body
from webarticlecurator.urls import host_and_port, without_fragment

_NOT_LOADED = frozenset(
    {
        "font", "image", "media", "ping", "eventsource", "websocket", "manifest", "cspviolationreport",
        "signedexchange", "texttrack", "prefetch",
    }
)  # fmt: skip
"""Kinds of requests without which a page says the same; some of them never end."""
_MOST_ASKED = 500
_MOST_LOADED = 50 * MEGABYTE
_MOST_NAVIGATIONS = 5
_NOT_PASSED_ON = frozenset(
    {
        *(
            "host", "connection", "content-length", "transfer-encoding", "cookie", "user-agent",
            "accept-encoding", "accept-language",
        ),
        *(
            "upgrade-insecure-requests", "dnt", "te", "range", "if-range", "priority", "purpose",
            "cache-control", "pragma",
        ),
    }
)  # fmt: skip
"""Headers of the browser's that are ours to set, or say what we are not."""
_NOT_FOR_THE_BROWSER = frozenset(
    {
        *(
            "content-encoding",
            "content-length",
            "transfer-encoding",
            "connection",
            "keep-alive",
            "alt-svc",
            "content-disposition",
        ),
        *("strict-transport-security", "report-to", "reporting-endpoints", "nel", "clear-site-data", "link"),
    }
)
"""Headers of an answer that speak of how it crossed the wire, or would have the browser ask for things by
itself."""


class PortalClient:
    """Our own client, as the pages of one portal have it ask for things."""

    def __init__(self, web: Web) -> None:
        self.web = web
        self.say = lru_cache(1_000)(web.say)
        """Tell a person, once."""
        self._threads = ThreadPoolExecutor(
            24, thread_name_prefix="page-request"
        )  # most wait for their host's turn
        self.kept: dict[str, Exchange] = {}
        """The exchanges by URL: what other pages of this run may load, too."""
        self._taken: set[tuple[str, str, str, str]] = set()
        """The browser's cookies that our client knows: domain, path, name and value."""

    def close(self) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def ask(self, request: Request, context: BrowserContext, *, for_document: bool = False) -> Fetched:
        """Ask for a URL. Only pages are wanted for a document, and redirects stay on the portal's hosts."""
        await self.take_cookies(context)
        answer = self.web.fetch if for_document else self.web.load
        return await asyncio.get_running_loop().run_in_executor(self._threads, answer, request)

    def keep(self, request: Request, exchange: Exchange, kind: str) -> None:
        """Remember what pages have in common, unless its server does not want that."""
        is_kept = (
            kind in ("script", "stylesheet", "font")
            and request.method == "GET"
            and exchange.status == HTTPStatus.OK
        )
        if is_kept and "no-store" not in (joined(exchange.headers, "cache-control") or "").lower():
            self.kept[request.url] = exchange
            while sum(len(other.entity) for other in self.kept.values()) > 32 * MEGABYTE:
                del self.kept[next(iter(self.kept))]

    def cookies(self) -> list[dict[str, Any]]:
        """Return the cookies of our client, which asks with them, for a browser, whose scripts read them."""
        return [
            {"name": cookie.name, "value": cookie.value or "", "domain": cookie.domain, "path": cookie.path}
            | {
                "secure": cookie.secure,
                "httpOnly": any(cookie.has_nonstandard_attr(name) for name in ("HttpOnly", "httponly")),
            }
            for cookie in self.web.cookies.all()
        ]

    async def take_cookies(self, context: BrowserContext) -> None:
        """Take over the cookies that scripts of pages set, so that our client asks with them, too."""
        cookies = {
            (cookie["domain"], cookie["path"], cookie["name"], cookie["value"]): cookie
            for cookie in await context.cookies()
        }
        for (domain, path, name, value), cookie in cookies.items():
            if (domain, path, name, value) not in self._taken and SENDABLE_COOKIE.fullmatch(
                f"{name}={value}"
            ):
                expires, rest = (
                    max(0, cookie["expires"]) or None,
                    {"HttpOnly": None} if cookie["httpOnly"] else {},
                )
                known = {
                    "domain": domain,
                    "path": path,
                    "secure": cookie["secure"],
                    "expires": expires,
                    "rest": rest,
                }
                self.web.cookies.set_cookie(create_cookie(name, value, **known))  # type: ignore[no-untyped-call]
        self._taken = set(cookies)


class Traffic:
    """The requests of one page, and what became of them."""

    def __init__(self, page: Page, document: Fetched, client: PortalClient) -> None:
        self._page = page
        self._client = client
        self._ready: dict[Frame, Fetched] = {page.main_frame: document}
        """The next document of each frame: the page's own, and what redirects led to, which the browser asks
        for once more."""
        self.hops = [document]
        """The page's document, and those to which it led on by itself."""
        self.loaded: list[Exchange] = []
        self.rights: list[Exchange] = []
        self.left: str | None = None
        """The address that the page wanted to lead to, and why it was not followed there."""
        self.limit: str | None = None
        """The bound that kept a part of the page away."""
        self.lack: str | None = None
        """The data that could not be had, and may be had another time."""
        self.is_open = False
        """True once the page has been shown: it may not lead elsewhere any more, and every failure of what it
        asks for counts."""
        self.loading = 0
        self._changed = time.monotonic()
        self._asked = self._bytes = 0
        self._answers = defaultdict[str, list[Exchange]](list)
        self._data_hosts: set[str] = set()
        self.failed: dict[str, tuple[str, bool]] = {}
        """Data that could not be had, and whether that may pass, by address without its query; until it
        could."""

    @property
    def quiet(self) -> float:
        """Return the seconds since anything was loading."""
        return 0.0 if self.loading else time.monotonic() - self._changed

    def added_to(self, fetched: Fetched) -> Fetched:
        """Return an answer with what the page has loaded since this was last asked."""
        result = replace(
            fetched, loaded=(*fetched.loaded, *self.loaded), rights=(*fetched.rights, *self.rights)
        )
        self.loaded, self.rights = [], []
        return result

    def count_trouble(self) -> None:
        """Count what failed until now and keeps a part of the page away: what is not there need not be
        missing."""
        self.limit = self.limit or next((why for why, _ in self.failed.values()), None)
        self.lack = self.lack or next((why for why, passes in self.failed.values() if passes), None)

    async def answer(self, route: Route) -> None:
        """Answer one request of the page."""
        asked = route.request
        if asked.resource_type in _NOT_LOADED or asked.method not in ("GET", "HEAD", "POST"):
            await route.abort("blockedbyclient")
            return
        if self._asked >= _MOST_ASKED or self._bytes >= _MOST_LOADED:
            self.limit = f"it asks for more than {_MOST_ASKED} things, or {_MOST_LOADED // MEGABYTE} MB"
            await route.abort("blockedbyclient")
            return
        # Cookies, our name and the portal's own headers are added by the client.
        passed = (
            (name, value)
            for name, value in asked.headers.items()
            if not name.startswith(("sec-", "proxy-", ":"))
        )
        headers = tuple((name.title(), value) for name, value in passed if name not in _NOT_PASSED_ON)
        request = Request(
            url=without_fragment(asked.url), method=asked.method, body=asked.post_data_buffer, headers=headers
        )
        if (
            len(answers := self._answers[request.key]) >= 3
        ):  # it goes on asking, and is given the last of them
            await _fulfil(route, answers[-1])
            return
        self.loading += 1
        self._changed = time.monotonic()
        try:
            if asked.is_navigation_request():
                await self._answer_navigation(route, request, asked.frame)
            else:
                await self._answer_other(route, request, asked.resource_type)
        finally:
            self.loading -= 1
            self._changed = time.monotonic()

    async def _answer_other(self, route: Route, request: Request, kind: str) -> None:
        exchange = self._client.kept.get(request.url) if request.method == "GET" else None
        if exchange is None:
            fetched = await self._load(request)
            exchange = fetched.last
            if exchange is not None and (
                exchange.error is not None or exchange.status is None or exchange.status in REDIRECTS
            ):
                exchange = None
            if kind in ("xhr", "fetch") and fetched.verdict.outcome is not FetchOutcome.QUEUED:
                self._judge(request, fetched, exchange)
            if exchange is None:
                await route.abort()
                return
            self._client.keep(request, exchange, kind)
        if request.method == "GET":
            self._answers[request.key].append(exchange)
        await _fulfil(route, exchange)

    async def _load(self, request: Request, *, for_document: bool = False) -> Fetched:
        """Ask our own client for a part of the page."""
        self._asked += 1
        fetched = await self._client.ask(request, self._page.context, for_document=for_document)
        self.loaded += fetched.exchanges
        self.rights += fetched.rights
        self._bytes += sum(len(exchange.response_bytes or b"") for exchange in fetched.exchanges)
        if fetched.verdict.outcome in (FetchOutcome.ROBOTS, FetchOutcome.REFUSED):
            self._client.say(f"{request.url} is not loaded: {fetched.verdict.reason}")
        return fetched

    def _judge(self, request: Request, fetched: Fetched, answer: Exchange | None) -> None:
        """Say whether data that the page may have its content from failed; a refusal at its beginning (who is
        logged in?) is ordinary."""
        place, host = request.url.partition("?")[0], host_and_port(request.url)
        status = answer.status if answer is not None else None
        if answer is not None and status == HTTPStatus.OK and self.is_open and _has_errors(answer):
            self.failed[place] = f"{request.url} was answered with errors", True
        elif status is not None and (
            status < HTTPStatus.BAD_REQUEST or status in GONE
        ):  # which says that there is no further part
            self._data_hosts.add(host)
            self.failed.pop(place, None)
        elif status in range(400, 500) and status != HTTPStatus.TOO_MANY_REQUESTS and not self.is_open:
            return
        elif self._client.web.may_follow(request.url) is None or host in self._data_hosts:
            reason = f"{request.url} could not be had: {fetched.verdict.reason}"
            self.failed[place] = reason, fetched.verdict.outcome is FetchOutcome.ERROR

    async def _answer_navigation(self, route: Route, request: Request, frame: Frame) -> None:
        """A document, of the page or of a frame in it."""
        fetched = self._ready.pop(frame, None)
        if fetched is None:
            is_top = frame == self._page.main_frame
            reason = self._client.web.may_follow(request.url)
            if reason is None and is_top and (self.is_open or len(self.hops) > _MOST_NAVIGATIONS):
                reason = f"it leads on more than {_MOST_NAVIGATIONS} times"
            if reason is not None:
                if is_top:
                    self.left = request.url if self.is_open else f"{reason} ({request.url})"
                await route.abort("aborted")  # which leaves the page as it is
                return
            if is_top:
                fetched = await self._client.ask(request, self._page.context, for_document=True)
                self.hops.append(fetched)
                self.rights += fetched.rights
            else:
                fetched = await self._load(request, for_document=True)
            if fetched.capture is None:
                await route.abort("aborted")
                return
            if without_fragment(fetched.final_url) != request.url:
                # The browser is led to where the redirects led, and that is there already.
                self._ready[frame] = fetched
                page = (
                    '<!DOCTYPE html><meta http-equiv="refresh" '
                    f'content="0;url={html.escape(fetched.final_url)}">'
                )
                headers = {"content-type": "text/html; charset=utf-8", "referrer-policy": "no-referrer"}
                await route.fulfill(status=200, headers=headers, body=page)
                return
        await _fulfil(route, fetched.exchanges[-1], encoding=self._client.web.portal.fetch.encoding)


async def _fulfil(route: Route, exchange: Exchange, *, encoding: str | None = None) -> None:
    """Hand an exchange on to the page. `encoding`: what the portal file says that documents are written
    in."""
    headers: dict[str, str] = {}
    for name, value in exchange.headers:
        lowered = name.lower()
        if lowered not in _NOT_FOR_THE_BROWSER:
            between = "\n" if lowered == "set-cookie" else ", "
            headers[lowered] = f"{headers[lowered]}{between}{value}" if lowered in headers else value
    if encoding is not None:
        headers["content-type"] = (
            f"{headers.get('content-type', 'text/html').partition(';')[0]}; charset={encoding}"
        )
    await route.fulfill(
        status=exchange.status or 200, headers=headers, body=unpacked_body(exchange, Limits().body)
    )


def _has_errors(exchange: Exchange) -> bool:
    """True if an answer has errors in the place of data, as those to GraphQL have, whose status is always
    200."""
    body = unpacked_body(exchange, Limits().body)
    if b'"errors"' not in body[:10_000]:
        return False
    try:
        content = orjson.loads(body)
    except orjson.JSONDecodeError:
        return False
    return isinstance(content, dict) and bool(content.get("errors")) and not content.get("data")
