"""The connection to a Dask cluster: its workers, whether they agree, and what becomes of lost ones; dask is imported here alone."""

from __future__ import annotations

import asyncio
import atexit
import logging
import os
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from functools import partial
from itertools import count, islice
from typing import Any

from webarticlecurator.errors import CorpusError, UsageError
from webarticlecurator.workers import dask_worker
from webarticlecurator.workers.carriers import LOCAL, Workers
from webarticlecurator.workers.dask_worker import Found, SentJob
from webarticlecurator.workers.local_cluster import LocalCluster

CONNECT_SECONDS = 10
_ASK_SECONDS = 60
"""A worker that does not answer a question for so long is lost."""
SILENT_SECONDS = 60.0
"""A worker that gives no sign of life for so long hangs; its work goes to others."""
RETURN_SECONDS = 60.0
"""How long a scheduler that is gone is waited for."""
NO_WORKER_SECONDS = 600.0
"""How long is waited where there is no worker: a queue of jobs may bring some."""
LOOKS_SECONDS = 5.0
_NAMED = 5


class BundleKilled(Exception):
    """Some tasks ended every worker that they were given to; the message says how many."""


class SchedulerLost(CorpusError):
    """All that was handed out is forgotten."""

    def __init__(self, address: str) -> None:
        super().__init__(
            f"The scheduler at {address} is gone. Start it and its workers, and run this again: it goes on with what is not done."
        )


def connected(workers: Workers) -> Cluster:
    """The cluster that is meant: a connection stays as long as the process, so that all steps of a command share it."""
    address = workers.cluster or ""
    with _LOCK:
        if address not in _CLUSTERS:
            _CLUSTERS[address] = Cluster(address, workers)
        _CLUSTERS[address].tell, _CLUSTERS[address].stopped = workers.tell, workers.stopped
        return _CLUSTERS[address]


def disconnect() -> None:
    """Leave all clusters, and end our own."""
    with _LOCK:
        while _CLUSTERS:
            _CLUSTERS.popitem()[1].close()


_LOCK = threading.Lock()
_CLUSTERS: dict[str, Cluster] = {}
atexit.register(disconnect)


