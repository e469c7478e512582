"""Without a rule for it the text of the article is found, whole, and with the lead and the picture above it."""

from __future__ import annotations

import gzip
import json
import re
from collections import Counter
from statistics import fmean

import pytest
from lxml import html
from read_bodies import HEADLINE, MENU, SENTENCE, left_out, paragraphs, read, words_in, written
from real_pages import DATA, needs
from told import news

from webarticlecurator import extract

H1 = f"<h1>{HEADLINE}</h1>"
COOKIES = f"<div id=cookie-consent><p>{SENTENCE * 8}</p></div>"
COMMENTS = "<section id=comments>" + "".join(f"<div><p>{SENTENCE * 3}</p></div>" for _ in range(9)) + "</section>"

OFFICES = "".join(f"<div><div><p>{SENTENCE * 2}</p></div></div>" for _ in range(4))
LINKS = "".join(f"<li><a href=/{number}>The bridge number {number}</a>" for number in range(9))
POSTED = "<div class=flex><div><p>Posted</p></div><p>in</p><div class=terms><a href=/a/sport>Sport</a></div><p>by</p><p>Anna Kis</p></div>"
PRIVACY = f"<div id=privacy>{paragraphs(9, 'We keep what you read, and tell nobody about it at all, ever. ')}</div>"
OTHER = "<div><p>These are words that go on and on and never tell anybody what they are about or where they end</p></div>"
TERMS = "".join(
    f"<dt><a href=/{number}>Part number {number} of the bridge</a><dd>Is of stone, and stands in the river." for number in range(9)
)

BODIES = {
    "between menus": f"{MENU}{H1}<div id=it>{paragraphs(5)}</div>{MENU}",
    "above longer comments": f"{COOKIES}{H1}<div id=it>{paragraphs(3)}</div>{COMMENTS}",
    "in a table of layout": f"{H1}<table><tr><td>{MENU}</td><td id=it>{paragraphs(5)}</td></tr></table>",
    "before teasers": f"<article id=it>{paragraphs(2)}</article><div><div><p>{SENTENCE}<a href=/x>More</a></p></div></div>",
    "in wrappers of odd names": f"<div class=has-sidebar><div class=article-with-comments><div id=it>{paragraphs(4)}</div></div></div>",
    "without paragraphs": f"<div id=it>{SENTENCE * 3}<br><br>{SENTENCE * 3}<br><br>{SENTENCE * 3}</div>{MENU}",
    "main": f"{OFFICES}<main id=it>{paragraphs(4)}</main>{OFFICES}",
    "a name of a body": f"{OFFICES}<div class=article-body id=it>{paragraphs(4)}</div>{OFFICES}",
    "an itemprop": f"{OFFICES}<div itemprop=articleBody id=it>{paragraphs(4)}</div>{OFFICES}",
    "most of it named a sidebar": f"<main><div class=sidebar><div id=it>{paragraphs(5)}</div></div><div class=hero><p>{SENTENCE}</p></div>"
    f"</main>{PRIVACY}",
    "beside a small article in it": f"<div id=it>{paragraphs(4)}<article>{paragraphs(3)}</article><div>{paragraphs(4)}</div></div>",
    "paragraphs beside a block": f"<article id=it>{f'<p>{SENTENCE * 2}</p>' * 2}<div class=rest>{paragraphs(9)}</div></article>",
    "hardly any running text": f"<div><div>From the wiki</div><div id=it class=bodyContent><h2>Bridges</h2><ul>{LINKS}</ul></div></div>",
    "a short section beside a long one": f"{MENU}{H1}<div id=it><section><h2>Monday</h2>{paragraphs(12)}</section>"
    f"<section><h2>Tuesday</h2>{paragraphs(1)}</section></div>",
    "a short box beside a long one of the same make": f"{MENU}{H1}<div id=it><div data-text>{paragraphs(12)}</div>"
    f"<div data-text><p>{SENTENCE}</p></div></div>{MENU}",
    "terms that are links": f"{MENU}<main id=it><section><p>{SENTENCE * 3}</p></section><section><h2>Parts of it</h2><dl>{TERMS}</dl>"
    "</section></main>",
    "one line": f"<main>{H1}<div class=entry-content id=it><p>The council has voted.</p></div>{POSTED}</main>",
    "one line beside links": f"<article>{H1}<div class=entry-content id=it>It was voted.</div></article><div><ul>{LINKS * 3}</ul></div>",
    "a postscript behind it": f"{MENU}<div id=it><div>{paragraphs(5)}</div><div class=ps><hr><p>It was read by many.</p></div></div>",
    "Japanese": f"{MENU}<div id=it>{paragraphs(4, '市議会は月曜日に開かれ、長い議論の末、新しい橋の建設を決めた。')}</div>{MENU}",
    "Hindi": f"<div id=it>{'<p>परिषद ने सोमवार को नए पुल के पक्ष में मतदान किया।</p>' * 12}</div>{OTHER}",
    "Arabic": f"<div id=it>{'<p>صوت المجلس يوم الاثنين لصالح الجسر الجديد، بعد نقاش</p>' * 12}</div>{OTHER}",
    **{
        f"in what is named {name}": f"{MENU}<div class={name}>{H1}<article id=it>{paragraphs(6)}</article></div>"
        for name in ("sidebar", "comments", "paywall", "modal")
    },
    "what is named one": f"<div>{H1}<div class=image-caption>{SENTENCE * 2}</div></div><div id=it>{paragraphs(5)}</div>",
    "a newsletter above it": f"<div>{H1}<div class=newsletter><p>{SENTENCE * 2}</p></div></div><div id=it>{paragraphs(5)}</div>",
    "no sentence above it": f"<div>{H1}<div class=intro><p>The editors of the paper</p></div></div><div id=it>{paragraphs(5)}</div>",
}


