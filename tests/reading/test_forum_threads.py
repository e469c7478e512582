"""Threads of forums without any rules: their posts, who wrote them and when."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from read_bodies import written
from seams import portal_of
from told import ld

from webarticlecurator import Article, Outcome, extract

URL = "https://forum.pelda.example/t/a-regi-hid/12"
NOW = datetime(2024, 6, 1, tzinfo=UTC)

QUOTE = "<blockquote class=bbCodeBlock>Is it open?</blockquote>"


def thread(time: str, markup: str, *, answer: str = "Since Monday.") -> str:
    """A question of ten o'clock and its answer an hour later."""
    posts = ((1, "anna", "Is the old bridge open?"), (2, "bela", answer))
    return "".join(markup.format(number=n, name=name, time=time.format(9 + n), text=text) for n, name, text in posts)


DISCOURSE = """<noscript data-path="/t/12"><div id="main-outlet">{}</div></noscript>""".format(
    thread(
        "2024-05-01T{}:00:00Z",
        """<div id="post_{number}" class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author"
itemscope><a itemprop="url" href="/u/{name}"><span itemprop="name">{name}</span></a></span> <time datetime="{time}" class="post-time">
May 1</time></div><div class="post" itemprop="text"><p>{text}</div></div>""",
    )
)

XENFORO = "<div class=block-body>" + thread(
    "2024-05-01T{}:00:00+0000",
    """<article class="message message--post" data-author="{name}" data-content="post-{number}" id="js-post-{number}">
<div class="message-cell--user"><h4 class="message-name"><a href="/members/{name}.{number}/" class="username">{name}</a></h4>
<dl><dt>Joined<dd>May 4, 2009</dl></div><div class="message-content"><ul><li><a href="/post-{number}"><time datetime="{time}"
title="once">once</time></a></ul><article class="message-body"><div class="message-lastEdit">Last edited:
<time datetime="2024-05-09T10:00:00Z">then</time></div><div class="bbWrapper">{text}</div></article>
<aside class="message-signature"><div class="bbWrapper">Life is a bridge.</div></aside><a href="/react">Like</a></div></article>""",
    answer=f"{QUOTE}Since Monday.",
)

INVISION = "<form>" + thread(
    "2024-05-01T{}:00:00Z",
    """<article id="elComment_{number}" class="cPost ipsBox ipsComment ipsComment_parent"><aside class="ipsComment_author cAuthorPane">
<h3 class="cAuthorPane_author"><a href="/profile/{number}-{name}/">{name}</a></h3><ul><li>Members<li>Posts: 12</ul></aside>
<div id="comment-{number}_wrap" class="ipsComment_content"><p class="ipsComment_meta">Posted <time datetime="{time}">then</time></p>
<div class="cPost_contentWrap"><div data-role="commentContent" class="ipsType_richText"><p>{text}</div></div>
<ul class="ipsComment_controls"><li><a href="/quote">Quote</a></ul></div></article>""",
)

VBULLETIN = thread(
    "1st May 2024, {}:00",
    """<div id=edit{number}><table class=tborder id=post{number}><tr><td class=thead>{time}<td class=thead>#<a href=#{number}>{number}</a>
<tr><td class=alt2><a class=bigusername href="member.php?u={number}">{name}</a><div class=smallfont>Join Date: Mar 2016</div>
<td class=alt1 id=td_post_{number}><div id=post_message_{number}>{text}</div></table></div>""",
)

PHPBB = thread(
    "2024-05-01T{}:00:00+00:00",
    """<div id="p{number}" class="post has-profile bg{number}"><dl class="postprofile"><dt><a
href="./memberlist.php?mode=viewprofile&amp;u=7"
class="username">{name}</a><dd class="profile-joined"><strong>Joined:</strong> Tue Mar 01, 2016 9:12 am</dl>
<div class="postbody"><h3><a href="#p{number}">Re: bridges</a></h3><p class="author">by <strong><a class="username" href="./u">{name}</a>
</strong> » <time datetime="{time}">then</time></p><div class="content">{text}</div>
<div class="signature">Life is a bridge.</div></div></div>""",
)

