"""Tasks are shared out among the workers of a Dask cluster; whatever becomes of these, each task is done, and its result given once."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

from webarticlecurator.errors import CorpusError
from webarticlecurator.workers.asked_process import pickled, results_of
from webarticlecurator.workers.carriers import Workers
from webarticlecurator.workers.dask_cluster import BundleKilled, Cluster, SchedulerLost, connected, differences
from webarticlecurator.workers.dask_worker import JobMissing, SentJob, WorkerDiffers
from webarticlecurator.workers.job import BATCH, Job, Result, Task, batches

T = TypeVar("T")

_AHEAD = 3
"""Bundles per thread of the cluster that are on their way at a time: memory does not grow with the corpus."""
_TOGETHER = 4
"""Batches in a bundle: each message through the scheduler costs some 5 ms of CPU."""
_LOSSES = 3
"""So often in a row a scheduler may go without a bundle being done."""


@dataclass(slots=True, eq=False)
class _Bundle(Generic[Task]):
    """Tasks that lie beside one another, and what was handed out for them last."""

    tasks: list[Task]
    handed_out: Any


class DaskPool(Generic[Task, Result]):
    """The workers of a Dask cluster."""

    def __init__(self, job: Job[Task, Result], workers: Workers, *, batch: int = BATCH) -> None:
        self._job = job
        self._pickled = pickled(job)
        self._batch = batch
        self._together = batch * _TOGETHER if batch >= BATCH else batch  # whoever asks for small batches has large tasks
        self._cluster: Cluster = connected(workers)
        self._outstanding: set[_Bundle[Task]] = set()
        self._losses = 0
        self._sent = self._told()

    def make(self, tasks: Iterable[Task]) -> Iterator[list[Result]]:
        """Have the work done; the batches come in the order in which their tasks were given."""
        waiting: deque[_Bundle[Task]] = deque()
        try:
            for bundle in batches(tasks, self._together):
                waiting.append(self._bundle(bundle))
                if len(waiting) >= _AHEAD * self._patiently(self._cluster.threads):
                    yield self._results(waiting.popleft())
            while waiting:
                yield self._results(waiting.popleft())
        finally:
            with suppress(Exception):  # whoever ended the work has said why; a cluster that is gone must not speak over that
                self._cluster.cancel(one.handed_out for one in self._outstanding)
                self._cluster.forget(self._sent)

    def _bundle(self, tasks: list[Task]) -> _Bundle[Task]:
        bundle = _Bundle(tasks, self._cluster.hand_out(self._sent, self._packed(tasks)))
        self._outstanding.add(bundle)
        return bundle

    def _packed(self, tasks: list[Task]) -> list[bytes]:
        return [pickled(batch) for batch in batches(tasks, self._batch)]

    def _results(self, bundle: _Bundle[Task], *, alone: bool = False) -> list[Result]:
        """What comes of a bundle, whatever becomes of its workers; `alone`: nothing else was done beside it."""
        try:
            while True:
                answer = self._patiently(partial(self._answer, bundle))
                try:
                    results: list[Result] = [result for part in results_of(answer) for result in results_of(part)]
                    self._losses = 0
                    return results
                except JobMissing:
                    self._hand_out_again(bundle)
                except WorkerDiffers as worker:
                    self._settle(worker)
                    self._hand_out_again(bundle)
        except BundleKilled as death:
            reason = str(death)
        finally:
            self._outstanding.discard(bundle)
        return [self._job.worker().give_up(bundle.tasks[0], reason)] if alone else self._looked_into(bundle.tasks)

    def _answer(self, bundle: _Bundle[Task]) -> bytes:
        return self._cluster.answer(bundle.handed_out)  # which may be another by now: the scheduler was lost

    def _looked_into(self, tasks: list[Task]) -> list[Result]:
        """On which of them did the workers end?"""
        if len(tasks) == 1:  # what only waits at a worker that ends counts as its end, too: it must be done by itself
            self._patiently(lambda: self._cluster.wait_for([one.handed_out for one in self._outstanding]))
            return self._results(self._bundle(tasks), alone=True)
        middle = len(tasks) // 2
        halves = [self._bundle(half) for half in (tasks[:middle], tasks[middle:])]
        return [result for half in halves for result in self._results(half)]

    def _hand_out_again(self, bundle: _Bundle[Task]) -> None:
        bundle.handed_out = self._cluster.hand_out(self._sent, self._packed(bundle.tasks), with_job=True)

    def _patiently(self, ask: Callable[[], T]) -> T:
        """What the cluster says in the end: workers that hang are passed over, a scheduler that is lost is waited for."""
        while True:
            try:
                try:
                    return ask()
                except TimeoutError:
                    self._cluster.pass_over_silent()
            except SchedulerLost:
                self._begin_again()

    def _settle(self, worker: WorkerDiffers) -> None:
        """A worker that came later found something else. Where that is how things are by now, it is right. Raises CorpusError."""
        self._sent = self._cluster.with_what_is_found_now(self._sent)
        told = "; ".join(differences(self._sent.expected, worker.found))
        if told:
            raise CorpusError(
                f"A worker on {worker.host}, which came later, would not do the same as the others: {told}. End it, and run this again."
            )

    def _told(self) -> SentJob:
        """The job, brought to the workers; a scheduler that is lost just then is waited for."""
        while True:
            try:
                return self._cluster.tell_job(self._pickled)
            except SchedulerLost:
                self._wait_for_scheduler()

    def _wait_for_scheduler(self) -> None:
        self._losses += 1
        if self._losses > _LOSSES:
            raise CorpusError(f"The scheduler of {self._cluster.name} is lost again and again. Run this again when it stands: it goes on.")
        self._cluster.begin_again()

    def _begin_again(self) -> None:
        """The scheduler knows of nothing any more: all that is not done is handed out again."""
        self._wait_for_scheduler()
        self._sent = self._told()
        for one in self._outstanding:
            one.handed_out = self._cluster.hand_out(self._sent, self._packed(one.tasks))
