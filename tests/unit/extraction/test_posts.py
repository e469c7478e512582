"""Posts: live blogs, forums, comments and blog index pages, by rules and from JSON-LD."""

from __future__ import annotations

import json
from typing import Any

import pytest
from accounting import accounted, reference
from rewriting import written
from trial_portal import page_of, portal_of

from webarticlecurator.extraction.article import read_article
from webarticlecurator.extraction.picks import PageContext
from webarticlecurator.extraction.posts import post_parts
from webarticlecurator.model.article import Article, Fate

URL = "https://pelda.example/elo/1"


def article_of(html: str, **rules: Any) -> Article:
    return read_article([page_of(html, URL)], portal_of(**rules), id="x", identity=URL, url=URL)


COMMENTS: dict[str, Any] = {
    "item": "li.k",
    "id": {"attr": "data-id"},
    "author": ".nev",
    "time": {"css": "time", "attr": "datetime"},
    "reply_to": {"attr": "data-parent"},
    "text": ".sz",
}
THREAD = """<div class=cikk><p>szöveg</p><ul>
<li class=k data-id=1><b class=nev>Anna</b> <time datetime="2024-05-01T10:00:00+02:00">tíz óra</time>
<div class=sz><p>első<button>!</button></p></div><u>válasz</u></li>
<li class=k data-id=2 data-parent=1><b class=nev>Béla</b><div class=sz>második</div>
  <ul><li class=k data-id=3><b class=nev>Cili</b><div class=sz>harmadik</div></li></ul></li>
<li class=k data-id=4><b class=nev>Dani</b><div class=sz> </div></li></ul></div>"""


def test_posts_are_structure_and_not_text_of_the_article() -> None:
    article = article_of(THREAD, body={"root": "div.cikk"}, posts={"comments": COMMENTS})
    assert written(article.blocks) == "paragraph(szöveg)"
    assert [(p.kind, p.id, p.author, p.when, p.reply_to, written(p.blocks)) for p in article.posts] == [
        ("comments", "1", "Anna", "2024-05-01T10:00:00+02:00", None, "paragraph(első)"),
        ("comments", "2", "Béla", None, "1", "paragraph(második)"),
        ("comments", "3", "Cili", None, "2", "paragraph(harmadik)"),
    ]


def test_the_account_of_the_article_holds_the_posts_in_page_order() -> None:
    page = page_of(THREAD, URL)
    assert page.tree is not None
    article = article_of(THREAD, body={"root": "div.cikk"}, posts={"comments": COMMENTS})
    assert accounted(article.pieces) == reference([next(page.tree.iter("div"))])
    assert [piece.text for piece in article.pieces if piece.fate is Fate.KEPT] == ["szöveg", "első", "második", "harmadik"]
    rules = {piece.text: piece.rule for piece in article.pieces if piece.rule}
    assert rules["Anna"] == rules["válasz"] == "posts.comments: not its text"
    assert rules["!"] == "general table button"


@pytest.mark.parametrize(
    ("rules", "parts"),
    [
        (
            COMMENTS,
            {
                "li#1": "posts.comments",
                "b.nev": "posts.comments.author",
                "time": "posts.comments.time",
                "div.sz": "posts.comments.text",
                "u": "posts.comments: not its text",
            },
        ),
        ({"item": "li.k", "author": ".nev"}, {"li#1": "posts.comments", "b.nev": "posts.comments.author"}),
    ],
)
def test_which_elements_the_rules_for_posts_decide(rules: dict[str, Any], parts: dict[str, str]) -> None:
    portal, page = portal_of(posts={"comments": rules}), page_of(THREAD, URL)
    found = post_parts(PageContext.whole(page, portal), portal.posts)
    told = {
        f"{one.tag}{'.' + one.get('class', '') if one.tag != 'li' else '#' + one.get('data-id', '')}".rstrip("."): why
        for one, why in found.items()
    }
    assert parts.items() <= told.items()
    assert "p" not in told and "button" not in told, "what is in the text is decided by the tag dictionary"


def test_without_a_rule_for_the_text_it_is_all_but_the_named_parts() -> None:
    rules = {"item": "div.p", "title": "h3", "author": ".nev", "time": {"css": "i", "date": "HH:mm"}}
    html = "<div class=c><div class=p id=p7><h3>Cím</h3><i>10:30</i><b class=nev>Anna</b><p>a</p><p>b</p></div></div>"
    (post,) = article_of(html, body={"root": "div.c"}, posts={"liveblog": rules}).posts
    assert (post.id, post.title, post.author, written(post.blocks)) == ("p7", "Cím", "Anna", "paragraph(a) paragraph(b)")


