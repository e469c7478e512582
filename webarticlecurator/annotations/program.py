"""A program that annotates, from the start of its process to its end: it is sent articles, and answers while
it is still sent others, or when it has them all."""

from __future__ import annotations

import codecs
import os
import signal
import subprocess
import time
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from queue import Empty, Queue
from threading import Event as Flag
from threading import Thread, Timer

from webarticlecurator.annotations.answers import COLUMNS, Answer, Answers, Task, Unfit

Command = str | Sequence[str]
"""A command as it is typed into a shell, or a program with its arguments."""
_PIECE = 1 << 16
"""Bytes that are read, or written, at once."""
_AHEAD = 16
"""Pieces of an answer that wait to be read."""
_LONGEST_SENTENCE = 8_000_000
"""Characters of an answer: more than a hundred thousand words with all that can be said of them."""
_VERSION_SECONDS, _LONGEST_VERSION = 2.0, 200
_LAST_WORDS = 2_000
"""Bytes of what a program says beside its answers."""
_LOOK, _END, _PATIENCE = 0.2, 5.0, 60.0
"""Seconds between two looks whether a person wants to wait no longer; in which a program that has answered
ends; and in which we have done what we are at."""


class Program:
    """One process of a program."""

    def __init__(self, command: Command, *, time_limit: float, stop: Flag) -> None:
        self._time_limit, self._stop = time_limit, stop
        self.answers = Answers()
        self.reason: str | None = None
        """Why it has not answered all; None if it has, or was stopped."""
        self._fault: Exception | None = None
        """An error on our side, while it was sent something."""
        self._said = b""
        self._pieces: Queue[bytes] = Queue(_AHEAD)
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(
            command,
            shell=isinstance(command, str),
            stdin=pipe,
            stdout=pipe,
            stderr=pipe,
            start_new_session=True,  # Ctrl-C is for us
            env={**os.environ, "PYTHONIOENCODING": "utf-8"},
        )
        self._moved = time.monotonic()
        """When it last took or gave something."""

    def annotate(self, tasks: Iterable[Task], *, alone: bool) -> Iterator[Answer]:
        """Send articles and give each that is answered; afterwards `reason` and `answers.left` tell of the
        others. `alone`: there is one."""
        writing, reading, listening = (
            Thread(target=work, args=given, daemon=True)
            for work, given in ((self._write, (tasks,)), (self._read, ()), (self._listen, ()))
        )
        for thread in (writing, reading, listening):
            thread.start()
        try:
            for block in self._blocks():
                yield from self.answers.take(block)
            self.reason = self._end()
        except Unfit as unfit:
            self.reason = str(unfit)
        finally:
            self._kill()
            writing.join(_PATIENCE)  # it may be making the text of a long article
            listening.join(_LOOK)
        if self._fault is not None:
            raise self._fault
        if self.reason is None and not self._stop.is_set():
            yield from self.answers.end(alone=alone)
            self.reason = "it ended before it had answered" if self.answers.left else None
        if self.reason is not None and (words := self._last_words()):
            self.reason = f"{self.reason}: {words}"

    def _blocks(self) -> Iterator[str]:
        """Give the lines of each sentence of its answer, until it ends. Raises Unfit."""
        decoder, kept = codecs.getincrementaldecoder("utf-8")("replace"), ""
        while piece := self._next_piece():
            before = len(kept)
            kept += decoder.decode(piece).replace("\r", "")
            if kept.find("\n\n", max(0, before - 1)) >= 0:
                *blocks, kept = kept.split("\n\n")
                yield from blocks
            if len(kept) > _LONGEST_SENTENCE:
                raise Unfit("a sentence of its answer has no end")
        last = kept.rpartition("\n")[2]
        is_whole = last.count("\t") == COLUMNS - 1 and self._end() is None
        if last and not is_whole:
            raise Unfit("its answer breaks off amid a line")
        yield kept

    def _next_piece(self) -> bytes:
        """Return what it answers next; nothing where it has ended, or a person wants to wait no longer.
        Raises Unfit."""
        while not self._stop.is_set():
            with suppress(Empty):
                piece = self._pieces.get(timeout=_LOOK)
                self._moved = time.monotonic()
                return piece
            if time.monotonic() - self._moved > self._time_limit:
                raise Unfit(f"no answer within {self._time_limit:g} seconds")
        return b""

    def _write(self, tasks: Iterable[Task]) -> None:
        stdin = self._process.stdin
        assert stdin is not None
        try:
            for task in tasks:
                self.answers.expect(task)
                content = task.sent.encode("utf-8", "replace")
                for start in range(0, len(content), _PIECE):
                    stdin.write(content[start : start + _PIECE])
                    stdin.flush()
                    self._moved = time.monotonic()
        except OSError:  # it has ended; the answers tell how far it came
            pass
        except Exception as error:  # whatever it is, whoever waits must hear of it
            self._fault = error
            self._kill()
        with suppress(OSError):
            stdin.close()

    def _read(self) -> None:
        stdout = self._process.stdout
        assert stdout is not None
        with stdout:
            while piece := os.read(stdout.fileno(), _PIECE):
                self._pieces.put(piece)
        self._pieces.put(b"")

    def _listen(self) -> None:
        stderr = self._process.stderr
        assert stderr is not None
        with stderr:
            while piece := os.read(stderr.fileno(), _PIECE):
                self._said = (self._said + piece)[-_LAST_WORDS:]

    def _end(self) -> str | None:
        """Wait for its end; gives what was wrong with that."""
        if self._stop.is_set():
            return None
        try:
            code = self._process.wait(_END)
        except subprocess.TimeoutExpired:
            return None  # it has answered, and need not hurry
        if code < 0:
            return f"it was killed ({signal.Signals(-code).name})"
        return f"it ended with code {code}" if code else None

    def _kill(self) -> None:
        """End it, with all that it has started."""
        _kill(self._process)
        with suppress(Empty):  # whoever reads it waits for room
            while self._pieces.get(timeout=_LOOK):
                pass

    def _last_words(self) -> str:
        """Return the last line that it has said beside its answers."""
        lines = self._said.decode("utf-8", "replace").split("\n")
        shown = ["".join(filter(str.isprintable, line)).strip() for line in lines]
        return next((line[:300] for line in reversed(shown) if line), "")


def _kill(process: subprocess.Popen[bytes]) -> None:
    """End a process, with all that it has started."""
    with suppress(OSError):
        if hasattr(os, "killpg"):
            os.killpg(process.pid, signal.SIGKILL)
        else:
            process.kill()
    process.wait()


def version_of(program: str) -> str:
    """Return the first line that a program says of its version; empty where it says nothing soon."""
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    try:
        process = subprocess.Popen(
            [program, "--version"], stdin=nothing, stdout=pipe, stderr=nothing, start_new_session=True
        )
    except (OSError, ValueError):
        return ""
    timer = Timer(_VERSION_SECONDS, _kill, (process,))
    timer.start()
    with process:
        assert process.stdout is not None
        said = os.read(process.stdout.fileno(), _LONGEST_VERSION).decode("utf-8", "replace")
        code = process.wait()
    timer.cancel()
    return "".join(filter(str.isprintable, said.partition("\n")[0])).strip() if code == 0 else ""
