"""Selectors written of a tag and of a place."""

from __future__ import annotations

import pytest

from webarticlecurator.selectors import Selector
from webarticlecurator.survey.applying.example_elements import example_element
from webarticlecurator.survey.applying.selector_pieces import selector, specificity
from webarticlecurator.survey.tag import Tag


@pytest.mark.parametrize(
    ("tag", "where", "written"),
    [
        ("p.a", "blockquote.tweet p", "blockquote.tweet p.a"),
        ("p.a", ".tweet *", ".tweet p.a"),
        ("p.a", ".tweet > .b", ".tweet > p.b.a"),
        ("p.a", "p:has(> img)", "p:has(> img).a"),
        ("p.a", "div p, span .x, a", "div p.a, span p.x.a"),
    ],
)
def test_a_rule_about_a_place_is_narrowed_to_the_tag(tag: str, where: str, written: str) -> None:
    assert selector("p", where, [".a"]) == written
    assert specificity("p", where, [".a"]) == Selector.parse(written).specificity
    element = example_element(Tag.parse(tag), where)
    assert element is not None
    assert Selector.parse(written).matches(element)
