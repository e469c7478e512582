"""Bounds of the work that one page may make: a budget for all picks, patterns, dates and selectors of a
portal file, and a time for all else.

Portal files are shared between strangers. Each pattern and each selection has a limit of its own, but a
hundred of them one after the other could still hold up a run for a minute a page. And pages are written by
strangers, who may find what the program itself is slow at.
"""

from __future__ import annotations

import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar, Token
from dataclasses import dataclass
from threading import Lock, Thread, get_ident
from time import thread_time

from webarticlecurator.errors import PatternTimeout, ReadingTimeout

PAGE_LIMIT = 10.0
"""Seconds of computing in this thread, which waiting and a busy machine take nothing of; a page of usual size
needs thousandths."""
MAX_STEPS = 3_000_000
"""Elements that one selection may look at, and all tag rules of a page together; about two seconds."""
READING_LIMIT = 60.0
"""Seconds of computing after which the reading of one page is ended, whoever reads it: a build, a crawl,
`try`, a call from Python."""


class Budget:
    """The time that one page may take. While rules work on it (`with budget:`) the clock runs; it stands
    while the program does work of its own."""

    __slots__ = ("_left", "_outer", "_working", "steps", "until")

    def __init__(self) -> None:
        self.steps = MAX_STEPS
        """The number of steps that its tag rules have left."""
        self._left = PAGE_LIMIT
        self.until = 0.0
        """The moment at which the computing time ends."""
        self._working = 0
        """The number of those that let rules work on it and have begun and not ended."""
        self._outer: Token[Budget | None] | None = None

    def __enter__(self) -> None:
        self._working += 1
        if self._working == 1:
            self.until = thread_time() + self._left
            self._outer = _WORKING.set(self)

    def __exit__(self, *_: object) -> None:
        self._working -= 1
        if not self._working and self._outer is not None:
            _WORKING.reset(self._outer)
            self._left = self.until - thread_time()


_WORKING: ContextVar[Budget | None] = ContextVar("budget", default=None)


def allowed(rule: str, most: float = 0.001) -> float:
    """Return for how many seconds a rule may work now, at most `most`. Raises PatternTimeout where the page's
    time is over."""
    budget = _WORKING.get()
    left = most if budget is None else min(most, budget.until - thread_time())
    if left <= 0:
        raise over(rule)
    return left


def over(rule: str) -> PatternTimeout:
    """Return what is said when the rules of a portal file needed too long together."""
    needed = f"the rules of the portal file needed more than {PAGE_LIMIT:g} s for one page"
    return PatternTimeout(f"{needed}, and were stopped at {rule[:200]!r}; make them simpler")


# --- the time for all that reads one page ---

_LOOK_SECONDS = 1.0
"""The seconds between two looks for how long pages have been read."""


@dataclass(slots=True)
class _Reader:
    """A thread that reads a page."""

    clock: int
    """Tells its computing time to other threads."""
    end: float
    """The moment when its time for the page is over, by that clock."""
    is_late: bool = False


_READERS: dict[int, _Reader] = {}
"""The readers by the number of their thread."""
_LOCK = Lock()
_WATCHER: list[Thread] = []
"""The thread that looks after the readers; it ends when no page is read."""
_CLOCK_OF = getattr(time, "pthread_getcpuclockid", None)
"""The function that gives the clock of a thread. Some systems have none: there, only the rules have their
time."""


@contextmanager
def one_page() -> Iterator[None]:
    """Read one page in this thread. Raises ReadingTimeout in the midst of that where it takes longer than
    READING_LIMIT.

    Within the reading of a page, such as an article of several, another reading has no time of its own.
    """
    thread = get_ident()
    if _CLOCK_OF is None or thread in _READERS:
        yield
        return
    _begin(thread, _CLOCK_OF(thread))
    try:
        yield
    finally:
        try:
            _end(thread)
        except ReadingTimeout:  # it came at the very end
            _end(thread)
            raise


def _begin(thread: int, clock: int) -> None:
    with _LOCK:
        _READERS[thread] = _Reader(clock, thread_time() + READING_LIMIT)
        if not (
            _WATCHER and _WATCHER[0].is_alive()
        ):  # there was none yet, or this process is the copy of another
            _WATCHER[:] = [Thread(target=_look_after_readers, daemon=True, name="watches readers")]
            _WATCHER[0].start()


def _end(thread: int) -> None:
    with _LOCK:
        reader = _READERS.pop(thread, None)
        if reader is not None and reader.is_late:
            _raise_in(thread, None)


def _look_after_readers() -> None:
    """Interrupt each reader whose time is over, again and again until it has given the page up."""
    while True:
        time.sleep(_LOOK_SECONDS)
        with _LOCK:
            if not _READERS:
                _WATCHER.clear()
                return
            for thread, reader in _READERS.items():
                if time.clock_gettime(reader.clock) > reader.end:
                    reader.is_late = True
                    _raise_in(thread, ReadingTimeout)


def _raise_in(thread: int, error: type[ReadingTimeout] | None) -> None:
    """Raise an error in a thread before its next step; None takes back one that has not been raised yet."""
    import ctypes  # hardly ever needed

    raised = ctypes.py_object() if error is None else ctypes.py_object(error)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), raised)


# --- the collector of objects in circles, which would take a tenth of the time ---


@contextmanager
def no_collector() -> Iterator[None]:
    """Read pages while Python does not look, again and again, for objects in circles: they are made of very
    many objects in none.

    Behind it, Python looks as ever, so what a batch of pages left in circles goes before the next one.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
