"""Text goes in, sentences of tokens come out, and joined they are the text."""

from __future__ import annotations

from pathlib import Path
from time import thread_time
from typing import NamedTuple

import pytest
from case_files import cases
from hypothesis import given
from hypothesis import strategies as st
from seams import tokens_of
from working_time import at_most, undisturbed

LANGUAGES = st.sampled_from(["hu", "de", "en", "fr", "cs", "pl", "it", "ja", None])


def text_of(text: str, language: str | None) -> str:
    """What its tokens say."""
    return "".join(before + "".join(token + space for token, space in tokens) for before, tokens in tokens_of(text, language))


def sentences_of(text: str, language: str | None) -> list[list[str]]:
    return [[token for token, _ in tokens] for _, tokens in tokens_of(text, language)]


class Hard(NamedTuple):
    language: str
    text: str
    sentences: list[list[str]]


def hard_sentences() -> list[Hard]:
    cases: list[Hard] = []
    for line in (Path(__file__).parent / "hard_sentences.txt").read_text(encoding="utf-8").splitlines():
        if "\t" in line:
            cases.append(Hard(*line.split("\t"), []))
        elif line.startswith("  "):
            cases[-1].sentences.append(line.split())
    return cases


NOT_YET = {"I'd like 3 lbs. of apples, 6 ft. of rope & a 12 in. ruler."}
"""Which `in` is a measure, nobody sees."""


@pytest.mark.parametrize("language", ["hu", "de", "en", "fr", "cs", "pl"])
def test_hard_sentences_are_read_as_a_person_does(language: str) -> None:
    cases = [case for case in hard_sentences() if case.language == language]
    assert len(cases) > 30
    assert [case.text for case in cases if text_of(case.text, language) != case.text] == []
    read = {case.text: sentences_of(case.text, language) for case in cases if case.text not in NOT_YET}
    assert read == {case.text: case.sentences for case in cases if case.text not in NOT_YET}


PIECES = (
    *("A híd", "Dr.", "18.", "18-án", "3,5%-kal", "„", "”", "...", "?!", " ", "\n", "\u00a0", "don't", "l'", "-t-il", "No.", "\u200d"),
    *("👍🏽", "é\u0301", "https://pelda.example/a.", "@nick", "#tag", "IV.", "z. B.", "漢字。", "ไทย"),
    *("\ud800", "\u202e", "\x00", "\u200b", "« ", " »", "–", "U.S.", "5.000,-"),
)


@given(st.text() | st.lists(st.sampled_from(PIECES)).map("".join), LANGUAGES)
def test_joined_they_are_the_text_whatever_stands_beside_what(text: str, language: str | None) -> None:
    assert text_of(text, language) == text
    sentences = tokens_of(text, language)
    assert all(token and token.split() == [token] for _, tokens in sentences for token, _ in tokens)
    assert all(tokens for _, tokens in sentences) or not text.replace("\u200b", "").strip()


@cases("language, text, expected", "documents/cases/any-language-gets-something-sound")
def test_any_language_gets_something_sound(language: str | None, text: str, expected: list[str]) -> None:
    assert [" ".join(tokens) for tokens in sentences_of(text, language)] == expected


HOSTILE = (
    *("a", ".", ". ", "a.", "A.", "a-", "1.", "@", "a@", "#1", "http://", "http://.", "http://a(", "\u0301", '"', "漢", "。", "ไ", "😀"),
    *("hu.", "– ", "\n", "a\n", "5%-", "! – ", "Dr. ", "I.", "°-", "www.", "vége.Az", "!)", ") ", "n't", "l'", "a-il", "No. ", "5. "),
    *("\u200d", "a'"),
)


@pytest.mark.nightly
@pytest.mark.parametrize("language", ["hu", "en", "fr"])
def test_ten_times_as_much_of_anything_takes_ten_times_as_long(language: str) -> None:
    def seconds(unit: str, size: int) -> float:
        text = unit * (size // len(unit))
        begun = thread_time()
        assert text_of(text, language) == text
        return thread_time() - begun

    with undisturbed():
        assert [unit for unit in HOSTILE if seconds(unit, 100_000) >= 0.3 + 25 * seconds(unit, 10_000)] == []


@pytest.mark.parametrize("text", ["é" * 1_000_000, "." * 200_000, "a." * 200_000, "x@" * 100_000], ids=["no blank", "dots", "a.", "x@"])
def test_a_page_that_is_one_word_is_read_in_seconds(text: str) -> None:
    with at_most(10):
        assert text_of(text, "hu") == text
    assert max(len(token) for tokens in sentences_of(text, "hu") for token in tokens) <= 10_000
