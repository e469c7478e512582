"""Pages as a browser shows them, and the rules of the house that hold for whatever they load."""

from __future__ import annotations

import threading
from contextlib import closing

import pytest
from browser_portal import HOST, BrowserPortal, answer
from loopback import Loopback
from trial_portal import portal_of

from webarticlecurator.fetch.web import Web
from webarticlecurator.model.capture import Request
from webarticlecurator.model.outcome import FetchOutcome as Out
from webarticlecurator.model.rendering import Rendering
from webarticlecurator.pipeline import live_source

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_LIST = """<!DOCTYPE html><title>News</title><div id="list"></div><script>
fetch("/list.json").then(one => one.json()).then(all => {
  document.getElementById("list").innerHTML = all.map(one => `<article><a href="/${one}">About ${one} &amp; more</a></article>`).join("");
});</script>"""


def test_what_scripts_make_of_a_page_is_read(portal: BrowserPortal) -> None:
    portal.page("/list", _LIST)
    portal.give("/list.json", '["one", "két"]')
    fetched = portal.show("/list", wait="article")
    assert fetched.verdict.outcome is Out.FETCHED
    assert fetched.capture is not None
    assert fetched.rendered is not None
    assert '<article><a href="/két">About két &amp; more</a></article>' in fetched.capture.entity.decode()
    assert fetched.capture.header("content-type") == "text/html; charset=utf-8"
    assert fetched.rendered.browser.startswith("Chromium ")
    assert [exchange.request.url for exchange in fetched.exchanges] == [f"http://{HOST}/list"]
    assert [exchange.request.url for exchange in fetched.loaded] == [f"http://{HOST}/list.json"]
    assert fetched.loaded[0].response_bytes == portal.server.answers["/list.json"], "as it was received"


def test_what_was_waited_for_and_did_not_come_is_an_error_that_shows_the_page(portal: BrowserPortal) -> None:
    portal.page("/empty", "<p>Nothing today</p>")
    fetched = portal.show("/empty", wait="article")
    assert (fetched.verdict.outcome, fetched.capture) == (Out.ERROR, None)
    assert fetched.verdict.reason == '"article" did not come, though nothing was loading any more'
    assert fetched.rendered is not None
    assert b"Nothing today" in fetched.rendered.html


def test_a_failure_and_what_is_no_page_need_no_browser(portal: BrowserPortal) -> None:
    portal.give("/data", "{}")
    assert portal.show("/gone").verdict.outcome is Out.GONE
    fetched = portal.show("/data")
    assert (fetched.verdict.outcome, fetched.rendered) == (Out.FETCHED, None)


def test_shadow_trees_are_written_where_they_are_seen(portal: BrowserPortal) -> None:
    portal.page(
        "/shadow",
        """<my-card><b slot="name">Anna</b>rest</my-card><script>customElements.define("my-card", class extends HTMLElement {
        constructor() { super();
        this.attachShadow({mode: "closed"}).innerHTML = "<p>By <slot name=name>nobody</slot>: <slot></slot></p>"; } });
        </script>""",
    )
    assert "<my-card><p>By <b>Anna</b>: rest</p></my-card>" in portal.html("/shadow").replace(' slot="name"', "")


def test_a_browser_starts_with_the_first_page_that_needs_one() -> None:
    other = BrowserPortal()
    try:
        other.page("/plain", "<p>Plain</p>")
        assert other.source.fetch(Request(url=f"http://{HOST}/plain")).rendered is None
        assert other.source._engine.name == ""
    finally:
        other.close()


def test_scripts_write_dates_for_readers_of_the_portal_wherever_it_is_crawled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TZ", "America/New_York")
    server = Loopback()
    server.answers["/"] = answer(
        "<p></p><script>document.querySelector('p').textContent ="
        " [navigator.language, new Date('2025-06-08T22:30:00Z').toLocaleString()].join(': ')</script>"
    )
    portal = portal_of(home=f"http://127.0.0.1:{server.port}/", language="hu", timezone="Europe/Budapest")
    with (
        closing(server),
        closing(Web(portal.fetch, hosts=portal.hosts)) as web,
        live_source(web, portal, stop=threading.Event(), say=print, browser=True) as source,
    ):
        fetched = source.fetch(Request(url=portal.home, rendering=Rendering()))
    assert fetched.capture is not None, fetched.verdict
    assert "<p>hu: 2025. 06. 09. 0:30:00</p>" in fetched.capture.entity.decode()
