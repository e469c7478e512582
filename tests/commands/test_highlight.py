"""`curator try --highlight`: one page with what became of each of its texts."""

from __future__ import annotations

import json
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
body: {root: div.b, tags: {decompose: [div.ad]}}
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


def test_every_text_says_what_became_of_it_and_nothing_of_the_page_runs(show: Show) -> None:
    told, html = show(PAGE)
    for mark in (
        'title="kept as paragraph', 'title="dropped: ', "div.ad", 'title="outside of the article',
        'title="says what the metadata have as headline',
        "by posts.comments", 'title="read by posts.comments.author',
    ):  # fmt: skip
        assert mark in html
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
