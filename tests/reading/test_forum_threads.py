"""Threads of forums without any rules: their posts, who wrote them and when."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from rewriting import written
from seams import portal_of

from webarticlecurator import Article, Outcome, extract

URL = "https://forum.pelda.example/t/a-regi-hid/12"
NOW = datetime(2024, 6, 1, tzinfo=UTC)

DISCOURSE = """<noscript data-path="/t/12"><div id="main-outlet">
<div id="post_1" class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author" itemscope>
<a itemprop="url" href="/u/anna"><span itemprop="name">anna</span></a></span> <time datetime="2024-05-01T10:00:00Z" class="post-time">
May 1</time></div><div class="post" itemprop="text"><p>Is the old bridge open?</div></div>
<div id="post_2" class="topic-body crawler-post"><div class="crawler-post-meta"><span class="creator" itemprop="author" itemscope>
<a itemprop="url" href="/u/bela"><span itemprop="name">bela</span></a></span> <time datetime="2024-05-01T11:00:00Z" class="post-time">
May 1</time></div><div class="post" itemprop="text"><p>Since Monday.</div></div></div></noscript>"""

XENFORO = "<div class=block-body>" + "".join(
    f"""<article class="message message--post" data-author="{name}" data-content="post-{number}" id="js-post-{number}">
<div class="message-cell--user"><h4 class="message-name"><a href="/members/{name}.{number}/" class="username">{name}</a></h4>
<dl><dt>Joined<dd>May 4, 2009</dl></div><div class="message-content"><ul><li><a href="/post-{number}"><time datetime="{time}"
title="once">once</time></a></ul><article class="message-body"><div class="bbWrapper">{text}</div></article>
<aside class="message-signature"><div class="bbWrapper">Life is a bridge.</div></aside><a href="/react">Like</a></div></article>"""
    for number, name, time, text in (
        (1, "anna", "2024-05-01T12:00:00+0200", "Is the old bridge open?"),
        (2, "bela", "2024-05-01T13:00:00+0200", "<blockquote class=bbCodeBlock>Is it open?</blockquote>Since Monday."),
    )
)

INVISION = "<form>" + "".join(
    f"""<article id="elComment_{number}" class="cPost ipsBox ipsComment ipsComment_parent"><aside class="ipsComment_author cAuthorPane">
<h3 class="cAuthorPane_author"><a href="/profile/{number}-{name}/">{name}</a></h3><ul><li>Members<li>Posts: 12</ul></aside>
<div id="comment-{number}_wrap" class="ipsComment_content"><p class="ipsComment_meta">Posted <time datetime="{time}">then</time></p>
<div class="cPost_contentWrap"><div data-role="commentContent" class="ipsType_richText"><p>{text}</div></div>
<ul class="ipsComment_controls"><li><a href="/quote">Quote</a></ul></div></article>"""
    for number, name, time, text in (
        (1, "anna", "2024-05-01T10:00:00Z", "Is the old bridge open?"),
        (2, "bela", "2024-05-01T11:00:00Z", "Since Monday."),
    )
)

VBULLETIN = "".join(
    f"""<div id=edit{number}><table class=tborder id=post{number}><tr><td class=thead>{time}<td class=thead>#<a href=#{number}>{number}</a>
<tr><td class=alt2><a class=bigusername href="member.php?u={number}">{name}</a><div class=smallfont>Join Date: Mar 2016</div>
<td class=alt1 id=td_post_{number}><div id=post_message_{number}>{text}</div></table></div>"""
    for number, name, time, text in (
        (1, "anna", "1st May 2024, 10:00", "Is the old bridge open?"),
        (2, "bela", "1st May 2024, 11:00", "Since Monday."),
    )
)

PHPBB = "".join(
    f"""<div id="p{number}" class="post has-profile bg{number}"><dl class="postprofile"><dt><a
href="./memberlist.php?mode=viewprofile&amp;u=7"
class="username">{name}</a><dd class="profile-joined"><strong>Joined:</strong> Tue Mar 01, 2016 9:12 am</dl>
<div class="postbody"><h3><a href="#p{number}">Re: bridges</a></h3><p class="author">by <strong><a class="username" href="./u">{name}</a>
</strong> » <time datetime="{time}">then</time></p><div class="content">{text}</div>
<div class="signature">Life is a bridge.</div></div></div>"""
    for number, name, time, text in (
        (1, "anna", "2024-05-01T10:00:00+00:00", "Is the old bridge open?"),
        (2, "bela", "2024-05-01T11:00:00+00:00", "Since Monday."),
    )
)

SIMPLE_MACHINES = "".join(
    f"""<div class="windowbg" id="msg{number}"><div class="post_wrapper"><div class="poster"><h4>
