"""Tasks are shared out among workers, whoever they are; what comes of them comes in the order of the tasks."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from itertools import islice
from typing import Any, Protocol, Self, TypeVar

from webarticlecurator.workers.carriers import Workers
from webarticlecurator.workers.process import WorkerProcess, pickled, results_of

Task = TypeVar("Task")
Result = TypeVar("Result")

BATCH = 32
"""Tasks in one message to a worker: neighbours, so that what they lie in is read once."""
AHEAD = 3
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
    with Pool(workers) as pool:
        yield from pool.run(job, tasks, batch=batch)


class Pool:
    """Workers for one job after the other: processes that were started stay until its end."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._threads = ThreadPoolExecutor(workers.processes, thread_name_prefix="worker")
        self._own = threading.local()
        """The process of each thread."""
        self._started: list[WorkerProcess] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        self._threads.shutdown(wait=False, cancel_futures=True)
        for process in self._started:
            process.end()

    def run(self, job: Job[Task, Result], tasks: Iterable[Task], *, batch: int = BATCH) -> Iterator[list[Result]]:
        """What comes of all tasks, batch by batch, in their order."""
        remaining = iter(tasks)
        batches = iter(lambda: list(islice(remaining, batch)), [])
        if self._workers.is_here:
            yield from map(job.worker().make, batches)
        elif self._workers.cluster:
            from webarticlecurator.workers.dask_cluster import by_cluster

            yield from by_cluster(job, batches, self._workers)
        else:
            sent = pickled(job)
            futures = in_order(lambda tasks: self._threads.submit(self._make, sent, tasks), batches, AHEAD * self._workers.processes)
            for future in futures:
                yield future.result()

    def _make(self, job: bytes, tasks: list[Any]) -> list[Any]:
        """By a process of this machine; one that dies on a page costs that page and nothing else."""
        if not hasattr(self._own, "process"):
            self._own.process = WorkerProcess(job)
            self._started.append(self._own.process)
        process: WorkerProcess = self._own.process
        process.take(job)
        return results_of(process.make(pickled(tasks)))


def in_order(submit: Callable[[list[Task]], Result], batches: Iterable[list[Task]], most: int) -> Iterator[Result]:
    """What was submitted of each batch, in their order, so many at a time."""
    waiting: deque[Result] = deque()
    for batch in batches:
        waiting.append(submit(batch))
        if len(waiting) >= most:
            yield waiting.popleft()
    yield from waiting
