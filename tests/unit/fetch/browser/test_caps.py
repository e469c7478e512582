"""Pages that hang, grow, never end or take the browser with them: each gets its outcome, and the others are shown all the same."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from browser_portal import BrowserPortal

from webarticlecurator.fetch.browser.limits import BrowserLimits
from webarticlecurator.fetch.response import MEGABYTE
from webarticlecurator.model.outcome import FetchOutcome as Out

pytestmark = [pytest.mark.browser, pytest.mark.slow]

_GOOD = '<article>good</article><script>fetch("/data.json")</script>'


@pytest.fixture
def portal() -> Iterator[BrowserPortal]:
    limits = BrowserLimits(patience=6.0, silence=6.0, quiet=0.2, seconds=30.0, requests=20, memory=500 * MEGABYTE, html=200_000)
    made = BrowserPortal(limits)
    made.page("/good", _GOOD)
    made.give("/data.json", "{}")
    yield made
    made.close()


def test_a_page_whose_scripts_never_end_is_given_up_and_the_others_are_shown(portal: BrowserPortal) -> None:
    portal.page("/hung", "<p>Wait</p><script>fetch('/data.json'); setTimeout(() => { while (true) {} }, 50)</script>")
    with ThreadPoolExecutor(2) as pool:
        hung = pool.submit(portal.show, "/hung", wait="article")
        good = [pool.submit(portal.show, "/good", wait="article") for _ in range(3)]
    assert [one.result().verdict.outcome for one in good] == [Out.FETCHED] * 3
    fetched = hung.result()
    assert (fetched.verdict.outcome, fetched.capture, fetched.rendered) == (Out.ERROR, None, None)
    assert fetched.verdict.reason == (
        "the browser was begun anew for it, and failed again: its scripts kept the browser busy for more than 6 seconds"
    )
    assert len(fetched.loaded) == 2, "what was loaded in both tries is kept"
    assert portal.server.paths().count("/hung") == 1, "the document was not asked for again"


def test_a_page_that_takes_too_much_memory_is_given_up(portal: BrowserPortal) -> None:
    portal.page("/grows", "<script>const all = []; setInterval(() => all.push(new Float64Array(2e6).fill(Math.random())), 20)</script>")
    fetched = portal.show("/grows", wait="article")
    assert fetched.verdict.outcome is Out.ERROR
    assert "the browser needed more than 500 MB" in fetched.verdict.reason
    assert portal.show("/good", wait="article").capture is not None


def test_a_page_that_the_browser_gives_up_is_an_error_at_once(portal: BrowserPortal) -> None:
    portal.page("/falls", "<script>setTimeout(() => { const all = []; while (true) all.push(new Array(1e6).fill(1.5)) }, 50)</script>")
    fetched = portal.show("/falls", wait="article")
    assert fetched.verdict.outcome is Out.ERROR
    assert fetched.verdict.reason.startswith("the browser was begun anew for it, and failed again: ")


def test_a_browser_that_dies_is_begun_anew(portal: BrowserPortal) -> None:
    portal.page("/long", "<script>setTimeout(() => document.body.innerHTML = '<article>late</article>', 1000)</script>")
    portal.show("/good", wait="article")
    with ThreadPoolExecutor(1) as pool:
        shown = pool.submit(portal.show, "/long", wait="article")
        time.sleep(0.5)
        processes = portal.source._engine._processes
        assert processes is not None
        processes.kill()
        assert shown.result().capture is not None
    assert processes.memory() == 0


def test_a_page_that_asks_without_end_is_shown_as_far_as_it_came(portal: BrowserPortal) -> None:
    portal.page("/asks", "<article>text</article><script>let n = 0; setInterval(() => fetch('/data.json?' + n++), 20)</script>")
    fetched = portal.show("/asks")
    assert fetched.capture is not None
    assert fetched.rendered is not None
    assert fetched.rendered.limit == "it asks for more than 20 things, or 50 MB"
    assert len(fetched.loaded) == 20


def test_a_page_that_polls_is_idle_all_the_same(portal: BrowserPortal) -> None:
    portal.page("/polls", "<article>text</article><script>setInterval(() => fetch('/data.json'), 100)</script>")
    fetched = portal.show("/polls")
    assert fetched.capture is not None
    assert fetched.rendered is not None
    assert fetched.rendered.limit is None


def test_a_page_that_is_too_large_when_shown_is_an_error(portal: BrowserPortal) -> None:
    portal.page("/large", "<script>document.write('<p>' + 'text '.repeat(50) + '</p>'.repeat(1)); "
                "for (let n = 0; n < 2000; n++) document.body.append(document.body.firstChild.cloneNode(true))</script>")  # fmt: skip
    fetched = portal.show("/large")
    assert (fetched.verdict.outcome, fetched.verdict.reason) == (Out.TOO_BIG, "the page as it is shown is larger than 0.2 MB")


def test_an_interrupted_page_waits_for_the_next_run(portal: BrowserPortal) -> None:
    portal.page("/slow", "<p>never</p>")
    threading.Timer(0.7, portal.stop.set).start()
    fetched = portal.show("/slow", wait="article")
    assert (fetched.verdict.outcome, fetched.verdict.reason, fetched.capture) == (Out.QUEUED, "interrupted", None)


@pytest.mark.filterwarnings("error::pytest.PytestUnraisableExceptionWarning", "error::pytest.PytestUnhandledThreadExceptionWarning")
def test_pages_under_way_end_quietly_with_the_run(portal: BrowserPortal) -> None:
    portal.page("/slow", "<p>never</p>")
    with ThreadPoolExecutor(2) as pool:
        shown = [pool.submit(portal.show, "/slow", wait="article") for _ in range(2)]
        time.sleep(1.5)
        portal.stop.set()
        portal.source.close()
    gc.collect()
    assert [one.result().verdict.reason for one in shown] == ["interrupted"] * 2


def test_nothing_of_the_browser_is_left_behind(portal: BrowserPortal) -> None:
    import psutil

    before = {child.pid for child in psutil.Process().children(recursive=True)}
    portal.show("/good", wait="article")
    assert {child.pid for child in psutil.Process().children(recursive=True)} > before
    portal.close()
    end = time.monotonic() + 5
    while {child.pid for child in psutil.Process().children(recursive=True)} - before and time.monotonic() < end:
        time.sleep(0.05)
    assert {child.pid for child in psutil.Process().children(recursive=True)} <= before
