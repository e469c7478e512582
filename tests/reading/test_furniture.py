"""What stands in the body and is none of the article is left out, with a reason; what only looks like it stays."""

from __future__ import annotations

import pytest
from read_bodies import HEADLINE, MENU, SENTENCE, left_out, paragraphs, read, words_in, written

from webarticlecurator import Article


def amid(content: str, behind: int = 4) -> Article:
    """It stands among paragraphs."""
    return read(f"<html><body><div id=it>{paragraphs(4)}{content}{paragraphs(behind)}</div></body></html>")


def in_article(content: str) -> Article:
    return read(f"<html><body><article>{paragraphs(3)}{content}{paragraphs(3)}</article></body></html>")


TEASER = f"<div class=c><h3><a href=/x>The bridge that nobody wanted</a></h3><p>{SENTENCE} {SENTENCE}</p></div>"
PATCHES = f"<ul>{'<li><a href=/x>the bridge that nobody wanted in the town</a></li>' * 5}</ul>"
LONG = "Nobody knew on that Monday how long the bridge would stand, or who would pay for it in the end, but all were glad. " * 2
SHARED = "<li><a href='https://a.example/?u=https://pelda.example/cikk/1'>Tell your friends of it</a>"
HIDING = (
    *("style='color:red; display: none'", "style=visibility:hidden", "aria-hidden=true", "class='box hidden'"),
    *("class='label upper hidden text-sm'", "class='d-none x'", "class=is-hidden"),
)
LEFT_OUT = [
    ("<div class=share-buttons>Share</div>", "share bar"),
    ("<div class='article-body__share'>Tell your friends</div>", "share bar"),
    ("<div><a class='btn share-x' href=/x>Tell a friend</a> <a class='btn share-y' href=/y>Tell two</a></div>", "share bar"),
    ("<p>(<a href='#comments'>2 notes</a>)</p>", "comments"),
    ("<div class=hirdetes>Vegyen most</div>", "advertisement"),
    (f"<div id=comments><p>{SENTENCE * 9}</p></div>", "comments"),
    ("<div class=kapcsolodo><a href=/x>Másik cikk</a></div>", "related articles"),
    ("<section class=jp-relatedposts>Another day</section>", "related articles"),
    ("<div class=newsletter-signup>Leave your address</div>", "newsletter or subscription"),
    ("<ul class=tags><li><a href=/a>Bridges</a></li></ul>", "list of topics"),
    ("<div class=byline>By Jane Doe</div>", "byline"),
    ("<div class=sl-blog-metadata>5 May - updated on 6 May</div>", "byline"),
    ("<div class='avatar__intro authorDetails_lV9A'>Jane Doe <small>writes and takes pictures</small></div>", "about the author"),
    ("<ul><li><a href=/a>What else was said that day</a></li><li><a href=/b>And then</a></li><li>More</li></ul>", "nothing but links"),
    (f"<aside><p>{SENTENCE * 2}</p></aside>", "<aside>"),
    ("<aside><h3>More</h3><p><a href=/x>All about the bridge</a> <a href=/y>and the old ferry</a></p></aside>", "<aside>"),
    (f"<aside><h3>Filters</h3><p>{SENTENCE}</p><input type=checkbox><p>{SENTENCE}</p></aside>", "<aside>"),
    (f"<aside><h3>In pictures</h3>{f'<img src=/a.jpg><p>{SENTENCE}</p>' * 3}</aside>", "<aside>"),
    (f"<aside class=k><p class=k-title>In other news</p><p>{SENTENCE} <a href=/x>{SENTENCE * 2}</a></p></aside>", "<aside>"),
    (f"<footer><p>{SENTENCE}</p></footer>", "<footer>"),
    ("<p>Lesen Sie auch: <a href=/x>Die alte Brücke</a></p>", "related articles"),
    (f"<p>{SENTENCE}</p>{PATCHES}<p>{SENTENCE}</p>", "nothing but links"),
    (f"<ul>{SHARED * 3}</ul>", "nothing but links"),
    ("<div><span>Lire aussi :</span><a href=/x>Le vieux pont</a></div>", "related articles"),
    ("<p>See also: our story on <a href=/x>the old bridge</a>.</p>", "related articles"),
    ("<p class=b>Read more about it in <a href=/x>The old bridge</a></p>", "related articles"),
    ("<p>Advertisement</p>", "label"),
    ("<p class=utvonal><a href=/>Kezdet</a> › <a href=/varos/>Város</a></p>", "navigation"),
    ("<p><a href='../../'>Elejére</a> / <a href='../'>Város</a></p>", "navigation"),
    (f"<div class=phone>{paragraphs(3)}</div><div class=desk><div>{paragraphs(3)}</div></div>", "said before"),
    (f"<p class=phone>{LONG}</p><div class=desk><p>{LONG}</p></div>", "said before"),
    ("<p>Sign up <a href=/x>for our daily letter</a></p>", "request to the reader"),
    ("<div><h3>Levél reggelente</h3><form><input type=email></form><p>Hétköznapokon, hat órakor.</p></div>", "newsletter or subscription"),
    ("<div><p>Marad?</p><div><input name=e-mail></div></div>", "newsletter or subscription"),
    ("<h3 class=share-title>Tell your friends</h3><ul class=share><li>Post</ul>", "share bar"),
    (f"<div id=you-may-like-to-read><h2>You may also like</h2><p>{SENTENCE} <a href=/x>Die alte Brücke</a></p></div>", "related articles"),
    (f"<div class=comments id=reader-comments><h2>Reader comments</h2><p>{SENTENCE * 2}</p></div>", "comments"),
    (f"<div class=read-more>{SENTENCE * 2}<a href=/x>The old bridge</a></div>", "related articles"),
    (f"<div class=teaser><a href=/x><h3>The old bridge is to be a path</h3></a><p>{SENTENCE}</p></div>", "related articles"),
    *((f"<div {attributes}><p>{SENTENCE}</p></div>", "hidden text") for attributes in HIDING),
]


