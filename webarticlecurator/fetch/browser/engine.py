"""The one browser of this process: found, started so that it reaches nothing by itself, and ended. Each
portal has a context of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import socket
import sys
import threading
from collections.abc import Coroutine, Iterable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from webarticlecurator.config.portal import Portal
from webarticlecurator.errors import UsageError
from webarticlecurator.fetch.response import MEGABYTE
from webarticlecurator.fetch.web import Web

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Page, Playwright

_NAMES = (
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "microsoft-edge",
    "chrome",
    "msedge",
)
_PLACES = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
_PROGRAM_VARIABLE = "CURATOR_BROWSER"
_NO_BROWSER = (
    "a page is to be shown in a browser, and there is no Chromium here. Install one (Debian, Ubuntu: apt "
    "install chromium; "
    "elsewhere Chrome, or `playwright install chromium`), or say where it is: "
    f"{_PROGRAM_VARIABLE}=/path/to/chromium"
)
_FLAGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # its name in older versions
    "--disable-quic", "--disable-background-networking", "--disable-component-update",
    "--disable-domain-reliability", "--disable-sync", "--no-pings", "--dns-prefetch-disable",
    "--disable-blink-features=WebTransport", "--autoplay-policy=user-gesture-required",
    "--disable-print-preview",
    "--js-flags=--max-old-space-size=384",  # MB of one page's scripts: a page that takes more is ended by itself
)  # fmt: skip
"""The flags of the browser: names resolve to nothing, and nothing goes out but through a proxy that is none:
whatever gets round our answers ends there."""
_BEFORE_SCRIPTS = """(() => {
    const attach = Element.prototype.attachShadow;
    Element.prototype.attachShadow = function (init) { return attach.call(this, {...init, mode: "open"}); };
    for (const name of ["RTCPeerConnection", "webkitRTCPeerConnection", "WebTransport"]) delete globalThis[name];
    Object.defineProperty(globalThis, "localStorage", {configurable: true, get: () => globalThis.sessionStorage});
})()"""
"""Closed shadow trees are seen by people, so they are to be read. What speaks past HTTP is not there,
whatever becomes of its flags. What one page keeps another does not find, lest the text of one article be
shown for another."""
_PAGES = 200
"""The number of pages after which the browser is begun anew: what a program keeps of pages that are gone only
grows."""
_MEMORY = 1_024 * MEGABYTE
"""The memory that one process of the browser may hold, where the system can bound it (Linux): a page that
needs more costs itself."""
_CLOSING = 5.0
_STARTING = 60.0

T = TypeVar("T")


@contextmanager
def shared_engine() -> Iterator[Engine]:
    """The engine of this process, for one portal more; it ends with the last of them. Raises UsageError."""
    if find_spec("playwright") is None:
        raise UsageError(
            "a page is to be shown in a browser, which needs another package: pip install "
            "'webarticlecurator[browser]'"
        )
    with _LOCK:
        engine = _RUNNING[0] if _RUNNING else Engine()
        _RUNNING.append(engine)
    try:
        yield engine
    finally:
        with _LOCK:
            _RUNNING.pop()
            if not _RUNNING:
                engine.close()


_LOCK = threading.Lock()
_RUNNING: list[Engine] = []
"""The one engine, as often as there are portals that need it."""


class Engine:
    """A browser, driven from one thread of its own, in which all coroutines run; begun with its first page,
    and anew after so many."""

    def __init__(self) -> None:
        self.room = asyncio.Semaphore(8)
        """The room for pages: whoever has one shown holds a place."""
        self._loop = asyncio.new_event_loop()
        # What the driver says of pages that were ended is no news: it was we who ended them.
        self._loop.set_exception_handler(lambda *_: None)
        self._thread = threading.Thread(target=self._loop.run_forever, name="browser", daemon=True)
        self._thread.start()
        self._starting = asyncio.Lock()
        self._driver: Playwright | None = None
        self.version = ""
        """The version of the browser."""
        self._browser: Browser | None = None
        """The browser that new pages are opened in; one that has shown enough ends with its last page."""
        self._contexts: dict[Web, BrowserContext] = {}
        """The contexts of this browser, one a portal."""
        self._shown = 0
        # An address of this machine at which nobody answers: taken, so that nobody else can take it, and not
        # listened at.
        self._nowhere = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._nowhere.bind(("127.0.0.1", 0))

    def submit(self, work: Coroutine[Any, Any, T]) -> Future[T]:
        return asyncio.run_coroutine_threadsafe(work, self._loop)

    def close(self) -> None:
        with contextlib.suppress(Exception):
            self.submit(self._end_all()).result(3 * _CLOSING)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_CLOSING)
        self._nowhere.close()
        if not self._loop.is_running():
            self._loop.close()

    async def new_page(self, web: Web, cookies: Iterable[Any]) -> Page:
        """An empty tab that may ask for nothing yet, in the context of its portal, which is begun with these
        cookies.

        Raises UsageError, and TimeoutError where the browser gives none: that one is ended, and the next page
        has another.
        """
        async with self._starting:
            if self._browser is None or not self._browser.is_connected() or self._shown >= _PAGES:
                before, self._browser, self._contexts, self._shown = self._browser, None, {}, 0
                if before is not None and not any(context.pages for context in before.contexts):
                    await self._end(before)
                self._browser = await self._begin()
            try:
                async with asyncio.timeout(_STARTING):
                    if web not in self._contexts:
                        self._contexts[web] = await _new_context(self._browser, web.portal, cookies)
                    page = await self._contexts[web].new_page()
            except TimeoutError:
                await self._end(self._browser)
                raise
            page.on("popup", lambda popup: asyncio.ensure_future(popup.close()))
            self._shown += 1
            return page

    async def close_page(self, page: Page) -> None:
        """Close a tab; where it does not answer, its browser is ended."""
        browser = page.context.browser
        assert browser is not None
        try:
            async with asyncio.timeout(_CLOSING):
                await page.close()
        except Exception:  # whatever is wrong with the tab, it ends with its browser
            await self._end(browser)
        if browser is not self._browser and not any(context.pages for context in browser.contexts):
            await self._end(browser)

    async def leave(self, web: Web) -> None:
        """A portal is done with its context."""
        with contextlib.suppress(Exception):  # one that has shown nothing has none
            await self._contexts.pop(web).close()

    async def _begin(self) -> Browser:
        """Raises UsageError."""
        from playwright.async_api import Error, async_playwright

        program = "of Playwright"
        try:
            if self._driver is None:
                self._driver = await async_playwright().start()
            program = _program(self._driver.chromium.executable_path)
            browser = await self._driver.chromium.launch(
                executable_path=program,
                # Chromium's own sandbox does not work for root, and so for nobody in most containers;
                # everybody else keeps it.
                chromium_sandbox=sys.platform == "win32" or os.geteuid() != 0,
                args=list(_FLAGS),
                ignore_default_args=["--disable-popup-blocking"],
                proxy={"server": f"http://127.0.0.1:{self._nowhere.getsockname()[1]}"},
                # What belongs to a person is none of a page's business, not even where it breaks out of the
                # browser.
                env={name: value for name, value in os.environ.items() if not name.startswith("CURATOR_")},
                handle_sigint=False,
                handle_sigterm=False,
                handle_sighup=False,
                timeout=_STARTING * 1000,
            )
            self.version = browser.version
            await _bound_memory(browser)
        except (Error, OSError) as error:
            raise UsageError(f"the browser {program} cannot be started: {_reason_of(error)}") from None
        return browser

    async def _end(self, browser: Browser) -> None:
        """End a browser with all its pages; its driver kills what does not end by itself."""
        if browser is self._browser:
            self._browser = None
        with contextlib.suppress(Exception):
            async with asyncio.timeout(_CLOSING):
                await browser.close()

    async def _end_all(self) -> None:
        if self._driver is not None:
            with contextlib.suppress(Exception):
                async with asyncio.timeout(_CLOSING):
                    await self._driver.stop()  # which ends what is open
        if others := asyncio.all_tasks() - {asyncio.current_task()}:
            for task in others:
                task.cancel()
            await asyncio.wait(others, timeout=_CLOSING)


def _program(of_playwright: str) -> str:
    """Return the browser that is named, else one that is found, else that which Playwright would have put
    here. Raises UsageError."""
    named = os.environ.get(_PROGRAM_VARIABLE)
    if named:
        if not Path(named).is_file():
            raise UsageError(f"{_PROGRAM_VARIABLE} names {named}, and there is no such file")
        return named
    for place in (*_NAMES, *_PLACES, of_playwright):
        program = shutil.which(place)
        if program:
            return program
    raise UsageError(_NO_BROWSER)


def _reason_of(error: Exception) -> str:
    """Return the line that tells most of what a browser said when it did not start."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    for line in lines:
        if "ERROR" in line or "sandbox" in line:
            return line[:300]
    return lines[0][:300] if lines else "it says nothing"


