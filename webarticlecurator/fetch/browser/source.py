"""A source of pages that shows them in a browser where the portal file asks for it; the browser starts with the first of them."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from http import HTTPStatus
from typing import TYPE_CHECKING, Any, Literal

from webarticlecurator.fetch.browser.cache import LoadedCache
from webarticlecurator.fetch.browser.engine import Engine, Interrupted, Reader
from webarticlecurator.fetch.browser.limits import BrowserLimits
from webarticlecurator.fetch.browser.shown_page import ShownPage, Step, TooLarge, Trouble, Unshown
from webarticlecurator.fetch.browser.traffic import Traffic
from webarticlecurator.fetch.politeness import StopSignal
from webarticlecurator.fetch.verdicts import media_type
from webarticlecurator.fetch.web import MayFollow, Web
from webarticlecurator.model.capture import Capture, Exchange, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.rendering import IDLE, Rendered, Rendering

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


@dataclass(frozen=True, slots=True)
class _Kept:
    """A page that stays open because a walk goes on through it."""

    shown: ShownPage
    fetched: Fetched
    """What was asked for it."""
    url: str
    """Of its document."""
    step: int
    generation: int
    """Of the browser that it is open in."""


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
        reader: Reader | None = None,
    ) -> None:
        """`keeps_out`: whether an answer is a wall that no browser is to be sent against."""
        self._web = web
        self._may_follow = may_follow
        self._say = say
        self._keeps_out = keeps_out
        self._now = now
        self._limits = limits or BrowserLimits()
        self._engine = Engine(web.cookies, reader or Reader(), stop=stop, say=say, limits=self._limits)
        self._cache = LoadedCache()
        self._lock = threading.Lock()
        self._kept: dict[str, _Kept] = {}
        """By the key of their first request; the one that waits for the longest is the first."""
        self._told: set[str] = set()

    def close(self) -> None:
        """End the browser, if one was begun."""
        self._engine.close()

    def fetch(self, request: Request) -> Fetched:
        """Answer one request; failures are verdicts, never exceptions."""
        rendering = request.rendering
        if rendering is None:
            return self._web.fetch(request, may_follow=self._may_follow)
        kept = self._take_kept(request)
        if kept is not None and (grown := self._run(request, lambda: self._go_on(kept, request))) is not None:
            return grown
        # Whether the document has changed says nothing of the data that its scripts fetch.
        headers = tuple((name, value) for name, value in request.headers if name.lower() not in _CONDITIONS)
        fetched = self._web.fetch(replace(request, headers=headers), may_follow=self._may_follow)
        capture = fetched.capture
        if capture is None or media_type(capture.headers) not in _PAGE_TYPES or self._keeps_out(capture):
            return fetched
        shown = self._run(request, lambda: self._show(fetched, rendering))
        return shown or fetched

    def _run(self, request: Request, work: Callable[[], Coroutine[Any, Any, Fetched | None]]) -> Fetched | None:
        try:
            return self._engine.run(work)
        except Interrupted:
            return Fetched(request=request, verdict=Verdict(FetchOutcome.QUEUED, "interrupted"))

    # -- pages that stay open -----------------------------------------------------------------------------------------

    def _take_kept(self, request: Request) -> _Kept | None:
        """The page that was left open one step before this request."""
        if not request.step:
            return None
        with self._lock:
            kept = self._kept.pop(replace(request, step=0).key, None)
        return kept if kept is not None and kept.step == request.step - 1 else None

    async def _keep(self, request: Request, kept: _Kept) -> None:
        """Leave a page open for the next step; the one that waits for the longest is closed for it."""
        key = replace(request, step=0).key
        with self._lock:
            surplus = [self._kept.pop(key)] if key in self._kept else []
            self._kept[key] = kept
            if len(self._kept) > self._limits.kept:
                surplus.append(self._kept.pop(next(iter(self._kept))))
        for one in surplus:
            await _close(one.shown)

    async def _go_on(self, kept: _Kept, request: Request) -> Fetched | None:
        """The next step of an open page; None where it is not there any more, or has failed."""
        if kept.generation != self._engine.generation:
            return None
        from playwright.async_api import Error

        loaded = _Loaded()
        try:
            async with self._engine.working():
                came_to = await kept.shown.grow(_steps_of(request))
                html = await kept.shown.read(whole=False)
        except (Trouble, Error):
            await _close(kept.shown)
            return None
        loaded.add(kept.shown.traffic)
        await self._keep_or_close(request, replace(kept, step=request.step), came_to)
        base = replace(kept.fetched, request=request, exchanges=(), rights=())
        return self._result(base, kept.shown.traffic, loaded, html, came_to, url=kept.url)

    async def _keep_or_close(self, request: Request, kept: _Kept, came_to: Step) -> None:
        if _steps_of(request) is not None and not came_to.is_last:
            await self._keep(request, kept)
        else:
            await _close(kept.shown)

    # -- one page -----------------------------------------------------------------------------------------------------

    async def _show(self, fetched: Fetched, rendering: Rendering) -> Fetched:
        """Show a page; where that fails for the browser's sake, once more in a new one."""
        from playwright.async_api import Error

        loaded = _Loaded()
        reason, tries = "", 0
        for _ in range(_MOST_BEGUN):
            generation = self._engine.generation
            try:
                async with self._engine.working():
                    return await self._show_once(fetched, rendering, loaded)
            except (Trouble, Error, TimeoutError) as trouble:
                reason = self._engine.ended_because or str(trouble).partition("\n")[0] or "it does not answer"
                is_ours = self._engine.generation == generation
                # Where another page had the browser ended, this one has not had its try.
                tries += is_ours or self._engine.ended_because is not None
                if is_ours:
                    await self._engine.replace()
            if tries == _TRIES:
                break
        reason = f"the browser was begun anew for it, and failed again: {reason}"
        return self._unshown(fetched, loaded, Verdict(FetchOutcome.ERROR, reason))

    def _unshown(self, fetched: Fetched, loaded: _Loaded, verdict: Verdict) -> Fetched:
        return replace(fetched, verdict=verdict, capture=None, loaded=loaded.exchanges, rights=(*fetched.rights, *loaded.rights))

    async def _show_once(self, fetched: Fetched, rendering: Rendering, loaded: _Loaded) -> Fetched:
        request = fetched.request
        page = await self._engine.new_page()
        traffic = self._traffic(fetched, rendering, page.context)
        shown = ShownPage(page, traffic, rendering, self._limits)
        try:
            await page.route("**/*", lambda route: traffic.answer(route, page))
            try:
                await shown.open(fetched.final_url)
                came_to = await shown.grow_to(_steps_to(request), _steps_of(request))
            except Unshown as unshown:
                came_to = Step(trouble=str(unshown))
            try:
                html = await shown.read()
            except TooLarge as too_large:
                loaded.add(traffic)
                await _close(shown)
                return self._unshown(fetched, loaded, Verdict(FetchOutcome.TOO_BIG, str(too_large)))
            await self._engine.cookies.take(page.context)
        except (Exception, asyncio.CancelledError):
            loaded.add(traffic)
            loaded.exchanges += tuple(exchange for hop in traffic.hops for exchange in hop.exchanges)
            await _close(shown)
            raise
        loaded.add(traffic)
        result = self._result(fetched, traffic, loaded, html, came_to)
        kept = _Kept(shown, fetched, result.final_url, request.step, self._engine.generation)
        await self._keep_or_close(request, kept, came_to if result.capture is not None else Step(trouble="not shown"))
        return result

    def _result(
        self,
        fetched: Fetched,
        traffic: Traffic,
        loaded: _Loaded,
        html: bytes,
        came_to: Step,
        url: str | None = None,
    ) -> Fetched:
        """`url`: of the document, where it was there before."""
        trouble = came_to.trouble
        limit = trouble or came_to.limit or (traffic.limit if came_to.end is None else None)
        request, hops = fetched.request, traffic.hops if url is None else []
        last = hops[-1] if hops else fetched
        result = replace(
            fetched,
            exchanges=(*fetched.exchanges, *(exchange for hop in hops for exchange in hop.exchanges)),
            loaded=loaded.exchanges,
            rights=(*fetched.rights, *loaded.rights),
            rendered=Rendered(
                html=html,
                date=self._now(),
                browser=self._engine.name,
                step=request.step,
                end=came_to.end,
                limit=limit,
                lack=traffic.lack if limit is not None else None,
            ),
            capture=None,
        )
        if last.capture is None:
            return replace(result, verdict=last.verdict, permanent=last.permanent)
        if traffic.left is not None and (trouble is not None or traffic.rendering.wait == IDLE):
            return replace(result, verdict=Verdict(FetchOutcome.REFUSED, f"the page itself leads elsewhere: {traffic.left}"))
        if trouble is not None:
            return replace(result, verdict=Verdict(FetchOutcome.ERROR, f"{trouble}{_failed(loaded.exchanges)}"))
        assert result.rendered is not None
        capture = Capture(
            url=url or last.final_url,
            requested_url=request.url,
            method=last.request.method,
            status=200,
            headers=_HTML,
            entity=html,
            date=result.rendered.date,
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


def _steps_of(request: Request) -> Literal["scroll", "click"] | None:
    """How the page is to grow step by step, if it is."""
    return request.rendering.steps if request.rendering is not None else None


def _steps_to(request: Request) -> int:
    """How many steps are taken before the page is read."""
    rendering = request.rendering
    if rendering is None or rendering.steps is not None:
        return request.step
    return rendering.scroll.most if rendering.scroll is not None else 0


async def _close(shown: ShownPage) -> None:
    with contextlib.suppress(Exception):
        await shown.close()


def _failed(loaded: Sequence[Exchange]) -> str:
    """What may be why something did not come."""
    failed = [one for one in loaded if one.status is None or one.status >= HTTPStatus.BAD_REQUEST]
    if not failed:
        return ""
    answer = f"HTTP {failed[0].status}" if failed[0].status is not None else failed[0].error
    return f"; of what the page asked for, {len(failed)} failed, such as {failed[0].request.url} ({answer})"