@pytest.mark.parametrize(("furniture", "reason"), LEFT_OUT)
def test_furniture_inside_the_body_is_named_with_its_reason(furniture: str, reason: str) -> None:
    assert set(left_out(amid(furniture))) == {reason}


STAYS = [
    "<p>Read more about it in her book, which came out in May and has been sold out since.</p>",
    '<p class="block-id-n1AuAdJlVL">The vote was close.</p>',
    "<ol><li>a bridge for cars and lorries</li><li><a href=/t>and a second one for all the trains</a></li></ol>",
    "<p>See <a href=/x>the minutes of the council</a></p>",
    "<p>See also what the mayor said of the bridge on Monday <a href=/x>in his speech</a></p>",
    f"<div class=sponsor-statement><p>{SENTENCE * 2}</p></div>",
    f"<div class=ad-wrapper>{paragraphs(9)}</div>",
    "<figure><img src=x><figcaption class=caption>The old bridge</figcaption></figure>",
    "<div class='no-share has-related'>He left.</div>",
    f"<p><a href='https://twitter.com/intent/tweet?text=x'>{SENTENCE * 4}</a></p>",
    "<p><a href='https://twitter.com/ann/status/1'>What she wrote</a></p>",
    "<p>See the <a href=#comments>comments</a> of yesterday.</p>",
    "<h3 class='anchor anchorTargetHideOnScrollNavbar_vjPI'>What it costs</h3><h4>Of steel</h4>",
    "<blockquote><p>A bridge is done when all are over.</p><footer>— <p>Ann Lee, 1965</p></footer></blockquote>",
    "<p class=tags>Topics of this: Art, and <a href=/x>bridges</a></p>",
    "<pre class='bg-aside related'><code>make bridge</code></pre>",
    f"<div class='table_root__adKqa'><p>{SENTENCE}</p></div>",
    f"<div>{paragraphs(3)}</div><p>So it was, and the chorus came again:</p>{paragraphs(3)}",
    f"<ol><li><div>{paragraphs(3)}</div></li><li><div>{paragraphs(3)}</div></li></ol>",
    f"<div><h2>Monday</h2><p>{SENTENCE}</p></div><div><h2>Tuesday</h2><p>{SENTENCE}</p></div>",
    "<div><pre><div>if a:</div><div>then b</div><div>and c</div></pre></div>" * 2,
    *(
        f"<h2 {named}>What it costs</h2>"
        for named in ("class='header-anchor-post'", "class='anchor anchorTargetStickyNavbar_Vzrq'", "class='footer:mt-4 menu'")
    ),
    "<h2 id=attacks-on-social-media>Attacks on social media</h2>",
    "<h3 id=comment-reagissent-les-pecheurs>Comment réagissent les pêcheurs ?</h3>",
    f"<section id=hozzaszolas-a-vitahoz><h2>Hozzászólás a vitához</h2>{paragraphs(2)}</section>",
    f"<section id=more-on-bridges><h2><span>5.1. </span>More on bridges</h2>{paragraphs(2)}</section>",
    f"<div>{TEASER * 3}</div>",
    f"<section><h2>What was sent</h2><p>{SENTENCE}</p><div>{PATCHES}</div><p>More:</p>{PATCHES}<p>So:</p>{PATCHES}<p>.</p></section>",
    f"<h2>What to read</h2><ul>{''.join(f'<li><a href=https://{n}.example/on-bridges>A book on old bridges</a>' for n in 'abc')}</ul>",
    f"<p>On the bridge, this paper wrote before the vote:</p>{PATCHES}",
    f"<h3>All the patches</h3>{PATCHES}<p>{SENTENCE}</p>",
    f"<div class=social-media-embed><blockquote class=twitter-tweet><p>{SENTENCE * 2}</p></blockquote></div>",
    f"<div class=read-more>{SENTENCE * 2}</div>",
    f"<p>{LONG}</p><p>And to say it once more:</p><p>{LONG}</p>",
    f"<div class=article-footer><p>{LONG}</p></div>",
    "<p>On <span class=story-date>5 May</span> she came.</p>",
    "It was <span class=byline>Jane</span> who came.",
    "<p>All of it stands on <a href=/>the first page</a> of this week.</p>",
    "<div class=seealso><p>See also</p><dl><dt><a href=/x>Piers</a></dt><dd>what bears the bridge and stands in the river</dd>"
    "<dt><a href=/y>Deck</a></dt><dd>what is carried by it, and carries the road</dd></dl></div>",
    f"<aside class=k><h3>What it costs</h3><p>{SENTENCE * 2}</p></aside>",
    "<p class=main-date>Important: the road is closed until Friday morning.</p>",
    "<aside class='admonition warning'><p class=admonition-title>Ice</p><p>Do not cross the bridge in winter.</p></aside>",
    "<aside role=note>Do not cross the bridge in winter.</aside>",
]


