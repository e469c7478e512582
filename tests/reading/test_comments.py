"""Comments below an article that no rule describes: who wrote each, when, what, and whom they answer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from read_bodies import written
from seams import article_of as article_of_pages
from seams import portal_of

from webarticlecurator import Article, extract

URL = "https://pelda.example/cikk/1"
CAPTURED = datetime(2024, 5, 20, 12, tzinfo=UTC)
PARAGRAPH = "<p>The council met on Tuesday and talked for hours about the bridge, the school, and the money that both need, point {}.</p>"
SAID = (
    ("Ada Kovács", "2024-05-02T10:30:00+00:00", "I crossed it as a child, and it was never painted in any colour at all."),
    ("bridge_lover", "2024-05-02T11:45:00+00:00", "Nobody asked us about the colour, not even those who live beside it."),
    ("Béla Nagy", "2024-05-03T08:05:00+00:00", "The old ferry was quicker, and it had a roof."),
)


def page(below: str, inside: str = "") -> str:
    text = "".join(map(PARAGRAPH.format, range(4)))
    return (
        "<html lang=en><head><title>A bridge</title></head><body><nav><a href=/>Home</a></nav>"
        f"<article><h1>A bridge</h1><div class=text>{text}</div>{inside}</article>{below}<footer>Imprint</footer></body></html>"
    )


def shown(time: str) -> str:
    return datetime.fromisoformat(time).strftime("%B %-d, %Y at %H:%M")


def wordpress(name: str, time: str, said: str, number: int) -> str:
    return (
        f'<li id=comment-{number} class="comment depth-1 {["even", "odd"][number % 2]}"><article class=comment-body>'
        f"<footer class=comment-meta><div class='comment-author vcard'><b class=fn>{name}</b> <span class=says>says:</span></div>"
        f"<a href='{URL}#comment-{number}'><time datetime={time}>{shown(time)}</time></a></footer>"
        f"<div class=comment-content><p>{said}</p></div><div class=reply><a href='#r'>Reply</a></div></article></li>"
    )


def flat(name: str, time: str, said: str, number: int) -> str:
    """Name and time beside bare paragraphs."""
    return f"<div class=one><b>{name}</b> wrote on {shown(time)} <p>{said}</p><a href='#reply'>Answer</a></div>"


def old_wordpress(name: str, time: str, said: str, number: int) -> str:
    """Name and time in the element of the text, which is all of the item."""
    return (
        f"<li class=comment id=comment-{number}><div class=comment-body><div class='comment-author vcard'><cite class=fn>"
        f"<a href=https://ada.example/{number}>{name}</a></cite> <span class=says>says:</span></div>"
        f"<div class=comment-meta><a href='{URL}#c'>{shown(time)}</a></div><p>{said}</p>"
        "<div class=reply><a href='#r'>Reply</a></div></div></li>"
    )


def blogger(name: str, time: str, said: str, number: int) -> str:
    """The time of the reader's own clock, and the moment in its address."""
    clock = datetime.fromisoformat(time)
    link = f"{URL}?showComment={int(clock.timestamp())}000#c{number}"
    return (
        f"<li class=comment id=c{number}><div class=comment-block><div class=comment-header><cite class=user>"
        f"<a href=https://www.blogger.com/profile/{number}>{name}</a></cite> <span class=datetime>"
        f"<a rel=nofollow href='{link}'>{shown((clock + timedelta(hours=5)).isoformat())}</a></span></div>"
        f"<p class=comment-content>{said}</p><span class=comment-actions><a class=comment-reply>Reply</a></span></div></li>"
    )


def microdata(name: str, time: str, said: str, number: int) -> str:
    return (
        "<li itemprop=comment itemscope itemtype=https://schema.org/Comment>"
        f"<span itemprop=author itemscope><span itemprop=name>{name}</span></span>"
        f"<time itemprop=dateCreated datetime={time}>x</time><div itemprop=text>{said}</div></li>"
    )


def named_behind(name: str, time: str, said: str, number: int) -> str:
    foot = f"<p class=foot>Posted by: <a href=/users/{number}>{name}</a>, {shown(time)}</p>"
    return f"<div class=reply-box><div class=words>{said}</div>{foot}</div>"


