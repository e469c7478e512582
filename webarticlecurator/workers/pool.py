"""Tasks are shared out among workers, whoever they are; what comes of them comes in the order of the tasks."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Generic, Self

from webarticlecurator.workers.asked_process import Limits, ProcessKeeper, pickled, results_of
from webarticlecurator.workers.carriers import Workers
from webarticlecurator.workers.job import BATCH, Job, Result, Task, batches

_AHEAD = 3
"""Messages per worker that are on their way at a time: memory does not grow with the corpus."""


def run(job: Job[Task, Result], tasks: Iterable[Task], *, workers: Workers, batch: int = BATCH) -> Iterator[list[Result]]:
    """What comes of all tasks, batch by batch, in their order."""
    if workers.cluster is not None:
        from webarticlecurator.workers.dask_pool import DaskPool

        yield from DaskPool(job, workers, batch=batch).make(tasks)
    elif workers.is_here:
        yield from map(job.worker().make, batches(tasks, batch))
    else:
        with ProcessPool(job, workers.processes, batch=batch) as pool:
            yield from pool.make(tasks)


class ProcessPool(Generic[Task, Result]):
    """Several processes of this machine; one that dies on a page costs that page and nothing else."""

    def __init__(self, job: Job[Task, Result], size: int, *, batch: int = BATCH, limits: Limits | None = None) -> None:
        self._job = pickled(job)
        self._size = size
        self._batch = batch
        self._limits = limits
        self._threads = ThreadPoolExecutor(size, thread_name_prefix="worker")
        self._own = threading.local()
        self._keepers: list[ProcessKeeper] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._threads.shutdown(wait=error is None, cancel_futures=True)
        for keeper in self._keepers:
            keeper.end()

    def make(self, tasks: Iterable[Task]) -> Iterator[list[Result]]:
        """Have the work done; the batches come in the order in which their tasks were given."""
        waiting: deque[Future[list[Result]]] = deque()
        for batch in batches(tasks, self._batch):
            waiting.append(self._threads.submit(self._make, batch))
            if len(waiting) >= _AHEAD * self._size:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _make(self, batch: list[Task]) -> list[Result]:
        return results_of(self._keeper().make(pickled(batch)))

    def _keeper(self) -> ProcessKeeper:
        """This thread's."""
        if not hasattr(self._own, "keeper"):
            self._own.keeper = ProcessKeeper(self._job, self._limits)
            self._keepers.append(self._own.keeper)
        keeper: ProcessKeeper = self._own.keeper
        return keeper
