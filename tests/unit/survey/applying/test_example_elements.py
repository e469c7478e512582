"""Elements made up where a selector finds them."""

from __future__ import annotations

import pytest

from webarticlecurator.selectors import Selector
from webarticlecurator.survey.applying.example_elements import example_element
from webarticlecurator.survey.tag import Tag


@pytest.mark.parametrize(
    "where",
    [
        "blockquote.tweet p", "p:has(> img:only-child)", 'p:contains("Kövess minket")', "div > p + p", "p:not(.x)", ":is(.x, .y) > p",
        "p:has(figure img.z)", "p:nth-child(3)", "section#a:has(h2) p", 'p[data-x^="ab"]', "h2 ~ p", "td p, li p",
    ],
)  # fmt: skip
def test_an_element_is_made_up_where_a_selector_finds_it(where: str) -> None:
    element = example_element(Tag.parse("p.a"), where)
    assert element is not None
    assert Selector.parse(where).matches(element)
    assert "a" in element.get("class", "").split()


def test_where_no_place_can_be_made_up_there_is_none() -> None:
    assert example_element(Tag.parse("p"), "blockquote") is None
    assert example_element(Tag.parse("p"), "p:not(p)") is None
