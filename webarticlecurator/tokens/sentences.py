"""From text to sentences of tokens."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

from webarticlecurator.tokens.language_words import Language, Stop, language_of
from webarticlecurator.tokens.words import OPENING, Chunk, Start, Token, chunk_of

_BLANKS = re.compile(r"([\s\u200b]+)")
_LINE_END = re.compile("\r\n|[\n\r\u2028\x0b\x0c\x85]")
_LOOKED_AHEAD = 4
_ADVERBIAL = 3
_GOES_ON = frozenset(",;-–—([")
_ROMAN = re.compile("[ivxlc]+")
_DATE = re.compile(r"(?:\d{4}\.)?(?:0?[1-9]|[12]\d|3[01])\.(?:0?[1-9]|1[0-2])|\d{4}\.(?:0?[1-9]|1[0-2])\.\d\d?")

_BEFORE = {
    Stop.SURE: frozenset(Start),
    Stop.FULL: frozenset({Start.UPPER, Start.DIGIT, Start.OTHER, Start.LOWER}),
    Stop.WEAK: frozenset({Start.UPPER, Start.DIGIT, Start.OTHER}),
    Stop.MARK: frozenset({Start.UPPER, Start.DIGIT, Start.OTHER}),
    Stop.NUMBERED: frozenset({Start.UPPER, Start.OTHER}),
    Stop.ELLIPSIS: frozenset({Start.UPPER, Start.OTHER}),
    Stop.OFTEN: frozenset({Start.UPPER, Start.OTHER}),
}
"""What must follow, that a sentence ends there; PERHAPS, INITIAL and ORDINAL ask for more, after NEVER none ends."""


class Sentence(NamedTuple):
    """The tokens from one end of a sentence to the next."""

    tokens: tuple[Token, ...]
    """Empty only where the whole text is white space."""
    space_before: str = ""
    """The white space that a text begins with; only its first sentence has any."""


def tokenize(text: str, language: str | None) -> list[Sentence]:
    """The sentences of a text in a language (BCP 47; None where it is not known)."""
    parts = _BLANKS.split(text)
    before = ""
    if not parts[0] and len(parts) > 1:
        before = parts[1]
        parts = parts[2:]
    if not parts[0]:
        return [Sentence((), before)] if before else []
    sentences = [Sentence(tuple(tokens)) for tokens in _sentences(parts, language_of(language))]
    sentences[0] = sentences[0]._replace(space_before=before)
    return sentences


def _sentences(parts: list[str], language: Language) -> Iterator[list[Token]]:
    """`parts`: in turn what stands between blanks, and the blanks."""
    tokens: list[Token] = []
    stop: Stop | None = None  # what the last token but closing marks said, and which one that was
    at = 0
    for i in range(0, len(parts), 2):
        if not parts[i]:  # the text ended with blanks
            break
        chunk = chunk_of(parts[i], language)
        if stop is not None and chunk.start is not Start.CLOSING:
            if _ends(stop, tokens, at, _following(parts, i, language), language):
                yield _ended(tokens, stop, at, language)
                tokens = []
            elif stop is Stop.NUMBERED and not _is_number(chunk):
                _part(tokens, at)
            stop = None
        given = 0
        for end in chunk.inside:
            yield [*tokens, *chunk.tokens[given:end]]
            tokens = []
            given = end
        tokens += chunk.tokens[given:] if given else chunk.tokens
        if chunk.stop is not None:
            stop, at = chunk.stop, len(tokens) - len(chunk.tokens) + chunk.stop_at
        space = parts[i + 1] if i + 1 < len(parts) else ""
        if space != " ":
            tokens[-1] = Token(tokens[-1].text, space)
            if _line_ends(space, tokens, stop, parts, i, language):
                yield _ended(tokens, stop, at, language)
                tokens, stop = [], None
    if tokens:
        yield _ended(tokens, stop, at, language)


def _following(parts: list[str], i: int, language: Language) -> tuple[Chunk, bool]:
    """The first that is more than opening marks and dashes, and whether such stood before it."""
    ahead = (chunk_of(part, language) for part in parts[i : i + 2 * _LOOKED_AHEAD : 2] if part)
    first = next(ahead)
    return next((chunk for chunk in ahead if chunk.start is not Start.NOTHING), first) if first.start is Start.NOTHING else first, (
        first.start is Start.NOTHING
    )


def _ends(stop: Stop, tokens: list[Token], at: int, following: tuple[Chunk, bool], language: Language) -> bool:
    chunk, after_marks = following
    if stop in _BEFORE:
        if chunk.start is Start.LOWER and after_marks:  # "Jövök. – mondta"
            return False
        if stop is Stop.NUMBERED and _is_number(chunk):
            return False
        if stop is Stop.OFTEN and at < _ADVERBIAL:  # "W 2019 r. Sejm ..."
            return False
        return chunk.start in _BEFORE[stop]
    if stop is Stop.ORDINAL:
        return _ordinal_ends(tokens, at, chunk, language)
    return stop is not Stop.NEVER and chunk.start is Start.UPPER and _is_beginning(chunk, language)


def _ordinal_ends(tokens: list[Token], at: int, chunk: Chunk, language: Language) -> bool:
    number = tokens[at].text[:-1]
    if chunk.start is Start.DIGIT:  # "2024. 09. 18.", but "Das war 2019. 2020 ..."
        return len(number) == 4 and chunk.first[:4].isdigit()
    if chunk.start is not Start.UPPER:
        return chunk.start is Start.OTHER
    first_word = next((place for place, token in enumerate(tokens[:_LOOKED_AHEAD]) if token.text not in OPENING), 0)
    if first_word == at or chunk.first in language.months:  # "1. A csapat"
        return False
    if _is_beginning(chunk, language):
        return True
    if at and tokens[at - 1].text.lower() in language.before_ordinals:
        return False
    if not number[-1].isdigit():
        return not (language.numeral_before_name or language.nouns_are_capital)
    return not language.nouns_are_capital or len(number) == 4


def _is_beginning(chunk: Chunk, language: Language) -> bool:
    return chunk.first.replace("’", "'") in language.beginnings


def _is_number(chunk: Chunk) -> bool:
    return chunk.start is Start.DIGIT or _ROMAN.fullmatch(chunk.first.rstrip(".")) is not None


def _line_ends(space: str, tokens: list[Token], stop: Stop | None, parts: list[str], i: int, language: Language) -> bool:
    """Whether a sentence ends because a line does; a blank line ends one always."""
    ends = len(_LINE_END.findall(space))
    if ends > 1 or "\u2029" in space:
        return True
    if not ends or stop is not None or i + 2 >= len(parts) or not parts[i + 2]:
        return False
    following = chunk_of(parts[i + 2], language).start
    return tokens[-1].text not in _GOES_ON and following not in (Start.LOWER, Start.PUNCTUATION, Start.CLOSING)


def _ended(tokens: list[Token], stop: Stop | None, at: int, language: Language) -> list[Token]:
    """The tokens of a sentence: a full stop that ended it, and only that, stands alone."""
    if stop is Stop.ORDINAL:
        before = tokens[at - 1].text.lower() if at else ""
        in_date = before in language.months or (before[-1:] == "." and (before[0].isdigit() or len(before) > 3))
        if _DATE.fullmatch(tokens[at].text[:-1]) or (language.numeral_before_name and in_date):
            return tokens
    if stop in (Stop.NUMBERED, Stop.ORDINAL):
        _part(tokens, at)
    return tokens


def _part(tokens: list[Token], at: int) -> None:
    text, space = tokens[at]
    tokens[at : at + 1] = [Token(text[:-1], ""), Token(".", space)]