@pytest.mark.parametrize("content", STAYS)
def test_content_that_only_looks_like_furniture_stays(content: str) -> None:
    article = amid(content)
    assert not left_out(article)
    assert len(article.blocks) > 8


SHOWN_BY_A_CLICK = [
    "<div role=tabpanel style=display:none>{}</div>",
    "<div class='accordion-text hidden'>{}</div>",
    "<div class='read-more-text is-hidden'>{}</div>",
    "<a href=#rest>On</a><div id=rest class=hidden>{}</div>",
    "<div data-bs-target=#rest>On</div><div id=rest style=display:none>{}</div>",
    "<div><input type=checkbox id=q1><label for=q1>Who pays for it?</label><div class=hidden>{}</div></div>",
    "<div><button>On</button></div><div aria-hidden=true>{}</div>",
    "<div aria-expanded=false>On</div><div class=d-none>{}</div>",
]


@pytest.mark.parametrize("box", SHOWN_BY_A_CLICK)
def test_what_a_click_unfolds_stays(box: str) -> None:
    assert "Then The council" in amid(box.format(f"<p>Then {SENTENCE * 2}</p>")).text


def test_a_short_article_beside_a_field_for_an_address_stays() -> None:
    assert read(f"<article><h1>A bridge</h1><div><div><p>{SENTENCE * 3}</p><form><input type=email></form></div></div></article>").text


