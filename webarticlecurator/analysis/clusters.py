"""Which of many texts are nearly the same: those whose signatures share a band are compared, and joined where they share enough of all."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator
from io import BufferedRandom
from tempfile import TemporaryFile
from threading import Event as Flag
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from webarticlecurator.analysis.fingerprints import NUMBERS

if TYPE_CHECKING:
    from numpy.typing import NDArray

THRESHOLD = 0.5
"""Share of sequences in common, as estimated, from which on two texts are nearly the same."""
_IN_BAND = 3
BANDS = NUMBERS // _IN_BAND
_DIGEST = 16
"""Bytes of the digest of a text; only zeros: it has no text."""
_SMALL = 64
"""Candidates of one band that are all compared with one another."""
_SIZE = 2 * NUMBERS
"""Bytes of a signature."""
_HELD = 8192
"""Signatures that are held at a time."""


class Member(NamedTuple):
    """A text that is the same as another, or nearly so; texts are numbers, in their order."""

    number: int
    exact: int | None
    """The first with the same text."""
    near: int
    """The first of all that it is joined with."""


Show = Callable[[int, int], None]
"""Told how far it is, and how far it will go."""


class ComparisonStopped(Exception):
    """Somebody asked for an end before it was reached."""


def clusters_of(texts: Iterable[tuple[bytes | None, bytes | None]], stop: Flag | None = None, show: Show | None = None) -> Iterator[Member]:
    """Who is in a cluster, of all texts (digest and signature of each), in their order. Raises ComparisonStopped.

    All depends on the texts and their order alone, so the same texts always give the same clusters. A few dozen bytes of each are held;
    the signatures, ten times as much, lie in a temporary file.
    """
    digests = bytearray()
    signed: array[int] = array("i")
    with TemporaryFile(prefix="curator-") as file:
        for number, (exact, signature) in enumerate(texts):
            digests += exact or bytes(_DIGEST)
            if signature is not None:
                signed.append(number)
                file.write(signature)
        exact_firsts = _exact_firsts(digests)
        numbers = np.array(signed, dtype=np.int32)
        signatures = _Signatures(file, len(signed))
        joined = _Joined(exact_firsts)
        if len(numbers):
            different = np.flatnonzero(exact_firsts[numbers] == numbers)
            for band in range(BANDS):
                _join_similar(joined, numbers[different], signatures, different, band)
                if stop is not None and stop.is_set():
                    raise ComparisonStopped
                if show is not None:
                    show(band + 1, BANDS)
        yield from _members(joined, exact_firsts)


class _Signatures:
    """Signatures in a file. It is read and not mapped: of a mapped file all that was looked at once counts as memory."""

    def __init__(self, file: BufferedRandom, count: int) -> None:
        self._file = file
        self._count = count

    def band(self, band: int) -> NDArray[np.uint16]:
        """These numbers of each."""
        banded = np.empty((self._count, _IN_BAND), "<u2")
        for start in range(0, self._count, _HELD):
            some = np.empty((min(_HELD, self._count - start), NUMBERS), "<u2")
            self._read(start, some)
            banded[start : start + len(some)] = some[:, band * _IN_BAND : (band + 1) * _IN_BAND]
        return banded

    def rows(self, places: NDArray[np.intp]) -> NDArray[np.uint16]:
        """Whole ones."""
        signatures = np.empty((len(places), NUMBERS), "<u2")
        for row, place in zip(signatures, places.tolist(), strict=True):
            self._read(place, row)
        return signatures

    def _read(self, start: int, target: NDArray[np.uint16]) -> None:
        self._file.seek(start * _SIZE)
        self._file.readinto(target.data)


def _exact_firsts(digests: bytearray) -> NDArray[np.int32]:
    """For each text, the first that is the same."""
    halves = np.frombuffer(digests, "<u8").reshape(-1, 2)
    firsts: NDArray[np.int32] = np.arange(len(halves), dtype=np.int32)
    order = np.lexsort((halves[:, 1], halves[:, 0]))  # which is stable: equal ones stay in their order
    equal = (halves[order[1:]] == halves[order[:-1]]).all(axis=1) & halves[order[1:]].any(axis=1)
    for place in np.flatnonzero(equal).tolist():
        firsts[order[place + 1]] = firsts[order[place]]
    return firsts


def _members(joined: _Joined, exact_firsts: NDArray[np.int32]) -> Iterator[Member]:
    size = len(exact_firsts)
    firsts = np.fromiter(map(joined.first, range(size)), dtype=np.int32, count=size)
    exact_sizes, sizes = np.bincount(exact_firsts, minlength=size), np.bincount(firsts, minlength=size)
    for number in np.flatnonzero(sizes[firsts] > 1).tolist():
        exact = int(exact_firsts[number])
        yield Member(number, exact if exact_sizes[exact] > 1 else None, int(firsts[number]))


class _Joined:
    """Texts that are joined, each with the lowest number among them."""

    def __init__(self, firsts: NDArray[np.int32]) -> None:
        self._parents = firsts.copy()

    def join(self, place: int, other: int) -> None:
        low, high = sorted((self.first(place), self.first(other)))
        self._parents[high] = low

    def first(self, place: int) -> int:
        """The lowest number that it is joined with."""
        parents = self._parents
        while (parent := int(parents[place])) != place:
            parents[place] = parents[parent]
            place = parent
        return place


def _join_similar(
    joined: _Joined,
    numbers: NDArray[np.int32],
    signatures: _Signatures,
    different: NDArray[np.intp],
    band: int,
) -> None:
    """Join what is nearly the same. Texts of these numbers have their signatures in the rows that are told as different."""
    for places in _groups(signatures.band(band)[different]):
        _join_group(joined, numbers[places], signatures, different[places])


def _groups(band: NDArray[np.uint16]) -> Iterator[NDArray[np.intp]]:
    """Places of rows that are equal in this band, two or more."""
    wide = band.astype(np.uint64)
    keys = wide[:, 0] << np.uint64(32) | wide[:, 1] << np.uint64(16) | wide[:, 2]
    order = np.argsort(keys, kind="stable")
    starts = np.concatenate(([0], np.flatnonzero(np.diff(keys[order])) + 1))
    lengths = np.diff(np.append(starts, len(keys)))
    several = lengths > 1
    for start, length in zip(starts[several].tolist(), lengths[several].tolist(), strict=True):
        yield order[start : start + length]


def _join_group(joined: _Joined, numbers: NDArray[np.int32], signatures: _Signatures, places: NDArray[np.intp]) -> None:
    """Compare each with those behind it; in large groups, what was joined with an earlier one is not compared again.

    So many almost equal texts cost no square of their number.
    """
    small = len(numbers) <= _SMALL
    while len(numbers) > _HELD:
        rest = _join_first(joined, numbers, _alike(signatures, places))
        numbers, places = numbers[rest], places[rest]
    rows = signatures.rows(places)
    while len(numbers) > 1:
        others = _join_first(joined, numbers, _is_like(rows[0], rows[1:]))
        rest = np.arange(1, len(numbers)) if small else others
        numbers, rows = numbers[rest], rows[rest]


def _join_first(joined: _Joined, numbers: NDArray[np.int32], alike: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Join the first with those behind it that are like it; gives the places of the others."""
    for other in numbers[1:][alike].tolist():
        joined.join(int(numbers[0]), other)
    return np.flatnonzero(~alike) + 1


def _alike(signatures: _Signatures, places: NDArray[np.intp]) -> NDArray[np.bool_]:
    """Which of those behind the first are like it."""
    (first,) = signatures.rows(places[:1])
    parts = np.array_split(places[1:], len(places) // _HELD + 1)
    return np.concatenate([_is_like(first, signatures.rows(part)) for part in parts])


def _is_like(signature: NDArray[np.uint16], others: NDArray[np.uint16]) -> NDArray[np.bool_]:
    same: NDArray[np.intp] = np.count_nonzero(others == signature, axis=1)
    return same >= THRESHOLD * NUMBERS
