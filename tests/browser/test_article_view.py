"""The view of an article in a real browser: the archived page as its readers saw it, which runs nothing and asks for nothing, whatever it
tries; at a desk and on a phone, by day and at night; and the form by which values are mended."""

from __future__ import annotations

from base64 import b64decode
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import chromium
import lxml.html
import pytest
from chromium import Page
from crawling import wait_for
from mending import served
from scripted_portal import Crawler, Reply, listing, scripted_portal
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
<math><style><p><a id="middle" referrerpolicy="unsafe-url" href="{evil}/middle">x</a></p></style></math>
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
        assert tab.run("document.querySelector('iframe').contentDocument.querySelector('#middle, a[href]')") is None
        assert tab.run("document.querySelector('iframe').srcdoc").count("talked for hours") == 4
        assert [trouble for trouble in tab.troubles if "script" not in trouble.lower()] == []


FRAME = "document.querySelector('iframe')"
INNER = f"{FRAME}.contentDocument"
READY = "'ready' in document.documentElement.dataset"
_MENU = "".join(f"<li>Section {number}</li>" for number in range(100))
_LONG = f"""<html lang="en"><head><title>A bridge</title><style>.bar {{ position: fixed; top: 0; height: 900px }}</style></head><body>
<div class="bar">Accept all</div><nav><ul>{_MENU}</ul></nav><article class="story"><h1>A bridge</h1>
<p class="lead">Nobody could say when the bridge will be open again.</p>{"".join(f"<p>{_TEXT} {number}</p>" for number in range(30))}
<form>Letters <b>every day</b></form></article><footer><ul>{_MENU}</ul></footer></body></html>"""


@pytest.mark.parametrize("command", ["open", "try"])
def test_it_begins_at_the_text_and_stands_on_every_screen_by_day_and_at_night(tab: Page, shown: Shown, command: str) -> None:
    path = shown(_LONG, command)
    for width, scheme in ((1280, "light"), (1280, "dark"), (390, "light"), (390, "dark")):
        tab.seen(width, scheme)
        tab.troubles.clear()
        tab.requests.clear()
        tab.open(path)
        tab.wait_for(READY)
        first = f"{INNER}.querySelector('.curator-kept').getBoundingClientRect()"
        assert tab.run(f"{first}.top >= 0 && {first}.bottom < {FRAME}.clientHeight")
        assert tab.run(f"{FRAME}.getBoundingClientRect().top + {first}.bottom < innerHeight")
        assert tab.run("[document.documentElement.scrollWidth, document.documentElement.scrollHeight <= innerHeight]") == [width, True]
        assert tab.run(f"[...{INNER}.querySelectorAll('nav, footer, .bar')].some(each => each.checkVisibility())") is False
        for name in ("text", "values", "left-out", "tei", "history"):
            tab.run(f"document.querySelector('[name=tab][value={name}]').click()")
            assert tab.run(f"document.getElementById('{name}').checkVisibility()")
            assert (name, tab.faint_texts()) == (name, [])
            assert (name, tab.accessibility()) == (name, [])
        assert tab.troubles == []
        assert [address for address in tab.requests if not address.startswith(("file:", "data:", "about:"))] == []
    tab.run(f"{INNER}.querySelector('.curator-fold summary').click()")
    assert tab.run(f"{INNER}.querySelector('nav').checkVisibility()")
    assert tab.run(f"getComputedStyle({INNER}.querySelector('.bar')).position") == "static"


def test_page_and_text_show_the_same_and_tell_why(tab: Page, shown: Shown) -> None:
    tab.seen(1280)
    tab.open(shown(_LONG, "open"))
    tab.wait_for(READY)
    tab.run(f"{INNER}.querySelector('p.lead').firstChild.click()")
    assert tab.run("document.getElementById('told').textContent") == "article.story > p.lead: kept as paragraph"
    assert tab.run("document.querySelector('#text .chosen').textContent").startswith("Nobody could say")
    tab.run("[...document.querySelectorAll('#text p')].at(-1).click()")
    assert tab.run(f"{INNER}.querySelector('.curator-chosen').textContent").endswith(" 29")
    tab.wait_for(f"{INNER}.querySelector('.curator-chosen').getBoundingClientRect().bottom < {FRAME}.clientHeight")
    tab.run(f"{INNER}.querySelector('form, b').firstChild.click()")
    assert "form" in tab.run("document.querySelector('#left-out .chosen').closest('details').querySelector('h2').textContent")
    tab.run(f"{INNER}.dispatchEvent(new Event('wheel')); {FRAME}.contentWindow.scrollTo(0, 1e6)")
    tab.run("document.querySelector('[value=text]').click()")
    tab.run(f"{FRAME}.contentWindow.scrollTo(0, 0)")
    tab.wait_for("document.getElementById('text').scrollTop === 0")
    tab.run(f"{FRAME}.contentWindow.scrollTo(0, 1e6)")
    tab.wait_for("document.getElementById('text').scrollTop > 0")
    tab.run("document.getElementById('marked').click()")
    assert tab.run(f"getComputedStyle({INNER}.querySelector('.lead span')).backgroundColor") == "rgba(0, 0, 0, 0)"