@pytest.mark.parametrize("attributes", HIDING)
def test_an_article_that_waits_for_a_script_is_not_hidden(attributes: str) -> None:
    assert "8. The council" in read(f"<article><p>{SENTENCE}</p><div {attributes}>{paragraphs(9)}</div></article>").text


@pytest.mark.parametrize(
    ("inline", "reason"),
    [
        ("<span class=byline><b>By Jane Doe</b></span>", "byline"),
        ("<a href=/x class=hidden>Continue with the story</a>", "hidden text"),
        ("<small style='display:none'>Skip</small>", "hidden text"),
        ("<span class=wide>5 May</span>", None),
        ("<time datetime=2024-05-05>May 5, 2024</time>", "byline"),
        ("<time datetime=10:45>10:45</time>", None),
        ("<time class=k>May 5, 2024</time>", None),
        ("<span class=k><time>May 5, 2024</time> <time>10:45</time></span>", "byline"),
        ("<span class=k>Since <time>May 5, 2024</time></span>", None),
    ],
)
def test_a_line_of_its_own_is_judged_by_its_name_even_if_it_is_no_block(inline: str, reason: str | None) -> None:
    assert set(left_out(read(f"<div>{inline}{paragraphs(4)}</div>"))) == ({reason} if reason else set())


@pytest.mark.parametrize("hiding", ["style='clip: rect(0 0 0 0); position: absolute'", "class=sr-only", "class=d-none", "hidden"])
def test_words_within_a_line_that_are_for_those_alone_who_have_it_read_aloud_are_left_out(hiding: str) -> None:
    article = amid(f"<p>The <a href=/x>report<span {hiding}>, opens new tab</span></a> of the town.</p>")
    assert "The report of the town." in article.text
    assert article.text.count("opens") == 0


# --- buttons and topics, by what they hold ---

CHAPTERS = "<ul><li><a href='#a'>The old bridge</a></li><li><a href='#b'>The new one</a></li></ul>"
TOPICS = "<a href=/tags/bridges/>Bridges</a> <a href=/tags/steel/>Steel</a>"


@pytest.mark.parametrize(
    ("content", "gone", "stays"),
    [
        (f"<div><div>Tags:</div><ul>{TOPICS.replace('<a', '<li><a')}</ul></div>", "Tags: Bridges Steel", ""),
        (f"<p>Filed under {TOPICS}</p>", "Filed under Bridges Steel", ""),
        (f"<p>Címkék: {TOPICS.replace('/tags', '/cimkek').replace('<a', '<a rel=tag')}</p>", "Címkék: Bridges Steel", ""),
        (f"<p>He spoke of {TOPICS} and of all that the council had in mind.</p>", "", "He spoke of Bridges Steel"),
        ("<p><a href=/tags/harbours/>Harbours</a></p>", "", "Harbours"),
        ("<a href=https://shop.example/x><div><div>Check price at Bolt</div></div></a>", "Check price at Bolt", ""),
        ("<a href=/x><h3>What it costs</h3></a>", "", "What it costs"),
        (f"<div><p>In this story</p><a href='#'>Show</a><nav>{CHAPTERS}</nav></div>", "In this story Show The old bridge The new one", ""),
        (
            f"<div><p>In this story</p><a href='#'><span style='display:none'>Show</span></a><nav>{CHAPTERS}</nav></div>",
            "In this story Show The old bridge The new one",
            "",
        ),
        (f"<div><p>{SENTENCE}</p><nav>{CHAPTERS}</nav></div>", "The old bridge The new one", SENTENCE),
    ],
)
def test_topics_and_buttons_are_known_by_what_they_hold(content: str, gone: str, stays: str) -> None:
    head = "<head><meta name=keywords content='Bridges, Steel'></head>"
    article = read(f"<html>{head}<body><article>{paragraphs(4)}{content}{paragraphs(4)}</article></body></html>")
    assert " ".join(" ".join(left_out(article).values()).split()) == gone
    assert stays in " ".join(article.text.split())


CARD = "<div class=k><h3>{0}</h3><p>What will the new bridge cost you?</p><a href=/{0}>{1}</a></div>"


