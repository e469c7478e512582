"""Which of many texts are nearly the same."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from hashlib import sha256
from threading import Event as Flag

import pytest

from tests.support import memory
from webarticlecurator.analysis.clusters import Member, Stopped, clusters_of
from webarticlecurator.analysis.fingerprints import NUMBERS, fingerprint


def text(seed: int, words: int = 200) -> list[str]:
    chance = random.Random(seed)
    return [f"w{chance.randrange(5_000)}" for _ in range(words)]


def clusters(*texts: list[str]) -> list[Member]:
    prints = [fingerprint(" ".join(one), None) for one in texts]
    return list(clusters_of((one.exact, one.signature) for one in prints))


def test_the_same_and_nearly_the_same_are_told_apart() -> None:
    same = text(1)
    members = clusters(text(2), same, [*same[:-20], *text(4, 20)], same, text(3))
    assert [(one.number, one.exact, one.near) for one in members] == [(1, 1, 1), (2, None, 1), (3, 1, 1)]
    assert (members[0].similarity, members[2].similarity) == (1.0, 1.0)
    assert 0.6 < members[1].similarity < 1.0


def test_agency_text_under_another_lead_is_nearly_the_same() -> None:
    agency = text(1, 300)
    assert [one.near for one in clusters([*text(2, 60), *agency], [*text(3, 60), *agency])] == [0, 0]


def test_what_portals_put_behind_every_article_makes_none_the_same() -> None:
    appendix = text(9, 100)
    assert clusters(*([*text(seed, 200), *appendix] for seed in range(200))) == []


def test_a_chain_is_one_cluster_whose_first_is_the_earliest() -> None:
    long = text(1, 400)
    chain = [long[start : start + 200] for start in (0, 50, 100, 150, 200)]
    assert [one.near for one in clusters(*chain)] == [0] * 5
    assert clusters(chain[0], chain[4]) == []


def test_many_copies_with_small_differences_are_one_cluster_in_no_time() -> None:
    same = text(1)
    members = clusters(*([*same, f"number{copy}"] for copy in range(3_000)))
    assert [one.near for one in members] == [0] * 3_000


def test_no_text_is_like_no_text() -> None:
    assert clusters([], [], ["one"], ["two"]) == []
    assert list(clusters_of([])) == []


def test_a_stop_ends_it() -> None:
    stop = Flag()
    stop.set()
    prints = [fingerprint(" ".join(text(seed)), None) for seed in range(3)]
    with pytest.raises(Stopped):
        list(clusters_of(((one.exact, one.signature) for one in prints), stop))


_MANY = """
import sys
import numpy as np
from tests.support.memory import peak_megabytes
from webarticlecurator.analysis.clusters import clusters_of
from webarticlecurator.analysis.fingerprints import NUMBERS

def texts(own, count):
    chance = np.random.default_rng(1)
    shared = chance.integers(0, 65536, NUMBERS - own, dtype="<u2").tobytes()
    for number in range(count):
        yield number.to_bytes(16, "little"), chance.integers(0, 65536, own, dtype="<u2").tobytes() + shared


before = peak_megabytes()
print(len({member.near for member in clusters_of(texts(*map(int, sys.argv[1:])))}), peak_megabytes() - before)
"""


@pytest.mark.slow
@memory.told
@pytest.mark.parametrize(("own", "clusters"), [(NUMBERS, 0), (NUMBERS // 2, 1)], ids=["unlike", "alike"])
def test_the_signatures_of_many_texts_are_never_all_in_memory(own: int, clusters: int) -> None:
    count = 80_000
    ran = subprocess.run([sys.executable, "-c", _MANY, str(own), str(count)], capture_output=True, check=True, text=True)
    found, megabytes = ran.stdout.split()
    assert int(found) == clusters
    assert float(megabytes) < count * 2 * NUMBERS / 1e6


@pytest.mark.slow
def test_clusters_do_not_depend_on_the_hash_seed() -> None:
    program = (
        "from webarticlecurator.analysis.fingerprints import fingerprint; import hashlib;"
        "one = fingerprint(' '.join(f'word{n}' for n in range(99)), None);"
        "print(hashlib.sha256(one.exact + one.signature).hexdigest())"
    )
    digests = {
        subprocess.run(
            [sys.executable, "-c", program], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, check=True, text=True
        ).stdout.strip()
        for seed in ("0", "1", "77")
    }
    one = fingerprint(" ".join(f"word{number}" for number in range(99)), None)
    assert one.exact is not None and one.signature is not None
    assert digests == {sha256(one.exact + one.signature).hexdigest()}
