"""Which tags stand in which: the content tree, merged and small enough to be looked at; and pairs, children apart from what is deeper."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from merged_tree import Seen, by_general, by_portal, nodes_of, seen

from webarticlecurator.survey.inventory import nesting
from webarticlecurator.survey.inventory.nesting import pairs_of, trees_of
from webarticlecurator.survey.inventory.results import TreeNode

P = by_general("paragraph")


def _tree(*containers: Seen) -> dict[str, str]:
    return {layout: " ".join(map(_sketch, roots)) for layout, roots in trees_of(nodes_of(*containers)).items()}


def _sketch(node: TreeNode) -> str:
    inside = " ".join(map(_sketch, node.children)) + (f" +{node.more}" if node.more else "")
    return f"{node.tag}:{node.frequency}/{node.words}" + (f"({inside.strip()})" if inside else "")


def test_equal_paths_are_one_and_those_with_most_words_come_first() -> None:
    container = seen("div", seen("p", decided=P, own=3), seen("h2", own=9), seen("p", decided=P, own=20))

    assert _tree(container) == {"": "div:10/32(p:20/23 h2:10/9)"}


def test_a_tag_that_rules_decide_differently_stands_twice() -> None:
    assert _tree(seen("div", seen("p", decided=P, own=3), seen("p", decided=by_portal("lead"), own=2))) == {"": "div:10/5(p:10/3 p:10/2)"}


def test_each_layout_has_its_own_tree() -> None:
    assert _tree(seen("div", own=1), seen("td.cikk", own=2, layout="old")) == {"": "div:10/1", "old": "td.cikk:10/2"}


def test_leaves_are_told_from_what_holds_others() -> None:
    (root,) = trees_of(nodes_of(seen("div", seen("p", own=1))))[""]

    assert (root.is_leaf, root.children[0].is_leaf) == (False, True)


def test_of_too_many_paths_those_with_most_words_stay_and_the_others_are_counted(monkeypatch) -> None:
    monkeypatch.setattr(nesting, "_MOST_NODES", 4)
    container = seen("div", *(seen(f"p.k{'x' * words}", seen("b", own=1), own=words) for words in range(5)))

    (root,) = trees_of(nodes_of(container))[""]

    assert [child.words for child in root.children] == [5, 4, 3]
    assert (root.more, root.more_words) == (4, 3)
    assert [child.more for child in root.children] == [1, 1, 1]


_TREES = st.recursive(
    st.builds(lambda tag, own: seen(tag, own=own), st.sampled_from("abc"), st.integers(0, 9)),
    lambda below: st.builds(lambda tag, own, inner: seen(tag, *inner, own=own), st.sampled_from("abc"), st.integers(0, 9), st.lists(below)),
    max_leaves=12,
)


@given(_TREES, st.integers(1, 8))
def test_however_much_is_left_out_no_word_of_the_roots_is_lost(container: Seen, most: int) -> None:
    before, nesting._MOST_NODES = nesting._MOST_NODES, most
    try:
        (root,) = trees_of(nodes_of(container))[""]
    finally:
        nesting._MOST_NODES = before

    assert root.words == container.words
    for node in _all(root):
        assert node.words == node.own_words + sum(child.words for child in node.children) + node.more_words


def _all(node: TreeNode) -> list[TreeNode]:
    return [node, *(below for child in node.children for below in _all(child))]


# --- pairs ---


def test_children_and_what_is_deeper_are_told_apart_most_words_first() -> None:
    container = seen("div.torzs", seen("blockquote", seen("div", seen("p", decided=P, own=7), own=1)))

    found = [(f"{pair.outer}{' > ' if pair.adjacent else ' '}{pair.inner}", pair.words) for pair in pairs_of(nodes_of(container))]

    assert found == [
        ("blockquote > div", 8),
        ("div.torzs > blockquote", 8),
        ("div.torzs div", 8),
        ("div > p", 7),
        ("blockquote p", 7),
        ("div.torzs p", 7),
    ]


def test_a_pair_says_everything_that_becomes_of_the_inner_one_most_frequent_first() -> None:
    inside = seen("p", decided=P, frequency=3), seen("p", decided=by_portal("lead"), frequency=9), seen("p", frequency=1)

    (pair,) = pairs_of(nodes_of(seen("div.torzs", *inside)))

    assert (pair.frequency, pair.operation) == (13, "lead, paragraph, undecided")


def test_a_tag_in_one_of_its_own_kind_is_a_pair_too() -> None:
    (pair,) = pairs_of(nodes_of(seen("div", seen("div", own=1))))

    assert (pair.outer, pair.inner, pair.adjacent) == ("div", "div", True)


def test_pairs_are_made_only_of_the_tags_with_most_words(monkeypatch) -> None:
    monkeypatch.setattr(nesting, "_MOST_TAGS", 2)

    found = pairs_of(nodes_of(seen("div", seen("p", own=9), seen("i", own=1))))

    assert [(pair.outer, pair.inner) for pair in found] == [("div", "p")]
