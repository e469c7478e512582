"""Share tasks out among workers: this process alone, several processes of this machine, or a Dask cluster.

What comes of them comes in the order of the tasks, and is the same, whoever does the work.
"""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field, replace
from itertools import chain, islice
from threading import get_ident
from typing import TYPE_CHECKING, Protocol, Self, TypeVar

from webarticlecurator.budget import no_collector
from webarticlecurator.errors import UsageError
from webarticlecurator.model.progress import Work
from webarticlecurator.own_patterns import linear_at

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from webarticlecurator.workers.worker_process import WorkerProcess

Task = TypeVar("Task")
Result = TypeVar("Result")

BATCH = 32
"""Tasks in one message to a worker: neighbours, so that what they lie in is read once."""
AHEAD = 3
"""Messages per worker that are on their way at a time: memory does not grow with the corpus."""

_CLUSTER = linear_at(r"(?:tcp|tls|ws|wss)://(?:[^\s/:\[\]]+|\[[^\s/\[\]]+\]):\d{1,5}/?")


@dataclass(frozen=True, slots=True)
class Workers:
    """The processes that do the work; the results are the same, whichever they are."""

    processes: int = 1
    """The number of processes of this machine. With one that is this process: a page that crashes it ends the
    work."""
    cluster: str = ""
    """A Dask scheduler (`tcp://HOST:8786`), whose workers then do all of it."""
    work: Work = field(default_factory=Work)
    """The work, which is told, in sentences for a person, what is amiss with the workers of a cluster; and
    whether a person wants to wait no longer."""

    @classmethod
    def asked_for(cls, processes: int | None = None, cluster: str | None = None) -> Self:
        """Return what a person asked for; where that is nothing, a process a processor, at most four. Raises
        UsageError where it cannot be."""
        if processes is not None and cluster is not None:
            raise UsageError(
                "--jobs starts processes here, and --cluster has others do the work: leave one of them out."
            )
        if cluster is not None and not _CLUSTER.fullmatch(cluster):
            raise UsageError(f"{cluster!r} is no cluster; a Dask scheduler is written as tcp://HOST:8786.")
        return cls(processes or min(4, os.cpu_count() or 1), cluster or "")  # more share one disk

    @property
    def is_here(self) -> bool:
        """True if this process alone does the work."""
        return not self.cluster and self.processes == 1

    def for_tasks(self, tasks: int, batch: int) -> Self:
        """Return workers with no more processes than so few tasks keep busy; whoever asked for a cluster gets
        it."""
        return replace(self, processes=min(self.processes, 1 + tasks // batch))

    def telling(self, work: Work) -> Self:
        """Return the workers with somebody to be told, who may end the work."""
        return replace(self, work=work)


class Worker(Protocol[Task, Result]):
    """Does tasks: in this process, or in one of several, on this machine or another."""

    def make(self, tasks: list[Task]) -> list[Result]:
        """Return what comes of these tasks, in their order."""

    def give_up(self, task: Task, reason: str) -> Result:
        """Return what comes of a task whose worker died."""


class Job(Protocol[Task, Result]):
    """All that a worker needs to know beside its tasks; it travels to other processes and machines by
    pickling."""

    def worker(self) -> Worker[Task, Result]:
        """Return a worker for tasks of this job, made where they are done; itself, where it can."""
        return self  # type: ignore[return-value]

    def must_agree(self) -> Mapping[str, str]:
        """Return what must be found alike on every machine of a cluster, such as the files that the job
        reads, each with what is found here."""
        return {}


def run(
    job: Job[Task, Result],
    tasks: Iterable[Task],
    *,
    workers: Workers,
    batch: int = BATCH,
    seconds: float | None = None,
) -> Iterator[list[Result]]:
    """Give what comes of all tasks, batch by batch, in their order. `seconds`: how long a batch may take,
    where that is not usual."""
    with Pool(workers) as pool:
        yield from pool.run(job, tasks, batch=batch, seconds=seconds)


class Pool(AbstractContextManager["Pool"]):
    """Workers for one job after the other: processes that were started stay until its end; one that dies on a
    page costs that page."""

    def __init__(self, workers: Workers) -> None:
        self._workers = workers
        self._threads: ThreadPoolExecutor | None = None
        self._processes: dict[int, WorkerProcess] = {}
        """The processes by the thread that speaks to each."""

    def __exit__(self, *exception: object) -> None:
        if self._threads is not None:
            self._threads.shutdown(wait=False, cancel_futures=True)  # nobody waits for what is not done yet
        for process in tuple(self._processes.values()):
            process.end()

    def run(
        self,
        job: Job[Task, Result],
        tasks: Iterable[Task],
        *,
        batch: int = BATCH,
        seconds: float | None = None,
    ) -> Iterator[list[Result]]:
        """Give what comes of all tasks, batch by batch, in their order."""
        remaining = iter(tasks)
        if not (first := list(islice(remaining, batch))):  # so nobody need get ready for it
            return
        batches = chain([first], iter(lambda: list(islice(remaining, batch)), []))
        if self._workers.is_here:
            yield from map(no_collector()(job.worker().make), batches)
        elif self._workers.cluster:
            from webarticlecurator.workers.dask_cluster import by_cluster

            yield from by_cluster(job, batches, self._workers, seconds)
        else:
            yield from self._by_processes(job, batches, seconds)

    def _by_processes(
        self, job: Job[Task, Result], batches: Iterable[list[Task]], seconds: float | None
    ) -> Iterator[list[Result]]:
        from concurrent.futures import ThreadPoolExecutor

        from webarticlecurator.workers.worker_process import WorkerProcess, pickled, results_of

        sent = pickled(job)
        threads = self._threads = self._threads or ThreadPoolExecutor(
            self._workers.processes, thread_name_prefix="worker"
        )

        def make(tasks: list[Task]) -> list[Result]:
            process = self._processes.get(get_ident()) or self._processes.setdefault(
                get_ident(), WorkerProcess(sent, seconds)
            )
            process.take(sent)
            return results_of(process.make(pickled(tasks)))

        for future in in_order(
            lambda tasks: threads.submit(make, tasks), batches, AHEAD * self._workers.processes
        ):
            yield future.result()


def in_order(
    submit: Callable[[list[Task]], Result], batches: Iterable[list[Task]], most: int
) -> Iterator[Result]:
    """Give what was submitted of each batch, in their order, so many at a time."""
    waiting: deque[Result] = deque()
    for batch in batches:
        waiting.append(submit(batch))
        if len(waiting) >= most:
            yield waiting.popleft()
    yield from waiting
