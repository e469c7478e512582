"""Bytes that were cut, joined, repeated, shuffled or damaged, perhaps several times."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial

from hypothesis import strategies as st

Mutation = Callable[[bytes, int, int, st.DrawFn], bytes]
"""Of the whole, between two places in it."""


def mutants_of(
    seeds: Callable[[], Sequence[bytes]], pieces: Sequence[bytes], *more: Mutation, most: int = 2_000_000
) -> st.SearchStrategy[bytes]:
    """Of one of the seeds; `pieces` are what it may be given at any place, `more` is what else may become of it."""

    def splice(whole: bytes, first: int, second: int, draw: st.DrawFn) -> bytes:
        return whole[:first] + draw(st.sampled_from(seeds()))[second:]

    def insert(whole: bytes, first: int, _: int, draw: st.DrawFn) -> bytes:
        piece = draw(st.one_of(st.sampled_from(pieces), st.binary(max_size=20)))
        return whole[:first] + piece * draw(st.sampled_from((1, 2, 50))) + whole[first:]

    mutations = (*_MUTATIONS, splice, insert, *more)

    @st.composite
    def mutant(draw: st.DrawFn) -> bytes:
        whole = draw(st.sampled_from(seeds()))
        for _ in range(draw(st.integers(1, 4))):
            place = st.integers(0, max(0, len(whole) - 1))
            first, second = sorted((draw(place), draw(place)))
            whole = draw(st.sampled_from(mutations))(whole, first, second, draw)
        return whole[:most]

    return mutant()


def replacing(count: int, *pairs: tuple[bytes, bytes]) -> Mutation:
    """Puts one piece for another, so often."""
    return partial(_replaced, count, pairs)


def _replaced(count: int, pairs: Sequence[tuple[bytes, bytes]], whole: bytes, _first: int, _second: int, _: st.DrawFn) -> bytes:
    for old, new in pairs:
        whole = whole.replace(old, new, count)
    return whole


def _flip(whole: bytes, first: int, second: int, draw: st.DrawFn) -> bytes:
    damaged = bytearray(whole)
    for place in range(first, second, max(1, (second - first) // draw(st.integers(1, 60)))):
        damaged[place] ^= 1 << draw(st.integers(0, 7))
    return bytes(damaged)


_MUTATIONS: tuple[Mutation, ...] = (
    lambda whole, first, *_: whole[:first],
    lambda whole, first, *_: whole[first:],
    lambda whole, first, second, *_: whole[:first] + whole[second:],
    lambda whole, first, second, *_: whole[:second] + whole[first:],
    _flip,
)
