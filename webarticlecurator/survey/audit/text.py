"""What a stretch of text looks like, in any language: running prose, the end of a sentence, its middle; and its fingerprint."""

from __future__ import annotations

import re
from hashlib import blake2b

_SENTENCE_END = re.compile(r"(?<![\d\s])[.!?…。！？।؟]+[\"'”’»“)\]]*(?:\s|$)")
_ENDED = re.compile(r"[.!?…:;。！？।؟][\"'”’»“)\]*]*$")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")
"""Letters of scripts that put no blanks between words."""
_LETTERS_A_WORD = 2
_LONGEST_WORD = 12
"""Letters that the words of a text may have in the mean without a closer look."""
_FEWEST_WORDS = 8
_LONGEST_EXAMPLE = 160


def word_count(text: str) -> int:
    """Words; in scripts without blanks, as many as such a text would have."""
    count = len(text.split())
    if text.isascii() or len(text) <= _LONGEST_WORD * count:
        return count
    return max(count, len(_UNSPACED.findall(text)) // _LETTERS_A_WORD)


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
    """The same for texts that differ in white space and case only; the same in every process."""
    same = " ".join(text.casefold().split())
    return int.from_bytes(blake2b(same.encode("utf-8", "replace"), digest_size=8).digest())


def shortened(text: str) -> str:
    """As much of a text as an example needs."""
    text = " ".join(text[: 4 * _LONGEST_EXAMPLE].split())
    return text if len(text) <= _LONGEST_EXAMPLE else f"{text[: _LONGEST_EXAMPLE - 1].rstrip()}…"
