"""The running browser of one portal: begun with its first page, replaced when it hangs or grows, ended with the run."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from webarticlecurator.errors import UsageError
from webarticlecurator.fetch.browser.cookies import SharedCookies
from webarticlecurator.fetch.browser.limits import BrowserLimits
from webarticlecurator.fetch.browser.program import Nowhere, find_program, launch_options, needed_extra
from webarticlecurator.fetch.politeness import StopSignal
from webarticlecurator.fetch.request import Cookies
from webarticlecurator.fetch.response import MEGABYTE

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page, Playwright, Route, WebSocketRoute

    from webarticlecurator.fetch.browser.processes import Processes

_GLANCE = 0.2
"""Seconds between two looks at whether a person has interrupted."""
_WATCHED_EVERY = 0.5
_CLOSING = 10.0
_THREADS = 24
"""Requests of pages that are made, or wait for their host's turn, at the same time."""
_BEFORE_SCRIPTS = """(() => {
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (init) { return attach.call(this, {...init, mode: "open"}); };
    for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) delete globalThis[name];
    Object.defineProperty(globalThis, "localStorage", {configurable: true, get: () => globalThis.sessionStorage});
})()"""
"""Closed shadow trees are seen by people, so they are to be read. What speaks past HTTP is not there, whatever becomes of its flags.
What one page keeps another does not find, lest the text of one article be shown for another."""

T = TypeVar("T")


class Room:
    """How many browsers one process may have at the same time; portals beyond that take turns."""

    def __init__(self, most: int) -> None:
        self._free = threading.Semaphore(most)
        self.waiting: set[object] = set()
        """Who has no browser yet."""

    async def take(self) -> None:
        """Wait for one to be free."""
        me = object()
        self.waiting.add(me)
        try:
            while not self._free.acquire(blocking=False):
                await asyncio.sleep(_GLANCE)
        finally:
            self.waiting.discard(me)

    def give_back(self) -> None:
        """One has ended."""
        self._free.release()


ROOM = Room(4)
_TURN = 50
"""Pages after which a browser makes room for another portal's, where one waits."""


class Interrupted(Exception):
    """A person ended the run."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Whom scripts take the person before the browser for: they write dates, and choose the language, as it suits that one."""

    language: str = "en-US"
    timezone: str = "UTC"