SIMPLE_MACHINES = thread(
    "May 01, 2024, {}:00:00 AM",
    """<div class="windowbg" id="msg{number}"><div class="post_wrapper"><div class="poster"><h4>
<a href="index.php?action=profile;u=7">{name}</a></h4><ul class="user_info"><li>Posts: 3,760</ul></div><div class="postarea">
<div class="keyinfo"><h5>Re: bridges</h5><a href="#msg{number}"
class="smalltext">{time}</a></div><div class="post"><div class="inner" id="msg_{number}">{text}</div></div></div>
<div class="moderatorbar"><div class="signature">Life is a bridge.</div></div></div></div>""",
)

STEAM = """<div class="forum_op" id="forum_op_11"><div class="authorline"><a class="forum_op_author" href="/id/anna">anna</a>
<span class="date" data-timestamp="1" title="1 May, 2024 @ 10:00am">1 May, 2024 @ 10:00am</span></div><div class="topic">Bridges</div>
<div class="content">Is the old bridge open?</div></div><div class="commentthread_comment" id="comment_22"><a
class="commentthread_author_link" href="/id/bela"><bdi>bela</bdi></a><span title="1 May, 2024 @ 11:00am">then</span>
<div class="commentthread_comment_text" id="comment_content_22">Since Monday.</div></div>"""

QUESTION = thread(
    "2024-05-01 {}:00:00Z",
    """<div class="answer" data-answerid="{number}"><div class=votecell>7</div><div class="postcell"><div class="s-prose js-post-body">
<p>{text}</div><div class="post-signature">edited <span title="2024-05-03 08:00:00Z" class="relativetime">May 3</span></div>
<div class="post-signature"><div class="user-action-time">said <span title="{time}" class="relativetime">May 1</span></div>
<div class="user-details" itemprop="author"><a href="/users/{number}/{name}">{name}</a></div></div></div>
<ul class=comments-list><li><span class=comment-copy>Nice!</span> <a href="/users/9/cili" class="comment-user">cili</a></ul></div>""",
).replace("answer", "question", 2)

BBPRESS_HEAD = """<li class="bbp-header"><div class="bbp-reply-author">Author</div><div class="bbp-reply-content">Posts</div></li>"""
BBPRESS = (
    f"""<ul id="topic-11-replies" class="forums bbp-replies">{BBPRESS_HEAD}<li class="bbp-body">"""
    + thread(
        "May 1, 2024 at {}:00 am",
        """<div id="post-{number}" class="bbp-reply-header"><div class="bbp-meta"><span class="bbp-reply-post-date">{time}</span>
<a href="/topic/#post-{number}" class="bbp-reply-permalink">#{number}</a></div></div>
<div class="odd user-id-7 post-{number} reply type-reply"><div class="bbp-reply-author"><a href="/forums/users/{name}/"
class="bbp-author-link"><span class="bbp-author-avatar"><img src=/a.png></span><span class="bbp-author-name">{name}</span></a>
<div class="bbp-author-role">Participant</div></div><div class="bbp-reply-content"><p>{text}</p></div></div>""",
    )
    + BBPRESS_HEAD
)

WPFORO_HEAD = """<div class="wpforo-post-head"><div class="head-title">Bridges</div><div class="head-stat">2 posts</div></div>"""
WPFORO = f"""<div id="wpforo-wrap" class="wpforo-wrap">{WPFORO_HEAD}""" + thread(
    "{}:00 am",
    """<div id="post-{number}" data-postid="{number}" class="post-wrap"><div class="wpforo-post"><div class="wpf-left"><div
class="author-data"><div class="author-name"><a href="/participant/{name}/">{name}</a></div><div class="author-joined">Joined: 3 years
ago</div><div class="author-posts">Posts: 7</div></div></div><div class="wpf-right"><div class="wpforo-post-content-top">
<div class="cbleft">Topic starter</div><a href="/t/#post-{number}">#{number}</a></div><div class="wpforo-post-content"><p>{text}</p></div>
<div class="wpforo-post-content-bottom"><div class="cbleft"><span>Posted : May 1, 2024 {time}</span></div></div></div></div></div>""",
)

UBB_THREADS = thread(
    "{}:00 AM",
    """<table class="t_outer"><tr><td><table class="t_inner"><tr><td class="subjecttable"><a id="Post{number}"></a> <b>Re: Bridges</b>
<span class="small">#{number}<br><span class="date">May 1 2024</span> <span class="time">{time}</span></span></td></tr>
<tr><td class="author-content"><span class="username"><a href="/ubbthreads.php/users/7/{name}">{name}</a></span>
<div>Joined: Feb 2005</div></td><td class="post-content"><div class="post_inner"><div id="body{number}">{text}</div>
<div class="signature">Life is a bridge.</div></div></td></tr></table></td></tr></table>""",
)

