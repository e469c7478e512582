"""By what texts are compared: a digest of all of it, and a signature by which the share of common word sequences is estimated."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from hashlib import blake2b
from struct import Struct

NUMBERS = 126
"""In a signature: three to a band, so that of two texts that share half of their sequences hardly one pair in 300 is not looked at."""
SEQUENCE = 5
"""Words in a sequence."""
LETTERS = 8
"""In a sequence where no blanks part words: they hold about as much as five words."""
FEWEST_WORDS = 30
"""Shorter texts have too few sequences for an estimate: they are only the same, or not."""
FEWEST_WORDS_ALONE = 20
"""Shorter ones are the same only under the same headline: "Our report is being updated." is no article that was published twice."""
_SEED = 20
_PACKED = Struct(f"<{NUMBERS}H")
_AT_A_TIME = 50_000
_WITHOUT_BLANKS = re.compile("[\u0e00-\u0eff\u0f00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
"""Letters of scripts whose words no blank parts."""


def fingerprint(text: str, headline: str | None) -> tuple[bytes | None, bytes | None]:
    """A digest of an article's text, and a signature; None where there is no text, or one too short to be compared but exactly.

    White space is all the same.
    """
    words = text.split()
    if not words:
        return None, None
    units, length = _units(text.casefold().split())
    few = len(units) if length == SEQUENCE else len(units) // 2
    compared_words = words if few >= FEWEST_WORDS_ALONE else [headline or "", "\n", *words]
    exact = blake2b(" ".join(compared_words).encode("utf-8", "replace"), digest_size=16).digest()
    return exact, _signature(units, length) if few >= FEWEST_WORDS else None


def _units(words: list[str]) -> tuple[Sequence[str], int]:
    """What sequences are made of, and how many they have: words, or letters where that is how the text is written."""
    text = "".join(words)
    without_blanks = 0 if text.isascii() else len(_WITHOUT_BLANKS.findall(text))
    return (text, LETTERS) if 2 * without_blanks > len(text) else (words, SEQUENCE)


def _signature(units: Sequence[str], length: int) -> bytes:
    from rensa import RMinHash  # loaded where texts are compared, and nowhere else

    hashes = RMinHash(NUMBERS, _SEED)
    for piece in _pieces(units, length):
        hashes.update(piece)
    return _PACKED.pack(*[number & 0xFFFF for number in hashes.digest()])


def _pieces(units: Sequence[str], length: int) -> Iterator[list[str]]:
    """All sequences, some at a time: a text may be a book."""
    between = "" if length == LETTERS else " "
    for start in range(0, len(units), _AT_A_TIME):
        some = units[start : start + _AT_A_TIME + length - 1]
        yield [between.join(piece) for piece in zip(*(some[shift:] for shift in range(length)), strict=False)]
