"""What runs on the workers of a Dask cluster: processes of ours do the tasks there, so that what crashes or hangs is not Dask's own."""

from __future__ import annotations

import pickle
import socket
import sys
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.metadata import version

from webarticlecurator.errors import CuratorError
from webarticlecurator.version import NAME, VERSION
from webarticlecurator.workers.asked_process import ProcessKeeper, pickled

_UNUSED_SECONDS = 300.0
"""A process that nobody asked for so long is ended: whoever began the work may be gone."""
_LOOKS_SECONDS = 60.0
Found = dict[str, str]
"""What must be the same everywhere: what it is -> how it is here."""


@dataclass(frozen=True, slots=True)
class SentJob:
    """A job as it travels to a worker."""

    key: str
    """Of this run: what workers know it by."""
    job: bytes
    """Pickled."""
    expected: Found
    """What the worker must find, too."""


class JobMissing(Exception):
    """A worker came after the job was told to all; it has to be told."""


class WorkerDiffers(Exception):
    """A worker that came while the work went on found something else than the others."""

    def __init__(self, host: str, found: Found) -> None:
        super().__init__(host, found)
        self.host, self.found = host, found


def version_here() -> str:
    """Of this package."""
    return VERSION


def versions() -> Found:
    """Of all that what is made depends on, apart from the job."""
    return {NAME: VERSION, "Python": f"{sys.version_info.major}.{sys.version_info.minor}", "lxml": version("lxml")}


def found_here(job: bytes, expected: Mapping[str, str]) -> Found:
    """What this place has to say of a job; where versions are not the expected ones, only that: the job may not even be readable."""
    found = versions()
    return found | pickle.loads(job).must_agree() if found.items() <= expected.items() else found


def take(sent: SentJob) -> Found:
    """Keep a job, for the tasks that come; says what is found here."""
    _JOBS.keep(sent)
    return found_here(sent.job, sent.expected)


def do(key: str, batches: list[bytes], sent: SentJob | None = None) -> bytes:
    """Have pickled batches of tasks done; gives a pickled list of pickled results, or a pickled exception that ends the work."""
    try:
        if sent is not None and not _JOBS.knows(key):
            found = found_here(sent.job, sent.expected)
            if found != sent.expected:
                raise WorkerDiffers(socket.gethostname(), found)
            _JOBS.keep(sent)
        return pickled([_JOBS.make(key, batch) for batch in batches])
    except (CuratorError, OSError, JobMissing, WorkerDiffers) as error:
        return pickled(error)


def forget(key: str) -> None:
    """The work on a job is over, or nobody waits for it any more."""
    _JOBS.forget(key)


@dataclass(slots=True)
class _Kept:
    """A job, and its processes that nobody asks right now, with when they were asked last."""

    job: bytes
    idle: list[tuple[float, ProcessKeeper]] = field(default_factory=list)


@dataclass(slots=True)
class _Jobs:
    """The jobs of this worker: each has as many processes as there are threads that ask."""

    _kept: dict[str, _Kept] = field(default_factory=dict)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _watched: bool = False

    def knows(self, key: str) -> bool:
        return key in self._kept

    def keep(self, sent: SentJob) -> None:
        with self._lock:
            self._kept.setdefault(sent.key, _Kept(sent.job))
            if not self._watched:
                self._watched = True
                threading.Thread(target=self._end_unused, daemon=True).start()

    def make(self, key: str, batch: bytes) -> bytes:
        """With a process that nobody else asks meanwhile."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is None:
                raise JobMissing
            process = kept.idle.pop()[1] if kept.idle else ProcessKeeper(kept.job)
        try:
            return process.make(batch)
        finally:
            with self._lock:
                kept.idle.append((time.monotonic(), process))
                is_over = self._kept.get(key) is not kept
            if is_over:
                _end(kept.idle)

    def forget(self, key: str) -> None:
        with self._lock:
            kept = self._kept.pop(key, None)
        if kept is not None:
            _end(kept.idle)

    def _end_unused(self) -> None:
        while True:
            time.sleep(_LOOKS_SECONDS)
            before = time.monotonic() - _UNUSED_SECONDS
            with self._lock:
                unused = [one for kept in self._kept.values() for one in kept.idle if one[0] < before]
                for kept in self._kept.values():
                    kept.idle = [one for one in kept.idle if one[0] >= before]
            _end(unused)


def _end(processes: list[tuple[float, ProcessKeeper]]) -> None:
    while processes:
        processes.pop()[1].end()


_JOBS = _Jobs()
"""Dask's threads share it: a function is all that they are given."""
