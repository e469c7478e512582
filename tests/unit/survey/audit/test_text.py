"""What a stretch of text looks like."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.survey.audit.text import breaks_off, fingerprint, goes_on, is_prose, shortened, word_count, words_without_numbers

PROSE = {
    "The council met on Tuesday and talked about the bridge.": True,
    "„A híd egyszerre híd és emlékezet, ezért nyúlunk hozzá óvatosan” – mondta a polgármester.": True,
    "市議会は火曜日に開かれ、橋の建設について話し合った。": True,
    "Is there anybody who still believes in the bridge?": True,
    "Read this as well": False,
    "The council met on Tuesday and talked about the bridge": False,
    "2024. május 15. 12:00 | Belföld | Kilenchíd | 3 hozzászólás": False,
    "": False,
}


@pytest.mark.parametrize(("text", "expected"), PROSE.items())
def test_prose_has_words_and_the_end_of_a_sentence(text: str, expected: bool) -> None:
    assert is_prose(text) is expected


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ("the council met on", "Tuesday in the hall", False),
        ("the council met on", "a Tuesday", True),
        ("the council met,", "and talked", True),
        ("the council met", ", and talked", True),
        ("The council met.", "and talked", False),
        ("The council met:", "first item", False),
        ("„A híd”", "mondta", False),
        ("", "", False),
    ],
)
def test_a_sentence_is_cut_where_one_text_breaks_off_and_the_next_goes_on(before: str, after: str, expected: bool) -> None:
    assert (breaks_off(before) and goes_on(after)) is expected


@pytest.mark.parametrize(
    ("text", "words", "told"), [("Kompár Ignác 2024. május 3. 10:20", 6, 3), ("a b c", 3, 3), ("橋の建設" * 10, 20, 20), ("", 0, 0)]
)
def test_numbers_are_words_that_tell_little(text: str, words: int, told: int) -> None:
    assert (word_count(text), words_without_numbers(text)) == (words, told)


@given(st.text(min_size=1), st.text(alphabet=" \t\n\xa0", min_size=1))
def test_white_space_and_case_make_no_other_text(text: str, blanks: str) -> None:
    assert fingerprint(f"{blanks}{text}{blanks}".upper()) == fingerprint(text.upper())
    assert 0 <= fingerprint(text) < 2**64


@given(st.text(max_size=5_000))
def test_an_example_is_one_short_line(text: str) -> None:
    assert len(shortened(text)) <= 160
    assert "\n" not in shortened(text)