<a href="index.php?action=profile;u=7">{name}</a></h4><ul class="user_info"><li>Posts: 3,760</ul></div><div class="postarea">
<div class="keyinfo"><h5>Re: bridges</h5><a href="#msg{number}"
class="smalltext">{time}</a></div><div class="post"><div class="inner" id="msg_{number}">{text}</div></div></div>
<div class="moderatorbar"><div class="signature">Life is a bridge.</div></div></div></div>"""
    for number, name, time, text in (
        (1, "anna", "May 01, 2024, 10:00:00 AM", "Is the old bridge open?"),
        (2, "bela", "May 01, 2024, 11:00:00 AM", "Since Monday."),
    )
)

STEAM = """<div class="forum_op" id="forum_op_11"><div class="authorline"><a class="forum_op_author" href="/id/anna">anna</a>
<span class="date" data-timestamp="1" title="1 May, 2024 @ 10:00am">1 May, 2024 @ 10:00am</span></div><div class="topic">Bridges</div>
<div class="content">Is the old bridge open?</div></div><div class="commentthread_comment" id="comment_22"><a
class="commentthread_author_link" href="/id/bela"><bdi>bela</bdi></a><span title="1 May, 2024 @ 11:00am">then</span>
<div class="commentthread_comment_text" id="comment_content_22">Since Monday.</div></div>"""

QUESTION = "".join(
    f"""<div class="{what}" data-{what}id="{number}"><div class=votecell>7</div><div class="postcell"><div class="s-prose js-post-body">
<p>{text}</div><div class="post-signature">edited <span title="2024-05-03 08:00:00Z" class="relativetime">May 3</span></div>
<div class="post-signature"><div class="user-action-time">said <span title="{time}" class="relativetime">May 1</span></div>
<div class="user-details" itemprop="author"><a href="/users/{number}/{name}">{name}</a></div></div></div>
<ul class=comments-list><li><span class=comment-copy>Nice!</span> <a href="/users/9/cili" class="comment-user">cili</a></ul></div>"""
    for number, what, name, time, text in (
        (1, "question", "anna", "2024-05-01 10:00:00Z", "Is the old bridge open?"),
        (2, "answer", "bela", "2024-05-01 11:00:00Z", "Since Monday."),
    )
)

MARKUP = {
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


def told(article: Article) -> list[tuple[str | None, datetime | None, str]]:
    posts = article.posts
    return [(post.author, datetime.fromisoformat(post.when) if post.when else None, written(post.blocks)) for post in posts]


@pytest.mark.parametrize("software", MARKUP)
def test_the_markup_of_forum_software_makes_posts(software: str) -> None:
    article = article_of(MARKUP[software])
    first, second = told(article)
    assert article.outcome is Outcome.ARTICLE
    assert article.type == "DiscussionForumPosting"
    assert first == ("anna", datetime(2024, 5, 1, 10, tzinfo=UTC), "paragraph(Is the old bridge open?)")
    assert second[:2] == ("bela", datetime(2024, 5, 1, 11, tzinfo=UTC))
    assert second[2].endswith("paragraph(Since Monday.)")
    assert article.blocks == ()
    assert len({post.id for post in article.posts} - {None}) == 2


def test_no_time_of_a_later_change_is_that_of_the_post() -> None:
    change = '<div class="message-lastEdit">Last edited: <time datetime="2024-05-09T10:00:00Z">then</time></div>'
    changed = XENFORO.replace('<div class="bbWrapper"><blockquote', f'{change}<div class="bbWrapper"><blockquote')
    assert told(article_of(changed))[1][1] == datetime(2024, 5, 1, 11, tzinfo=UTC)


def test_whoever_joined_long_ago_did_not_write_then() -> None:
    visible = PHPBB.replace('<time datetime="2024-05-01T10:00:00+00:00">then</time>', "Wed May 01, 2024 10:00 am")
    assert told(article_of(visible))[0][1] == datetime(2024, 5, 1, 10, tzinfo=UTC)


def test_an_earlier_post_that_is_quoted_stays_a_quotation() -> None:
    assert written(article_of(XENFORO).posts[1].blocks) == "quote(paragraph(Is it open?)) paragraph(Since Monday.)"


def test_what_became_of_the_posts_of_a_thread_is_accounted_for() -> None:
    assert [piece.text for piece in article_of(XENFORO).pieces] == ["Is the old bridge open?", "Is it open? Since Monday."]


def test_a_thread_is_by_whoever_began_it() -> None:
    article = article_of(VBULLETIN)
    assert article.authors == ("anna",)
    assert article.date == "2024-05-01T10:00:00+00:00"


def test_whoever_writes_first_on_a_later_page_did_not_begin_the_thread() -> None:
    article = article_of(VBULLETIN, '<link rel="prev" href="/t/a-regi-hid/12?page=1">')
    assert article.authors == ()


def test_what_opens_a_thread_is_said_once_though_it_stands_on_the_page_twice() -> None:
    twice = f'<div class=hidden><article class="message-body"><div class="bbWrapper">Is the old bridge open?</div></article></div>{XENFORO}'
    assert [post.author for post in article_of(twice).posts] == ["anna", "bela"]


def test_rules_for_posts_keep_forum_software_from_being_looked_for() -> None:
    portal = portal_of(posts={"forum": {"item": "td.alt1", "text": "div"}})
    assert [post.author for post in extract(VBULLETIN, URL, portal, captured=NOW).posts] == [None, None]


def test_the_forum_of_a_blog_is_read_though_its_rules_tell_of_comments() -> None:
    portal = portal_of(posts={"comments": {"item": "li.comment", "text": ".comment-content"}})
    assert [post.author for post in extract(VBULLETIN, URL, portal, captured=NOW).posts] == ["anna", "bela"]
    with_comment = f'{VBULLETIN}<ul><li class=comment><div class="comment-content">I was there.</div></ul>'
    assert [post.kind for post in extract(with_comment, URL, portal, captured=NOW).posts] == ["comments"]


def test_comments_on_an_article_make_no_thread_of_it() -> None:
    prose = "<p>The old bridge was opened on Monday, after three years of work, and the town came to see it.</p>" * 8
    comments = "".join(
        f"<li class=comment id=comment-{n}><a href=/user/{n}>anna</a> <time datetime=2024-05-0{n}>then</time><p>I was there, too.</li>"
        for n in range(1, 6)
    )
    article = article_of(f"<article>{prose}</article><ol class=comment-list>{comments}</ol>")
    assert article.posts == ()
    assert "I was there" not in article.text


ANSWER = "The ferry goes until the work on the pillars is done, which may be in autumn, or later."


def answers(make: str = "reply", text: str = "words") -> str:
    return "".join(
        f"""<article class={make} id=reply_{n}><div class=who><a href="/member/{name}">{name}</a>,