MARKUP = {
    "bbPress": BBPRESS,
    "wpForo": WPFORO,
    "UBB.threads": UBB_THREADS,
    "Discourse": DISCOURSE,
    "XenForo": XENFORO,
    "Invision": INVISION,
    "vBulletin": VBULLETIN,
    "phpBB": PHPBB,
    "Simple Machines": SIMPLE_MACHINES,
    "Stack Exchange": QUESTION,
    "Steam": STEAM,
}


def article_of(body: str, head: str = "") -> Article:
    page = f"<html lang=en><head><title>The old bridge</title>{head}</head><body><h1>The old bridge</h1>{body}</body></html>"
    return extract(page, URL, captured=NOW)


def clock(when: str) -> datetime:
    """Return what the clock says: no portal file tells the zone of pages that name none."""
    return datetime.fromisoformat(when).replace(tzinfo=None)


def told(article: Article) -> list[tuple[str | None, datetime | None, str]]:
    posts = article.posts
    return [(post.author, clock(post.when) if post.when else None, written(post.blocks)) for post in posts]


@pytest.mark.parametrize("software", MARKUP)
def test_the_markup_of_forum_software_makes_posts(software: str) -> None:
    article = article_of(MARKUP[software])
    first, second = told(article)
    assert article.outcome is Outcome.ARTICLE
    assert article.type == "DiscussionForumPosting"
    assert first == ("anna", datetime(2024, 5, 1, 10), "paragraph(Is the old bridge open?)")
    assert second[:2] == ("bela", datetime(2024, 5, 1, 11))
    assert second[2].endswith("paragraph(Since Monday.)")
    assert article.blocks == ()
    assert len({post.id for post in article.posts} - {None}) == 2


@pytest.mark.parametrize(
    ("software", "end"),
    [
        ("UBB.threads", '<table class="t_outer">'),
        ("vBulletin", "<div id=edit2>"),
        ("phpBB", '<div id="p2"'),
        ("wpForo", '<div id="post-2"'),
    ],
)
def test_a_thread_of_one_post_has_its_author_its_time_and_its_id(software: str, end: str) -> None:
    page = MARKUP[software]
    article = article_of(page[: page.rindex(end)])
    assert told(article) == [("anna", datetime(2024, 5, 1, 10), "paragraph(Is the old bridge open?)")]
    assert (article.posts[0].id or "").endswith("1")


# --- what a theme shows above the opening post, and what the data of the page say ---

LAST_ANSWER = """<header>2 answers, last post by <a href="/members/{name}.7/">{name}</a> <time datetime="{time}" title="{title}">then</time>
</header>"""
ROW = """<div class=card id=post-{number}><header>{last}<a href="/members/{name}.{number}/"><span>{letter}</span></a><div itemprop=""
itemscope itemtype="https://schema.org/Person"><meta itemprop=name content="{name}"><a href="/members/{name}.{number}/">{name}</a></div>
<time datetime="{time}">then</time></header><article class=message-body><div class=bbWrapper>{text}</div></article></div>"""
CARDS = [
    ("anna", "2024-05-01T10:00:00Z", "Is the old bridge open?"),
    ("bela", "2024-05-01T11:00:00Z", "Since Monday."),
    ("cili", "2024-05-03T08:00:00Z", "At last."),
]


def cards(last: str, order: tuple[int, ...] = (0, 1, 2)) -> str:
    """A thread in a theme that shows who wrote last, and when, above the opening post."""
    rows = [(number, *CARDS[number]) for number in order]
    return "".join(
        ROW.format(number=number, name=name, letter=name[0], time=time, text=text, last=last if number == 0 else "")
        for number, name, time, text in rows
    )


