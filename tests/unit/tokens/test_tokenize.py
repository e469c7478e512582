"""Text goes in, sentences of tokens come out, and joined they are the text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.tokens import Sentence, Token, text_of, tokenize


@given(st.text(), st.sampled_from(["hu", "de", "en", "fr", "cs", "pl", "ja", None]))
def test_joined_they_are_the_text(text: str, language: str | None) -> None:
    assert text_of(tokenize(text, language)) == text


def test_every_token_says_what_follows_it() -> None:
    assert tokenize("Nyílik a híd.", "hu") == [Sentence((Token("Nyílik", " "), Token("a", " "), Token("híd", ""), Token(".", "")))]


@pytest.mark.parametrize("text", ["  Híd.", "\n\n", " \u3000x"])
def test_white_space_before_the_text_stands_before_its_first_sentence(text: str) -> None:
    first, *others = tokenize(text, "hu")
    assert first.space_before == text[: len(text) - len(text.lstrip())]
    assert [sentence.space_before for sentence in others] == [""] * len(others)


def test_a_text_without_a_character_has_no_sentence() -> None:
    assert tokenize("", None) == []