@pytest.mark.parametrize(
    ("written_time", "when"),
    [
        ("2024-05-01T10:30:00+02:00", "2024-05-01T10:30:00+02:00"),
        ("10:30", "2024-04-30T10:30:00+02:00"),
        ("8:05", "2024-04-30T08:05:00+02:00"),
        ("valamikor", None),
    ],
)
def test_a_time_without_a_day_is_of_the_articles_day(written_time: str, when: str | None) -> None:
    html = f"<div class=c><div class=p><i>{written_time}</i><p>a</p></div></div>"
    article = article_of(
        html,
        body={"root": "div.c"},
        posts={"liveblog": {"item": "div.p", "time": "i"}},
        metadata={"datePublished": {"const": "2024-04-30"}},
    )
    assert article.posts[0].when == when


def test_the_text_of_posts_is_rewritten_by_the_same_dictionary() -> None:
    html = "<div class=c><div class=p><div class=d>doboz</div><p class=r>reklám</p></div></div>"
    tags = {"box": ["div.d"], "decompose": ["p.r"]}
    (post,) = article_of(html, body={"root": "div.c", "tags": tags}, posts={"blog": {"item": "div.p"}}).posts
    assert written(post.blocks) == "box(paragraph(doboz))"


def test_posts_of_a_json_article_are_items_of_it() -> None:
    document = {"posts": [{"by": "Anna", "html": "<p>a <b>b</b>"}, {"by": "Béla", "html": "c"}]}
    rules = {"forum": {"item": {"json": "posts[]"}, "author": {"json": "by"}, "text": {"json": "html"}}}
    portal = portal_of(articles={"format": "json"}, posts=rules)
    page = page_of(json.dumps(document), URL, format="json")
    article = read_article([page], portal, id="x", identity=URL, url=URL)
    assert [(post.author, written(post.blocks)) for post in article.posts] == [
        ("Anna", "paragraph(a bold[b])"),
        ("Béla", "paragraph(c)"),
    ]
    assert article.outcome == "article"


LIVE = {
    "@context": "https://schema.org",
    "@type": "LiveBlogPosting",
    "headline": "Élőben a hídról, percről percre",
    "url": URL,
    "liveBlogUpdate": [
        {
            "@type": "BlogPosting",
            "headline": "Megnyílt",
            "datePublished": "2024-05-01T10:00:00+02:00",
            "author": {"@type": "Person", "name": "Anna"},
            "articleBody": "Megnyitották a hidat a város déli részén.\nSokan várták már.",
        },
        {
            "@type": "BlogPosting",
            "headline": "Készülődés",
            "datePublished": "2024-05-01T09:00:00+02:00",
            "articleBody": "Gyűlnek az emberek a hídfőnél.",
        },
    ],
}


def test_live_entries_come_from_json_ld_where_there_is_no_rule() -> None:
    html = f"""<script type="application/ld+json">{json.dumps(LIVE)}</script><div class=c><p>Bevezető a napról, amelyen megnyílt a híd.</p>
    <h3>Megnyílt</h3><p>Megnyitották a <b>hidat</b> a város déli részén.</p></div>"""
    article = article_of(html, body={"root": "div.c"})
    assert [(p.kind, p.when, p.author, p.title, written(p.blocks)) for p in article.posts] == [
        ("liveblog", "2024-05-01T10:00:00+02:00", "Anna", "Megnyílt", "paragraph(Megnyitották a bold[hidat] a város déli részén.)"),
        ("liveblog", "2024-05-01T09:00:00+02:00", None, "Készülődés", "paragraph(Gyűlnek az emberek a hídfőnél.)"),
    ]
    assert written(article.blocks) == "paragraph(Bevezető a napról, amelyen megnyílt a híd.)"


@pytest.mark.parametrize(
    ("written_time", "when"),
    [
        ("10:32", "2024-05-03T10:32:00+02:00"),
        ("9:05 PM", "2024-05-03T21:05:00+02:00"),
        ("12:10 a.m.", "2024-05-03T00:10:00+02:00"),
        ("", "2024-05-03"),
        ("2024-05-01 08:00", "2024-05-01T08:00:00+02:00"),
    ],
)
def test_a_header_above_several_posts_gives_the_day_that_their_times_lack(written_time: str, when: str) -> None:
    post = f"<div class=p><i>{written_time}</i><p>Megnyílt a híd.</p></div>"
    html = f"<h2>2024-05-03</h2>{post}{post}"

    posts = article_of(html, posts={"liveblog": {"item": "div.p", "time": "i", "day": {"before": "h2"}}}).posts

    assert [one.when for one in posts] == [when, when]
