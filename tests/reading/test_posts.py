"""Posts: live blogs, forums, comments and blog index pages, by rules and from JSON-LD."""

from __future__ import annotations

import json
from typing import Any

import pytest
from lxml.html import fromstring
from read_bodies import written
from seams import article_of as article_of_pages
from seams import portal_of

from webarticlecurator import Article

URL = "https://pelda.example/elo/1"


def article_of(html: str, **rules: Any) -> Article:
    return article_of_pages(html, url=URL, portal=portal_of(**rules))


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
    article = article_of(THREAD, body={"root": "div.cikk"}, posts={"comments": COMMENTS})
    assert "".join("".join(piece.text for piece in article.pieces).split()) == "".join(fromstring(THREAD).text_content().split())
    assert [piece.text for piece in article.pieces if piece.fate == "kept"] == ["szöveg", "első", "második", "harmadik"]
    rules = {piece.text: piece.rule for piece in article.pieces if piece.rule}
    assert rules["Anna"] == rules["válasz"] == "posts.comments: not its text"
    assert rules["!"] == "general table button"


def test_without_a_rule_for_the_text_it_is_all_but_the_named_parts() -> None:
    rules = {"item": "div.p", "title": "h3", "author": ".nev", "time": {"css": "i", "date": "HH:mm"}}
    html = "<div class=c><div class=p id=p7><h3>Cím</h3><i>10:30</i><b class=nev>Anna</b><p>a</p><p>b</p></div></div>"
    (post,) = article_of(html, body={"root": "div.c"}, posts={"liveblog": rules}).posts
    assert (post.id, post.title, post.author, written(post.blocks)) == ("p7", "Cím", "Anna", "paragraph(a) paragraph(b)")


def test_name_and_time_in_one_text_and_the_words_behind_it_are_read() -> None:
    rules = {
        "item": "dl > dt",
        "id": {"attr": "id"},
        "time": {"match": r"^\s*(.+?) - ", "date": "d. MMMM yyyy HH:mm"},
        "author": {"match": " - (.+)$"},
        "text": {"after": "dd"},
    }
    first = "<dt id=c7>22. November 2022 21:49 - Kurt W.</dt> <dd><p>Das Stück stammt nicht von dort.</p></dd>"
    page = f"<div class=c><p>szöveg</p><dl>{first}<dt id=c8> 3. März 2023 8:05 - Jo - Ann </dt><dd>Doch.</dd></dl></div>"
    article = article_of(page, body={"root": "div.c"}, language="de", timezone="Europe/Berlin", posts={"comments": rules})
    assert [(post.id, post.when, post.author, written(post.blocks)) for post in article.posts] == [
        ("c7", "2022-11-22T21:49:00+01:00", "Kurt W.", "paragraph(Das Stück stammt nicht von dort.)"),
        ("c8", "2023-03-03T08:05:00+01:00", "Jo - Ann", "paragraph(Doch.)"),
    ]


def test_posts_of_a_json_article_are_items_of_it() -> None:
    document = {"posts": [{"by": "Anna", "html": "<p>a <b>b</b>"}, {"by": "Béla", "html": "c"}]}
    rules = {"forum": {"item": {"json": "posts[]"}, "author": {"json": "by"}, "text": {"json": "html"}}}
    portal = portal_of(articles={"format": "json"}, posts=rules)
    article = article_of_pages(json.dumps(document), url=URL, portal=portal)
    assert [(post.author, written(post.blocks)) for post in article.posts] == [("Anna", "paragraph(a bold[b])"), ("Béla", "paragraph(c)")]
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
        (
            "liveblog",
            "2024-05-01T10:00:00+02:00",
            "Anna",
            "Megnyílt",
            "paragraph(Megnyitották a hidat a város déli részén.) paragraph(Sokan várták már.)",
        ),
        ("liveblog", "2024-05-01T09:00:00+02:00", None, "Készülődés", "paragraph(Gyűlnek az emberek a hídfőnél.)"),
    ]
    assert written(article.blocks) == "paragraph(Bevezető a napról, amelyen megnyílt a híd.)"


FORUM: dict[str, Any] = {
    "item": "div.p",
    "id": {"attr": "id"},
    "author": ".nev",
    "time": {"css": "time", "attr": "datetime"},
    "text": ".sz",
    "number": ".szam",
    "edited": {"css": ".modositva time", "attr": "datetime"},
    "editor": ".modositva b",
    "deleted": ".torolve",
    "likes": {"css": ".kedveli", "match": r"\d+"},
    "quoted": {"css": "cite a", "attr": "href", "match": r"#(\w+)"},
    "quoted_author": "cite b",
}


