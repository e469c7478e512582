"""spaCy's tokenizers keep the promises of ours."""

from __future__ import annotations

import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webarticlecurator.errors import UsageError
from webarticlecurator.tokens import Sentence, Token, text_of
from webarticlecurator.tokens import spacy as by_spacy

pytest.importorskip("spacy")


@settings(deadline=None)
@given(st.text(), st.sampled_from(["hu", "de-AT", "en", "ja", "tlh", "../etc", None]))
def test_joined_they_are_the_text(text: str, language: str | None) -> None:
    sentences = by_spacy.tokenize(text, language)
    assert text_of(sentences) == text
    assert all(token.text and token.text.split() == [token.text] for sentence in sentences for token in sentence.tokens)


def test_it_gives_sentences_of_words() -> None:
    assert by_spacy.tokenize(" Kb. 18-án.\n\nNyílik.", "hu") == [
        Sentence((Token("Kb.", " "), Token("18-án", ""), Token(".", "\n\n")), " "),
        Sentence((Token("Nyílik", ""), Token(".", ""))),
    ]


def test_a_text_that_spacy_would_refuse_is_handed_over_in_pieces() -> None:
    text = "Híd épül. " * 11_000 + "x" * 100_001
    assert text_of(by_spacy.tokenize(text, "hu")) == text


def test_without_spacy_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "spacy", None)
    by_spacy._pipeline.cache_clear()
    with pytest.raises(UsageError, match=r"webarticlecurator\[spacy\]"):
        by_spacy.tokenize("Híd.", "hu")
