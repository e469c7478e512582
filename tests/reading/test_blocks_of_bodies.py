"""What stands in a page becomes the blocks of the content model; rules of the portal file say what is what."""

from __future__ import annotations

from typing import Any

import pytest
from read_bodies import body_of, left_out, read, sketch, written

TWEET = "https://twitter.com/kanna/status/1"
CASES: list[tuple[str, dict[str, Any] | None, str]] = [
    # paragraphs
    ("a", None, "paragraph(a)"),
    ("<div>a</div>b<div>c</div>", None, "paragraph(a) paragraph(b) paragraph(c)"),
    ("<p>a</p> b <p>c</p>", None, "paragraph(a) paragraph(b) paragraph(c)"),
    ("<p class=k>a<p>b</p></p>", None, "paragraph(a) paragraph(b)"),
    ("<span class=k>a<p>b</p>c</span>", {"paragraph": ["span.k"]}, "paragraph(a) paragraph(b) paragraph(c)"),
    ("<b>a<div>b</div>c</b>", None, "paragraph(bold[a]) paragraph(bold[b]) paragraph(bold[c])"),
    ("<a href=/x><h3>a</h3><p>b</p></a>", None, "heading(link@/x[a]) paragraph(link@/x[b])"),
    ("a<br><br>b<br>c<br> <br><br>d", None, "paragraph(a) paragraph(b|c) paragraph(d)"),
    ("<i>a<br><br>b</i>", None, "paragraph(italic[a]) paragraph(italic[b])"),
    ("<p>a</p><p> </p><p>&nbsp;</p><p><br></p><p><b> </b></p>", None, "paragraph(a)"),
    ("<h2>a<div>b</div></h2>", None, "heading(a|b)"),
    ("<h2>a<br><br>b</h2>", None, "heading(a|b)"),
    ("<p>a<h2>b</h2>c</p>", None, "paragraph(a) heading(b) paragraph(c)"),
    ("<div class=h>a<p>b</p></div>", {"heading": ["div.h"]}, "heading(a|b)"),
    ("<div class=h>a<ul><li>b</ul>c</div>", {"heading": ["div.h"]}, "heading(a) list(item(paragraph(b))) heading(c)"),
    ("<p>a</p><span class=cross-head>b</span><p class='x zwischentitel'>c</p><p>d</p>", None,
     "paragraph(a) heading(b) heading(c) paragraph(d)"),
    # inlines
    ("<b>a<strong>b</strong></b>", None, "paragraph(bold[ab])"),
    ("a<b></b>b", None, "paragraph(ab)"),
    ("<a>a</a> <a href='#'>b</a> <a href='javascript:x()'>c</a>", None, "paragraph(a b c)"),
    ("<span lang=en>a</span>", None, "paragraph(language[a])"),
    # lists
    ("<ul><li>a<li>b</ul>", None, "list(item(paragraph(a)) item(paragraph(b)))"),
    ("<ul>a<li>b</li><p>c</p></ul>", None, "list(item(paragraph(a)) item(paragraph(b)) item(paragraph(c)))"),
    ("<ul><li>a</li><ul><li>b</ul></ul>", None, "list(item(paragraph(a) list(item(paragraph(b)))))"),
    ("<ul></ul><ol><li></li></ol>", None, ""),
    ("<li>a</li><li>b</li>c", None, "list(item(paragraph(a)) item(paragraph(b))) paragraph(c)"),
    ("<dl><dt>a<dd>b</dl>", None, "list(item(paragraph(a)) item(paragraph(b)))"),
    # tables
    ("<table><tr><th>a<td>b<tr><td>c<td></table>", None,
     "table(row(cell(paragraph(a)) cell(paragraph(b))) row(cell(paragraph(c)) cell()))"),
    ("<table><caption>t</caption><tr><td>a<td>b</table>", None, "table(table-heading(t) row(cell(paragraph(a)) cell(paragraph(b))))"),
    ("<table><tr><td>a<tr><td>b</table>", None, "box(paragraph(a) paragraph(b))"),
    ("<table><tr><td>a<td><table><tr><td>b<td>c</table></table>", None, "paragraph(a) table(row(cell(paragraph(b)) cell(paragraph(c))))"),
    ("<table><tr><td> <td><tr><td></table>", None, ""),
    ("<table><tr><td><img src=/k.jpg><tr><td>a</table>", None, "figure@/k.jpg(caption(a))"),
    ("<div class=t><div class=c>a</div><div class=c>b</div></div>", {"table": [".t"], "cell": [".c"]},
     "table(row(cell(paragraph(a)) cell(paragraph(b))))"),
    ("<div class=c>a</div><div class=c>b</div>", {"cell": [".c"]}, "table(row(cell(paragraph(a)) cell(paragraph(b))))"),
    ("<div class=t>a<div class=r><i class=c>b</i><i class=c>c</i>d</div></div>", {"table": [".t"], "row": [".r"], "cell": [".c"]},
     "paragraph(a) table(row(cell(paragraph(b)) cell(paragraph(c)) cell(paragraph(d))))"),
    ("<figure><figcaption>a</figcaption><pre>b</pre></figure>", None, "paragraph(a) code(b)"),
    ("<figure><pre>b</pre><figcaption>a</figcaption></figure>", None, "code(b) paragraph(a)"),
    # what is shown
    ("<img src=/k.jpg>", None, "figure@/k.jpg()"),
    ("<p>a <img src=/k.jpg> b</p>", None, "paragraph(a b) figure@/k.jpg()"),
    ("<p><img src=/k.jpg>a</p>", None, "figure@/k.jpg() paragraph(a)"),
    ("a<br><img src=/k.jpg><br>b", None, "paragraph(a) figure@/k.jpg() paragraph(b)"),
    ("<p><a href=/nagy.jpg><img src=/k.jpg></a></p>", None, "figure@/k.jpg()"),
    ("<img src=/p.gif width=1 height=1><img src=/p.gif width=0><img class=emoji src=/e.png>", None, ""),
    ("<p>a <img src=/e.png alt='😀'>b</p>", None, "paragraph(a 😀b)"),
    ("<p>a <img class=smilies src=/s/icon.gif alt=';)'></p>", None, "paragraph(a ;))"),
    ("<p>a <b>b <img class=emoji src=/yay.png alt=':yay:'></b> c</p>", None, "paragraph(a bold[b emoji@/yay.png[]] c)"),
    ("<p><img class=emoji src=/yay.png alt=':yay:'></p><img src=/1f44d.jpg alt='Thumbs up'>", None, "figure@/1f44d.jpg()"),
    ("<figure><img src=/k.jpg><figcaption>a <p>b</p></figcaption></figure>", None, "figure@/k.jpg(caption(a|b))"),
    ("<figure><figcaption>a</figcaption><img src=/k.jpg>b</figure>", None, "figure@/k.jpg(caption(a|b))"),
    ("<figure><figcaption>a</figcaption></figure>", None, "figure(caption(a))"),
    ("<figure><img src=/1.jpg><img src=/2.jpg><figcaption>a</figcaption></figure>", None,
     "gallery(figure@/1.jpg() figure@/2.jpg() caption(a))"),
    ("<figure><img src=/1.jpg>a<img src=/2.jpg>b</figure>", None, "gallery(figure@/1.jpg(caption(a)) figure@/2.jpg(caption(b)))"),
    ("<figure><img src=/1.jpg><img src=/1.jpg></figure>", None, "figure@/1.jpg()"),
    ("<figure><figure><img src=/1.jpg></figure><figure><img src=/2.jpg><figcaption>a</figcaption></figure>"
     "<figcaption>b</figcaption></figure>", None, "gallery(figure@/1.jpg() figure@/2.jpg(caption(a)) caption(b))"),
    ("<div class=g><figure><img src=/1.jpg><figcaption>a</figcaption></figure><img src=/2.jpg><p>b</p></div>", {"gallery": [".g"]},
     "gallery(figure@/1.jpg(caption(a)) figure@/2.jpg() caption(b))"),
    ("<figure><figure><img src=/1.jpg><figcaption>a</figcaption></figure><p>b</p><img src=/2.jpg><p>c</p></figure>", None,
     "gallery(figure@/1.jpg(caption(a|b)) figure@/2.jpg(caption(c)))"),
    ("<figure><table><tr><td>a<td>b</table><figcaption>t<p>u</p></figcaption></figure>", None,
     "table(row(cell(paragraph(a)) cell(paragraph(b)))) paragraph(t|u)"),
    ("<figure><table><caption>s</caption><tr><td>a<td>b</table><figcaption>t</figcaption></figure>", None,
     "table(table-heading(s) row(cell(paragraph(a)) cell(paragraph(b)))) paragraph(t)"),
    ("<ul><li><img src=/1.jpg></li><li><figure><img src=/2.jpg><figcaption>a</figcaption></figure></li></ul>", None,
     "gallery(figure@/1.jpg() figure@/2.jpg() caption(a))"),
    ("<ul><li><img src=/1.jpg></li></ul>", None, "figure@/1.jpg()"),
    ("<dl><dt><img src=/1.jpg></dt><dd class=k>a</dd></dl>", {"caption": [".k"]}, "figure@/1.jpg(caption(a))"),
    ("<ul><li><img src=/jel.png> a</li><li><img src=/jel.png> b</li></ul>", None,
     "list(item(figure@/jel.png() paragraph(a)) item(figure@/jel.png() paragraph(b)))"),
    ("<table><tr><td><img src=/1.jpg><td><img src=/2.jpg></table>", None, "gallery(figure@/1.jpg() figure@/2.jpg())"),
    ("<table class=t><caption>a</caption><tr><td><a href=/n.jpg><img src=/k.jpg></a></table>", None, "figure@/k.jpg(caption(a))"),
    ("<table class=t><caption>a</caption><tr><td>b<td>c</table>", {"figure": [".t"]},
     "paragraph(a) table(row(cell(paragraph(b)) cell(paragraph(c))))"),
    ("<div class=e><img src=/allo.jpg></div>", {"embed": [".e"]}, "figure@/allo.jpg()"),
    ("<video poster=/allo.jpg></video>", None, "figure@/allo.jpg()"),
    ("<video poster=/allo.jpg src=/v.mp4></video>", None, "embed@/v.mp4()"),
    ("<figure><iframe src=/v></iframe><figcaption>a</figcaption></figure>", None, "embed@/v(caption(a))"),
    ("<p class=f><img src=/k.jpg></p>", {"figure": ["p:has(> img:only-child)"]}, "figure@/k.jpg()"),
    ("<div class=k data-eredeti=/n.jpg><img src=/k.jpg></div>", {"figure": [{"css": "div.k", "url": "data-eredeti"}]}, "figure@/n.jpg()"),
    ("<img src=/k.jpg><p class=wp-caption-text>a</p>", None, "figure@/k.jpg(caption(a))"),
    ("<p class=c>a</p><img src=/k.jpg>", {"caption": [".c"]}, "figure@/k.jpg(caption(a))"),
    ("<p>x</p><p class=c>a</p>", {"caption": [".c"]}, "paragraph(x) figure(caption(a))"),
    ("<pre>x</pre><p class=c>a</p>", {"caption": [".c"]}, "code(x) paragraph(a)"),
    ("<div class=g><h3>a</h3><img src=/1.jpg><p>b</p><img src=/2.jpg></div>", {"gallery": [".g"]},
     "heading(a) gallery(figure@/1.jpg(caption(b)) figure@/2.jpg())"),
    ("<div class=g><img src=/1.jpg></div>", {"gallery": [".g"]}, "figure@/1.jpg()"),
    ("<div class=g>a</div>", {"gallery": [".g"]}, "paragraph(a)"),
    ("<div class=e><iframe src=/v></iframe></div>", {"embed": [".e"]}, "embed@/v()"),
    ("<blockquote class=twitter-tweet><p>a</p>N <a href=/s/1>d</a></blockquote>", None,
     "social@/s/1(paragraph(a) paragraph(N link@/s/1[d]))"),
    ("<blockquote class=twitter-tweet><p>a</p><a href=/s/1>d</a></blockquote>", {"embed": ["blockquote.twitter-tweet"]},
     "embed@/s/1(caption(a|link@/s/1[d]))"),
    ("<blockquote class=twitter-tweet><p>a</p><a href=/s/1>d</a></blockquote>", {"decompose": ["blockquote.twitter-tweet > a"]},
     "social@/s/1(paragraph(a))"),
    ("<p>a</p><p class=d><a href=/s/1>d</a></p><blockquote class=twitter-tweet><p>b</p></blockquote>", {"decompose": [".d"]},
     "paragraph(a) social(paragraph(b))"),
    ("<blockquote class=instagram-media data-instgrm-permalink=/p/1></blockquote>", None, "embed@/p/1()"),
    ("<iframe></iframe><video></video>", None, ""),
    # containers
    ("<blockquote></blockquote><aside> </aside>", None, ""),
    ("<blockquote><blockquote><p>a</p></blockquote></blockquote>", None, "quote(paragraph(a))"),
    ("<blockquote>a<cite>b</cite></blockquote>", None, "quote(paragraph(a) source(b))"),
    ("<hr>", None, "divider()"),
    ("<p class=d>* * *</p>", {"divider": [".d"]}, "divider()"),
    ("<p class=q><strong>a</strong></p><p class=v>b</p>", {"question": [".q"], "answer": [".v"]},
     "question(paragraph(bold[a])) answer(paragraph(b))"),
    ("<div class=p><b class=n>N</b><time class=i datetime=2024-05-01T10:00>10:00</time><p>a</p></div>",
     {"post": [".p"], "author": [".n"], "time": [".i"]}, "post(paragraph(N) paragraph(10:00) paragraph(a))"),
    # the lead
    ("<p class=l>a</p><p>b</p>", {"lead": [".l"]}, "lead(paragraph(a)) paragraph(b)"),
    ("<p class=l>a</p><p class=l>b</p>c", {"lead": [".l"]}, "lead(paragraph(a) paragraph(b)) paragraph(c)"),
    ("<img src=/k.jpg><p class=l>a</p>", {"lead": [".l"]}, "figure@/k.jpg() lead(paragraph(a))"),
    ("<p>b</p><p class=l>a</p>", {"lead": [".l"]}, "paragraph(b) paragraph(a)"),
    ("<aside><p class=l>a</p></aside>", {"lead": [".l"]}, "box(paragraph(a))"),
]  # fmt: skip


