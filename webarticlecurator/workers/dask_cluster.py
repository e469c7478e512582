"""A Dask cluster that does the work, by Dask's public interface alone; what crashes or hangs there is a process of ours, not Dask's own."""

from __future__ import annotations

import atexit
import logging
import os
import pickle
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from hashlib import sha256
from importlib.metadata import version
from types import TracebackType
from typing import Any, Self

from webarticlecurator.errors import CorpusError, UsageError
from webarticlecurator.version import NAME, VERSION
from webarticlecurator.workers.carriers import LOCAL, Workers
from webarticlecurator.workers.process import WorkerProcess, end, pickled, results_of

_CONNECT_SECONDS = 10
_LOOK_SECONDS = 5
_NO_WORKER_SECONDS = 600
"""How long is waited where there is no worker: a queue of jobs may bring some."""
_NAMED = 5
_START = """
import os, sys
sys.path[:] = sys.argv[2:]
from distributed import LocalCluster
told = os.fdopen(os.dup(1), "w")
os.dup2(2, 1)
here = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
with LocalCluster(n_workers=int(sys.argv[1]), threads_per_worker=1, memory_limit=0, **here) as cluster:
    print(cluster.scheduler_address, file=told, flush=True)
    sys.stdin.read()
"""
_SETTINGS = {
    "DASK_DISTRIBUTED__SCHEDULER__ALLOWED_FAILURES": "2",  # a bundle that ends a third worker is given up
    "DASK_DISTRIBUTED__WORKER__PROFILE__ENABLED": "False",  # the work is done by processes that it would not see
    "DASK_DISTRIBUTED__ADMIN__LOW_LEVEL_LOG_LENGTH": "10",  # it would keep the last thousand messages: bundles
    "DASK_LOGGING__DISTRIBUTED": "critical",
}


# --- what runs on a worker ---


class WorkerDiffers(Exception):
    """A worker that came while the work went on found something else than the others."""


def found_here(job: bytes, expected: Mapping[str, str] | None = None) -> dict[str, str]:
    """What a job must find alike everywhere; where versions are not the expected ones, only these: it may not be readable."""
    versions = {NAME: VERSION, "Python": f"{sys.version_info.major}.{sys.version_info.minor}", "lxml": version("lxml")}
    if expected is not None and not versions.items() <= expected.items():
        return versions
    return {**versions, **pickle.loads(job).must_agree()}


def do(key: str, job: bytes, expected: Mapping[str, str], batch: bytes) -> bytes:
    """What comes of a pickled batch, by a process of this thread of Dask's; there is one at most, for the job that was asked for last."""
    thread = threading.get_ident()
    known, process = _PROCESSES.get(thread, ("", None))
    if process is None or known != key:
        if process is not None:
            process.end()
        if found_here(job, expected) != expected:
            raise WorkerDiffers(socket.gethostname())
        process = WorkerProcess(job)
        _PROCESSES[thread] = key, process
    return process.make(batch)


def forget(key: str) -> None:
    """The work on a job is over."""
    for thread in [thread for thread, (known, _) in _PROCESSES.items() if known == key]:
        _PROCESSES.pop(thread)[1].end()


_PROCESSES: dict[int, tuple[str, WorkerProcess]] = {}


# --- what runs in the command ---


class DaskPool:
    """Tasks by the workers of a cluster, as `pool.run` wants it."""

    def __init__(self, job: Any, workers: Workers) -> None:
        self._cluster = connected(workers)
        self._job = pickled(job)
        self._key = f"{os.getpid()}-{sha256(self._job).hexdigest()[:16]}"
        self._expected = self._cluster.agreed(self._job)
        self._sent = self._cluster.client.submit(bytes, self._job, pure=False)  # once, and from worker to worker

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        with suppress(Exception):  # whoever ended the work has said why; a cluster that is gone must not speak over that
            self._cluster.client.run(forget, self._key, on_error="ignore")

    @property
    def size(self) -> int:
        """How many batches can be worked on at a time."""
        return max(1, self._cluster.threads())

    def submit(self, tasks: list[Any]) -> Any:
        """Have tasks done by somebody."""
        return self._cluster.client.submit(do, self._key, self._sent, self._expected, pickled(tasks), pure=False)

    def results(self, tasks: list[Any], future: Any) -> list[Any]:
        """What came of them, whatever became of their workers. Raises CorpusError."""
        from distributed import KilledWorker

        while True:
            try:
                return results_of(self._cluster.answer(future))
            except WorkerDiffers:  # a crawl beside us may have finished a file meanwhile; else this names it
                self._expected = self._cluster.agreed(self._job)
                future = self.submit(tasks)
            except KilledWorker as death:
                reason = f"it was in a batch of {len(tasks)} that ended its worker, {death.allowed_failures + 1} times"
                self._cluster.tell(f"A batch of {len(tasks)} ended its worker {death.allowed_failures + 1} times, and is given up.")
                worker = pickle.loads(self._job).worker()
                return [worker.give_up(task, reason) for task in tasks]


def connected(workers: Workers) -> Cluster:
    """The cluster that is meant: a connection stays as long as the process, so that all steps of a command share it."""
    address = workers.cluster or ""
    if address not in _CLUSTERS:
        _CLUSTERS[address] = Cluster(address, workers)
    _CLUSTERS[address].tell, _CLUSTERS[address].stopped = workers.tell, workers.stopped
    return _CLUSTERS[address]


@atexit.register
def disconnect() -> None:
    """Leave all clusters, and end our own."""
    while _CLUSTERS:
        _CLUSTERS.popitem()[1].close()


_CLUSTERS: dict[str, Cluster] = {}