_PIXEL = b64decode("iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
_STYLED = f"""<html lang="en"><head><title>A bridge</title><link rel="stylesheet" href="/a.css"></head><body><article><h1>A bridge</h1>
<p>{_TEXT}</p><p>{_TEXT}<picture><source srcset="/q.webp 1x, /p.png 2x"><img src="/blank.gif" alt="A bridge"></picture></p>
<p>{_TEXT}<img src="/lost.png" alt="A river"></p></article></body></html>"""


def test_styles_and_pictures_are_those_that_are_stored(tab: Page, crawler: Crawler) -> None:
    crawler.rules = "archive: {url: 'HOME/l', item: li.t, link: {css: h2 a, attr: href}, pages: none}\n"
    crawler.fetch = "fetch: {delay: 0s, retries: 0, timeout: 5s, requisites: [css, images]}\n"
    sheet = "@import 'b.css'; h1 { color: rgb(1, 2, 3) } article { background: url(p.png) } p { background: url(lost.png) }"
    crawler.portal.script |= {
        "/l": listing(1),
        "/c/1": _STYLED,
        "/a.css": Reply(sheet, kind="text/css"),
        "/b.css": Reply("@import 'a.css'; article { margin-left: 50px } </style><script>document.title='ran'</script>", kind="text/css"),
        "/p.png": Reply(_PIXEL, kind="image/png"),
    }
    assert crawler.crawl() == 0, crawler.said
    crawler.run("build")
    crawler.portal.asked.clear()
    tab.troubles.clear()
    tab.open(Path(crawler.run("open", "c/1", "--print").out.strip()).absolute())
    tab.wait_for(READY)
    styles = f"(s => [s.marginLeft, s.backgroundImage.slice(0, 21)])(getComputedStyle({INNER}.querySelector('article')))"
    assert tab.run(styles) == ["50px", 'url("data:image/png;b']
    assert tab.run(f"[...{INNER}.images].map(each => each.naturalWidth)") == [1]
    assert tab.run(f"{INNER}.querySelectorAll('article p')[2].textContent").endswith("[picture, not stored: A river]")
    assert (tab.troubles, crawler.portal.asked, tab.run(f"{INNER}.title + {INNER}.scripts.length")) == ([], [], "A bridge0")


def test_what_is_clicked_can_be_left_out_by_the_form(tab: Page, shown: Shown, tmp_path: Path) -> None:
    shown(_LONG, "open")
    with served(tmp_path / "portal.yaml", "bridge", "--corpus", tmp_path / "corpus") as address:
        tab.seen(390)
        tab.troubles.clear()
        tab.open(address)
        tab.wait_for(READY)
        tab.run(f"{INNER}.querySelector('p.lead').firstChild.click()")
        tab.run("document.querySelector('#chosen [value=drop]').click()")
        assert tab.accessibility() == []
        tab.type("a teaser")
        tab.press("Enter")
        tab.wait_for("document.querySelector('[role=status]')?.checkVisibility()")
        assert "waits for a build" in tab.run("document.querySelector('[role=status]').textContent")
        assert tab.run("document.documentElement.scrollWidth") == 390
        assert tab.troubles == []
    assert "after: p.lead" in (tmp_path / "corrections.yaml").read_text(encoding="utf-8")


_PLACES = f"""<html lang="en"><head><title>A bridge</title></head><body><article class="story"><h1>A bridge</h1><p>{_TEXT}</p><p>{_TEXT}</p>
<div>Loose <span>Alpha</span><span>Bravo</span><span>Charlie</span></div><form>In a form <i>Delta</i> <i>Echo</i></form>
<table><tr><td>Foxtrot</td><td>Golf</td></tr></table></article></body></html>"""


@pytest.mark.parametrize("word", ["Alpha", "Bravo", "Charlie", "Delta", "Echo", "Foxtrot", "Golf"])
def test_the_selector_of_what_is_clicked_means_that_in_the_page_as_it_was_sent(tab: Page, shown: Shown, tmp_path: Path, word: str) -> None:
    shown(_PLACES, "open")
    with served(tmp_path / "portal.yaml", "bridge", "--corpus", tmp_path / "corpus") as address:
        tab.open(address)
        tab.wait_for(READY)
        tab.run(f"[...{INNER}.querySelectorAll('span, i, td')].filter(each => each.textContent === '{word}').at(-1).click()")
        selector = tab.run("document.getElementById('chosen').dataset.selector")
    assert [element.text for element in lxml.html.fromstring(_PLACES).cssselect(selector)] == [word]


def test_by_itself_the_page_does_all_of_that(tab: Page, tmp_path: Path) -> None:
    """The last of all: the tab is led away."""
    with scripted_portal() as evil:
        raw = tmp_path / "raw.html"
        raw.write_text(_HOSTILE.format(evil=evil.home, text=_TEXT), encoding="utf-8")
        tab.open(raw)
        wait_for(lambda: evil.asked != [])
