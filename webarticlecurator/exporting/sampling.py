"""A sample that looks like what it is taken from, or has as much of everything; the same as long as corpus and seed are the same."""

from __future__ import annotations

from collections.abc import Mapping
from hashlib import blake2b


def rank(article: str, seed: int) -> bytes:
    """By this, the articles of a stratum are drawn: it depends on the article's id and the seed, and on nothing else."""
    return blake2b(f"{seed}\0{article}".encode(), digest_size=8).digest()


def shares(strata: Mapping[str, int], size: int, *, equal: bool) -> dict[str, int]:
    """How many articles of each stratum are drawn, given how many there are.

    In proportion, parts of an article go to those whose fraction is largest (as parliaments share out seats). Equally, a stratum that is
    too small gives all it has, and the others share what is missing.
    """
    size = min(size, sum(strata.values()))
    return _equal(strata, size) if equal else _proportional(strata, size)


def _proportional(strata: Mapping[str, int], size: int) -> dict[str, int]:
    total = sum(strata.values())
    if not total:
        return {}
    given = {name: size * number // total for name, number in strata.items()}
    by_fraction = sorted(strata, key=lambda name: (-(size * strata[name] % total), -strata[name], name))
    for name in by_fraction[: size - sum(given.values())]:
        given[name] += 1
    return given


def _equal(strata: Mapping[str, int], size: int) -> dict[str, int]:
    given: dict[str, int] = {}
    waiting = sorted(strata, key=lambda name: (strata[name], name))  # the smallest first: what they lack is known to the others
    for number, name in enumerate(waiting):
        given[name] = min(strata[name], size // (len(waiting) - number))
        size -= given[name]
    return given
