"""How much of each year is decided, and where a change of the layout shows."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from merged_tree import Seen, by_general, by_portal, counts_of, seen

from webarticlecurator.survey.inventory.coverage import coverage_of, with_layout_changes
from webarticlecurator.survey.inventory.results import YearCoverage

P = by_general("paragraph")


def _year(year: int | None, share: float, pages: int = 100) -> YearCoverage:
    words = 100_000
    return YearCoverage(year=year, pages=pages, elements=1000, decided_elements=1000, words=words, decided_words=round(words * share))


def _coverage(container: Seen, **fields: Any) -> tuple[YearCoverage, ...]:
    counts = counts_of(container, **fields)
    return coverage_of(counts.tree.nodes(), counts.years)


def test_words_count_where_they_stand_immediately() -> None:
    container = seen("div.torzs", seen("div.a", seen("p", decided=P, own=90), own=10))

    (year,) = _coverage(container)

    assert (year.year, year.pages, year.words, year.decided_words) == (2024, 10, 100, 90)
    assert (year.elements, year.decided_elements) == (20, 10)
    assert (year.word_share, year.element_share) == (0.9, 0.5)


def test_text_immediately_in_the_container_is_decided_and_so_is_what_goes_with_something_left_out() -> None:
    container = seen("div.torzs", seen("div.ajanlo", seen("div.b", own=7), decided=by_portal("decompose")), own=3)

    (year,) = _coverage(container)

    assert year.word_share == 1.0


def test_pages_without_a_date_come_last() -> None:
    container = seen("div.torzs", years={None: (1, 5), 2001: (2, 6), 1999: (1, 1)})

    assert [one.year for one in _coverage(container, years=Counter({None: 1, 2001: 2, 1999: 1}))] == [1999, 2001, None]


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
