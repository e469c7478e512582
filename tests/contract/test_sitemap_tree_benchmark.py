"""The benchmark of a tree of a million addresses, small: memory stays level, the queue grows meanwhile, what was cut off goes on."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchmarks.results import load

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "sitemap_tree.py"


@pytest.mark.slow
def test_a_tree_takes_little_memory_and_its_queue_grows_while_it_is_read(tmp_path: Path) -> None:
    place = tmp_path / "tree.json"
    sizes = ["--urls", "20000", "--each", "2500", "--forms", "gz"]
    subprocess.run([sys.executable, SCRIPT, *sizes, "--result", place], capture_output=True, check=True)
    figures = {figure.name.removeprefix("gz: "): figure for figure in load(place).figures}
    assert [name for name, figure in figures.items() if figure.reached is False] == []
    assert figures["addresses that it then knows"].value == 20_000
    assert figures["lengths of the queue seen on the way"].value >= 1
    assert figures["addresses in the queue when it was killed at half"].value < 20_000
    assert figures["memory of the crawl"].at_most == 150
