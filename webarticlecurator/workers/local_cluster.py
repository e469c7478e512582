"""A Dask cluster of our own on this machine, `--cluster local:N`: one process that holds it, and ends with the one that started it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading

from webarticlecurator.errors import CorpusError
from webarticlecurator.workers.asked_process import end

_START = "import sys; sys.path[:] = sys.argv[2:]; from webarticlecurator.workers.local_cluster import serve; serve(int(sys.argv[1]))"
_SETTINGS = {
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "2",  # a bundle that ends a third worker is looked into
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",  # the work is done by processes that it would not see
    "DASK_DISTRIBUTED__ADMIN__TICK__INTERVAL": "1s",  # fifty looks a second at its own clock, in every process, cost more than they tell
    "DASK_DISTRIBUTED__ADMIN__SYSTEM_MONITOR__INTERVAL": "5s",
    "DASK_DISTRIBUTED__SCHEDULER__ACTIVE_MEMORY_MANAGER__START": "False",
    "DASK_DISTRIBUTED__ADMIN__LOW_LEVEL_LOG_LENGTH": "10",
    "DASK_DISTRIBUTED__ADMIN__EVENTS_LOG_LENGTH": "100",
    "DASK_LOGGING__DISTRIBUTED": "critical",
}
_SECONDS_TO_END = 10


class LocalCluster:
    """A scheduler and its workers, in other processes."""

    def __init__(self, workers: int) -> None:
        command = [sys.executable, "-c", _START, str(workers), *sys.path]
        # A session of its own: Ctrl-C is for the process that hands out the tasks, and ends this one.
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**_SETTINGS, **os.environ}, start_new_session=True
        )
        assert self._process.stdout is not None
        told = self._process.stdout.readline()
        if not told:
            raise CorpusError(f"No cluster of this machine could be started: its process ended with code {self._process.wait()}.")
        self.address: str = json.loads(told)

    def end(self) -> None:
        """Have the workers end: they do when they see it gone, too."""
        end(self._process, _SECONDS_TO_END)


def serve(workers: int) -> None:
    """Hold a cluster until stdin ends; its address is told on stdout."""
    from distributed import LocalCluster as Cluster

    told = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    with Cluster(n_workers=0, host="127.0.0.1", dashboard_address="127.0.0.1:0") as cluster:  # type: ignore[no-untyped-call]
        held = [_Worker(cluster.scheduler_address) for _ in range(workers)]
        print(json.dumps(cluster.scheduler_address), file=told, flush=True)
        sys.stdin.read()
        for worker in held:
            worker.end()


class _Worker:
    """A worker of Dask's, started again whenever it ends: Dask's own nanny gives up one that ends while it begins."""

    def __init__(self, scheduler: str) -> None:
        flags = ("--no-nanny", "--nthreads", "1", "--memory-limit", "0", "--no-dashboard", "--death-timeout", "30")
        self._command = [sys.executable, "-m", "distributed.cli.dask_worker", scheduler, *flags]
        self._environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
        self._is_over = False
        self._process = self._started()
        threading.Thread(target=self._keep, daemon=True).start()

    def _started(self) -> subprocess.Popen[bytes]:
        return subprocess.Popen(self._command, env=self._environment, stdin=subprocess.DEVNULL)

    def _keep(self) -> None:
        while True:
            self._process.wait()
            if self._is_over:
                return
            self._process = self._started()

    def end(self) -> None:
        self._is_over = True
        self._process.terminate()
        self._process.wait()