def thread_of(*pages: str, rules: dict[str, Any] = FORUM, kind: str = "forum", **others: Any) -> Article:
    portal = portal_of(posts={kind: rules}, body={"root": "body", "tags": {"source": ["cite"]}}, **others)
    return article_of_pages(*(f"<body>{html}" for html in pages), url=URL, portal=portal)


def test_what_the_site_says_about_a_post_is_no_text_of_it() -> None:
    (post,) = thread_of(
        "<div class=p id=p7><u class=szam>#3</u><div class=sz><p>Szöveg.</p><i class=kedveli>12 kedvelés</i>"
        "<p class=modositva>Módosította <b>Béla</b> <time datetime='2024-05-01T11:00:00+02:00'>tegnap</time></p></div></div>"
    ).posts
    assert (post.number, post.likes, post.edited, post.editor) == ("#3", "12", "2024-05-01T11:00:00+02:00", "Béla")
    assert written(post.blocks) == "paragraph(Szöveg.) paragraph(Módosította)"


@pytest.mark.parametrize(
    "quotation",
    [
        '<blockquote><cite><b>Anna</b> írta: <a href="/tema?p=1#p1">ugrás</a></cite><p>Az első.</p></blockquote>',
        '<cite><b>Anna</b> írta: <a href="/tema?p=1#p1">ugrás</a></cite><blockquote><p>Az első.</p></blockquote>',
    ],
)
def test_a_quotation_names_the_post_it_quotes_and_so_does_the_answer(quotation: str) -> None:
    first = "<div class=p id=p1><b class=nev>Anna</b><div class=sz>Az első.</div></div>"
    answer = f"<div class=p id=p2><div class=sz>{quotation}<p>Igen.</p></div></div>"
    post = thread_of(first, answer).posts[1]
    quote = post.blocks[1]
    assert (quote.type, quote.attributes) == ("quote", {"post": "p1", "who": "Anna"})
    assert written(post.blocks[:2]) == "page-break() quote(source(bold[Anna] írta: link@/tema?p=1#p1[ugrás]) paragraph(Az első.))"
    assert post.reply_to == "p1"


@pytest.mark.parametrize("written_so", ["p12", "12", "#2", "post-12"])
def test_what_is_answered_is_found_by_its_id_or_its_number(written_so: str) -> None:
    html = f"<div class=p id=p12><u class=szam>2</u><p class=sz>a</div><div class=p id=p13 data-to='{written_so}'><p class=sz>b</div>"
    _, answer = thread_of(html, rules={**FORUM, "reply_to": {"attr": "data-to"}}).posts
    assert answer.reply_to == "p12"


def test_a_post_without_text_and_name_does_not_take_those_of_its_answers() -> None:
    inner = "<div class=k id=b><b class=nev>Béla</b><p class=sz>válasz</p></div>"
    article = thread_of(
        f"<div class=k id=a><i class=t>törölve</i>{inner}</div>",
        rules={"item": ".k", "text": ".sz", "author": ".nev", "deleted": ".t"},
        kind="comments",
    )
    assert [(post.author, written(post.blocks), post.reply_to) for post in article.posts] == [
        (None, "", None),
        ("Béla", "paragraph(válasz)", "a"),
    ]


@pytest.mark.parametrize("ids", [("id=p1", "id=p2", "id=p3"), ("", "", "")], ids=["with ids", "without"])
def test_what_opens_a_thread_on_every_page_comes_once(ids: tuple[str, ...]) -> None:
    first, second, third = (
        f"<div class=p {id}><b class=nev>Anna</b><time datetime='2024-05-01T10:00'></time><p class=sz>{text}</p></div>"
        for id, text in zip(ids, ("nyitó", "kettő", "három"), strict=True)
    )
    assert [written(one.blocks) for one in thread_of(first + second, first + third).posts] == [
        "paragraph(nyitó)",
        "paragraph(kettő)",
        "page-break() paragraph(három)",
    ]


def test_a_thread_by_rules_is_one_whatever_the_portal_is() -> None:
    html = "<div class=p id=p1><b class=nev>Anna</b><time datetime='2024-05-01T10:00'></time><p class=sz>Szöveg.</p></div>"
    article = thread_of(html)
    assert (article.type, article.authors, article.date) == ("DiscussionForumPosting", ("Anna",), "2024-05-01T10:00:00+02:00")


def live(*entries: tuple[str, str]) -> str:
    return "".join(f"<div class=p id={id or text}><i>{time}</i><p class=sz>{text}</p></div>" for time, text in entries for id in ("",))


