"""What a stretch of text looks like, in any language: running prose, the end of a sentence, its middle; and its fingerprint."""

from __future__ import annotations

import re

from webarticlecurator.survey.counts import hash_of
from webarticlecurator.text import word_count

_SENTENCE_END = re.compile(r"(?<![\d\s])[.!?…。！？।؟]+[\"'”’»“)\]]*(?:\s|$)")
_ENDED = re.compile(r"[.!?…:;。！？।؟][\"'”’»“)\]*]*$")
_FEWEST_WORDS = 8
_LONGEST_EXAMPLE = 160


def words_without_numbers(text: str) -> int:
    """Words that are not mere numbers, as in dates."""
    return word_count(" ".join(word for word in text.split() if not word[:1].isdigit()))


def is_prose(text: str) -> bool:
    """Whether a text is running text: some words, and the end of a sentence."""
    return word_count(text) >= _FEWEST_WORDS and _SENTENCE_END.search(text) is not None


def sentences(text: str) -> int:
    """How many sentences end in it."""
    return len(_SENTENCE_END.findall(text))


def breaks_off(text: str) -> bool:
    """Whether a text stops in the middle of a sentence: behind a word, a comma, a dash."""
    end = text[-1:]
    return (end.isalnum() or end in ",-–—") and not _ENDED.search(text[-10:])


def goes_on(text: str) -> bool:
    """Whether a text begins in the middle of a sentence: with a small letter, or with what only follows a word."""
    start = text[:1]
    return start.islower() or (start in ",;" and len(text) > 1)


def fingerprint(text: str) -> int:
    """The same for texts that differ in white space and case only."""
    return hash_of(" ".join(text.casefold().split()))


def shortened(text: str) -> str:
    """As much of a text as an example needs."""
    text = " ".join(text[: 4 * _LONGEST_EXAMPLE].split())
    return text if len(text) <= _LONGEST_EXAMPLE else f"{text[: _LONGEST_EXAMPLE - 1].rstrip()}…"
