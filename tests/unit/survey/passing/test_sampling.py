"""A sample has pages of every year, in proportion, and exactly as many as were asked for."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.survey.passing.sampling import shares

_YEARS = st.dictionaries(st.one_of(st.none(), st.integers(1990, 2030)), st.integers(1, 5_000), min_size=1, max_size=30)


@pytest.mark.parametrize(
    ("pages", "wanted", "given_"),
    [
        ({2020: 900, 2021: 100}, 100, {2020: 86, 2021: 14}),
        ({2020: 1_000, 2021: 3}, 100, {2020: 97, 2021: 3}),
        ({2020: 5, None: 5}, 100, {2020: 5, None: 5}),
        ({2020: 5, 2021: 5, 2022: 5}, 2, {2020: 1, 2021: 1, 2022: 0}),
        ({}, 10, {}),
    ],
)
def test_shares(pages: dict[int | None, int], wanted: int, given_: dict[int | None, int]) -> None:
    assert shares(pages, wanted) == given_


@given(_YEARS, st.integers(1, 10_000))
def test_there_are_as_many_as_asked_for_and_never_more_than_there_are(pages: dict[int | None, int], wanted: int) -> None:
    found = shares(pages, wanted)

    assert sum(found.values()) == min(wanted, sum(pages.values()))
    assert all(0 <= found[year] <= pages[year] for year in pages)


@given(_YEARS, st.integers(1, 10_000))
def test_every_year_has_some_where_there_are_enough(pages: dict[int | None, int], wanted: int) -> None:
    if wanted >= len(pages):
        assert min(shares(pages, wanted).values()) > 0
