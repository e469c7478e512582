from __future__ import annotations

import sys

import pytest
from token_exports import an_article, exported

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.tokenized import composed, is_glued, tokenized, tokenizer_of
from webarticlecurator.model.analysis import Analysis
from webarticlecurator.model.article import Block


def test_a_tokenizer_that_nobody_knows_is_a_mistake_with_the_names_of_those_there_are() -> None:
    with pytest.raises(UsageError, match="no tokenizer; there are: own, spacy"):
        tokenizer_of("foo")


def test_a_tokenizer_that_is_not_installed_is_told_before_anything_is_written(monkeypatch: pytest.MonkeyPatch) -> None:
    from webarticlecurator.tokens import spacy

    spacy._pipeline.cache_clear()
    monkeypatch.setitem(sys.modules, "spacy", None)
    with pytest.raises(UsageError, match=r"webarticlecurator\[spacy\]"):
        tokenizer_of("spacy")


def test_a_passage_is_cut_by_the_rules_of_its_own_language() -> None:
    german = Block(type="paragraph", children=("Am 3. Mai.",), attributes={"language": "de"})
    passages = list(tokenized(exported(an_article("Ez kb. öt.", german, headline=None)), tokenizer_of("own")))
    assert [(one.language, len(one.sentences)) for one in passages] == [("hu", 1), ("de", 1)]


def test_where_nobody_declares_a_language_the_identified_one_counts() -> None:
    article = exported(an_article("Text.", language=None), analysis=Analysis(language="de", certainty=1.0))
    assert {one.language for one in tokenized(article, tokenizer_of("own"))} == {"de"}


def test_a_passage_without_a_token_is_left_out() -> None:
    assert not list(tokenized(exported(an_article("\u00ad", headline="\u200b")), tokenizer_of("own")))


@pytest.mark.parametrize(("space", "glued"), [("", True), ("\u200b", True), (" ", False), ("\n", False), ("\u200b ", False)])
def test_only_white_space_that_is_seen_parts_words(space: str, glued: bool) -> None:
    assert is_glued(space) is glued


@pytest.mark.parametrize(("text", "expected"), [("he\u0301t", "h\u00e9t"), ("a\x00b", "ab"), ("a\u00adb", "ab"), ("a\x0cb", "a b")])
def test_text_is_composed_and_clean(text: str, expected: str) -> None:
    assert composed(text) == expected