class Cluster:
    """One scheduler, with its workers."""

    def __init__(self, name: str, workers: Workers) -> None:
        self.name = name
        """As it was asked for."""
        self.tell, self.stopped = workers.tell, workers.stopped
        self._local: LocalCluster | None = None
        self._numbers = count()
        self._begin()

    def _begin(self) -> None:
        local = LOCAL.fullmatch(self.name)
        _check_installed()
        if local is not None:
            self._local = LocalCluster(int(local[1]))
        self.address = self.name if self._local is None else self._local.address
        self.client = _client(self.address)
        if local is None:
            self._check_scheduler()
        else:
            with suppress(TimeoutError):  # those that are there begin
                self.client.wait_for_workers(int(local[1]), timeout=_ASK_SECONDS)
        self._seen: dict[str, tuple[float, float]] = {}
        """Of each worker its last sign of life, by the scheduler's clock, and when it was new, by ours."""
        self._threads = (0.0, 1)
        with suppress(LookupError):  # there is none
            self.tell(f"What {self.name} does is shown at {self.client.dashboard_link}")

    def _check_scheduler(self) -> None:
        """Tasks pass through it, so it must know them."""
        try:
            with self._being_there():
                theirs = self.client.run_on_scheduler(dask_worker.version_here)
        except ImportError:
            theirs = "not installed"
        if theirs != dask_worker.version_here():
            raise CorpusError(
                f"The scheduler at {self.address} does not fit, so nothing was done: webarticlecurator is {theirs} there,"
                f" {dask_worker.version_here()} here. Start it with the same installation as the workers."
            )

    def close(self) -> None:
        """Leave it; our own ends."""
        self.client.close(timeout=2)
        if self._local is not None:
            self._local.end()
            self._local = None

    # -- its workers ----------------------------------------------------------------------------------------------------------

    def workers(self) -> dict[str, Any]:
        """What the scheduler says of each, by address."""
        with self._being_there():
            found: dict[str, Any] = self.client.scheduler_info(n_workers=-1)["workers"]
        return found

    @contextmanager
    def _being_there(self) -> Iterator[None]:
        """The scheduler is asked something. Raises SchedulerLost."""
        try:
            yield
        except TimeoutError:
            raise
        except OSError:
            raise SchedulerLost(self.address) from None

    def threads(self) -> int:
        """How many bundles can be worked on at a time; looked up now and then, since workers come and go."""
        at, threads = self._threads
        if time.monotonic() - at > LOOKS_SECONDS:
            with self._being_there():
                threads = max(1, sum(self.client.nthreads().values()))
            self._threads = time.monotonic(), threads
        return threads

    def wait_for_workers(self) -> None:
        """Where there is none, one may come. Raises CorpusError."""
        if self.workers():
            return
        self.tell(f"There is no worker at {self.address}: waiting for one.")
        for _ in _tries(NO_WORKER_SECONDS):
            if self.workers():
                return
            self._check_wanted("a worker")
        raise CorpusError(
            f"No worker came to {self.address} for {NO_WORKER_SECONDS:g} seconds. Start some (`dask worker {self.address}`),"
            " and run this again: it goes on with what is not done."
        )

    def _check_wanted(self, what: str) -> None:
        """Raises CorpusError where a person does not want to wait any longer."""
        if self.stopped():
            raise CorpusError(f"Interrupted while {self.address} had to be waited for, for {what}. Run this again: it goes on.")

    def pass_over_silent(self) -> None:
        """Take away what a worker has to do that gives no sign of life any more; others do it."""
        now, workers = time.monotonic(), self.workers()
        self._seen = {address: self._sign(address, info["last_seen"], now) for address, info in workers.items()}
        for address, (_, since) in self._seen.items():
            if now - since > SILENT_SECONDS:
                self.tell(f"Worker {address} gives no sign of life; its work goes to others.")
                unregister = self.client.scheduler.unregister
                with self._being_there():
                    self.client.sync(unregister, address=address, stimulus_id=f"curator-silent-{next(self._numbers)}")
        if not workers:
            self.wait_for_workers()

    def _sign(self, address: str, last_seen: float, now: float) -> tuple[float, float]:
        before = self._seen.get(address)
        return before if before is not None and before[0] == last_seen else (last_seen, now)

    # -- work -----------------------------------------------------------------------------------------------------------------

    def tell_job(self, job: bytes) -> SentJob:
        """Bring a job to every worker that there is. Raises CorpusError, which names those that find something else than we do."""
        self.wait_for_workers()
        key = f"{os.getpid()}-{time.time_ns()}"
        for _ in range(2):  # a crawl beside us may have finished a file in between
            sent = SentJob(key, job, dask_worker.found_here(job, dask_worker.versions()))
            differing = {worker: found for worker, found in self._ask(dask_worker.take, sent).items() if found != sent.expected}
            if not differing:
                return sent
        self.forget(sent)
        lines = [f"  {worker}: {'; '.join(differences(sent.expected, found))}" for worker, found in islice(differing.items(), _NAMED)]
        more = [f"  and {len(differing) - _NAMED:,} more"] if len(differing) > _NAMED else []
        raise CorpusError("\n".join([f"Not all workers of {self.address} would do the same, so nothing was done:", *lines, *more]))

    def with_what_is_found_now(self, sent: SentJob) -> SentJob:
        """What a worker must find that comes from now on."""
        return replace(sent, expected=dask_worker.found_here(sent.job, dask_worker.versions()))

    def forget(self, sent: SentJob) -> None:
        """The work on a job is over."""
        self._ask(dask_worker.forget, sent.key)

    def hand_out(self, sent: SentJob, batches: list[bytes], *, with_job: bool = False) -> Any:
        """Have pickled batches done by somebody."""
        told = sent if with_job else None
        return self.client.submit(dask_worker.do, sent.key, batches, told, key=(f"curator-{sent.key}", next(self._numbers)), pure=False)

    def answer(self, handed_out: Any) -> bytes:
        """What was answered. Raises TimeoutError where there is nothing yet, BundleKilled, and SchedulerLost."""
        from distributed import CancelledError
        from distributed.scheduler import KilledWorker

        try:
            answer: bytes = handed_out.result(timeout=LOOKS_SECONDS)
            return answer
        except KilledWorker as error:
            raise BundleKilled(f"it ended its worker, {error.allowed_failures + 1} times") from None
        except TimeoutError:
            raise
        except (CancelledError, OSError):
            raise SchedulerLost(self.address) from None

    def wait_for(self, handed_out: list[Any]) -> None:
        """Until all of these are done, or have ended their workers. Raises TimeoutError and SchedulerLost."""
        end = time.monotonic() + LOOKS_SECONDS
        while not all(one.done() for one in handed_out):
            if time.monotonic() > end:
                raise TimeoutError
            time.sleep(0.05)
        if any(one.cancelled() for one in handed_out):
            raise SchedulerLost(self.address)

    def cancel(self, handed_out: Iterable[Any]) -> None:
        """Nobody waits for these any more."""
        self.client.cancel(list(handed_out), force=True)

    def _ask(self, what: Callable[[Any], Any], argument: object) -> dict[str, Any]:
        """Every worker, beside its work: what it says, or the exception that it met."""
        try:
            with self._being_there():
                said: dict[str, Any] = self.client.sync(self.client._run, what, argument, on_error="return", callback_timeout=_ASK_SECONDS)
        except TimeoutError:
            raise CorpusError(f"A worker of {self.address} does not answer. End it, and run this again.") from None
        return said

    def begin_again(self) -> None:
        """The scheduler is gone: wait until it is back, or, if it is our own, start another. Raises CorpusError."""
        self.tell(f"The scheduler of {self.name} is gone." + (" Waiting for it." if self._local is None else " Another one is started."))
        self.close()
        for _ in _tries(RETURN_SECONDS):
            self._check_wanted("its scheduler")
            try:
                return self._begin()
            except CorpusError:
                continue
        raise CorpusError(
            f"The scheduler at {self.address} is gone, and did not come back within {RETURN_SECONDS:g} seconds."
            " Start it and its workers, and run this again: it goes on with what is not done."
        )


