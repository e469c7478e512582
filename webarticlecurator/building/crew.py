"""The workers of a build: this process alone, or several others that share out the articles; results come in the order of the tasks."""

from __future__ import annotations

import pickle
import signal
import subprocess
import sys
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from types import TracebackType
from typing import Any, Self

from webarticlecurator.building.bench import Bench, Orders, batches
from webarticlecurator.building.made import Made, Task
from webarticlecurator.errors import CorpusError

BATCH = 32
"""Articles in one message to a worker."""
_AHEAD = 3
"""Messages per worker that are on their way at a time: memory does not grow with the corpus."""
BATCH_SECONDS = 180.0
PAGE_SECONDS = 60.0
"""A worker that takes longer hangs, and is ended."""

# Not `multiprocessing`: its start methods either copy a process that has threads, or run the main program of whoever calls us again
# (a script without a guard would build for ever). A worker here is a plain process that imports only what it needs.
_START = "import sys; sys.path[:] = sys.argv[1:]; from webarticlecurator.building.worker import serve; serve()"


class Alone:
    """No other process: the articles are built here. A page that crashes the interpreter ends the build."""

    def __init__(self, orders: Orders) -> None:
        self._bench = Bench(orders)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        pass

    def make(self, tasks: Iterable[Task]) -> Iterator[list[Made]]:
        """Build the articles, batch by batch."""
        return map(self._bench.make, batches(tasks, BATCH))


class Crew:
    """Several processes; one that dies on a page costs that page and nothing else."""

    def __init__(self, orders: Orders, size: int, *, batch_seconds: float = BATCH_SECONDS, page_seconds: float = PAGE_SECONDS) -> None:
        self._orders = pickle.dumps(orders, pickle.HIGHEST_PROTOCOL)
        self._bench = Bench(orders)
        self._size = size
        self._batch_seconds, self._page_seconds = batch_seconds, page_seconds
        self._pool = ThreadPoolExecutor(size, thread_name_prefix="builder")
        self._own = threading.local()
        self._workers: list[_Worker] = []
        self._closed = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._closed = True
        self._pool.shutdown(wait=error is None, cancel_futures=True)
        for worker in self._workers:
            worker.end()

    def make(self, tasks: Iterable[Task]) -> Iterator[list[Made]]:
        """Build the articles; the batches come in the order in which their tasks were given."""
        waiting: deque[Future[list[Made]]] = deque()
        for batch in batches(tasks, BATCH):
            waiting.append(self._pool.submit(self._make, batch))
            if len(waiting) >= _AHEAD * self._size:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()

    def _make(self, batch: list[Task]) -> list[Made]:
        try:
            return self._worker().ask(batch, self._batch_seconds)
        except _DiedError:  # on which of them?
            return [self._make_one(task) for task in batch]

    def _make_one(self, task: Task) -> Made:
        try:
            return self._worker().ask([task], self._page_seconds)[0]
        except _DiedError as death:
            return self._bench.give_up(task, str(death))

    def _worker(self) -> _Worker:
        """This thread's process, or a new one where that has died."""
        worker: _Worker | None = getattr(self._own, "worker", None)
        if self._closed:
            raise RuntimeError("the build has ended")  # nobody waits for this any more
        if worker is None or worker.is_dead:
            worker = self._own.worker = _Worker(self._orders)
            self._workers.append(worker)
        return worker


class _DiedError(Exception):
    """A worker ended instead of answering; the message says how."""


class _Worker:
    """One process, asked from one thread."""

    def __init__(self, orders: bytes) -> None:
        self._process = subprocess.Popen([sys.executable, "-c", _START, *sys.path], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        try:
            self._talk(lambda to_worker: to_worker.write(orders), PAGE_SECONDS)
        except _DiedError as death:
            raise CorpusError(f"No process could be started to build with: {death}. `curator build --jobs 1` needs none.") from death

    @property
    def is_dead(self) -> bool:
        return self._process.poll() is not None

    def ask(self, tasks: list[Task], seconds: float) -> list[Made]:
        """Have articles built. Raises what the worker could not go on with, and _DiedError."""
        answer = self._talk(lambda to_worker: pickle.dump(tasks, to_worker, pickle.HIGHEST_PROTOCOL), seconds)
        if isinstance(answer, Exception):
            raise answer
        made: list[Made] = answer
        return made

    def end(self) -> None:
        """Let the process go; one that still works on something is not waited for."""
        with suppress(OSError):
            self._to_worker.close()
        try:
            self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._from_worker.close()

    @property
    def _to_worker(self) -> Any:
        return self._process.stdin

    @property
    def _from_worker(self) -> Any:
        return self._process.stdout

    def _talk(self, say: Callable[[Any], object], seconds: float) -> Any:
        late = threading.Event()

        def end_it() -> None:
            late.set()
            self._process.kill()

        timer = threading.Timer(seconds, end_it)
        timer.daemon = True
        timer.start()
        try:
            say(self._to_worker)
            self._to_worker.flush()
            return pickle.load(self._from_worker)
        except (EOFError, OSError, pickle.UnpicklingError):
            self._process.kill()
            raise _DiedError(_how_it_died(self._process.wait(), seconds if late.is_set() else None)) from None
        finally:
            timer.cancel()


def _how_it_died(code: int, seconds: float | None) -> str:
    if seconds is not None:
        return f"it was not done after {seconds:g} seconds"
    if code < 0:
        return f"the process that read it was killed ({signal.Signals(-code).name})"
    return f"the process that read it ended with code {code}"
