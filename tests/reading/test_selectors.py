"""Selectors of portal files: which elements they find, which are refused, and that no page holds up a run by them."""

from __future__ import annotations

import pytest
from case_files import cases
from hypothesis import example, given
from hypothesis import strategies as st
from seams import archive_of, portal_of, values_of
from working_time import at_most

from webarticlecurator import Outcome, PortalFileError, extract

PAGE = """
<body n=body><nav n=nav><a n=n href="n">n</a></nav>
<div n=div class="item x" id="A"><a n=1 href="1">one</a><p n=p>Kövess
  minket!</p><div class="in"><a n=2 href="2"><img></a></div></div>
<div class="item Y w-1/2"><a n=3 href="3">three</a><a n=4 href="4" DATA-X="Alma">four</a><span n=span lang="hu-HU">s</span></div>
</body>"""


@cases("selector, names", "reading/cases/a-selector-on-the-page")
def test_a_selector_on_the_page(selector: str, names: list[str]) -> None:
    assert values_of({"css": selector, "attr": "n"}, PAGE) == names


@cases("selector, names", "reading/cases/a-selector-inside-an-item-stays-inside-it-and-may-name-it")
def test_a_selector_inside_an_item_stays_inside_it_and_may_name_it(selector: str, names: list[str]) -> None:
    listed = archive_of(PAGE, item="#A", link="a", fields={"keywords": {"css": selector, "attr": "n", "take": "all"}}).articles
    assert list(listed[0].fields.get("keywords", ())) == names


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
        ("a,,b", "not a selector: ',' cannot stand there (character 3)"),
        (" > ", "not a selector"),
        ("a[", "not a selector: it breaks off at its end"),
        ("a..b", "not a selector: '.' cannot stand there (character 3)"),
        ("a[b c]", "not a selector: 'c' cannot stand there (character 5)"),
        ("> a..b", "not a selector: '.' cannot stand there"),
        ("a" * 3000, "characters"),
    ],
)
def test_an_unsupported_selector_is_refused_with_the_reason(selector: str, part_of_the_message: str) -> None:
    with pytest.raises(PortalFileError) as raised:
        portal_of(metadata={"keywords": {"css": selector}})
    assert part_of_the_message in str(raised.value)


@pytest.mark.parametrize(
    ("weak", "strong"),
    [("p", "div p"), ("div p", "p.x"), ("p.x", "#a p"), ("p", "p:contains('x')"), ("p.x", "p:not(.a, .b).x"), (":where(#a) p", "div p")],
)
def test_of_two_rules_the_more_specific_decides_and_contains_counts_as_a_class(weak: str, strong: str) -> None:
    def text(box: str, decompose: str) -> str:
        portal = portal_of(body={"root": "body", "tags": {"box": [box], "decompose": [decompose]}})
        return extract("<div id=a><p class=x>szöveg x</div><i>vége</i>", "https://pelda.example/1", portal).text

    assert ("szöveg" in text(strong, weak), "szöveg" in text(weak, strong)) == (True, False)


_TOKENS = [
    *("a", "B-2", "_", "*", ".x", "#y", ".", "#", " ", "  ", ">", "+", "~", ",", "|", "[z]", '[z="q w"]', "[z^=a-b]", "[", "]", "="),
    *('"', "'", ":not(", ":has(", ":contains(", ")", ":first-child", "1", "é", "\\", "\n", "-", "::text", "{", "/"),
]


@given(st.lists(st.sampled_from(_TOKENS), max_size=7).map("".join))
@example(".x\\B-2")  # a control character, which no attribute of a page holds
def test_whatever_is_accepted_can_be_used(text: str) -> None:
    try:
        portal_of(metadata={"keywords": {"css": text}})
    except PortalFileError:
        return
    values_of({"css": text}, PAGE)


def test_a_huge_page_does_not_hang_a_run() -> None:
    portal = portal_of(metadata={"keywords": ["i ~ b ~ div", "section ~ div"]})
    with at_most(10):
        article = extract("<p></p><div></div>" * 20_000, "https://pelda.example/1", portal)
    assert article.outcome is Outcome.UNREADABLE
    assert "i ~ b ~ div" in article.reason


def test_many_items_are_no_burden() -> None:
    with at_most(5):
        found = values_of(
            {"css": "body > div.k > a:first-child", "attr": "n"}, "".join(f"<div class=k><a n={n}>y</a></div>" for n in range(20_000))
        )
    assert len(found) == 20_000
