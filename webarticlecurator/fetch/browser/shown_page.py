"""One page in the browser: opened, waited for, clicked and scrolled, and read as a person would see it."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Awaitable
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Literal, TypeVar

from webarticlecurator.fetch.browser.limits import BrowserLimits
from webarticlecurator.fetch.browser.traffic import Traffic
from webarticlecurator.model.rendering import IDLE, Rendering
from webarticlecurator.urls import split

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Locator, Page

_GLANCE = 0.1
"""Seconds between two looks at a page."""
_SETTLING = 5.0
"""Seconds that a page has until its elements stay, once the network is idle, and until that is idle, once what it waited for is there."""
ATTEMPTS = 3
_MISSED = 3
"""Links and paragraphs that have gone while a page was scrolled, from which on it counts as one that keeps only what is in sight."""
_CLICK_PATIENCE = 3_000.0
_STILL_LOADING = "it was still loading after {:.0f} seconds"

_TOO_LARGE = "the page is too large"
"""What `page.js` says of it."""

T = TypeVar("T")


class Trouble(Exception):
    """The browser could not show a page: the message says why. Inside this package only."""


class TooLarge(Trouble):
    """What is shown is more than one page should be."""


class Unshown(Trouble):
    """The page itself is the reason, so that it would be no use to begin the browser anew."""


@dataclass(frozen=True, slots=True)
class Step:
    """What scrolling, or a click, came to: why nothing more can come, or which bound keeps it away."""

    end: str | None = None
    limit: str | None = None
    trouble: str | None = None
    """Why the page is not what was to be shown."""

    @property
    def is_last(self) -> bool:
        return (self.end or self.limit or self.trouble) is not None


class ShownPage:
    """A tab, and what its page asks for."""

    def __init__(self, page: Page, traffic: Traffic, rendering: Rendering, limits: BrowserLimits) -> None:
        self.traffic = traffic
        self._page = page
        self._rendering = rendering
        self._limits = limits
        self._session: CDPSession | None = None
        self._world: int | None = None
        self._clicked, self._clicked_at = False, ""
        self._pressed = False
        self._deadline = 0.0
        self._url = ""
        self._crashed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        page.on("crash", lambda _: self._crash())

    async def open(self, url: str) -> None:
        """Have the page loaded. Raises Trouble."""
        from playwright.async_api import Error

        self._url = url
        self._session = await self._page.context.new_cdp_session(self._page)
        self._deadline = time.monotonic() + self._limits.seconds
        try:
            await self._page.goto(url, wait_until="commit", timeout=self._limits.seconds * 1000)
        except Error as error:
            if not self.traffic.hops and not self.traffic.left:
                raise Unshown(f"the browser does not show it as a page: {_first_line(error)}") from None
        await self._wait()

    async def _wait(self) -> None:
        """Until what the portal file waits for is there. Raises Unshown where it does not come."""
        selector = self._rendering.wait
        if selector == IDLE:
            await self._idle(self._deadline)
            if await self._click_once():
                await self._idle(self._deadline)
                self._check_address()
            self.traffic.count_trouble()
            return
        while not await self._is_there(selector):
            await self._click_once()
            if self.traffic.quiet > self._limits.patience or time.monotonic() > self._deadline:
                loading = "though nothing was loading any more" if self.traffic.quiet else "and it was still loading"
                raise Unshown(f'"{selector}" did not come, {loading}')
            await asyncio.sleep(_GLANCE)
        # All that was waited for is there, so what failed was not needed. What is to be clicked may come with it, or a moment later.
        self.traffic.forgive()
        was_clicked = self._clicked
        await self._click_once()
        await self._idle(time.monotonic() + _SETTLING, is_limit=False)
        if await self._click_once():
            await self._idle(time.monotonic() + _SETTLING, is_limit=False)
        if self._clicked and not was_clicked:
            self.traffic.count_trouble()
        self._check_address()

    def _check_address(self) -> None:
        """A consent leads back to the page; what leads elsewhere was no button. Raises Unshown."""
        if self._clicked and split(self._address).path not in (split(self._url).path, split(self._clicked_at).path):
            raise Unshown(f'the click on "{self._rendering.click}" led to another page: {self._address}')

    async def _click_once(self) -> bool:
        """Click on what the portal file names, as soon as it is there, and only once."""
        if self._clicked or self._rendering.click is None or not await self._is_there(self._rendering.click, visible=True):
            return False
        self._clicked, self._clicked_at = True, self._address
        await self._click(self._rendering.click)
        await asyncio.sleep(_GLANCE)
        return True

    async def _is_there(self, selector: str, *, visible: bool = False) -> bool:
        """Whether the page has such an element. Raises Unshown where the browser cannot look for it."""
        from playwright.async_api import Error

        try:
            return await self._heard(self._find(selector, visible=visible).count()) > 0
        except Error as error:
            if "selector" in str(error):
                raise Unshown(f'the browser does not understand the selector "{selector}"') from None
            self._raise_unless_leading_on(error)
            return False

    async def _click(self, selector: str) -> None:
        from playwright.async_api import Error

        target = self._find(selector, visible=True)
        try:
            await self._heard(target.click(timeout=_CLICK_PATIENCE))
        except Error:  # something lies over it
            await self._heard(target.dispatch_event("click", timeout=_CLICK_PATIENCE))

    async def _idle(self, deadline: float, *, quiet: float | None = None, is_limit: bool = True) -> None:
        """Until nothing is loading, and the number of elements stays the same."""
        quiet, size = quiet or self._limits.quiet, -1
        steady = settled_by = 0.0
        while True:
            now = time.monotonic()
            if now > deadline:
                if is_limit:
                    self.traffic.limit = self.traffic.limit or _STILL_LOADING.format(self._limits.seconds)
                return
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

    async def grow_to(self, step: int, steps: Literal["scroll", "click"] | None) -> Step:
        """Let the page grow, step by step; `steps`: how. Gives what the last one came to. Raises Trouble."""
        came_to = await self._come(Step())
        for _ in range(step):
            if came_to.is_last:
                break
            await self._run("curator.mark()")
            came_to = await self.grow(steps)
        if step and steps is None and came_to.limit is None and (gone := await self._run("curator.gone()")) >= _MISSED:
            return Step(limit=f"{gone} links and paragraphs that were seen while it was scrolled do not stand there any more")
        if step and steps is None and not came_to.is_last:
            return Step(limit=f"after {step} steps of scrolling more may come")
        return came_to

    async def grow(self, steps: Literal["scroll", "click"] | None) -> Step:
        """One step: scrolled down, or clicked on the button, until something new is there. Raises Trouble."""
        self.traffic.is_open, self.traffic.led = True, None
        self._deadline = time.monotonic() + self._limits.seconds
        for attempt in range(ATTEMPTS):
            if steps == "click":
                gone = await self._press()
                if gone is not None:
                    return self._ended(gone)
            else:
                await self._scroll(attempt)
            await self._idle(self._deadline, quiet=2 * self._limits.quiet)
            if steps == "click" and self.traffic.led is not None:
                return Step(limit=f"the button leads to another page: {self.traffic.led}")
            if (await self._run("curator.news()"))["any"] or (attempt == ATTEMPTS - 1 and steps is not None and await self._comes_late()):
                return await self._come(self._ended(await self._button_gone()) if steps == "click" else Step())
        return self._ended(f"nothing new after {ATTEMPTS} attempts, and nothing is loading")

    def _ended(self, reason: str | None) -> Step:
        """The end of what grows, where there is a reason, and nothing failed or was kept away: else it is none."""
        if reason is None:
            return Step()
        self.traffic.count_trouble()
        limit = self.traffic.trouble or self.traffic.limit
        return Step(end=reason) if limit is None else Step(limit=limit)

    async def _comes_late(self) -> bool:
        """Whether something new comes when it is waited for longer: the end of a list is proved by its absence."""
        by = time.monotonic() + min(self._limits.patience, _SETTLING)
        while time.monotonic() < by:
            await asyncio.sleep(self._limits.quiet)
            if (await self._run("curator.news()"))["any"]:
                await self._idle(self._deadline)
                return True
        return False

    async def _scroll(self, attempt: int) -> None:
        """Down, one sight after another, until there are new links, or nothing is below."""
        while await self._run(f"curator.scroll({attempt})") and time.monotonic() < self._deadline:
            if self.traffic.loading:
                await self._idle(self._deadline)
            if (await self._run("curator.news()"))["links"]:
                return
            attempt = 0

    async def _come(self, step: Step) -> Step:
        """The same step, unless what ends the page by the portal file has come, or a bound has."""
        until = self._rendering.scroll.until if self._rendering.scroll is not None else None
        if step.limit is None and until is not None and await self._is_there(until):
            return Step(end=f'"{until}" has come')
        return step if step.is_last or self.traffic.limit is None else Step(limit=self.traffic.limit)

    async def _press(self) -> str | None:
        """Click on the button by which the page grows; gives why there is nothing to click."""
        gone = await self._button_gone()
        if gone is None:
            self._pressed = True
            await self._click(self._button)
        return gone

    async def _button_gone(self) -> str | None:
        """Why there is no button to click on; one that is hidden, or not to be clicked on, for a moment only is waited for."""
        by = time.monotonic() + min(self._limits.patience, _SETTLING)
        while not await self._is_there(f":is({self._button}):not(:disabled, [aria-disabled=true])", visible=True):
            now = time.monotonic()
            if now > self._deadline or (now > by and not self.traffic.loading):
                break
            await asyncio.sleep(_GLANCE)
        else:
            return None
        return "the button is gone" if self._pressed else f'there is no button "{self._button}"'

    @property
    def _button(self) -> str:
        return self._rendering.button or self._rendering.click or ""

    async def read(self, *, whole: bool = True) -> bytes:
        """The page as HTML, or what of it is new. Raises Trouble."""
        answer = await self._run(f"curator.read({json.dumps(self._address)}, {json.dumps(whole)}, {self._limits.html})")
        self.traffic.is_open = True
        return str(answer).encode("utf-8", "replace")

    async def close(self) -> None:
        """Close the tab. Raises Trouble where it does not answer."""
        await self._heard(self._page.close())

    @property
    def _address(self) -> str:
        """Where the document that is shown came from."""
        return self.traffic.hops[-1].final_url if self.traffic.hops else self._url

    def _find(self, selector: str, *, visible: bool = False) -> Locator:
        found = self._page.locator(f"css={in_browsers_words(selector)}")
        return (found.locator("visible=true") if visible else found).first

    def _crash(self) -> None:
        if not self._crashed.done():
            self._crashed.set_result(None)

    async def _run(self, expression: str) -> Any:
        """The value of an expression in our own world of the page."""
        from playwright.async_api import Error

        for _ in range(20):
            try:
                if self._world is None:
                    self._world = await self._new_world()
                return await self._evaluate(expression, self._world)
            except Error as error:
                self._raise_unless_leading_on(error)
                self._world = None
                await asyncio.sleep(_GLANCE)
        raise Unshown("it leads on and on to other documents")

    async def _new_world(self) -> int:
        assert self._session is not None
        tree = await self._heard(self._session.send("Page.getFrameTree"))
        wanted = {"frameId": tree["frameTree"]["frame"]["id"], "worldName": "curator"}
        made = await self._heard(self._session.send("Page.createIsolatedWorld", wanted))
        world = int(made["executionContextId"])
        await self._evaluate(_script(), world)
        return world

    async def _evaluate(self, expression: str, world: int) -> Any:
        assert self._session is not None
        asked = {"expression": expression, "contextId": world, "awaitPromise": True, "returnByValue": True}
        answer = await self._heard(self._session.send("Runtime.evaluate", asked))
        if "exceptionDetails" in answer:
            said = str(answer["exceptionDetails"].get("exception", {}).get("description", "")).partition("\n")[0]
            if _TOO_LARGE in said:
                raise TooLarge(f"the page as it is shown is larger than {self._limits.html / 1e6:g} MB")
            raise Unshown(f"it cannot be read: {said}")
        return answer["result"].get("value")

    def _raise_unless_leading_on(self, error: Exception) -> None:
        """A page that leads on to another document is asked again; whatever else is wrong is Trouble."""
        if self._crashed.done() or "ontext" not in str(error):
            raise Trouble(f"the browser ended the page: {_first_line(error)}") from None

    async def _heard(self, asked: Awaitable[T]) -> T:
        """An answer of the browser's, which must come in time. Raises Trouble, and Playwright's Error."""
        answer = asyncio.ensure_future(asked)
        try:
            either: tuple[asyncio.Future[Any], ...] = (answer, self._crashed)
            await asyncio.wait(either, timeout=self._limits.silence, return_when=asyncio.FIRST_COMPLETED)
            if answer.done():
                return answer.result()
        finally:
            answer.cancel()
        if self._crashed.done():
            raise Trouble("the browser gave the page up, which took too much of it")
        raise Trouble(f"its scripts kept the browser busy for more than {self._limits.silence:.0f} seconds")


@cache
def _script() -> str:
    return files(__package__).joinpath("page.js").read_text("utf-8")


_CONTAINS = re.compile(r""":contains\(|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'""")


def in_browsers_words(selector: str) -> str:
    """A selector of a portal file as Playwright writes it."""
    return _CONTAINS.sub(lambda found: ":has-text(" if found[0] == ":contains(" else found[0], selector)


def _first_line(error: Exception) -> str:
    return str(error).partition("\n")[0].removeprefix("Page.goto: ")[:200]