@pytest.mark.parametrize(
    ("page", "who", "hour"),
    [
        (cards(LAST_ANSWER.format(name="cili", time="2024-05-03T08:00:00Z", title="May 3, 2024 at 8:00 AM")), "anna", 10),
        (cards(LAST_ANSWER.format(name="cili", time="2024-05-03T08:00:00Z", title="then"), (0, 2, 1)), "anna", 10),
        (cards(LAST_ANSWER.format(name="dani", time="2024-05-09T08:00:00Z", title="then")), "anna", 10),
        (cards(""), "anna", 10),
    ],
    ids=["the last answer is on the page", "answers stand below what they answer", "the last answer is on another page", "no such line"],
)
def test_the_opening_post_is_of_who_stands_beside_it_and_not_of_who_wrote_last(page: str, who: str, hour: int) -> None:
    hidden = "<div class=hidden><article class=message-body><div class=bbWrapper>Is the old bridge open?</div></article></div>"
    for html in (page, hidden + page):
        article = article_of(html)
        assert told(article)[0] == (who, datetime(2024, 5, 1, hour), "paragraph(Is the old bridge open?)")
        assert (article.authors, clock(article.date or "")) == ((who,), datetime(2024, 5, 1, hour))


@pytest.mark.parametrize(
    ("author", "published", "flags"),
    [
        ("anna", "2024-05-01T10:00:00Z", []),
        ("Anna", "2024-05-01T08:00:00-04:00", []),  # the page shows the time of its readers
        ("bela", "2024-05-01T10:00:00Z", ["author is not that of the opening post, anna: bela"]),
        (
            "anna",
            "2024-05-03T10:00:00Z",
            ["datePublished is not that of the opening post, 2024-05-01T10:00:00+00:00: 2024-05-03T10:00:00+00:00"],
        ),
    ],
)
def test_data_that_contradict_the_opening_post_are_flagged(author: str, published: str, flags: list[str]) -> None:
    thread = {"@type": "DiscussionForumPosting", "author": {"name": author}, "datePublished": published, "headline": "The old bridge"}
    article = article_of(XENFORO, ld(thread))
    assert [flag for flag in article.flags if "opening" in flag] == flags


# --- notes of changes ---

NOTES = {
    "XenForo": ("<div class=bbWrapper>", "", "", None),
    "phpBB": (
        '<div class="signature">',
        '<div class="notice">Last edited by <a href="./memberlist.php?mode=viewprofile&amp;u=7" class="username">cili</a> on Thu '
        "May 09, 2024 10:00 am, edited 1 time in total.</div>",
        "",
        "cili",
    ),
    "vBulletin": ("</table></div>", "<tr><td><em>Last edited by anna; 9th May 2024 at <span>10:00</span>.</em>", "", None),
    "Simple Machines": (
        '<div class="moderatorbar">',
        '<div class="smalltext modified">« <em>Last Edit</em>: May 09, 2024, 10:00:00 AM by cili »</div>',
        "",
        None,
    ),
    "Discourse": ('<div class="post"', "<meta itemprop=dateModified content=2024-05-09T10:00:00Z>", "", None),
    "Invision": (
        "</div></div>\n<ul",
        "",
        "<span data-excludequote>Edited <time datetime=2024-05-09T10:00:00Z>May 9</time> by cili</span>",
        None,
    ),
    "Stack Exchange": ("", "", "", None),
}


@pytest.mark.parametrize("software", NOTES)
def test_notes_of_changes_tell_when_a_post_was_changed_and_by_whom(software: str) -> None:
    before, note, behind, editor = NOTES[software]
    page = MARKUP[software].replace(before, f"{behind}{note}{before}") if note or behind else MARKUP[software]
    posts = article_of(page).posts
    assert clock(posts[0].when or "") == datetime(2024, 5, 1, 10)
    assert (posts[0].edited or "")[:10] == ("2024-05-03" if software == "Stack Exchange" else "2024-05-09")
    assert posts[0].editor == editor
    assert written(posts[0].blocks) == "paragraph(Is the old bridge open?)"


def test_a_post_that_was_never_changed_has_no_note_though_programs_repeat_its_time() -> None:
    meta = "<meta itemprop=dateModified content=2024-05-01T10:00:00Z>"
    page = MARKUP["Discourse"].replace('<div class="post"', f'{meta}<div class="post"')
    assert article_of(page).posts[0].edited is None


XENFORO_QUOTE = """<blockquote class="bbCodeBlock bbCodeBlock--quote"><div class="bbCodeBlock-title">anna said:</div>
<div class="bbCodeBlock-content"><div class="bbCodeBlock-expandContent">Is it open?</div><div class="bbCodeBlock-expandLink">
<a role=button>Click to expand...</a></div></div></blockquote>"""
DISCOURSE_QUOTE = """<aside class="quote" data-username="anna"><div class="title"><div class="quote-controls">more</div>anna:</div>
<blockquote><p>Is it open?</p></blockquote></aside>"""


