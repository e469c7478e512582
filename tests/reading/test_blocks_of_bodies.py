"""What stands in a page becomes the blocks of the content model; rules of the portal file say what is what."""

from __future__ import annotations

from typing import Any

import pytest
from case_files import cases
from read_bodies import body_of, left_out, paragraphs, read, sketch, written

TWEET = "https://twitter.com/kanna/status/1"


@cases("html, tags, expected", "reading/cases/blocks-are-made-to-fit")
def test_blocks_are_made_to_fit(html: str, tags: dict[str, Any] | None, expected: str) -> None:
    assert sketch(html, tags) == expected


@pytest.mark.parametrize(
    ("html", "attributes"),
    [
        ("<h3>a</h3>", {"level": "3"}),
        ("<div role=heading aria-level=2>a</div>", {"level": "2"}),
        ("<ol><li>a</ol>", {"ordered": "yes"}),
        ("<img src=a.jpg alt=' A  kép '>", {"alt": "A kép"}),
        ("<figure><img src=a.jpg><figcaption>a <span class=photo-credit>X Y</span></figcaption></figure>", {"credit": "X Y"}),
        ("<iframe src='https://www.youtube.com/embed/1' title=T></iframe>", {"kind": "video", "title": "T"}),
        ("<iframe src='https://terkep.example/'></iframe>", {"kind": "frame"}),
        ("<audio src=a.mp3></audio>", {"kind": "audio"}),
        ("<blockquote class=twitter-tweet>a</blockquote>", {"kind": "twitter"}),
        ("<pre><code class='hljs language-python'>a</code></pre>", {"kind": "python"}),
        ("<div class='highlight highlight-source-c++'><pre>a</pre></div>", {"kind": "c++"}),
        ("<pre class='language-none'>a</pre>", {}),
        (
            f"<blockquote class=twitter-tweet data-lang=hu><p>a</p>— K. A. (@kanna) <a href={TWEET}>2024. május 1.</a></blockquote>",
            {"kind": "twitter", "who": "K. A. (@kanna)", "when": "2024-05-01"},
        ),
        (
            "<blockquote class=instagram-media><p>Une publication partagée par Jean de Pelda (@jean)</p></blockquote>",
            {"kind": "instagram", "who": "@jean"},
        ),
    ],
)
def test_blocks_keep_what_their_elements_tell(html: str, attributes: dict[str, str]) -> None:
    (block,) = body_of(html).blocks
    assert block.attributes == attributes


def test_cells_keep_their_spans_and_items_whether_they_are_terms() -> None:
    (table,) = body_of("<table><tr><th rowspan=2 colspan='3'>a<td rowspan=1 colspan=99999>b</table>").blocks
    assert [cell.attributes for cell in table.children[0].children] == [{"rows": "2", "columns": "3", "header": "yes"}, {}]
    (definitions,) = body_of("<dl><div><dt>a<dd>b</div></dl>").blocks
    assert [dict(item.attributes) for item in definitions.children] == [{"term": "yes"}, {}]


def test_a_post_knows_its_author_and_time_from_blocks_in_it() -> None:
    html = "<div class=p id=k1><b class=n>N</b><i class=i><time datetime='2024-05-01T10:00'>10:00</time></i><p>a</p></div>"
    (post,) = body_of(html, {"post": [".p"], "author": [".n"], "time": [".i"]}).blocks
    assert post.attributes == {"id": "k1", "who": "N", "when": "2024-05-01T10:00"}


def test_the_text_of_a_figure_around_a_whole_article_is_no_caption() -> None:
    text = "".join(f"<p>{number}. {'Nobody knew how long the bridge would stand. ' * 9}</p>" for number in range(4))
    article = body_of(f"<figure><img src=/k.jpg><figcaption>The bridge</figcaption>{text}</figure>")
    assert [block.type for block in article.blocks] == ["figure", *["paragraph"] * 4]
    assert written(article.blocks[0].children) == "caption(The bridge)"


@pytest.mark.parametrize("inside", ["<figcaption>Money</figcaption>{}", "{}<figcaption>Money</figcaption>"])
def test_the_caption_of_a_figure_around_a_table_is_its_title(inside: str) -> None:
    table = "<table><tr><td>a<td>b<tr><td>c<td>d</table>"
    assert sketch(f"<figure>{inside.format(table)}</figure>") == sketch(table.replace("<tr>", "<caption>Money</caption><tr>", 1))
    titled = table.replace("<tr>", "<caption>Coins</caption><tr>", 1)
    assert "Coins" in sketch(f"<figure>{inside.format(titled)}</figure>")


NOTE = "<p>Do not cross the bridge in winter.</p>"
TITLED = "<div class='admonition tip'><p class=admonition-title>Ice</p>{}</div>".format


