"""What two versions of a document differ in."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.building.article_builder import difference, words_changed

LINES = st.lists(st.text(alphabet="ab \n", max_size=12).map("p: {}".format), max_size=8)


@given(LINES, LINES)
def test_words_gained_one_way_are_lost_the_other_way(old: list[str], new: list[str]) -> None:
    assert words_changed(old, new) == words_changed(new, old)[::-1]


def test_the_name_before_a_line_is_no_word() -> None:
    assert words_changed(["p: One: two", "head: Three"], ["ab: One: four"]) == (1, 2)


@given(LINES)
def test_nothing_is_no_difference(lines: list[str]) -> None:
    assert words_changed(lines, lines) == (0, 0)
    assert difference(lines, lines) == []


def test_a_long_difference_is_cut_and_says_so() -> None:
    lines = difference([], [f"line {number}" for number in range(1000)])

    assert len(lines) < 50
    assert lines[-1].startswith("... and ")
