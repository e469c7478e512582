"""What tags stand in, beside and around: what only goes is looked through."""

from __future__ import annotations

from merged_tree import UNDECIDED, Seen, by_general, by_portal, nodes_of, seen

from webarticlecurator.survey.inventory.path_tree import PathStep
from webarticlecurator.survey.inventory.tag_facts import Neighbours, neighbours_of
from webarticlecurator.survey.tag import Tag

P, FIGURE = by_general("paragraph"), by_general("figure")


def _of(tag: str, *containers: Seen) -> Neighbours:
    row = PathStep.of(Tag.parse(tag), UNDECIDED).row
    return neighbours_of(nodes_of(*containers), {row})[row]


def test_what_it_holds_is_seen_however_deep() -> None:
    inner = seen("div.b", seen("p", seen("img", decided=FIGURE), decided=P, frequency=30))

    holds = _of("div.a", seen("div.torzs", seen("div.a", inner, seen("img", decided=FIGURE, frequency=2)))).holds

    assert holds == {"paragraph": 30, "figure": 12}


def test_what_it_stands_in_is_the_nearest_with_a_name_or_the_container() -> None:
    paragraph = seen("p", seen("font", seen("span.x", frequency=7)), decided=P)

    assert _of("span.x", seen("div.torzs", paragraph, seen("span.x", frequency=3))).inside == {"paragraph": 7, "": 3}


def test_what_stands_beside_it_does_not_count_itself() -> None:
    assert _of("div.x", seen("div.torzs", seen("div.x", frequency=5), seen("p", decided=P, frequency=20))).beside == {"paragraph": 20}


def test_of_a_split_the_inner_name_counts() -> None:
    outer = seen("strong.x", seen("span.y"), decided=by_portal("paragraph > bold"))

    assert _of("span.y", seen("div.torzs", outer)).inside == {"bold": 10}
