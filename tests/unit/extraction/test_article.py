"""From pages to an article: layouts, outcomes, several pages, JSON, and the example portal as a whole."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from rewriting import written
from trial_portal import capture_of, page_of, portal_of

from webarticlecurator.config.load import load_portal
from webarticlecurator.document.page import read_page
from webarticlecurator.example_portal import ExamplePortal
from webarticlecurator.extraction.article import extract, read_article
from webarticlecurator.model.article import Article, CaptureRef, plain_text
from webarticlecurator.model.outcome import PageOutcome
from webarticlecurator.model.page import Page

URL = "https://pelda.example/cikk/1"
SENTENCE = "A város új hidat kap, a munka jövőre kezdődik, és a tervek szerint három évig tart majd. "


def article_of(*pages: str, url: str = URL, listing: dict[str, tuple[str, ...]] | None = None, **rules: Any) -> Article:
    read = [page_of(page, url if number == 0 else f"{url}?oldal={number + 1}") for number, page in enumerate(pages)]
    return read_article(read, portal_of(**rules), id="pelda-1", identity=url, url=url, listing=listing)


def outcome_of(page: str, **rules: Any) -> tuple[str, str]:
    article = article_of(page, **rules)
    return article.outcome.value, article.reason


# --- the body ---


LONG_SUBTITLE = "Két évig épült az új híd, a város és az állam pénzén, és a tervek szerint száz évig áll majd a helyén"


@pytest.mark.parametrize("subtitle", ["Két évig épült", LONG_SUBTITLE])
@pytest.mark.parametrize("around", ["<article>{}{}</article>", "<article>{}<div class=story>{}</div></article>"])
def test_a_second_headline_is_told_of_the_article_and_stands_not_in_its_text(around: str, subtitle: str) -> None:
    header = f"<header><h2>A híd megnyílt</h2><h3>{subtitle}</h3><p>2024. május 1.</p></header>"
    article = article_of(f"<title>A híd megnyílt</title>{around.format(header, f'<p>{SENTENCE * 3}</p>' * 3)}")
    assert [found.value for found in article.metadata["alternativeHeadline"]] == [subtitle]
    assert subtitle not in article.text


SHORT_POST = f"""<h1>A híd</h1><div class=tartalom><p>Megnyílt az új híd.<div class=sharing><a href=/x>Megosztom</a></div></div>
<div class=egyeb><p>{SENTENCE * 4}<p>{SENTENCE * 3}</div>"""


def test_what_the_general_finder_takes_for_the_body_may_be_told() -> None:
    assert "Megnyílt" not in article_of(SHORT_POST).text
    told = article_of(SHORT_POST, body={"within": [".nincs", ".tartalom"]})
    assert told.text == "Megnyílt az új híd."
    assert any("Megosztom" in piece.text and piece.rule.startswith("general finder") for piece in told.pieces)
    assert article_of(SHORT_POST, body={"within": ".nincs"}).text == article_of(SHORT_POST).text


LEAD = "A tanács kedden szavazott arról, hogy a két part között mikor nyílik meg a híd, és ki fizeti ki az árát."
BODY = "".join(f"<p>{number}. {SENTENCE * 3}</p>" for number in range(4))
LEAD_APART = f"<main><header><h1>A híd végre megnyílt</h1><p class=lead>{LEAD}</p></header><div class=t>{BODY}</div></main>"


@pytest.mark.parametrize(
    ("operation", "blocks"), [("lead", ["lead", *["paragraph"] * 4]), ("decompose", ["paragraph"] * 4), ("unwrap", ["paragraph"] * 5)]
)
def test_rules_hold_for_a_lead_that_stands_before_the_container(operation: str, blocks: list[str]) -> None:
    assert [block.type for block in article_of(LEAD_APART).blocks] == ["paragraph"] * 5
    ruled = article_of(LEAD_APART, body={"tags": {operation: ["p.lead"]}})
    assert [block.type for block in ruled.blocks] == blocks


def test_a_lead_stands_below_a_headline_however_short_that_is() -> None:
    assert LEAD in article_of(LEAD_APART.replace("A híd végre megnyílt", "Híd")).text


def test_a_heading_of_one_word_below_the_text_is_not_its_headline() -> None:
    page = f"<div class=t><p>{SENTENCE * 3}<p>{SENTENCE * 3}</div><div><h1>Linkek</h1><p>Ajánljuk! {SENTENCE}</div>"
    assert "Ajánljuk" not in article_of(page).text


def test_a_rule_for_the_container_itself_says_nothing_of_it() -> None:
    whole = article_of(LEAD_APART)
    assert article_of(LEAD_APART, body={"tags": {"decompose": ["div.t"]}}).text == whole.text


def test_of_several_it_is_that_with_most_running_text() -> None:
    page = f"<div class=b><p>{SENTENCE}</div><div class=b><p>{SENTENCE * 3}</div><div><p>{SENTENCE * 9}</div>"
    assert article_of(page, body={"within": ".b"}).text == (SENTENCE * 3).strip()


def test_without_an_account_the_article_is_the_same_but_for_its_pieces() -> None:
    page = page_of(f"<article><h1>Cím</h1><p class=x>{SENTENCE}</p><nav>Ajánló</nav></article>", URL)
    whole, short = (
        read_article([page], portal_of(), id="pelda-1", identity=URL, url=URL, accounted=accounted) for accounted in (True, False)
    )
    assert {piece.text for piece in whole.pieces} >= {"Ajánló"}
    assert short == replace(whole, pieces=())


def test_the_rule_for_the_root_takes_the_first_match_of_the_first_alternative_that_matches() -> None:
    article = article_of("<div class=b>1</div><div class=b>2</div><div class=c>3</div>", body={"root": ["div.a", "div.b", "div.c"]})
    assert written(article.blocks) == "paragraph(1)"


@pytest.mark.parametrize(
    ("root", "expected"),
    [
        ({"css": "div.b", "take": "all"}, "paragraph(1) paragraph(2)"),
        ({"css": "div.b", "take": "last"}, "paragraph(2)"),
        ({"all_of": ["div.c", "div.b"]}, "paragraph(3) paragraph(1)"),
        ({"css": "div", "take": "all"}, "paragraph(0) paragraph(1) paragraph(2) paragraph(3)"),
        ({"html_in": "data-h", "css": "p"}, "paragraph(4)"),
    ],
)
def test_a_root_may_be_several_elements_none_inside_another(root: Any, expected: str) -> None:
    html = "<div>0<div class=b>1</div><div class=b>2</div><div class=c>3</div></div><i data-h='<p>4</p>'></i>"
    assert written(article_of(html, body={"root": root}).blocks) == expected


def test_a_root_that_matches_nothing_leaves_the_article_empty_and_says_so() -> None:
    outcome, reason = outcome_of(f"<p>{SENTENCE * 9}", body={"root": "div.b"})
    assert outcome == "empty"
    assert "no container" in reason


def test_without_a_rule_the_general_finder_looks_for_the_body() -> None:
    paragraphs = "".join(f"<p>{SENTENCE * 3}{number}</p>" for number in range(5))
    article = article_of(f"<nav><a href=/>Címlap</a></nav><article><h1>Híd épül a városban</h1>{paragraphs}</article><footer>©</footer>")
    assert [block.type for block in article.blocks] == ["paragraph"] * 5


def test_what_the_general_finder_takes_for_furniture_is_left_out_unless_a_rule_says_what_it_is() -> None:
    paragraphs = "".join(f"<p>{SENTENCE * 3}{number}</p>" for number in range(5))
    html = f"<article>{paragraphs}<div class=related><p><a href=/x>Ezt is olvassa el, ha a híd érdekli</a></p></div></article>"
    plain, ruled = article_of(html), article_of(html, body={"tags": {"box": ["div.related"]}})
    assert [piece.rule.partition(":")[0] for piece in plain.pieces if piece.rule] == ["general finder"]
    assert ruled.blocks[-1].type == "box"
    assert not any(piece.rule for piece in ruled.pieces)


def test_the_headline_is_metadata_and_no_block() -> None:
    html = "<div class=b><h1>Az <i>új</i> híd</h1><p>Az új híd</p><p>szöveg</p></div>"
    article = article_of(html, metadata={"headline": "h1"}, body={"root": "div.b"})
    assert written(article.blocks) == "paragraph(szöveg)"
    assert {piece.rule for piece in article.pieces if piece.rule} == {"headline: it is metadata"}


def test_a_json_article_has_its_html_in_a_value() -> None:
    document = {"title": "Híd", "body": "<p>Egy <b>kettő</b></p><script>x</script>", "when": "2024-05-01"}
    rules: dict[str, Any] = {
        "articles": {"format": "json"},
        "metadata": {"headline": {"json": "title"}, "datePublished": {"json": "when"}},
        "body": {"root": "body"},
    }
    page = page_of(json.dumps(document), URL, format="json")
    article = read_article([page], portal_of(**rules), id="x", identity=URL, url=URL)
    assert article.outcome is PageOutcome.ARTICLE
    assert written(article.blocks) == "paragraph(Egy bold[kettő])"
    assert article.metadata["headline"][0].value == "Híd"


def test_a_rule_names_its_file_and_line_where_it_drops_something() -> None:
    article = article_of("<div class=b>a<p class=x>reklám</p></div>", body={"root": "div.b", "tags": {"decompose": ["p.x"]}})
    dropped = [piece for piece in article.pieces if piece.rule]
    assert [(piece.text, piece.tag) for piece in dropped] == [("reklám", "p.x")]
    assert dropped[0].rule.startswith("portal.yaml:")
    assert dropped[0].rule.endswith(" p.x")


# --- layouts ---

LAYOUTS: dict[str, Any] = {
    "metadata": {"datePublished": {"css": "time", "date": "iso"}, "headline": "h1"},
    "body": {"root": "div.uj", "tags": {"box": ["p.k"]}},
    "layouts": [
        {"name": "galéria", "when": "div.g", "body": {"root": "div.g"}},
        {"name": "régi", "until": "2011-03-31", "body": {"root": "td.cikk", "tags": {"quote": ["p.k"]}}, "metadata": {"headline": "h2"}},
        {"name": "blog", "url": ["/blog/"], "from": "2012-01-01", "body": {"root": "div.blog"}},
    ],
}


@pytest.mark.parametrize(
    ("html", "url", "listing", "layout"),
    [
        ("", URL, {}, None),
        ("<div class=g>a</div>", URL, {}, "galéria"),
        ("<time>2024-01-01</time>", URL, {"datePublished": ("2010-05-01",)}, "régi"),
        ("<time>2024-01-01</time>", "https://pelda.example/2011/03/31/a", {}, "régi"),
        ("<time>2011-04-01</time>", "https://pelda.example/2011/03/31/a", {"datePublished": ("2011-04-01T00:10:00+02:00",)}, None),
        ("<time>2011-03-31</time>", URL, {}, "régi"),
        ("<time>2011-04-01</time>", URL, {}, None),
        ("<time>2013-04-01</time>", "https://pelda.example/blog/1", {}, "blog"),
        ("<time>2011-12-31</time>", "https://pelda.example/blog/1", {}, None),
        ("", "https://pelda.example/blog/1", {}, None),
    ],
)
def test_the_first_layout_whose_conditions_all_hold(html: str, url: str, listing: dict[str, tuple[str, ...]], layout: str | None) -> None:
    assert article_of(f"<p>x{html}", url=url, listing=listing, **LAYOUTS).layout == layout


def test_a_layout_overrides_what_it_sets_and_keeps_the_rest() -> None:
    html = "<time>2010-01-01</time><h1>uj</h1><h2>régi</h2><table><tr><td class=cikk><p class=k>a</p><p>b</p></table>"
    article = article_of(html, **LAYOUTS)
    assert written(article.blocks) == "quote(paragraph(a)) paragraph(b)"
    assert article.metadata["headline"][0].value == "régi"
    assert article.metadata["datePublished"][0].value == "2010-01-01"


# --- outcomes ---


def test_a_page_that_the_rules_skip_is_no_article() -> None:
    assert outcome_of("<p class=hiba>x", articles={"skip": {"when": ["p.hiba"]}}) == ("not-article", "articles.skip.when: p.hiba")


def test_a_page_with_pictures_only_is_an_article_and_one_with_nothing_is_empty() -> None:
    assert outcome_of("<div class=b><img src=a.jpg></div>", body={"root": "div.b"})[0] == "article"
    assert outcome_of("<div class=b><script>x</script></div>", body={"root": "div.b"})[0] == "empty"


def test_a_listing_is_no_article() -> None:
    items = "".join(f"<h2><a href=/cikk/{n}>A {n}. hír a városról és a hídról</a></h2><p>Rövid bevezető.</p>" for n in range(12))
    outcome, reason = outcome_of(f"<main>{items}</main>", body={"root": "main"})
    assert outcome == "listing"
    assert "12" in reason
    assert outcome_of(
        f"<main>{items}{'<p>' + SENTENCE * 60}</main>", body={"root": "main"}, metadata={"datePublished": {"const": "2024-01-01"}}
    )[0] == ("article")


def test_the_home_page_is_a_listing() -> None:
    assert article_of("<div class=b>hír</div>", url="https://pelda.example/", body={"root": "div.b"}).outcome is PageOutcome.LISTING


@pytest.mark.parametrize(
    ("declared", "text", "gate", "outcome", "observed"),
    [
        ("false", SENTENCE, "", "paywall", "teaser only"),
        ("false", SENTENCE * 40, "", "article", "full text"),
        ("true", SENTENCE, "<div class=paywall>Fizessen elő a folytatáshoz!</div>", "article", None),
        (None, SENTENCE, "<div class=paywall>Fizessen elő a folytatáshoz!</div>", "paywall", "teaser only"),
        (None, SENTENCE, "<div class=paywall></div>", "article", None),
        (None, SENTENCE, "", "article", None),
    ],
)
def test_a_teaser_is_said_to_be_one_declared_and_observed_apart(
    declared: str | None, text: str, gate: str, outcome: str, observed: str | None
) -> None:
    metadata = {"isAccessibleForFree": {"const": declared}} if declared else {}
    article = article_of(f"<div class=b><p>{text}</p></div>{gate}", body={"root": "div.b"}, metadata=metadata)
    assert article.outcome == outcome
    assert article.flags == ((f"access as observed: {observed}",) if observed else ())
    assert "conditionsOfAccess" not in article.metadata, "that would be the publisher's to say"


def test_a_rule_without_end_makes_the_page_unreadable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("webarticlecurator.patterns.TIME_LIMIT", 0.05)
    outcome, reason = outcome_of("<h1>" + "a" * 40 + "b", metadata={"headline": {"css": "h1", "match": "(?:(?:a|a)*)*$"}})
    assert outcome == "unreadable"
    assert "simpler" in reason


def test_an_article_without_pages_is_unreadable() -> None:
    assert read_article([], portal_of(), id="x", identity=URL, url=URL).outcome is PageOutcome.UNREADABLE


# --- several pages ---


def test_pages_are_joined_with_breaks_and_all_captures_are_listed() -> None:
    page = "<h1>Híd</h1><div class=b><p class=l>{0}</p>{0}<uj-elem>x</uj-elem></div><i>{1}</i>"
    rules: dict[str, Any] = {
        "metadata": {"headline": "h1", "dateModified": {"css": "i", "date": "iso"}},
        "body": {"root": "div.b", "tags": {"lead": ["p.l"]}},
    }
    captures = tuple(
        CaptureRef(record_id=f"urn:{n}", digest="", file="a.warc.gz", offset=n, length=1, url=URL, date="2024-06-01T00:00:00Z")
        for n in (1, 2)
    )
    pages = [page_of(page.format(n, f"2024-05-0{n}"), f"{URL}?oldal={n}") for n in (1, 2)]
    article = read_article(pages, portal_of(**rules), id="x", identity=URL, url=URL, captures=captures)
    assert written(article.blocks) == "lead(paragraph(1)) paragraph(1x) page-break() paragraph(2) paragraph(2x)"
    assert [block.attributes for block in article.blocks if block.type == "page-break"] == [{"page": "2"}]
    assert article.metadata["dateModified"][0].value == "2024-05-02"
    assert [(tag.tag, tag.count) for tag in article.unknown_tags] == [("uj-elem", 2)]
    assert article.captures == captures


NOTE = "<ol><li id=fn-1>A jegyzet szövege. <a href='{0}#ref-1'>↩</a></ol>"


@pytest.mark.parametrize("there", ["", f"{URL}?oldal=2"])
@pytest.mark.parametrize("back", ["", URL])
def test_a_note_may_stand_on_another_page_than_what_refers_to_it(there: str, back: str) -> None:
    reference = f"<p>Egy állítás.<sup><a href='{there}#fn-1' id=ref-1>1</a></sup>"
    article = article_of(reference, f"<p>A vége.{NOTE.format(back)}", body={"root": "body"})
    *text, note = article.blocks
    assert [block.type for block in (*text, note)] == ["paragraph", "page-break", "paragraph", "note"]
    assert (plain_text(note), note.attributes["id"]) == ("A jegyzet szövege.", "fn-1")
    assert 'note="fn-1"' in repr(text[0]).replace("'", '"')


def test_notes_that_each_page_numbers_anew_are_those_of_their_pages() -> None:
    first, second, third = (f"<p>{n}. állítás.<sup><a href='#fn-1' id=ref-1>1</a></sup>" for n in (1, 2, 3))
    article = article_of(first + NOTE.format(""), second + NOTE.format(""), third, body={"root": "body"})
    assert [block.type for block in article.blocks].count("note") == 2
    assert 'note="fn-1"' not in repr(article.blocks[-1]).replace("'", '"')


@pytest.mark.parametrize(
    ("second", "rest"),
    [
        ("<p>lead<img src=a.jpg><p>2", " paragraph(2)"),
        ("<p>lead<img src=a.jpg>", ""),
        ("<p>lead<img src=b.jpg><p>2", " figure@/cikk/b.jpg() paragraph(2)"),
        ("<p>2<p>lead", " paragraph(2) paragraph(lead)"),
        ("<p>le<a href=#ad>ad</a><p>2", " paragraph(2)"),
    ],
)
def test_what_every_page_begins_with_is_said_once(second: str, rest: str) -> None:
    article = article_of("<article><p>lead<img src=a.jpg><p>1</article>", f"<article>{second}</article>", body={"root": "article"})
    assert written(article.blocks) == f"paragraph(lead) figure@/cikk/a.jpg() paragraph(1) page-break(){rest}"


@pytest.mark.parametrize(
    "numbers",
    [
        "<td class=gutter><pre><span class=line>1</span></pre></td><td class=code>",
        "<td class=linenos><div class=linenodiv><pre>1</pre></div></td><td>",
        "<td class='rouge-gutter gl'><pre class=lineno>1</pre></td><td class=rouge-code>",
        "<td class=lntd><pre class=chroma><code><span class=lnt>1\n</span></code></pre></td><td class=lntd>",
    ],
)
def test_numbers_of_lines_are_no_code(numbers: str) -> None:
    article = article_of(f"<article><p>a<table><tr>{numbers}<pre>x = y</pre></td></tr></table><p>b</article>", body={"root": "article"})
    assert "1" not in article.text
    assert written(article.blocks) == "paragraph(a) code(x = y) paragraph(b)"


@pytest.mark.parametrize(
    ("behind", "title"),
    [
        ("", "subheading"),
        ("<h2>c</h2><p>d", "subheading"),
        ("<script>x()</script>", "subheading"),
        ("<p>c", "paragraph"),
        ("c", "paragraph"),
        ("<style>x{}</style><ul><li>c</ul>", "paragraph"),
    ],
)
@pytest.mark.parametrize("boxes", [1, 2])
def test_what_unfolds_a_text_is_no_heading_of_what_stands_behind_that(behind: str, title: str, boxes: int) -> None:
    folded = "<details><summary>more</summary><p>b</details>" * boxes
    article = article_of(f"<article><p>a</p>{folded}{behind}</article>", body={"root": "article"})
    assert written(article.blocks).startswith("paragraph(a)" + f" {title}(more) paragraph(b)" * boxes)


@pytest.mark.parametrize("name", ["line-number-style", "token line-number", "react-syntax-highlighter-line-number", "linenumber", "lineno"])
def test_numbers_before_lines_are_no_code(name: str) -> None:
    lines = "".join(f"<div class=line><span class='{name}'>{number}</span>{text}</div>" for number, text in ((1, "x = y"), (2, "return x")))
    article = article_of(f"<article><p>a<pre><code>{lines}</code></pre><p>b</article>", body={"root": "article"})
    assert written(article.blocks) == "paragraph(a) code(x = y|return x) paragraph(b)"


def test_the_name_of_a_language_in_a_corner_of_code_is_no_text() -> None:
    code = "<div class='language-py vp'><button></button><span class=lang>py</span><pre><code>x = y</code></pre></div>"
    article = article_of(f"<article><p>a</p>{code}<p><span class=lang>b</span></article>", body={"root": "article"})
    assert written(article.blocks) == "paragraph(a) code(x = y) paragraph(b)"


@pytest.mark.parametrize("before", ["", "\n", "  \n", "<i>  </i>\n", "<i> </i><br>"])
def test_the_first_line_of_code_keeps_its_indentation(before: str) -> None:
    article = article_of(f"<article><pre>{before}  <b>return</b> 1</pre></article>", body={"root": "article"})
    assert plain_text(article.blocks[0]) == "  return 1"


def test_code_with_a_row_for_each_line_is_one() -> None:
    number = "<td class=linenos><a href=#l1><code data-line-number=1></code></a></td>"
    lines = ("<span class=k>def</span> f():\n", "    <span class=k>return</span> 1\n", "f()")
    rows = "".join(f"<tr>{number}<td class=code><code><a id=l1></a>{line}</code></td></tr>\n" for line in lines)
    article = article_of(f"<article><div class=code><table class=codetable>{rows}</table></div></article>", body={"root": "article"})
    (code,) = article.blocks
    assert (code.type, plain_text(code)) == ("code", "def f():\n    return 1\nf()")


def test_code_with_numbers_is_code_whatever_is_around_it() -> None:
    table = "<table class=rouge-table><tbody><tr><td class='gutter gl'><pre class=lineno>1\n</pre><td class=code><pre>x = y</pre></table>"
    code = f"<figure class=highlight><pre><code class=language-python data-lang=python>{table}</code></pre></figure>"
    assert written(article_of(f"<article><p>a</p>{code}<p>b</p></article>", body={"root": "article"}).blocks) == (
        "paragraph(a) code(x = y) paragraph(b)"
    )
    inline = "<pre class=chroma><code><span class=line><span class=ln>1</span><span class=cl>x = y</span></span></code></pre>"
    assert written(article_of(f"<article>{inline}</article>", body={"root": "article"}).blocks) == "code(x = y)"


def test_a_box_that_says_more_than_code_stays_one() -> None:
    article = article_of("<article><table><tr><td><p>a</p><pre>x = y</pre></td></tr></table></article>", body={"root": "article"})
    assert written(article.blocks) == "box(paragraph(a) code(x = y))"


def test_a_post_that_an_earlier_page_had_comes_once() -> None:
    pages = ["<li id=3>c<li id=2>b<li>x", "<li id=2>b<li id=1>a<li>x"]
    article = article_of(*(f"<ul>{page}</ul>" for page in pages), body={"root": "ul"}, posts={"liveblog": {"item": "li"}})
    assert [(post.id, written(post.blocks)) for post in article.posts] == [
        ("3", "paragraph(c)"),
        ("2", "paragraph(b)"),
        (None, "paragraph(x)"),
        ("1", "paragraph(a)"),
        (None, "paragraph(x)"),
    ]


def test_the_next_page_is_where_the_last_page_leads() -> None:
    page = "<div class=b>a<a class=n href='?oldal=%d'>tovább</a></div>"
    rules: dict[str, Any] = {"body": {"root": "div.b"}, "articles": {"next": "a.n"}}
    assert article_of(page % 2, page % 3, **rules).next_page == f"{URL}?oldal=3"
    assert article_of(page % 2, page % 2, **rules).next_page is None


# --- from Python, and as a line ---


@pytest.mark.parametrize("html", ["<p>árvíz</p>", "<p>árvíz</p>".encode("iso-8859-2")])
def test_html_and_a_portal_give_an_article(html: str | bytes) -> None:
    portal = portal_of(body={"root": "p"}, **({"fetch": {"encoding": "iso-8859-2"}} if isinstance(html, bytes) else {}))
    article = extract(html, URL, portal)
    assert written(article.blocks) == "paragraph(árvíz)"
    assert article.id == "pelda-" + article.id[-16:]
    assert article.identity == URL


@pytest.mark.parametrize(
    ("html", "outcome"),
    [
        ("", "unreadable"),
        ("\x00", "unreadable"),
        ("<b>" * 60_000, "unreadable"),
        ("</p></p>", "unreadable"),
        (b"\xff" * 20, "empty"),
        ("<p>", "empty"),
    ],
)
def test_odd_input_ends_in_an_outcome(html: str | bytes, outcome: str) -> None:
    assert extract(html, URL, portal_of(body={"root": "p"})).outcome.value == outcome


def test_a_block_that_is_all_text_has_no_children_and_comments_are_apart() -> None:
    html = "<div class=b><p>a <b>b</b></p><img src=/k.jpg alt=x></div><li id=k1><i>N</i> szöveg</li>"
    line = article_of(html, body={"root": "div.b"}, posts={"comments": {"item": "li", "author": "i"}}).to_dict()
    assert line["text"] == "a b"
    assert line["blocks"][0]["children"] == [
        {"type": "text", "text": "a ", "children": []},
        {"type": "bold", "text": "b", "children": []},
    ]
    assert line["blocks"][1] == {"type": "figure", "text": "", "children": [], "url": "https://pelda.example/k.jpg", "alt": "x"}
    assert [(one["id"], one["who"], one["text"]) for one in line["comments"]] == [("k1", "N", "szöveg")]


# --- the example portal ---


@pytest.fixture(scope="module")
def example(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ExamplePortal, Path]]:
    with ExamplePortal(articles=90, page_size=5) as portal:
        yield portal, portal.portal_file(tmp_path_factory.mktemp("portal"))


def test_every_article_of_the_example_portal_is_read_as_it_was_written(example: tuple[ExamplePortal, Path]) -> None:
    server, file = example
    portal = load_portal(file)
    for url in sorted(server.article_urls):
        truth = server.truth(url)
        pages = [_served(server, one) for one in truth.page_urls]
        listing = {"articleSection": (truth.articleSection,), "datePublished": (truth.datePublished.isoformat(),)}
        article = read_article(pages, portal, id="x", identity=url, url=url, listing=listing)
        assert article.outcome is PageOutcome.ARTICLE, (url, article.reason)
        assert article.to_dict()["text"] == truth.text, url
        assert _posts(article, comments=False) == [(p.id, p.author, p.time.isoformat(), p.title, p.parent) for p in truth.posts], url
        assert _posts(article, comments=True) == [(p.id, p.author, p.time.isoformat(), p.title, p.parent) for p in truth.comments], url
        if truth.layout == "new":
            assert [block.type for block in article.blocks if block.type != "page-break"] == [block.kind for block in truth.blocks], url


def _served(server: ExamplePortal, url: str) -> Page:
    from webarticlecurator.example_portal.answers import Request

    answer = server.answer(Request(target=url.removeprefix(server.home)))
    page = read_page(capture_of(answer.body, url, headers=tuple(answer.headers)))
    assert isinstance(page, Page)
    return page


def _posts(article: Article, *, comments: bool) -> list[tuple[str | None, str | None, str | None, str, str]]:
    posts = [post for post in article.posts if (post.kind == "comments") is comments]
    return [(post.id, post.author, post.when, post.title or "", post.reply_to or "") for post in posts]
