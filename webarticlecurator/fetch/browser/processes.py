"""The processes of a browser: how much memory they hold, and how they are ended when it does not end itself."""

from __future__ import annotations

import contextlib

import psutil


class Processes:
    """A browser's first process, with all that it started."""

    def __init__(self, pid: int) -> None:
        self._first = psutil.Process(pid)

    def memory(self) -> int:
        """Bytes that they hold together; what they share is counted once where the system tells it (Linux)."""
        return sum(map(_memory, self._all()))

    def kill(self) -> None:
        """End all of them at once."""
        alive = self._all()
        for process in reversed(alive):
            with contextlib.suppress(psutil.Error):
                process.kill()
        psutil.wait_procs(alive, timeout=5)

    def _all(self) -> list[psutil.Process]:
        try:
            return [self._first, *self._first.children(recursive=True)] if self._first.is_running() else []
        except psutil.Error:
            return []


def _memory(process: psutil.Process) -> int:
    try:
        held = process.memory_full_info()
    except psutil.Error:
        return 0
    return int(getattr(held, "pss", 0) or getattr(held, "uss", 0) or held.rss)
