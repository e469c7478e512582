"""One writer a corpus: the second is told who the first is."""

from __future__ import annotations

import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path

from webarticlecurator.errors import CorpusBusy, CorpusError

if sys.platform == "win32":
    import msvcrt

    def _take(file: FileIO) -> None:
        # The lock lies beyond the text, so that others can still read who holds it.
        file.seek(1 << 20)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(file: FileIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@contextmanager
def locked(path: Path, what: str) -> Iterator[None]:
    """Hold the lock file while the block runs; the operating system lets go of it when the process dies, however it dies."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab+", buffering=0) as file:
        try:
            _take(file)
        except OSError:
            raise CorpusBusy(_held_by(path, what)) from None
        _sign(file, path)
        yield
        file.truncate(0)


def _sign(file: FileIO, path: Path) -> None:
    """Write down who holds it."""
    holder = {"process": os.getpid(), "host": socket.gethostname(), "since": datetime.now(UTC).isoformat(timespec="seconds")}
    try:
        file.truncate(0)
        file.write(json.dumps(holder).encode())
    except OSError as error:
        raise CorpusError(f"{path} could not be written: {error.strerror}. Free some space, then run the command again.") from error


def _held_by(path: Path, what: str) -> str:
    try:
        holder = json.loads(path.read_text(encoding="utf-8"))
        who = f"process {holder['process']} on {holder['host']}, since {holder['since']}"
    except (OSError, ValueError, KeyError):
        who = "a process that has just started"
    return f"Another {what} of {path.parent} is running: {who}. Wait until it has ended, or stop it with Ctrl-C there."
