"""Formulas: TeX, once, from whatever a page draws them with."""

from __future__ import annotations

import pytest
from accounting import accounted, kept, reference, written
from rewriting import blocks_of, body_of, rewritten, sketch

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
        f"<mjx-container><mjx-math></mjx-math><mjx-assistive-mml>{MATH}</mjx-assistive-mml></mjx-container>",
        f"<mjx-container class=MathJax jax=CHTML><mjx-math></mjx-math><mjx-assistive-mml>{MATH}</mjx-assistive-mml></mjx-container>",
        "<mjx-container class=MathJax jax=SVG><svg><g><g data-mml-node=math data-latex='E=1'><g data-latex=E><path d=M8></path></g>"
        "</g></g></svg></mjx-container>",
        f"<span><span class='mwe-math-mathml-inline mwe-math-mathml-a11y'>{MATH}</span>"
        "<img class=mwe-math-fallback-image-inline alt='E=1' src=/k.svg></span>",
        "<img class=mwe-math-fallback-image-inline alt='E=1' src=/k.svg>",
        "<img class=latex alt='$E=1$' src=/k.png>",
    ],
)
def test_a_formula_is_its_tex_once(formula: str) -> None:
    html = f"<p>a {formula} b</p>"
    assert sketch(html) == "paragraph(a formula[E=1] b)"
    found = rewritten(html)
    assert accounted(found.pieces) == reference([body_of(html)])
    assert kept(found.pieces) == written(blocks_of(html))


@pytest.mark.parametrize(
    ("signs", "tex"),
    [
        ("<mfrac><mn>1</mn><mi>n</mi></mfrac>", r"\frac{1}{n}"),
        ("<msup><mi>x</mi><mn>2</mn></msup>", "x^{2}"),
        ("<msubsup><mrow><mi>a</mi><mi>b</mi></mrow><mi>i</mi><mn>2</mn></msubsup>", "{ab}_{i}^{2}"),
        ("<msqrt><mi>x</mi><mo>+</mo><mn>1</mn></msqrt>", r"\sqrt{x+1}"),
        ("<mtable><mtr><mtd>a</mtd><mtd>b</mtd></mtr><mtr><mtd>c</mtd><mtd>d</mtd></mtr></mtable>",
         r"\begin{matrix}a & b \\ c & d\end{matrix}"),
        ("<mrow>" * 400 + "<mi>x</mi>" + "</mrow>" * 400, "x"),
    ],
)  # fmt: skip
def test_signs_without_tex_are_put_into_tex(signs: str, tex: str) -> None:
    assert sketch(f"<p><math>{signs}</math></p>") == f"paragraph(formula[{tex}])"


def test_programs_are_no_formulas() -> None:
    assert sketch("<p>a<script type='text/javascript'>E=1</script></p>") == "paragraph(a)"


def test_a_rule_may_say_what_is_tex() -> None:
    assert sketch("<p><span class=tex>E=1</span></p>", {"formula": ["span.tex"]}) == "paragraph(formula[E=1])"