@pytest.mark.parametrize("page", BODIES.values(), ids=BODIES)
def test_the_body_is_the_block_with_the_running_text(page: str) -> None:
    (element,) = html.fromstring(f"<body>{page}</body>").xpath("//*[@id='it']")
    assert read(f"<html><body>{page}</body></html>").text.split() == words_in(element)


@pytest.mark.parametrize("page", ["<p></p>", MENU, "<p></p><hr>", "<h1> </h1><img src=x>"])
def test_a_page_without_running_text_has_no_body(page: str) -> None:
    article = read(f"<html><body>{page}</body></html>")
    assert (article.outcome, article.blocks) == ("empty", ())
    assert "no container" in article.reason


def test_the_text_in_json_ld_decides_between_blocks_of_the_same_kind() -> None:
    mine = "On Monday the bishop came to town, and nobody knew why. " * 8
    other = "On Friday the judge came to town, and everybody knew why. " * 8
    page = f"<div><p>{other[:-80]}</p></div><div><p>{mine}</p></div>"
    assert read(news(articleBody=mine.replace(" came", "\n came")) + page).text == mine.strip()


def test_json_ld_with_only_the_first_lines_does_not_cut_the_article() -> None:
    beginning = "It began on Monday, when the water rose above the old dam. " * 4
    text = read(f"{news(articleBody=beginning)}<div><p>{beginning}</p>{paragraphs(12)}</div>").text
    assert text.startswith(beginning.strip()) and "11. " in text


@pytest.mark.parametrize(("shown", "is_told"), [(1, True), (4, False)])
def test_a_text_that_the_page_shows_a_beginning_of_is_read_from_its_json_ld(shown: int, is_told: bool) -> None:
    lines = [f"{number}. {SENTENCE * 3}".strip() for number in range(6)]
    article = read(f"{news(articleBody=chr(10).join(lines))}<article>{H1}{''.join(f'<p>{line}</p>' for line in lines[:shown])}</article>")
    assert (article.outcome, article.text.splitlines()) == ("article", lines if is_told else lines[:shown])


# --- what stands above it ---


