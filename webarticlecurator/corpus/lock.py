"""One writer a corpus: the second is told who the first is, and what a dead one left behind on this machine
is taken at once.

The system lets go of a lock when its process ends, however that ends. Of locks that other machines hold in a
shared folder it does not always know: so the file names its holder, and whether one on another machine still
lives is for a person to say.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path
from typing import NamedTuple

from webarticlecurator.errors import CorpusBusy, CorpusError

_HELD = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK})

if sys.platform == "win32":
    import msvcrt

    def _take(file: FileIO) -> None:
        file.seek(1 << 20)  # beyond the text, so that others can still read who holds it
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(file: FileIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


class Holder(NamedTuple):
    """The holder of a lock, as the file names it."""

    process: int
    host: str
    machine: str
    """The machine, by a name that all its containers share until it is started anew: they share its locks,
    but not its host name."""
    since: str

    def __str__(self) -> str:
        return f"process {self.process} on {self.host}, since {self.since}"


@contextmanager
def locked(path: Path, command: str) -> Iterator[None]:
    """Hold the lock file while the block runs. Raises CorpusBusy."""
    path.parent.mkdir(parents=True, exist_ok=True)
    machine = ""
    with suppress(OSError):
        machine = Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    ours = Holder(os.getpid(), socket.gethostname(), machine, datetime.now(UTC).isoformat(timespec="seconds"))
    with path.open("ab+", buffering=0) as file:
        is_taken, holder = _is_taken(file), _holder(path)
        if is_taken is False:
            raise CorpusBusy(
                f"Another {command} of {path.parent} is running: "
                f"{holder or 'a process that has just started'}."
                " Wait until it has ended, or stop it with Ctrl-C there."
            )
        is_here = holder is not None and (holder.host == ours.host or holder.machine == ours.machine != "")
        if holder is not None and not (is_taken and is_here):
            held = f"{path} says that another {command} holds this corpus: {holder}"
            raise CorpusBusy(
                f"{held}. Wait until that has ended; if it does not run any more, remove {path}, then run "
                "this again."
            )
        try:
            file.truncate(0)
            file.write(json.dumps(ours._asdict()).encode())
            os.fsync(file.fileno())
        except OSError as error:
            raise CorpusError(
                f"{path} could not be written: {error.strerror}. Free some space, then run the command again."
            ) from error
        try:
            yield
        finally:
            with suppress(OSError):
                file.truncate(0)


def running(path: Path) -> Holder | None:
    """Who holds it at the moment, as far as the system knows."""
    holder = _holder(path)
    if holder is not None:  # else nobody may be kept from it for as long as a look takes
        with suppress(OSError), path.open("rb+", buffering=0) as file:
            return holder if _is_taken(file) is False else None
    return None


def _is_taken(file: FileIO) -> bool | None:
    """Return whether the system gave us its lock: False where another has it, None where its file system has
    none."""
    try:
        _take(file)
    except OSError as error:
        return False if error.errno in _HELD else None
    return True


def _holder(path: Path) -> Holder | None:
    """By the file, opened anew, so that a network file system looks again."""
    try:
        named = json.loads(path.read_bytes())
        return Holder(*(named[name] for name in Holder._fields))
    except (OSError, ValueError, TypeError, KeyError):
        return None
