"""A process that is asked to do tasks, seen from the one that asks: it is started, watched and ended here."""

from __future__ import annotations

import pickle
import signal
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from os import environ
from socket import gethostname
from typing import Any

from webarticlecurator.errors import CorpusError

BATCH_SECONDS = 180.0
TASK_SECONDS = 60.0
"""A process that takes longer hangs, and is ended."""

# Not `multiprocessing`: its start methods either copy a process that has threads, or run the main program of whoever calls us again
# (a script without a guard would build for ever). A worker here is a plain process that imports only what it needs.
_START = "import sys; sys.path[:] = sys.argv[1:]; from webarticlecurator.workers.process import serve; serve()"
_STARTS, _START_SECONDS = 10, 60.0
_SIZE = struct.Struct(">Q")
"""Before each message: how many bytes it has."""


@dataclass(frozen=True, slots=True)
class Limits:
    """How long a process may take."""

    batch_seconds: float = BATCH_SECONDS
    task_seconds: float = TASK_SECONDS


class ProcessDied(Exception):
    """A process ended instead of answering; the message says how."""


class AskedProcess:
    """One process, asked from one thread. Raises ProcessDied where it does not even start."""

    def __init__(self, job: bytes, limits: Limits) -> None:
        self._limits = limits
        command = [sys.executable, "-c", _START, *sys.path]
        own = {"OPENBLAS_NUM_THREADS": "1", **environ}  # there are as many workers as processors
        with signals_blocked():
            self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=own)
        self._send_and_receive(job, _START_SECONDS)

    @property
    def is_dead(self) -> bool:
        return self._process.poll() is not None

    def ask(self, batch: bytes) -> bytes:
        """Have a batch done, pickled as its answer is. Raises ProcessDied."""
        return self._send_and_receive(batch, self._limits.batch_seconds)

    def ask_one(self, batch: bytes) -> bytes:
        """Have a batch of one task done."""
        return self._send_and_receive(batch, self._limits.task_seconds)

    def end(self) -> None:
        """Let the process go; one that still works on something is not waited for."""
        end(self._process, 1)

    def _send_and_receive(self, message: bytes, seconds: float) -> bytes:
        late = threading.Event()

        def end_it() -> None:
            late.set()
            self._process.kill()

        timer = threading.Timer(seconds, end_it)
        timer.daemon = True
        timer.start()
        try:
            send(self._process.stdin, message)
            return receive(self._process.stdout)
        except (EOFError, OSError):
            self._process.kill()
            raise ProcessDied(_how_it_died(self._process.wait(), seconds if late.is_set() else None)) from None
        finally:
            timer.cancel()


class ProcessKeeper:
    """Keeps one process for a job, a new one where it died; one task that is deadly costs that task and nothing else."""

    def __init__(self, job: bytes, limits: Limits | None = None) -> None:
        self._job = job
        self._limits = limits or Limits()
        self._process: AskedProcess | None = None
        self._closed = False

    def make(self, batch: bytes) -> bytes:
        """What comes of a pickled batch: pickled results, or a pickled exception that ends the work."""
        try:
            return self._living().ask(batch)
        except ProcessDied:  # on which of them?
            return self._one_by_one(pickle.loads(batch))

    def end(self) -> None:
        """No process is needed any more."""
        self._closed = True
        if self._process is not None:
            self._process.end()

    def _one_by_one(self, tasks: list[Any]) -> bytes:
        results = []
        for task in tasks:
            try:
                answer = pickle.loads(self._living().ask_one(pickled([task])))
            except ProcessDied as death:
                answer = [pickle.loads(self._job).worker().give_up(task, str(death))]
            if isinstance(answer, Exception):
                return pickled(answer)
            results += answer
        return pickled(results)

    def _living(self) -> AskedProcess:
        if self._closed:
            raise RuntimeError("the work has ended")  # nobody waits for this any more
        if self._process is None or self._process.is_dead:
            self._process = self._started()
        return self._process

    def _started(self) -> AskedProcess:
        """A new process; one that somebody ended before it was asked for anything is no reason to give up."""
        for _ in range(_STARTS):
            try:
                return AskedProcess(self._job, self._limits)
            except ProcessDied as error:
                death = error
        raise CorpusError(f"No process could be started on {gethostname()} to work with: {death}. With --jobs 1 none is needed.")


def send(pipe: Any, message: bytes) -> None:
    """A message to another process."""
    pipe.write(_SIZE.pack(len(message)))
    pipe.write(message)
    pipe.flush()


def receive(pipe: Any) -> bytes:
    """A message of another process. Raises EOFError."""
    (size,) = _SIZE.unpack(_exactly(pipe, _SIZE.size))
    return _exactly(pipe, size)


def _exactly(pipe: Any, size: int) -> bytes:
    found: bytes = pipe.read(size)
    if len(found) != size:
        raise EOFError
    return found


def end(process: subprocess.Popen[bytes], seconds: float) -> None:
    """Let a process go that ends when nobody speaks to it any more; one that does not is killed."""
    with suppress(OSError):
        process.stdin.close()  # type: ignore[union-attr]
    try:
        process.wait(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
    process.stdout.close()  # type: ignore[union-attr]


def pickled(what: object) -> bytes:
    """As everything travels between workers."""
    return pickle.dumps(what, pickle.HIGHEST_PROTOCOL)


def results_of(answer: bytes) -> list[Any]:
    """What a worker answered. Raises what it could not go on with."""
    results: list[Any] | Exception = pickle.loads(answer)
    if isinstance(results, Exception):
        raise results
    return results


@contextmanager
def signals_blocked() -> Iterator[None]:
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