@pytest.mark.parametrize(("html", "tags", "expected"), CASES)
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
        ("<blockquote class=instagram-media data-instgrm-permalink=/p/1></blockquote>", {"kind": "instagram"}),
        (
            f"<blockquote class=twitter-tweet><p>a</p>— Kovács Anna (@kanna) <a href={TWEET}>May 1, 2024</a></blockquote>",
            {"kind": "twitter", "who": "Kovács Anna (@kanna)", "when": "2024-05-01"},
        ),
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


def test_blocks_in_blocks_without_end_are_unwrapped() -> None:
    (block,) = body_of("<blockquote><aside>" * 600 + "a" + "</aside></blockquote>" * 600).blocks
    assert written([block]).count("(") < 100
    assert "paragraph(a)" in written([block])


# --- which rule decides ---

ELEMENT = '<p class="a b" id=i data-x=1>x<b>y</b></p>'


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        ([{"box": "p", "quote": "p.a"}], "quote"),
        ([{"quote": "p.a", "box": "p"}], "quote"),
        ([{"box": "p.a", "quote": "p"}], "box"),
        ([{"box": "p.a", "quote": ".a.b"}], "quote"),
        ([{"box": "#i", "quote": "p.a.b"}], "box"),
        ([{"box": "p.a", "quote": "p.b"}], "quote"),
        ([{"quote": "p.b", "box": "p.a"}], "box"),
        ([{"box": 'p:contains("x")', "quote": "p.b"}], "quote"),
        ([{"box": 'p.a:contains("x")', "quote": "p.b"}], "box"),
        ([{"box": 'p.a:contains("z")', "quote": "p.b"}], "quote"),
        ([{"box": "p"}, {"quote": "p.a.b#i"}], "box"),
        ([{}, {"quote": "p.a"}], "quote"),
        ([{"unwrap": "p"}, {"decompose": "p.a"}], "paragraph"),
        ([{"box": "div > p"}, {"quote": "p"}], "quote"),
        ([{"box": "body > p"}, {"quote": "p.a"}], "box"),
        ([{"box": ["h2, p.a.b, #j"], "quote": "p.a"}], "box"),
        ([{"box": ["h2.a.b#i, p"], "quote": "p.a"}], "quote"),
        ([{"box": "p:has(> b)", "quote": "p"}], "box"),
        ([{"box": "[data-x]", "quote": "p"}], "box"),
        ([{"box": "P.a"}], "box"),
        # null forgets an operation of all farther layers
        ([{"decompose": None}, {"decompose": "p"}], "paragraph"),
        ([{"box": None}, {"box": "p.a", "quote": "p"}], "quote"),
        ([{"decompose": "p"}, {"decompose": None}], ""),
    ],
)
def test_the_nearest_layer_decides_then_specificity_then_the_later_rule(layers: list[dict[str, Any]], expected: str) -> None:
    assert sketch(ELEMENT, layers).partition("(")[0] == expected