@pytest.mark.parametrize(
    "call",
    [
        CARD.format("Tolls", "Find out"),
        "<div><div><img src=/k.jpg><p>Tizenkét híd egy kötetben.</p></div><div><a href=https://shop.example/k>A boltba</a></div></div>",
        "<section><h2>Hídlevél</h2><p>Minden hétfőn.</p><button>Kérem</button></section>",
        "<div><p>Dieses Video kommt von anderswo, und wird erst nach einem Klick gezeigt.</p><a href=/daten>Mehr dazu</a></div>",
        f"<div><p>{SENTENCE}</p></div>{CARD.format('Tolls', 'Find out') * 2}",
    ],
    ids=["a link", "a picture and a link", "a button", "in the place of a video", "twice"],
)
def test_a_few_words_that_end_with_a_link_of_their_own_are_a_call(call: str) -> None:
    assert set(left_out(amid(call))) - {"said before"} == {"call"}


@pytest.mark.parametrize(
    "box",
    [
        "".join(CARD.format(name, "Find out") for name in ("Tolls", "Taxes", "Fines")),
        "".join(f"<div><h3>{n}</h3><p>What will it cost you?</p><a href=/{n}>On it</a></div>" for n in ("Tolls", "Taxes", "Fines")),
        f"<div><p>{SENTENCE * 4}</p><a href=/x>The minutes</a></div>",
        "<div><p>What the council said of it stands in <a href=/x>its minutes</a></p></div>",
        "<div><p>It is told below, with all that it cost.</p><a href='#cost'>What it cost</a></div>",
        "<div><p>It is told by both papers.</p><a href=/x>The Times</a> <a href=/y>The Post</a></div>",
        "<ol><li><div><p>The bridge of 1924</p><a href=/x>What it cost</a></div></li></ol>",
        "<div><a href=/x>The old bridge</a><p>It was built in 1924, and fell in 1931.</p></div>",
    ],
    ids=["a list by its classes", "a list by its words", "a long text", "in a sentence", "on this page", "two links", "an item", "first"],
)
def test_what_is_a_list_or_a_sentence_or_long_is_no_call(box: str) -> None:
    assert not left_out(amid(box))


@pytest.mark.parametrize(
    ("above", "is_text"),
    [
        ("<h4>The river</h4>", False),
        ("<ul><li><a href=/river/>River</a></li><li>Bridges</li></ul>", False),
        (f"<p>{SENTENCE}</p>", True),
        (f"<p>{SENTENCE * 2}</p><h4>The river</h4>", True),
    ],
)
def test_a_few_words_above_the_headline_are_no_text(above: str, is_text: bool) -> None:
    article = read(f"<html><body><article><div>{above}<h1>{HEADLINE}</h1>{paragraphs(6)}</div></article></body></html>")
    assert set(left_out(article)) - {"headline"} == (set() if is_text else {"above the headline"})


# --- what stands behind the text ---


@pytest.mark.parametrize(
    "part",
    [
        "<figure><blockquote><p>No.</p></blockquote><figcaption class=blockquote-footer>{}</figcaption></figure>",
        "<div><h2 class=accordion-header><button>{}</button></h2><div><p>Of 1924.</p></div></div>",
    ],
)
def test_sources_and_headings_of_accordions_are_text_wherever_they_stand(part: str) -> None:
    assert "Facts of the bridge" in amid(part.format("Facts of the bridge"), behind=0).text


def test_the_heading_of_what_is_left_out_goes_with_it() -> None:
    links = "".join(f"<li><a href=/{n}>Another story of the bridge, the {n}th</a></li>" for n in range(4))
    article = amid(f"<h5>Related posts:</h5><ul>{links}</ul><h5>Sources</h5>")
    assert left_out(article) == {
        "nothing but links": " ".join(words_in(links.replace("</li>", " </li>"))),
        "heading of nothing": "Related posts:",
    }
    assert "Sources" in article.text


def ended(content: str) -> Article:
    """It stands at the end of the text."""
    head = "<meta name=author content='Ann Lee'><meta property=article:published_time content=2024-04-05T10:00:00Z>"
    page = f"<html lang=en><head>{head}</head><body><h1>{HEADLINE}</h1><div id=it>{paragraphs(6)}{content}</div></body></html>"
    return read(page, language="en")


