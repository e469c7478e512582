"""A Dask cluster does the work: bundles of tasks go to its workers, wherever they are; dask is imported nowhere else."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Generic

from webarticlecurator.errors import UsageError
from webarticlecurator.workers.carriers import Workers
from webarticlecurator.workers.job import BATCH, Job, Result, Task


class DaskPool(Generic[Task, Result]):
    """The workers of a Dask cluster."""

    def __init__(self, job: Job[Task, Result], workers: Workers, *, batch: int = BATCH) -> None:
        self._job, self._workers, self._batch = job, workers, batch

    def make(self, tasks: Iterable[Task]) -> Iterator[list[Result]]:
        """Have the work done; the batches come in the order in which their tasks were given."""
        raise UsageError(f"{self._workers.cluster}: a cluster cannot be used yet, so {tasks} stay undone.")
