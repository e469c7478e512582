"""stdin, stdout and stderr, in whatever state the shell hands them over: closed, full, without a reader, of any encoding."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any, TextIO, TypeVar, cast

T = TypeVar("T")
_NOWHERE = Path(os.devnull)


@contextmanager
def standard_streams() -> Iterator[None]:
    """While this lasts, nobody who reads or writes them has to think of it.

    Messages that cannot be written are lost: no work ends for want of somebody who reads them. Data that nobody reads any more
    are lost, too (`| head`); data for which there is no room are an error.
    """
    _fill_gaps()
    with ExitStack() as afterwards:
        # A file or a pipe is read by programs: UTF-8 in every locale. A terminal gets what it can show.
        _recode(sys.stdin, afterwards, encoding="utf-8-sig", errors="replace")
        _recode(sys.stdout, afterwards, encoding="utf-8", errors="backslashreplace")
        afterwards.callback(_restore, sys.stdout, sys.stderr)
        sys.stdout = cast(TextIO, ForgivingStream(sys.stdout, lambda error: isinstance(error, BrokenPipeError)))
        sys.stderr = cast(TextIO, ForgivingStream(sys.stderr, lambda _: True))
        yield


class ForgivingStream:
    """A stream that writes into nothing once writing has failed."""

    def __init__(self, stream: Any, is_forgiven: Callable[[OSError], bool]) -> None:
        self._stream = stream
        self._is_forgiven = is_forgiven
        self.is_read = True

    @property
    def buffer(self) -> ForgivingStream:
        """The same for bytes."""
        return ForgivingStream(self._stream.buffer, self._is_forgiven)

    def write(self, content: str | bytes) -> int:
        self._tried(self._stream.write, content)
        return len(content)

    def flush(self) -> None:
        self._tried(self._stream.flush)

    def give_up(self) -> None:
        """Nothing complains any more of what is still in the buffer: neither the next flush nor the interpreter's last."""
        with suppress(OSError), _NOWHERE.open("wb") as nowhere:
            os.dup2(nowhere.fileno(), self._stream.fileno())

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)

    def _tried(self, act: Callable[..., object], *given: object) -> None:
        try:
            act(*given)
        except OSError as error:
            self.is_read = False
            if not self._is_forgiven(error):
                raise
            self.give_up()


def is_read() -> bool:
    """Whether, as far as one can know, somebody still reads what goes to stdout."""
    return getattr(sys.stdout, "is_read", True)


def while_read(items: Iterable[T]) -> Iterator[T]:
    """One after the other, until nobody reads any more what is printed of them."""
    for item in items:
        yield item
        if not is_read():
            return


def _fill_gaps() -> None:
    """A closed stream is one to nowhere; without that the next file that is opened would get its number, and what is printed."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.set_inheritable(os.open(_NOWHERE, os.O_RDWR), True)
    sys.stdin = sys.stdin or _NOWHERE.open(encoding="utf-8")
    sys.stdout = sys.stdout or _NOWHERE.open("w", encoding="utf-8")
    sys.stderr = sys.stderr or _NOWHERE.open("w", encoding="utf-8")


def _recode(stream: TextIO, afterwards: ExitStack, *, encoding: str, errors: str) -> None:
    if isinstance(stream, io.TextIOWrapper) and not stream.isatty():
        before = stream.encoding, stream.errors
        with suppress(io.UnsupportedOperation):  # somebody has read of it already
            stream.reconfigure(encoding=encoding, errors=errors)
            afterwards.callback(_recode_back, stream, *before)


def _recode_back(stream: io.TextIOWrapper, encoding: str, errors: str | None) -> None:
    with suppress(io.UnsupportedOperation):
        stream.reconfigure(encoding=encoding, errors=errors)


def _restore(stdout: TextIO, stderr: TextIO) -> None:
    if isinstance(sys.stdout, ForgivingStream) and not is_read():
        sys.stdout.give_up()
    sys.stdout, sys.stderr = stdout, stderr