def test_what_is_forgotten_of_the_general_rules_is_undecided() -> None:
    assert [tag.tag for tag in body_of(ELEMENT, [{}, {"paragraph": None}]).unknown_tags] == ["p#i.a.b[data-x]"]
    assert body_of(ELEMENT).unknown_tags == ()


@pytest.mark.parametrize(
    ("html", "tags", "expected"),
    [
        ("<div class=x><p>a <b>b</b></p><ul><li>c</li></ul>d</div>", {"unwrap-all": [".x"]}, "paragraph(a b c d)"),
        ("<blockquote class=x><p>a</p><p>b</p></blockquote>", {"unwrap-all": [".x"]}, "quote(paragraph(a b))"),
        ("<p class=x>a<br>b <i>c</i></p>", {"unwrap-all": [".x"]}, "paragraph(a b c)"),
        ("<p class=x>a <i class=y>c</i></p>", {"unwrap-all": [".x"], "decompose": [".y"], "bold": [".z"]}, "paragraph(a)"),
        ("<p class=x>a <i>c</i></p><p>d <i>e</i></p>", {"unwrap-all": [".x"]}, "paragraph(a c) paragraph(d italic[e])"),
        ("<div class='x y'>a <i>c</i></div>", {"unwrap-all": [".x.y"], "box": ["div.x"]}, "box(paragraph(a c))"),
        ("<p>1 <span class=x>a <i>c</i></span> 2</p>", {"unwrap-all": [".x"]}, "paragraph(1 a c 2)"),
        ("<strong class=b>a</strong>", {"split": {"strong.b": ["paragraph", "bold"]}}, "paragraph(bold[a])"),
        ("x<strong class=b>a</strong>y", {"split": {"strong.b": ["paragraph", "bold"]}}, "paragraph(x) paragraph(bold[a]) paragraph(y)"),
        ("<p class=b>a</p>", {"split": {"p.b": ["box", "heading"]}}, "box(heading(a))"),
        ("<p class=b>*</p>c", {"split": {"p.b": ["box", "divider"]}}, "box(divider()) paragraph(c)"),
        ("<img class=b src=/k.jpg>c", {"split": {"img.b": ["box", "figure"]}}, "box(figure@/k.jpg()) paragraph(c)"),
        ("<i class=b>a</i>", {"split": {"i.b": ["bold", "italic"]}}, "paragraph(bold[italic[a]])"),
    ],
)
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
        ("<p><strong>Was geschah danach?</strong></p>", "heading(Was geschah danach?)"),
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


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        (
            "<p>a<table><tr><td class=lntd><pre class=chroma><code><span class=lnt>1\n</span></code></pre></td><td class=lntd>"
            "<pre>x = y</pre></td></tr></table><p>b",
            "paragraph(a) code(x = y) paragraph(b)",
        ),
        *((f"<pre>{before}  <b>return</b> 1</pre>", "code(  bold[return] 1)") for before in ("", "\n")),
        *((f"<pre>{before}  <b>return</b> 1</pre>", "code(  bold[return] 1)") for before in ("  \n", "<i>  </i>\n", "<i> </i><br>")),
        ("<table><tr><td><p>a</p><pre>x = y</pre></td></tr></table>", "box(paragraph(a) code(x = y))"),
    ],
)
def test_code_keeps_its_white_space(html: str, expected: str) -> None:
    assert sketch(html) == expected


