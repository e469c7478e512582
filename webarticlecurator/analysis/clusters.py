"""Find those of many texts that are nearly the same: those whose signatures share a band are compared, and
joined where they share enough of all.

A signature estimates the share of word sequences that two texts have in common.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable, Iterator, Sequence
from hashlib import blake2b
from struct import Struct
from tempfile import TemporaryFile

import numpy as np
from numpy.typing import NDArray
from rensa import RMinHash

from webarticlecurator.model.progress import Work
from webarticlecurator.own_patterns import linear

NUMBERS = 126
"""The numbers in a signature: three to a band, so that of two texts that share half of their sequences hardly
one pair in 300 is not looked at."""
_PACKED = Struct(f"<{NUMBERS}H")
_AT_A_TIME = 50_000
_STRETCH = 500_000
"""Characters of a text that are read at a time, and on to the end of the word."""
_BLANK = linear(r"\s")
_FEWEST_WORDS, _FEWEST_COMPARED = 20, 30
"""Words without which a text says nothing without its headline; and has too few sequences for an estimate, so
that it is only the same as another, or not."""
_WITHOUT_BLANKS = linear(
    "[\u0e00-\u0eff\u0f00-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]"
)
"""Letters of scripts whose words no blank parts."""
_IN_BAND = 3
BANDS = NUMBERS // _IN_BAND
_DIGEST = 16
"""Bytes of the digest of a text; only zeros: it has no text."""


def fingerprint(text: str, headline: str | None) -> tuple[bytes | None, bytes | None]:
    """Return a digest of an article's text, and a signature; None where there is no text, or one too short to
    be compared but exactly.

    White space is all the same. A text may be a book: it is read a stretch at a time.
    """
    count = sum(map(len, _words(text)))
    if not count:
        return None, None
    by_letters, size = _is_without_blanks(text)
    few = size // 2 if by_letters else count
    # "Our report is being updated." is no article that was published twice, but under the same headline
    digest = blake2b(
        b"" if few >= _FEWEST_WORDS else f"{headline or ''} \n ".encode("utf-8", "replace"),
        digest_size=_DIGEST,
    )
    between = b""
    for words in _words(text):
        digest.update(between + " ".join(words).encode("utf-8", "replace"))
        between = b" "
    if few < _FEWEST_COMPARED:
        return digest.digest(), None
    hashes = RMinHash(NUMBERS, 20)
    for some in _sequences(text, by_letters=by_letters):
        hashes.update(some)
    return digest.digest(), _PACKED.pack(*[number & 0xFFFF for number in hashes.digest()])


def _words(text: str) -> Iterator[list[str]]:
    """Give the words of a text, those of a stretch of it at a time."""
    start = 0
    while start < len(text):
        break_behind = _BLANK.search(text, start + _STRETCH)
        end = break_behind.start() if break_behind is not None else len(text)
        if words := text[start:end].split():
            yield words
        start = end


def _is_without_blanks(text: str) -> tuple[bool, int]:
    """Say whether a text is mostly written in letters that no blank parts; and how many characters it has
    beside white space."""
    if text.isascii():
        return False, 0
    letters = characters = 0
    for words in _words(text):
        joined = "".join(words).casefold()
        letters += len(_WITHOUT_BLANKS.findall(joined))
        characters += len(joined)
    return 2 * letters > characters, characters


def _sequences(text: str, *, by_letters: bool) -> Iterator[list[str]]:
    """Give the sequences of a text, some at a time: of five words; or of eight letters, which hold about as
    much."""
    length, between = (8, "") if by_letters else (5, " ")
    before: Sequence[str] = []
    for words in _words(text):
        folded = " ".join(words).casefold().split()
        units = [*before, *("".join(folded) if by_letters else folded)]
        for start in range(0, len(units), _AT_A_TIME):
            some = units[start : start + _AT_A_TIME + length - 1]
            yield [
                between.join(piece) for piece in zip(*(some[shift:] for shift in range(length)), strict=False)
            ]
        before = units[1 - length :]


def clusters_of(
    texts: Iterable[tuple[bytes | None, bytes | None]], work: Work
) -> Iterator[tuple[int, int | None, int]]:
    """Yield the texts that are in a cluster, of all texts (digest and signature of each), in their order: of
    each its number, that of the first with the same text, and that of the first of all that it is joined
    with. Raises Stopped.

    All depends on the texts and their order alone, so the same texts always give the same clusters. A few
    dozen bytes of each are held; the signatures, ten times as much, lie in a temporary file.
    """
    digests = bytearray()
    signed: array[int] = array("i")
    with TemporaryFile(prefix="curator-") as file:
        for number, (exact, signature) in enumerate(texts):
            digests += exact or bytes(_DIGEST)
            if signature is not None:
                signed.append(number)
                file.write(signature)
        compared = np.frombuffer(digests, f"S{_DIGEST}")
        _, firsts_of, groups = np.unique(compared, return_index=True, return_inverse=True)
        exact_firsts = np.where(compared != b"", firsts_of[groups], np.arange(len(compared))).astype(np.int32)
        numbers = np.array(signed, dtype=np.int32)
        parents = exact_firsts.copy()
        if len(numbers):
            file.flush()
            signatures = np.memmap(file, "<u2", "r", shape=(len(signed), NUMBERS))
            different = np.flatnonzero(exact_firsts[numbers] == numbers)
            for band in range(BANDS):
                for places in _groups(signatures[different, band * _IN_BAND : (band + 1) * _IN_BAND]):
                    _join_group(parents, numbers[different[places]], signatures[different[places]])
                work.check()
                work.show("comparing texts", band + 1, BANDS)
        firsts = np.fromiter(
            (_first(parents, place) for place in range(len(parents))), dtype=np.int32, count=len(parents)
        )
        exact_sizes, sizes = np.bincount(exact_firsts, minlength=1), np.bincount(firsts, minlength=1)
        for number in np.flatnonzero(sizes[firsts] > 1).tolist():
            exact_first = int(exact_firsts[number])
            yield number, exact_first if exact_sizes[exact_first] > 1 else None, int(firsts[number])


def _first(parents: NDArray[np.int32], place: int) -> int:
    """The lowest number that a text is joined with; `parents` lead there."""
    while (parent := int(parents[place])) != place:
        parents[place] = parents[parent]
        place = parent
    return place


def _groups(band: NDArray[np.uint16]) -> Iterator[NDArray[np.intp]]:
    """Places of rows that are equal in this band, two or more."""
    wide = band.astype(np.uint64)
    keys = wide[:, 0] << np.uint64(32) | wide[:, 1] << np.uint64(16) | wide[:, 2]
    order = np.argsort(keys, kind="stable")
    _, starts, lengths = np.unique(keys[order], return_index=True, return_counts=True)
    for start, length in zip(starts[lengths > 1].tolist(), lengths[lengths > 1].tolist(), strict=True):
        yield order[start : start + length]


def _join_group(parents: NDArray[np.int32], numbers: NDArray[np.int32], rows: NDArray[np.uint16]) -> None:
    """Compare each with those behind it; in large groups, what was joined with an earlier one is not compared
    again.

    So many almost equal texts cost no square of their number. Two are nearly the same that have half of their
    sequences in common.
    """
    small = len(numbers) <= 64
    while len(numbers) > 1:
        alike = np.count_nonzero(rows[1:] == rows[0], axis=1) >= 0.5 * NUMBERS
        for other in numbers[1:][alike].tolist():
            low, high = sorted((_first(parents, int(numbers[0])), _first(parents, other)))
            parents[high] = low
        rest = slice(1, None) if small else np.flatnonzero(~alike) + 1
        numbers, rows = numbers[rest], rows[rest]
