"""Whole processes measured from outside: CPU, wall time and memory as the operating system accounts for them."""

from __future__ import annotations

import os
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path


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
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        begin = time.monotonic()
        process = subprocess.Popen([str(part) for part in command], stdout=out, stderr=err, cwd=cwd, env={**os.environ, **(env or {})})
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.monotonic() - begin
        process.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        err.seek(0)
        errors = err.read().decode(errors="replace")
        if process.returncode not in codes:
            raise SystemExit(f"{' '.join(map(str, command))}\nended with {process.returncode}:\n{errors[-2000:]}")
        return Cost(usage.ru_utime + usage.ru_stime, wall, usage.ru_maxrss / 1024, out.read().decode(), errors)


def size_of(folder: Path, pattern: str) -> int:
    """Bytes of the files below a folder that match."""
    return sum(path.stat().st_size for path in folder.rglob(pattern))
