"""The page of an article in a real browser: a hostile page in it runs nothing and asks for nothing, whatever it tries."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import chromium
import pytest
from chromium import Page
from small_corpus import SmallCorpus

from webarticlecurator.article_view import find_article, view_article
from webarticlecurator.corpus.folder import Corpus

PROGRAM = chromium.find()
pytestmark = pytest.mark.skipif(PROGRAM is None, reason="there is no Chromium here (Debian and Ubuntu: apt install chromium)")
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


@contextmanager
def evil_host() -> Iterator[tuple[str, list[str]]]:
    """A host on this machine, and what it is asked for."""
    asked: list[str] = []

    class Host(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_response(204)
            self.end_headers()

        do_POST = do_GET  # noqa: N815

        def log_message(self, *_: object) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Host)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}", asked
    finally:
        server.shutdown()
        server.server_close()


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


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    return SmallCorpus(tmp_path)


def page_of(corpus: SmallCorpus, html: str) -> Path:
    corpus.store(("/bridge", html.encode()))
    corpus.build()
    folder, portal = Corpus(corpus.folder), corpus.portal
    path = corpus.base / "article.html"
    path.write_text(view_article(portal, folder, find_article(portal, folder, "/bridge").matches[0]), encoding="utf-8")
    return path


@pytest.mark.slow
def test_a_hostile_page_runs_nothing_and_asks_for_nothing(tab: Page, corpus: SmallCorpus, tmp_path: Path) -> None:
    with evil_host() as (evil, asked):
        html = _HOSTILE.format(evil=evil, text=_TEXT)
        path = page_of(corpus, html)
        tab.open(path)
        tab.run("new Promise(done => setTimeout(done, 1500))")
        assert asked == []
        assert tab.run("document.title").startswith("A bridge")
        assert tab.run("location.href") == path.as_uri(), "nothing leads the page away"
        assert tab.run("document.querySelectorAll('iframe').length") == 1
        assert tab.run("[...document.scripts].length") == 0
        assert "for hours about the bridge" in tab.run("document.querySelector('.made').textContent")
        assert [trouble for trouble in tab.troubles if "script" not in trouble.lower()] == []
        raw = tmp_path / "raw.html"
        raw.write_text(html, encoding="utf-8")
        tab.open(raw)
        tab.run("new Promise(done => setTimeout(done, 1500))")
        assert asked != [], "by itself the page does all of that"


@pytest.mark.slow
def test_the_archived_page_is_seen(tab: Page, corpus: SmallCorpus) -> None:
    """A frame of another origin cannot be looked into by a script: so it is asked how it looks."""
    tab.open(page_of(corpus, _HOSTILE.format(evil="http://evil.example", text=_TEXT)))
    frame = tab.run("(() => { const one = document.querySelector('iframe').getBoundingClientRect(); return [one.width, one.height] })()")
    assert min(frame) > 300
    assert tab.run("document.querySelector('iframe').srcdoc").count("talked for hours") == 4
    tab.call("Emulation.setDeviceMetricsOverride", width=390, height=800, deviceScaleFactor=1, mobile=True)
    assert tab.run("document.documentElement.scrollWidth") == 390
    tab.call("Emulation.clearDeviceMetricsOverride")
