"""A source of pages that shows them in a browser where the portal file asks for it; the browser starts with the first of them."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import wait
from dataclasses import replace
from datetime import datetime
from http import HTTPStatus
from typing import Any, TypeVar

from webarticlecurator.fetch.browser.engine import Engine
from webarticlecurator.fetch.browser.shown_page import MOST_HTML, ShownPage, Step, Trouble
from webarticlecurator.fetch.browser.traffic import PortalClient, Traffic
from webarticlecurator.fetch.response import media_type
from webarticlecurator.fetch.web import MayFollow, Web
from webarticlecurator.model.capture import Capture, Exchange, Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.model.rendering import IDLE, Rendered, Rendering

_PAGE_TYPES = frozenset({"", "text/html", "application/xhtml+xml"})
_CONDITIONS = frozenset({"if-none-match", "if-modified-since"})
_HTML = (("Content-Type", "text/html; charset=utf-8"),)
_GLANCE = 0.2
"""Seconds between two looks at whether a person has interrupted."""
_TRIES = 2
_MOST_TRIES = 5
"""With those where another page was the reason that the browser ended."""
_MOST_OPEN = 2
"""Pages that stay open because a walk goes on through them."""
_CLOSING = 15.0

T = TypeVar("T")


class BrowserSource:
    """Answers requests as the web does, and those with a `rendering` as a browser shows the answer; safe to use from several threads."""

    def __init__(
        self,
        engine: Engine,
        web: Web,
        *,
        may_follow: MayFollow,
        stop: threading.Event,
        say: Callable[[str], None],
        keeps_out: Callable[[Capture], bool],
        now: Callable[[], datetime],
        language: str,
        timezone: str,
    ) -> None:
        """`keeps_out`: whether an answer is a wall that no browser is to be sent against. `language` and `timezone`: scripts write
        dates, and choose what they show, as it suits the person that they take for the reader."""
        self._engine = engine
        self._client = PortalClient(web, may_follow=may_follow, say=say)
        self._stop = stop
        self._keeps_out = keeps_out
        self._now = now
        self._reader = {"language": language, "timezone": timezone}
        self._lock = threading.Lock()
        self._open: dict[str, ShownPage] = {}
        """By the key of their first request; the one that waits for the longest is the first."""

    def close(self) -> None:
        """Close what is open in the browser."""
        self._client.close()
        with contextlib.suppress(Exception):
            self._engine.submit(self._leave()).result(_CLOSING)

    async def _leave(self) -> None:
        for shown in self._open.values():
            await self._engine.close_page(shown.page)
        await self._engine.leave(self)

    def fetch(self, request: Request) -> Fetched:
        """Answer one request; failures are verdicts, never exceptions."""
        web, may_follow, rendering = self._client.web, self._client.may_follow, request.rendering
        if rendering is None:
            return web.fetch(request, may_follow=may_follow)
        with self._lock:
            shown = self._open.pop(replace(request, step=0).key, None) if request.step else None
        if shown is not None and (grown := self._wait(request, self._grow(shown, request))) is not None:
            return grown
        # Whether the document has changed says nothing of the data that its scripts fetch.
        headers = tuple((name, value) for name, value in request.headers if name.lower() not in _CONDITIONS)
        fetched = web.fetch(replace(request, headers=headers), may_follow=may_follow)
        capture = fetched.capture
        if capture is None or media_type(capture.headers) not in _PAGE_TYPES or self._keeps_out(capture):
            return fetched
        return self._wait(request, self._show(fetched, rendering))

    def _wait(self, request: Request, work: Coroutine[Any, Any, T]) -> T | Fetched:
        """What the browser's thread makes of it, unless a person interrupts."""
        future = self._engine.submit(work)
        while not wait([future], _GLANCE).done:
            if self._stop.is_set():
                future.cancel()
                return Fetched(request=request, verdict=Verdict(FetchOutcome.QUEUED, "interrupted"))
        return future.result()

    async def _grow(self, shown: ShownPage, request: Request) -> Fetched | None:
        """The next step of an open page; None where it is not there any more, or has failed."""
        from playwright.async_api import Error

        result, came_to = None, Step()
        try:
            if shown.step == request.step - 1 and not shown.page.is_closed():
                shown.step = request.step
                async with self._engine.room:
                    came_to, html = await shown.grow(), await shown.read(whole=False)
                if html is not None:
                    base = replace(shown.document, request=request, exchanges=(), rights=(), loaded=())
                    result = self._result(base, shown, html, came_to)
        except (Trouble, Error):
            pass
        finally:
            await self._leave_open_or_close(shown, is_open=result is not None and not came_to.is_last)
        return result

    async def _show(self, fetched: Fetched, rendering: Rendering) -> Fetched:
        """Show a page; where the browser fails, once more."""
        from playwright.async_api import Error

        reason, tries = "", 0
        for _ in range(_MOST_TRIES):
            shown, result, came_to = None, None, Step()
            try:
                async with self._engine.room:
                    page = await self._engine.new_page(self, cookies=self._client.cookies(), **self._reader)
                    shown = ShownPage(page, Traffic(page, fetched, rendering, self._client), fetched, rendering)
                    await page.route("**/*", shown.traffic.answer)
                    came_to, html = await shown.show(), await shown.read()
                    await self._client.take_cookies(page.context)
                result = self._result(fetched, shown, html, came_to)
                return result
            except (Trouble, Error, TimeoutError) as error:
                reason = str(error).partition("\n")[0] or "it does not answer"
                # Where another page had the browser ended, this one has not had its try.
                tries += shown is None or shown.browser.is_connected()
                if shown is not None:
                    in_vain = (*shown.traffic.loaded, *(exchange for hop in shown.traffic.hops for exchange in hop.exchanges))
                    fetched = replace(fetched, loaded=(*fetched.loaded, *in_vain), rights=(*fetched.rights, *shown.traffic.rights))
            finally:
                if shown is not None:
                    grows = rendering.steps is not None and result is not None and result.capture is not None
                    await self._leave_open_or_close(shown, is_open=grows and not came_to.is_last)
            if tries == _TRIES:
                break
        return replace(fetched, verdict=Verdict(FetchOutcome.ERROR, f"the browser failed at it again: {reason}"), capture=None)

    async def _leave_open_or_close(self, shown: ShownPage, *, is_open: bool) -> None:
        """`is_open`: for the next step; the page that waits for the longest is closed for it."""
        surplus = [] if is_open else [shown]
        with self._lock:
            if is_open:
                key = replace(shown.document.request, step=0).key
                surplus += [self._open.pop(key)] if key in self._open else []
                self._open[key] = shown
                if len(self._open) > _MOST_OPEN:
                    surplus.append(self._open.pop(next(iter(self._open))))
        for page in surplus:
            await self._engine.close_page(page.page)

    def _result(self, fetched: Fetched, shown: ShownPage, html: bytes | None, came_to: Step) -> Fetched:
        traffic, request = shown.traffic, fetched.request
        last = traffic.hops[-1] if traffic.hops else fetched
        result = replace(fetched, capture=None, loaded=(*fetched.loaded, *traffic.loaded), rights=(*fetched.rights, *traffic.rights))
        traffic.loaded, traffic.rights = [], []
        if html is None:
            return replace(result, verdict=Verdict(FetchOutcome.TOO_BIG, f"the page as it is shown is larger than {MOST_HTML / 1e6:g} MB"))
        limit = came_to.trouble or came_to.limit or (traffic.limit if came_to.end is None else None)
        rendered = Rendered(
            html=html,
            date=self._now(),
            browser=f"Chromium {shown.browser.version}",
            step=request.step,
            end=came_to.end,
            limit=limit,
            lack=traffic.lack if limit is not None else None,
        )
        hops = [exchange for hop in traffic.hops for exchange in hop.exchanges] if fetched.exchanges else []
        result = replace(result, exchanges=(*fetched.exchanges, *hops), rendered=rendered)
        if last.capture is None:
            return replace(result, verdict=last.verdict, permanent=last.permanent)
        if traffic.left is not None and (came_to.trouble is not None or shown.rendering.wait == IDLE):
            return replace(result, verdict=Verdict(FetchOutcome.REFUSED, f"the page itself leads elsewhere: {traffic.left}"))
        if came_to.trouble is not None:
            return replace(result, verdict=Verdict(FetchOutcome.ERROR, f"{came_to.trouble}{_failed(result.loaded)}"))
        capture = Capture(
            url=shown.url,
            requested_url=request.url,
            method=last.request.method,
            status=HTTPStatus.OK,
            headers=_HTML,
            entity=html,
            date=rendered.date,
            is_rendered=True,
        )
        return replace(result, capture=capture)


def _failed(loaded: Sequence[Exchange]) -> str:
    """What may be why something did not come."""
    failed = [exchange for exchange in loaded if exchange.status is None or exchange.status >= HTTPStatus.BAD_REQUEST]
    if not failed:
        return ""
    answer = f"HTTP {failed[0].status}" if failed[0].status is not None else failed[0].error
    return f"; of what the page asked for, {len(failed)} failed, such as {failed[0].request.url} ({answer})"
