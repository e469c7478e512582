"""A headless Chromium, told what to do over its DevTools pipe; it reaches no network, and everything that goes wrong in a page is kept."""

from __future__ import annotations

import base64
import contextlib
import fcntl
import json
import os
import select
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
# fmt: off
FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
    "--disable-component-update", "--disable-sync", "--disable-dev-shm-usage", "--remote-debugging-pipe",
    "--host-resolver-rules=MAP * ~NOTFOUND",
)
# fmt: on
PATIENCE = 60.0
"""Seconds for one answer."""
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
    """The browser's program, where there is one."""
    return next((found for name in NAMES if (found := shutil.which(name))), None)


class Page:
    """One tab."""

    def __init__(self, browser: Browser, session: str, downloads: Path) -> None:
        self._browser = browser
        self._session = session
        self._downloads = downloads
        self.troubles: list[str] = []
        """Errors of scripts, messages of the console, violations of the page's policy."""
        self.requests: list[str] = []
        """Addresses that the page asked for."""

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """One command of the DevTools protocol."""
        return self._browser.call(method, self._session, **parameters)

    def open(self, path: Path, seconds: float = 10.0) -> None:
        """Open a file, and wait until it has been loaded."""
        self.call("Page.navigate", url=path.as_uri())
        self.wait_for("document.readyState === 'complete'", seconds)

    def run(self, script: str) -> Any:
        """The value of an expression, which may be a promise."""
        answer = self.call("Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True, userGesture=True)
        if "exceptionDetails" in answer:
            raise BrowserError(answer["exceptionDetails"].get("exception", {}).get("description") or answer["exceptionDetails"]["text"])
        return answer["result"].get("value")

    def faint_texts(self) -> Any:
        """Elements whose text hardly stands out from what is behind it, with the contrast."""
        return self.run(_FAINT)

    def wait_for(self, script: str, seconds: float = 10.0) -> None:
        """Until the expression holds, be it on the page that the browser is going to."""
        end = time.monotonic() + seconds
        while not self._holds(script):
            if time.monotonic() > end:
                raise BrowserError(f"never came true: {script}")
            time.sleep(0.02)

    def _holds(self, script: str) -> bool:
        try:
            return bool(self.run(script))
        except BrowserError as error:
            if "navigated" not in str(error):
                raise
            return False

    def downloaded(self, name: str, seconds: float = 10.0) -> Path:
        """The file that the page gave its reader, once it is whole."""
        path, end = self._downloads / name, time.monotonic() + seconds
        while not path.exists() or not path.stat().st_size:  # its name is taken before its bytes are there
            if time.monotonic() > end:
                raise BrowserError(f"{name} was never downloaded")
            time.sleep(0.02)
        return path

    def press(self, key: str) -> None:
        """A key: `Tab`, `Enter`, `ArrowRight`, ..."""
        text = {"Enter": "\r", "Space": " "}.get(key, "")
        name = " " if key == "Space" else key
        codes = {"Tab": 9, "Enter": 13, "Space": 32, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        common = {"key": name, "code": key, "windowsVirtualKeyCode": codes[key]}
        self.call("Input.dispatchKeyEvent", type="keyDown", text=text, **common)
        self.call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text: str) -> None:
        """Into what has the focus."""
        self.call("Input.insertText", text=text)

    def screenshot(self, path: Path, *, width: int, height: int) -> None:
        """What is seen, as PNG."""
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        path.write_bytes(base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"]))

    def hear(self, method: str, said: dict[str, Any]) -> None:
        """An event."""
        if method == "Runtime.exceptionThrown":
            self.troubles.append(json.dumps(said["exceptionDetails"]))
        elif method == "Runtime.consoleAPICalled":
            self.troubles.append(json.dumps(said["args"]))
        elif method == "Log.entryAdded":
            self.troubles.append(said["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(said["request"]["url"])


class Browser:
    """The running program."""

    def __init__(self, to_browser: int, from_browser: int) -> None:
        self._to = to_browser
        self._from = from_browser
        self._unread = b""
        self._last = 0
        self._pages: dict[str, Page] = {}

    def new_page(self, downloads: Path) -> Page:
        """An empty tab with storage of its own; what it downloads goes to this folder."""
        context = self.call("Target.createBrowserContext")["browserContextId"]
        self.call("Browser.setDownloadBehavior", behavior="allow", browserContextId=context, downloadPath=str(downloads))
        target = self.call("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        page = self._pages[session] = Page(self, session, downloads)
        for domain in ("Page", "Runtime", "Log", "Network"):
            page.call(f"{domain}.enable")
        page.call("Network.emulateNetworkConditions", offline=True, latency=0, downloadThroughput=-1, uploadThroughput=-1)
        return page

    def call(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Send a command and wait for its answer; events that come before it are given to their pages."""
        self._last += 1
        command = {"id": self._last, "method": method, "params": parameters} | ({"sessionId": session} if session else {})
        written = json.dumps(command).encode() + b"\0"
        while written:
            written = written[os.write(self._to, written) :]
        while True:
            message = self._next()
            if message.get("id") == self._last:
                if "error" in message:
                    raise BrowserError(f"{method}: {message['error']['message']}")
                return dict(message["result"])
            if "method" in message and message.get("sessionId") in self._pages:
                self._pages[message["sessionId"]].hear(message["method"], message["params"])

    def _next(self) -> dict[str, Any]:
        while b"\0" not in self._unread:
            if not select.select([self._from], [], [], PATIENCE)[0]:
                raise BrowserError(f"the browser said nothing for {PATIENCE:.0f} seconds")
            chunk = os.read(self._from, 1 << 20)
            if not chunk:
                raise BrowserError("the browser has gone")
            self._unread += chunk
        message, _, self._unread = self._unread.partition(b"\0")
        return dict(json.loads(message))


@contextlib.contextmanager
def browser(program: str) -> Iterator[Browser]:
    """A browser with an empty profile; it is ended, and its profile removed, at the end."""
    there, to_browser = os.pipe()
    from_browser, back = os.pipe()
    # The browser expects its ends as 3 and 4; numbers above 9 cannot be in the way when the shell puts them there.
    theirs = [fcntl.fcntl(end, fcntl.F_DUPFD, 10) for end in (there, back)]
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as profile:
        start = f'exec "$@" 3<&{theirs[0]} 4>&{theirs[1]}'
        process = subprocess.Popen(
            ["/bin/bash", "-c", start, "bash", program, *FLAGS, f"--user-data-dir={profile}"],
            pass_fds=theirs,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        for end in (there, back, *theirs):
            os.close(end)
        try:
            yield Browser(to_browser, from_browser)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            os.close(to_browser)
            os.close(from_browser)
