"""Words and white space as a browser shows them: none lost, none invented, none glued; formulas once."""

from __future__ import annotations

import re

import pytest
from case_files import cases
from read_bodies import body_of, read, sketch, words_in


@cases("html, expected", "reading/cases/white-space-is-exact")
def test_white_space_is_exact(html: str, expected: str) -> None:
    assert sketch(html) == expected


@pytest.mark.parametrize(
    "written",
    [
        "a<br>b<br><br>c",
        "<p>a<br>b</p><p>c</p>",
        "<div>a</div>\n<div>b</div>\n<div><br></div>\n<div>c</div>\n",
        "<p><span>a</span><br>b</p><br>c",
    ],
)
def test_a_verse_keeps_its_lines_and_divides_at_empty_ones_and_paragraphs(written: str) -> None:
    assert sketch(f"<div class=v>{written}</div>", {"verse": [".v"]}) == "verse(a|b) verse(c)"


def test_words_of_two_blocks_are_two_words_in_the_account() -> None:
    assert [piece.text for piece in body_of("<p>a</p><p>b</p><h2>c</h2>").pieces] == ["a b c"]


# --- words that touch ---


@cases("html, text", "reading/cases/items-that-touch-are-words-of-their-own")
def test_items_that_touch_are_words_of_their_own(html: str, text: str) -> None:
    assert body_of(html).text == text


@cases("html", "reading/cases/pieces-of-a-word-stay-one")
def test_pieces_of_a_word_stay_one(html: str) -> None:
    assert body_of(html).text == re.sub("<.*?>", "", html)


# --- characters that show nothing ---

SENTENCE = "Minden mondatnak a helyén kell maradnia, bárhogyan is írták. "


def test_they_are_left_out_of_the_text_by_a_rule_of_their_own() -> None:
    html = "<p>Donau\u00addampf<b>\u00adschiff</b></p><p>\u200b</p><h2>\ufeffCím</h2>"
    assert sketch(html) == "paragraph(Donaudampfbold[schiff]) heading(Cím)"
    pieces = body_of(html).pieces
    assert [piece.text for piece in pieces if piece.fate == "dropped"] == ["\u00ad", "\u00ad", "\u200b", "\ufeff"]
    assert {piece.rule.partition(":")[0] for piece in pieces if piece.fate == "dropped"} == {"invisible"}
    assert "".join(piece.text for piece in pieces) == "Donau\u00addampf\u00adschiff\u200b\ufeffCím"


def test_descriptions_credits_headlines_and_keywords_have_none_either() -> None:
    html = "<figure><img src=/k.jpg alt='Duna\u00adhíd'><figcaption>A híd. <span class=credit>Fo\u00adtó: MTI</span></figcaption></figure>"
    (figure,) = body_of(html).blocks
    assert figure.attributes == {"alt": "Dunahíd", "credit": "Fotó: MTI"}
    head = "<title>A Duna\u00adhíd megnyílt</title><meta property='article:tag' content='Duna\u00adhíd'>"
    page = f"{head}<article><h1>A Duna\u00adhíd megnyílt</h1><p>{SENTENCE * 20}</p></article>"
    article = read(page)
    assert article.title == "A Dunahíd megnyílt"
    assert [found.value for found in article.metadata["keywords"]] == ["Dunahíd"]


# --- formulas ---

MATH = (
    "<math><semantics><mrow><mi>E</mi><mo>=</mo><mn>1</mn></mrow><annotation encoding=application/x-tex>E=1</annotation></semantics></math>"
)
SIGNS = "<mrow><mi>E</mi><mo>=</mo><mn>1</mn></mrow>"


@pytest.mark.parametrize(
    "formula",
    [
        MATH,
        f"<math alttext='E=1'>{SIGNS}</math>",
        f"<math>{SIGNS}</math>",
        f"<span class=katex><span class=katex-mathml>{MATH}</span><span class=katex-html aria-hidden=true>E=1</span></span>",
        "<span class=MathJax_Preview>E=1</span><span class=MathJax><nobr>E=1</nobr></span><script type='math/tex'>E=1</script>",
        "<script type='math/tex; mode=display'>% <![CDATA[\nE=1 %]]></script>",
        f"<mjx-container class=MathJax jax=CHTML><mjx-math></mjx-math><mjx-assistive-mml>{MATH}</mjx-assistive-mml></mjx-container>",
        "<mjx-container class=MathJax jax=SVG><svg><g><g data-mml-node=math data-latex='E=1'><g data-latex=E><path d=M8></path></g>"
        "</g></g></svg></mjx-container>",
        f"<span><span class='mwe-math-mathml-inline mwe-math-mathml-a11y'>{MATH}</span>"
        "<img class=mwe-math-fallback-image-inline alt='E=1' src=/k.svg></span>",
        "<img class=latex alt='$E=1$' src=/k.png>",
    ],
)
def test_a_formula_is_its_tex_once(formula: str) -> None:
    html = f"<p>a {formula} b</p>"
    assert sketch(html) == "paragraph(a formula[E=1] b)"
    article = body_of(html)
    assert words_in(*(piece.text for piece in article.pieces if piece.fate != "dropped")) == words_in(article.text)


def test_a_formula_without_tex_is_its_signs() -> None:
    signs = "<mrow>" * 400 + "<msup><mi>x</mi><mn>2</mn></msup> <mo>+</mo> <mn>1</mn>" + "</mrow>" * 400
    assert sketch(f"<p><math>{signs}</math></p>") == "paragraph(formula[x2+1])"


def test_a_rule_may_say_what_is_tex() -> None:
    assert sketch("<p><span class=tex>E=1</span></p>", {"formula": ["span.tex"]}) == "paragraph(formula[E=1])"


RENDERER = '<script src="https://cdn.example/npm/mathjax@3/es5/tex-mml-chtml.js"></script>'


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("a $E=1$ b", "a formula[E=1] b"),
        ("a $$ E=1 $$ b", "a formula[E=1] b"),
        (r"a \(E=1\) b \[x\\[2pt] y\]c", r"a formula[E=1] b formula[x\\[2pt] y]c"),
        ("<b>the $n$th</b>", "bold[the formula[n]th]"),
        ("$5 or $10, US$5 and A$6, $30 (or 20 in A$). $$ $$", None),
        (r"\$x$ and $x", None),
    ],
)
def test_a_formula_that_is_written_among_words_is_one_where_a_program_of_the_page_draws_it(written: str, shown: str | None) -> None:
    plain = sketch(f"<p>{written}</p>")
    assert "formula" not in plain
    assert sketch(f"{RENDERER}<p>{written}</p>") == (f"paragraph({shown})" if shown else plain)


def test_code_of_a_page_with_formulas_stays_code() -> None:
    html = "<pre>echo $a=$b</pre><p><code>$a=1$</code></p>"
    assert sketch(f"{RENDERER}{html}") == sketch(html)


@pytest.mark.parametrize(
    ("alt", "is_tex"), [(r"\frac{a}{b}", True), ("x^{2}", True), (r"{\displaystyle x}", True), (r"C:\Users\x_1", False), ("x", False)]
)
def test_a_picture_is_the_formula_that_its_alternative_text_has_in_tex(alt: str, is_tex: bool) -> None:
    assert sketch(f"<p>a <img src=/f.png alt='{alt}'> b</p>").startswith(f"paragraph(a formula[{alt}] b)" if is_tex else "paragraph(a b)")
