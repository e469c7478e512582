"""The page of `curator try --highlight` in a real browser: it runs nothing, asks for nothing, and can be read by day and night."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import chromium
import pytest
from chromium import Page
from trial_portal import URL, capture_of, portal_of

from webarticlecurator.model.capture import Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.page_highlight import highlight
from webarticlecurator.report.highlight_page import highlight_page

PROGRAM = chromium.find()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium here (Debian and Ubuntu: apt install chromium)")
_TEXT = "The council met on Tuesday and talked for hours about the bridge, and nobody went home before midnight. "
_PAGE = f"""<html lang=en><head><title>A bridge</title><base target=_top><link rel=stylesheet href="http://evil.example/a.css">
<style>span {{ color: #fff; background: #fff; display: none }} body {{ background: url(http://evil.example/b.png) }}</style>
<script>top.document.title = "ran"</script></head><body onload="top.document.title='ran'"><h1>A bridge</h1>
<div class=b><p>{_TEXT * 3}</p><div class=ad>Buy this<img src="http://evil.example/a.png" onerror="top.document.title='ran'"></div></div>
</body></html>"""


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    assert PROGRAM is not None
    with chromium.browser(PROGRAM) as running:
        yield running.new_page(tmp_path_factory.mktemp("downloads"))


def made(**body: Any) -> str:
    fetched = Fetched(request=Request(url=URL), verdict=Verdict(FetchOutcome.FETCHED, ""), capture=capture_of(_PAGE))
    return highlight_page(highlight(URL, portal_of(body=body), fetched))


@pytest.mark.slow
def test_the_page_runs_nothing_and_shows_its_marks(tab: Page, tmp_path: Path) -> None:
    path = tmp_path / "marked.html"
    path.write_text(made(root="div.b", tags={"decompose": ["div.ad"]}), encoding="utf-8")
    tab.open(path)
    assert tab.run("document.title").startswith("What became of"), "nothing of the page ran"
    assert [trouble for trouble in tab.troubles if "script" not in trouble.lower()] == [], "no request, no error"
    assert tab.run("[...document.scripts].length") == 0
    assert tab.run("document.querySelector('iframe').srcdoc").count("curator-dropped curator-first") == 1
    colours = "getComputedStyle(document.querySelector('.legend .curator-dropped')).color"
    tab.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": "dark"}])
    assert tab.run(colours) == "rgb(107, 15, 18)", "marks have their own paper, by day and night"
    tab.call("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=True)
    assert tab.run("document.documentElement.scrollWidth") == 390
    tab.call("Emulation.clearDeviceMetricsOverride")


@pytest.mark.slow
def test_whatever_the_page_says_of_its_looks_the_marks_are_seen(tab: Page, tmp_path: Path) -> None:
    """A frame in a sandbox cannot be looked into, so its content is opened by itself."""
    outer, inner = tmp_path / "outer.html", tmp_path / "inner.html"
    outer.write_text(made(root="div.b"), encoding="utf-8")
    tab.open(outer)
    inner.write_text(tab.run("document.querySelector('iframe').srcdoc"), encoding="utf-8")
    tab.open(inner)
    style = (
        "(() => { const s = getComputedStyle(document.querySelector('.curator-kept')); return [s.display, s.color, s.backgroundColor] })()"
    )
    assert tab.run(style) == ["inline", "rgb(11, 61, 30)", "rgb(211, 242, 220)"]
    label = "getComputedStyle(document.querySelector('.curator-kept.curator-first'), '::before').content"
    assert "kept as paragraph" in tab.run(label) or "attr(title)" in tab.run(label)
