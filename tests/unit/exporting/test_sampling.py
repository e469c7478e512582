"""Samples: which articles are drawn, and why always the same."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import orjson
import pytest
from built_corpora import article, built_corpus
from hypothesis import given
from hypothesis import strategies as st

from webarticlecurator.exporting.sampling import shares

STRATA = st.dictionaries(st.text("abcdef", min_size=1, max_size=3), st.integers(1, 1000), min_size=1, max_size=30)


@given(STRATA, st.integers(1, 5000), st.booleans())
def test_all_are_drawn_that_were_asked_for_and_never_more_than_there_are(strata: dict[str, int], size: int, equal: bool) -> None:
    given = shares(strata, size, equal=equal)
    assert sum(given.values()) == min(size, sum(strata.values()))
    assert all(0 <= given[name] <= strata[name] for name in strata)


@given(STRATA, st.integers(1, 5000))
def test_in_proportion_nobody_is_more_than_one_article_off(strata: dict[str, int], size: int) -> None:
    total = sum(strata.values())
    size = min(size, total)
    assert all(abs(number - size * strata[name] / total) < 1 for name, number in shares(strata, size, equal=False).items())


@given(STRATA, st.integers(1, 5000))
def test_equally_nobody_has_less_than_another_but_for_want_of_articles(strata: dict[str, int], size: int) -> None:
    given = shares(strata, size, equal=True)
    most = max(given.values())
    assert all(number >= most - 1 or number == strata[name] for name, number in given.items())


def test_examples() -> None:
    assert shares({"2023": 900, "2024": 90, "2025": 10}, 10, equal=False) == {"2023": 9, "2024": 1, "2025": 0}
    assert shares({"2023": 900, "2024": 90, "2025": 2}, 12, equal=True) == {"2025": 2, "2024": 5, "2023": 5}


@pytest.fixture(scope="module")
def articles() -> list:
    return [
        article(number, f"Text {number}.", date=f"{2020 + number % 3}-01-01", metadata={"articleSection": "a" if number % 5 else "b"})
        for number in range(60)
    ]


def drawn(file: Path, curator, *flags: object) -> list[str]:
    ended = curator("export", file, "--to", "jsonl", "-q", *flags)
    assert ended.code == 0
    return [orjson.loads(line)["id"] for line in ended.out.splitlines()]


def test_the_same_seed_draws_the_same_in_whatever_order_the_articles_were_built(tmp_path: Path, curator, articles: list) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "b").mkdir()
    one, two = built_corpus(tmp_path / "a", articles), built_corpus(tmp_path / "b", articles[::-1])
    flags = ("--sample", 12, "--by", "year,section", "--seed", 3)
    assert drawn(one, curator, *flags) == drawn(two, curator, *flags)
    assert drawn(one, curator, *flags) != drawn(one, curator, *flags[:-1], 4)
    assert len(drawn(one, curator, *flags)) == 12


def test_a_larger_sample_of_one_stratum_holds_the_smaller_one(tmp_path: Path, curator, articles: list) -> None:
    file = built_corpus(tmp_path, articles)
    assert set(drawn(file, curator, "--sample", 5)) < set(drawn(file, curator, "--sample", 20))


def test_each_stratum_gives_its_share_or_as_many_as_any_other(tmp_path: Path, curator, articles: list) -> None:
    file = built_corpus(tmp_path, articles)
    by_id = {one.id: one.section for one in articles}
    assert Counter(by_id[one] for one in drawn(file, curator, "--sample", 10, "--by", "section")) == {"a": 8, "b": 2}
    assert Counter(by_id[one] for one in drawn(file, curator, "--sample", 10, "--by", "section", "--equal")) == {"a": 5, "b": 5}
    told = curator("export", file, "--to", "jsonl", "--sample", 2, "--by", "section")
    assert "Drawn: a 2 of 48, b 0 of 12" in told.err
    assert "1 stratum is too small for an article of the sample (--equal gives them some): b" in told.err


@pytest.mark.slow
def test_nor_does_it_depend_on_the_seed_of_hashes(tmp_path: Path, articles: list) -> None:
    file = built_corpus(tmp_path, articles)
    command = [
        sys.executable,
        "-m",
        "webarticlecurator",
        "export",
        str(file),
        "--to",
        "jsonl",
        "-q",
        "--sample",
        "9",
        "--by",
        "year,section",
    ]
    outputs = {
        subprocess.run(command, env={"PYTHONHASHSEED": seed, "HOME": str(tmp_path)}, check=True, capture_output=True).stdout
        for seed in "01"
    }
    assert len(outputs) == 1
