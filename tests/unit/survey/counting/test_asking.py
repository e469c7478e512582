"""What rules ask of elements: which selectors simplified tags can answer, and what of the rest an earlier pass has answered."""

from __future__ import annotations

import pytest
from trial_portal import portal_of

from webarticlecurator.survey.counting.asking import Above, all_asked, asked_in, unanswered
from webarticlecurator.survey.counting.reading_rules import reading_digest


@pytest.mark.parametrize(
    ("selector", "hard", "own"),
    [
        ("p", False, True),
        ("div.ajanlo", False, True),
        ("div#content.post", False, True),
        ("[data-src]", False, True),
        ("[role=heading]", False, True),
        ("p:not(.a)", False, True),
        ("blockquote.tweet p", False, False),
        ("> p", False, False),
        ("p:not(.a .b)", False, False),
        (".post-12", True, False),
        ("[href^=http]", True, False),
        ("[class]", True, False),
        ("[aria-label]", True, False),
        ("p:has(img)", True, False),
        ("p + p", True, False),
        ("li:first-child", True, False),
        ('p:contains("x")', True, False),
        ("div:has(img) > p", True, False),
    ],
)
def test_what_simplified_tags_can_answer(selector: str, hard: bool, own: bool) -> None:
    (asked,) = asked_in(selector)

    assert (asked.hard, asked.own) == (hard, own)


def test_a_group_is_taken_apart_at_its_own_commas_only() -> None:
    texts = [one.text for one in asked_in('p.a , div:not(.b, .c),  [title="x, y"] > b')]

    assert texts == ["p.a", "div:not(.b, .c)", '[title="x, y"] > b']


@pytest.mark.parametrize(
    ("selector", "above", "asked_again"),
    [
        ("p.x", {"div", ".page"}, False),
        (".page p", {"div", ".page"}, True),
        ("section.page p", {"div", ".page"}, False),
        (".torzs p", {"div", ".page"}, False),
        (":not(.page) > p", {"div", ".page"}, True),
        (".page p", set(), False),
        ("p:has(b)", set(), True),
    ],
)
def test_a_new_selector_is_asked_on_the_pages_only_where_the_tree_cannot_tell(selector: str, above: set[str], asked_again: bool) -> None:
    portal = portal_of(body={"root": "main", "tags": {"decompose": [selector]}})
    before = frozenset(all_asked(portal_of()))

    assert unanswered(portal, before, Above(frozenset(above))) == ([selector] if asked_again else [])
    assert unanswered(portal, frozenset(all_asked(portal)), Above(frozenset(above), full=True)) == []


def test_where_too_much_stands_around_containers_every_ancestor_is_asked_for() -> None:
    portal = portal_of(body={"root": "main", "tags": {"decompose": [".torzs p", "p.x"]}})

    assert unanswered(portal, frozenset(all_asked(portal_of())), Above(frozenset(), full=True)) == [".torzs p"]


@pytest.mark.parametrize(
    ("rules", "same"),
    [
        ({"body": {"root": "main", "tags": {"decompose": ["p.x"]}}}, True),
        ({"body": {"root": "main"}, "metadata": {"author": [".szerzo"]}, "title": "Other"}, True),
        ({"body": {"root": "main"}, "metadata": {"datePublished": [".datum"]}}, False),
        ({"body": {"root": "article"}}, False),
        ({"body": {"root": "main"}, "layouts": [{"url": ["/x/"], "body": {"root": "p"}}]}, False),
        ({"body": {"root": "main"}, "fetch": {"encoding": "iso-8859-2"}}, False),
        ({"body": {"root": "main"}, "articles": {"skip": {"when": [".hiba"]}}}, False),
    ],
)
def test_the_digest_changes_with_what_decides_which_text_is_an_article_s_and_of_which_year(rules: dict[str, object], same: bool) -> None:
    before = portal_of(body={"root": "main"})

    assert (reading_digest(portal_of(**rules)) == reading_digest(before)) is same


def test_without_a_root_the_metadata_count_too() -> None:
    assert reading_digest(portal_of()) != reading_digest(portal_of(metadata={"headline": [".cim"]}))
