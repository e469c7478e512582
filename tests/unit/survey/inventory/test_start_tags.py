"""Different things are counted: exactly while they are few, nearly when they are many, in whatever portions they come."""

from __future__ import annotations

import pickle

from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.survey.inventory.start_tags import DistinctCount, hash_of


def _of(numbers: range) -> DistinctCount:
    return DistinctCount(hash_of(str(number)) for number in numbers)


@given(st.lists(st.lists(st.text(max_size=3), max_size=20), max_size=5))
def test_few_are_counted_exactly(portions: list[list[str]]) -> None:
    whole = DistinctCount()
    for portion in portions:
        whole.join(DistinctCount(map(hash_of, portion)))

    assert whole.count == len({one for portion in portions for one in portion})


def test_thousands_are_counted_exactly() -> None:
    assert _of(range(10_000)).count == 10_000


def test_many_are_counted_to_within_some_in_a_hundred_in_bounded_memory() -> None:
    whole = _of(range(60_000))
    for start in range(0, 200_000, 20_000):
        whole.join(_of(range(start, start + 20_000)))

    assert abs(whole.count / 200_000 - 1) < 0.03
    assert len(pickle.dumps(whole)) < 20 * 20_000
