"""The general finder finds the article, and knows what in it is not of the article."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml.etree import _Element as Element
from working_time import at_most

from webarticlecurator.document.page import parse_html
from webarticlecurator.extraction.article import extract
from webarticlecurator.extraction.body.locate import Hints, Located, locate
from webarticlecurator.model.article import Block
from webarticlecurator.text import element_text, squeeze

SENTENCE = "The council met on Monday, and after a long debate it voted for the new bridge. "
HEADLINE = "Council votes for the new bridge"
MENU = "<div class=bar>" + "".join(f"<a href=/{n}>Section number {n}</a> " for n in range(20)) + "</div>"
COOKIES = f"<div id=cookie-consent><p>{SENTENCE * 8}</p></div>"
COMMENTS = "<section id=comments>" + "".join(f"<div><p>{SENTENCE * 3}</p></div>" for _ in range(9)) + "</section>"


def paragraphs(count: int, text: str = SENTENCE) -> str:
    return "".join(f"<p>{number}. {text * 2}</p>" for number in range(count))


def parsed(html: str) -> Element:
    tree = parse_html(html)
    assert tree is not None
    return tree


def found(body: str, **hints: str) -> Located:
    located = locate(parsed(f"<html><body>{body}</body></html>"), hints=Hints(**hints))
    assert located is not None
    return located


def text_of(located: Located) -> str:
    """What is left of the elements without the furniture."""

    def pieces(element: Element) -> str:
        if element in located.furniture:
            return ""
        return (element.text or "") + "".join(pieces(child) + (child.tail or "") for child in element)

    return " ".join(" ".join(map(pieces, located.elements)).split())


def blocks_in(block: Block) -> list[Block]:
    return [child for child in block.children if isinstance(child, Block)]


def reasons(located: Located) -> set[str]:
    return set(located.furniture.values())


@pytest.mark.parametrize(
    "page",
    [
        f"{MENU}<h1>{HEADLINE}</h1><div id=it>{paragraphs(5)}</div>{MENU}",
        f"{MENU}<div><h1>{HEADLINE}</h1><div><div id=it>{paragraphs(5)}</div></div></div>{COOKIES}",
        f"{COOKIES}<h1>{HEADLINE}</h1><div id=it>{paragraphs(3)}</div>{COMMENTS}",
        f"<h1>{HEADLINE}</h1><table><tr><td>{MENU}</td><td id=it>{paragraphs(5)}</td></tr></table>",
        f"<article id=it>{paragraphs(2)}</article><div>{'<div><p>' + SENTENCE + '<a href=/x>More</a></p></div>'}</div>",
        f"<div class=has-sidebar><div class=article-with-comments><div id=it>{paragraphs(4)}</div></div></div>",
        f"<div id=it>{SENTENCE * 3}<br><br>{SENTENCE * 3}<br><br>{SENTENCE * 3}</div>{MENU}",
    ],
    ids=["menus", "wrapped", "longer comments", "layout table", "article before teasers", "names of wrappers", "no paragraphs"],
)
def test_the_body_is_the_block_with_the_running_text(page: str) -> None:
    assert [element.get("id") for element in found(page, headline=HEADLINE).elements] == ["it"]


@pytest.mark.parametrize("mark", ["main", "article", "div class=article-body", "div itemprop=articleBody"])
def test_the_whole_page_is_not_the_body_where_something_says_that_it_is_the_article(mark: str) -> None:
    offices = "".join(f"<div><div><p>{SENTENCE * 2}</p></div></div>" for _ in range(4))
    located = found(f"{offices}<{mark} id=it>{paragraphs(4)}</{mark.partition(' ')[0]}>{offices}")
    assert [element.get("id") for element in located.elements] == ["it"]


def test_a_name_is_not_believed_where_most_of_the_article_has_it() -> None:
    page = f"<main><div class=sidebar><div id=it>{paragraphs(5)}</div></div><div class=hero><p>{SENTENCE}</p></div></main>"
    located = found(page + f"<div id=privacy>{paragraphs(9, 'We keep what you read, and tell nobody about it at all, ever. ')}</div>")
    assert [element.get("id") for element in located.elements] == ["it"]


def test_text_beside_a_small_element_that_says_it_is_the_article_is_not_lost() -> None:
    located = found(f"<div id=it>{paragraphs(4)}<article>{paragraphs(3)}</article><div>{paragraphs(4)}</div></div>")
    assert [element.get("id") for element in located.elements] == ["it"]


def test_where_there_is_hardly_any_running_text_the_body_is_what_says_so() -> None:
    links = "".join(f"<li><a href=/{number}>The bridge number {number}</a>" for number in range(9))
    page = f"<div><div>From the wiki of bridges</div><div id=bodyContent><h2>Bridges</h2><ul>{links}</ul></div></div>"
    assert [element.get("id") for element in found(page).elements] == ["bodyContent"]


def test_of_a_post_of_one_line_the_body_is_what_is_named_so_and_not_all_around_it() -> None:
    line = (
        "<div class='flex'><div><p>Posted</p></div><p>in</p><div class=terms><a href=/a/sport>Sport</a></div><p>by</p><p>Anna Kis</p></div>"
    )
    post = f"<main><h1>{HEADLINE}</h1><div class=entry-content><p>The council has voted.</p></div>{line}</main>"
    assert text_of(found(post)) == "The council has voted."


def test_paragraphs_beside_a_block_with_the_rest_of_the_article_are_not_lost() -> None:
    located = found(f"<article id=it><p>{SENTENCE * 2}</p><p>{SENTENCE * 2}</p><div class=rest>{paragraphs(9)}</div></article>")
    assert [element.get("id") for element in located.elements] == ["it"]


def test_a_page_of_languages_without_blanks_is_understood() -> None:
    sentence = "市議会は月曜日に開かれ、長い議論の末、新しい橋の建設を決めた。"
    located = found(f"{MENU}<div id=it>{paragraphs(4, sentence)}</div>{MENU}")
    assert [element.get("id") for element in located.elements] == ["it"]


@pytest.mark.parametrize("page", ["", MENU, "<p></p>", "<h1> </h1><img src=x>"])
def test_a_page_without_running_text_has_no_body(page: str) -> None:
    assert locate(parsed(f"<html><body>{page}</body></html>"), hints=Hints()) is None


@pytest.mark.parametrize(
    ("attributes", "evidence"),
    [("itemprop=articleBody", "[itemprop=articleBody]"), ("class=entry-content", "class or id"), ("id=it", "text density")],
)
def test_the_evidence_is_named(attributes: str, evidence: str) -> None:
    assert found(f"{MENU}<div {attributes}>{paragraphs(3)}</div>").how == evidence


def test_the_text_in_json_ld_decides_between_blocks_of_the_same_kind() -> None:
    mine = "On Monday the bishop came to town, and nobody knew why. " * 8
    other = "On Friday the judge came to town, and everybody knew why. " * 8
    page = f"<div id=other><p>{other[:-80]}</p></div><div id=it><p>{mine}</p></div>"
    located = found(page, article_body=mine.replace(" came", "\n came"))
    assert (located.elements[0].get("id"), located.how) == ("it", "articleBody of JSON-LD")


def test_json_ld_with_only_the_first_lines_does_not_cut_the_article() -> None:
    beginning = "It began on Monday, when the water rose above the old dam. " * 4
    located = found(f"<div id=it><p>{beginning}</p>{paragraphs(12)}</div>", article_body=beginning)
    assert located.elements[0].get("id") == "it"
    assert "11. " in text_of(located)


@pytest.mark.parametrize(
    "lead",
    [
        f"<p class=standfirst>{SENTENCE}</p>",
        f"<div class=lead><div><p>{SENTENCE}</p></div></div>",
        f"<div><p>{SENTENCE * 2}</p></div>",
        "<h2 class=vorspann>A bridge at last, says the mayor</h2>",
    ],
)
def test_a_lead_between_headline_and_body_comes_first(lead: str) -> None:
    located = found(f"<header><h1>{HEADLINE}</h1>{lead}</header><div id=it>{paragraphs(5)}</div>", headline=HEADLINE)
    assert len(located.elements) == 2
    assert located.elements[1].get("id") == "it"
    assert text_of(located).startswith(("The council", "A bridge"))


@pytest.mark.parametrize(
    "above",
    [
        f"<figcaption>{SENTENCE * 2}</figcaption>",
        f"<div class=image-caption>{SENTENCE * 2}</div>",
        f"<div class=newsletter><p>{SENTENCE * 2}</p></div>",
        "<div class=intro><p>The editors of the paper</p></div>",
    ],
)
def test_captions_and_furniture_above_the_body_are_no_lead(above: str) -> None:
    located = found(f"<div><h1>{HEADLINE}</h1>{above}</div><div id=it>{paragraphs(5)}</div>", headline=HEADLINE)
    assert [element.get("id") for element in located.elements] == ["it"]


IMAGE = "https://pelda.example/media/bridge-1200x800.jpg"


@pytest.mark.parametrize(
    "above",
    [
        "<figure class=post-thumbnail><img src=/media/bridge.jpg><figcaption>The bridge</figcaption></figure>",
        "<figure><a href=/media/large.jpg><img src=/media/other.jpg width=900></a></figure>",
        "<div class=media><div><img src=/media/bridge-300x200.jpg?v=2></div></div>",
        "<div class=wp-caption><img src=/media/other.jpg><p>The bridge</p></div>",
    ],
)
@pytest.mark.parametrize("page", ["<header class=entry-header><h1>{0}</h1>{1}</header>", "{1}<header><h1>{0}</h1></header>"])
def test_a_picture_above_the_text_is_of_the_article(page: str, above: str) -> None:
    located = found(f"<article>{page.format(HEADLINE, above)}<div id=it>{paragraphs(5)}</div></article>", headline=HEADLINE, image=IMAGE)
    assert len(located.elements) == 2
    assert len(list(located.elements[0].iter("img"))) == 1
    assert located.elements[1].get("id") == "it"


@pytest.mark.parametrize(
    "above",
    [
        "<figure><a href=/another-article><img src=/media/another.jpg></a></figure>",
        "<figure class=related-thumb><img src=/media/another.jpg></figure>",
        "<aside><figure><img src=/media/another.jpg></figure></aside>",
        "<div style='display:none'><figure><img src=/media/another.jpg></figure></div>",
        "<figure><img src=/people/anna.jpg class=avatar></figure>",
        "<figure class=author-photo><img src=/people/anna.jpg></figure>",
        "<figure><img src=/media/sign.png width=64></figure>",
        "<figure><img src=/1.jpg><img src=/2.jpg></figure>",
        "<div><img src=/media/another.jpg></div>",
        "<figure><img src=/media/inside-1024x768.jpg></figure>",
        "<figure><svg></svg></figure>",
    ],
)
def test_other_pictures_above_the_text_are_not(above: str) -> None:
    body = f"<div id=it><img src=/media/inside.jpg>{paragraphs(5)}</div>"
    located = found(f"<article><header><h1>{HEADLINE}</h1>{above}</header>{body}</article>", headline=HEADLINE, image=IMAGE)
    assert [element.get("id") for element in located.elements] == ["it"]


def test_a_picture_before_an_article_is_not_of_it() -> None:
    figure = "<figure><img src=/media/another.jpg></figure>"
    located = found(f"<div>{figure}<article><h1>{HEADLINE}</h1><div id=it>{paragraphs(5)}</div></article></div>", headline=HEADLINE)
    assert [element.get("id") for element in located.elements] == ["it"]


def test_the_picture_above_the_text_is_a_figure_with_its_caption_and_maker() -> None:
    figure = "<figure><figcaption>The bridge <span class=credit>Anna Kiss</span></figcaption><img src=/media/bridge.jpg></figure>"
    page = f"<article><header><h1>{HEADLINE}</h1>{figure}</header><div>{paragraphs(5)}</div></article>"
    first = extract(page, "https://pelda.example/bridge").blocks[0]
    assert (first.type, first.url) == ("figure", "https://pelda.example/media/bridge.jpg")
    assert first.attributes["credit"] == "Anna Kiss"
    assert [child.type for child in blocks_in(first)] == ["caption"]


@pytest.mark.parametrize(
    ("furniture", "reason"),
    [
        ("<div class=share-buttons>Share</div>", "share bar"),
        ("<div class='article-body__share'>Tell your friends</div>", "share bar"),
        ("<div class=ad-slot>Buy now</div>", "advertisement"),
        ("<div class=hirdetes>Vegyen most</div>", "advertisement"),
        (f"<div id=comments><p>{SENTENCE * 9}</p></div>", "comments"),
        ("<div class=kapcsolodo><a href=/x>Másik cikk</a></div>", "related articles"),
        ("<section class=jp-relatedposts>Another day</section>", "related articles"),
        ("<div class=newsletter-signup>Leave your address</div>", "newsletter or subscription"),
        ("<ul class=tags><li><a href=/a>Bridges</a></li></ul>", "list of topics"),
        ("<div class=byline>By Jane Doe</div>", "byline"),
        ("<div class=sl-blog-metadata>5 May - updated on 6 May</div>", "byline"),
        ("<div class='avatar__intro authorDetails_lV9A'>Jane Doe <small>writes and takes pictures</small></div>", "about the author"),
        ("<ul><li><a href=/a>What else was said that day</a></li><li><a href=/b>And the next</a></li></ul>", "nothing but links"),
        ("<ul><li><a href=/a>What else was said that day</a></li><li><a href=/b>And then</a></li><li>More</li></ul>", "nothing but links"),
        ("<aside>By the way</aside>", "<aside>"),
        (f"<aside><p>See also:</p><p>{SENTENCE * 2}</p></aside>", "<aside>"),
        (f"<aside><p>{SENTENCE * 2}</p><p><a href=/x>{SENTENCE * 2}</a></p></aside>", "<aside>"),
        (f"<aside><h4>Our letter</h4><p>{SENTENCE * 2}</p><form><input name=mail></form></aside>", "<aside>"),
        (f"<aside><p>{SENTENCE * 2}</p></aside>", "<aside>"),
        (f"<footer><p>{SENTENCE}</p></footer>", "<footer>"),
        ("<p class=tags>Topics of this: <a href=/a rel=tag>Art</a></p>", "list of topics"),
        ("<p>Lesen Sie auch: <a href=/x>Die alte Brücke</a></p>", "related articles"),
        ("<div><span>Lire aussi :</span><a href=/x>Le vieux pont</a></div>", "related articles"),
        ("<p>See also <a href=/x>The old bridge</a>.</p>", "related articles"),
        ("<p>See also: our story on <a href=/x>the old bridge</a>.</p>", "related articles"),
        ("<p>Read more about it in <a href=/x>The old bridge</a></p>", "related articles"),
        ("<p class=b>Read more about it in <a href=/x>The old bridge</a>.</p>", "related articles"),
        ("<div><p>See also our story on <a href=/x>the old bridge</a>.</p></div>", "related articles"),
        ("<p>Advertisement</p>", "label"),
        ("<div><span>Not rated yet</span><form><label><input type=radio>1</label><input type=submit></form></div>", "<form>"),
        ("<p>(<a href='#comments'>4 kommentarer</a>)</p>", "comments"),
        (
            "<div><a href='https://www.facebook.com/sharer/sharer.php?u=x'>Del</a> <a href='//x.com/intent/tweet?url=x'>Tweet</a></div>",
            "share bar",
        ),
        ("<a class=btn href='https://twitter.com/intent/tweet?url=x'>Del på Twitter</a>", "share bar"),
        ("<p><a href='whatsapp://send?text=x'>WhatsApp</a></p>", "share bar"),
        (f"<div class=phone>{paragraphs(3)}</div><div class=desk><div>{paragraphs(3)}</div></div>", "said before"),
        ("<p>Sign up <a href=/x>for our daily letter</a></p>", "request to the reader"),
    ],
)
def test_furniture_inside_the_body_is_named_with_its_reason(furniture: str, reason: str) -> None:
    located = found(f"<div id=it>{paragraphs(4)}{furniture}{paragraphs(4)}</div>")
    assert [element.get("id") for element in located.elements] == ["it"]
    assert reasons(located) == {reason}


def test_a_postscript_behind_the_body_is_text() -> None:
    behind = f"<div class='bloc share'>Share</div><div class='ps clear'><hr><p>{SENTENCE}</p></div>"
    located = found(f"<main><h1>{HEADLINE}</h1><div class='texte article-body'>{paragraphs(6)}</div>{behind}</main>")
    assert [element.get("class") for element in (*located.elements, *located.postscripts)] == ["texte article-body", "ps clear"]


SHORT, LONG = "<p>It is done.</p>", f"<p>First. {SENTENCE * 2}</p><p>It rained.</p>"


@pytest.mark.parametrize(
    "names", [("entry_body", "entry_extended"), ("body", "extended"), ("entry-body", "entry-more"), ("excerpt", "rest")]
)
@pytest.mark.parametrize("between", ["", "<div class=day>Friday, 7 March 2014</div>", "<div><img src=bridge.jpg></div>"])
@pytest.mark.parametrize(
    ("first", "rest"),
    [
        (SHORT, paragraphs(5)),
        ("It is done, and<br><br>this is how it was:", f"<div>{paragraphs(5)}</div>"),
        (LONG, paragraphs(5)),
        (paragraphs(5), LONG),
        (f"<div>{paragraphs(5)}</div>", SHORT),
        (paragraphs(4), paragraphs(4, "It rained, and nobody saw the bridge on that day. ")),
    ],
    ids=["short and long", "lines and long", "paragraphs and long", "long and paragraphs", "long and short", "alike"],
)
def test_what_stands_before_and_behind_read_more_is_one_text(names: tuple[str, str], between: str, first: str, rest: str) -> None:
    text = f"<div class={names[0]}>{first}</div>{between}<div class={names[1]}>{rest}</div>"
    for headline in (f"<h1>{HEADLINE}</h1>", f"<h4><a href=/bridge>{HEADLINE}</a></h4>"):
        page = f"<title>{HEADLINE}</title>{MENU}<div>{headline}{text}</div>{MENU}"
        read = extract(page, "https://pelda.example/bridge").text.split()
        assert [word for word in read if word not in {"Friday,", "7", "March", "2014"}] == squeeze(
            element_text(parsed(first + rest))
        ).split()


def test_short_paragraphs_and_lists_beside_a_long_first_paragraph_are_not_lost() -> None:
    first = f"<ul><li>One bridge</ul><p>It rained.</p><p>{SENTENCE * 2}</p><p class=share><a href=/share>Share</a></p>"
    page = f"<h1>{HEADLINE}</h1><div class=a>{first}<p>So be it.</p></div><div>{paragraphs(9)}</div>"
    lines = extract(page, "https://pelda.example/bridge").text.splitlines()
    assert lines[:4] == ["One bridge", "It rained.", (SENTENCE * 2).strip(), "So be it."]


def test_a_short_first_paragraph_without_a_name_is_of_the_text_if_json_ld_has_it() -> None:
    first = "The bridge of the council was not there at noon."
    data = f'<script type=application/ld+json>{{"@type": "Article", "articleBody": "{first} {paragraphs(9)}"}}</script>'
    page = f"{data}<h1>{HEADLINE}</h1><div class=a><p>{first}</p></div><div>{paragraphs(9)}</div>"
    assert extract(page, "https://pelda.example/bridge").text.startswith(first)


@pytest.mark.parametrize(
    "beside",
    [
        "<div class=related><h3><a href=/1>A bridge of wood</a></h3><p>It was built in a year.</p></div>",
        "<div class=author-box><p>Anna Kis writes about bridges.</p></div>",
        "<div class=newsletter><p>Get our letter, every week.</p></div>",
        "<div class=cookie-notice><p>We set cookies, and you let us.</p></div>",
        "<div id=comments><div><p>What a bridge, at last.</p></div></div>",
        "<div class=caption><p>The bridge, as seen from the town hall.</p></div>",
        f"<div class=summary><p>0. {SENTENCE * 2}</p></div>",
        "<div class=more><a href=/next>More about bridges.</a></div>",
        "<div>2014. 3. 31.</div>",
    ],
)
def test_what_stands_beside_the_parts_of_a_text_and_is_none_is_left_out(beside: str) -> None:
    first, rest = f"<div class=body>{SHORT}</div>", f"<div class=extended>{paragraphs(9)}</div>"
    for parts in (beside, first, rest), (first, beside, rest), (first, rest, beside):
        page = f"{MENU}<div class=post><h1>{HEADLINE}</h1>{''.join(parts)}</div>"
        assert extract(page, "https://pelda.example/bridge").text.split() == squeeze(element_text(parsed(first + rest))).split()


@pytest.mark.parametrize("beside", ["We may earn a commission, if you buy.", f"Anna Kis writes for us. {SENTENCE * 2}", "Photo: Anna Kis."])
def test_a_sentence_behind_the_text_is_of_it_only_if_something_says_so(beside: str) -> None:
    page = f"{MENU}<div><h1>{HEADLINE}</h1><div class=a>{paragraphs(9)}</div><div class=b><p>{beside}</p></div></div>"
    assert beside.strip() not in extract(page, "https://pelda.example/bridge").text


def test_the_heading_of_a_list_that_is_left_out_goes_with_it() -> None:
    links = "".join(f"<li><a href=/{n}>Another story of the bridge, the {n}th</a></li>" for n in range(4))
    located = found(f"<div id=it>{paragraphs(4)}<h5>Related posts:</h5><ul>{links}</ul><h5>Sources</h5>{paragraphs(4)}</div>")
    assert {element.tag: why for element, why in located.furniture.items()} == dict.fromkeys(("h5", "ul"), "nothing but links")
    assert [element.text for element in located.furniture if element.tag == "h5"] == ["Related posts:"]


@pytest.mark.parametrize(
    "content",
    [
        "<p>Read more about it in her book, which came out in May and has been sold out since.</p>",
        '<p class="block-id-n1AuAdJlVL">The vote was close.</p>',
        "<ul><li>a bridge for cars</li><li>and one for <a href=/t>trains</a></li></ul>",
        "<ol><li>a bridge for cars and lorries</li><li><a href=/t>and a second one for all the trains</a></li></ol>",
        "<p>See <a href=/x>the minutes of the council</a></p>",
        "<p>See also our story on <a href=/x>the old bridge</a>.</p>",
        "<p>See also the <a href=/x>glossary of bridges</a>, of use to all who walk here.</p>",
        "<p>Read more: <a href=https://pelda.example/x>https://pelda.example/x</a> and <a href=https://www.hid.example>www.hid.example</a></p>",
        "<figure><img src=x><figcaption class=caption>The old bridge</figcaption></figure>",
        "<figure class='card image-card'><img src=x><figcaption><a href=/x>The old bridge, seen from here</a></figcaption></figure>",
        "<div class='card'>A man is as good as his word.</div>",
        "<div class='no-share has-related'>He left.</div>",
        f"<div><p>{SENTENCE}</p></div>",
        f"<p><a href='https://twitter.com/intent/tweet?text=x'>{SENTENCE * 4}</a></p>",
        "<p>He <a href='https://twitter.com/intent/tweet?text=x'>told us</a> so.</p>",
        "<p><a href='https://twitter.com/ann/status/1'>What she wrote</a></p>",
        "<p>See the <a href=#comments>comments</a> of yesterday.</p>",
        "<div class=box-without-comments>He left.</div>",
        "<h3 class='anchor anchorTargetHideOnScrollNavbar_vjPI'>What it costs</h3><h4>Of steel</h4>",
        f"<aside class=infobox><h4>In short</h4><p>{SENTENCE * 2}</p><ul><li>two bridges</li></ul></aside>",
        "<blockquote><p>A bridge is done when all are over.</p><footer>— <p>Ann Lee, 1965</p></footer></blockquote>",
        "<p class=tags>Topics of this: Art, and <a href=/x>bridges</a></p>",
        "<pre class='bg-aside related'><code>make bridge</code></pre>",
        f"<div class='table_root__adKqa'><p>{SENTENCE}</p></div>",
        "<blockquote class='social-embed'>A post that was much quoted, and not only here.</blockquote>",
        f"<div>{paragraphs(3)}</div><p>So it was, and the chorus came again:</p>{paragraphs(3)}",
        f"<ol><li><div>{paragraphs(3)}</div></li><li><div>{paragraphs(3)}</div></li></ol>",
        f"<div><h2>Monday</h2><p>{SENTENCE}</p></div><div><h2>Tuesday</h2><p>{SENTENCE}</p></div>",
        "<div><pre><div>if a:</div><div>then b</div><div>and c</div></pre></div>" * 2,
    ],
)
def test_content_that_only_looks_like_furniture_stays(content: str) -> None:
    assert not found(f"<div id=it>{paragraphs(4)}{content}{paragraphs(4)}</div>").furniture


def test_a_short_article_among_more_teasers_is_the_article() -> None:
    def teaser(number: int) -> str:
        return f"<article class=item><h3><a href=/{number}>Another story, number {number}</a></h3><p>{number}. {SENTENCE * 2}</p></article>"

    text = f"<div class=text><p>{SENTENCE}</p></div>"
    own = f"<article class='item detail'><header><h2>{HEADLINE}</h2><ul><li>1 May</li></ul></header>{text}</article>"
    page = f"<div><div>{own}</div><div><div>{''.join(map(teaser, range(9)))}</div></div></div>"
    located = found(page, headline=HEADLINE)
    assert "voted for the new bridge" in text_of(located)
    assert "Another story" not in text_of(located)
    outside = f"<div><article><h2>{HEADLINE}</h2><p>{SENTENCE}</p></article><div>{paragraphs(9)}</div>{teaser(1)}</div>"
    assert "8. The council" in text_of(found(outside, headline=HEADLINE))


def test_a_box_that_is_named_a_warning_may_be_short_and_the_last_of_a_text() -> None:
    box = "<aside class='x-aside x-aside--{}'><p class=x-aside__title>Before you go</p><div><p>Take a coat.</p></div></aside>"
    behind = "<div class=pagination><a rel=prev href=/1>The old bridge</a></div>"
    text, last = f"<div id=it>{paragraphs(4)}{box}{paragraphs(4)}</div>", f"<div id=it>{paragraphs(4)}{box}{behind}</div>"
    for html in (text, last):
        kept, dropped = (extract(html.format(name), "https://pelda.example/1").text for name in ("caution", "promotion"))
        assert ("Take a coat." in kept, "Take a coat." in dropped) == (True, False)


def test_a_short_box_amid_the_text_is_the_articles_if_it_has_a_heading_and_no_link() -> None:
    def kept(inside: str, behind: str) -> bool:
        html = f"<main><h1>{HEADLINE}</h1>{paragraphs(4)}<aside class=knowhow>{inside}</aside>{behind}</main>"
        return "Bring a coat." in extract(html, "https://pelda.example/1").text

    assert kept("<h4>Good to know</h4><p>Bring a coat.</p>", paragraphs(2))
    assert not kept("<p>Good to know</p><p>Bring a coat.</p>", paragraphs(2))
    assert not kept("<h4>Good to know</h4><p>Bring a coat. <a href=/order>Order it here</a></p>", paragraphs(2))
    assert not kept("<h4>Good to know</h4><p>Bring a coat.</p><button>Close</button>", paragraphs(2))
    assert not kept("<h4>Good to know</h4><p>Bring a coat.</p>", "")


@pytest.mark.parametrize(
    "heading",
    [
        "<h2 id=chiefs-respond>Chiefs respond</h2>",
        "<h2 id=attacks-on-social-media>Attacks on social media</h2>",
        "<h3 id=comment-reagissent-les-pecheurs>Comment réagissent les pêcheurs ?</h3>",
        "<h2 class='header-anchor-post'>What it costs</h2>",
        "<h2 class='anchor anchorTargetStickyNavbar_Vzrq'>What it costs</h2>",
        "<h2 class='footer:mt-4 menu'>What it costs</h2>",
    ],
)
def test_a_heading_in_front_of_a_paragraph_stays_whatever_its_name(heading: str) -> None:
    assert not found(f"<div id=it>{paragraphs(4)}{heading}{paragraphs(4)}</div>").furniture


@pytest.mark.parametrize(
    "heading", ["<h3 class=share-title>Tell your friends</h3><ul class=share><li>Post", "<h3 class=byline>By Jane Doe</h3><p>"]
)
def test_a_heading_over_furniture_and_a_byline_go(heading: str) -> None:
    assert "Friends" not in text_of(located := found(f"<div id=it>{paragraphs(4)}{heading}</div>"))
    assert reasons(located) <= {"share bar", "byline"}
    assert located.furniture


def test_a_section_whose_id_is_the_slug_of_its_own_words_is_no_furniture() -> None:
    section = f"<section id=more-on-bridges><h2><span>5.1. </span>More on bridges<a href=#x>¶</a></h2>{paragraphs(2)}</section>"
    assert not found(f"<div id=it>{paragraphs(4)}{section}{paragraphs(4)}</div>").furniture


@pytest.mark.parametrize(
    "section",
    [
        f"<div id=you-may-like-to-read><h2>You may also like</h2><p>{SENTENCE} <a href=/x>Die alte Brücke</a></p></div>",
        f"<div id=comments><h2>Comments</h2><p>{SENTENCE * 2}</p></div>",
        f"<div class=comments id=reader-comments><h2>Reader comments</h2><p>{SENTENCE * 2}</p></div>",
    ],
)
def test_a_name_that_says_what_the_words_say_is_a_sign_all_the_same(section: str) -> None:
    assert len(found(f"<div id=it>{paragraphs(4)}{section}{paragraphs(4)}</div>").furniture) == 1


@pytest.mark.parametrize("count", [2, 3])
def test_three_boxes_with_linked_headings_behind_the_text_are_teasers(count: int) -> None:
    teaser = f"<div class=c><h3><a href=/x>The bridge that nobody wanted</a></h3><p>{SENTENCE} {SENTENCE}</p></div>"
    assert reasons(found(f"<div id=it>{paragraphs(9)}<div>{teaser * count}</div></div>")) == ({"teaser"} if count == 3 else set())


def test_sections_with_linked_headings_before_more_text_are_no_teasers() -> None:
    section = f"<div class=c><h3><a href=/x>The bridge that nobody wanted</a></h3><p>{SENTENCE} {SENTENCE}</p></div>"
    assert not found(f"<div id=it>{paragraphs(9)}<div>{section * 3}</div>{paragraphs(2)}</div>").furniture


def test_embedded_posts_in_a_box_named_after_their_site_are_no_share_bar() -> None:
    post = f"<div class=social-media-embed><blockquote class=twitter-tweet><p>{SENTENCE * 2}</p></blockquote></div>"
    assert not found(f"<div id=it>{paragraphs(4)}{post}{paragraphs(4)}</div>").furniture


@pytest.mark.parametrize(
    "links",
    [
        f"<ul><li>{SENTENCE}<ul><li><a href=/a>The plan of the bridge in full</a></li><li><a href=/b>And the costs</a></li></ul></li></ul>",
        "<p>These are its parts:</p><ul><li><a href=/a>The ramp on this side</a></li><li><a href=/b>The arch over the river</a></li></ul>",
    ],
    ids=["in a list of text", "behind a colon"],
)
def test_links_that_the_text_announces_are_text(links: str) -> None:
    assert not found(f"<div id=it>{paragraphs(4)}{links}{paragraphs(4)}</div>").furniture


def test_links_to_other_articles_go_even_if_a_colon_announces_them() -> None:
    links = "<p>Lesen Sie auch:</p><ul><li><a href=/a>Die alte Brücke am Fluss</a></li><li><a href=/b>Die Kosten der Brücke</a></li></ul>"
    assert reasons(found(f"<div id=it>{paragraphs(4)}{links}{paragraphs(4)}</div>")) == {"nothing but links"}


HIDING = [
    "style='color:red; display: none'",
    "style=visibility:hidden",
    "aria-hidden=true",
    "class='box hidden'",
    "class='label text-sm upper hidden'",
    "class='label upper hidden text-sm'",
    "class='d-none x'",
    "class=is-hidden",
]


@pytest.mark.parametrize("attributes", HIDING)
def test_what_is_hidden_by_class_or_style_is_left_out(attributes: str) -> None:
    box = f"<div {attributes}><p>{SENTENCE}</p></div>"
    assert reasons(found(f"<div id=it>{paragraphs(4)}{box}{paragraphs(4)}</div>")) == {"hidden text"}


@pytest.mark.parametrize(
    "box",
    [
        "<div class='d-none d-md-block'>{}</div>",
        "<div class='hidden md:block'>{}</div>",
        "<div class=hidden-xs>{}</div>",
        "<div class='box hidden visible-xs'>{}</div>",
        "<div class='hide hide-for-small'>{}</div>",
        "<div role=tabpanel style=display:none>{}</div>",
        "<div class='accordion-text hidden'>{}</div>",
        "<div class='read-more-text is-hidden'>{}</div>",
        "<a href=#rest>On</a><div id=rest class=hidden>{}</div>",
        "<div data-bs-target=#rest>On</div><div id=rest style=display:none>{}</div>",
        "<div><button>On</button></div><div aria-hidden=true>{}</div>",
        "<div aria-expanded=false>On</div><div class=d-none>{}</div>",
    ],
)
def test_what_some_screens_show_and_what_a_click_unfolds_stays(box: str) -> None:
    inside = box.format(f"<p>Then {SENTENCE * 2}</p>")
    assert "Then The council" in text_of(found(f"<div id=it>{paragraphs(4)}{inside}{paragraphs(4)}</div>"))


RECORDS = '[{"url": "/k.jpg", "alt": "The old bridge"}, {"url": "/l.jpg"}]'


@pytest.mark.parametrize(("box", "kept"), [("div", False), ("p", False), ("pre", True), ("pre><code", True)])
def test_records_for_a_script_are_no_text_outside_of_code(box: str, kept: bool) -> None:
    inside = f"<div class=gallery><{box}>{RECORDS}</{box.rpartition('<')[2]}></div>"
    located = found(f"<div id=it>{paragraphs(4)}{inside}{paragraphs(4)}</div>")
    assert reasons(located) == (set() if kept else {"data for a script"})
    assert not found(f"<div id=it>{paragraphs(4)}<p>{RECORDS[:-2]}</p>{paragraphs(4)}</div>").furniture, "no JSON"


def test_what_a_site_keeps_from_its_own_search_is_none_of_the_article_unless_it_is_text() -> None:
    menu = "<header data-pagefind-ignore=all><a href=/>Home</a><a href=/opinion>Opinions</a><a href=/contact>Contact</a></header>"
    licence = "<small data-pagefind-ignore=all>CC BY-NC 4.0 © The Bridge. <a href=/rss.xml>RSS</a></small>"
    code = "<div data-pagefind-ignore=all><pre><code>bridge = 1</code></pre></div>"
    text = extract(f"<article>{menu}<h1>On</h1>{paragraphs(4)}{code}{paragraphs(1)}{licence}</article>", "https://pelda.example/1").text
    assert "bridge = 1" in text
    assert not any(word in text for word in ("Opinions", "CC BY"))


def test_a_caption_that_is_not_read_aloud_is_shown_all_the_same() -> None:
    figure = "<figure><img src=/k.jpg alt='The old bridge'><figcaption aria-hidden=true>The old bridge</figcaption></figure>"
    assert "The old bridge" in extract(f"<article>{paragraphs(3)}{figure}{paragraphs(3)}</article>", "https://pelda.example/1").text


CARD = "<div class=card><h3><a href=/b{0}>The old bridge {0}</a></h3><p>{1} It was raining on d...</p></div>"


def test_a_box_of_teasers_under_their_sign_is_none_of_a_short_article() -> None:
    cards = "".join(CARD.format(number, SENTENCE * 2) for number in range(2))
    box = f"<div class=row><h2>Related</h2><div>{cards}</div></div>"
    assert (
        text_of(found(f"<article><h1>{HEADLINE}</h1><div class=article-body>{paragraphs(1)}</div>{box}</article>"))
        == f"0. {SENTENCE * 2}".strip()
    )
    section = f"<section><h2>Related</h2>{paragraphs(2)}<p>See <a href=/b>the old bridge</a>.</p></section>"
    assert "Related" in text_of(found(f"<div id=it>{paragraphs(4)}{section}</div>")), "a part of the text that is called so"


def test_the_preview_of_another_article_amid_the_text_breaks_off() -> None:
    card = CARD.format(1, SENTENCE)
    cut, whole = (
        text_of(found(f"<div id=it>{paragraphs(4)}{one}{paragraphs(4)}</div>")) for one in (card, card.replace("on d...", "all day."))
    )
    assert "The old bridge" not in cut
    assert "raining" not in cut
    assert "raining" in whole


@pytest.mark.parametrize(("opened", "kept"), [("<button data-bs-target=#how>How we counted</button>", True), ("", False)])
def test_a_box_that_a_click_in_the_text_opens_is_text(opened: str, kept: bool) -> None:
    box = f"<div class=modal id=how><div class=modal-dialog><h5>Counting</h5><p>{SENTENCE}</p></div></div>"
    assert ("Counting" in text_of(found(f"<div id=it>{paragraphs(4)}{opened}{box}{paragraphs(4)}</div>"))) is kept


@pytest.mark.parametrize(
    "part",
    [
        "<aside class=faktaruta><h4>{}</h4><ul><li>One.</li><li>Two.</li></ul></aside>",
        "<figure><blockquote><p>No.</p></blockquote><figcaption class=blockquote-footer>{}</figcaption></figure>",
        "<div><h2 class=accordion-header><button>{}</button></h2><div><p>Of 1924.</p></div></div>",
    ],
)
def test_boxes_sources_and_headings_of_accordions_are_text_wherever_they_stand(part: str) -> None:
    assert "Facts of the bridge" in text_of(found(f"<div id=it>{paragraphs(4)}{part.format('Facts of the bridge')}</div>"))


@pytest.mark.parametrize(
    ("row", "kept"),
    [
        (
            "<nav><div role=tablist><button aria-controls=one>Today</button><button aria-controls=two>Tomorrow</button></div></nav>",
            True,
        ),
        ("<nav><div role=tablist><a href=/one>Today</a><a href=/two>Tomorrow</a></div></nav>", False),
        ("<ul class=nav-tabs><li><a href=#one>Today</a></li><li><a href=#two>Tomorrow</a></li></ul>", True),
        (
            "<ul class='nav nav-tabs'><li><button data-bs-target=#one>Today</button><li><button data-bs-target=#two>Tomorrow</button></ul>",
            True,
        ),
        ("<div role=tablist class=nav><button aria-controls=one>Today</button><button aria-controls=two>Tomorrow</button></div>", True),
        ("<ul class=nav-tabs><li><a href=/one>Today</a></li><li><a href=/two>Tomorrow</a></li></ul>", False),
        ("<ul class=nav><li><a href=#one>Today</a></li><li><a href=#two>Tomorrow</a></li></ul>", False),
        ("<ul class=nav-tabs><li><a href=#one>Today</a></li><li><a href=#head>Tomorrow</a></li></ul>", False),
        ("<div class=nav-tabs><button>Today</button><button>Tomorrow</button></div>", True),
        ("<div class=nav-tabs><button>Today</button><button>Tomorrow</button><button>Print</button></div>", False),
        ("<div class=tools><button>Today</button><button>Tomorrow</button></div>", False),
    ],
)
def test_the_labels_of_tabs_are_words_of_the_text_where_they_unfold_what_is_beside_them(row: str, kept: bool) -> None:
    panes = f"<div class=tab-contents><div id=one>{paragraphs(1)}</div><div id=two>{paragraphs(1)}</div></div>"
    titled = panes.replace("<div id=one>", "<div id=one><b>Today</b> ").replace("<div id=two>", "<div id=two><b>Tomorrow</b> ")
    page = f"<html><body><div id=it>{paragraphs(4)}<div>{row}{{}}</div><h2 id=head>Then</h2>{paragraphs(4)}</div></body></html>"
    left, once = (extract(page.format(one), "https://pelda.example/1").text for one in (panes, titled))
    assert ("Today" in left and "Tomorrow" in left) is kept
    assert not {"TodayTomorrow", "Today Tomorrow"} & set(left.splitlines())
    assert once.count("Today") == 1, "its box says it"


def test_labels_of_form_fields_that_are_tabs_are_lines_of_their_own() -> None:
    row = "<input type=radio id=a><input type=radio id=b><div class=tabbed-labels><label for=a>Today</label><label for=b>Now</label></div>"
    panes = f"<div class=tabbed-content><div class=tabbed-block>{paragraphs(1)}</div><div class=tabbed-block>{paragraphs(1)}</div></div>"
    page = f"<article>{paragraphs(3)}<div class=tabbed-set>{row}{panes}</div>{paragraphs(3)}</article>"
    assert {"Today", "Now"} <= set(extract(page, "https://pelda.example/1").text.splitlines())


def test_labels_of_tabs_that_hidden_headings_say_once_more_are_text_once() -> None:
    row = "<div role=tablist><button role=tab>Today</button><button role=tab>Tomorrow</button></div>"
    panes = "".join(
        f"<div role=tabpanel {state}><h3 style='visibility:hidden;width:0'>{label}</h3>{paragraphs(1)}</div>"
        for label, state in (("Today", ""), ("Tomorrow", "style='display:none'"))
    )
    text = extract(f"<article>{paragraphs(3)}<div>{row}<div>{panes}</div></div>{paragraphs(3)}</article>", "https://pelda.example/1").text
    assert text.count("Today") == text.count("Tomorrow") == 1


def test_running_text_in_a_box_named_after_related_articles_is_none_of_them_unless_it_has_links() -> None:
    for links in (0, 1):
        box = f"<div class=read-more>{SENTENCE * 2}{'<a href=/x>The old bridge</a>' * links}</div>"
        assert len(found(f"<div id=it>{paragraphs(4)}{box}{paragraphs(4)}</div>").furniture) == links


@pytest.mark.parametrize("attributes", HIDING)
def test_an_article_that_waits_for_a_script_is_not_hidden(attributes: str) -> None:
    located = found(f"<article><p>{SENTENCE}</p><div {attributes}>{paragraphs(9)}</div></article>")
    assert "8. The council" in text_of(located)


@pytest.mark.parametrize("picture", ["<img src=/k.jpg>", "<img class=lazy>", ""], ids=["shown", "waits for a script", "none"])
@pytest.mark.parametrize(
    "caption", ["<div class=photo-caption>{}</div>", "<p class=bildunterschrift>{}</p>", "<div id=x class=Image__caption>{}</div>"]
)
def test_an_element_named_a_caption_is_one_whether_its_picture_is_seen_or_not(picture: str, caption: str) -> None:
    page = f"<article>{paragraphs(3)}<div>{picture}{caption.format('The old bridge')}</div>{paragraphs(3)}</article>"
    blocks = extract(page, "https://pelda.example/1").blocks
    assert [child.type for block in blocks if block.type == "figure" for child in blocks_in(block)] == ["caption"]
    assert {block.type for block in blocks} == {"figure", "paragraph"}


def test_a_picture_and_its_text_in_an_element_named_a_caption_are_a_figure() -> None:
    page = f"<article>{paragraphs(3)}<div class='caption wide'><img src=/k.jpg><span>The old bridge</span></div>{paragraphs(3)}</article>"
    figures = [block for block in extract(page, "https://pelda.example/1").blocks if block.type == "figure"]
    assert [(figure.url, [child.type for child in blocks_in(figure)]) for figure in figures] == [
        ("https://pelda.example/k.jpg", ["caption"])
    ]


@pytest.mark.parametrize(
    ("inline", "reason"),
    [
        ("<span class=story-date>5 May, 10:00</span>", "byline"),
        ("<span class=byline><b>By Jane Doe</b></span>", "byline"),
        ("<a href=/x class=hidden>Continue with the story</a>", "hidden text"),
        ("<small style='display:none'>Skip</small>", "hidden text"),
        ("<span class=wide>5 May</span>", None),
    ],
)
def test_a_line_of_its_own_is_judged_by_its_name_even_if_it_is_no_block(inline: str, reason: str | None) -> None:
    located = found(f"<div id=it>{inline}{paragraphs(4)}</div>")
    assert reasons(located) == ({reason} if reason else set())


@pytest.mark.parametrize("name", ["text-info", "main-date", "detail-info", "page-meta"])
def test_a_name_that_is_not_of_an_article_makes_no_byline(name: str) -> None:
    note = f"<p class={name}>Important: the road is closed until Friday morning.</p>"
    assert not found(f"<div id=it>{paragraphs(4)}{note}{paragraphs(4)}</div>").furniture


@pytest.mark.parametrize(
    "sentence",
    [
        "परिषद ने सोमवार को नए पुल के पक्ष में मतदान किया।",
        "صوت المجلس يوم الاثنين لصالح الجسر الجديد، بعد نقاش",
        "市议会星期一经过长时间的讨论，最终投票决定在河上建造一座全新的大桥",
    ],
    ids=["Hindi", "Arabic", "Chinese"],
)
def test_sentences_end_in_every_script(sentence: str) -> None:
    other = "<div id=other><p>These are words that go on and on and never tell anybody what they are about or where they end</p></div>"
    located = found(f"<div id=it>{f'<p>{sentence}</p>' * 12}</div>{other}")
    assert [element.get("id") for element in located.elements] == ["it"]


@pytest.mark.parametrize(
    "inline", ["<p>On <span class=story-date>5 May</span> she came.</p>", "It was <span class=byline>Jane</span> who came."]
)
def test_words_in_a_sentence_are_not_judged_by_their_names(inline: str) -> None:
    assert not found(f"<div id=it>{paragraphs(4)}{inline}{paragraphs(4)}</div>").furniture


@pytest.mark.parametrize(
    "content",
    [
        "<div class=with-captions-of-photo><h2>On</h2><p>It goes on.</p></div>",
        f"<div class=caption><table><tr><td>{SENTENCE}</td><td>7</td></tr></table></div>",
        f"<div class=caption>{paragraphs(9)}</div>",
    ],
)
def test_what_holds_more_than_a_caption_is_none_whatever_its_name(content: str) -> None:
    page = f"<article>{paragraphs(4)}{content}{paragraphs(4)}</article>"
    assert "figure" not in {block.type for block in extract(page, "https://pelda.example/1").blocks}


@pytest.mark.parametrize("names", ["sidebar", "comments", "related", "paywall", "modal", "ad-free", "newsletter"])
def test_an_element_around_the_whole_article_is_no_furniture_whatever_its_name(names: str) -> None:
    located = found(f"{MENU}<div class={names}><h1>{HEADLINE}</h1><article id=it>{paragraphs(6)}</article></div>")
    assert [element.get("id") for element in located.elements] == ["it"]


def test_the_title_of_a_box_named_like_furniture_is_kept_with_its_text_and_goes_with_its_links() -> None:
    def text(inside: str) -> str:
        box = f"<aside class=sidebar><p class=sidebar-title>At a glance</p>{inside}</aside>"
        return extract(f"<article>{paragraphs(3)}{box}{paragraphs(3)}</article>", "https://pelda.example/1").text

    days = ("Monday", "Tuesday", "Wednesday")
    said = "".join(f"<p>On {day} the ferry goes at noon, and it is back before the evening, whatever the weather is.</p>" for day in days)
    assert "At a glance" in text(said)
    assert "At a glance" not in text("<ul><li><a href=/2>The ferry</a></li></ul>")


def test_notes_that_stand_behind_the_text_are_of_it_and_what_stands_there_without_leading_back_is_not() -> None:
    section = paragraphs(6).replace("</p>", '<a href="#n1" id="r1" role="doc-noteref">1</a></p>', 1)
    notes = '<aside id="n1" role="doc-footnote"><a href="#r1">1</a><p>What the minutes of the council say.</p></aside>'

    def text(section: str) -> str:
        return extract(f"<main><section>{section}</section><hr><aside>{notes}</aside></main>", "https://pelda.example/1").text

    assert text(section).endswith("What the minutes of the council say.")
    assert "minutes" not in text(paragraphs(6))


@pytest.mark.parametrize("opening", ["<nav><ul><li>{}", "<header><button>Menu{}", "<div><select><option>{}", "<form>{}", "<div hidden>{}"])
@pytest.mark.parametrize("article", ["<main><h1>Votes</h1>{}</main>", "<article>{}</article>", "<div>{}</div>"])
def test_a_menu_that_was_never_closed_does_not_swallow_the_article(opening: str, article: str) -> None:
    page = "<html><body>" + opening.format(MENU + article.format(paragraphs(5)))
    text = extract(page, "https://pelda.example/1").text
    assert text.count(SENTENCE.strip()) == 10
    assert "Section number" not in text


@pytest.mark.parametrize("menu", ["nav", "dialog", "button"])
def test_a_menu_with_a_teaser_in_it_is_a_menu(menu: str) -> None:
    teaser = f"<article><h1>Teaser</h1><p>{SENTENCE}</p></article>"
    located = found(f"<main><{menu}>{teaser}</{menu}>{paragraphs(5)}</main>")
    assert reasons(located) == {f"<{menu}>"}


def test_the_headline_inside_the_body_is_set_apart() -> None:
    located = found(f"<article><h1>{HEADLINE}</h1>{paragraphs(4)}</article>", headline=f"{HEADLINE} | The Example")
    assert reasons(located) == {"headline"}


@pytest.mark.parametrize(
    "heading",
    [
        "<h1><span>Council</span> <span>votes</span> <span>for the new bridge</span></h1>",
        "<h1>Council<br>votes for<br>the new bridge</h1>",
        "<h2><div>Council</div><div>votes for the new bridge</div></h2>",
    ],
)
def test_a_headline_in_pieces_is_one(heading: str) -> None:
    located = found(f"<article>{heading}<h1>{SENTENCE}</h1>{paragraphs(4)}</article>", headline=HEADLINE)
    assert [element.tag for element in located.furniture] == [heading[1:3]]


@pytest.mark.parametrize(
    ("headline", "lead", "is_lead"),
    [
        (f"<h1>{HEADLINE}</h1>", "The old one is to be a path for walkers", True),
        (f"<h1>{HEADLINE}</h1>", "Photographs by our own men on the spot", False),
        ("", SENTENCE * 2, True),
        ("", "The old one is to be a path for walkers", False),
    ],
)
def test_the_description_of_the_page_knows_the_lead(headline: str, lead: str, is_lead: bool) -> None:
    description = f"The old one is to be a path for walkers. {SENTENCE}" if headline else SENTENCE * 3
    page = f"<div>{headline}<p class=text>{lead}</p><div></div></div><div id=it>{paragraphs(5)}</div>"
    assert len(found(page, headline=HEADLINE, description=description).elements) == 1 + is_lead


def test_a_body_that_is_nothing_but_links_keeps_them() -> None:
    links = "".join(f"<li><a href=/{number}>The bridge number {number}, and all that was said of it</a>" for number in range(9))
    assert not found(f"<main><p>{SENTENCE * 2}</p></main>{MENU}").furniture
    assert not found(f"<main><div>Bridges, and where they stand</div><div><ul>{links * 4}</ul></div></main>").furniture


def test_all_elements_lie_apart_and_furniture_lies_in_them() -> None:
    located = found(
        f"<h1>{HEADLINE}</h1><p class=lead>{SENTENCE}</p><div>{paragraphs(3)}<div class=share>Share</div></div>", headline=HEADLINE
    )
    inside = [set(element.iterdescendants()) for element in located.elements]
    assert not any(element in below for element in located.elements for below in inside)
    assert all(any(element in below for below in inside) for element in located.furniture)


NAMES = st.sampled_from(("", "share", "comments", "article-body", "sidebar related", "lead", "byline", "caption"))
TAGS = st.sampled_from(("div", "p", "a", "h1", "ul", "li", "article", "section", "span", "form", "td", "aside", "footer"))
TEXTS = st.sampled_from(("", " ", SENTENCE, SENTENCE * 3, "Share", "Read more", "市議会は、橋を。"))
TREES = st.recursive(
    TEXTS,
    lambda inner: st.builds(
        lambda tag, name, children: f'<{tag} class="{name}">{"".join(children)}</{tag}>', TAGS, NAMES, st.lists(inner, max_size=4)
    ),
    max_leaves=25,
)


@given(TREES, st.sampled_from(("", HEADLINE, SENTENCE)), st.sampled_from(("", SENTENCE * 4)))
def test_any_page_gives_elements_of_its_own_in_page_order(body: str, headline: str, article_body: str) -> None:
    tree = parsed(f"<html><body>{body}<p>.</p></body></html>")
    located = locate(tree, hints=Hints(headline=headline, article_body=article_body))
    if located is not None:
        order = {element: number for number, element in enumerate(tree.iter())}
        numbers = [order[element] for element in located.elements]
        assert numbers == sorted(set(numbers))
        assert not set(located.elements) & located.furniture.keys()


@pytest.mark.parametrize(
    "page",
    [
        "<div class=related>" * 1_900 + SENTENCE * 2,
        "<b>" * 1_900 + SENTENCE * 2,
        ("<div>" * 400 + f"<p>{SENTENCE}</p>" + "</div>" * 400) * 40,
        "<p>Read more <a href=/x>here</a>" * 20_000 + f"<p>{SENTENCE * 2}",
        "<nav>" * 1_900 + "<p>x</p>" * 100_000 + f"<h1>{HEADLINE}</h1>",
        "<h2 class=share>Share</h2>" * 20_000 + f"<p>{SENTENCE * 2}",
        "<ul><li>" * 900 + "<p>So:</p>" + "<ul><li><a href=/x>to a page of that name</a></ul>" * 20_000 + f"<p>{SENTENCE * 2}",
    ],
    ids=["nested blocks", "nested inlines", "many deep branches", "many lines", "nested menus", "many headings", "many lists"],
)
def test_a_hostile_page_takes_time_in_proportion_to_its_size(page: str) -> None:
    tree = parsed(page)
    with at_most(2):
        locate(tree, hints=Hints(headline=HEADLINE, article_body=SENTENCE * 600))


def test_boxes_whose_lines_only_begin_alike_are_all_text() -> None:
    names = ("Length of the bridge in the middle", "Height above the river in summer", "Weight that it carries at one time")
    boxes = [
        f"<div class=specs>{''.join(f'<div>{name}: <b>{number} units</b></div>' for name in names)}</div>{paragraphs(2)}"
        for number in (31, 47)
    ]
    article = extract(f"<html><body><article><h1>Bridges</h1>{''.join(boxes)}</article></body></html>", "https://pelda.example/a/bridges")
    assert (article.text.count("31 units"), article.text.count("47 units")) == (3, 3)