POINTS = "<ul><li>It costs ten millions, says the mayor.</li><li>It will be open in May, if it does not rain.</li></ul>"
COSTS = "<h2>What it costs</h2><ul><li>ten for steel</li><li>two for stone</li></ul>"


@pytest.mark.parametrize(
    "lead",
    [
        f"<div class=lead><div><p>{SENTENCE}</p></div></div>",
        f"<p class=linha-fina>{SENTENCE}</p>",
        f"<div><p>{SENTENCE * 2}</p></div>",
        "<p class=vorspann>A bridge at last, says the mayor</p>",
        "<p class=subtitle>灯台と八十三人の隣人の話</p>",
        "<h2>Notes on a bridge</h2>",
        POINTS,
        "<h2>The old one is to be a path for walkers, and the new one will carry cars, trams and lorries.</h2>",
        f"<p class=lead>{SENTENCE}</p>{COSTS}<p>{SENTENCE * 2}</p>",
    ],
)
def test_leads_points_and_sentences_in_headings_between_headline_and_body_come_first(lead: str) -> None:
    text = read(f"<main><header>{H1}{lead}</header><div>{paragraphs(6)}</div></main>").text
    assert text.split() == words_in(lead.replace("</", " </") + paragraphs(6))


@pytest.mark.parametrize(
    ("headline", "lead", "is_lead"),
    [
        (H1, "The old one is to be a path for walkers", True),
        (H1, "Photographs by our own men on the spot", False),
        ("", SENTENCE * 2, True),
        ("", "The old one is to be a path for walkers", False),
    ],
)
def test_the_description_of_the_page_knows_the_lead(headline: str, lead: str, is_lead: bool) -> None:
    description = f"The old one is to be a path for walkers. {SENTENCE}" if headline else SENTENCE * 3
    page = f"<div>{headline}<p class=text>{lead}</p><div></div></div><div id=it>{paragraphs(5, 'It rained, and nobody came. ')}</div>"
    text = read(f"<head><meta name=description content='{description}'></head><body>{page}</body>").text
    assert text.startswith(lead.strip()) is is_lead


@pytest.mark.parametrize(("name", "is_lead"), [("Anna", False), ("Anna Kiss", False), ("Annabel", True)])
def test_who_wrote_an_article_is_not_told_by_its_lead(name: str, is_lead: bool) -> None:
    page = f"<div>{H1}<p>{name} has written much. {SENTENCE}</p><div></div></div><div id=it>{paragraphs(25)}</div>"
    assert read(f"<meta name=author content='Anna Kiss'>{page}").text.startswith(name) is is_lead


def test_a_line_of_author_and_day_above_the_body_is_no_lead() -> None:
    line = "By Anna Kiss - Associated Press of Towns and Villages - Special to the Example Daily News - Friday, April 28, 2023"
    page = f"<div>{H1}<p>{line}</p><div></div></div><div id=it>{paragraphs(25)}</div>"
    assert read(f"<meta name=author content='Anna Kiss'>{page}").text.startswith("0.")


IMAGE = "<meta property=og:image content=https://pelda.example/media/bridge-1200x800.jpg>"


@pytest.mark.parametrize(
    "above",
    [
        "<figure class=post-thumbnail><img src=/media/bridge.jpg><figcaption>The bridge</figcaption></figure>",
        "<div class=media><div><img src=/media/bridge-300x200.jpg?v=2></div></div>",
        "<div class=wp-caption><img src=/media/other.jpg><p>The bridge</p></div>",
    ],
)
@pytest.mark.parametrize("page", ["<header class=entry-header>{0}{1}</header>", "{1}<header>{0}</header>"])
def test_a_picture_above_the_text_is_of_the_article(page: str, above: str) -> None:
    blocks = read(f"<head>{IMAGE}</head><article>{page.format(H1, above)}<div>{paragraphs(5)}</div></article>").blocks
    assert [block.type for block in blocks].count("figure") == 1
    assert blocks[0].type == "figure"


