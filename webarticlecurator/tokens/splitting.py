"""From text to sentences of tokens."""

from __future__ import annotations

import regex

from webarticlecurator.tokens.model import Sentence, Token

_WORD = r"[\p{L}\p{M}\p{N}\p{Cf}_]+"
_TOKEN = regex.compile(rf"({_WORD}(?:[-‐‑'’.,:]{_WORD})*|\.+|[!?]+|\X)([\s\u200b]*)")
_ENDS = frozenset(".!?…")


def tokenize(text: str, language: str | None) -> list[Sentence]:
    """The sentences of a text in a language (BCP 47; None where it is not known)."""
    del language  # the tables of the languages come next
    start = len(text) - len(text.lstrip())
    sentences: list[Sentence] = []
    tokens: list[Token] = []
    for word, space in _TOKEN.findall(text, start):
        tokens.append(Token(word, space))
        if word[-1] in _ENDS and space:
            sentences.append(Sentence(tuple(tokens), text[:start] if not sentences else ""))
            tokens = []
    if tokens or (start and not sentences):
        sentences.append(Sentence(tuple(tokens), text[:start] if not sentences else ""))
    return sentences
