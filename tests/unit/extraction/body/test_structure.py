"""Structure repair: each rule of docs/reference/body.md, before and after."""

from __future__ import annotations

from typing import Any

import pytest
from accounting import misfits
from rewriting import blocks_of, sketch

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
    ("<img src=/p.gif width=1 height=1><img class=emoji src=/e.png>", None, ""),
    ("<p>a <img src=/e.png alt='😀'>b</p>", None, "paragraph(a 😀b)"),
    ("<p>a <img class=emoji src=/72x72/1f44d-1f3fb.png alt=''></p>", None, "paragraph(a 👍🏻)"),
    ("<p>a <img data-emoji='🎵' src=/e.png></p>", None, "paragraph(a 🎵)"),
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
     "table(row(cell(paragraph(a)) cell(paragraph(b))) table-heading(t|u))"),
    ("<figure><figcaption>t</figcaption><div><table><tr><td>a<td>b</table></div></figure>", None,
     "table(table-heading(t) row(cell(paragraph(a)) cell(paragraph(b))))"),
    ("<figure><table><caption>s</caption><tr><td>a<td>b</table><figcaption>t</figcaption></figure>", None,
     "table(table-heading(s) row(cell(paragraph(a)) cell(paragraph(b)))) paragraph(t)"),
    ("<figure><blockquote>a</blockquote><figcaption>b</figcaption></figure>", None, "quote(paragraph(a) source(b))"),
    ("<ul><li><img src=/1.jpg></li><li><figure><img src=/2.jpg><figcaption>a</figcaption></figure></li></ul>", None,
     "gallery(figure@/1.jpg() figure@/2.jpg() caption(a))"),
    ("<ul><li><img src=/1.jpg></li></ul>", None, "figure@/1.jpg()"),
    ("<dl><dt><img src=/1.jpg></dt><dd class=k>a</dd></dl>", {"caption": [".k"]}, "figure@/1.jpg(caption(a))"),
    ("<ul><li><img src=/jel.png> a</li><li><img src=/jel.png> b</li></ul>", None,
     "list(item(figure@/jel.png() paragraph(a)) item(figure@/jel.png() paragraph(b)))"),
    ("<table><tr><td><img src=/1.jpg><td><img src=/2.jpg></table>", None, "gallery(figure@/1.jpg() figure@/2.jpg())"),
    ("<table class=t><caption>a</caption><tr><td><a href=/n.jpg><img src=/k.jpg></a></table>", {"figure": [".t"]},
     "figure@/k.jpg(caption(a))"),
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
    ("<blockquote><p>a</p><p>— Kovács Anna, író</p></blockquote>", None, "quote(paragraph(a) source(— Kovács Anna, író))"),
    ("<blockquote>a<br>b<br>-<b>N. N.</b></blockquote>", None, "quote(paragraph(a|b) source(-bold[N. N.]))"),
    ("<blockquote><p>— Jó napot!</p><p>— Viszont</p></blockquote>", None, "quote(paragraph(— Jó napot!) paragraph(— Viszont))"),
    ("<blockquote><p>a</p><p>— Ez egy mondat.</p></blockquote>", None, "quote(paragraph(a) paragraph(— Ez egy mondat.))"),
    ("<blockquote><p>— N</p></blockquote>", None, "quote(paragraph(— N))"),
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
    assert misfits(blocks_of(html, tags)) == []


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
            f"<blockquote class=twitter-tweet><p>a</p>— K. A. (@kanna) <a href={TWEET}>2024. május 1.</a></blockquote>",
            {"kind": "twitter", "who": "K. A. (@kanna)", "when": "2024-05-01"},
        ),
        (
            "<blockquote class=instagram-media><p>Une publication partagée par Jean de Pelda (@jean)</p></blockquote>",
            {"kind": "instagram", "who": "Jean de Pelda (@jean)"},
        ),
        (
            "<blockquote class=mastodon-embed><p>a</p><a href=https://pelda.example/@anna/112345678901>View</a></blockquote>",
            {"kind": "mastodon", "who": "@anna@pelda.example"},
        ),
    ],
)
def test_blocks_keep_what_their_elements_tell(html: str, attributes: dict[str, str]) -> None:
    (block,) = blocks_of(html)
    assert block.attributes == attributes


def test_cells_keep_their_spans() -> None:
    (table,) = blocks_of("<table><tr><th rowspan=2 colspan='3'>a<td rowspan=1 colspan=99999>b</table>")
    cells = [cell.attributes for cell in table.children[0].children]  # type: ignore[union-attr]
    assert cells == [{"rows": "2", "columns": "3", "header": "yes"}, {}]


def test_items_know_whether_they_are_terms() -> None:
    (definitions,) = blocks_of("<dl><div><dt>a<dd>b</div></dl>")
    assert [dict(item.attributes) for item in definitions.children] == [{"term": "yes"}, {}]


def test_a_post_knows_its_author_and_time_from_blocks_in_it() -> None:
    tags = {"post": [".p"], "author": [".n"], "time": [".i"]}
    (post,) = blocks_of(
        "<div class=p id=k1><b class=n>N</b><i class=i><time datetime='2024-05-01T10:00'>10:00</time></i><p>a</p></div>", tags
    )
    assert post.attributes == {"id": "k1", "who": "N", "when": "2024-05-01T10:00"}


def test_blocks_in_blocks_without_end_are_unwrapped() -> None:
    html = "<blockquote><aside>" * 600 + "a" + "</aside></blockquote>" * 600
    blocks = blocks_of(html)
    assert misfits(blocks) == []


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p><a href=/>Home</a> › <a href=/k>Culture</a></p>", ""),
        ("<h2><a href=/>Home</a> / <a href=/k>Culture</a> / The page</h2>", ""),
        ("<div><a href=/>Home</a>&nbsp;» <a href=/k>Culture</a> » <b>The page</b></div>", ""),
        ("<ol itemscope itemtype='https://schema.org/BreadcrumbList'><li><a href=/>Home</a></li></ol>", ""),
        ("<p><a href=/a>One</a>, <a href=/b>two</a></p>", "paragraph(link@/a[One], link@/b[two])"),
        ("<p><a href=/a>One</a> › two</p>", "paragraph(link@/a[One] › two)"),
        ("<p><a href=/a>One</a> <a href=/b>two</a></p>", "paragraph(link@/a[One] link@/b[two])"),
    ],
)
def test_a_path_through_the_site_is_no_text(html: str, expected: str) -> None:
    assert sketch(html, headline="Another headline") == expected


def test_links_with_strokes_between_them_are_text_in_a_post_or_behind_a_sentence() -> None:
    links, sentence = "<p><a href=/a>One</a> / <a href=/b>two</a></p>", "A mondat elég hosszú ahhoz, hogy a szöveg kezdete legyen. " * 2
    kept = "paragraph(link@/a[One] / link@/b[two])"
    assert sketch(links) == kept, "what is rewritten without a headline is no whole page"
    assert sketch(f"<p>{sentence}</p>{links}", headline="Another headline").endswith(kept)
