"""From what a pass saw to the inventory: rows, reduction, what is not counted, and how much of each year is decided."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from merged_tree import UNDECIDED, Seen, by_general, by_portal, inventory, seen

from webarticlecurator.survey.inventory.assembling import with_layout_changes
from webarticlecurator.survey.inventory.results import Example, Inventory, TagRow, YearCoverage

P = by_general("paragraph")


def _rows(made: Inventory) -> dict[str, TagRow]:
    return {row.tag: row for row in made.rows}


def _written(made: Inventory) -> list[str]:
    return [f"{row.tag} {row.decided.operation}" for row in made.rows]


def test_the_figures_of_a_tag_are_summed_over_all_places_where_it_stands() -> None:
    inner = seen("p", decided=P, frequency=4, own=40, links=8, years={2010: (1, 10), None: (3, 30)})
    made = inventory(seen("div.torzs", inner, seen("div.box", seen("p", decided=P, frequency=6, own=20, years={2019: (6, 20)}))))

    row = _rows(made)["p"]

    assert (row.frequency, row.words, row.own_words, row.link_words) == (10, 60, 60, 8)
    assert (row.first_year, row.last_year) == (2010, 2019)
    assert (row.mean_words, row.mean_own_words, row.mean_descendants) == (6.0, 6.0, 0.0)
    assert row.link_share == 8 / 60
    assert row.pages == 10


def test_one_tag_under_two_decisions_is_two_rows() -> None:
    inside = seen("p", decided=by_portal("unwrap", condition="blockquote.tweet p"), own=9)
    quote = seen("blockquote.tweet", inside, decided=by_portal("social"))
    made = inventory(seen("div.torzs", seen("p", decided=P, own=50), quote))

    found = [(row.decided.operation, row.decided.condition, row.words) for row in made.rows if row.tag == "p"]

    assert found == [("paragraph", "", 50), ("unwrap", "blockquote.tweet p", 9)]


def test_what_lies_inside_of_what_is_left_out_or_made_simple_is_not_counted() -> None:
    left_out = seen("div.ajanlo", seen("span.cim", own=5), decided=by_portal("decompose"))
    simple = seen("div.egyszeru", seen("span.x", own=5), decided=by_portal("unwrap-all"))

    made = inventory(seen("div.torzs", seen("p", decided=P, own=50), left_out, simple))

    assert set(_rows(made)) == {"p", "div.ajanlo", "div.egyszeru"}
    assert all("span" not in (pair.outer + pair.inner) for pair in made.pairs)


def test_containers_and_folded_paths_are_no_rows() -> None:
    assert _written(inventory(seen("div.torzs", seen("p", decided=P, own=3), seen("*more*", own=90)))) == ["p paragraph"]


def test_tags_with_text_come_first_and_of_them_those_with_most_words() -> None:
    made = inventory(
        seen("div.torzs", seen("img", decided=by_general("figure"), frequency=900), seen("div.a", own=5), seen("p", decided=P, own=50))
    )

    assert _written(made) == ["p paragraph", "div.a unwrap", "img figure"]


def test_the_reduction_counts_simplified_tags_with_text_and_those_that_nobody_decides() -> None:
    image = seen("img", decided=by_general("figure"))
    container = seen("div.torzs", seen("p", decided=P, own=50), seen("div.a", own=5), seen("div.leer"), image)

    reduction = inventory(container, start_tags=40, start_tags_with_text=20).reduction

    assert (reduction.tags, reduction.with_text, reduction.simplified, reduction.undecided) == (40, 20, 2, 1)


def test_a_row_shows_examples_of_its_own_places_from_different_pages() -> None:
    here, there = Example(url="https://pelda.example/1", text="here"), Example(url="https://pelda.example/2", text="there")
    seen_of_row = {"p paragraph": (here, here, there)}
    made = inventory(
        seen("div.torzs", seen("p", decided=P, own=5), seen("div.b", seen("p", decided=by_portal("lead"), own=2), decided=UNDECIDED)),
        examples=seen_of_row,
    )

    examples = {row.decided.operation: row.examples for row in made.rows if row.tag == "p"}

    assert examples == {"paragraph": (here, there), "lead": ()}


_FREE = (P, UNDECIDED, by_portal("unwrap"), by_portal("box"))
_TREES = st.recursive(
    st.builds(
        lambda tag, own, decided: seen(tag, own=own, decided=decided), st.sampled_from("abc"), st.integers(0, 9), st.sampled_from(_FREE)
    ),
    lambda below: st.builds(
        lambda tag, own, decided, inner: seen(tag, *inner, own=own, decided=decided),
        *(st.sampled_from("abc"), st.integers(0, 9), st.sampled_from(_FREE), st.lists(below)),
    ),
    max_leaves=12,
)


@given(_TREES)
def test_while_nothing_is_left_out_every_word_stands_in_one_row_or_immediately_in_the_container(container: Seen) -> None:
    made = inventory(container)

    assert sum(row.own_words for row in made.rows) + container.own == container.words
    assert sum(year.words for year in made.coverage) == container.words
    assert sum(row.frequency for row in made.rows) == sum(year.elements for year in made.coverage) == container.descendants


# --- years ---


def _year(year: int | None, share: float, pages: int = 100) -> YearCoverage:
    words = 100_000
    return YearCoverage(year=year, pages=pages, elements=1000, decided_elements=1000, words=words, decided_words=round(words * share))


def test_words_count_where_they_stand_immediately() -> None:
    container = seen("div.torzs", seen("div.a", seen("p", decided=P, own=90), own=10))

    (year,) = inventory(container).coverage

    assert (year.year, year.pages, year.words, year.decided_words) == (2024, 10, 100, 90)
    assert (year.elements, year.decided_elements) == (20, 10)
    assert (year.word_share, year.element_share) == (0.9, 0.5)


def test_text_immediately_in_the_container_is_decided_and_so_is_what_goes_with_something_left_out() -> None:
    container = seen("div.torzs", seen("div.ajanlo", seen("div.b", own=7), decided=by_portal("decompose")), own=3)

    (year,) = inventory(container).coverage

    assert year.word_share == 1.0


def test_pages_without_a_date_come_last() -> None:
    container = seen("div.torzs", years={None: (1, 5), 2001: (2, 6), 1999: (1, 1)})

    assert [one.year for one in inventory(container, years=Counter({None: 1, 2001: 2, 1999: 1})).coverage] == [1999, 2001, None]


@pytest.mark.parametrize(
    ("shares", "marked"),
    [
        ([0.99, 0.98, 0.99, 0.97], []),
        ([0.99, 0.98, 0.70, 0.71], [2002, 2003]),
        ([0.70, 0.99, 0.99], []),
        ([0.99, 0.80, 0.99], [2001]),
        ([0.5], []),
    ],
    ids=["steady", "it falls and stays low", "it rises", "one bad year", "nothing before"],
)
def test_a_drop_against_the_years_before_may_be_a_change_of_the_layout(shares: list[float], marked: list[int]) -> None:
    years = with_layout_changes(_year(2000 + number, share) for number, share in enumerate(shares))

    assert [one.year for one in years if one.layout_change] == marked


def test_a_year_of_few_pages_and_pages_without_a_date_prove_nothing() -> None:
    years = with_layout_changes([_year(2000, 0.99), _year(2001, 0.2, pages=2), _year(None, 0.1)])

    assert [one.year for one in years if one.layout_change] == []