def test_data_that_nobody_sees_are_no_reason_to_take_the_head_of_a_short_article_for_its_text() -> None:
    unseen = f"<span style='display: none'><i>{SENTENCE}</i><i>{SENTENCE}</i></span>"
    page = f"<article><header><div>{unseen}</div>{H1}<p class=lead>{SENTENCE}</p></header><div><p>{SENTENCE}And so on.</p></div></article>"
    assert written(read(page).blocks) == f"paragraph({SENTENCE.strip()}) paragraph({SENTENCE}And so on.)"


def test_pictures_of_different_folders_with_a_name_that_any_may_have_are_different_ones() -> None:
    cover = "<figure><img src=/2023/04/1.jpg><figcaption>The bridge</figcaption></figure>"
    blocks = read(f"<article><header>{H1}{cover}</header><div><img src=/2023/05/1.jpg>{paragraphs(5)}</div></article>").blocks
    assert [block.url for block in blocks if block.type == "figure"] == [f"https://pelda.example/2023/0{month}/1.jpg" for month in (4, 5)]


OTHER_PICTURES = (
    "<figure><a href=/another-article><img src=/media/another.jpg></a></figure>",
    "<figure class=related-thumb><img src=/media/another.jpg></figure>",
    "<div style='display:none'><figure><img src=/media/another.jpg></figure></div>",
    "<figure class=author-photo><img src=/people/anna.jpg></figure>",
    "<figure><img src=/media/sign.png width=64></figure>",
    "<figure><img src=/1.jpg><img src=/2.jpg></figure>",
    "<div><img src=/media/another.jpg></div>",
    "<figure><img src=/media/inside-1024x768.jpg></figure>",
    "<figure><svg></svg></figure>",
)


@pytest.mark.parametrize("above", OTHER_PICTURES)
def test_other_pictures_above_the_text_are_not(above: str) -> None:
    body = f"<div><img src=/media/inside.jpg>{paragraphs(5)}</div>"
    blocks = read(f"<head>{IMAGE}</head><article><header>{H1}{above}</header>{body}</article>").blocks
    assert [block.url for block in blocks if block.type == "figure"] == ["https://pelda.example/media/inside.jpg"]


HERO = "<section class=hero><figure><img src=/media/bridge-640x480.jpg></figure></section>"


@pytest.mark.parametrize("hero", [HERO, HERO.replace("figure>", "div>"), HERO.replace("section", "header")])
@pytest.mark.parametrize(
    "page", ["<main>{0}<section>{1}{2}</section></main>", "{0}<article>{1}<div>{2}</div></article>", "{0}{1}<div>{2}</div>"]
)
def test_the_pages_own_picture_above_the_headline_is_of_the_article_wherever_it_stands(page: str, hero: str) -> None:
    told, untold = (read(f"<head>{head}</head>{MENU}{page.format(hero, H1, paragraphs(5))}").blocks for head in (IMAGE, ""))
    assert [block.type for block in told if block.type == "figure"] == ["figure"] and told[0].type == "figure"
    assert [block.type for block in untold if block.type == "figure"] == [], "anything may stand there"


@pytest.mark.parametrize(
    "above",
    [
        "<header><img src=/media/bridge.jpg></header>",
        "<a href=/><img src=/media/bridge.jpg></a>",
        "<div class=logo><img src=/media/bridge.jpg></div>",
        "<nav><figure><img src=/media/bridge.jpg></figure></nav>",
        "<figure><a href=/another-article><img src=/media/bridge.jpg></a></figure>",
    ],
)
def test_the_sites_own_picture_above_the_headline_is_not_though_pages_call_it_theirs(above: str) -> None:
    blocks = read(f"<head>{IMAGE}</head>{above}<main>{H1}<div>{paragraphs(5)}</div></main>").blocks
    assert [block.type for block in blocks if block.type == "figure"] == []


def test_the_picture_above_the_text_is_a_figure_with_its_caption_and_maker() -> None:
    figure = "<figure><figcaption>The bridge <span class=credit>Anna Kiss</span></figcaption><img src=/media/bridge.jpg></figure>"
    first = read(f"<article><header>{H1}{figure}</header><div>{paragraphs(5)}</div></article>").blocks[0]
    assert written([first]) == "figure@/media/bridge.jpg(caption(The bridge Anna Kiss))"
    assert first.attributes["credit"] == "Anna Kiss"


