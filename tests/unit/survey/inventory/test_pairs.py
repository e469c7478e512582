"""Pairs of tags: children apart from what is deeper, and what becomes of the inner one."""

from __future__ import annotations

from merged_tree import by_general, by_portal, observed, seen

from webarticlecurator.survey.inventory import pairs
from webarticlecurator.survey.inventory.pairs import pairs_of

P = by_general("paragraph")


def test_children_and_what_is_deeper_are_told_apart_most_words_first() -> None:
    container = seen("div.torzs", seen("blockquote", seen("div", seen("p", ruling=P, own=7), own=1)))

    found = [(f"{pair.outer}{' > ' if pair.adjacent else ' '}{pair.inner}", pair.words) for pair in pairs_of(observed(container).nodes)]

    assert found == [
        ("blockquote > div", 8),
        ("div.torzs > blockquote", 8),
        ("div.torzs div", 8),
        ("div > p", 7),
        ("blockquote p", 7),
        ("div.torzs p", 7),
    ]


def test_a_pair_says_everything_that_becomes_of_the_inner_one_most_frequent_first() -> None:
    inside = seen("p", ruling=P, frequency=3), seen("p", ruling=by_portal("lead"), frequency=9), seen("p", frequency=1)

    (pair,) = pairs_of(observed(seen("div.torzs", *inside)).nodes)

    assert (pair.frequency, pair.operation) == (13, "lead, paragraph, undecided")


def test_a_tag_in_one_of_its_own_kind_is_a_pair_too() -> None:
    (pair,) = pairs_of(observed(seen("div", seen("div", own=1))).nodes)

    assert (pair.outer, pair.inner, pair.adjacent) == ("div", "div", True)


def test_pairs_are_made_only_of_the_tags_with_most_words(monkeypatch) -> None:
    monkeypatch.setattr(pairs, "_MOST_TAGS", 2)

    found = pairs_of(observed(seen("div", seen("p", own=9), seen("i", own=1))).nodes)

    assert [(pair.outer, pair.inner) for pair in found] == [("div", "p")]
