"""One page with what became of each of its texts."""

from __future__ import annotations

from html import unescape
from typing import Any

import pytest
from trial_portal import URL, capture_of, portal_of

from webarticlecurator import page_highlight
from webarticlecurator.model.capture import Fetched, Request
from webarticlecurator.model.outcome import FetchOutcome, Verdict
from webarticlecurator.page_highlight import highlight
from webarticlecurator.report.highlight_page import HighlightView, highlight_page

TEXT = "The council met on Tuesday and talked for hours about the bridge, and nobody went home before midnight. "
PAGE = f"""<html lang=en><head><title>A bridge</title><script>alert(1)</script></head><body><nav>Home</nav><h1>A bridge</h1>
<div class=b><p>{TEXT * 3}</p><div class=ad>Buy <i>this</i></div><p>{TEXT}</p></div>
<li class=k><i class=w>Ann Lee</i><p>Well said.</p></li></body></html>"""
RULES: dict[str, Any] = {
    "body": {"root": "div.b", "tags": {"decompose": ["div.ad"]}},
    "posts": {"comments": {"item": "li.k", "author": "i.w", "text": "p"}},
}


@pytest.fixture(autouse=True)
def _no_labeller(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_highlight, "content_shares", lambda _: None)


def shown(content: str | bytes | None, **rules: Any) -> HighlightView:
    verdict = Verdict(FetchOutcome.FETCHED, "") if content is not None else Verdict(FetchOutcome.GONE, "it is not stored")
    capture = capture_of(content) if content is not None else None
    return highlight(URL, portal_of(**(rules or RULES)), Fetched(request=Request(url=URL), verdict=verdict, capture=capture))


def marks(made: HighlightView) -> str:
    return unescape(highlight_page(made))


def test_every_text_says_what_became_of_it() -> None:
    html = marks(shown(PAGE))
    assert '<span class="curator-mark curator-kept curator-first" title="kept as paragraph">The council' in html
    assert 'curator-dropped curator-first" title="dropped: ' in html and "div.ad" in html
    assert 'title="outside of the article">Home' in html
    assert 'title="says what the metadata have as headline">A bridge' in html
    assert 'title="kept as paragraph, by posts.comments">Well said.' in html
    assert 'title="read by posts.comments.author">Ann Lee' in html
    assert "alert(1)" not in html


def test_the_words_are_counted_by_what_became_of_them() -> None:
    counts = dict(shown(PAGE).words)
    assert counts["kept"] == len((TEXT * 4).split())
    assert (counts["dropped"], counts["post"]) == (2, 2)


def test_the_times_names_and_titles_of_a_live_blog_are_read_and_its_texts_are_posts() -> None:
    entry = "<div class=e><div><time>{}</time> <i class=author>Ann Lee</i></div><h3>The {}th news</h3><p>Now {}</p></div>"
    entries = "".join(entry.format(f"{12 - n}:30", n, TEXT) for n in range(6))
    date = "<meta property=article:published_time content=2024-05-01T12:00:00Z>"
    made = shown(f"<html lang=en>{date}<body><article><h1>The bridge: live</h1><p>{TEXT}</p>{entries}</article></body></html>", metadata={})
    html, counts = marks(made), dict(made.words)
    assert 'title="read by posts.liveblog.time">12:30' in html and 'title="read by posts.liveblog.title">The 0th news' in html
    assert 'title="kept as paragraph, in an entry of a live blog">Now The council' in html
    assert (counts["dropped"], counts["kept"]) == (0, len(TEXT.split()))


def test_without_rules_the_general_reader_is_shown() -> None:
    made = shown(PAGE, metadata={"headline": "h1"})
    assert dict(made.words)["kept"] >= len((TEXT * 4).split())
    assert "general finder" in highlight_page(made)


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "it is not stored"),
        (b"", "the page is empty"),
        ("<html><body><nav><a href=/a>A</a></nav></body></html>", "nothing was taken for the text"),
    ],
)
def test_of_what_is_no_article_the_reason_is_told(content: str | bytes | None, reason: str) -> None:
    assert reason in highlight_page(shown(content, metadata={"headline": "h1"}))


def test_a_page_that_the_rules_skip_is_shown_with_the_rule() -> None:
    made = shown(PAGE, articles={"skip": {"when": ["div.ad"]}})
    assert made.outcome == "not-article"
    assert "div.ad" in made.reason
    assert 'title="outside of the article">The council' in marks(made)


def test_where_the_labeller_thinks_otherwise_a_second_mark_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_highlight, "content_shares", lambda blocks: [0.9 if "Buy" in one.text else 0.1 for one in blocks])
    html = marks(shown(PAGE))
    assert 'curator-dropped curator-differs curator-first" title="dropped: ' in html
    assert "div.ad · labeller: main text (90%)" in html
    assert 'title="kept as paragraph · labeller: not main text (10%)">The council' in html
    assert 'title="outside of the article">Home' in html, "where it thinks the same, nothing is said"
    assert 'title="kept as paragraph, by posts.comments">Well said.' in html, "of comments it knows nothing"


def test_long_pages_are_marked_up_to_a_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page_highlight, "MAX_TEXTS", 2)
    made = shown(PAGE)
    assert sum(count for _, count in made.words) == 3, "Home, A bridge"
    assert "only its first 2 texts are marked" in highlight_page(made)
