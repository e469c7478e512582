"""How much memory this process has."""

from __future__ import annotations

import resource
from pathlib import Path

import pytest

_FILE = Path("/proc/self/statm")

told = pytest.mark.skipif(not _FILE.exists(), reason=f"memory is read from {_FILE}")
"""For tests that need to know."""


def megabytes() -> float:
    return int(_FILE.read_text("ascii").split()[1]) * resource.getpagesize() / 2**20


def peak_megabytes() -> float:
    """The most that it ever had; what getrusage tells may be of the process that started it."""
    (line,) = [line for line in Path("/proc/self/status").read_text("ascii").splitlines() if line.startswith("VmHWM:")]
    return int(line.split()[1]) / 2**10
