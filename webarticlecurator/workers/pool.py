"""Tasks are shared out among workers, whoever they are; what comes of them comes in the order of the tasks."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import islice
from types import TracebackType
from typing import Any, Protocol, Self, TypeVar

from webarticlecurator.workers.carriers import Workers
from webarticlecurator.workers.process import WorkerProcess, pickled, results_of

Task = TypeVar("Task")
Result = TypeVar("Result")

BATCH = 32
"""Tasks in one message to a worker: neighbours, so that what they lie in is read once."""
_AHEAD = 3
"""Messages per worker that are on their way at a time: memory does not grow with the corpus."""


class Worker(Protocol[Task, Result]):
    """Does tasks: in this process, or in one of several, on this machine or another."""

    def make(self, tasks: list[Task]) -> list[Result]:
        """What comes of these tasks, in their order."""
        ...

    def give_up(self, task: Task, reason: str) -> Result:
        """What comes of a task whose worker died."""
        ...


class Job(Protocol[Task, Result]):
    """All that a worker needs to know beside its tasks; it travels to other processes and machines by pickling."""

    def worker(self) -> Worker[Task, Result]:
        """Whoever does tasks of this job, made where they are done."""
        ...

    def must_agree(self) -> Mapping[str, str]:
        """What must be found alike on every machine of a cluster, such as the files that the job reads, each with what is found here."""
        ...


def run(job: Job[Task, Result], tasks: Iterable[Task], *, workers: Workers, batch: int = BATCH) -> Iterator[list[Result]]:
    """What comes of all tasks, batch by batch, in their order."""
    if workers.is_here:
        yield from map(job.worker().make, _batches(tasks, batch))
        return
    with _pool(job, workers) as pool:
        waiting: deque[tuple[list[Task], Any]] = deque()
        for some in _batches(tasks, batch):
            waiting.append((some, pool.submit(some)))
            if len(waiting) >= _AHEAD * pool.size:
                yield pool.results(*waiting.popleft())
        while waiting:
            yield pool.results(*waiting.popleft())


def _pool(job: Job[Any, Any], workers: Workers) -> Any:
    if workers.cluster is None:
        return ProcessPool(job, workers.processes)
    from webarticlecurator.workers.dask_cluster import DaskPool

    return DaskPool(job, workers)


class ProcessPool:
    """Several processes of this machine; one that dies on a page costs that page and nothing else."""

    def __init__(self, job: Job[Any, Any], size: int) -> None:
        self.size = size
        self._job = pickled(job)
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="worker")
        self._own = threading.local()
        self._processes: list[WorkerProcess] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._threads.shutdown(wait=error is None, cancel_futures=True)
        for process in self._processes:
            process.end()

    def submit(self, tasks: list[Any]) -> Future[list[Any]]:
        """Have tasks done."""
        return self._threads.submit(self._make, tasks)

    def results(self, tasks: list[Any], future: Future[list[Any]]) -> list[Any]:  # noqa: ARG002
        """What came of them."""
        return future.result()

    def _make(self, tasks: list[Any]) -> list[Any]:
        if not hasattr(self._own, "process"):
            self._own.process = WorkerProcess(self._job)
            self._processes.append(self._own.process)
        return results_of(self._own.process.make(pickled(tasks)))


def _batches(tasks: Iterable[Task], size: int) -> Iterator[list[Task]]:
    """Tasks in batches: small enough to be shared out evenly, large enough to be worth a message."""
    remaining = iter(tasks)
    while batch := list(islice(remaining, size)):
        yield batch