LIVE_RULES: dict[str, Any] = {"item": "div.p", "time": "i", "text": ".sz"}
DAY = {"datePublished": {"const": "2024-05-01"}}


@pytest.mark.parametrize("newest_first", [True, False])
def test_times_without_a_day_go_over_midnight_in_both_directions_and_over_pages(newest_first: bool) -> None:
    entries = [("20:00", "a"), ("23:50", "b"), ("0:10", "c"), ("9:00", "d"), ("23:00", "e"), ("1:00", "f")]
    days = {"a": 1, "b": 1, "c": 2, "d": 2, "e": 2, "f": 3}
    entries = entries[::-1] if newest_first else entries
    article = thread_of(live(*entries[:3]), live(*entries[3:]), rules=LIVE_RULES, kind="liveblog", metadata=DAY)
    assert {post.id: int((post.when or "")[8:10]) for post in article.posts} == days
    assert article.type == "LiveBlogPosting"
    told = {name: article.metadata[name][0].value for name in ("coverageStartTime", "coverageEndTime")}
    assert told == {"coverageStartTime": "2024-05-01T20:00:00+02:00", "coverageEndTime": "2024-05-03T01:00:00+02:00"}


def test_a_pinned_entry_comes_once_where_its_time_is() -> None:
    entries = [("12:00", "d"), ("11:00", "c"), ("10:00", "b"), ("9:00", "a")]
    pinned = ("11:00", "c")
    article = thread_of(live(pinned, *entries[:2]), live(pinned, *entries[2:]), rules=LIVE_RULES, kind="liveblog", metadata=DAY)
    assert [post.id for post in article.posts] == ["d", "c", "b", "a"]


def test_the_text_of_a_post_may_stand_behind_its_item() -> None:
    html = "<article><p>Bevezető.</p><dl><dt>Anna</dt><dd><p>Jó cikk.</p></dd><dt>Béla</dt><dd>Nem jó.</dd></dl></article>"
    rules = {"item": "dt", "author": {"take": "first"}, "text": {"after": "dd"}}

    article = article_of(html, body={"root": "article"}, posts={"comments": {**rules, "author": {"css": ":scope"}}})

    assert written(article.blocks) == "paragraph(Bevezető.)"
    assert [(one.author, written(one.blocks)) for one in article.posts] == [("Anna", "paragraph(Jó cikk.)"), ("Béla", "paragraph(Nem jó.)")]


def test_live_rules_that_find_nothing_leave_the_page_to_what_it_says_itself() -> None:
    data = f'<script type="application/ld+json">{json.dumps(LIVE)}</script>'
    html = f"{data}<div class=c><p>Bevezető a napról, amelyen megnyílt a híd.</p></div>"
    article = article_of(html, body={"root": "div.c"}, posts={"liveblog": {"item": "article.bejegyzes"}})
    assert [post.title for post in article.posts] == ["Megnyílt", "Készülődés"]


def test_pages_of_comments_that_run_backwards_are_put_in_order() -> None:
    def page(*hours: int) -> str:
        return "".join(f"<div class=k><time datetime='2024-05-01T{hour:02}:00'></time><p class=sz>{hour}</p></div>" for hour in hours)

    rules = {"item": ".k", "text": ".sz", "time": {"css": "time", "attr": "datetime"}}
    article = thread_of(page(14, 15), page(12, 13), page(10, 11), rules=rules, kind="comments")
    assert [written(post.blocks) for post in article.posts] == [f"paragraph({hour})" for hour in range(10, 16)]
    newest_first = thread_of(page(15, 14), page(13, 12), rules=rules, kind="comments")
    assert [written(post.blocks) for post in newest_first.posts] == [f"paragraph({hour})" for hour in (15, 14, 13, 12)]


ONE_ENTRY = "<div class=p><i>{}</i><p>Megnyílt.</p></div>"
UNDER_A_DAY = f"<h2>2024-05-03</h2>{ONE_ENTRY}"
IN_WORDS = {"css": "i", "date": "yyyy.MM.dd., HH:mm"}


