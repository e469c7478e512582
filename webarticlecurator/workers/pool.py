"""The workers of a build or a survey: this process alone, or several others that share out the tasks; results come in their order."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager, suppress
from types import TracebackType
from typing import Any, Generic, Protocol, Self, TypeVar

from webarticlecurator.errors import CorpusError

Task = TypeVar("Task")
Result = TypeVar("Result")

BATCH = 32
"""Tasks in one message to a worker."""
_AHEAD = 3
"""Messages per worker that are on their way at a time: memory does not grow with the corpus."""
BATCH_SECONDS = 180.0
PAGE_SECONDS = 60.0
"""A worker that takes longer hangs, and is ended."""

# Not `multiprocessing`: its start methods either copy a process that has threads, or run the main program of whoever calls us again
# (a script without a guard would build for ever). A worker here is a plain process that imports only what it needs.
_START = "import sys; sys.path[:] = sys.argv[1:]; from webarticlecurator.workers.process import serve; serve()"


class Worker(Protocol[Task, Result]):
    """Does tasks: in this process, or in one of several."""

    def make(self, tasks: list[Task]) -> list[Result]:
        """What comes of these tasks, in their order."""
        ...

    def give_up(self, task: Task, reason: str) -> Result:
        """What comes of a task whose worker died."""
        ...


class Job(Protocol[Task, Result]):
    """All that a worker needs to know beside its tasks; it travels to other processes by pickling."""

    def worker(self) -> Worker[Task, Result]:
        """Whoever does tasks of this job, made where they are done."""
        ...


def run(job: Job[Task, Result], tasks: Iterable[Task], *, processes: int, batch: int = BATCH) -> Iterator[list[Result]]:
    """What comes of all tasks, batch by batch, in their order. With one process that is this one: a page that crashes it ends the work."""
    if processes == 1:
        yield from map(job.worker().make, _batches(tasks, batch))
        return
    with ProcessPool(job, processes, batch=batch) as pool:
        yield from pool.make(tasks)


class ProcessPool(Generic[Task, Result]):
    """Several processes; one that dies on a page costs that page and nothing else."""

    def __init__(
        self,
        job: Job[Task, Result],
        size: int,
        *,
        batch: int = BATCH,
        batch_seconds: float = BATCH_SECONDS,
        page_seconds: float = PAGE_SECONDS,
    ) -> None:
        self._job = job
        self._pickled_job = pickle.dumps(job, pickle.HIGHEST_PROTOCOL)
        self._size = size
        self._batch = batch
        self._batch_seconds, self._page_seconds = batch_seconds, page_seconds
        self._pool = ThreadPoolExecutor(size, thread_name_prefix="worker")
        self._own = threading.local()
        self._workers: list[_Process[Task, Result]] = []
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._closed = True
        self._pool.shutdown(wait=error is None, cancel_futures=True)
        for worker in self._workers:
            worker.end()

    def make(self, tasks: Iterable[Task]) -> Iterator[list[Result]]:
        """Have the work done; the batches come in the order in which their tasks were given."""
        waiting: deque[Future[list[Result]]] = deque()
        for batch in _batches(tasks, self._batch):
            waiting.append(self._pool.submit(self._make, batch))
            if len(waiting) >= _AHEAD * self._size:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _make(self, batch: list[Task]) -> list[Result]:
        try:
            return self._worker().ask(batch, self._batch_seconds)
        except _DiedError:  # on which of them?
            return [self._make_one(task) for task in batch]

    def _make_one(self, task: Task) -> Result:
        try:
            (result,) = self._worker().ask([task], self._page_seconds)
            return result
        except _DiedError as death:
            return self._job.worker().give_up(task, str(death))

    def _worker(self) -> _Process[Task, Result]:
        """This thread's process, or a new one where that has died."""
        worker: _Process[Task, Result] | None = getattr(self._own, "worker", None)
        if self._closed:
            raise RuntimeError("the work has ended")  # nobody waits for this any more
        if worker is None or worker.is_dead:
            worker = self._own.worker = _Process(self._pickled_job)
            self._workers.append(worker)
        return worker


class _DiedError(Exception):
    """A worker ended instead of answering; the message says how."""


class _Process(Generic[Task, Result]):
    """One process, asked from one thread."""

    def __init__(self, job: bytes) -> None:
        command = [sys.executable, "-c", _START, *sys.path]
        environment = {"OPENBLAS_NUM_THREADS": "1", **os.environ}  # there are as many workers as processors
        with _signals_blocked():
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment)
        self._stdin: Any = self._process.stdin
        self._stdout: Any = self._process.stdout
        try:
            self._send_and_receive(job, PAGE_SECONDS)
        except _DiedError as death:
            raise CorpusError(f"No process could be started to work with: {death}. With --jobs 1 none is needed.") from death

    @property
    def is_dead(self) -> bool:
        return self._process.poll() is not None

    def ask(self, tasks: list[Task], seconds: float) -> list[Result]:
        """Have tasks done. Raises what the worker could not go on with, and _DiedError."""
        answer = self._send_and_receive(pickle.dumps(tasks, pickle.HIGHEST_PROTOCOL), seconds)
        if isinstance(answer, Exception):
            raise answer
        results: list[Result] = answer
        return results

    def end(self) -> None:
        """Let the process go; one that still works on something is not waited for."""
        with suppress(OSError):
            self._stdin.close()
        try:
            self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._stdout.close()

    def _send_and_receive(self, message: bytes, seconds: float) -> Any:
        late = threading.Event()

        def end_it() -> None:
            late.set()
            self._process.kill()

        timer = threading.Timer(seconds, end_it)
        timer.daemon = True
        timer.start()
        try:
            self._stdin.write(message)
            self._stdin.flush()
            return pickle.load(self._stdout)
        except (EOFError, OSError, pickle.UnpicklingError):
            self._process.kill()
            raise _DiedError(_how_it_died(self._process.wait(), seconds if late.is_set() else None)) from None
        finally:
            timer.cancel()


@contextmanager
def _signals_blocked() -> Iterator[None]:
    """A process that is started now never hears of these: they are for the one that hands out the tasks, and ends it."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT, signal.SIGTERM, signal.SIGHUP))
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _how_it_died(code: int, seconds: float | None) -> str:
    if seconds is not None:
        return f"it was not done after {seconds:g} seconds"
    if code < 0:
        return f"the process that read it was killed ({signal.Signals(-code).name})"
    return f"the process that read it ended with code {code}"


def _batches(tasks: Iterable[Task], size: int) -> Iterator[list[Task]]:
    """Tasks in batches: small enough to be shared out evenly, large enough to be worth a message."""
    batch: list[Task] = []
    for task in tasks:
        batch.append(task)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
