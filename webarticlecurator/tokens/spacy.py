"""The same by spaCy's blank tokenizers: their words, and the sentences of its `sentencizer`. Needs the extra `spacy`."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from webarticlecurator.errors import UsageError
from webarticlecurator.tokens.model import Sentence, Token

_MOST_AT_ONCE = 100_000
"""Characters; spaCy refuses very long texts, and holds much of each."""
_ANY_LANGUAGE = "xx"


def tokenize(text: str, language: str | None) -> list[Sentence]:
    """The sentences of a text in a language (BCP 47; None where it is not known). Raises UsageError where spaCy is not installed."""
    code = (language or "").replace("_", "-").partition("-")[0].lower()
    pipeline = _pipeline(code if len(code) in (2, 3) and code.isascii() and code.isalpha() else _ANY_LANGUAGE)
    before = ""
    sentences: list[list[Token]] = []
    for piece in _pieces(text):
        for sentence in pipeline(piece).sents:
            tokens: list[Token] = []
            for word in sentence:
                if not word.text.isspace():
                    tokens.append(Token(word.text, word.whitespace_))
                elif tokens or sentences:  # white space that spaCy makes a token of belongs to the word before it
                    last = tokens or sentences[-1]
                    last[-1] = Token(last[-1].text, last[-1].space_after + word.text + word.whitespace_)
                else:
                    before += word.text + word.whitespace_
            if tokens:
                sentences.append(tokens)
    if not sentences:
        return [Sentence((), before)] if before else []
    return [Sentence(tuple(tokens), "" if at else before) for at, tokens in enumerate(sentences)]


def _pieces(text: str) -> Iterator[str]:
    """Cut where a blank is, if there is one."""
    at = 0
    while len(text) - at > _MOST_AT_ONCE:
        end = text.rfind(" ", at, at + _MOST_AT_ONCE) + 1 or at + _MOST_AT_ONCE
        yield text[at:end]
        at = end
    if at < len(text):
        yield text[at:]


@cache
def _pipeline(code: str) -> Any:
    try:
        import spacy
    except ImportError:
        raise UsageError('spaCy is not installed; add it with: pip install "webarticlecurator[spacy]"') from None
    try:
        pipeline = spacy.blank(code)
    except ImportError:  # it does not know the language, or wants another package for it
        return _pipeline(_ANY_LANGUAGE)
    pipeline.add_pipe("sentencizer")
    return pipeline
