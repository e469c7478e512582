from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from lxml import html

from webarticlecurator.errors import PatternTimeout
from webarticlecurator.selectors import Selector, SelectorError

PAGE = html.document_fromstring("""
<body><nav><a href="n">n</a></nav>
<div class="item x" id="A"><a href="1">one</a><p>Kövess
  minket!</p><div class="in"><a href="2"><img></a></div></div>
<div class="item Y w-1/2"><a href="3">three</a><a href="4" DATA-X="Alma">four</a><span lang="hu-HU">s</span></div>
</body>""")
ITEM = PAGE.get_element_by_id("A")


def found(selector: str, inside: html.HtmlElement = PAGE) -> list[str]:
    return [element.get("href") or element.tag for element in Selector.parse(selector).select(inside)]


@pytest.mark.parametrize(
    ("selector", "names"),
    [
        ("a", ["n", "1", "2", "3", "4"]),
        ("A", ["n", "1", "2", "3", "4"]),
        ("#A > a", ["1"]),
        (".item a", ["1", "2", "3", "4"]),
        (".ITEM a", []),
        (".Y > a", ["3", "4"]),
        (r".w-1\/2 a", ["3", "4"]),
        ("a:not(.item a)", ["n"]),
        ("a:not([href='1'], [href='3'])", ["n", "2", "4"]),
        (":is(nav, .in) > a", ["n", "2"]),
        (":where(nav) a", ["n"]),
        ("a:has(> img:only-child)", ["2"]),
        ("a:has(img)", ["2"]),
        ("div:has(> p + div a) > a", ["1"]),
        ("a:has(~ p)", ["1"]),
        ("a:has(+ a)", ["3"]),
        ("a + a", ["4"]),
        ("nav ~ div.Y a", ["3", "4"]),
        ('p:contains("Kövess minket")', ["p"]),
        ("p:contains('kövess')", []),
        ("[data-x=Alma]", ["4"]),
        ("[data-x=alma i]", ["4"]),
        ("[data-x^=Al][data-x$=ma][data-x*=lm]", ["4"]),
        ("a[href!='3'][href!=n]", ["1", "2", "4"]),
        ("a:nth-child(2)", ["4"]),
        (".item > a:nth-of-type(odd)", ["1", "3"]),
        ("a:last-child", ["n", "2"]),
        ("a:first-of-type", ["n", "1", "2", "3"]),
        ("span:lang(hu)", ["span"]),
        ("p, nav > a", ["n", "p"]),
        ("> body", ["body"]),
        ("div div div", []),
    ],
)
def test_a_selector_on_the_page(selector: str, names: list[str]) -> None:
    assert found(selector) == names


@pytest.mark.parametrize(
    ("selector", "names"),
    [
        ("a", ["1", "2"]),
        ("div.item > a", ["1"]),
        ("div.item", ["div"]),
        ("> a", ["1"]),
        ("> a, p", ["1", "p"]),
        ("body a", []),
        ("div a", ["1", "2"]),
        ("nav ~ div a", []),
        ("div + div", []),
        ("a:not(body a)", []),
        ("div.item ~ div a", []),
    ],
)
def test_a_selector_inside_an_item_stays_inside_it_and_may_name_it(selector: str, names: list[str]) -> None:
    assert found(selector, ITEM) == names


def test_matches_asks_from_the_whole_page() -> None:
    (link,) = Selector.parse("a[href='2']").select(PAGE)
    assert Selector.parse("body .item .in > a").matches(link)
    assert not Selector.parse("nav a").matches(link)


@pytest.mark.parametrize(
    ("selector", "part_of_the_message"),
    [
        ("a:hover", ":hover is not supported"),
        ("a::text", "::text"),
        ("a:foo(1)", ":foo()"),
        (":contains(Kövess minket)", "quotes"),
        ("+ a", "lead out"),
        ("svg|a", "namespaces"),
        ("a:nth-child(x)", "number"),
        ("a,,b", "not a selector: a name, class or the like is expected where ',' stands (character 3)"),
        ("", "not a selector: a name, class or the like is missing at its end"),
        ("a[", "not a selector: a name or '*' is missing at its end"),
        ("a..b", "not a selector: a name is expected where '.' stands (character 3)"),
        ("a[b c]", "not a selector: an operator such as = or ^= is expected where 'c' stands (character 5)"),
        ("> a..b", "not a selector: a name is expected where '.' stands"),
        ("a" * 3000, "characters"),
    ],
)
def test_an_unsupported_selector_is_refused_with_the_reason(selector: str, part_of_the_message: str) -> None:
    with pytest.raises(SelectorError) as raised:
        Selector.parse(selector)
    assert part_of_the_message in str(raised.value)


@pytest.mark.parametrize(
    ("selector", "specificity"),
    [
        ("p", (0, 0, 1)),
        ("> p", (0, 0, 1)),
        ("div p.x", (0, 1, 2)),
        ("p:contains('x')", (0, 1, 1)),
        ("#a b, .c", (1, 0, 1)),
        ("p:not(.a, .b)", (0, 2, 1)),
        (":where(#a) p", (0, 0, 1)),
    ],
)
def test_specificity_is_that_of_css_and_contains_counts_as_a_class(selector: str, specificity: tuple[int, int, int]) -> None:
    assert Selector.parse(selector).specificity == specificity


_TOKENS = [
    *("a", "B-2", "_", "*", ".x", "#y", ".", "#", " ", "  ", ">", "+", "~", ",", "|", "[z]", '[z="q w"]', "[z^=a-b]", "[", "]", "="),
    *('"', "'", ":not(", ":has(", ":contains(", ")", ":first-child", "1", "é", "\\", "\n", "-", "::text", "{", "/"),
]


@settings(max_examples=2000)
@given(st.lists(st.sampled_from(_TOKENS), max_size=7).map("".join))
@example(".x\\B-2")  # a control character, which no attribute of a page holds
def test_whatever_is_accepted_can_be_used(text: str) -> None:
    try:
        selector = Selector.parse(text)
    except SelectorError:
        return
    selector.select(PAGE)
    assert selector.matches(ITEM) in (True, False)
    assert selector.specificity in {one.specificity for one in selector.alternatives}


def test_a_huge_page_does_not_hang_a_run() -> None:
    page = html.document_fromstring("<p></p><div></div>" * 20_000)
    with pytest.raises(PatternTimeout):
        Selector.parse("i ~ b ~ div").select(page) or Selector.parse("section ~ div").select(page)


def test_many_items_are_no_burden() -> None:
    page = html.document_fromstring("<div class=k><a href=1>y</a></div>" * 20_000)
    assert len(Selector.parse("body > div.k > a:first-child").select(page)) == 20_000