async def _new_context(browser: Browser, portal: Portal, cookies: Iterable[Any]) -> BrowserContext:
    """Open a context in which scripts write dates, and choose what they show, as it suits the person that
    they take for the reader."""
    context = await browser.new_context(
        service_workers="block",
        accept_downloads=False,
        viewport={"width": 1366, "height": 1600},
        locale=portal.language or "en-US",
        timezone_id=portal.timezone.key,
    )
    await context.add_init_script(_BEFORE_SCRIPTS)
    await context.route("**/*", lambda route: route.abort("blockedbyclient"))  # what no page of ours asks for
    await context.route_web_socket("**/*", lambda web_socket: web_socket.close())
    for cookie in cookies:
        with contextlib.suppress(Exception):  # one that the browser does not take is not worth a page
            await context.add_cookies([cookie])
    return context


async def _bound_memory(browser: Browser) -> None:
    """Bound the memory of a process; what it starts inherits the bound."""
    if sys.platform != "linux":
        return
    import resource

    session = await browser.new_browser_cdp_session()
    processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
    pids = [process["id"] for process in processes if process["type"] == "browser"]
    for pid in pids:  # which become more
        with contextlib.suppress(OSError):
            resource.prlimit(pid, resource.RLIMIT_DATA, (_MEMORY, _MEMORY))
            pids += [
                int(child)
                for path in Path(f"/proc/{pid}/task").glob("*/children")
                for child in path.read_text("ascii").split()
            ]
