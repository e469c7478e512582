"""`curator try --highlight`: a picture of one page with what became of each of its texts; nothing in it runs, asks or leads away."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

TEXT = "The council met on Tuesday and talked for hours about the bridge, and nobody went home before midnight. "
PAGE = f"""<html lang=en><head><title>A bridge</title><script>alert(1)</script></head><body><nav>Home</nav><h1>A bridge</h1>
<div class=b><p>{TEXT * 3}</p><div class=ad>Buy <i>this</i></div><p>{TEXT}</p></div>
<li class=k><i class=w>Ann Lee</i><p>Well said.</p></li></body></html>"""
RULES = """\
body: {root: div.b, tags: {decompose: [div.ad], lead: [p.vorspann]}}
posts: {comments: {item: li.k, author: i.w, text: p}}
"""
Show = Callable[..., tuple[dict[str, Any], str]]


@pytest.fixture
def show(curator: Any, tmp_path: Path) -> Show:
    """What is told of the marks, and the page with them."""

    def shown(content: str, rules: str = RULES, code: int = 0) -> tuple[dict[str, Any], str]:
        file, page, marked = (tmp_path / name for name in ("portal.yaml", "page.html", "marked.html"))
        file.write_text(f"portal: pelda\nhome: https://pelda.example/\nlanguage: en\ntimezone: Europe/Budapest\n{rules}", encoding="utf-8")
        page.write_text(content, encoding="utf-8")
        line = ("try", file, "https://pelda.example/c/1", "--html", page, "--highlight", "-o", marked)
        ended = curator(*line, "--json")
        assert ended.code == code, ended.err
        return json.loads(ended.out), unescape(marked.read_text(encoding="utf-8"))

    return shown


@pytest.fixture
def still(show: Show, tmp_path: Path) -> Callable[[str], str]:
    """What is shown of a page with this body."""

    def shown(body: str) -> str:
        show(f"<html><body>{body}</body></html>", f"{RULES}metadata: {{headline: h1}}\n")
        frame = re.search(
            r'<iframe sandbox="allow-same-origin" [^>]*srcdoc="([^"]*)"', (tmp_path / "marked.html").read_text(encoding="utf-8")
        )
        assert frame is not None
        return unescape(frame[1]).partition("<body")[2]

    return shown


def test_the_words_of_each_fate_are_counted(show: Show) -> None:
    told, html = show(PAGE)
    assert 'title="outside of the article' in html and 'title="read by posts.comments.author' in html
    assert "alert(1)" not in html
    words = told["words"]
    assert set(words) == {"kept", "post", "undecided", "said", "dropped", "general", "outside"}
    assert (words["kept"], words["dropped"], words["post"]) == (len((TEXT * 4).split()), 2, 2)


def test_the_times_names_and_titles_of_a_live_blog_are_read_and_its_texts_are_posts(show: Show) -> None:
    entry = "<div class=e><div><time>{}</time> <i class=author>Ann Lee</i></div><h3>The {}th news</h3><p>Now {}</p></div>"
    entries = "".join(entry.format(f"{12 - number}:30", number, TEXT) for number in range(6))
    date = "<meta property=article:published_time content=2024-05-01T12:00:00Z>"
    page = f"<html lang=en>{date}<body><article><h1>The bridge: live</h1><p>{TEXT}</p>{entries}</article></body></html>"
    told, html = show(page, "")
    assert "posts.liveblog.time" in html and "posts.liveblog.title" in html
    assert (told["words"]["dropped"], told["words"]["kept"]) == (0, len(TEXT.split()))


def test_without_rules_the_general_reader_is_shown(show: Show) -> None:
    told, html = show(PAGE, "metadata: {headline: h1}\n")
    assert told["words"]["kept"] >= len((TEXT * 4).split())
    assert "general finder" in html


@pytest.mark.parametrize(
    ("content", "rules", "code", "noun"),
    [
        ("", RULES, 1, "the page is empty"),
        ("<html><body><nav><a href=/a>A</a></nav></body></html>", "metadata: {headline: h1}\n", 0, "nothing was taken for the text"),
        (PAGE, "articles: {skip: {when: [div.ad]}}\n", 0, "div.ad"),
    ],
)
def test_of_what_is_no_article_the_reason_is_told(content: str, rules: str, code: int, noun: str, show: Show) -> None:
    told, html = show(content, rules, code)
    assert told["outcome"] != "article"
    assert noun in html


def test_people_are_told_how_many_words_and_what_to_open(curator: Any, tmp_path: Path) -> None:
    (tmp_path / "portal.yaml").write_text("portal: pelda\nhome: https://pelda.example/\n", encoding="utf-8")
    (tmp_path / "page.html").write_text(PAGE, encoding="utf-8")
    line = ("try", tmp_path / "portal.yaml", "https://pelda.example/c/1", "--html", tmp_path / "page.html", "--highlight")
    ended = curator(*line, "-o", tmp_path / "marked.html")
    assert ended.code == 0
    assert "words  kept" in ended.out and f"open {tmp_path / 'marked.html'} in a browser" in ended.err


# --- the picture of the page ---

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


@pytest.mark.parametrize("harmful", HARMFUL)
def test_nothing_in_it_runs_or_asks_for_anything(still: Callable[[str], str], harmful: str) -> None:
    signs = (
        *("<script", "alert(1)", "url(", "@import", " src=", "srcset", "<meta", "<link", "<base", "<iframe", "action=", "ping=", " href="),
    )
    html = still(f"{harmful}<p>After.</p>")
    assert not [sign for sign in signs if sign in html.lower()]
    assert "After." in html


@pytest.mark.parametrize(
    "dirt",
    [
        "<br<br>",
        "\x01",
        "\x0c",
        "\ufffe",
        "<a href='/\x01'>x</a>",
        "<img alt='\x01'>",
        "<p style='color: \x01'>x</p>",
        "<style>\x01</style>",
    ],
)
def test_dirt_of_a_page_is_no_bar(still: Callable[[str], str], dirt: str) -> None:
    assert "nobody went home" in still(f"<h1>A bridge</h1><div class=b><p>{TEXT}{dirt}</p><p>Behind {dirt}</p></div>")


def test_a_page_of_very_many_texts_is_marked_in_time(still: Callable[[str], str]) -> None:
    begun = time.process_time()
    still(f"<h1>A bridge</h1><div class=b><p>{TEXT}</p><p>{'word <b>b</b>' * 24_000}</p></div>")
    assert time.process_time() - begun < 60


def test_what_is_read_stays_readable(still: Callable[[str], str]) -> None:
    html = still(
        f"""<a href="https://pelda.example/b" target="_top">Next</a><img src="/a.jpg" alt="A bridge"><img src="{PIXEL}">
        <p>one <script>x</script> two</p><noscript>Seen</noscript>"""
    )
    assert re.search(r'<a title="https://pelda.example/b">(<span[^>]*>)?Next', html)
    assert "[picture, not stored: A bridge]" in html
    assert f'src="{PIXEL}"' in html
    assert re.sub("<.*?>", "", html).count("one  two") == 1
    assert re.search(r"<div[^>]*>(<span[^>]*>)?Seen", html)


MARKED = f"""<h1>A long bridge</h1><div class=b><h2>A long bridge</h2><p class=vorspann>{TEXT.strip()} Yes.</p>
<p>{TEXT.strip()}<a href=/x>There</a> they were.</p>
<ul><li>One</ul><div class=ad>Buy <b>this</b></div><x-y class=z>{TEXT.strip()} No.</x-y></div>
<li class=k><i class=w>Ann</i><p>Well said.</p></li>"""


def test_each_text_is_marked_with_what_became_of_it(still: Callable[[str], str]) -> None:
    html = still(MARKED)
    marks = {
        unescape(text).strip(): unescape(title)
        for title, text in re.findall(r'<span class="curator-mark[^>]*title="([^"]*)">([^<]*)', html)
    }
    assert marks[TEXT.strip()] == "kept as paragraph"
    assert "link" in marks["There"]
    assert "list" in marks["One"]
    assert "lead" in marks[f"{TEXT.strip()} Yes."] and "p.vorspann" in marks[f"{TEXT.strip()} Yes."]
    for dropped in ("Buy", "this"):
        assert marks[dropped].startswith("dropped") and "div.ad" in marks[dropped]
    assert "headline" in marks["A long bridge"]
    assert "no rule" in marks[f"{TEXT.strip()} No."]
    assert "posts.comments" in marks["Well said."] and "posts.comments" in marks["Ann"]


def test_classes_of_the_page_cannot_pass_for_marks(still: Callable[[str], str]) -> None:
    assert '<p class="own">' in still('<p class="curator-mark curator-kept own">x</p>')
