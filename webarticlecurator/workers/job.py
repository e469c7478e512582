"""What is to be done, and who does it: a job makes workers, and tasks are handed to them in batches."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Protocol, TypeVar

Task = TypeVar("Task")
Result = TypeVar("Result")

BATCH = 32
"""Tasks in one message to a worker: neighbours, so that what they lie in is read once."""


class Worker(Protocol[Task, Result]):
    """Does tasks: in this process, or in one of several, on this machine or another."""

    def make(self, tasks: list[Task]) -> list[Result]:
        """What comes of these tasks, in their order."""
        ...

    def give_up(self, task: Task, reason: str) -> Result:
        """What comes of a task whose worker died."""
        ...


class Job(Protocol[Task, Result]):
    """All that a worker needs to know beside its tasks; it travels to other processes and machines by pickling."""

    def worker(self) -> Worker[Task, Result]:
        """Whoever does tasks of this job, made where they are done."""
        ...

    def must_agree(self) -> Mapping[str, str]:
        """What must be found alike wherever the job is worked on, such as the files it reads, each with what is found here.

        It is asked on every machine of a cluster before work begins, and compared.
        """
        ...


def batches(tasks: Iterable[Task], size: int) -> Iterator[list[Task]]:
    """Tasks in batches: small enough to be shared out evenly, large enough to be worth a message."""
    batch: list[Task] = []
    for task in tasks:
        batch.append(task)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch
