"""Pages as a browser shows them, and the rules of the house that hold for whatever they load."""

from __future__ import annotations

import pytest
from browser_portal import HOST, BrowserPortal

from webarticlecurator.model.capture import Request
from webarticlecurator.model.outcome import FetchOutcome as Out

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
