"""`try --highlight` writes a picture of a page: nothing in it runs, asks for something or leads away; each text tells its fate."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

PIXEL = "data:image/png;base64,iVBORw0KGgo="
HARMFUL = (
    "<script>alert(1)</script>",
    '<base href="https://evil.example/">',
    '<link rel="dns-prefetch" href="https://evil.example/">',
    '<meta http-equiv="refresh" content="0;url=https://evil.example/">',
    '<iframe src="https://evil.example/"></iframe>',
    '<object data="https://evil.example/"></object>',
    '<embed src="https://evil.example/">',
    '<svg><image href="https://evil.example/a.png"/><a xlink:href="https://evil.example/">x</a></svg>',
    '<p onclick="alert(1)" background="https://evil.example/a.png">Text</p>',
    '<form action="https://evil.example/"><input formaction="https://evil.example/"><button formaction="https://evil.example/">Go</button></form>',
    '<video src="https://evil.example/a.mp4" poster="https://evil.example/a.png"></video>',
    '<picture><source srcset="https://evil.example/a.png"><img srcset="https://evil.example/b.png 2x"></picture>',
    "<style>@import 'https://evil.example/a.css'; p { background: URL( https://evil.example/a.png ) }</style>",
    '<p style="background: u\\72l(https://evil.example/a.png)">Text</p>',
    '<td background="https://evil.example/a.png">Text</td>',
    '<a ping="https://evil.example/">Text</a>',
    '<img src="data:text/html,<script>alert(1)</script>">',
    '<img src="data:image/svg+xml;base64,PHN2Zz4=">',
)
RULES = """
portal: pelda
home: https://pelda.example/
body: {root: div.b, tags: {decompose: [div.ad], lead: [p.vorspann]}}
metadata: {headline: h1}
posts: {comments: {item: li.k, author: i, text: p}}
"""
Still = Callable[[str], str]


@pytest.fixture
def still(curator: Callable[..., Any], tmp_path: Path) -> Still:
    """What is shown of a page with this body."""
    (tmp_path / "portal.yaml").write_text(RULES, encoding="utf-8")

    def shown(body: str) -> str:
        (tmp_path / "page.html").write_text(f"<html><body>{body}</body></html>", encoding="utf-8")
        made = tmp_path / "shown.html"
        page = ("https://pelda.example/1", "--html", tmp_path / "page.html")
        assert curator("try", tmp_path / "portal.yaml", *page, "--highlight", "-o", made).code == 0
        html = made.read_text(encoding="utf-8")
        frame = re.search(r'<iframe sandbox="" [^>]*srcdoc="([^"]*)"', html)
        assert frame is not None
        return unescape(frame[1]).partition("<body")[2]

    return shown


def test_nothing_in_it_runs_or_asks_for_anything(still: Still) -> None:
    signs = (
        "<script",
        "alert(1)",
        "url(",
        "@import",
        " src=",
        "srcset",
        "<meta",
        "<link",
        "<base",
        "<iframe",
        "action=",
        "ping=",
        " href=",
    )
    for harmful in HARMFUL:
        html = still(f"{harmful}<p>After.</p>")
        assert not [sign for sign in signs if sign in html.lower()], harmful
        assert "After." in html


def test_what_is_read_stays_readable(still: Still) -> None:
    html = still(
        f"""<a href="https://pelda.example/b" target="_top">Next</a><img src="/a.jpg" alt="A bridge"><img src="{PIXEL}">
        <p>one <script>x</script> two</p><noscript>Seen</noscript>"""
    )
    assert re.search(r'<a title="https://pelda.example/b">(<span[^>]*>)?Next', html)
    assert "[picture, not stored: A bridge]" in html
    assert f'src="{PIXEL}"' in html
    assert re.sub("<.*?>", "", html).count("one  two") == 1
    assert re.search(r"<div>(<span[^>]*>)?Seen", html)


TEXT = "The council met on Tuesday and talked for hours about the bridge."
PAGE = f"""<h1>A long bridge</h1><div class=b><h2>A long bridge</h2><p class=vorspann>{TEXT} Yes.</p>
<p>{TEXT}<a href=/x>There</a> they were.</p>
<ul><li>One</ul><div class=ad>Buy <b>this</b></div><x-y class=z>{TEXT} No.</x-y></div><li class=k><i>Ann</i><p>Well said.</p></li>"""


def test_each_text_is_marked_with_what_became_of_it(still: Still) -> None:
    html = still(PAGE)
    marks = {
        unescape(text).strip(): unescape(title)
        for title, text in re.findall(r'<span class="curator-mark[^>]*title="([^"]*)">([^<]*)', html)
    }
    assert marks[TEXT] == "kept as paragraph"
    assert "link" in marks["There"]
    assert "list" in marks["One"]
    assert "lead" in marks[f"{TEXT} Yes."] and "p.vorspann" in marks[f"{TEXT} Yes."]
    for dropped in ("Buy", "this"):
        assert marks[dropped].startswith("dropped") and "div.ad" in marks[dropped]
    assert "headline" in marks["A long bridge"]
    assert "no rule" in marks[f"{TEXT} No."]
    assert "posts.comments" in marks["Well said."] and "posts.comments" in marks["Ann"]


def test_classes_of_the_page_cannot_pass_for_marks(still: Still) -> None:
    assert '<p class="own">' in still('<p class="curator-mark curator-kept own">x</p>')
