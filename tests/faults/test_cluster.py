"""A Dask cluster as the carrier of work: the results of one process, in order, each once, whatever becomes of workers and scheduler."""

from __future__ import annotations

import os
import random
import signal
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import chain
from pathlib import Path

import pytest
from own_dask import OTHER_VERSION, own_dask
from simulated_job import SimulatedJob
from small_corpus import SmallCorpus, page

from webarticlecurator.errors import CorpusError
from webarticlecurator.workers import dask_cluster, pool
from webarticlecurator.workers.carriers import Workers
from webarticlecurator.workers.job import BATCH

pytestmark = [pytest.mark.cluster, pytest.mark.slow]
LOCAL = Workers(cluster="local:2")


@pytest.fixture(scope="module", autouse=True)
def _disconnected() -> Iterator[None]:
    yield
    dask_cluster.disconnect()


def _names(count: int) -> list[str]:
    return [f"task {number}" for number in range(count)]


def _done(tasks: list[str], workers: Workers, job: SimulatedJob | None = None, **options: int) -> list[str]:
    return list(chain.from_iterable(pool.run(job or SimulatedJob(), tasks, workers=workers, **options)))


def test_results_come_in_the_order_of_the_tasks() -> None:
    tasks = _names(20 * BATCH + 1)

    assert _done(tasks, LOCAL) == tasks


def test_a_task_that_ends_its_process_costs_only_itself() -> None:
    tasks = [*_names(40), "ends its process", *_names(40)]

    assert _done(tasks, LOCAL) == [*_names(40), "ends its process: the process that read it was killed (SIGKILL)", *_names(40)]


def test_a_task_that_ends_worker_after_worker_is_found_among_its_neighbours() -> None:
    tasks = [*_names(5), "ends Dask's worker", *_names(5)]

    assert _done(tasks, LOCAL) == [*_names(5), "ends Dask's worker: it ended its worker, 3 times", *_names(5)]


def test_tasks_that_only_wait_beside_it_are_not_taken_for_the_one_that_ends_workers() -> None:
    tasks = [*_names(9), "ends Dask's worker", *_names(9), "ends Dask's worker", *_names(9)]

    done = _done(tasks, LOCAL, batch=1)

    assert [task for task in done if "it ended its worker" in task] == 2 * ["ends Dask's worker: it ended its worker, 3 times"]
    assert len(done) == len(tasks)


def test_what_is_wrong_with_the_machine_ends_the_work_with_its_reason() -> None:
    with pytest.raises(OSError, match="No space left"):
        _done([*_names(100), "full disk"], LOCAL)


def test_no_more_is_handed_out_than_keeps_the_workers_busy() -> None:
    handed_out = 0

    def tasks() -> Iterator[str]:
        nonlocal handed_out
        for name in _names(5_000):
            handed_out += 1
            yield name

    results = pool.run(SimulatedJob(), tasks(), workers=LOCAL, batch=10)
    next(results)

    assert handed_out <= 3 * 2 * 10 + 1


def test_workers_killed_at_random_lose_nothing_and_give_nothing_twice() -> None:
    tasks, kills, over = _names(8_000), 0, threading.Event()
    chance = random.Random(14)

    def kill_some() -> None:
        nonlocal kills
        while kills < 30 and not over.is_set():
            with suppress(OSError, StopIteration, IndexError):  # there is none now, or it has ended meanwhile
                os.kill(chance.choice(_workers_and_their_processes()), signal.SIGKILL)
                kills += 1
            time.sleep(0.05)

    killer = threading.Thread(target=kill_some)
    done = []
    for number, batch in enumerate(pool.run(SimulatedJob(seconds=0.05), tasks, workers=LOCAL, batch=20)):
        if number == 0:
            killer.start()
        done += batch
    over.set()
    killer.join()

    assert done == tasks
    assert kills == 30


