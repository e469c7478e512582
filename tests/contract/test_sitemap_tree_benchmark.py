"""The benchmark of a tree of a million addresses, small: memory stays level, the queue grows meanwhile, what was cut off goes on."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

SCRIPT = Path(__file__).resolve().parents[2] / "benchmarks" / "sitemap_tree.py"


@pytest.mark.slow
def test_a_tree_takes_little_memory_and_its_queue_grows_while_it_is_read() -> None:
    done = subprocess.run(
        [sys.executable, SCRIPT, "--urls", "20000", "--each", "2500", "--forms", "gz"], capture_output=True, text=True, check=True
    )
    whole, again, killed = done.stdout.splitlines()
    assert "20,000 of 20,000 addresses in 8 files" in whole
    assert int(re.search(r"(\d+) MB at most", whole)[1]) < 150
    assert int(re.search(r"(\d+) different lengths of the queue", whole)[1]) >= 1
    assert "nothing new" in again
    assert "and then knows 20,000" in killed
    assert 2_500 <= int(re.search(r"half: ([\d,]+)", killed)[1].replace(",", "")) < 20_000
    assert int(re.search(r"asks for (\d)", killed)[1]) < 8