<time datetime="2024-05-0{n}T08:00:00Z">then</time></div><div class={text}><p>{ANSWER}</div><a href=/report/{n}>Report</a></article>"""
        for n, name in enumerate(("anna", "bela", "cili"), start=1)
    )


def test_texts_of_one_make_with_an_author_and_a_time_each_are_posts_where_the_address_is_that_of_a_forum() -> None:
    article = article_of(f"<main>{answers()}</main><aside>Rules of the house, which are read by nobody, but kept, as a rule.</aside>")
    assert told(article) == [
        (name, datetime(2024, 5, day, 8, tzinfo=UTC), f"paragraph({ANSWER})") for day, name in enumerate(("anna", "bela", "cili"), start=1)
    ]
    assert [post.id for post in article.posts] == ["reply_1", "reply_2", "reply_3"]


def test_what_opens_a_thread_may_be_of_another_make_than_the_answers() -> None:
    question = (
        f'<div class=topic><a href="/member/dani">dani</a> <time datetime="2024-04-30T08:00:00Z">then</time><p>{ANSWER} Is it so?</div>'
    )
    article = article_of(f"<main>{question}<section>{answers()}</section></main>")
    assert [written(post.blocks)[-10:] for post in article.posts] == ["Is it so?)", *["or later.)"] * 3]


def test_where_the_page_says_who_wrote_it_a_request_to_readers_opens_no_thread() -> None:
    request = "<div class=hint><p>You are reading this as a guest, which is fine, but members may answer, and vote, too.</p></div>"
    posts = article_of(f"<main>{request}<section>{answers()}</section></main>", '<meta name="author" content="anna">').posts
    assert [post.author for post in posts] == ["anna", "bela", "cili"]


def test_an_id_that_two_posts_share_is_that_of_neither() -> None:
    shared = INVISION.replace("comment-2_wrap", "comment-1_wrap")
    assert [post.id for post in article_of(shared).posts] == [None, None]


def test_the_anchor_of_a_post_gives_its_id_where_nothing_around_it_has_one() -> None:
    anchored = re.sub(r"id=reply_(\d)>", r"><a name=p\1></a>", answers())
    assert [post.id for post in article_of(f"<main>{anchored}</main>").posts] == ["p1", "p2", "p3"]


def test_an_advertisement_among_the_posts_is_none() -> None:
    advertisement = INVISION.replace("bela", "Advertisement")
    assert [post.author for post in article_of(advertisement).posts] == ["anna"]


def test_what_readers_say_of_an_article_is_no_thread_though_forum_software_wrote_it() -> None:
    said = INVISION.replace("cPost ipsBox ", "").replace("cAuthorPane", "ipsPane")
    story = "<article><p>The old bridge was opened on Monday, after three years of work, and the town came to see it.</p></article>"
    page = f"<html><body><h1>The old bridge</h1>{story * 5}{said}</body></html>"
    assert extract(page, "https://pelda.example/articles/the-old-bridge", captured=NOW).posts == ()


def test_what_calls_itself_comments_is_no_thread_where_something_stands_before_it() -> None:
    story = f"<div class=story><p>{ANSWER} So it was said.</div>"
    assert article_of(f"<main>{story}<section>{answers('comment', 'comment-text')}</section></main>").posts == ()


def test_elsewhere_nothing_is_a_thread_for_what_repeats() -> None:
    page = f"<html><body><h1>The ferry</h1><main>{answers()}</main></body></html>"
    assert extract(page, "https://pelda.example/2024/ferry-goes-on", captured=NOW).posts == ()


def test_a_quotation_keeps_whom_it_quotes_and_loses_its_buttons() -> None:
    quoted = """<blockquote class="bbCodeBlock bbCodeBlock--quote"><div class="bbCodeBlock-title">anna said:</div>