class Cluster:
    """One scheduler, with its workers."""

    def __init__(self, name: str, workers: Workers) -> None:
        try:
            import dask  # noqa: F401
            import distributed  # noqa: F401
        except ImportError as missing:
            raise UsageError(f'--cluster needs {missing.name}, which is not installed: pip install "webarticlecurator[cluster]"') from None
        self.name, self.tell, self.stopped = name, workers.tell, workers.stopped
        self._local: subprocess.Popen[bytes] | None = None
        self._address = name
        if local := LOCAL.fullmatch(name):
            self._begin(int(local[1]))
        self.client = _client(self._address)
        try:
            theirs = self.client.run_on_scheduler(_version)  # tasks pass through it, so it must know them
        except ImportError:
            theirs = "not installed"
        if theirs != VERSION:
            raise CorpusError(
                f"The scheduler at {name} does not fit, so nothing was done: {NAME} is {theirs} there, {VERSION} here."
                " Start it with the same installation as the workers."
            )
        with suppress(LookupError):  # there is none
            self.tell(f"What {name} does is shown at {self.client.dashboard_link}")

    def _begin(self, workers: int) -> None:
        """A cluster of our own, in a process and a session of its own: Ctrl-C is for this one, and the other ends with it."""
        self._local = subprocess.Popen(
            [sys.executable, "-c", _START, str(workers), *sys.path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={**_SETTINGS, **os.environ},
            start_new_session=True,
        )
        self._address = self._local.stdout.readline().decode().strip()  # type: ignore[union-attr]
        if not self._address:
            raise CorpusError(f"No cluster of this machine could be started: its process ended with code {self._local.wait()}.")

    def close(self) -> None:
        """Leave it; our own ends."""
        self.client.close(timeout=2)
        if self._local is not None:
            end(self._local, _CONNECT_SECONDS)

    def threads(self) -> int:
        """Of all its workers."""
        with self.asked():
            return sum(self.client.nthreads().values())

    def agreed(self, job: bytes) -> dict[str, str]:
        """What all workers find as it is found here. Raises CorpusError, which names those that find something else."""
        self.wait_for_workers()
        for _ in range(2):  # a crawl beside us may have finished a file in between
            here = found_here(job)
            with self.asked():
                answers = self.client.run(found_here, job, here, on_error="return")
            differing = {worker: found for worker, found in answers.items() if found != here and not isinstance(found, OSError)}  # lost
            lines = [f"  {worker}: {_difference(here, found)}" for worker, found in differing.items()]
            if not lines:
                return here
        more = [f"  and {len(lines) - _NAMED:,} more"] if len(lines) > _NAMED else []
        raise CorpusError("\n".join([f"Not all workers of {self.name} would do the same, so nothing was done:", *lines[:_NAMED], *more]))

    def answer(self, future: Any) -> Any:
        """What came of something that was submitted. Raises CorpusError where the scheduler is gone, and what the worker raised."""
        while True:
            try:
                return future.result(timeout=_LOOK_SECONDS)
            except TimeoutError:
                if future.done():
                    raise
                self.wait_for_workers()
            except CancelledError:
                raise self._gone() from None

    @contextmanager
    def asked(self) -> Iterator[None]:
        """The scheduler is asked something. Raises CorpusError where it is gone."""
        try:
            yield
        except (OSError, RuntimeError):  # of a client that has closed itself
            raise self._gone() from None

    def _gone(self) -> CorpusError:
        return CorpusError(
            f"The scheduler at {self.name} is gone. Start it and its workers, and run this again: it goes on with what is not done."
        )

    def wait_for_workers(self) -> None:
        """Where there is none, one may come. Raises CorpusError."""
        end_of_patience = None
        while not self.threads():
            if end_of_patience is None:
                self.tell(f"There is no worker at {self.name}: waiting for one.")
                end_of_patience = time.monotonic() + _NO_WORKER_SECONDS
            if self.stopped():
                raise CorpusError(f"Interrupted while {self.name} had to be waited for, for a worker. Run this again: it goes on.")
            if time.monotonic() > end_of_patience:
                raise CorpusError(
                    f"No worker came to {self.name} for {_NO_WORKER_SECONDS} seconds. Start some (`dask worker {self.name}`),"
                    " and run this again: it goes on with what is not done."
                )
            time.sleep(0.5)


def _version() -> str:
    return VERSION


def _client(address: str) -> Any:
    """A connection to a scheduler. Raises CorpusError."""
    from distributed import Client

    for name in ("distributed", "distributed.client"):  # what they would print, with tracebacks, is told by us
        logging.getLogger(name).setLevel(logging.CRITICAL)
    opened: Future[Any] = Future()

    def open_it() -> None:
        try:
            opened.set_result(Client(address, timeout=_CONNECT_SECONDS, set_as_default=False, name="curator"))  # type: ignore[no-untyped-call]
        except Exception as error:
            opened.set_exception(error)

    threading.Thread(target=open_it, daemon=True).start()  # it waits for ever for the first word of another program
    try:
        return opened.result(2 * _CONNECT_SECONDS)
    except Exception as error:  # whatever another program there said, Dask does not expect it
        certificates = " Was Dask told of its certificates (`distributed.comm.tls`) here?" if address.startswith("tls:") else ""
        raise CorpusError(
            f"No Dask scheduler answers at {address} ({type(error).__name__})."
            f" Is it running (`dask scheduler`), and can this machine reach it?{certificates}"
        ) from None


def _difference(here: Mapping[str, str], found: Mapping[str, str] | BaseException) -> str:
    """In which a worker differs, in words."""
    if isinstance(found, ImportError):
        return f"{found.name} is not installed there"
    if isinstance(found, BaseException):
        return f"it cannot say what it has ({type(found).__name__}: {found})"
    return "; ".join(f"{name} is {found[name]} there, {here[name]} here" for name in here if name in found and found[name] != here[name])
