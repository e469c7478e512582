"""A headless Chromium, told what to do by Playwright; it reaches no network, and everything that goes wrong in a page is kept."""

from __future__ import annotations

import base64
import contextlib
import importlib.util
import json
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser as Program
    from playwright.sync_api import Download
    from playwright.sync_api import Page as Tab

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking", "--disable-dev-shm-usage"),
    "--host-resolver-rules=MAP * ~NOTFOUND",
)
_FAINT = """(() => {
  const channel = value => { value /= 255; return value <= 0.03928 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4 };
  const light = colour => { const [r, g, b] = colour.match(/[\\d.]+/g).map(Number);
    return 0.2126*channel(r) + 0.7152*channel(g) + 0.0722*channel(b) };
  const behind = one => { for (; one; one = one.parentElement) {
    const colour = getComputedStyle(one).backgroundColor; if (colour !== 'rgba(0, 0, 0, 0)') return colour } return 'rgb(255, 255, 255)' };
  const faint = new Set();
  for (const one of document.querySelectorAll('body *')) {
    const has_text = [...one.childNodes].some(node => node.nodeType === 3 && node.data.trim());
    if (!has_text || one.localName === 'title' || one.closest('.unseen')) continue;
    const style = getComputedStyle(one), fore = light(one instanceof SVGElement ? style.fill : style.color), back = light(behind(one));
    const ratio = (Math.max(fore, back) + 0.05) / (Math.min(fore, back) + 0.05);
    if (ratio < 4.5) faint.add(`${one.localName}.${one.getAttribute('class')} ${ratio.toFixed(2)}`);
  }
  return [...faint];
})()"""
"""What kinds of elements have text that stands out from what is behind it by less than 4.5, as guidelines ask for."""


class BrowserError(Exception):
    """The browser, or a script that it ran, said no."""


def find() -> str | None:
    """The browser's program, where there is one, and what drives it."""
    if importlib.util.find_spec("playwright") is None:
        return None
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Page:
    """One tab."""

    def __init__(self, tab: Tab, downloads: Path) -> None:
        self._tab, self._session = tab, tab.context.new_cdp_session(tab)
        self._downloads = downloads
        self._downloaded: list[Download] = []
        self.troubles: list[str] = []
        """Errors of scripts, messages of the console, violations of the page's policy."""
        self.requests: list[str] = []
        """Addresses that the page asked for."""
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
        self._session.on("Runtime.exceptionThrown", lambda said: self.troubles.append(json.dumps(said["exceptionDetails"])))
        self._session.on("Runtime.consoleAPICalled", lambda said: self.troubles.append(json.dumps(said["args"])))
        self._session.on("Log.entryAdded", lambda said: self.troubles.append(said["entry"]["text"]))
        self._session.on("Network.requestWillBeSent", lambda said: self.requests.append(said["request"]["url"]))
        tab.on("download", lambda download: self._downloaded.append(download))

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the DevTools protocol."""
        return dict(self._session.send(method, parameters))

    def open(self, place: Path | str, seconds: float = 10.0) -> None:
        """Open a file or an address, and wait until it has been loaded."""
        self._tab.goto(place if isinstance(place, str) else place.as_uri(), timeout=1000 * seconds)

    def accessibility(self, part: str = "document") -> Any:
        """What axe-core finds wrong with a part of the page; where that is not installed, the test is passed over."""
        package = pytest.importorskip("axe_playwright_python")
        script = Path(package.__file__).with_name("axe.min.js")
        self.run(script.read_text(encoding="utf-8") + ";true")
        wrong = "found.violations.map(each => `${each.id}: ${each.nodes[0].html.slice(0, 100)}`)"
        return self.run(f"axe.run({part}, {{iframes: false, resultTypes: ['violations']}}).then(found => {wrong})")

    def run(self, script: str) -> Any:
        """The value of an expression, which may be a promise; whatever the policy of the page."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in answer:
            raise BrowserError(answer["exceptionDetails"].get("exception", {}).get("description") or answer["exceptionDetails"]["text"])
        return answer["result"].get("value")

    def seen(self, width: int, scheme: str = "light", medium: str = "") -> None:
        """On a screen of this width, by day or at night; up to 400 it is that of a phone."""
        self.call("Emulation.setEmulatedMedia", media=medium, features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=844, deviceScaleFactor=1, mobile=width <= 400)

    def faint_texts(self) -> Any:
        """Elements whose text hardly stands out from what is behind it, with the contrast."""
        return self.run(_FAINT)

    def wait_for(self, script: str, seconds: float = 10.0) -> None:
        """Until the expression holds."""
        end = time.monotonic() + seconds
        while not self.run(script):
            if time.monotonic() > end:
                raise BrowserError(f"never came true: {script}")
            self._tab.wait_for_timeout(20)

    def downloaded(self, name: str) -> Path:
        """The file that the page gave its reader, once it is whole."""
        while name not in [download.suggested_filename for download in self._downloaded]:
            self._tab.wait_for_event("download")
        path = self._downloads / name
        self._downloaded[-1].save_as(path)
        return path

    def press(self, key: str) -> None:
        """A key: `Tab`, `Enter`, `ArrowRight`, ..."""
        self._tab.keyboard.press(key)

    def type(self, text: str) -> None:
        """Into what has the focus."""
        self._tab.keyboard.insert_text(text)

    def screenshot(self, path: Path, *, width: int, height: int) -> None:
        """What is seen, as PNG."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.run("document.querySelector('iframe') && new Promise(shown => setTimeout(shown, 2000))")  # other processes paint them, later
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))


class Browser:
    """The running program."""

    def __init__(self, program: Program) -> None:
        self._program = program

    def new_page(self, downloads: Path) -> Page:
        """An empty tab with storage of its own; what it downloads goes to this folder."""
        return Page(self._program.new_context().new_page(), downloads)


@contextlib.contextmanager
def browser(program: str) -> Iterator[Browser]:
    """A browser with an empty profile, which is ended at the end."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver, contextlib.closing(driver.chromium.launch(executable_path=program, args=list(FLAGS))) as running:
        yield Browser(running)
