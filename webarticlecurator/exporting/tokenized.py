"""An article's running text as sentences of tokens, for the formats that write one token a line."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from importlib import import_module
from typing import NamedTuple
from unicodedata import is_normalized, normalize

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.harmless import plain
from webarticlecurator.exporting.passages import Passage
from webarticlecurator.tokens import Sentence

Tokenize = Callable[[str, str | None], Sequence[Sentence]]

_PLACES = {"own": "webarticlecurator.tokens", "spacy": "webarticlecurator.tokens.spacy"}


class TokenizedPassage(NamedTuple):
    """A passage that holds at least one token."""

    passage: Passage
    language: str | None
    """Its own, else the article's."""
    sentences: tuple[Sentence, ...]
    """None of them empty."""


def tokenizer_of(name: str) -> Tokenize:
    """`own` or `spacy`. Raises UsageError where there is no such tokenizer, or it is not installed."""
    if name not in _PLACES:
        raise UsageError(f"{name!r} is no tokenizer; there are: {', '.join(_PLACES)}.")
    tokenize: Tokenize = import_module(_PLACES[name]).tokenize
    tokenize("", None)  # which tells what is not installed
    return tokenize


def tokenized(article: ExportArticle, tokenize: Tokenize) -> Iterator[TokenizedPassage]:
    """The passages of an article with their tokens; a passage without one is left out."""
    declared = article.built.language or (article.analysis.language if article.analysis is not None else None)
    for passage in article.passages:
        language = passage.language or declared
        sentences = tuple(one for one in tokenize(composed(passage.text), language) if one.tokens)
        if sentences:
            yield TokenizedPassage(passage, language, sentences)


def composed(text: str) -> str:
    """Without what no file should hold, its accents composed (NFC): so that a search for a word finds it however a page wrote it.

    Any part of such a text is composed, too; so the tokens are.
    """
    text = plain(text)
    return text if text.isascii() or is_normalized("NFC", text) else normalize("NFC", text)


def is_glued(space: str) -> bool:
    """Whether a reader sees nothing between a token, which this white space follows, and the next."""
    return not space.strip("\u200b")


def without_words(articles: int) -> str:
    """What is told of articles that nothing could be written of."""
    return f"Articles without a word of running text, which are not in this file: {articles}."
