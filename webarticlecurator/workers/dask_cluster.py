"""A Dask cluster that does the work, by Dask's public interface alone; what crashes or hangs there is a
process of ours, not Dask's own."""

from __future__ import annotations

import logging
import pickle
import sys
import threading
import time
import uuid
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import CancelledError, Future
from contextlib import contextmanager, suppress
from functools import cache
from importlib import import_module
from importlib.metadata import version
from socket import gethostname
from typing import Any

from webarticlecurator.errors import CorpusError, UsageError
from webarticlecurator.version import NAME, VERSION
from webarticlecurator.workers.pool import AHEAD, Job, Workers, in_order
from webarticlecurator.workers.worker_process import WorkerProcess, pickled, results_of

_CONNECT_SECONDS, _LOOK_SECONDS = 10, 5


def found_here(job: bytes, expected: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return what a job must find alike everywhere; where versions are not the expected ones, only these: it
    may not be readable."""
    versions = {
        NAME: VERSION,
        "Python": f"{sys.version_info.major}.{sys.version_info.minor}",
        "lxml": version("lxml"),
    }
    if expected is not None and not versions.items() <= expected.items():
        return versions
    return {**versions, **pickle.loads(job).must_agree()}


def must_do_the_same(job: bytes, expected: Mapping[str, str]) -> None:
    """A worker may have come after all were compared. Raises CorpusError where it would not do the same as
    the others."""
    if difference := _difference(expected, found_here(job, expected)):
        raise CorpusError(f"The worker on {gethostname()} would not do the same as the others: {difference}.")


def _do(key: str, job: bytes, expected: Mapping[str, str], batch: bytes, seconds: float | None) -> bytes:
    """Do a batch on a worker, by a process of this thread of Dask's: one at most, for the job that was asked
    for last."""
    thread = threading.get_ident()
    known, process = _PROCESSES.get(thread, ("", None))
    if process is None or known != key:
        if process is not None:
            process.end()
        must_do_the_same(job, expected)
        process = WorkerProcess(job, seconds)
        _PROCESSES[thread] = key, process
    return process.make(batch)


def _forget(key: str) -> None:
    """Note on a worker that the work on a job is over."""
    for thread in [thread for thread, (known, _) in _PROCESSES.items() if known == key]:
        _PROCESSES.pop(thread)[1].end()


_PROCESSES: dict[int, tuple[str, WorkerProcess]] = {}


def by_cluster(
    job: Job[Any, Any], batches: Iterable[list[Any]], workers: Workers, seconds: float | None = None
) -> Iterator[list[Any]]:
    """Give what comes of all batches, in their order, whatever becomes of their workers. Raises CorpusError.
    `seconds`: how long a batch may take, where that is not usual."""
    client, key, sent = connected(workers.cluster), uuid.uuid4().hex, pickled(job)
    from distributed import KilledWorker  # which was not to be missed before `connected`

    expected = agreed(workers, sent)
    with reached(workers):
        shared = client.submit(bytes, sent, pure=False)  # once, and from worker to worker
        threads = sum(client.nthreads().values())

    def submit(tasks: list[Any]) -> tuple[list[Any], Any]:
        return tasks, client.submit(_do, key, shared, expected, pickled(tasks), seconds, pure=False)

    try:
        for tasks, future in in_order(submit, batches, AHEAD * max(1, threads)):
            try:
                results = results_of(answer(workers, future))
            except KilledWorker as death:
                reason = (
                    f"it was in a batch of {len(tasks)} that ended its worker, {death.allowed_failures + 1} "
                    "times"
                )
                workers.work.say(
                    f"A batch of {len(tasks)} ended its worker {death.allowed_failures + 1} times, and is "
                    "given up."
                )
                results = [job.worker().give_up(task, reason) for task in tasks]
            yield results
    finally:
        with suppress(
            Exception
        ):  # whoever ended the work has said why; a cluster that is gone must not speak over that
            client.run(_forget, key, on_error="ignore")


@cache
def connected(address: str) -> Any:
    """Dask's client, which stays as long as the process, so that all steps of a command share it. Raises
    CorpusError."""
    try:
        distributed = import_module("distributed")
    except ImportError as missing:
        raise UsageError(
            f"--cluster needs {missing.name}, which is not installed: pip install "
            '"webarticlecurator[cluster]"'
        ) from None
    for name in (
        "distributed",
        "distributed.client",
    ):  # what they would print, with tracebacks, is told by us
        logging.getLogger(name).setLevel(logging.CRITICAL)
    opened: Future[Any] = Future()

    def open_it() -> None:
        try:
            opened.set_result(distributed.Client(address, timeout=_CONNECT_SECONDS, set_as_default=False))
        except Exception as error:
            opened.set_exception(error)

    threading.Thread(
        target=open_it, daemon=True
    ).start()  # it waits for ever for the first word of another program
    try:
        return opened.result(2 * _CONNECT_SECONDS)
    except Exception as error:  # whatever another program there said, Dask does not expect it
        asks = (
            "Is it running (`dask scheduler`), can this machine reach it, and was Dask told of certificates "
            "(`distributed.comm.tls`)?"
        )
        raise CorpusError(
            f"No Dask scheduler answers at {address} ({type(error).__name__}). {asks}"
        ) from None


def agreed(workers: Workers, job: bytes) -> dict[str, str]:
    """Check that all workers find what is found here. Raises CorpusError, which names those that find
    something else."""
    wait_for_workers(workers)
    here = found_here(job)
    with reached(workers):
        answers = connected(workers.cluster).run(found_here, job, here, on_error="return")
    differences = {
        worker: _difference(here, there)
        for worker, there in answers.items()
        if not isinstance(there, OSError)
    }  # lost
    lines = [f"  {worker}: {difference}" for worker, difference in differences.items() if difference]
    if lines:
        raise CorpusError(
            "\n".join(
                [f"Not all workers of {workers.cluster} would do the same, so nothing was done:", *lines[:5]]
            )
        )
    return here


def answer(workers: Workers, future: Any) -> Any:
    """Return what came of something that was submitted. Raises CorpusError where there is nobody to do it,
    and what the worker raised."""
    while True:
        try:
            return future.result(timeout=_LOOK_SECONDS)
        except TimeoutError:
            if future.done():
                raise
            wait_for_workers(workers)
        except CancelledError:
            raise _gone(workers) from None


@contextmanager
def reached(workers: Workers) -> Iterator[None]:
    """The scheduler is asked something. Raises CorpusError where it is gone."""
    try:
        yield
    except (OSError, RuntimeError):  # of a client that has closed itself
        raise _gone(workers) from None


def _gone(workers: Workers) -> CorpusError:
    return CorpusError(
        f"The scheduler at {workers.cluster} is gone. Start it and its workers, and run this again: it goes "
        "on with what is not done."
    )


def wait_for_workers(workers: Workers) -> None:
    """Wait until there is a worker: where there is none, one may come. Raises CorpusError."""
    since = None
    with reached(workers):
        while not connected(workers.cluster).nthreads():
            if since is None:
                since = time.monotonic()
                workers.work.say(f"There is no worker at {workers.cluster}: waiting for one.")
            if workers.work.stopped or time.monotonic() - since > 600:  # a queue of jobs may bring some
                start = (
                    f"Start some (`dask worker {workers.cluster}`), and run this again: it goes on with what "
                    "is not done."
                )
                raise CorpusError(f"There was no worker at {workers.cluster}. {start}")
            time.sleep(0.5)


def _difference(here: Mapping[str, str], there: Mapping[str, str] | BaseException) -> str:
    """Return in which points a worker differs, in words; empty where it does not."""
    if isinstance(there, BaseException):
        return f"it cannot say what it has ({type(there).__name__}: {there})"
    return "; ".join(
        f"{name} is {there[name]} there, {here[name]} here"
        for name in here
        if name in there and there[name] != here[name]
    )