@pytest.mark.parametrize(
    "box",
    [
        TITLED(NOTE),
        f"<div class='markdown-alert markdown-alert-tip'><p class=markdown-alert-title><svg></svg>Ice</p>{NOTE}</div>",
        f"<div class='theme-a a_xJq3 alert'><div class='aHeading_Gvgb'><span></span>Ice</div><div class=aContent_BuS1>{NOTE}</div></div>",
        f"<div class='callout callout-tip'><div class='d-flex callout-header'><div><i></i></div>Ice</div><div>{NOTE}</div></div>",
        f"<section class=panel><h3 class=panel__title>Ice</h3>{NOTE}</section>".replace("section", "aside"),
        f"<div role=note><h4>Ice</h4>{NOTE}</div>",
    ],
)
def test_a_note_amid_paragraphs_is_a_box_with_its_title(box: str) -> None:
    around = paragraphs(3)
    assert "box(heading(Ice) paragraph(Do not cross the bridge in winter.))" in written(
        read(f"<article>{around}{box}{around}</article>").blocks
    )
    assert sketch(f"<p>a</p>{box}<p>b</p>") == ("paragraph(a) box(heading(Ice) paragraph(Do not cross the bridge in winter.)) paragraph(b)")


@pytest.mark.parametrize(
    "text",
    [
        TITLED(NOTE) * 2,
        TITLED(NOTE).replace("<p class", "<h2 class").replace("Ice</p>", "Ice</h2>"),
        TITLED(paragraphs(20)),
        TITLED("<p>No</p>"),
        TITLED(f"<p><a href=/x>{NOTE}</a></p>"),
        TITLED(f"{NOTE}<input>"),
        f"<div><i></i></div>{TITLED(NOTE)}<div><i></i></div>",
        f"<h2>How to get there</h2>{TITLED(NOTE)}<h2>b</h2>",
    ],
)
def test_what_is_no_note_amid_paragraphs_is_text_like_any_other(text: str) -> None:
    shown = sketch(f"<p>a</p>{text}<p>b</p>")
    assert "box" not in shown
    assert "Ice" in shown


def test_blocks_in_blocks_without_end_are_unwrapped() -> None:
    (block,) = body_of("<blockquote><aside>" * 600 + "a" + "</aside></blockquote>" * 600).blocks
    assert written([block]).count("(") < 100
    assert "paragraph(a)" in written([block])


# --- which rule decides ---

ELEMENT = '<p class="a b" id=i data-x=1>x<b>y</b></p>'


@cases("layers, expected", "reading/cases/the-nearest-layer-decides-then-specificity-then-the-later-rule")
def test_the_nearest_layer_decides_then_specificity_then_the_later_rule(layers: list[dict[str, Any]], expected: str) -> None:
    assert sketch(ELEMENT, layers).partition("(")[0] == expected


def test_what_is_forgotten_of_the_general_rules_is_undecided() -> None:
    assert [tag.tag for tag in body_of(ELEMENT, [{}, {"paragraph": None}]).unknown_tags] == ["p#i.a.b[data-x]"]
    assert body_of(ELEMENT).unknown_tags == ()


@cases("html, tags, expected", "reading/cases/unwrap-all-makes-a-block-simple-and-split-makes-two-of-one")
def test_unwrap_all_makes_a_block_simple_and_split_makes_two_of_one(html: str, tags: dict[str, Any], expected: str) -> None:
    assert sketch(html, tags) == expected


def test_what_no_rule_decides_is_unwrapped_and_reported() -> None:
    html = "<div>a</div><div class='card card-123 x1y2z3w4'>b <i>c</i> d</div><div class=card>e</div><uj-elem>f</uj-elem><p class=q>g</p>"
    article = body_of(html)
    unknown = [("div.card.card-*.*", 1, 2), ("div.card", 1, 1), ("uj-elem", 1, 1)]
    assert [(tag.tag, tag.count, tag.words) for tag in article.unknown_tags] == unknown
    assert [block.type for block in article.blocks] == ["paragraph"] * 5
    decided = body_of(html, {"unwrap": ["div.card", "uj-elem"]})
    assert (decided.blocks, decided.unknown_tags) == (article.blocks, ())
    code = "<pre><div class=line><span class='token k'>if</span> a:</div></pre><p><code><span class=k>a</span></code></p>"
    assert body_of(code).unknown_tags == (), "nobody need decide what colours code"


def test_a_rule_names_its_file_and_line_where_it_leaves_something_out() -> None:
    article = body_of("a<p class=x>reklám</p>", {"decompose": ["p.x"]})
    ((rule, text),) = left_out(article).items()
    assert rule.startswith("portal.yaml:") and rule.endswith(" p.x")
    assert (text, [piece.tag for piece in article.pieces if piece.rule]) == ("reklám", ["p.x"])


# --- bold lines ---