def test_a_line_in_the_box_of_the_picture_above_the_text_is_its_caption_and_several_are_somebody() -> None:
    page = f"<article>{H1}<div class=cover><img src=/a.png><p>Anna Kis on the bridge</p>{{}}</div><div>{paragraphs(5)}</div></article>"
    assert written(read(page.format("")).blocks[:1]) == "figure@/a.png(caption(Anna Kis on the bridge))"
    assert all(block.type != "figure" for block in read(page.format("<p>Editor</p>")).blocks)


BARE = "<figure><img src=/a.png></figure>"


@pytest.mark.parametrize(
    ("cover", "caption"),
    [
        (
            "<figure><img src=/a.png></figure><figcaption>The bridge in May <span>Photo: Anna</span></figcaption>",
            "The bridge in May Photo: Anna",
        ),
        (
            "<figure><img src=/a.png></figure><div class=caption><p>The bridge in May</p></div><div>Anna Kis</div>",
            "The bridge in May|Anna Kis",
        ),
        ("<img src=/a.png alt='The bridge'><p>The bridge</p><p>Photo: Anna Kis</p>", "The bridge|Photo: Anna Kis"),
        (BARE, ""),
    ],
)
def test_lines_beside_the_picture_above_the_text_are_its_caption_where_one_is_called_so_or_says_what_it_shows(
    cover: str, caption: str
) -> None:
    blocks = read(f"<article>{H1}<div class=box>{cover}</div><div>{paragraphs(5)}</div></article>").blocks
    assert written(blocks[:1]) == f"figure@/a.png({f'caption({caption})' if caption else ''})"


def test_a_picture_is_known_by_its_folder_where_its_address_ends_with_that() -> None:
    image = "<meta property=og:image content='https://pelda.example/media/4711/?size=1200'>"
    cover = "<div><img src='/media/4711/?size=300'></div>"
    blocks = read(f"<head>{image}</head><article>{H1}{cover}<div>{paragraphs(5)}</div></article>").blocks
    assert [block.type for block in blocks[:2]] == ["figure", "paragraph"]


@pytest.mark.parametrize(("description", "kind"), [("The old one is to be a path", "paragraph"), ("It rained, and nobody came", "heading")])
def test_the_first_heading_of_the_text_is_a_lead_if_the_description_says_the_same(description: str, kind: str) -> None:
    head = f"<head><meta name=description content='{description}'></head>"
    page = f"<article>{H1}<h2>The old one is to be a path</h2>{paragraphs(5)}<h2>The new one</h2>{paragraphs(5)}</article>"
    assert [block.type for block in read(head + page).blocks if block.type == "heading"] == ["heading"] * (1 + (kind == "heading"))


@pytest.mark.parametrize("beside", ["We may earn a commission, if you buy.", f"Anna Kis writes for us. {SENTENCE * 2}", "Photo: Anna Kis."])
def test_a_sentence_beside_the_text_is_none_of_it(beside: str) -> None:
    page = f"{MENU}<div>{H1}<div class=a>{paragraphs(9)}</div><div class=b><p>{beside}</p></div></div>"
    assert beside.strip() not in read(page).text


@pytest.mark.parametrize("opening", ["<nav><ul><li>{}", "<header><button>Menu{}", "<div><select><option>{}", "<form>{}", "<div hidden>{}"])
@pytest.mark.parametrize("article", ["<main><h1>Votes</h1>{}</main>", "<article>{}</article>", "<div>{}</div>"])
def test_a_menu_that_was_never_closed_does_not_swallow_the_article(opening: str, article: str) -> None:
    text = read("<html><body>" + opening.format(MENU + article.format(paragraphs(5)))).text
    assert text.count(SENTENCE.strip()) == 10
    assert "Section number" not in text


