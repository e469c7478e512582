"""What runs on a worker of a cluster, asked directly: a job is told once, its processes are kept, and all of them end."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from simulated_job import SimulatedJob

from webarticlecurator.workers import dask_worker
from webarticlecurator.workers.asked_process import pickled, results_of
from webarticlecurator.workers.dask_worker import JobMissing, SentJob, WorkerDiffers, do, forget, found_here, take, versions

pytestmark = pytest.mark.slow


@pytest.fixture
def sent(tmp_path: Path) -> Iterator[SentJob]:
    """A job with a ground that all must find alike."""
    ground = tmp_path / "ground"
    ground.write_text("the corpus")
    job = pickled(SimulatedJob(ground=ground))
    sent = SentJob("this run", job, found_here(job, versions()))
    yield sent
    forget(sent.key)


def _processes() -> int:
    return sum(len(task.read_text().split()) for task in Path(f"/proc/{os.getpid()}/task").glob("*/children"))


def test_a_worker_that_was_not_told_of_a_job_says_so() -> None:
    with pytest.raises(JobMissing):
        results_of(do("never told", [pickled(["a"])]))


def test_a_job_is_told_once_and_its_process_is_kept(sent: SentJob) -> None:
    before = _processes()

    assert take(sent) == sent.expected
    assert list(map(results_of, results_of(do(sent.key, [pickled([name]) for name in "abc"])))) == [["a"], ["b"], ["c"]]
    assert _processes() == before + 1


def test_processes_end_with_their_job(sent: SentJob) -> None:
    before = _processes()
    results_of(do(sent.key, [pickled(["a"])], sent))
    forget(sent.key)

    assert _processes() == before


def test_a_late_worker_that_finds_something_else_does_nothing(sent: SentJob, tmp_path: Path) -> None:
    (tmp_path / "ground").write_text("another corpus")

    with pytest.raises(WorkerDiffers) as differs:
        results_of(do(sent.key, [pickled(["a"])], sent))
    assert differs.value.found["the ground"] == "another corpus"


def test_of_another_version_only_that_is_said_since_the_job_may_not_be_readable(sent: SentJob, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dask_worker, "VERSION", "0.0.9")

    assert found_here(b"no pickle", sent.expected) == {**versions(), "webarticlecurator": "0.0.9"}
