"""Whole processes measured from outside: CPU, wall time and memory as the operating system accounts for them."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

_ALONE = """
import os, sys
pid = os.posix_spawnp(sys.argv[2], sys.argv[2:], os.environ)
_, status, usage = os.wait4(pid, 0)
with open(sys.argv[1], "w") as told:
    print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss, file=told)
sys.exit(os.waitstatus_to_exitcode(status) % 256)
"""
"""Between a benchmark and what it measures: the kernel counts the most memory of whoever begins a process as that process's own."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What one finished process has used."""

    cpu: float
    """Seconds, user and system."""
    wall: float
    memory: float
    """Megabytes, the most at any time."""
    output: str
    """What it wrote to stdout."""
    errors: str
    """What it wrote to stderr."""


def run(
    command: Sequence[str | Path], *, cwd: Path | None = None, env: Mapping[str, str] | None = None, codes: Sequence[int] = (0,)
) -> Cost:
    """Run a command to its end and give what it has used; an exit code that was not expected ends the benchmark."""
    words = [str(part) for part in command]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err, tempfile.NamedTemporaryFile("r") as usage:
        begin = time.monotonic()
        alone = [sys.executable, "-S", "-c", _ALONE, usage.name, *words]
        code = subprocess.run(alone, stdout=out, stderr=err, cwd=cwd, env={**os.environ, **(env or {})}, check=False).returncode
        wall = time.monotonic() - begin
        out.seek(0)
        err.seek(0)
        errors = err.read().decode(errors="replace")
        if code not in codes:
            raise SystemExit(f"{' '.join(words)}\nended with {code}:\n{errors[-2000:]}")
        cpu, memory = usage.read().split()
        return Cost(float(cpu), wall, float(memory) / 1024, out.read().decode(), errors)


def size_of(folder: Path, pattern: str) -> int:
    """Bytes of the files below a folder that match."""
    return sum(path.stat().st_size for path in folder.rglob(pattern))