ANOTHER = "<h3><a href=/x>The old bridge is to be a path</a></h3>"


@pytest.mark.parametrize(
    ("end", "reasons"),
    [
        ("<h4>Follow:</h4>", {"heading of nothing"}),
        ("<h2>More of it</h2><h2>What to read next...</h2>", {"heading of nothing"}),
        ("<h3>Tell us</h3><div class=share-buttons>Share</div>", {"share bar", "heading of nothing"}),
        ("<p>Last updated on April 5, 2024 by Ann Lee</p>", {"byline"}),
        ("<h4>Follow:</h4><div>Published 5 April 2024</div><p>Copyright © 2024 Bridges</p>", {"heading of nothing", "byline", "copyright"}),
        ("<p>© Minden jog a miénk.</p>", {"copyright"}),
        ("<p><a href=/x>Talk to us!</a></p>", {"call"}),
        (ANOTHER * 2, {"related articles"}),
    ],
)
def test_what_stands_at_the_end_and_is_none_of_the_text_is_left_out(end: str, reasons: set[str]) -> None:
    article = ended(end)
    assert set(left_out(article)) == reasons
    assert article.text.split() == words_in(paragraphs(6).replace("</p>", " </p>"))


@pytest.mark.parametrize(
    "end",
    [
        "<h3>Who will pay for it?</h3>",
        "<h3>The bridge this evening</h3><img src=/a.jpg>",
        "<h3>The bridge this evening</h3>No one crossed it.",
        "<p>The old bridge fell on April 5, 2024.</p>",
        "<p><a href=/x>The minutes</a></p><p><a href=/y>The plan</a></p>",
        "<p><a href=https://a.example/>https://a.example/</a></p>",
        "<ul><li>The plan</li><li><a href=/x>The minutes</a></li></ul>",
    ],
    ids=["a question", "a picture", "text of the box", "a sentence", "two links", "an address", "an item"],
)
def test_what_says_something_at_the_end_is_text(end: str) -> None:
    assert not left_out(ended(end))


def test_lists_of_links_stay_where_they_are_most_of_the_text_or_several_stand_in_it() -> None:
    lists = [f"<ul>{''.join(f'<li><a href=/{a}{b}>Part {a} of chapter {b}</a>' for a in range(9))}</ul>" for b in range(4)]
    contents = f"<main><h1>{HEADLINE}</h1><p>{SENTENCE}</p>{lists[0] * 2}</main>"
    assert "Part 8 of chapter 0" in read(contents).text
    assert "Part 8 of chapter 0" not in read(contents.replace(SENTENCE, SENTENCE * 9)).text
    chapters = "".join(f"<h2>Chapter {number}</h2>{links}<p>{SENTENCE * 2}</p>" for number, links in enumerate(lists))
    assert read(f"<article><h1>{HEADLINE}</h1>{chapters}</article>").text.count("Part 8") == 4
    cards = "".join(f"<div class=card><a href=/{n}>What is to be read of bridges, part {n}</a></div>" for n in range(20))
    assert "part 19" in read(f"<header>{MENU}</header><main><h1>Bridges</h1><p>{SENTENCE}</p><div>{cards}</div></main>").text


def test_a_body_that_is_nothing_but_links_keeps_them() -> None:
    links = "".join(f"<li><a href=/{number}>The bridge number {number}, and all that was said of it</a>" for number in range(9))
    assert not left_out(read(f"<main><p>{SENTENCE * 2}</p></main>{MENU}"))
    assert "number 8" in read(f"<main><div>Bridges, and where they stand</div><div><ul>{links * 4}</ul></div></main>").text


# --- boxes and captions ---


def test_a_caption_that_the_page_writes_below_its_figure_again_is_said_once() -> None:
    for credit in ("", " <span>Ann Lee</span>"):
        figure = f"<figure><img src=/k.jpg><figcaption>The old bridge{credit}</figcaption></figure>"
        article = in_article(f"{figure}<p>The <i>old</i> bridge</p><p>The old mill</p>")
        assert article.text.count("The old bridge") == 1
        assert "The old mill" in article.text


