"""Put what a layer says of a passage beside all of its text: what no token of the layer holds stands there,
too, and nothing is said of it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from webarticlecurator.annotations.layer import Sentence, Token
from webarticlecurator.own_patterns import linear, linear_at
from webarticlecurator.text import squeeze

SHOWN = ("lemma", "upos", "xpos", "feats", "head", "deprel", "entity")
"""The columns that formats with a column each may show."""
_WORDS = linear(r"[^\s\u200b]+")
_SPACE = linear_at(r"[\s\u200b]*")


class Span(NamedTuple):
    """A stretch of text between two blanks or other tokens."""

    start: int
    """The first character, in the composed text."""
    end: int
    words: list[Token]
    """The word that it is; of a multiword token, all; empty where the layer says nothing of it."""


class TokenSentence(NamedTuple):
    """A sentence as it stands in the text."""

    tokens: Sequence[tuple[str, str]]
    """The spans of its text, one after the other, each with the white space that follows."""
    words: Sequence[Sequence[Token]] = ()
    """The words of the layer that each of these is; empty where the layer does not know the passage. Their
    heads are numbers of words in this sentence, where each that nothing is said of counts as one."""


def spans_of(text: str, sentences: Sequence[Sentence]) -> Iterator[list[Span]]:
    """Give the spans of each sentence that has any: together they hold all that is no white space."""
    position = 0
    for number, sentence in enumerate(sentences, start=1):
        spans = _spans(text, position, sentence.tokens)
        position = spans[-1].end if spans else position
        if number == len(sentences):
            spans += _unsaid(text, position, len(text))
        if spans:
            yield _numbered(spans)


def _spans(text: str, position: int, tokens: Sequence[Token]) -> list[Span]:
    spans: list[Span] = []
    for token in tokens:
        if spans and token.start < position:  # words of one multiword token share its characters
            last = spans[-1]
            last.words.append(token)
            spans[-1] = last._replace(end=max(last.end, token.end))
        elif token.end > position:
            spans += _unsaid(text, position, token.start)
            spans.append(Span(max(token.start, position), token.end, [token]))
        position = max(position, token.end)
    return spans


def _unsaid(text: str, start: int, end: int) -> list[Span]:
    """Return what stands in a stretch that no token of the layer holds."""
    return [Span(*match.span(), []) for match in _WORDS.finditer(text, start, end)]


def _numbered(spans: list[Span]) -> list[Span]:
    """Return the spans with heads as numbers of words in them; another number is none."""
    numbers, count = [0], 0
    for span in spans:
        numbers += range(count + 1, count + 1 + len(span.words))
        count += max(1, len(span.words))
    is_same = count == len(numbers) - 1
    return [
        span._replace(words=[_with_head(word, numbers, is_same=is_same) for word in span.words])
        for span in spans
    ]


def _with_head(word: Token, numbers: Sequence[int], *, is_same: bool) -> Token:
    if not 0 <= word.head < len(numbers):
        return word._replace(head=-1, deps="")
    return word if is_same else word._replace(head=numbers[word.head], deps="")


def as_written(text: str, spans: Sequence[Span]) -> TokenSentence:
    """Return a sentence as it stands in the text."""
    behind = [_SPACE.match(text, span.end) for span in spans]
    tokens = [
        (squeeze(text[span.start : span.end]), space[0] if space is not None else "")
        for span, space in zip(spans, behind, strict=True)
    ]
    return TokenSentence(tokens, [span.words for span in spans])


def lines_of_heads(sentence: TokenSentence) -> list[int]:
    """Return the head of each token, where a multiword token counts as one: the first of its heads that is
    not in itself; 0: the root, -1: not given."""
    line_of = [0]
    for line, words in enumerate(sentence.words, start=1):
        line_of += [line] * max(1, len(words))
    heads = []
    for line, words in enumerate(sentence.words, start=1):
        outside = [line_of[word.head] for word in words if word.head >= 0 and line_of[word.head] != line]
        heads.append(outside[0] if outside else -1)
    return heads
