"""No measured figure stands in a document, but in the two pages that `make bench` and `make soak` write from results alone.

A number with a unit that the code holds as well is a constant of the program; any other was measured. What was measured and happens to be a
number of the program is not seen, nor what is said in words.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import CodeType

import pytest

ROOT = Path(__file__).resolve().parent.parent
WRITTEN_FROM_RESULTS = {"performance.md", "long-run.md"}
"""tests/unit/benchmarks/test_bench.py and tests/faults/test_long_run.py hold them to that."""
PLACES = ("*.md", "docs/**/*.md", "benchmarks/*.md", "site_configs/**/*.yaml")
DOCUMENTS = [path for place in PLACES for path in sorted(ROOT.glob(place)) if path.name not in WRITTEN_FROM_RESULTS]

NUMBER = r"(?<![\w.,-])\d[\d,]*(?:\.\d+)?"
MEASURED = re.compile(
    r"(?<![\w.])0?\.\d\d+\b"  # a score: 0.97, .926
    r"|\d\.\d+ ?(?:%|times\b|s\b|seconds|[KMG]B)"
    rf"|{NUMBER} ?[mµ]s\b"
    rf"|{NUMBER} times (?:as|the|less|more|faster|slower|quicker)\b"
)
"""No constant of the program is written like this."""
COUNTED = re.compile(rf"{NUMBER} (?:of|in|out of) (?:the |its |all )?\d[\d,]* (?:pages|articles|posts|words|blocks|sites|links)\b")
UNITS = {"%": (0.01, 1), "s": (1,), "second": (1,), "min": (60,), "minute": (60, 1), "hour": (3600, 60, 1)} | {
    "KB": (1000, 1024), "KiB": (1024,), "MB": (10**6, 2**20), "GB": (10**9, 2**30)
}  # fmt: skip
"""By what a quantity is multiplied to be what the code has in its place."""
QUANTITY = re.compile(rf"({NUMBER}) ?({'|'.join(UNITS)})(?:s\b|\b|(?<=%))")


def sentences(document: Path) -> Iterator[tuple[int, str, bool]]:
    """What it says in its own words, with the line and whether it is set apart: neither code nor what a command printed."""
    block: str | None = None
    for line, text in enumerate(document.read_text(encoding="utf-8").splitlines(), 1):
        if document.suffix == ".yaml":
            yield line, text.partition("#")[2], False
        elif fence := re.match(r"\s*```(\w*)", text):
            block = None if block is not None else fence[1]
        elif block in (None, "", "text"):
            yield line, re.sub(r"`[^`]*`|\]\([^)]*\)|--[a-z-]+ [\d.]+", "", text), block is not None


@cache
def numbers_of_the_program() -> frozenset[float]:
    """Every number that its code holds, products of numbers with them."""

    def constants(code: CodeType) -> Iterator[float]:
        for constant in code.co_consts:
            if isinstance(constant, CodeType):
                yield from constants(constant)
            else:
                yield from (round(one, 6) for one in (constant if isinstance(constant, tuple) else [constant]) if type(one) in (int, float))

    sources = (path.read_text(encoding="utf-8").replace(" * MEGABYTE", " * 1_000_000") for path in ROOT.glob("webarticlecurator/**/*.py"))
    return frozenset(one for source in sources for one in constants(compile(source, "a module", "exec", dont_inherit=True)))


def measured(text: str, *, apart: bool = False) -> list[str]:
    """What only a measurement looks like, and quantities that are no number of the program."""
    foreign = (found for found in QUANTITY.finditer(text) if not any(
        round(float(found[1].replace(",", "")) * factor, 6) in numbers_of_the_program() for factor in UNITS[found[2]]))  # fmt: skip
    return [found[0] for found in (*MEASURED.finditer(text), *(() if apart else COUNTED.finditer(text)), *foreign)]


def test_what_was_measured_stands_only_where_a_command_has_written_it() -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line}: {figure}"
        for path in DOCUMENTS
        for line, text, apart in sentences(path)
        for figure in measured(text, apart=apart)
    ]
    assert found == []


MEASUREMENTS = "4.37 ms a page|F1 0.9524|a score of .926|90.4 % are right|2.1 times|12 times as fast|of 170 MB|57 of 60 posts|91 % links"
CONSTANTS = "on 15 % of them|it reaches 1 GB|over 20 MB|500 KiB count|within 30 seconds|three times|2 / 4|WARC 1.1|from 3.11 on|0.1.0"


@pytest.mark.parametrize("text", MEASUREMENTS.split("|"))
def test_a_measurement_is_told_by_its_look_or_because_the_program_has_no_such_number(text: str) -> None:
    assert measured(text)


@pytest.mark.parametrize("text", CONSTANTS.split("|"))
def test_what_the_program_compares_with_is_no_measurement(text: str) -> None:
    assert measured(text) == []
