"""A Dask cluster whose scheduler and workers are single processes of a test, to be stopped, killed and started again."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from signal import SIGCONT

from deadly import workers as workers_of

OTHER_VERSION = "import webarticlecurator.version as v; v.VERSION = '0.0.9'\n"
"""What a worker does first that runs another version."""


class OwnDask:
    """A scheduler on a port of its own, and workers as they are asked for."""

    def __init__(self, folder: Path, environment: Mapping[str, str]) -> None:
        folder.mkdir(exist_ok=True)
        self.folder = folder
        self.environment = environment
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self.port}"
        self._started: list[subprocess.Popen[bytes]] = []
        self.start_scheduler()

    def start_scheduler(self) -> None:
        flags = ("--host", "127.0.0.1", "--port", str(self.port), "--no-dashboard")
        self.scheduler = self._start("dask_scheduler", *flags)
        end = time.monotonic() + 30
        while time.monotonic() < end:
            with suppress(OSError), socket.create_connection(("127.0.0.1", self.port), timeout=1):
                return
            time.sleep(0.05)
        raise TimeoutError("the scheduler of this test did not start")

    @property
    def workers(self) -> list[int]:
        """The processes that work, where others keep them."""
        return [worker for process in self._started for worker in workers_of(process.pid)]

    def start_worker(self, first: str = "", *, kept: bool = False) -> subprocess.Popen[bytes]:
        """`first`: Python that it runs before all else; `kept`: another process begins it anew when it ends."""
        preload = self.folder / "first.py"
        preload.write_text(first)
        here = ("--no-dashboard", "--local-directory", str(self.folder))
        flags = ("--nanny" if kept else "--no-nanny", "--nthreads", "1", "--memory-limit", "0", *here)
        return self._start("dask_worker", self.address, *flags, *(("--preload", str(preload)) if first else ()))

    def _start(self, command: str, *flags: str) -> subprocess.Popen[bytes]:
        quiet = {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "DASK_LOGGING__DISTRIBUTED": "critical", **self.environment}
        module = f"distributed.cli.{command}"
        process = subprocess.Popen([sys.executable, "-m", module, *flags], env={**os.environ, **quiet}, stderr=subprocess.DEVNULL)
        self._started.append(process)
        return process

    def end(self) -> None:
        for process in self._started:
            with suppress(ProcessLookupError):
                process.send_signal(SIGCONT)
            process.kill()
            process.wait()


@contextmanager
def own_dask(folder: Path, *, workers: int = 1, kept: bool = False, environment: Mapping[str, str] = {}) -> Iterator[OwnDask]:
    """For as long as the block lasts."""
    dask = OwnDask(folder, environment)
    try:
        for _ in range(workers):
            dask.start_worker(kept=kept)
        yield dask
    finally:
        dask.end()