MAKES: dict[str, tuple[Any, str]] = {
    "WordPress": (wordpress, "<section id=comments class=comments-area><h2>3 thoughts on “A bridge”</h2><ol>{}</ol>{}</section>"),
    "WordPress of old": (old_wordpress, "<h3 id=comments>3 comments</h3><ol class=commentlist>{}</ol>{}"),
    "Blogger": (blogger, "<div class=comments id=comments><h4>3 comments:</h4><ol>{}</ol>{}</div>"),
    "bare paragraphs": (flat, "<section class=reader-comments><h3>3 comments</h3>{}{}</section>"),
    "microdata": (microdata, "<ul>{}</ul>{}"),
    "name behind the text": (named_behind, "<div class=comments>{}{}</div>"),
}
FORM = "<form action=/c><p>Your email address will not be published. Required fields are marked *</p><textarea></textarea></form>"


def below(make: str, said: Any = SAID) -> str:
    one, all_of_them = MAKES[make]
    return all_of_them.format("".join(one(*comment, number) for number, comment in enumerate(said, 7)), FORM)


def told(article: Article) -> list[tuple[str | None, str | None, str]]:
    return [(post.author, post.when, written(post.blocks)) for post in article.posts if post.kind == "comments"]


@pytest.mark.parametrize("make", MAKES)
def test_comments_are_read_with_who_wrote_them_and_when(make: str) -> None:
    article = extract(page(below(make)), URL)
    assert [(author, (when or "")[:16], said) for author, when, said in told(article)] == [
        (name, when[:16], f"paragraph({said})") for name, when, said in SAID
    ]


@pytest.mark.parametrize("make", MAKES)
@pytest.mark.parametrize("inside", [False, True])
def test_comments_are_never_text_of_the_article(make: str, inside: bool) -> None:
    lists = below(make)
    article = extract(page("", lists) if inside else page(lists), URL)
    assert len(told(article)) == 3
    alone = extract(page(""), URL)
    assert article.text == alone.text
    assert (article.outcome, article.language, article.metadata) == (alone.outcome, alone.language, alone.metadata)


@pytest.mark.parametrize("make", ["WordPress", "bare paragraphs", "microdata"])
def test_a_single_comment_is_read(make: str) -> None:
    assert [author for author, *_ in told(extract(page(below(make, SAID[:1])), URL))] == ["Ada Kovács"]


def test_a_time_without_a_zone_is_told_without_one() -> None:
    times = [when for _, when, _ in told(extract(page(below("bare paragraphs")), URL))]
    assert times == [time.removesuffix("+00:00") for _, time, _ in SAID]


def test_an_address_in_a_paragraph_of_its_own_is_of_the_text() -> None:
    said = [(*SAID[0][:2], f"{SAID[0][2]}</p><p><a href=https://ada.example/>ada.example</a>"), *SAID[1:]]
    assert "ada.example" in told(extract(page(below("WordPress of old", said)), URL))[0][2]


def test_whom_a_comment_answers_is_told_by_where_it_stands() -> None:
    first, second, third = (wordpress(*comment, number) for number, comment in enumerate(SAID, 7))
    nested = first.replace("</article>", f"</article><ol class=children>{second}</ol>") + third
    article = extract(page(f"<section id=comments><ol>{nested}</ol></section>"), URL)
    assert [(post.id, post.reply_to) for post in article.posts] == [("comment-7", None), ("comment-8", "comment-7"), ("comment-9", None)]


def test_an_age_is_resolved_where_the_capture_is_known_and_kept_as_readers_see_it() -> None:
    said = "".join(
        f"<li class=comment><b class=author>{name}</b> <i>{days} days ago</i><div class=body>{text}</div></li>"
        for days, (name, _, text) in enumerate(SAID, 2)
    )
    html = page(f"<ul class=comments>{said}</ul>")
    known, unknown = extract(html, URL, captured=CAPTURED), extract(html, URL)
    assert [(post.when or "")[:10] for post in known.posts] == ["2024-05-18", "2024-05-17", "2024-05-16"]
    ages = [(post.author, post.when, post.time) for post in unknown.posts]
    assert ages == [(name, None, f"{days} days ago") for days, (name, *_) in enumerate(SAID, 2)]


