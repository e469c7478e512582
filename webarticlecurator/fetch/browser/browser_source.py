"""A source of pages that shows them in a browser where the portal file asks for it; the browser starts with
the first of them."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Coroutine, Sequence
from concurrent.futures import wait
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Any, TypeVar

from playwright.async_api import Error

from webarticlecurator.fetch.browser.engine import Engine
from webarticlecurator.fetch.browser.shown_page import MOST_HTML, NotShown, ShownPage
from webarticlecurator.fetch.browser.traffic import PortalClient, Traffic
from webarticlecurator.fetch.web import Web
from webarticlecurator.model.capture import Capture, Exchange, Fetched, Rendered, Rendering, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.protocol.message import mime_of

_PAGE_TYPES = frozenset({"", "text/html", "application/xhtml+xml"})

T = TypeVar("T")


@dataclass(slots=True, eq=False)
class BrowserSource:
    """Answers requests as the web does, and those with a `rendering` as a browser shows the answer; safe to
    use from several threads."""

    engine: Engine
    web: Web
    keeps_out: Callable[[Capture], bool]
    """Return True if an answer is a wall that no browser is to be sent against."""
    _client: PortalClient = field(init=False)
    _open: dict[str, ShownPage] = field(init=False, default_factory=dict)
    """Pages that go on to grow, by the key of their first request; the one that waits for the longest is the
    first. All that has to do with them happens in the browser's thread."""

    def __post_init__(self) -> None:
        self._client = PortalClient(self.web)

    def close(self) -> None:
        self._client.close()
        with contextlib.suppress(Exception):
            self.engine.submit(self._leave()).result(15)

    async def _leave(self) -> None:
        for shown in self._open.values():
            await self.engine.close_page(shown.page)
        await self.engine.leave(self.web)

    def fetch(self, request: Request) -> Fetched:
        """Answer one request; failures are verdicts, never exceptions."""
        rendering = request.rendering
        if (
            rendering is not None
            and rendering.steps is not None
            and (grown := self._wait(request, self._grow(request))) is not None
        ):
            return grown
        fetched = self.web.fetch(request)
        capture = fetched.capture
        if (
            rendering is None
            or capture is None
            or mime_of(capture.headers) not in _PAGE_TYPES
            or self.keeps_out(capture)
        ):
            return fetched
        return self._wait(request, self._show(fetched, rendering))

    def _wait(self, request: Request, work: Coroutine[Any, Any, T]) -> T | Fetched:
        """Return what the browser's thread makes of it, unless a person interrupts."""
        future = self.engine.submit(work)
        while not wait([future], 0.2).done:  # seconds between two looks at whether a person has interrupted
            if self.web.stop.is_set():
                future.cancel()
                return Fetched(request=request, verdict=Verdict(FetchOutcome.QUEUED, "interrupted"))
        return future.result()

    async def _grow(self, request: Request) -> Fetched | None:
        """The next step of an open page; None where it is not open any more, or fails: it is closed then, to
        be shown anew."""
        shown = self._open.pop(_key(request), None)
        if shown is None:
            return None
        result = None
        try:
            if shown.step == request.step - 1 and not shown.page.is_closed():
                async with self.engine.room:
                    await shown.grow()
                    html = await shown.read(whole=False)
                if html is not None:
                    base = replace(shown.traffic.hops[0], request=request, exchanges=(), rights=(), loaded=())
                    result = self._result(base, shown, html)
        except (NotShown, Error):
            pass
        finally:
            await self._keep_or_close(shown, result)
        return result

    async def _show(self, document: Fetched, rendering: Rendering) -> Fetched:
        """Show a page; where the browser fails, once more."""
        reason = ""
        for _ in range(2):
            shown, result = None, None
            try:
                async with self.engine.room:
                    page = await self.engine.new_page(self.web, self._client.cookies())
                    shown = ShownPage(page, Traffic(page, document, self._client), rendering)
                    await shown.show()
                    html = await shown.read()
                    await self._client.take_cookies(page.context)
                exchanges = tuple(exchange for hop in shown.traffic.hops for exchange in hop.exchanges)
                result = self._result(replace(document, exchanges=exchanges), shown, html)
                return result
            except (NotShown, Error, TimeoutError) as error:
                reason = str(error).partition("\n")[0] or "it does not answer"
                if shown is not None:
                    shown.traffic.loaded += [
                        exchange for hop in shown.traffic.hops[1:] for exchange in hop.exchanges
                    ]
                    document = shown.traffic.added_to(document)
            finally:
                if shown is not None:
                    await self._keep_or_close(shown, result)
        return replace(
            document,
            verdict=Verdict(FetchOutcome.ERROR, f"the browser failed at it again: {reason}"),
            capture=None,
        )

    async def _keep_or_close(self, shown: ShownPage, result: Fetched | None) -> None:
        """Keep or close a page: what goes on to grow stays open for the next step; the page that waits for
        the longest is closed for it."""
        surplus: ShownPage | None = shown
        if (
            shown.rendering.steps is not None
            and not shown.is_done
            and result is not None
            and result.capture is not None
        ):
            self._open[_key(result.request)] = shown
            surplus = self._open.pop(next(iter(self._open))) if len(self._open) > 2 else None
        if surplus is not None:
            await self.engine.close_page(surplus.page)

    def _result(self, fetched: Fetched, shown: ShownPage, html: bytes | None) -> Fetched:
        """Return what one step of a page came to, with all that was loaded for it."""
        traffic, last, request, trouble = (
            shown.traffic,
            shown.traffic.hops[-1],
            fetched.request,
            shown.trouble,
        )
        result = traffic.added_to(replace(fetched, capture=None))
        if html is None:
            return replace(
                result,
                verdict=Verdict(
                    FetchOutcome.TOO_BIG, f"the page as it is shown is larger than {MOST_HTML / 1e6:g} MB"
                ),
            )
        limit = traffic.limit if shown.end is None else None
        if trouble is not None:
            limit = trouble.reason
        rendered = Rendered(
            html=html,
            date=self.web.now(),
            browser=f"Chromium {self.engine.version}",
            step=request.step,
            end=shown.end,
            limit=limit,
            lack=traffic.lack if limit is not None else None,
        )
        result = replace(result, rendered=rendered)
        if last.capture is None:
            return replace(result, verdict=last.verdict)
        if trouble is not None:
            why = _failed_loads(result.loaded) if trouble.outcome is FetchOutcome.ERROR else ""
            return replace(result, verdict=Verdict(trouble.outcome, f"{trouble.reason}{why}"))
        capture = Capture(
            url=shown.url,
            requested_url=request.url,
            method=last.request.method,
            status=HTTPStatus.OK,
            headers=(("Content-Type", "text/html; charset=utf-8"),),
            entity=html,
            date=rendered.date,
            is_rendered=True,
        )
        return replace(result, capture=capture)


def _failed_loads(loaded: Sequence[Exchange]) -> str:
    """Return how many of the things that a page asked for failed, as the end of a sentence; empty if none
    did."""
    failed = [
        exchange
        for exchange in loaded
        if exchange.status is None or exchange.status >= HTTPStatus.BAD_REQUEST
    ]
    if not failed:
        return ""
    answer = f"HTTP {failed[0].status}" if failed[0].status is not None else failed[0].error
    return f"; of what the page asked for, {len(failed)} failed, such as {failed[0].request.url} ({answer})"


def _key(request: Request) -> str:
    """Return what the steps of one page have in common."""
    return replace(request, step=0).key
