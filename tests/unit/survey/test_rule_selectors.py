"""The selectors of rules, one by one, and which of them simplified tags can answer."""

from __future__ import annotations

import pytest

from webarticlecurator.survey.rule_selectors import needs_only_the_tag, selectors_in


@pytest.mark.parametrize(
    ("selector", "own"),
    [
        ("p", True),
        ("div.ajanlo", True),
        ("div#content.post", True),
        ("[data-src]", True),
        ("[role=heading]", True),
        ("p:not(.a)", True),
        ("blockquote.tweet p", False),
        ("> p", False),
        ("p:not(.a .b)", False),
        (".post-12", False),
        ("[href^=http]", False),
        ("[class]", False),
        ("[aria-label]", False),
        ("p:has(img)", False),
        ("p + p", False),
        ("li:first-child", False),
        ('p:contains("x")', False),
        ("div:has(img) > p", False),
    ],
)
def test_what_simplified_tags_can_answer(selector: str, own: bool) -> None:
    assert needs_only_the_tag(selector) is own


def test_a_group_is_taken_apart_at_its_own_commas_only() -> None:
    texts = [one.text for one in selectors_in('p.a , div:not(.b, .c),  [title="x, y"] > b')]

    assert texts == ["p.a", "div:not(.b, .c)", '[title="x, y"] > b']
