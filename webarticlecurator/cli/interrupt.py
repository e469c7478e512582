"""Ctrl-C: the first ends a crawl cleanly, the second ends it at once."""

from __future__ import annotations

import os
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager

from webarticlecurator.cli.exit_codes import ExitCode

_SIGNALS = (signal.SIGINT, signal.SIGTERM)
_STDERR = 2
_SHOW_CURSOR = "\x1b[?25h"
_STOPPING = "\nStopping: requests in flight are finished and files closed. Ctrl-C again stops at once.\n"


@contextmanager
def interruptible(*, quiet: bool = False) -> Iterator[threading.Event]:
    """An event that the first SIGINT or SIGTERM sets; a second one ends the process."""
    stop = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield stop  # only the main thread can be told of signals
        return

    def on_signal(number: int, frame: object) -> None:  # noqa: ARG001
        if stop.is_set():
            _end_at_once()
        stop.set()
        if not quiet:
            _write(_STOPPING)

    before = {number: signal.signal(number, on_signal) for number in _SIGNALS}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _end_at_once() -> None:
    # Not an exception: it would wait for the threads. The store survives a kill at any moment, so nothing has to be tidied.
    if os.isatty(_STDERR):
        _write(_SHOW_CURSOR)
    os._exit(ExitCode.INTERRUPTED)


def _write(text: str) -> None:
    # Past sys.stderr, whose lock the interrupted code may be holding.
    os.write(_STDERR, text.encode())