def _workers_and_their_processes() -> list[int]:
    """Of the cluster of our own: Dask's workers, and the processes that do tasks for them."""
    workers = [one for one in _children(_own_cluster()) if b"dask_worker" in _command(one)]
    return [*workers, *chain.from_iterable(map(_children, workers))]


def _own_cluster() -> int:
    return next(one for one in _children(os.getpid()) if b"local_cluster" in _command(one))


def _children(process: int) -> list[int]:
    return [int(one) for task in Path(f"/proc/{process}/task").glob("*/children") for one in task.read_text().split()]


def _command(process: int) -> bytes:
    try:
        return Path(f"/proc/{process}/cmdline").read_bytes()
    except OSError:  # it has ended meanwhile
        return b""


def test_a_build_by_a_cluster_is_that_of_one_process(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus = SmallCorpus(tmp_path)
    corpus.store(*((f"/{number}", page(f"Title {number}")) for number in range(BATCH + 3)))
    corpus.build(jobs=1)
    alone = corpus.documents
    for path in ("build.sqlite", *(f"tei/{path}" for path in alone)):
        (corpus.folder / path).unlink()
    monkeypatch.chdir(corpus.folder.parent)

    summary = corpus.build(jobs=None, cluster="local:2")

    assert (corpus.documents, summary.written) == (alone, BATCH + 3)


def test_a_worker_that_gives_no_sign_of_life_is_passed_over(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "SILENT_SECONDS", 1.5)
    monkeypatch.setattr(dask_cluster, "LOOKS_SECONDS", 0.5)
    told: list[str] = []
    with own_dask(tmp_path) as dask:
        last = dask.start_worker()
        workers = Workers(cluster=dask.address, tell=told.append)
        dask_cluster.connected(workers).client.wait_for_workers(2, timeout=30)
        stopped = False
        done = []
        for batch in pool.run(SimulatedJob(seconds=0.02), _names(600), workers=workers, batch=10):
            if not stopped:
                last.send_signal(signal.SIGSTOP)
                stopped = True
            done += batch
        dask_cluster.disconnect()

    assert done == _names(600)
    assert "gives no sign of life; its work goes to others" in told[-1]


def test_who_does_not_want_to_wait_for_a_worker_any_longer_may_stop(tmp_path: Path) -> None:
    told: list[str] = []
    with own_dask(tmp_path, workers=0) as dask:
        with pytest.raises(CorpusError, match=r"Interrupted while .* had to be waited for, for a worker"):
            _done(_names(1), Workers(cluster=dask.address, tell=told.append, stopped=lambda: bool(told)))
        dask_cluster.disconnect()

    assert told[-1].startswith("There is no worker at")


def test_a_worker_of_another_version_is_named_and_nothing_is_done(tmp_path: Path) -> None:
    with own_dask(tmp_path) as dask:
        dask.start_worker(OTHER_VERSION)
        workers = Workers(cluster=dask.address)
        dask_cluster.connected(workers).client.wait_for_workers(2, timeout=30)
        with pytest.raises(CorpusError) as refused:
            _done(_names(3), workers)
        dask_cluster.disconnect()

    (line,) = str(refused.value).splitlines()[1:]
    assert "tcp://127.0.0.1:" in line
    assert line.endswith(": webarticlecurator is 0.0.9 there, 2.0.0 here")


def test_a_worker_that_comes_later_and_differs_ends_the_work_with_its_name(tmp_path: Path) -> None:
    with own_dask(tmp_path) as dask:
        workers = Workers(cluster=dask.address)
        results = pool.run(SimulatedJob(seconds=0.05), _names(3_000), workers=workers, batch=10)
        next(results)
        dask.start_worker(OTHER_VERSION)
        with pytest.raises(CorpusError, match=r"came later, would not do the same as the others: webarticlecurator is 0\.0\.9 there"):
            list(results)
        dask_cluster.disconnect()


def test_what_changed_for_everybody_while_the_work_goes_on_is_no_difference(tmp_path: Path) -> None:
    ground = tmp_path / "ground"
    ground.write_text("one file")
    with own_dask(tmp_path) as dask:
        workers = Workers(cluster=dask.address)
        results = pool.run(SimulatedJob(seconds=0.02, ground=ground), _names(1_500), workers=workers, batch=10)
        done = next(results)
        ground.write_text("two files")
        dask.start_worker()
        done += chain.from_iterable(results)
        dask_cluster.disconnect()

    assert done == _names(1_500)


def test_a_worker_that_sees_another_corpus_is_named(tmp_path: Path) -> None:
    ground = tmp_path / "ground"
    ground.write_text("the corpus")
    elsewhere = "import simulated_job; simulated_job.SimulatedJob.must_agree = lambda self: {'the ground': 'another corpus'}\n"
    with own_dask(tmp_path, workers=0) as dask:
        dask.start_worker(elsewhere)
        with pytest.raises(CorpusError, match="the ground is another corpus there, the corpus here"):
            _done(_names(3), Workers(cluster=dask.address), SimulatedJob(ground=ground))
        dask_cluster.disconnect()


def test_a_scheduler_that_comes_back_is_given_all_that_is_not_done(tmp_path: Path) -> None:
    told: list[str] = []
    with own_dask(tmp_path) as dask:
        workers = Workers(cluster=dask.address, tell=told.append)
        done = []
        for number, batch in enumerate(pool.run(SimulatedJob(seconds=0.02), _names(600), workers=workers, batch=10)):
            if number == 5:
                dask.scheduler.kill()
                dask.scheduler.wait()
                dask.start_scheduler()
                dask.start_worker()
            done += batch
        dask_cluster.disconnect()

    assert done == _names(600)
    assert f"The scheduler of {dask.address} is gone. Waiting for it." in told


def test_a_scheduler_that_does_not_come_back_is_said_in_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "RETURN_SECONDS", 0.5)
    monkeypatch.setattr(dask_cluster, "CONNECT_SECONDS", 0.5)
    with own_dask(tmp_path) as dask:
        results = pool.run(SimulatedJob(seconds=0.02), _names(600), workers=Workers(cluster=dask.address), batch=10)
        next(results)
        dask.scheduler.kill()
        with pytest.raises(CorpusError, match=r"did not come back within 0\.5 seconds.*run this again: it goes on"):
            list(results)
        dask_cluster.disconnect()


