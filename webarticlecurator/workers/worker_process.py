"""A process that does tasks, seen from both sides: the one that starts, asks and ends it, and the one that
works."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import threading
from contextlib import suppress
from socket import gethostname
from typing import Any

from webarticlecurator.budget import READING_LIMIT, no_collector
from webarticlecurator.errors import CorpusError, CuratorError

# Not `multiprocessing`: its start methods either copy a process that has threads, or run the main program of
# whoever calls us again (a script without a guard would build for ever). A worker here is a plain process
# that imports only what it needs.
_START = (
    "import sys; sys.path[:] = sys.argv[1:]; from webarticlecurator.workers.worker_process import serve; "
    "serve()"
)
_STARTS, _START_SECONDS = 10, 60.0
_PATIENCE = (180.0, 2 * READING_LIMIT)
"""Seconds for a batch and for a task alone; what takes longer hangs."""


class ProcessDied(Exception):
    """A process ended instead of answering; the message says how."""


class WorkerProcess:
    """A process for a job, a new one where it died; one task that is deadly costs that task and nothing else.
    Asked from one thread. `seconds`: how long a batch may take, or a task alone, where that is not usual."""

    def __init__(self, job: bytes, seconds: float | None = None) -> None:
        self.job = job
        self._for_batch, self._for_task = _PATIENCE if seconds is None else (seconds, seconds)
        self._process: subprocess.Popen[bytes] | None = None
        self._closed = False

    def take(self, job: bytes) -> None:
        """Take a job: from now on tasks are of that one."""
        if job is not self.job:
            self.job = job
            if self._process is not None:
                with suppress(ProcessDied):  # then the next task starts another
                    _answer(self._process, job, _START_SECONDS)

    def make(self, batch: bytes) -> bytes:
        """Return what comes of a pickled batch: pickled results, or a pickled exception that ends the
        work."""
        with suppress(ProcessDied):
            return self._ask(batch, self._for_batch)
        results: list[Any] = []
        for task in pickle.loads(batch):  # on which of them?
            try:
                results += self.answer([task], self._for_task)
            except ProcessDied as death:
                results.append(pickle.loads(self.job).worker().give_up(task, str(death)))
            except (CuratorError, OSError) as error:
                return pickled(error)
        return pickled(results)

    def answer(self, tasks: list[Any], seconds: float) -> list[Any]:
        """Return what comes of these tasks at once. Raises ProcessDied, also where that takes longer; the
        next ones get a new process."""
        return results_of(self._ask(pickled(tasks), seconds))

    def end(self) -> None:
        """Let the process go, which ends when nobody speaks to it any more; one that still works on something
        is not waited for."""
        self._closed = True
        if self._process is None:
            return
        with suppress(OSError):
            self._process.stdin.close()  # type: ignore[union-attr]
        try:
            self._process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process.stdout.close()  # type: ignore[union-attr]

    def _ask(self, batch: bytes, seconds: float) -> bytes:
        if self._closed:
            raise RuntimeError("the work has ended")  # nobody waits for this any more
        if self._process is None or self._process.poll() is not None:
            environment = {
                "OPENBLAS_NUM_THREADS": "1",
                **os.environ,
            }  # there are as many workers as processors
            command, pipe = [sys.executable, "-c", _START, *sys.path], subprocess.PIPE
            for left in reversed(range(_STARTS)):
                # In a session of its own: Ctrl-C and a closed terminal are for the process that hands out the
                # tasks, and ends this one.
                process = subprocess.Popen(
                    command, stdin=pipe, stdout=pipe, env=environment, start_new_session=True
                )
                try:
                    _answer(process, self.job, _START_SECONDS)
                    break
                except ProcessDied as death:  # one that somebody ended before it was asked for anything is no reason to give up
                    if not left:
                        what = (
                            f"No process could be started on {gethostname()} to work with: {death}. With "
                            "--jobs 1 none is needed."
                        )
                        raise CorpusError(what) from None
            self._process = process
        return _answer(self._process, batch, seconds)


def serve() -> None:
    """Work until stdin ends, or until nobody is there any more to take the results."""
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())  # a library that prints must not speak into the answers
    try:
        worker: Any = None
        while True:
            received = pickle.loads(pickle.load(sys.stdin.buffer))
            if not isinstance(received, list):  # a job
                worker = received.worker()
                _send(answers, b"")
                continue
            try:
                with no_collector():
                    made = pickled(worker.make(received))
            except (
                CuratorError,
                OSError,
            ) as error:  # a full disk is not the page's fault: whoever handed out the tasks must know
                made = pickled(error)
            _send(answers, made)
    except (EOFError, pickle.UnpicklingError, BrokenPipeError):
        os._exit(0)  # past the flush of what nobody takes


def pickled(value: object) -> bytes:
    """Return a value in the form in which everything travels between workers."""
    return pickle.dumps(value, pickle.HIGHEST_PROTOCOL)


def results_of(answer: bytes) -> list[Any]:
    """Return what a worker answered. Raises what it could not go on with."""
    results: list[Any] | Exception = pickle.loads(answer)
    if isinstance(results, Exception):
        raise results
    return results


def _answer(process: subprocess.Popen[bytes], message: bytes, seconds: float) -> bytes:
    """Raises ProcessDied."""
    late = threading.Event()

    def end_it() -> None:
        late.set()
        process.kill()

    timer = threading.Timer(seconds, end_it)
    timer.daemon = True
    timer.start()
    try:
        _send(process.stdin, message)
        answer: bytes = pickle.load(process.stdout)  # type: ignore[arg-type]
        return answer
    except (EOFError, pickle.UnpicklingError, OSError):  # it ended before, or in the middle of its answer
        process.kill()
        code = process.wait()
    finally:
        timer.cancel()
    if late.is_set():
        raise ProcessDied(f"it was not done after {seconds:g} seconds")
    how = f"was killed ({signal.Signals(-code).name})" if code < 0 else f"ended with code {code}"
    raise ProcessDied(f"the process that read it {how}")


def _send(pipe: Any, message: bytes) -> None:
    pickle.dump(message, pipe, pickle.HIGHEST_PROTOCOL)
    pipe.flush()