# --- an article as JSON ---


def test_a_json_article_has_its_html_in_a_value() -> None:
    document = '{"title": "Híd", "body": "<p>Egy <b>kettő</b></p><script>x</script>", "when": "2024-05-01"}'
    metadata = {"headline": {"json": "title"}, "datePublished": {"json": "when"}}
    article = read(document, articles={"format": "json"}, metadata=metadata, body={"root": "body"})
    assert (article.outcome, article.title, written(article.blocks)) == ("article", "Híd", "paragraph(Egy bold[kettő])")


def test_a_block_that_is_all_text_has_no_children_and_comments_are_apart() -> None:
    html = "<div class=b><p>a <b>b</b></p><img src=/k.jpg alt=x></div><li id=k1><i>N</i> szöveg</li>"
    line = read(html, body={"root": "div.b"}, posts={"comments": {"item": "li", "author": "i"}}).to_dict()
    assert line["text"] == "a b"
    assert line["blocks"][0]["children"] == [
        {"type": "text", "text": "a ", "children": []},
        {"type": "bold", "text": "b", "children": []},
    ]
    assert line["blocks"][1] == {"type": "figure", "text": "", "children": [], "url": "https://pelda.example/k.jpg", "alt": "x"}
    assert [(comment["id"], comment["who"], comment["text"]) for comment in line["comments"]] == [("k1", "N", "szöveg")]
