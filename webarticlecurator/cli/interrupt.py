"""Ctrl-C: the first ends a crawl cleanly, the second ends it at once. Imports next to nothing: it is asked before all else is loaded."""

from __future__ import annotations

import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

INTERRUPTED = 130
"""The exit code; `exit_codes`, which tells it to people, is among what may be loading."""
_HANG_UP = getattr(signal, "SIGHUP", None)
_CLEAN_ENDS = (signal.SIGINT, signal.SIGTERM, *([_HANG_UP] if _HANG_UP else []))
_STDERR = 2
_SHOW_CURSOR = "\x1b[?25h"
_STOPPING = "\nStopping: requests in flight are finished and files closed. Ctrl-C again stops at once.\n"


@contextmanager
def interruptible(*, quiet: bool = False) -> Iterator[threading.Event]:
    """An event that the first SIGINT, SIGTERM or SIGHUP sets; a second one ends the process."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop  # only the main thread can be told of signals
        return

    def on_signal(number: int, frame: object) -> None:  # noqa: ARG001
        # When a terminal is closed, both the shell and the system hang up: that is not asking twice.
        if stop.is_set() and number != _HANG_UP:
            end_at_once()
        if not (stop.is_set() or quiet):
            _write(_STOPPING)
        stop.set()

    # With `nohup`, hanging up is to be ignored.
    heard = [number for number in _CLEAN_ENDS if not (number == _HANG_UP and signal.getsignal(number) is signal.SIG_IGN)]
    before = {number: signal.signal(number, on_signal) for number in heard}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def guarded(load: Callable[[], Callable[[], int]]) -> int:
    """Load a command and run it, as a process of its own: whenever Ctrl-C comes, it ends with 130 and without a traceback."""
    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return load()()  # in the background of a script Ctrl-C is not meant for us
    signal.signal(signal.SIGINT, end_at_once)  # while modules load there is nothing to tidy
    sys.unraisablehook = _on_unraisable
    command = load()
    try:
        signal.signal(signal.SIGINT, _interrupt)
        return command()
    except KeyboardInterrupt:
        return INTERRUPTED
    finally:
        signal.signal(signal.SIGINT, end_at_once)  # nor is there while the interpreter ends


def end_at_once(*_: object) -> None:
    """End this process."""
    # Not an exception: it would wait for the threads. The store survives a kill at any moment, so nothing has to be tidied.
    if os.isatty(_STDERR):
        _write(_SHOW_CURSOR)
    os._exit(INTERRUPTED)


def _interrupt(*_: object) -> None:
    """Let the command tidy up, but only once."""
    signal.signal(signal.SIGINT, end_at_once)
    raise KeyboardInterrupt


def _on_unraisable(given: Any) -> None:
    """Where an exception cannot be raised, Python prints it and goes on: Ctrl-C would be a traceback and nothing else."""
    if issubclass(given.exc_type, KeyboardInterrupt):
        end_at_once()
    sys.__unraisablehook__(given)


def _write(text: str) -> None:
    # Past sys.stderr, whose lock the interrupted code may be holding.
    with suppress(OSError):
        os.write(_STDERR, text.encode())
