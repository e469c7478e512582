"""Whole processes measured from outside, as the system accounts for them, and environments of programs that ours is compared with."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from results import Record, version_of

os.environ.pop("PYTHONDONTWRITEBYTECODE", None)  # programs are measured as they are used: each module compiled once
os.environ.pop("PYTHONPATH", None)  # else programs of others would import ours
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


# --- published programs ---

PACKAGES = {
    "webarticlecurator": ("webarticlecurator==1.13.0",),
    "scrapy": ("scrapy>=2.13", "warcio>=1.7"),
    "html2tei": ("html2tei==1.2.3",),
    "readers": (
        *("trafilatura==2.3.*", "readability-lxml", "lxml_html_clean", "newspaper4k", "justext", "goose3", "extruct", "warcio"),
        *("orjson", "zstandard"),  # what our module that calls them wants
    ),
}
"""What each environment is made of. They lie below the system's temporary folder and are kept there for the next time. Ours has the name of
one of them, and others want libraries of other versions, so none may share ours."""


@dataclass(frozen=True, slots=True)
class Environment:
    """Where programs of others are."""

    python: Path

    def version(self, package: str) -> str:
        return version_of(package, self.python)


def environment(name: str, record: Record) -> Environment | None:
    """Made where it is not there; None, which the record says, where the index does not give it."""
    packages = PACKAGES[name]
    folder = Path(tempfile.gettempdir()) / f"curator-bench-{name}"
    python, made_of = folder / "bin" / "python", folder / "made-of"
    if not made_of.exists() or made_of.read_text() != "\n".join(packages):
        venv.create(folder, with_pip=True, clear=True)
        try:
            run([python, "-m", "pip", "install", "--quiet", "--upgrade", "pip"])
            run([python, "-m", "pip", "install", "--quiet", *packages])
        except SystemExit as refused:
            record.leave_out(f"{', '.join(packages)}: the package index did not give them ({str(refused).strip().splitlines()[-1]})")
            return None
        made_of.write_text("\n".join(packages))
    return Environment(python)