# --- other articles, and other parts of the page ---


@pytest.mark.parametrize("other", ["<footer><p>{}</p></footer>", "<div role=dialog class=login>{}</div>", "<dialog>{}</dialog>"])
def test_a_short_article_is_not_lost_to_a_footer_or_a_dialog(other: str) -> None:
    article = f"<main>{H1}<p>It is done, says the mayor, and for good.</p></main>"
    assert read(article + other.format(paragraphs(5))).text == "It is done, says the mayor, and for good."


def test_of_several_articles_it_is_that_of_the_headline() -> None:
    other = (
        f"<article id=second-2><h2>Another story of the town</h2>{paragraphs(7, 'Nobody came to the fair, since it rained. ')}</article>"
    )
    page = f"<title>{HEADLINE}</title><main><article id=first-1>{H1}<p>{SENTENCE * 4}</p></article>{other}</main>"
    assert read(page).text.strip() == (SENTENCE * 4).strip()


def teaser(number: int) -> str:
    return f"<article class=item><h3><a href=/{number}>Another story, number {number}</a></h3><p>{number}. {SENTENCE * 2}</p></article>"


def test_a_short_article_among_more_teasers_is_the_article() -> None:
    text = f"<div class=text><p>{SENTENCE}</p></div>"
    own = f"<article class='item detail'><header><h2>{HEADLINE}</h2><ul><li>1 May</li></ul></header>{text}</article>"
    page = f"<title>{HEADLINE}</title><div><div>{own}</div><div><div>{''.join(map(teaser, range(9)))}</div></div></div>"
    assert "voted for the new bridge" in read(page).text
    assert "Another story" not in read(page).text
    outside = (
        f"<title>{HEADLINE}</title><div><article><h2>{HEADLINE}</h2><p>{SENTENCE}</p></article><div>{paragraphs(9)}</div>{teaser(1)}</div>"
    )
    assert "8. The council" in read(outside).text


@pytest.mark.parametrize(
    "heading",
    [
        H1,
        "<h1><span>Council</span> <span>votes</span> <span>for the new bridge</span></h1>",
        "<h1>Council<br>votes for<br>the new bridge</h1>",
        "<h2><div>Council</div><div>votes for the new bridge</div></h2>",
    ],
)
def test_the_headline_is_none_of_the_text_even_in_pieces(heading: str) -> None:
    page = f"<title>{HEADLINE} | The Example</title><body><article>{heading}{paragraphs(4)}</article>"
    assert read(page).text.split() == words_in(paragraphs(4))


# --- what a portal file may say of it ---

UJ_HID = "A város új hidat kap, a munka jövőre kezdődik, és a tervek szerint három évig tart majd. "


def test_what_is_taken_for_the_body_may_be_told() -> None:
    page = f"""<h1>A híd</h1><div class=tartalom><p>Megnyílt az új híd.<div class=sharing><a href=/x>Megosztom</a></div></div>
        <div class=egyeb><p>{UJ_HID * 4}<p>{UJ_HID * 3}</div>"""
    assert "Megnyílt" not in read(page).text
    told = read(page, body={"within": [".nincs", ".tartalom"]})
    assert (told.text, left_out(told)["share bar"]) == ("Megnyílt az új híd.", "Megosztom")
    assert read(page, body={"within": ".nincs"}).text == read(page).text


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        (["div.a", "div.b", "div.c"], "paragraph(1)"),
        ({"css": "div.b", "take": "all"}, "paragraph(1) paragraph(2)"),
        ({"all_of": ["div.c", "div.b"]}, "paragraph(3) paragraph(1)"),
        ({"css": "div", "take": "all"}, "paragraph(0) paragraph(1) paragraph(2) paragraph(3)"),
        ({"html_in": "data-h", "css": "p"}, "paragraph(4)"),
        ({"all_of": ["p.d", "p.e"]}, "lead(paragraph(5)) paragraph(6)"),
    ],
)
def test_a_root_may_be_several_elements_none_inside_another(root: object, expected: str) -> None:
    page = "<div>0<div class=b>1</div><div class=b>2</div><div class=c>3</div></div><i data-h='<p>4</p>'></i><p class=d>5<p class=e>6"
    tags = {"lead": ["p.d"], "decompose": ["body > p.e"]}  # who names a part of the text wants it
    assert written(read(page, body={"root": root, "tags": tags}).blocks) == expected


