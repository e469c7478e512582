"""What is shown of an archived page, in a real browser: a hostile page runs nothing and asks for nothing, whatever it tries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chromium
import pytest
from chromium import Page
from crawling import wait_for
from scripted_portal import scripted_portal
from warc_records import write_warc

PROGRAM = chromium.find()
pytestmark = pytest.mark.skipif(
    PROGRAM is None, reason="there is no Chromium here, or no Playwright (Debian and Ubuntu: apt install chromium; the extra `browser`)"
)
URL = "https://pelda.example/bridge"
RULES = "portal: pelda\nhome: https://pelda.example/\nlanguage: en\nbody: {root: article, tags: {decompose: [form]}}\n"
_TEXT = "The council met on Tuesday and talked for hours about the bridge, and nobody went home before midnight. "
_HOSTILE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>A bridge</title>
<base href="{evil}/base/" target="_top">
<meta http-equiv="refresh" content="0;url={evil}/refresh"><link rel="stylesheet" href="{evil}/a.css">
<link rel="preconnect" href="{evil}"><link rel="icon" href="{evil}/icon.png">
<style>@import "{evil}/b.css"; @font-face {{ font-family: x; src: url({evil}/font.woff) }}
body {{ background: url({evil}/bg.png); font-family: x }}</style>
<script>top.document.title = "ran"; document.title = "ran"; fetch("{evil}/fetch"); new Image().src = "{evil}/image"</script></head>
<body onload="fetch('{evil}/onload')" background="{evil}/body.png"><article>
<h1>A bridge &lt;/iframe&gt;&lt;script&gt;top.document.title="ran"&lt;/script&gt;</h1>
<p style="background: url({evil}/style.png)">{text}</p><p>{text}</p><p>{text}</p><p>{text}"></iframe>
<script>top.document.title = "ran"</script></p>
<img src="{evil}/a.png" srcset="{evil}/b.png 2x" onerror="fetch('{evil}/onerror')"><iframe src="{evil}/frame"></iframe>
<object data="{evil}/object"></object><embed src="{evil}/embed"><video src="{evil}/video" poster="{evil}/poster" autoplay></video>
<svg><image href="{evil}/svg.png"/><script>fetch("{evil}/svg-script")</script></svg>
<a id="out" href="{evil}/link" ping="{evil}/ping">Away</a>
<form action="{evil}/form"><input autofocus onfocus="fetch('{evil}/focus')"><button>Go</button></form>
<math><mtext><table><mglyph><style><!--</style><img title="--&gt;&lt;img src={evil}/mutation onerror=alert(1)&gt;"></table></mtext></math>
</article></body></html>"""


@pytest.fixture(scope="module")
def tab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Page]:
    """Unlike those of other tests, this browser may reach hosts: that on this machine, which must not be asked."""
    assert PROGRAM is not None
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(chromium, "FLAGS", tuple(flag for flag in chromium.FLAGS if "host-resolver" not in flag))
        with chromium.browser(PROGRAM) as running:
            page = running.new_page(tmp_path_factory.mktemp("downloads"))
            page.call("Network.emulateNetworkConditions", offline=False, latency=0, downloadThroughput=-1, uploadThroughput=-1)
            yield page


Shown = Callable[[str, str], Path]


@pytest.fixture
def shown(curator: Callable[..., Any], tmp_path: Path) -> Shown:
    """What `open` and `try --highlight` write of a page with this HTML."""

    def write(html: str, command: str) -> Path:
        rules, made = tmp_path / "portal.yaml", tmp_path / "made.html"
        rules.write_text(RULES, encoding="utf-8")
        corpus = ("--corpus", tmp_path / "corpus")
        curator("warc", "import", rules, write_warc(tmp_path / "in.warc.gz", {URL: html}), *corpus)
        curator("build", rules, *corpus)
        flags = ("--highlight", "--as", "article") if command == "try" else ()
        ended = curator(command, rules, URL, *flags, "-o", made, *corpus)
        assert ended.code == 0, ended.err
        return made

    return write


@pytest.mark.parametrize("command", ["open", "try"])
def test_a_hostile_page_runs_nothing_and_asks_for_nothing(tab: Page, shown: Shown, command: str) -> None:
    with scripted_portal() as evil:
        path = shown(_HOSTILE.format(evil=evil.home, text=_TEXT), command)
        tab.troubles.clear()
        tab.open(path)
        tab.run("new Promise(done => setTimeout(done, 1000))")
        assert evil.asked == []
        assert tab.run("document.title") not in ("", "ran")
        assert tab.run("location.href") == path.as_uri(), "nothing leads the page away"
        assert tab.run("document.querySelectorAll('iframe').length") == 1
        assert tab.run("document.scripts.length") == 1, "ours"
        assert tab.run("document.querySelector('iframe').contentDocument.scripts.length") == 0
        assert tab.run("document.querySelector('iframe').srcdoc").count("talked for hours") == 4
        assert [trouble for trouble in tab.troubles if "script" not in trouble.lower()] == []


@pytest.mark.parametrize("command", ["open", "try"])
def test_it_can_be_read_on_a_phone_and_at_night(tab: Page, shown: Shown, tmp_path: Path, command: str) -> None:
    """A frame in a sandbox cannot be looked into, so its content is opened by itself."""
    tab.open(shown(_HOSTILE.format(evil="http://evil.example", text=_TEXT), command))
    frame = tab.run("(() => { const one = document.querySelector('iframe').getBoundingClientRect(); return [one.width, one.height] })()")
    assert min(frame) > 300
    tab.seen(390)
    assert tab.run("document.documentElement.scrollWidth") == 390
    tab.seen(1280, "dark")
    if command == "try":
        inner = tmp_path / "inner.html"
        inner.write_text(tab.run("document.querySelector('iframe').srcdoc"), encoding="utf-8")
        tab.open(inner)
        marks = "(() => { const s = getComputedStyle(document.querySelector('.curator-kept')); return [s.display, s.color] })()"
        assert tab.run(marks) == ["inline", "rgb(11, 61, 30)"], "whatever the page says of its looks, the marks are seen"


def test_by_itself_the_page_does_all_of_that(tab: Page, tmp_path: Path) -> None:
    """The last of all: the tab is led away."""
    with scripted_portal() as evil:
        raw = tmp_path / "raw.html"
        raw.write_text(_HOSTILE.format(evil=evil.home, text=_TEXT), encoding="utf-8")
        tab.open(raw)
        wait_for(lambda: evil.asked != [])