class Engine:
    """A browser with one context, driven from one thread of its own."""

    def __init__(self, jar: Cookies, reader: Reader, *, stop: StopSignal, say: Callable[[str], None], limits: BrowserLimits) -> None:
        self.cookies = SharedCookies(jar)
        self.limits = limits
        self._reader = reader
        self.name = ""
        """"Chromium 156.0.8078.79", once it runs."""
        self._stop = stop
        self._say = say
        self._lock = threading.Lock()
        self._loop: asyncio.AbstractEventLoop | None = None
        self._thread: threading.Thread | None = None
        self._requests = ThreadPoolExecutor(_THREADS, thread_name_prefix="page-request")
        self._nowhere: Nowhere | None = None
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._context: BrowserContext | None = None
        self._processes: Processes | None = None
        self._watch: asyncio.Task[None] | None = None
        self._starting = asyncio.Lock()
        self._under_way: set[asyncio.Task[Any]] = set()
        self._pages: set[Page] = set()
        self._room = asyncio.Semaphore(limits.at_once)
        self._has_room = False
        self._busy = 0
        """Pages that are being shown; beside them others may be open because a walk goes on through them."""
        self._opening = 0
        self._shown = 0
        self.generation = 0
        """How often it was ended: the same number, the same browser."""
        self.ended_because: str | None = None
        """Why it was ended the last time, where that was not planned."""

    # -- from any thread ----------------------------------------------------------------------------------------------

    def run(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Do something in the browser's thread. Raises Interrupted where a person ends the run meanwhile."""
        future: Future[T] = asyncio.run_coroutine_threadsafe(self._followed(work), self._running_loop())
        while True:
            try:
                return future.result(_GLANCE)
            except TimeoutError:
                if future.done():
                    raise
            except CancelledError:
                raise Interrupted from None
            if self._stop.is_set():
                future.cancel()
                raise Interrupted

    def close(self) -> None:
        """End the browser, if it was ever begun."""
        with self._lock:
            loop, thread, self._loop, self._thread = self._loop, self._thread, None, None
        if loop is not None and thread is not None:
            with contextlib.suppress(Exception):
                asyncio.run_coroutine_threadsafe(self._end(), loop).result(3 * _CLOSING)
            loop.call_soon_threadsafe(loop.stop)
            thread.join(_CLOSING)
            if not loop.is_running():
                loop.close()
        self._requests.shutdown(wait=False, cancel_futures=True)

    def _running_loop(self) -> asyncio.AbstractEventLoop:
        with self._lock:
            if self._loop is None:
                needed_extra()
                self._loop = asyncio.new_event_loop()
                # What the driver says of pages that were ended is no news: it was we who ended them.
                self._loop.set_exception_handler(lambda *_: None)
                self._thread = threading.Thread(target=self._loop.run_forever, name="browser", daemon=True)
                self._thread.start()
            return self._loop

    # -- in the browser's thread --------------------------------------------------------------------------------------

    async def _followed(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Do it, where it can be found when all is to end."""
        task = asyncio.current_task()
        assert task is not None
        self._under_way.add(task)
        try:
            return await work()
        finally:
            self._under_way.discard(task)

    async def in_thread(self, work: Callable[[], T]) -> T:
        """What blocks, such as a request of our own client."""
        return await asyncio.get_running_loop().run_in_executor(self._requests, work)

    @asynccontextmanager
    async def working(self) -> AsyncIterator[None]:
        """Room for one page that is being shown; only so many are at the same time."""
        async with self._room:
            self._busy += 1
            try:
                yield
            finally:
                self._busy -= 1

    async def new_page(self) -> Page:
        """An empty tab that may ask for nothing yet; whoever takes it closes it. The browser is begun where there is none."""
        context = await self._ready_context()
        self._opening += 1
        try:
            page = await asyncio.wait_for(context.new_page(), self.limits.silence)
            self._pages.add(page)
        finally:
            self._opening -= 1
        self._shown += 1
        page.on("close", lambda _: self._pages.discard(page))
        return page

    async def _ready_context(self) -> BrowserContext:
        async with self._starting:
            most = min(_TURN, self.limits.pages) if ROOM.waiting else self.limits.pages
            if self._context is not None and self._busy <= 1 and self._shown >= most:
                await self._end_browser()
            if self._context is None:
                await ROOM.take()
                self._has_room = True
                try:
                    await self._begin()
                except BaseException:
                    await self._end_browser()
                    raise
            assert self._context is not None
            return self._context

    async def _begin(self) -> None:
        from playwright.async_api import Error, async_playwright

        from webarticlecurator.fetch.browser.processes import Processes

        self._nowhere = self._nowhere or Nowhere()
        if self._playwright is None:
            try:
                self._playwright = await async_playwright().start()
            except Exception as error:
                raise UsageError(f"Playwright, which drives the browser, cannot be started: {_reason(error)}") from None
        program = find_program(self._playwright.chromium.executable_path)
        try:
            self._browser = await self._playwright.chromium.launch(**launch_options(program, self._nowhere))
        except Error as error:
            raise UsageError(f"the browser {program} cannot be started: {_reason(error)}") from None
        session = await self._browser.new_browser_cdp_session()
        told = await session.send("SystemInfo.getProcessInfo")
        self._processes = Processes(next(one["id"] for one in told["processInfo"] if one["type"] == "browser"))
        self.name = f"Chromium {self._browser.version}"
        self._context = await self._new_context(self._browser)
        self._shown, self.ended_because = 0, None
        self._watch = asyncio.get_running_loop().create_task(self._watch_memory(self._processes))

    async def _new_context(self, browser: Browser) -> BrowserContext:
        context = await browser.new_context(
            service_workers="block",
            accept_downloads=False,
            viewport={"width": 1366, "height": 1600},
            permissions=[],
            locale=self._reader.language,
            timezone_id=self._reader.timezone,
        )
        context.on("page", lambda page: asyncio.ensure_future(self._close_popup(page)))
        await context.add_init_script(_BEFORE_SCRIPTS)
        await context.route("**/*", _refuse)
        await context.route_web_socket("**/*", _close_socket)
        self.cookies.forget()
        await self.cookies.give(context)
        return context

    async def _close_popup(self, page: Page) -> None:
        await asyncio.sleep(_GLANCE)
        while self._opening:
            await asyncio.sleep(_GLANCE)
        if page not in self._pages:
            with contextlib.suppress(Exception):
                await page.close()

    async def _watch_memory(self, processes: Processes) -> None:
        """End the browser when it takes more than it may."""
        looked = 0
        while True:
            await asyncio.sleep(_WATCHED_EVERY)
            if not self._busy and ROOM.waiting:
                await self.replace()
                return
            if not self._busy and self._shown == looked:
                continue
            looked = self._shown
            held = await asyncio.to_thread(processes.memory)
            if held > self.limits.memory:
                if self._pages:
                    self.ended_because = f"the browser needed more than {self.limits.memory // MEGABYTE} MB"
                await self.replace()
                return

    async def replace(self) -> None:
        """End it; the next page has it begun anew."""
        async with self._starting:
            await self._end_browser()

    async def _end_browser(self) -> None:
        browser, processes, watch = self._browser, self._processes, self._watch
        self.generation += browser is not None
        self._browser = self._context = self._processes = self._watch = None
        self._pages = set()
        if watch is not None and watch is not asyncio.current_task():
            watch.cancel()
        if browser is not None:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(browser.close(), _CLOSING / 2)
        if processes is not None:
            await asyncio.to_thread(processes.kill)
        if self._has_room:
            self._has_room = False
            ROOM.give_back()

    async def _end(self) -> None:
        for task in (under_way := set(self._under_way)):
            task.cancel()
        if under_way:
            await asyncio.wait(under_way, timeout=_CLOSING / 2)
        await self.replace()
        if self._playwright is not None:
            with contextlib.suppress(Exception):
                await asyncio.wait_for(self._playwright.stop(), _CLOSING)
        if self._nowhere is not None:
            self._nowhere.close()


async def _refuse(route: Route) -> None:
    """What no page of ours asks for."""
    await route.abort("blockedbyclient")


async def _close_socket(socket: WebSocketRoute) -> None:
    await socket.close()


def _reason(error: Exception) -> str:
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    return next((line for line in lines if "ERROR" in line or "sandbox" in line), lines[0] if lines else "it says nothing")[:300]