def test_a_scheduler_that_is_lost_while_the_job_is_told_is_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    with own_dask(tmp_path, workers=1) as dask:
        workers = Workers(cluster=dask.address, tell=told.append)

        def is_closed(*_: object, **__: object) -> None:
            raise OSError("Stream is closed")

        monkeypatch.setattr(dask_cluster.connected(workers).client, "_run", is_closed)
        done = _done(_names(20), workers)
        dask_cluster.disconnect()

    assert done == _names(20)
    assert f"The scheduler of {dask.address} is gone. Waiting for it." in told


def test_a_cluster_of_our_own_whose_scheduler_dies_is_started_again() -> None:
    done = []
    for number, batch in enumerate(pool.run(SimulatedJob(seconds=0.02), _names(600), workers=LOCAL, batch=10)):
        if number == 5:
            os.kill(_own_cluster(), signal.SIGKILL)
        done += batch

    assert done == _names(600)


@pytest.mark.parametrize("said", [b"", b"HTTP/1.1 400 Bad Request\r\n\r\n", b"\xff" * 1000, b"\x00" * 1000])
def test_another_program_at_the_address_is_said_in_a_sentence(said: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_cluster, "CONNECT_SECONDS", 1)
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connections = []
            with suppress(OSError):
                while True:
                    connections.append(server.accept()[0])
                    connections[-1].sendall(said)

        threading.Thread(target=answer, daemon=True).start()
        with pytest.raises(CorpusError, match="No Dask scheduler answers at"):
            _done(_names(1), Workers(cluster=f"tcp://127.0.0.1:{server.getsockname()[1]}"))