@pytest.mark.parametrize(("opened", "kept"), [("<button data-bs-target=#how>How we counted</button>", True), ("", False)])
def test_a_box_that_a_click_in_the_text_opens_is_text(opened: str, kept: bool) -> None:
    box = f"<div class=modal id=how><div class=modal-dialog><h5>Counting</h5><p>{SENTENCE}</p></div></div>"
    assert ("Counting" in amid(opened + box).text) is kept


@pytest.mark.parametrize(
    "closed", ["class='modal fade' role=dialog", "class='modal fade'", "role=dialog aria-hidden=true", "class=modal aria-hidden=true"]
)
def test_a_closed_dialog_is_no_text_however_much_it_says(closed: str) -> None:
    page = f"<html><body><div><p>The bridge is closed.</p></div><div {{}} id=help><h5>Emojis</h5>{paragraphs(6)}</div></body></html>"
    assert read(page.format(closed)).text == "The bridge is closed."


@pytest.mark.parametrize("picture", ["<img src=/k.jpg>", "<img class=lazy>", ""], ids=["shown", "waits for a script", "none"])
@pytest.mark.parametrize(
    "caption", ["<div class=photo-caption>{}</div>", "<p class=bildunterschrift>{}</p>", "<div id=x class=Image__caption>{}</div>"]
)
def test_an_element_named_a_caption_is_one_whether_its_picture_is_seen_or_not(picture: str, caption: str) -> None:
    blocks = in_article(f"<div>{picture}{caption.format('The old bridge')}</div>").blocks
    (figure,) = (block for block in blocks if block.type != "paragraph")
    assert written([figure]).endswith("(caption(The old bridge))") and figure.type == "figure"


@pytest.mark.parametrize(
    ("content", "figures"),
    [
        ("<div class='caption wide'><img src=/k.jpg><span>The old bridge</span></div>", ["figure@/k.jpg(caption(The old bridge))"]),
        (
            "<figure><img src=/k.jpg alt='The old bridge'><figcaption aria-hidden=true>The old bridge</figcaption></figure>",
            ["figure@/k.jpg(caption(The old bridge))"],
        ),
        ("<div class=with-captions-of-photo><h2>On</h2><p>It goes on.</p></div>", []),
        (f"<div class=caption><table><tr><td>{SENTENCE}</td><td>7</td></tr></table></div>", []),
        (f"<div class=caption>{paragraphs(9)}</div>", []),
    ],
    ids=["picture and text", "not read aloud", "a heading in it", "a table in it", "a long text"],
)
def test_what_holds_more_than_a_caption_is_none_whatever_its_name(content: str, figures: list[str]) -> None:
    assert [written([block]) for block in in_article(content).blocks if block.type == "figure"] == figures


# --- lines that repeat the metadata ---

TEXT = "The council met on Monday, and after a long debate it voted for the new bridge over the river. "
DAY = "<time datetime='2024-04-05T10:00:00+02:00'>April 5, 2024</time>"
HEAD = """<meta name=author content='Ann Lee'><meta property='article:tag' content='dams'>
    <meta property='article:tag' content='river life'>"""


def text_of(body: str) -> str:
    html = f"<html><head>{HEAD}</head><body><article><h1>The council votes</h1>{body}</article></body></html>"
    return read(html, "https://pelda.example/2024/the-council-votes").text


