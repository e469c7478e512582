"""`curator open --edit`, as a person has it running while they mend values."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def served(*words: object, flags: tuple[str, ...] = ("--print",), **environment: str) -> Iterator[str]:
    """The address at which the view of an article is served; Ctrl-C ends it."""
    command = [sys.executable, "-m", "webarticlecurator", "open", *map(str, words), "--edit", *flags]
    around = {**os.environ, **environment}
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=around) as running:
        assert running.stdout is not None
        try:
            yield running.stdout.readline().strip()
        finally:
            running.send_signal(signal.SIGINT)
            said = running.communicate(timeout=20)
    assert running.returncode == 0, said