def _check_installed() -> None:
    """Raises UsageError."""
    try:
        import dask  # noqa: F401
        import distributed  # noqa: F401
    except ImportError as missing:
        raise UsageError(f'--cluster needs {missing.name}, which is not installed: pip install "webarticlecurator[cluster]"') from None


def _client(address: str) -> Any:
    """A connection to a scheduler."""
    import dask

    try:
        from distributed import Client

        _check_answer(address)
        for name in ("distributed", "distributed.client"):  # what they would print, with tracebacks, is told by us
            logging.getLogger(name).setLevel(logging.CRITICAL)

        with dask.config.set({"distributed.admin.low-level-log-length": 10}):  # it would keep the last thousand messages: bundles
            return Client(address, timeout=CONNECT_SECONDS, set_as_default=False, name="curator")  # type: ignore[no-untyped-call]
    except Exception as error:  # whatever another program there said, Dask does not expect it
        certificates = " Was Dask told of its certificates (`distributed.comm.tls`) here?" if address.startswith("tls:") else ""
        raise CorpusError(
            f"No Dask scheduler answers at {address} ({type(error).__name__})."
            f" Is it running (`dask scheduler`), and can this machine reach it?{certificates}"
        ) from None


def _check_answer(address: str) -> None:
    """Whether a scheduler answers: a client of Dask's waits for ever for the first word of another program."""
    from distributed import Security
    from distributed.core import rpc
    from distributed.utils import LoopRunner

    async def type_there() -> str:
        async with rpc(address, connection_args=Security().get_connection_args("client")) as there:  # type: ignore[no-untyped-call]
            told: str = (await there.identity())["type"]
            return told

    found = LoopRunner().run_sync(partial(asyncio.wait_for, type_there(), CONNECT_SECONDS))  # type: ignore[no-untyped-call]
    if found != "Scheduler":
        raise ConnectionError(f"a {found} answers there")


def differences(here: Found, found: Found | BaseException) -> Iterator[str]:
    """In which a worker differs, in words."""
    if isinstance(found, ImportError):
        yield f"{found.name} is not installed there"
    elif isinstance(found, BaseException):
        yield f"it cannot say what it has ({type(found).__name__}: {found})"
    else:
        yield from (f"{name} is {found[name]} there, {here[name]} here" for name in here if name in found and found[name] != here[name])


def _tries(seconds: float) -> Iterator[None]:
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        yield
        time.sleep(0.5)