@pytest.mark.parametrize(
    ("line", "is_byline"),
    [
        (f"<p>By Ann Lee on {DAY} in <a href='/categories/news'>News</a></p>", True),
        (f"<div><p>{DAY}</p><p>By <b>Ann Lee</b></p> 2 minutes read</div>", True),
        (f"<p>Matteo Sartorelli, Zoe van der Berg and Niccolo Amico, {DAY} • 2 min read</p>", True),
        ("<p>Por Ann Lee, em <time datetime='2024-04-05'>5 de abril de 2024</time> · 1 min de leitura</p>", True),
        ("<p>Posted by Ann Lee on Apr. 5.</p>", True),
        ("<p>Published Friday, 5 April 2024 at 9.14</p>", True),
        ("<p>From our Reporter Ann Lee.</p>", True),
        ("<p>In 2024 the bridge fell.</p>", False),
        ("<p>On 5 April 2024 the bridge over the river fell into it with four of us</p>", False),
        (f"<p>{DAY} was the day on which the old bridge fell into the river.</p>", False),
        ("<ul><li>The bridge, by Ann Lee</li><li>The long river and its harbours, by Bob Ray</li></ul>", False),
        ("<p><b>Ann Lee:</b> Who crosses the bridge?</p>", False),
        ("<p>Ann Lee crossed the bridge alone.</p>", False),
    ],
)
def test_a_line_before_the_text_that_says_who_and_when_is_a_byline_and_what_says_more_is_text(line: str, is_byline: bool) -> None:
    shown = "" if is_byline else line.replace("</li>", " </li>")
    assert text_of(f"{line}<p>{TEXT}</p>").split() == words_in(f"{shown} {TEXT}")
    assert text_of(f"<p>{TEXT}</p>{line}<p>It rained.</p>").split() == words_in(f"{TEXT} {shown} It rained.")


@pytest.mark.parametrize(
    ("line", "is_byline"), [("Friday, April 5, 2024", True), ("Posted: 05 Apr 2024, 9 am", True), ("April 6, 2023", False)]
)
def test_a_line_with_the_day_of_the_article_is_a_byline_however_it_is_written(line: str, is_byline: bool) -> None:
    head = "<meta property=article:published_time content=2024-04-05T10:00:00Z>"
    html = f"<html lang=en><head>{head}</head><body><article><h1>The council votes</h1><p>{line}</p><p>{TEXT}</p></article></body></html>"
    article = read(html, "https://pelda.example/the-council-votes", language="en")
    assert article.text.split() == words_in("" if is_byline else line, TEXT)


def test_a_line_with_a_day_in_digits_of_another_script_is_a_byline() -> None:
    line = "<p>نوشتهٔ مریم کاشانی <span class=tarikh>۱۲ مهٔ ۲۰۲۲، ۲۰:۲۴</span></p>"
    html = f"<html><body><article><h1>خبر بندر</h1>{line}<p>{TEXT}</p></article></body></html>"
    assert read(html, "https://pelda.example/2022/khabar", language="fa").text.split() == words_in(TEXT)


def test_a_name_in_the_midst_of_the_text_is_text() -> None:
    assert "Ann Lee:" in text_of(f"<p>{TEXT}</p><p>{TEXT}</p><p>Ann Lee:</p><p>{TEXT}</p>")


# --- what rules and the labeller say ---


def test_what_a_rule_says_something_of_is_no_furniture() -> None:
    html = f"<article>{paragraphs(5)}<div class=related><p><a href=/x>Read this, too, if the bridge is of interest</a></p></div></article>"
    plain, ruled = read(html), read(html, body={"tags": {"box": ["div.related"]}})
    assert set(left_out(plain)) == {"related articles"}
    assert (ruled.blocks[-1].type, left_out(ruled)) == ("box", {})


FERRY = "The ferry was late again this morning, and nobody at the pier could say when the next one would leave."
ODD = "<div>Log in</div>" * 4
FERRIES = "".join(f"<p>{FERRY} {number}</p><p>{FERRY[:60]} {number}, and it was so.</p>" for number in range(6))


@pytest.mark.parametrize(
    ("text", "rules", "reasons"),
    [
        (ODD + FERRIES, {"labeller": True}, {"no main text, says the labeller"}),
        (ODD + FERRIES, {}, set()),
        (ODD * 20 + f"<p>{FERRY}</p>", {"labeller": True}, set()),
    ],
    ids=["asked", "not asked", "most of it is doubted"],
)
def test_what_the_labeller_is_sure_of_being_no_main_text_is_left_out_where_it_is_asked(
    text: str, rules: dict[str, bool], reasons: set[str]
) -> None:
    article = read(f"<body><h1>The ferry</h1><article>{text}</article></body>", body=rules)
    assert (set(left_out(article)), FERRY in article.text) == (reasons, True)