def test_a_root_that_matches_nothing_leaves_the_article_empty_and_says_so() -> None:
    article = read(f"<p>{UJ_HID * 9}", body={"root": "div.b"})
    assert article.outcome == "empty"
    assert "no container" in article.reason


LEAD = "A tanács kedden szavazott arról, hogy a két part között mikor nyílik meg a híd, és ki fizeti ki az árát."
LEAD_APART = (
    f"<main><header><h1>A híd végre megnyílt</h1><p class=lead>{LEAD}</p></header><div class=t>{paragraphs(4, UJ_HID * 2)}</div></main>"
)


@pytest.mark.parametrize(
    ("tags", "blocks"),
    [
        ({}, ["paragraph"] * 5),
        ({"lead": ["p.lead"]}, ["lead", *["paragraph"] * 4]),
        ({"decompose": ["p.lead"]}, ["paragraph"] * 4),
        ({"unwrap": ["p.lead"]}, ["paragraph"] * 5),
        ({"decompose": ["header"]}, ["paragraph"] * 4),
        ({"lead": ["header"]}, ["lead", *["paragraph"] * 4]),
        ({"decompose": ["div.t"]}, ["paragraph"] * 5),
    ],
    ids=["none", "lead", "decompose", "unwrap", "decompose around it", "lead around it", "for the container itself"],
)
def test_rules_hold_for_a_lead_that_stands_before_the_body_and_say_nothing_of_the_body_itself(tags: object, blocks: list[str]) -> None:
    assert [block.type for block in read(LEAD_APART, body={"tags": tags}).blocks] == blocks


def test_the_headline_is_metadata_and_no_block() -> None:
    page = "<div class=b><h1>Az <i>új</i> híd</h1><p>Az új híd</p><p>szöveg</p></div>"
    article = read(page, metadata={"headline": "h1"}, body={"root": "div.b"})
    assert written(article.blocks) == "paragraph(szöveg)"
    assert set(left_out(article)) == {"headline: it is metadata"}


# --- real pages ---

PAGES = DATA / "extraction" / "data" / "fundus"
READING = re.compile("（[\u3040-\u30ff]+）")
"""How a Japanese word is read: no text of an article."""


@needs(PAGES)
@pytest.mark.parametrize("every", [10, pytest.param(1, marks=pytest.mark.nightly)])
def test_most_words_of_real_articles_are_found_and_few_others(every: int) -> None:
    scores = []
    for line in (PAGES / "meta.jsonl").read_text("utf-8").splitlines()[::every]:
        meta = json.loads(line)
        page = gzip.decompress((PAGES / "pages" / f"{meta['id']}.html.gz").read_bytes()).decode("utf-8", "replace")
        read_words = Counter(extract(page, meta.get("url") or "https://pelda.example/1").text.split())
        wanted = Counter(word for block in meta["gold"]["blocks"] for word in READING.sub("", block["text"]).split())
        scores.append(2 * (read_words & wanted).total() / ((read_words.total() + wanted.total()) or 1))
    assert fmean(scores) >= 0.93, "mean F1 of the words of an article"


def test_an_article_of_nothing_but_furniture_is_no_fault() -> None:
    heading = "<h1>1<p>The councilate it voted ng debate it voted for the new bridge. "
    names = "<p><a>; Ann Lee; Ann Lee; Ann Lee; Ann Lee; Ann Lee; Ann Lee; Ann Lee; Ann Lee; Ann Lee; Ann Lee; day, "
    page = f"y><article>{heading}{names}and after a long debate it voted for the new bridge</article><article>n Monday, "
    assert read(f"{page}and after a long debate it voted for the new bridge.").outcome
