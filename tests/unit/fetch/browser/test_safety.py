"""A page that tries everything reaches nothing: what it asks for is answered by our own client, and every way round that ends nowhere."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import browser_portal
import pytest
from browser_portal import HOST, BrowserPortal, Canary, canary

from webarticlecurator.fetch.browser import engine
from webarticlecurator.fetch.browser.limits import BrowserLimits

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_TRICKS = Path(browser_portal.__file__).with_name("hostile_page.html").read_text("utf-8")


def test_a_canary_counts_whoever_comes() -> None:
    with canary() as watched:
        _knock(watched)
        assert len(watched.came) == 2


@pytest.mark.parametrize("guard", ["all", "flags alone"])
def test_a_page_that_tries_everything_reaches_nothing(guard: str, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    """`flags alone`: also where a page gets at what was taken from its world."""
    if guard == "flags alone":
        monkeypatch.setattr(engine, "_BEFORE_SCRIPTS", "0")
    portal = BrowserPortal(BrowserLimits(patience=4.0))
    request.addfinalizer(portal.close)
    with canary() as watched:
        at = f"127.0.0.1:{watched.port}"
        portal.page("/", _TRICKS.replace("$AT", at).replace("$PORT", str(watched.port)))
        portal.page("/inner?prerendered", f'<img src="http://{at}/inner">')
        portal.server.answers["/redirect"] = f"HTTP/1.1 302 Found\r\nLocation: http://{at}/redirected\r\nContent-Length: 0\r\n\r\n".encode()
        inside = f'fetch("http://{at}/from-inside").catch(() => 0)'
        for path in ("/sw.js", "/shared.js"):
            portal.give(path, inside, "text/javascript")
        fetched = portal.show("/", wait="#done", block=())
        assert fetched.rendered is not None
        html = fetched.rendered.html.decode()
        assert 'id="done"' in html, "the page has come to the end of its tricks"
        for trick in ("fetch: TypeError", "redirect: TypeError", "xhr: NetworkError", "rtc", "popup", "location mailto:a@b"):
            assert trick in html
        assert "root:" not in html, "no file of this machine was read"
        assert watched.came == []
        assert {exchange.request.url.split("/")[2] for exchange in (*fetched.exchanges, *fetched.loaded)} == {HOST}
        assert not [request for request in portal.server.requests if b"/sw.js" in request], "no service worker was fetched"


def _knock(watched: Canary) -> None:
    socket.create_connection(("127.0.0.1", watched.port)).close()
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as sender:
        sender.sendto(b"x", ("127.0.0.1", watched.port))
    end = time.monotonic() + 5
    while len(watched.came) < 2 and time.monotonic() < end:
        time.sleep(0.01)
