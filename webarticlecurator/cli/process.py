"""The process around a command: what the shell is told at its end, Ctrl-C, and standard streams in whatever
state a shell hands them over.

Imports next to nothing: it is asked before all else is loaded.
"""

from __future__ import annotations

import io
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager, suppress
from enum import IntEnum
from typing import Any, TypeVar

T = TypeVar("T")
_HANG_UP = getattr(signal, "SIGHUP", None)


class ExitCode(IntEnum):
    """The exit codes of commands; `docs/reference/outcomes.md` says what each means. Of several reasons, the
    first of `PRECEDENCE` is told."""

    OK = 0
    FAILURES = 1
    USAGE = 2
    BLOCKED = 3
    INCOMPLETE = 4
    DRIFT = 5
    BUG = 70
    INTERRUPTED = 130


PRECEDENCE = (ExitCode.USAGE, ExitCode.BLOCKED, ExitCode.DRIFT, ExitCode.INCOMPLETE, ExitCode.FAILURES)


def first_of(*reasons: tuple[ExitCode, object]) -> ExitCode:
    """The weightiest code whose reason holds; OK where none does."""
    given = {code for code, holds in reasons if holds}
    return next((code for code in PRECEDENCE if code in given), ExitCode.OK)


# --- Ctrl-C: the first ends a command cleanly, the second ends it at once ---


@contextmanager
def interruptible(*, quiet: bool) -> Iterator[threading.Event]:
    """An event that the first SIGINT, SIGTERM or SIGHUP sets; a second one ends the process."""
    stop = threading.Event()

    def on_signal(number: int, _: object) -> None:
        # When a terminal is closed, both the shell and the system hang up: that is not asking twice.
        if stop.is_set() and number != _HANG_UP:
            end_at_once()
        if not (stop.is_set() or quiet):
            # past sys.stderr, whose lock the interrupted code may be holding
            with suppress(OSError):
                os.write(
                    2,
                    b"\nStopping: requests in flight are finished and files closed. Ctrl-C again stops at "
                    b"once.\n",
                )
        stop.set()

    # With `nohup`, hanging up is to be ignored.
    hang_up = () if _HANG_UP is None or signal.getsignal(_HANG_UP) is signal.SIG_IGN else (_HANG_UP,)
    before = {
        number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM, *hang_up)
    }
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def guarded(load: Callable[[], Callable[[], int]]) -> int:
    """Load a command and run it, as a process of its own: whenever Ctrl-C comes, it ends with 130 and without
    a traceback."""

    def interrupt(*_: object) -> None:  # the command may tidy up, but only once
        signal.signal(signal.SIGINT, end_at_once)
        raise KeyboardInterrupt

    def on_unraisable(
        given: Any,
    ) -> None:  # where an exception cannot be raised, Python prints it and goes on
        if issubclass(given.exc_type, KeyboardInterrupt):
            end_at_once()
        sys.__unraisablehook__(given)

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return load()()  # in the background of a script Ctrl-C is not meant for us
    signal.signal(signal.SIGINT, end_at_once)  # while modules load there is nothing to tidy
    sys.unraisablehook = on_unraisable
    command = load()
    try:
        signal.signal(signal.SIGINT, interrupt)
        return command()
    except KeyboardInterrupt:
        return ExitCode.INTERRUPTED
    finally:
        signal.signal(signal.SIGINT, end_at_once)  # nor is there while the interpreter ends


def end_at_once(*_: object) -> None:
    """End without waiting for anything: a second Ctrl-C, or one before there is something to tidy."""
    # Not an exception: it would wait for the threads. The store survives a kill at any moment, so nothing has
    # to be tidied.
    os._exit(ExitCode.INTERRUPTED)


@contextmanager
def standard_streams() -> Iterator[None]:
    """While this lasts, messages that cannot be written are lost, and so are data that nobody reads any more
    (`| head`).

    Data for which there is no room are an error. What goes into a file or a pipe, or comes from one, is UTF-8
    in every locale.
    """
    stdin, stdout, stderr = (
        stream or os.fdopen(_nowhere(), "r+") for stream in (sys.stdin, sys.stdout, sys.stderr)
    )
    for stream, encoding, errors in ((stdin, "utf-8-sig", "replace"), (stdout, "utf-8", "backslashreplace")):
        if isinstance(stream, io.TextIOWrapper) and not stream.isatty():
            with suppress(io.UnsupportedOperation):  # somebody has read of it already
                stream.reconfigure(encoding=encoding, errors=errors)
    forgiving = ForgivingStream(stdout, BrokenPipeError)
    sys.stdin, sys.stdout, sys.stderr = stdin, forgiving, ForgivingStream(stderr, OSError)
    try:
        yield
    finally:
        if not forgiving.is_read:
            forgiving.give_up()
        sys.stdout, sys.stderr = stdout, stderr


class ForgivingStream:
    """A stream that writes into nothing once writing has failed in a way that is forgiven."""

    def __init__(self, stream: Any, forgiven: type[OSError]) -> None:
        self._stream, self._forgiven = stream, forgiven
        self.is_read = True

    @property
    def buffer(self) -> ForgivingStream:
        """The stream for bytes below it, which forgives the same."""
        return ForgivingStream(self._stream.buffer, self._forgiven)

    def write(self, content: str | bytes) -> int:
        self._try(self._stream.write, content)
        return len(content)

    def flush(self) -> None:
        self._try(self._stream.flush)

    def give_up(self) -> None:
        """Let nothing complain any more of what is still in the buffer: neither the next flush nor the
        interpreter's last."""
        with suppress(OSError):
            os.dup2(_nowhere(), self._stream.fileno())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _try(self, act: Callable[..., object], *given: object) -> None:
        try:
            act(*given)
        except OSError as error:
            self.is_read = False
            if not isinstance(error, self._forgiven):
                raise
            self.give_up()


def _nowhere() -> int:
    number = os.open(os.devnull, os.O_RDWR)
    os.set_inheritable(number, True)  # worker processes need streams, too
    return number


def is_read() -> bool:
    """Return True if, as far as one can know, somebody still reads what goes to stdout."""
    return getattr(sys.stdout, "is_read", True)


def while_read(items: Iterable[T]) -> Iterator[T]:
    """Yield one after the other, until nobody reads any more what is printed of them."""
    for item in items:
        yield item
        if not is_read():
            return
