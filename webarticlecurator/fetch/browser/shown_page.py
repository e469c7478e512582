"""One page in the browser: opened, waited for, clicked and scrolled, and read as a person would see it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable
from importlib.resources import files
from typing import Any, TypeVar

from playwright.async_api import CDPSession, Error, Locator, Page

from webarticlecurator.fetch.browser.traffic import Traffic
from webarticlecurator.model.capture import IDLE, Rendering
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.own_patterns import linear
from webarticlecurator.urls import split

_MOST_STEPS = 200
"""Steps by which a page is scrolled that is read at once."""
_SECONDS = 300.0
"""The seconds for one page, or one step of it, with all that it loads at the pace of its hosts."""
_SILENCE = 20.0
"""The seconds for which the browser may leave a question of ours without an answer before it counts as
hung."""
_QUIET = 0.5
"""Seconds without a request, after which a page counts as idle."""
_GLANCE = 0.1
"""Seconds between two looks at a page."""
_SETTLING = 5.0
"""Seconds that a page has until its elements stay, once the network is idle, and until that is idle, once
what it waited for is there."""
_PATIENCE = 15.0
"""Seconds for which something may come when nothing is loading."""
_CLICK_PATIENCE = 3_000.0
_ATTEMPTS = 3
MOST_HTML = 20_000_000
"""Characters of the page as it is shown."""
_CONTAINS = linear(r""":contains\(|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""")
_SCRIPT = files(__package__).joinpath("page.js").read_text("utf-8")

T = TypeVar("T")


class NotShown(Exception):
    """The browser could not show a page, and may another time: the message says why. Inside this package
    only."""


class Unshown(NotShown):
    """The page itself is the reason, so that it would be no use to try again."""


class ShownPage:
    """A tab, and what its page asks for."""

    _session: CDPSession

    def __init__(self, page: Page, traffic: Traffic, rendering: Rendering) -> None:
        self.page = page
        self.traffic = traffic
        self.rendering = rendering
        self.step = 0
        """The number of times that the page was let grow."""
        self.end: str | None = None
        """The reason why nothing more can come."""
        self.trouble: Verdict | None = None
        """The reason why the page is not what was to be shown."""
        self._until = rendering.scroll.until if rendering.scroll is not None else None
        self._button = rendering.button or ""
        self._world: int | None = None
        self._clicked_at: str | None = None
        self._pressed = self._crashed = False
        self._deadline = time.monotonic() + _SECONDS
        page.on("crash", self._crash)

    @property
    def url(self) -> str:
        """Return where the document that is shown came from."""
        return self.traffic.hops[-1].final_url

    @property
    def is_done(self) -> bool:
        """True if no further step is of use."""
        return (self.end or self.traffic.limit) is not None

    async def show(self) -> None:
        """Have the page loaded, and let it grow as far as it is to be read at once. Raises NotShown."""
        try:
            await self._open()
            await self._look_for_end()
            if self.rendering.steps is not None:
                await self._grow_to(self.traffic.hops[0].request.step)
            elif self.rendering.scroll is not None:
                await self._grow_to(_MOST_STEPS)
        except Unshown as unshown:
            self.trouble = Verdict(FetchOutcome.ERROR, str(unshown))
            if self.traffic.left is not None and not self.traffic.is_open:
                self.trouble = Verdict(
                    FetchOutcome.REFUSED, f"the page itself leads elsewhere: {self.traffic.left}"
                )

    async def _open(self) -> None:
        await self.page.route("**/*", self.traffic.answer)
        self._session = await self.page.context.new_cdp_session(self.page)
        await self._check_selectors()
        await self._go()
        waits = self.rendering.wait != IDLE
        patience = _SETTLING if waits else None
        if waits:
            await self._wait_for(self.rendering.wait)
        await self._idle(patience)
        clicked = await self._click_once()
        if clicked:
            await self._idle(patience)
        if not waits and self.traffic.left is not None:
            raise Unshown("it leads elsewhere")
        if clicked or not waits:
            self.traffic.count_trouble()
        self._check_place()

    async def _check_selectors(self) -> None:
        for selector in {self.rendering.wait, self.rendering.click, self.rendering.button, self._until} - {
            IDLE,
            None,
        }:
            try:
                await self._heard(self._find(str(selector)).count())
            except Error:
                raise Unshown(f'the browser does not understand the selector "{selector}"') from None

    async def _go(self) -> None:
        """Have the page begin to load; one that leads elsewhere at once is told of later."""
        try:
            await self.page.goto(self.url, wait_until="commit", timeout=_SECONDS * 1000)
        except Error as error:
            self._raise_if_gone(error)
            if len(self.traffic.hops) == 1 and self.traffic.left is None:
                reason = str(error).partition("\n")[0].removeprefix("Page.goto: ")[:200]
                raise Unshown(f"the browser does not show it as a page: {reason}") from None

    async def _wait_for(self, selector: str) -> None:
        """Wait for what the portal file names, and click once on what lies before it."""
        while not await self._is_there(selector):
            await self._click_once()
            quiet = self.traffic.quiet
            if quiet > _PATIENCE or time.monotonic() > self._deadline:
                loading = "though nothing was loading any more" if quiet else "and it was still loading"
                raise Unshown(f'"{selector}" did not come, {loading}')
            await asyncio.sleep(_GLANCE)
        self.traffic.failed.clear()  # all of it is there, so what failed was not needed

    def _check_place(self) -> None:
        """Check that the page is still the same: a consent leads back to it; what leads elsewhere was no
        button."""
        allowed = (self.traffic.hops[0].final_url, self._clicked_at or self.url)
        if split(self.url).path not in [split(url).path for url in allowed]:
            raise Unshown(f'the click on "{self.rendering.click}" led to another page: {self.url}')

    async def _click_once(self) -> bool:
        """Click on what the portal file names, as soon as it is there, and only once."""
        if (
            self._clicked_at is not None
            or self.rendering.click is None
            or not await self._is_there(self.rendering.click, visible=True)
        ):
            return False
        self._clicked_at = self.url
        await self._click(self.rendering.click)
        await asyncio.sleep(_GLANCE)
        return True

    async def _is_there(self, selector: str, *, visible: bool = False) -> bool:
        try:
            return await self._heard(self._find(selector, visible=visible).count()) > 0
        except Error as error:
            self._raise_if_gone(error)
            return False  # the page leads on to another document

    async def _click(self, selector: str) -> None:
        target = self._find(selector, visible=True)
        try:
            await self._heard(target.click(timeout=_CLICK_PATIENCE))
        except Error:  # something lies over it
            await self._heard(target.dispatch_event("click", timeout=_CLICK_PATIENCE))

    async def _idle(self, patience: float | None = None, *, quiet: float = _QUIET) -> None:
        """Wait until nothing is loading, and the number of elements stays the same; or for so many seconds,
        where that is not needed."""
        deadline = self._deadline if patience is None else time.monotonic() + patience
        size, steady, settled_by = -1, 0.0, 0.0
        while (now := time.monotonic()) <= deadline:
            state = await self._run("curator.state()")
            if state["size"] != size:
                size, steady = state["size"], now
            if state["ready"] == "complete" and self.traffic.quiet >= quiet:
                settled_by = settled_by or now + _SETTLING
                if now - steady >= quiet or now > settled_by:
                    return
            else:
                settled_by = 0.0
            await asyncio.sleep(_GLANCE)
        if patience is None:
            self.traffic.limit = self.traffic.limit or f"it was still loading after {_SECONDS:.0f} seconds"

    async def _grow_to(self, step: int) -> None:
        """Let the page grow so often, or to its end."""
        while self.step < step and not self.is_done:
            await self._run("curator.mark()")
            await self.grow()
        if step and self.rendering.steps is None and (self.end is not None or self.traffic.limit is None):
            if (gone := await self._run("curator.gone()")) >= 3:  # it keeps only what is in sight
                self.end = None
                self.traffic.limit = (
                    f"{gone} links and paragraphs that were seen while it was scrolled do not stand there "
                    "any more"
                )
            elif self.end is None:
                self.traffic.limit = f"after {step} steps of scrolling more may come"

    async def grow(self) -> None:
        """Take one step: scroll down, or click on the button, until something new is there. Raises
        NotShown."""
        steps = self.rendering.steps
        self.step += 1
        self.traffic.is_open, self.traffic.left = True, None
        self._deadline = time.monotonic() + _SECONDS
        for attempt in range(_ATTEMPTS):
            if steps == "click":
                if (gone := await self._button_gone()) is not None:
                    self._end(gone)
                    return
                self._pressed = True
                await self._click(self._button)
            else:
                await self._scroll(attempt)
            await self._idle(quiet=2 * _QUIET)
            if steps == "click" and self.traffic.left is not None:
                self.traffic.limit = f"the button leads to another page: {self.traffic.left}"
                return
            # The end of a list is proved by the absence of more, so it is waited for longer.
            if await self._has_news(_SETTLING if steps is not None and attempt == _ATTEMPTS - 1 else 0):
                if steps == "click" and (gone := await self._button_gone()) is not None:
                    self._end(gone)
                else:
                    await self._look_for_end()
                return
        self._end(f"nothing new after {_ATTEMPTS} attempts, and nothing is loading")

    def _end(self, reason: str) -> None:
        """Note that nothing more can come, unless something failed or was kept away."""
        self.traffic.count_trouble()
        self.end = reason if self.traffic.limit is None else None

    async def _look_for_end(self) -> None:
        """Say whether that has come which ends the page by the portal file."""
        if self._until is not None and await self._is_there(self._until):
            self.end = f'"{self._until}" has come'

    async def _has_news(self, patience: float) -> bool:
        """True if something new stands there, or comes in so many seconds."""
        by = time.monotonic() + patience
        while not (await self._run("curator.news()"))["any"]:
            if time.monotonic() >= by:
                return False
            await asyncio.sleep(_QUIET)
        return True

    async def _scroll(self, attempt: int) -> None:
        """Scroll down, one sight after another, until there are new links, or nothing is below."""
        while await self._run(f"curator.scroll({attempt})") and time.monotonic() < self._deadline:
            if self.traffic.loading:
                await self._idle()
            if (await self._run("curator.news()"))["links"]:
                return
            attempt = 0

    async def _button_gone(self) -> str | None:
        """Return why there is no button to click on; one that is hidden, or not to be clicked on, for a
        moment only is waited for."""
        by = time.monotonic() + _SETTLING
        while not await self._is_there(
            f":is({self._button}):not(:disabled, [aria-disabled=true])", visible=True
        ):
            now = time.monotonic()
            if now > self._deadline or (now > by and not self.traffic.loading):
                return "the button is gone" if self._pressed else f'there is no button "{self._button}"'
            await asyncio.sleep(_GLANCE)
        return None

    async def read(self, *, whole: bool = True) -> bytes | None:
        """The page as HTML, or what of it is new; None where that is too large. Raises NotShown."""
        answer = await self._run(f"curator.read({json.dumps(self.url)}, {json.dumps(whole)}, {MOST_HTML})")
        self.traffic.is_open = True
        return str(answer).encode("utf-8", "replace") if answer is not None else None

    def _find(self, selector: str, *, visible: bool = False) -> Locator:
        in_its_words = _CONTAINS.sub(
            lambda match: ":has-text(" if match[0] == ":contains(" else match[0], selector
        )
        located = self.page.locator(f"css={in_its_words}")
        return (located.locator("visible=true") if visible else located).first

    async def _run(self, expression: str) -> Any:
        """The value of an expression in our own world of the page; one that leads on to another document is
        asked again there."""
        for _ in range(20):
            try:
                if self._world is None:
                    tree = await self._send("Page.getFrameTree")
                    made = await self._send(
                        "Page.createIsolatedWorld",
                        frameId=tree["frameTree"]["frame"]["id"],
                        worldName="curator",
                    )
                    self._world = made["executionContextId"]
                    await self._evaluate(_SCRIPT)
                return await self._evaluate(expression)
            except Error as error:
                self._raise_if_gone(error)
                self._world = None
                await asyncio.sleep(_GLANCE)
        raise Unshown("it leads on and on to other documents")

    async def _evaluate(self, expression: str) -> Any:
        asked = {
            "expression": expression,
            "contextId": self._world,
            "awaitPromise": True,
            "returnByValue": True,
        }
        answer = await self._send("Runtime.evaluate", **asked)
        if "exceptionDetails" in answer:
            said = str(answer["exceptionDetails"].get("exception", {}).get("description", "")).partition(
                "\n"
            )[0]
            raise Unshown(f"it cannot be read: {said}")
        return answer["result"].get("value")

    async def _send(self, method: str, **parameters: Any) -> Any:
        return await self._heard(self._session.send(method, parameters))

    async def _heard(self, asked: Awaitable[T]) -> T:
        """An answer of the browser's, which must come in time. Raises NotShown, and Playwright's Error."""
        try:
            async with asyncio.timeout(_SILENCE):
                return await asked
        except TimeoutError:
            raise NotShown(
                f"its scripts kept the browser busy for more than {_SILENCE:.0f} seconds"
            ) from None

    async def _crash(self, _: Page) -> None:
        self._crashed = True
        await self.page.close()  # which ends what is waited for

    def _raise_if_gone(self, error: Exception) -> None:
        if self._crashed:
            raise NotShown("the browser gave the page up, which took too much of it") from None
        if self.page.is_closed():
            raise NotShown(f"the browser ended the page: {str(error).partition(chr(10))[0][:200]}") from None