def read_by(html: str, **rules: Any) -> Article:
    return article_of_pages(html, url=URL, portal=portal_of(**rules))


def test_rules_for_comments_decide() -> None:
    html = page(below("WordPress"))
    rules = {"item": "li.comment", "author": ".fn", "text": "p"}
    assert [post.time for post in read_by(html, posts={"comments": rules}).posts] == [None] * 3
    assert read_by(html, posts={"comments": None}).posts == ()
    ruled = read_by(html, body={"root": "div.text"})
    assert [author for author, *_ in told(ruled)] == [name for name, *_ in SAID]
    assert SAID[0][2] not in written(ruled.blocks)


def teaser(number: int) -> str:
    return (
        f"<div class=card><h3><a href=/cikk/{number}>A headline of an article that is another one, {number}</a></h3>"
        f"<span class=author>Ada {number}</span> <time datetime=2024-05-0{number}>May {number}, 2024</time>"
        f"<p class=excerpt>The first sentence of the article number {number}, which tells what it is about.</p></div>"
    )


LAST_OF_THE_SITE = "".join(
    f"<li class=recentcomments><span>{name}</span> on <a href=/cikk/{n}>An article, {n}</a></li>" for n, (name, *_) in enumerate(SAID)
)
NO_COMMENTS = {
    "a form": f"<section id=comments class=comments-area><h3>Write a comment</h3>{FORM}</section>",
    "teasers": f"<section class=related><h2>Read on</h2>{''.join(map(teaser, range(1, 5)))}</section>",
    "the last comments of the site": f"<aside class='widget widget_recent_comments'><ul>{LAST_OF_THE_SITE}</ul></aside>",
    "rules": "<div class=comments><p class=rules>Comments are moderated. Be polite, and write about the bridge, not others.</p></div>",
    "rules with a day": "<div class=comments><p class=rules><b>Stay calm!</b> New rules hold for all comments since May 2, 2019, "
    "and we shall keep them.</p><p>Be polite, and write about the bridge.</p></div>",
    "about the author": "<div class=author-comment><div class=bio><b class=name>Ada Kovács</b> has written for us since May 2, 2019. "
    "She loves bridges, and has crossed many.</div></div>",
    "a notice in each of several boxes": "<div class=comments>"
    + "<div class=box><p class=note>To comment, become a member of our club of readers.</p></div>" * 3
    + "</div>",
}


@pytest.mark.parametrize("below", NO_COMMENTS.values(), ids=NO_COMMENTS)
def test_what_nobody_wrote_below_an_article_is_no_comment(below: str) -> None:
    assert extract(page(below), URL).posts == ()


COUNTED = """<script type="application/ld+json">
{"@context": "https://schema.org", "@type": "NewsArticle", "headline": "A bridge", "commentCount": %d}</script>"""
LOGGED_OUT = "<div class=comments><h3>3 comments</h3><a href=/login>Log in to see them</a></div>"
WAITING = "<div id=disqus_thread></div><script src=/d.js></script>"
UNREAD = {
    "the data count": ("", COUNTED % 16, "the page's data count 16"),
    "a headline counts": (LOGGED_OUT, "", "“3 comments” stands above them"),
    "a script brings them": (WAITING, "", "div#disqus_thread waits for a script"),
}


@pytest.mark.parametrize(("below", "inside", "reason"), UNREAD.values(), ids=UNREAD)
def test_comments_that_are_seen_and_not_read_are_told_once(below: str, inside: str, reason: str) -> None:
    article = extract(page(below, inside), URL)
    assert article.posts == ()
    assert article.flags == (f"comments are not read: {reason}",)
    assert read_by(page(below, inside), posts={"comments": None}).flags == ()


NOT_SEEN = {
    **NO_COMMENTS,
    "none are counted": WAITING + COUNTED % 0,
    "nobody has written yet": f"<div id=comments><h3>0 comments</h3><ol class=commentlist></ol>{FORM}</div>",
    "they are read": below("WordPress"),
}


@pytest.mark.parametrize("below", NOT_SEEN.values(), ids=NOT_SEEN)
def test_a_page_on_which_no_unread_comments_are_seen_has_no_flag(below: str) -> None:
    assert extract(page(below), URL).flags == ()
