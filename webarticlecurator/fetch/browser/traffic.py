"""What one page asks for: every request of it is caught here, and answered with what our own client fetched, or not at all."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import TYPE_CHECKING

import orjson

from webarticlecurator.fetch.browser.answers import answer_of, moved_answer, request_of
from webarticlecurator.fetch.browser.cache import LoadedCache
from webarticlecurator.fetch.browser.limits import BrowserLimits
from webarticlecurator.fetch.web import MayFollow, Web
from webarticlecurator.model.capture import Exchange, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome
from webarticlecurator.model.rendering import Rendering
from webarticlecurator.urls import host_and_port, without_fragment

if TYPE_CHECKING:
    from playwright.async_api import Page, Route
    from playwright.async_api import Request as PageRequest

_NEVER = frozenset({"ping", "eventsource", "websocket", "manifest", "cspviolationreport", "signedexchange", "texttrack", "prefetch"})
"""Kinds of requests without which a page shows the same; some of them never end."""
_METHODS = frozenset({"GET", "HEAD", "POST"})
_DATA = frozenset({"xhr", "fetch"})
_A_POLL = 3
"""Answers to one and the same request; from then on a page that goes on asking is given the last of them."""
_MOST_NAVIGATIONS = 5
_NO_MORE = frozenset({404, 410})
"""Statuses by which a server says that there is no further part."""
_TOO_MANY = 429
_MOST_FAILED = 50
_LONGEST_REFUSAL = 10_000

Load = Callable[[Request], Awaitable[Fetched]]
"""Our own client, asked from the browser's thread."""


