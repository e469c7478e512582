"""A job of strings that costs nothing but what its tasks ask for; it lies in a module, so that other processes find it."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class SimulatedJob:
    """Gives each task back, or does what it names."""

    seconds: float = 0.0
    """For each batch."""
    ground: Path | None = None
    """A file that all workers must find alike."""

    def worker(self) -> SimulatedJob:
        return self

    def must_agree(self) -> Mapping[str, str]:
        return {} if self.ground is None else {"the ground": self.ground.read_text() if self.ground.exists() else "nothing"}

    def make(self, tasks: list[str]) -> list[str]:
        for task in tasks:
            if task == "ends its process":
                os.kill(os.getpid(), signal.SIGKILL)
            if task == "ends Dask's worker":
                os.kill(os.getppid(), signal.SIGKILL)
            if task == "hangs":
                time.sleep(3_600)
            if task == "full disk":
                raise OSError(28, "No space left on device")
        time.sleep(self.seconds)
        return tasks

    def give_up(self, task: str, reason: str) -> str:
        return f"{task}: {reason}"
