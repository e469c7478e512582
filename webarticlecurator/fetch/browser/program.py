"""Which browser is started, and how: so that it can reach nothing by itself."""

from __future__ import annotations

import os
import shutil
import socket
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from webarticlecurator.errors import UsageError

_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome", "microsoft-edge", "chrome", "msedge")
_PLACES = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    r"C:\Program Files\Google\Chrome\Application\chrome.exe",
    r"C:\Program Files (x86)\Microsoft\Edge\Application\msedge.exe",
)
PROGRAM_VARIABLE = "CURATOR_BROWSER"
NO_EXTRA = "a page is to be shown in a browser, which needs another package: pip install 'webarticlecurator[browser]'"
NO_BROWSER = (
    "a page is to be shown in a browser, and there is no Chromium here. Install one (Debian, Ubuntu: apt install chromium; "
    f"elsewhere Chrome, or `playwright install chromium`), or say where it is: {PROGRAM_VARIABLE}=/path/to/chromium"
)
_FLAGS = (
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",  # its name in older versions
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-domain-reliability",
    "--disable-sync",
    "--no-pings",
    "--dns-prefetch-disable",
    "--disable-blink-features=WebTransport",
    "--autoplay-policy=user-gesture-required",
    "--disable-print-preview",
    "--js-flags=--max-old-space-size=384",  # MB of one page's scripts: a page that takes more is ended by itself
)
"""Names resolve to nothing, and nothing goes out but through a proxy that is none: whatever gets round our answers ends there."""


def needed_extra() -> None:
    """Raises UsageError where what drives the browser is not installed."""
    if find_spec("playwright") is None or find_spec("psutil") is None:
        raise UsageError(NO_EXTRA)


def find_program(own: str) -> str:
    """The browser's program; `own`: where Playwright would have put one. Raises UsageError where there is none."""
    named = os.environ.get(PROGRAM_VARIABLE)
    if named:
        if not Path(named).is_file():
            raise UsageError(f"{PROGRAM_VARIABLE} names {named}, and there is no such file")
        return named
    found = next((path for name in _NAMES if (path := shutil.which(name))), None)
    found = found or next((place for place in (*_PLACES, own) if Path(place).is_file()), None)
    if found is None:
        raise UsageError(NO_BROWSER)
    return found


def missing() -> str | None:
    """What is not installed here that a browser needs; None: nothing, as far as can be seen without starting it."""
    try:
        needed_extra()
        find_program("")
    except UsageError as error:
        return str(error)
    return None


def may_be_sandboxed() -> bool:
    """Chromium's own sandbox does not work for root, and so for nobody in most containers; everybody else keeps it."""
    return sys.platform == "win32" or os.geteuid() != 0


class Nowhere:
    """An address of this machine at which nobody answers: taken, so that nobody else can take it, and not listened at."""

    def __init__(self) -> None:
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._socket.bind(("127.0.0.1", 0))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._socket.getsockname()[1]}"

    def close(self) -> None:
        self._socket.close()


def launch_options(program: str, nowhere: Nowhere) -> dict[str, Any]:
    """What Playwright is told."""
    return {
        "executable_path": program,
        "chromium_sandbox": may_be_sandboxed(),
        "args": list(_FLAGS),
        "ignore_default_args": ["--disable-popup-blocking"],
        "proxy": {"server": nowhere.url},
        # What belongs to a person is none of a page's business, not even where it breaks out of the browser.
        "env": {name: value for name, value in os.environ.items() if not name.startswith("CURATOR_")},
        "handle_sigint": False,
        "handle_sigterm": False,
        "handle_sighup": False,
        "timeout": 60_000.0,
    }