@pytest.mark.parametrize(
    ("page", "quote"),
    [
        (XENFORO, "quote(paragraph(Is it open?))"),
        (XENFORO.replace(QUOTE, XENFORO_QUOTE), "quote(source(anna said:) paragraph(Is it open?))"),
        (DISCOURSE.replace("<p>Since", f"{DISCOURSE_QUOTE}<p>Since"), "quote(source(anna:) paragraph(Is it open?))"),
    ],
)
def test_a_quotation_stays_one_keeps_whom_it_quotes_and_loses_its_buttons(page: str, quote: str) -> None:
    assert written(article_of(page).posts[1].blocks) == f"{quote} paragraph(Since Monday.)"


def test_what_the_software_writes_in_the_text_of_a_post_is_none_of_it() -> None:
    note = (
        "<span data-excludequote><strong>Edited <time>May 2</time> by bela</strong></span><div class=sig_signature>Life is a bridge.</div>"
    )
    article = article_of(INVISION.replace("Since Monday.", f"Since Monday.{note}"))
    assert written(article.posts[1].blocks) == "paragraph(Since Monday.)"
    assert {piece.rule for piece in article.pieces if piece.fate == "dropped"} == {
        "posts.forum: a signature, or a note that it was changed"
    }


def test_a_thread_is_by_whoever_began_it_who_does_not_write_first_on_a_later_page() -> None:
    first, later = (article_of(VBULLETIN, head) for head in ("", '<link rel="prev" href="/t/a-regi-hid/12?page=1">'))
    assert (first.authors, first.date, later.authors) == (("anna",), "2024-05-01T10:00:00", ())
    assert [piece.text for piece in article_of(XENFORO).pieces] == ["Is the old bridge open?", "Is it open? Since Monday."]


def test_rules_for_posts_decide_where_they_find_some() -> None:
    forum = portal_of(posts={"forum": {"item": "td.alt1", "text": "div"}})
    assert [post.author for post in extract(VBULLETIN, URL, forum, captured=NOW).posts] == [None, None]
    comments = portal_of(posts={"comments": {"item": "li.comment", "text": ".comment-content"}})
    assert [post.author for post in extract(VBULLETIN, URL, comments, captured=NOW).posts] == ["anna", "bela"]
    with_comment = f'{VBULLETIN}<ul><li class=comment><div class="comment-content">I was there.</div></ul>'
    assert [post.kind for post in extract(with_comment, URL, comments, captured=NOW).posts] == ["comments"]


# --- without signs of software: what repeats ---

ANSWER = "The ferry goes until the work on the pillars is done, which may be in autumn, or later."
STORY = "<p>The old bridge was opened on Monday, after three years of work, and the whole town came to see how it looks.</p>"
BYLINE = '<span class=author>Anna Kiss</span> <time datetime="2024-04-30T08:00:00Z">then</time>'
CONSENT = f'<div id="onetrust-consent-sdk">{"<p>We store cookies, and share what they tell, with 812 partners.</p>" * 20}</div>'
REQUEST = "<div class=hint><p>You are reading this as a guest, which is fine, but members may answer, and vote, too.</p></div>"
OPENING = '<div class=topic><a href="/member/dani">dani</a> <time datetime="2024-04-30T08:00:00Z">then</time>'
CALLED_COMMENT = OPENING.replace("class=topic", "class=comment-first")
TWICE = '<div class=hidden><article class="message-body"><div class="bbWrapper">Is the old bridge open?</div></article></div>'
ALL = ["anna", "bela", "cili"]


def answers(make: str = "reply", text: str = "words", head: str = "") -> str:
    return "".join(
        f"""<article class={make} id=reply_{n}>{head.format(name)}<div class=who><a href="/member/{name}">{name}</a>,
<time datetime="2024-05-0{n}T08:00:00Z">then</time></div><div class={text}><p>{ANSWER}</div><a href=/report/{n}>Report</a></article>"""
        for n, name in enumerate(ALL, start=1)
    )


