"""The tokens of an article as rows, for tables and JSON."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import repeat
from typing import Any

from webarticlecurator.annotations.layer import Token
from webarticlecurator.exporting.annotated import SHOWN, TokenSentence
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.passage_tokens import is_glued, one_line, tokenized
from webarticlecurator.exporting.table import ColumnType

COLUMNS = {
    **dict.fromkeys(("passage", "sentence", "number"), ColumnType.INTEGER),
    **dict.fromkeys(("part", "type", "form", "multiword"), ColumnType.TEXT),
    "space": ColumnType.YES_NO,
    **dict.fromkeys(SHOWN, ColumnType.TEXT),
    "head": ColumnType.INTEGER,
}
"""What is told of a token, and what it is. `passage`, `sentence`, `number` count from 1: the passages of the
article, the sentences of a passage, the words of a sentence; `space`: white space follows; `multiword`: what
stands in the text where several words are one there."""
_NO_WORD = Token(0, 0, "")


def token_rows(article: ExportArticle) -> Iterator[dict[str, Any]]:
    """Give each word of an article, with what is known of it."""
    for passage_number, (passage, _, sentences) in enumerate(tokenized(article), start=1):
        place = {"passage": passage_number, "part": passage.part, "type": passage.kind}
        for sentence_number, sentence in enumerate(sentences, start=1):
            for row in _rows_of(sentence):
                yield {**place, "sentence": sentence_number, **row}


def _rows_of(sentence: TokenSentence) -> Iterator[dict[str, Any]]:
    number = 0
    for (text, space), words in zip(sentence.tokens, sentence.words or repeat(()), strict=False):
        several = {"multiword": text} if len(words) > 1 else {}
        for left, word in zip(range(max(1, len(words)), 0, -1), words or (_NO_WORD,), strict=True):
            number += 1
            yield {
                "number": number,
                "form": one_line(word.form) if several else text,
                "space": left == 1 and not is_glued(space),
                **several,
                **_values(word),
            }


def _values(word: Token) -> dict[str, Any]:
    """Return what the layer says of a word."""
    texts = {name: one_line(getattr(word, name)) for name in SHOWN if name != "head"}
    head = {"head": word.head} if word.head >= 0 else {}
    return {**{name: text for name, text in texts.items() if text}, **head}