@dataclass(slots=True, kw_only=True)
class Traffic:
    """The requests of one page, and what became of them."""

    web: Web
    load: Load
    follow: Load
    """The same for documents: only pages are wanted, and redirects stay on the portal's hosts."""
    may_follow: MayFollow
    cache: LoadedCache
    rendering: Rendering
    limits: BrowserLimits
    say: Callable[[str], None]
    opening: Fetched | None = None
    """The document, which was there before the page."""
    moved: dict[str, Fetched] = field(default_factory=dict)
    """By URL: documents that redirects led to, which are asked for once more."""
    loaded: list[Exchange] = field(default_factory=list)
    rights: list[Exchange] = field(default_factory=list)
    hops: list[Fetched] = field(default_factory=list)
    """Documents to which the page led on by itself."""
    left: str | None = None
    """Where the page wanted to lead that is not the portal's, and so was not followed."""
    led: str | None = None
    """Where it wanted to lead once it was open."""
    limit: str | None = None
    """Which bound kept a part of the page away."""
    lack: str | None = None
    """What data could not be had, and may be had another time."""
    is_open: bool = False
    """It has been shown: it may not lead elsewhere any more, and every failure of what it asks for counts."""
    loading: int = 0
    changed: float = field(default_factory=time.monotonic)
    """When a request began or ended the last time."""
    _asked: int = 0
    _bytes: int = 0
    _navigations: int = 0
    _answered: Counter[str] = field(default_factory=Counter)
    _polled: dict[str, Exchange] = field(default_factory=dict)
    """By the key of the request: what it was answered with the last time."""
    _data_hosts: set[str] = field(default_factory=set)
    _failed: dict[str, tuple[str, bool]] = field(default_factory=dict)
    """Data that could not be had, and whether that may pass, by address without its query; until it could."""

    @property
    def quiet(self) -> float:
        """Seconds since anything was loading."""
        return 0.0 if self.loading else time.monotonic() - self.changed

    @property
    def trouble(self) -> str | None:
        """What data of the page could not be had: then what is not there need not be missing."""
        return next((why for why, _ in self._failed.values()), None)

    def count_trouble(self) -> None:
        """What failed until now keeps a part of the page away."""
        self.limit = self.limit or self.trouble
        self.lack = self.lack or next((why for why, passes in self._failed.values() if passes), None)

    def forgive(self) -> None:
        """What failed until now was not needed."""
        self._failed.clear()

    def take(self) -> tuple[tuple[Exchange, ...], tuple[Exchange, ...]]:
        """What was loaded since it was taken the last time, and the rights files that it took."""
        taken = tuple(self.loaded), tuple(self.rights)
        self.loaded, self.rights = [], []
        return taken

    async def answer(self, route: Route, page: Page) -> None:
        """Answer one request of the page."""
        asked = route.request
        kind = asked.resource_type
        if kind in _NEVER or kind in self.rendering.block or asked.method not in _METHODS:
            await route.abort("blockedbyclient")
            return
        if self._asked >= self.limits.requests or self._bytes >= self.limits.loaded:
            self.limit = f"it asks for more than {self.limits.requests} things, or {self.limits.loaded >> 20} MB"
            await route.abort("blockedbyclient")
            return
        request = request_of(asked)
        polled = self._polled.get(request.key)
        if polled is not None:
            await answer_of(route, polled)
            return
        self.loading += 1
        self.changed = time.monotonic()
        try:
            await self._answer(route, asked, request, page)
        finally:
            self.loading -= 1
            self.changed = time.monotonic()

    async def _answer(self, route: Route, asked: PageRequest, request: Request, page: Page) -> None:
        if asked.is_navigation_request():
            await self._answer_navigation(route, request, is_top=asked.frame == page.main_frame)
            return
        exchange = self.cache.find(request)
        if exchange is None and (fetched := await self._load(request, self.load, asked.resource_type)) is not None:
            exchange = fetched.exchanges[-1]
            self.cache.keep(request, exchange, asked.resource_type)
        if exchange is None:
            await route.abort()
            return
        self._answered[request.key] += 1
        if self._answered[request.key] >= _A_POLL and request.method == "GET":
            self._polled[request.key] = exchange
        await answer_of(route, exchange)

    async def _load(self, request: Request, load: Load, kind: str) -> Fetched | None:
        """Ask our own client; None where there is no answer that could be handed on."""
        self._asked += 1
        fetched = await load(request)
        self.loaded += fetched.exchanges
        self.rights += fetched.rights
        self._bytes += sum(len(exchange.response_bytes or b"") for exchange in fetched.exchanges)
        last = fetched.exchanges[-1] if fetched.exchanges else None
        is_whole = last is not None and last.error is None and last.status is not None
        self._judge(request, fetched, kind)
        if is_whole and fetched.verdict.outcome not in (FetchOutcome.ROBOTS, FetchOutcome.QUEUED):
            return fetched
        if fetched.verdict.outcome in (FetchOutcome.ROBOTS, FetchOutcome.REFUSED):
            self.say(f"{request.url} is not loaded: {fetched.verdict.reason}")
        return None

    def _judge(self, request: Request, fetched: Fetched, kind: str) -> None:
        """Whether data that the page may have its content from failed; a refusal at its beginning (who is logged in?) is ordinary."""
        if kind not in _DATA or fetched.verdict.outcome is FetchOutcome.QUEUED:
            return
        place, host = request.url.partition("?")[0], host_and_port(request.url)
        last = fetched.exchanges[-1] if fetched.exchanges else None
        status = last.status if last is not None and last.error is None else None
        if self.is_open and last is not None and _is_refusal(last):
            self._failed[place] = f"{request.url} was answered with errors", True
        elif status is not None and (status < 400 or status in _NO_MORE):
            self._data_hosts.add(host)
            self._failed.pop(place, None)
        elif status is not None and status < 500 and status != _TOO_MANY and not self.is_open:
            return
        elif (self.may_follow(request.url) is None or host in self._data_hosts) and len(self._failed) < _MOST_FAILED:
            passes = fetched.verdict.outcome in (FetchOutcome.ERROR, FetchOutcome.FETCHED) and not fetched.permanent
            self._failed[place] = f"{request.url} could not be had: {fetched.verdict.reason}", passes

    async def _answer_navigation(self, route: Route, request: Request, *, is_top: bool) -> None:
        """A document, of the page or of a frame in it."""
        ready = self.moved.pop(request.url, None)
        if is_top and self.opening is not None:
            ready, self.opening = self.opening, None
        if ready is not None:
            await answer_of(route, ready.exchanges[-1], encoding=self.web.encoding)
            return
        reason = self.may_follow(request.url)
        if reason is None and is_top and (self.is_open or self._navigations >= _MOST_NAVIGATIONS):
            reason = "it was read already" if self.is_open else f"it leads on more than {_MOST_NAVIGATIONS} times"
        if reason is not None:
            if is_top and self.is_open:
                self.led = request.url
            elif is_top:
                self.left = f"{reason} ({request.url})"
            await route.abort("aborted")  # which leaves the page as it is
            return
        self._navigations += is_top
        fetched = await (self.follow(request) if is_top else self._load_frame(request))
        if is_top and fetched is not None:
            self.hops.append(fetched)
            self.rights += fetched.rights
        if fetched is None or fetched.capture is None:
            await route.abort("aborted")
        elif without_fragment(fetched.final_url) != request.url:
            self.moved[without_fragment(fetched.final_url)] = fetched
            await moved_answer(route, fetched.final_url)
        else:
            await answer_of(route, fetched.exchanges[-1], encoding=self.web.encoding)

    async def _load_frame(self, request: Request) -> Fetched | None:
        return await self._load(request, self.follow, "frame")


def _is_refusal(exchange: Exchange) -> bool:
    """Whether an answer has errors in the place of data, as those to GraphQL have, whose status is always 200."""
    if exchange.status != HTTPStatus.OK or b'"errors"' not in exchange.entity[:_LONGEST_REFUSAL]:
        return False
    try:
        told = orjson.loads(exchange.entity)
    except orjson.JSONDecodeError:
        return False
    return isinstance(told, dict) and bool(told.get("errors")) and not told.get("data")