COMMENTS = "".join(
    f"<li class=comment id=comment-{n}><a href=/user/{n}>anna</a> <time datetime=2024-05-0{n}>then</time><p>I was there, too.</li>"
    for n in range(1, 6)
)
NEWS = '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "The old bridge"}</script>'
FERRY = "https://pelda.example/2024/ferry-goes-on"

THREADS: dict[str, tuple[str, str, str, list[str | None]]] = {
    "what opens a thread comes once though it stands there twice": (TWICE + XENFORO, "", URL, ALL[:2]),
    "texts of one make at the address of a forum": (f"<main>{answers()}</main><aside>Rules of the house.</aside>", "", URL, ALL),
    "the opening may be of another make": (
        f"<main>{OPENING}<p>{ANSWER}</div><section>{answers()}</section></main>",
        "",
        URL,
        ["dani", *ALL],
    ),
    "what opens a thread may be called a comment as the answers are": (
        f"<main>{CALLED_COMMENT}<p>{ANSWER * 2}</p></div><section class=comments>{answers()}</section></main>",
        "",
        URL,
        ["dani", *ALL],
    ),
    "a request to readers opens none": (
        f"<main>{REQUEST}<section>{answers()}</section></main>",
        "<meta name=author content=anna>",
        URL,
        ALL,
    ),
    "an advertisement among the posts is none": (INVISION.replace("bela", "Advertisement"), "", URL, ["anna"]),
    "a long notice hides nothing": (f"<main>{answers()}</main>{CONSENT}", "", URL, ALL),
    "comments on an article": (f"<article>{STORY * 8}</article><ol class=comment-list>{COMMENTS}</ol>", "", URL, []),
    "what calls itself comments": (f"<main><div>{STORY}</div><section>{answers('comment', 'comment-text')}</section></main>", "", URL, []),
    "elsewhere nothing is a thread for what repeats": (f"<main>{answers()}</main>", "", FERRY, []),
    "a box of markup for a blog": (f'<div class="blog-post-wrapper post"><div class="postbody">{STORY * 4}</div></div>', "", URL, []),
    "a byline of another make": (f"<main><article>{BYLINE}{STORY * 8}</article><section>{answers('entry')}</section></main>", "", URL, []),
    "a page that calls itself news": (f"<main>{answers()}</main>", NEWS, URL, []),
}


@pytest.mark.parametrize(("body", "head", "url", "authors"), THREADS.values(), ids=THREADS)
def test_what_is_a_thread_and_what_is_none(body: str, head: str, url: str, authors: list[str | None]) -> None:
    page = f"<html lang=en><head><title>The old bridge</title>{head}</head><body><h1>The old bridge</h1>{body}</body></html>"
    posts = extract(page, url, captured=NOW).posts
    assert [post.author for post in posts if post.kind != "comments"] == authors


def test_posts_without_signs_of_software_have_text_time_and_id() -> None:
    article = article_of(f"<main>{answers()}</main>")
    assert told(article) == [(name, datetime(2024, 5, day, 8), f"paragraph({ANSWER})") for day, name in enumerate(ALL, start=1)]
    assert [post.id for post in article.posts] == ["reply_1", "reply_2", "reply_3"]
    anchored = re.sub(r"id=reply_(\d)>", r"><a name=p\1></a>", answers())
    assert [post.id for post in article_of(f"<main>{anchored}</main>").posts] == ["p1", "p2", "p3"]
    shared = INVISION.replace("comment-2_wrap", "comment-1_wrap")
    assert [post.id for post in article_of(shared).posts] == [None, None], "an id that two share is that of neither"


ROW = f"""<div id=77 class="row post-row"><div class=author-col><div class=author-name><h4><a href="/user/anna">anna</a></h4></div>Member
<div>Joined: <time datetime="2011-07-09T09:00:00Z">09.07.2011</time></div></div><div class=post-box><a href="/post/77"><time
datetime="2024-05-01T10:00:00Z">then</time></a><div class=post-content><p>{ANSWER}</p></div></div></div>"""
CRUMBS = """<ol class=breadcrumb><li><a href="/">Forum</a><li><a href="/category/2">Outside</a><li><a href="/forum/2">Garden</a></ol>"""
ONE_POST = f"""<title>The old bridge - Topic - Pelda</title>{CRUMBS}<div class=topic><div class=topic-header>
<a href="/topic/12-the-old-bridge">The old bridge</a></div><div class=topic-body>{ROW}</div></div>"""
TOPIC = "https://pelda.example/topic/12-the-old-bridge"
FORUM = {"kind": "forum", "title": "Pelda", "timezone": "UTC"}


