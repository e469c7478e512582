"""A source of pages that shows them in a browser where the portal file asks for it; the browser starts with the first of them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from webarticlecurator.fetch.browser.cache import LoadedCache
from webarticlecurator.fetch.browser.engine import Engine, Interrupted
from webarticlecurator.fetch.browser.limits import BrowserLimits
from webarticlecurator.fetch.browser.shown_page import ShownPage, Trouble, Unshown
from webarticlecurator.fetch.browser.traffic import Traffic
from webarticlecurator.fetch.politeness import StopSignal
from webarticlecurator.fetch.verdicts import media_type
from webarticlecurator.fetch.web import MayFollow, Web
from webarticlecurator.model.capture import Capture, Exchange, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.rendering import Rendered, Rendering

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext

_PAGE_TYPES = frozenset({"", "text/html", "application/xhtml+xml"})
_CONDITIONS = frozenset({"if-none-match", "if-modified-since"})
_HTML = (("Content-Type", "text/html; charset=utf-8"),)
_TRIES = 2
_MOST_BEGUN = 6
"""How often the browser may be taken from a page, be it for that page or for another, before it is given up."""


@dataclass(slots=True)
class _Loaded:
    """What showing a page took, over all tries."""

    exchanges: tuple[Exchange, ...] = ()
    rights: tuple[Exchange, ...] = ()

    def add(self, traffic: Traffic) -> None:
        exchanges, rights = traffic.take()
        self.exchanges += exchanges
        self.rights += rights


class BrowserSource:
    """Answers requests as the web does, and those with a `rendering` as a browser shows the answer; safe to use from several threads."""

    def __init__(
        self,
        web: Web,
        *,
        may_follow: MayFollow,
        stop: StopSignal,
        say: Callable[[str], None],
        keeps_out: Callable[[Capture], bool] = lambda _: False,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        limits: BrowserLimits | None = None,
    ) -> None:
        """`keeps_out`: whether an answer is a wall that no browser is to be sent against."""
        self._web = web
        self._may_follow = may_follow
        self._say = say
        self._keeps_out = keeps_out
        self._now = now
        self._limits = limits or BrowserLimits()
        self._engine = Engine(web.cookies, stop=stop, say=say, limits=self._limits)
        self._cache = LoadedCache()
        self._room = asyncio.Semaphore(self._limits.at_once)
        self._told: set[str] = set()

    def close(self) -> None:
        """End the browser, if one was begun."""
        self._engine.close()

    def fetch(self, request: Request) -> Fetched:
        """Answer one request; failures are verdicts, never exceptions."""
        rendering = request.rendering
        if rendering is None:
            return self._web.fetch(request, may_follow=self._may_follow)
        # Whether the document has changed says nothing of the data that its scripts fetch.
        headers = tuple((name, value) for name, value in request.headers if name.lower() not in _CONDITIONS)
        fetched = self._web.fetch(replace(request, headers=headers), may_follow=self._may_follow)
        capture = fetched.capture
        if capture is None or media_type(capture.headers) not in _PAGE_TYPES or self._keeps_out(capture):
            return fetched
        try:
            return self._engine.run(lambda: self._show(fetched, rendering))
        except Interrupted:
            return replace(fetched, verdict=Verdict(FetchOutcome.QUEUED, "interrupted"), capture=None)

    async def _show(self, fetched: Fetched, rendering: Rendering) -> Fetched:
        loaded = _Loaded()
        reason, tries = "", 0
        for _ in range(_MOST_BEGUN):
            generation = self._engine.generation
            try:
                async with self._room:
                    return await self._show_once(fetched, rendering, loaded)
            except Trouble as trouble:
                reason = self._engine.ended_because or str(trouble)
                tries += 1
                if self._engine.generation == generation:
                    await self._engine.replace()
            if tries == _TRIES:
                break
        verdict = Verdict(FetchOutcome.ERROR, f"the browser was begun anew for it, and failed again: {reason}")
        return replace(fetched, verdict=verdict, capture=None, loaded=loaded.exchanges, rights=(*fetched.rights, *loaded.rights))

    async def _show_once(self, fetched: Fetched, rendering: Rendering, loaded: _Loaded) -> Fetched:
        async with self._engine.new_page() as page:
            traffic = self._traffic(fetched, rendering, page.context)
            shown = ShownPage(page, traffic, rendering, self._limits)
            await page.route("**/*", lambda route: traffic.answer(route, page))
            trouble: str | None = None
            html = b""
            try:
                try:
                    await shown.open(fetched.final_url)
                except Unshown as unshown:
                    trouble = str(unshown)
                html = await shown.read()
                await self._engine.cookies.take(page.context)
                await shown.close()
            finally:
                loaded.add(traffic)
        return self._result(fetched, traffic, loaded, html, trouble)

    def _result(self, fetched: Fetched, traffic: Traffic, loaded: _Loaded, html: bytes, trouble: str | None) -> Fetched:
        rendered = Rendered(html=html, date=self._now(), browser=self._engine.name, limit=traffic.limit or trouble)
        last = traffic.hops[-1] if traffic.hops else fetched
        result = replace(
            fetched,
            exchanges=(*fetched.exchanges, *(exchange for hop in traffic.hops for exchange in hop.exchanges)),
            loaded=loaded.exchanges,
            rights=(*fetched.rights, *loaded.rights),
            rendered=rendered,
            capture=None,
        )
        if last.capture is None:
            return replace(result, verdict=last.verdict, permanent=last.permanent)
        if traffic.left is not None and (trouble is not None or traffic.rendering.wait == "idle"):
            return replace(result, verdict=Verdict(FetchOutcome.REFUSED, f"the page itself leads elsewhere: {traffic.left}"))
        if trouble is not None:
            return replace(result, verdict=Verdict(FetchOutcome.ERROR, trouble))
        capture = Capture(
            url=last.final_url,
            requested_url=fetched.request.url,
            method=last.request.method,
            status=200,
            headers=_HTML,
            entity=html,
            date=rendered.date,
            is_rendered=True,
        )
        return replace(result, capture=capture)

    def _traffic(self, fetched: Fetched, rendering: Rendering, context: BrowserContext) -> Traffic:
        async def load(request: Request) -> Fetched:
            await self._engine.cookies.take(context)
            return await self._engine.in_thread(lambda: self._web.load(request))

        async def follow(request: Request) -> Fetched:
            await self._engine.cookies.take(context)
            return await self._engine.in_thread(lambda: self._web.fetch(request, may_follow=self._may_follow))

        return Traffic(
            web=self._web,
            load=load,
            follow=follow,
            may_follow=self._may_follow,
            cache=self._cache,
            rendering=rendering,
            limits=self._limits,
            say=self._say_once,
            opening=fetched,
        )

    def _say_once(self, message: str) -> None:
        if message not in self._told and len(self._told) < 1000:
            self._told.add(message)
            self._say(message)
