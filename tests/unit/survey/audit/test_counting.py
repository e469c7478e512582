"""Counting in bounded memory: the same result however the pages are shared out, and no more memory for more pages."""

from __future__ import annotations

import pickle
from collections import Counter
from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.survey.audit.counting import Occurrences, RecurringTexts, Text, Variety, pages_with, striking_years
from webarticlecurator.survey.audit.results import Passage

FINGERPRINTS = st.lists(st.integers(0, 2**64 - 1) | st.integers(0, 20), max_size=300)


def _variety(fingerprints: list[int]) -> Variety:
    variety = Variety()
    for one in fingerprints:
        variety.add(one)
    return variety


@given(FINGERPRINTS, st.integers(0, 300))
def test_variety_is_the_same_however_the_texts_are_shared_out(fingerprints: list[int], cut: int) -> None:
    first, second = _variety(fingerprints[:cut]), _variety(fingerprints[cut:])
    first.join(pickle.loads(pickle.dumps(second)))

    assert first.share == _variety(fingerprints).share
    assert first.different == _variety(fingerprints).different


@given(st.lists(st.integers(0, 40)))
def test_variety_of_few_texts_is_exact(fingerprints: list[int]) -> None:
    expected = len(set(fingerprints)) / len(fingerprints) if fingerprints else 1.0

    assert _variety(fingerprints).share == expected


def test_a_hundred_thousand_texts_take_no_more_memory_than_a_hundred() -> None:
    assert len(_variety(list(range(100_000))).counts) < 100
    assert _variety(list(range(100_000))).share == 1.0


def test_occurrences_keeps_three_examples_of_different_pages() -> None:
    occurrences, other = Occurrences(), Occurrences()
    for number in range(5):
        occurrences.add(10, number, Passage("https://x/1", str(number)))
        other.add(10, number, Passage(f"https://x/{number}", str(number)))
    occurrences.join(other)

    assert [example.url for example in occurrences.examples] == ["https://x/1", "https://x/0", "https://x/2"]
    assert (occurrences.words, occurrences.times) == (100, 10)


def test_texts_that_recur_are_remembered_when_all_the_others_are_forgotten() -> None:
    whole = RecurringTexts()
    for batch in range(40):
        part = RecurringTexts()
        for number in range(2_000):
            part.add("", batch * 2_000 + number + 1, Text("p", "paragraph", 5, "once"), 2020, "https://x/")
        part.add("", 0, Text("p.sign-up", "paragraph", 5, "often"), 2020, f"https://x/{batch}")
        whole.join(part)

    assert len(whole.texts) < 45_000
    assert whole.texts[("", 0)].count == 40
    assert len(whole.texts[("", 0)].urls) == 3


def _of_pages(numbers: Iterable[int]) -> Text:
    texts = RecurringTexts()
    for number in numbers:
        texts.add("", 0, Text("p", "paragraph", 5, "often"), 2020, f"https://x/{number}")
    return texts.texts["", 0]


def test_a_page_with_several_texts_is_one_page() -> None:
    assert pages_with([_of_pages(range(10)), _of_pages(range(5, 20))]) == 20
    assert pages_with([_of_pages(range(1000)), _of_pages(range(1000))]) == 1000
    assert pages_with([_of_pages(range(1000)), _of_pages(range(1000, 2000))]) == 2000
    assert 1300 < pages_with([_of_pages(range(1000)), _of_pages(range(500, 1500))]) < 1700


@pytest.mark.parametrize("count", [0, 1, 5])
def test_texts_travel_to_another_process_and_are_counted_on_there(count: int) -> None:
    sent = RecurringTexts()
    for number in range(count):
        sent.add("old", number, Text("p", "paragraph", 5, f"text {number}"), 2020, "https://x/")

    come: RecurringTexts = pickle.loads(pickle.dumps(sent))

    assert come.texts == sent.texts
    come.join(sent)
    assert [text.count for text in come.texts.values()] == [2] * count


@pytest.mark.parametrize(
    ("pages", "whole", "expected"),
    [
        ({2020: 2}, {2020: 2}, None),
        ({2020: 3}, {2020: 3}, [2020]),
        ({2020: 3}, {2020: 100}, None),
        ({2020: 10}, {2020: 100}, [2020]),
        ({2020: 10, 2021: 1}, {2020: 50, 2021: 50}, [2020, 2021]),
        ({2020: 10}, {2020: 50, 2021: 950}, [2020]),
        ({2020: 5}, {2020: 19, 2021: 950}, None),
        ({None: 10}, {None: 100}, [None]),
    ],
)
def test_striking_is_a_share_of_a_layout_or_twice_that_of_one_year(
    pages: dict[int | None, int], whole: dict[int | None, int], expected: list[int | None] | None
) -> None:
    assert striking_years(Counter(pages), Counter(whole), 0.1) == expected
