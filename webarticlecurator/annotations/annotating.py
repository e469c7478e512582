"""Have articles annotated by processes of a program: some articles at a time, what cannot be answered alone,
and what fails named."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from itertools import chain, islice
from queue import Empty, Queue
from threading import Event as Flag
from threading import Lock, Thread
from typing import Self

from webarticlecurator.annotations.answers import Answer, Task
from webarticlecurator.annotations.program import Command, Program, version_of
from webarticlecurator.annotations.python_function import command_of
from webarticlecurator.errors import UsageError
from webarticlecurator.model.progress import Work

_AHEAD = 64
"""Answers that wait to be stored."""
_MOST_CHARACTERS = 20_000_000
"""Characters of the articles that one process gets, however few articles these are."""
_HOPELESS = 3
"""Articles that fail alike before any is answered."""
_LOOK = 0.2
"""Seconds between two looks whether a person wants to wait no longer."""


@dataclass(kw_only=True)
class Annotator:
    """A program, and how it is asked."""

    command: Command
    processes: int = 1
    batch: int = 1_000
    """Articles after which a process is let go, and another begins."""
    time_limit: float = 600.0
    """Seconds without an answer."""
    work: Work
    _given: Queue[Answer | Exception | None] = field(default_factory=lambda: Queue(_AHEAD))
    _ended: Flag = field(default_factory=Flag)

    def answers(self, tasks: Iterator[Task]) -> Iterator[Answer]:
        """Give the answer on each article, in no order, until a person wants to wait no longer."""
        asked = _Asked(tasks, self._given, self.work)
        threads = [Thread(target=self._work, args=(asked,), daemon=True) for _ in range(self.processes)]
        for thread in threads:
            thread.start()
        try:
            yield from self._until_all_end(len(threads))
        finally:
            self._ended.set()
            while any(thread.is_alive() for thread in threads):  # they may wait for room
                with suppress(Empty):
                    self._given.get(timeout=_LOOK)

    def _until_all_end(self, working: int) -> Iterator[Answer]:
        while working:
            if self.work.stopped:
                self._ended.set()
            with suppress(Empty):
                given = self._given.get(timeout=_LOOK)
                if isinstance(given, Exception):
                    raise given
                working -= given is None
                yield from (given,) if given is not None else ()

    def _work(self, asked: Iterator[Task]) -> None:
        """Annotate some articles after the others, until there are no more."""
        try:
            while not self._ended.is_set():
                first = next(asked, None)
                if first is None:
                    break
                for answer in self._annotated(self._batch(first, asked)):
                    self._given.put(answer)
        except Exception as error:  # whoever waits for answers is told
            self._given.put(error)
        self._given.put(None)

    def _batch(self, first: Task, others: Iterator[Task]) -> Iterator[Task]:
        """Give the articles for one process."""
        sent = 0
        for task in chain([first], islice(others, self.batch - 1)):
            yield task
            sent += len(task.sent)
            if sent > _MOST_CHARACTERS:
                return

    def _annotated(self, tasks: Iterable[Task]) -> Iterator[Answer]:
        """Give the answers on some articles. Where the program fails, the first one without an answer is
        asked alone; the others by halves where nothing shows that it was that one."""
        waiting: list[tuple[Iterable[Task], bool]] = [(tasks, False)]
        while waiting and not self._ended.is_set():
            asked, alone = waiting.pop()
            program = Program(self.command, time_limit=self.time_limit, stop=self._ended)
            answered = 0
            for answer in program.annotate(asked, alone=alone):
                yield answer
                answered += 1
            left = program.answers.left
            if program.reason is None or not left or self._ended.is_set():
                continue
            if alone:
                yield Answer(left[0], failed=program.reason)
                continue
            others = left[1:]
            size = len(others) if answered else len(others) // 2 + 1
            waiting += [(others[at : at + size], False) for at in range(0, len(others), size or 1)]
            waiting.append((left[:1], True))


class _Asked(Iterator[Task]):
    """The articles to be annotated, for several threads, until a person wants to wait no longer. Where
    nothing is to be asked, the answer is given at once."""

    def __init__(self, tasks: Iterator[Task], given: Queue[Answer | Exception | None], work: Work) -> None:
        self._tasks, self._given, self._work, self._lock = tasks, given, work, Lock()

    def __next__(self) -> Task:
        with self._lock:
            for task in self._tasks:
                if self._work.stopped:
                    break
                if task.sent:
                    return task
                self._given.put(Answer(task))
        raise StopIteration


@dataclass(frozen=True, kw_only=True)
class AnnotateJob:
    """A program that annotates the articles that a worker of a cluster gets: some at a time, each by a
    process of its own."""

    command: str | None
    python: str | None
    time_limit: float
    program: str | None
    """The program, where it may be asked for its version."""

    def annotator(self, work: Work, *, processes: int = 1, batch: int = 1_000) -> Annotator:
        """Return the program, and how it is asked, on this machine."""
        command = self.command or command_of(self.python or "")
        return Annotator(
            command=command, processes=processes, batch=batch, time_limit=self.time_limit, work=work
        )

    def worker(self) -> Self:
        """Return itself, which can do it."""
        return self

    def must_agree(self) -> Mapping[str, str]:
        """The version of the program."""
        return {self.program: version_of(self.program)} if self.program is not None else {}

    def make(self, tasks: list[Task]) -> list[Answer]:
        """Return the answer on each article."""
        answers = self.annotator(Work(), batch=len(tasks)).answers(iter(tasks))
        by_id = {answer.task.id: answer for answer in answers}
        return [by_id[task.id] for task in tasks]

    def give_up(self, task: Task, reason: str) -> Answer:
        """Return the answer on an article whose worker died."""
        return Answer(task, failed=reason)


def until_hopeless(answers: Generator[Answer, None, None]) -> Iterator[Answer]:
    """Give answers as they come. Raises UsageError where the program fails on the first articles alike."""
    failures = list[str | None]()
    with closing(answers):  # its processes end, whatever ends this
        for answer in answers:
            yield answer
            if answer.task.sent and not answer.task.is_retried and len(failures) < _HOPELESS:
                failures.append(answer.failed)
                _check(failures)


def _check(failures: list[str | None]) -> None:
    """Raises UsageError where the first articles fail, and all alike."""
    reason = failures[0]
    kinds = {(failure or "").partition(": ")[0] for failure in failures}  # its words may have times in them
    if len(failures) == _HOPELESS and reason is not None and len(kinds) == 1:
        raise UsageError(f"The program fails on the first {_HOPELESS} articles alike: {reason}")