@pytest.mark.parametrize(
    ("html", "pick", "times", "moments"),
    [
        (ONE_ENTRY.format("2024-05-01T10:30:00+02:00"), "i", [None], ["2024-05-01T10:30:00+02:00"]),
        (ONE_ENTRY.format("10:30"), "i", ["10:30"], ["2024-04-30T10:30:00+02:00"]),
        (ONE_ENTRY.format("valamikor"), "i", ["valamikor"], [None]),
        (ONE_ENTRY.format("2024.05.01., 10:00"), IN_WORDS, ["2024.05.01., 10:00"], ["2024-05-01T10:00:00+02:00"]),
        ("<div class=p><i title=2024-05-01T10:00>ma</i>a</div>", {"css": "i", "attr": "title"}, [None], ["2024-05-01T10:00:00+02:00"]),
        (UNDER_A_DAY.format("9:05 PM"), "i", ["9:05 PM"], ["2024-05-03T21:05:00+02:00"]),
        (UNDER_A_DAY.format("12:10 a.m."), "i", ["12:10 a.m."], ["2024-05-03T00:10:00+02:00"]),
        (UNDER_A_DAY.format(""), "i", [None], ["2024-05-03"]),
        (UNDER_A_DAY.format("2024-05-01 08:00"), "i", [None], ["2024-05-01T08:00:00+02:00"]),
        (
            "<p class=p>Egy.</p><b>10:30</b><p class=p>Kettő.</p><p class=p>Három.</p><b>10:40</b>",
            {"after": "b"},
            ["10:30", None, "10:40"],
            ["2024-04-30T10:30:00+02:00", None, "2024-04-30T10:40:00+02:00"],
        ),
    ],
)
def test_when_a_post_was_written(html: str, pick: Any, times: list[str | None], moments: list[str | None]) -> None:
    """A time without a day is of the article's day, or that of the header above; it stays as readers see it."""
    rules = {"item": ".p", "time": pick, "day": {"before": "h2"}}
    posts = article_of(f"<body>{html}", posts={"liveblog": rules}, metadata={"datePublished": {"const": "2024-04-30"}}).posts
    assert [post.time for post in posts] == times
    assert [post.when for post in posts] == moments


def comment(text: str, inside: str = "", more: str = "") -> str:
    return f"<div class='k {more}'><p class=sz>{text}</p>{inside}</div>"


NESTED = comment("a", f"<div>{comment('b', comment('c'))}</div>") + comment("d")
IN_BOXES = f"{comment('a')}<div class=children>{comment('b')}<div class=children>{comment('c')}</div></div>{comment('d')}"
IN_LISTS = f"<ul><li>{comment('a')}<ul><li>{comment('b')}<ul><li>{comment('c')}</ul></ul><li>{comment('d')}</ul>"
BY_DEPTH = "".join(comment(text, more=f"depth-{depth}") for text, depth in (("a", 1), ("b", 2), ("c", 3), ("d", 2), ("e", 1)))
ALONE = f"<div><div class=elso>{comment('a')}</div><div class=lista>{comment('b')}</div><div class=lista>{comment('c')}</div></div>"


@pytest.mark.parametrize(
    ("html", "rules", "answered"),
    [
        (NESTED, {}, [None, 0, 1, None]),
        (IN_BOXES, {}, [None, 0, 1, None]),
        (IN_LISTS, {}, [None, 0, 1, None]),
        (BY_DEPTH, {"depth": {"attr": "class", "match": r"depth-(\d+)"}}, [None, 0, 1, 0, None]),
        (ALONE, {}, [None, None, None]),
        (comment("+1", comment("+1", comment("+1"))), {}, [None, 0, 1]),
    ],
)
def test_which_post_each_answers_though_none_has_an_id(html: str, rules: dict[str, Any], answered: list[int | None]) -> None:
    posts = thread_of(html, rules={"item": ".k", "text": ".sz", "author": ".nev", **rules}, kind="comments").posts
    ids = {post.id: number for number, post in enumerate(posts) if post.id}
    assert [ids[post.reply_to] if post.reply_to else None for post in posts] == answered
    assert "".join(written(post.blocks)[10:-1] for post in posts) in ("abcd", "abcde", "abc", "+1+1+1")


@pytest.mark.parametrize(
    ("inside", "deleted", "text"),
    [
        ("<div class='sz torolve'>Ezt törölték.</div>", "Ezt törölték.", ""),
        ("<p>Szöveg.</p><i class=torolve></i><div class=sz></div>", "deleted", ""),
        ("<i class=torolve>friss</i><div class=sz>Szöveg.</div>", None, "paragraph(Szöveg.)"),
    ],
)
def test_a_deleted_post_is_kept_as_one(inside: str, deleted: str | None, text: str) -> None:
    rules = {**FORUM, "deleted": {"css": ".torolve", "match": "törölt"}} if "friss" in inside else FORUM
    (post,) = thread_of(f"<div class=p id=p1><b class=nev>Anna</b>{inside}</div>", rules=rules).posts
    assert (post.id, post.author, post.deleted, written(post.blocks)) == ("p1", "Anna", deleted, text)