def test_in_a_portal_that_is_a_forum_a_single_text_with_its_user_and_time_is_a_post() -> None:
    thread = extract(ONE_POST, TOPIC, portal_of(**FORUM), captured=NOW)
    assert told(thread) == [("anna", datetime(2024, 5, 1, 10), f"paragraph({ANSWER})")]
    assert (thread.authors, thread.date) == (("anna",), "2024-05-01T10:00:00+00:00")
    assert extract(ONE_POST, TOPIC, portal_of(kind="blog"), captured=NOW).posts == ()


def test_a_thread_has_its_headline_and_its_board_and_is_no_topic_of_its_own() -> None:
    thread = extract(ONE_POST, TOPIC, portal_of(**FORUM), captured=NOW)
    assert (thread.title, thread.section, thread.metadata.get("keywords")) == ("The old bridge", "Garden", None)


def test_a_thread_whose_opening_is_not_signed_is_by_nobody_known() -> None:
    unsigned = ROW.replace('<a href="/user/anna">anna</a>', "Guest") + ROW.replace("anna", "bela").replace("77", "78")
    rules = {"item": "div.post-row", "author": ".author-name a", "time": ".post-box time", "text": ".post-content"}
    thread = extract(f"<div class=topic>{unsigned}</div>", TOPIC, portal_of(posts={"forum": rules}, **FORUM), captured=NOW)
    assert ([post.author for post in thread.posts], thread.authors) == ([None, "bela"], ())


@pytest.mark.parametrize(
    ("published", "text", "kind"),
    [
        ("2024-05-01T08:00:00Z", "", "forum"),
        ("2024-04-30T08:00:00Z", "", "comments"),
        ("2024-05-01T08:00:00Z", STORY * 8, "comments"),
    ],
    ids=["as old as the page", "later than the page", "below a text"],
)
def test_a_page_of_posts_alone_whose_first_is_as_old_as_the_page_is_a_thread(published: str, text: str, kind: str) -> None:
    names = ("Kov\u00e1cs Anna", "Bakos B\u00e9la", "Csor\u00e1n Cili")
    posts = "".join(
        f"""<div class=hozzaszolas id=h{n} data-id=h{n} data-parent="">
<p class=fej><b class=nev>{name}</b> <time datetime="2024-05-0{n}T08:00:00Z">then</time></p>
<div class=szoveg><p>{n}. {ANSWER}</p></div></div>"""
        for n, name in enumerate(names, start=1)
    )
    head = f'<meta property="article:published_time" content="{published}">'
    page = f"<html lang=hu><head>{head}</head><body><main><h1>The old bridge</h1><article>{text}</article>{posts}</main></body></html>"
    thread = extract(page, "https://pelda.example/forum/tema/12", portal_of(timezone="UTC"), captured=NOW)
    assert [(post.kind, post.author) for post in thread.posts] == [(kind, name) for name in names]
    assert (thread.outcome is Outcome.ARTICLE, thread.type == "DiscussionForumPosting") == (kind == "forum" or bool(text), kind == "forum")


def test_a_post_that_most_others_quote_is_said_and_no_button() -> None:
    names = ("Anna", "Bela", "Cili", "Dani", "Edit")
    quote = f"<blockquote><p>1. {ANSWER}</p></blockquote>"
    posts = "".join(
        f"""<div class=hozzaszolas id=h{n} data-id=h{n}><p class=fej><b class=nev>{name} Kov\u00e1cs</b>
<time datetime="2024-05-0{n}T08:00:00Z">then</time></p><div class=szoveg>{quote if n > 1 else ""}<p>{n}. {ANSWER}</p></div></div>"""
        for n, name in enumerate(names, start=1)
    )
    head = '<meta property="article:published_time" content="2024-05-01T08:00:00Z">'
    page = f"<html lang=hu><head>{head}</head><body><main><h1>The old bridge</h1>{posts}</main></body></html>"
    thread = extract(page, "https://pelda.example/forum/tema/12", portal_of(timezone="UTC"), captured=NOW)
    assert [str(post.author).split()[0] for post in thread.posts] == list(names)
    assert [[block.type for block in post.blocks] for post in thread.posts] == [["paragraph"], *[["quote", "paragraph"]] * 4]