<div class="bbCodeBlock-content"><div class="bbCodeBlock-expandContent">Is it open?</div><div class="bbCodeBlock-expandLink">
<a role=button>Click to expand...</a></div></div></blockquote>"""
    article = article_of(XENFORO.replace("<blockquote class=bbCodeBlock>Is it open?</blockquote>", quoted))
    assert written(article.posts[1].blocks) == "quote(source(anna said:) paragraph(Is it open?)) paragraph(Since Monday.)"


def test_a_quotation_of_discourse_is_one() -> None:
    quoted = """<aside class="quote" data-username="anna"><div class="title"><div class="quote-controls">more</div>anna:</div>
<blockquote><p>Is it open?</p></blockquote></aside>"""
    article = article_of(DISCOURSE.replace("<p>Since", f"{quoted}<p>Since"))
    assert written(article.posts[1].blocks) == "quote(source(anna:) paragraph(Is it open?)) paragraph(Since Monday.)"


def test_a_long_notice_does_not_hide_that_the_rest_of_the_page_is_a_thread() -> None:
    consent = '<div id="onetrust-consent-sdk">' + "<p>We store cookies, and share what they tell, with 812 partners.</p>" * 20 + "</div>"
    assert len(article_of(f"<main>{answers()}</main>{consent}").posts) == 3


def test_a_box_of_markup_for_a_blog_is_no_sign_of_forum_software() -> None:
    prose = "<p>The old bridge was opened on Monday, after three years of work, and the town came to see it.</p>" * 4
    article = article_of(f'<div class="blog-post-wrapper post"><div class="postbody"><div class=content>{prose}</div></div></div>')
    assert article.posts == ()


STORY = "<p>The old bridge was opened on Monday, after three years of work, and the whole town came to see how it looks.</p>"
SECTIONS = ("topic/the-old-bridge", "forum-politik/the-old-bridge", "community/the-old-bridge", "discussion/2024/05/the-old-bridge")


@pytest.mark.parametrize("address", SECTIONS)
@pytest.mark.parametrize("story", [f"<article>{STORY * 8}</article>", f"<div class=lead-in>{STORY}</div>"])
@pytest.mark.parametrize("make", ["comment", "entry", "letter"])
def test_an_article_with_answers_of_readers_stays_one_whatever_its_section_is_called(address: str, story: str, make: str) -> None:
    page = f"<html><body><h1>The old bridge</h1><main>{story}<section id=reactions>{answers(make)}</section></main></body></html>"
    article = extract(page, f"https://pelda.example/{address}", captured=NOW)
    assert article.posts == ()
    assert "came to see how it looks" in article.text


def test_so_does_one_whose_byline_is_of_another_make_than_the_names_of_readers() -> None:
    byline = '<span class=author>Anna Kiss</span> <time datetime="2024-04-30T08:00:00Z">then</time>'
    assert article_of(f"<main><article>{byline}{STORY * 8}</article><section>{answers('entry')}</section></main>").posts == ()


def test_a_page_that_calls_itself_news_is_no_thread_for_what_repeats() -> None:
    data = '<script type="application/ld+json">{"@type": "NewsArticle", "headline": "The old bridge"}</script>'
    assert article_of(f"<main>{answers()}</main>", data).posts == ()


def test_teasers_with_an_author_and_a_time_each_are_no_posts() -> None:
    names = iter("abcdef")
    teasers = re.sub(r"<div class=who>", lambda _: f"<h3><a href=/{next(names)}>News of {next(names)}</a></h3><div class=who>", answers())
    article = article_of(f"<main>{teasers}</main>")
    assert article.posts == ()