FIRST = "<p>A város tegnap átadta az új hidat a folyó fölött.</p>"
NEXT = "<p>A munka három évig tartott, és sokba került a városnak.</p>"


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("<p><strong>Három év munka</strong></p>", "heading(Három év munka)"),
        ("<p><b><em>Three years of work</em></b></p>", "heading(emphasis[Three years of work])"),
        ("<p><b>橋の完成</b></p>", "heading(橋の完成)"),
        ("<div><b>1. Az első szakasz</b></div>", "heading(1. Az első szakasz)"),
    ],
)
def test_a_bold_line_before_text_is_a_heading_and_not_bold_as_well(line: str, heading: str) -> None:
    blocks = body_of(FIRST + line + NEXT).blocks
    assert ([block.type for block in blocks], written(blocks[1:2])) == (["paragraph", "heading", "paragraph"], heading)


@pytest.mark.parametrize(
    ("html", "why"),
    [
        ("<p><b>Kovács Anna</b></p>" + FIRST, "nothing stands before it: a byline or a lead"),
        ("<p>Egy alcím</p><p><b>Kovács Anna</b></p>" + NEXT, "no sentence stands before it"),
        (FIRST + "<p><b>Ez egy kiemelt mondat a szövegben.</b></p>" + NEXT, "a sentence"),
        (FIRST + "<p><b>A polgármester ezt mondta:</b></p>" + NEXT, "what follows is announced"),
        (FIRST + "<p><b><a href=/x>Az új híd képekben</a></b></p>" + NEXT, "a link to another article"),
        (FIRST + "<p><b>Fontos</b> adat</p>" + NEXT, "not all of it is bold"),
        (FIRST + "<p><b>Egy</b></p><p><b>Kettő</b></p>" + NEXT, "one after the other"),
        (FIRST + "<p><b>A végén</b></p>", "nothing follows"),
        (FIRST + "<p><b>Felirat</b></p><img src=/k.jpg>", "a picture follows"),
        (FIRST + "<img src=/k.jpg><p><b>Felirat</b></p>" + NEXT, "under a picture"),
        (FIRST + "<p><b>Cím: Fő utca 1.<br>Nyitva: hétfőn</b></p>" + NEXT, "two lines"),
        (FIRST + "<p><b>www.pelda.example</b></p>" + NEXT, "an address"),
        (FIRST + "<p><b>ANNA</b></p>" + NEXT + "<p><b>ANNA</b></p>" + FIRST, "the name of who speaks comes again"),
        (FIRST + "<p><b>Mi ez?</b></p>" + NEXT + "<p><b>És ez?</b></p>" + FIRST, "questions of an interview"),
    ],
)
def test_other_bold_lines_are_paragraphs(html: str, why: str) -> None:
    assert not {"heading", "subheading"} & {block.type for block in body_of(html).blocks}, why


def test_below_the_headings_of_a_text_a_bold_line_is_a_subheading() -> None:
    blocks = body_of(f"<h2>Az átadás</h2>{FIRST}<p><b>A munka</b></p>{NEXT}").blocks
    assert [block.type for block in blocks] == ["heading", "paragraph", "subheading", "paragraph"]


def test_what_is_bold_in_an_interview_is_said_by_who_asks_and_headings_that_do_not_ask_stay() -> None:
    long_question = f"<p><b>Mit gondol arról, hogy {'a híd és az út, ' * 8}mind elkészült?</b></p>"
    asked = "<p><b>Miért épült?</b></p>" + NEXT + long_question + NEXT + "<p><b>Beszéljünk a jövőről</b></p>" + NEXT
    for interview in (asked, asked.replace("<b>Miért épült?", "<b>»Miért épült?«")):
        assert "heading" not in {block.type for block in body_of(FIRST + interview).blocks}
    lines = ("A terv", "Miért épült?", "A munka", "Mi lesz ezután?", "Az átadás")
    blocks = body_of(FIRST + "".join(f"<p><b>{line}</b></p>{NEXT}" for line in lines)).blocks
    assert [block.type for block in blocks].count("heading") == 3


# --- code ---


@cases("html, expected", "reading/cases/code-keeps-its-white-space")
def test_code_keeps_its_white_space(html: str, expected: str) -> None:
    assert sketch(html) == expected


# --- an article as JSON ---


def test_a_json_article_has_its_html_in_a_value() -> None:
    document = '{"title": "Híd", "body": "<p>Egy <b>kettő</b></p><script>x</script>", "when": "2024-05-01"}'
    metadata = {"headline": {"json": "title"}, "datePublished": {"json": "when"}}
    article = read(document, articles={"format": "json"}, metadata=metadata, body={"root": "body"})
    assert (article.outcome, article.title, written(article.blocks)) == ("article", "Híd", "paragraph(Egy bold[kettő])")
