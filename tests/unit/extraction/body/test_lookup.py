"""Which rule decides an element: nearer layer, then specificity, then the later rule (DESIGN 3.3)."""

from __future__ import annotations

from typing import Any

import pytest
from rewriting import body_of, rewritten, sketch

from webarticlecurator.config.tag_dictionary import TagLayer, TagRule
from webarticlecurator.extraction.body.lookup import Lookup
from webarticlecurator.selectors import Scope, Selector


def layer(forgotten: frozenset[str] = frozenset(), **rules: str) -> TagLayer:
    """Operations (`_` for `-`) with a selector each."""
    return TagLayer(
        rules=tuple(TagRule(operation=name.replace("_", "-"), css=Selector.parse(css), source="x.yaml:1") for name, css in rules.items()),
        forgotten=forgotten,
    )


def fate(html: str, *layers: TagLayer) -> str:
    """What becomes of the first element."""
    decision = Lookup(layers).decide(body_of(html)[0], Scope(None))
    return "decompose" if decision.drop else "/".join((*decision.blocks, *decision.inlines)) or "unwrap"


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        ([layer(box="p", quote="p.a")], "quote"),
        ([layer(quote="p.a", box="p")], "quote"),
        ([layer(box="p.a", quote="p")], "box"),
        ([layer(box="p.a", quote=".a.b")], "quote"),
        ([layer(box="#i", quote="p.a.b")], "box"),
        ([layer(box="p.a", quote="p.b")], "quote"),
        ([layer(box='p:contains("x")', quote="p.b")], "quote"),
        ([layer(box='p.a:contains("x")', quote="p.b")], "box"),
        ([layer(box='p.a:contains("z")', quote="p.b")], "quote"),
        ([layer(box="p"), layer(quote="p.a.b#i")], "box"),
        ([layer(), layer(quote="p.a")], "quote"),
        ([layer(unwrap="p"), layer(decompose="p.a")], "unwrap"),
        ([layer(box="div > p"), layer(quote="p")], "quote"),
        ([layer(box="body > p"), layer(quote="p.a")], "box"),
        ([layer(box="h2, p.a.b, #j", quote="p.a")], "box"),
        ([layer(box="h2.a.b#i, p", quote="p.a")], "quote"),
        ([layer(box="p:has(> b)", quote="p")], "box"),
        ([layer(box="[data-x]", quote="p")], "box"),
        ([layer(box="P.a")], "box"),
    ],
)
def test_the_nearest_layer_decides_then_specificity_then_the_later_rule(layers: list[TagLayer], expected: str) -> None:
    assert fate('<p class="a b" id=i data-x=1>x<b>y</b></p>', *layers) == expected


@pytest.mark.parametrize(
    ("layers", "expected"),
    [
        ([layer(frozenset({"decompose"})), layer(decompose="p")], "paragraph"),
        ([layer(frozenset({"decompose"}), decompose="p")], "decompose"),
        ([layer(frozenset({"box"})), layer(box="p", quote="p")], "quote"),
        ([layer(decompose="p"), layer(frozenset({"decompose"}))], "decompose"),
        ([layer(), layer(frozenset({"paragraph"}))], "unwrap"),
    ],
)
def test_null_forgets_an_operation_of_all_farther_layers(layers: list[TagLayer], expected: str) -> None:
    assert fate("<p>x</p>", *layers) == expected


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
    ],
)
def test_unwrap_all_makes_a_block_simple(html: str, tags: dict[str, Any], expected: str) -> None:
    assert sketch(html, tags) == expected


@pytest.mark.parametrize(
    ("html", "tags", "expected"),
    [
        ("<strong class=b>a</strong>", {"split": {"strong.b": ["paragraph", "bold"]}}, "paragraph(bold[a])"),
        ("x<strong class=b>a</strong>y", {"split": {"strong.b": ["paragraph", "bold"]}}, "paragraph(x) paragraph(bold[a]) paragraph(y)"),
        ("<p class=b>a</p>", {"split": {"p.b": ["box", "heading"]}}, "box(heading(a))"),
        ("<p class=b>*</p>c", {"split": {"p.b": ["box", "divider"]}}, "box(divider()) paragraph(c)"),
        ("<img class=b src=/k.jpg>c", {"split": {"img.b": ["box", "figure"]}}, "box(figure@/k.jpg()) paragraph(c)"),
        ("<i class=b>a</i>", {"split": {"i.b": ["bold", "italic"]}}, "paragraph(bold[italic[a]])"),
    ],
)
def test_split_makes_two_of_one(html: str, tags: dict[str, Any], expected: str) -> None:
    assert sketch(html, tags) == expected


def test_what_no_rule_decides_is_unwrapped_and_reported() -> None:
    html = "<div>a</div><div class='card card-123 x1y2z3w4'>b <i>c</i> d</div><div class=card>e</div><uj-elem>f</uj-elem><p class=q>g</p>"
    found = rewritten(html)
    assert [(one.tag, one.count, one.words) for one in found.unknown_tags] == [
        ("div.card.card-*.*", 1, 2),
        ("div.card", 1, 1),
        ("uj-elem", 1, 1),
    ]
    assert [block.type for block in found.blocks] == ["paragraph"] * 5


def test_nobody_need_decide_what_colours_code() -> None:
    lines = "<pre><div class=line><span class='token k'>if</span> a:</div></pre><p><code><span class=k>a</span></code></p>"
    assert rewritten(lines).unknown_tags == ()


def test_a_rule_decides_and_nothing_is_unknown() -> None:
    assert rewritten("<div class=card>a</div>", {"unwrap": ["div.card"]}).unknown_tags == ()


def test_a_dictionary_of_a_thousand_rules_asks_few_of_an_element() -> None:
    many = TagLayer(rules=tuple(TagRule(operation="box", css=Selector.parse(f"div.k{n} > p.k{n}")) for n in range(1000)))
    lookup = Lookup([many])
    (element,) = body_of("<p class=k7>x</p>")
    scope = Scope(None)
    before = scope.left
    lookup.decide(element, scope)
    assert before - scope.left < 10
