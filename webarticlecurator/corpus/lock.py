"""One writer a corpus: the second is told who the first is, and what a dead one left behind on this machine is taken at once.

The system lets go of a lock when its process ends, however that ends. Of locks that other machines hold in a shared folder it does not
always know: so the file names its holder, and whether one on another machine still lives is for a person to say.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from io import FileIO
from pathlib import Path

from webarticlecurator.errors import CorpusBusy, CorpusError

_HELD = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK})
_BOOT = Path("/proc/sys/kernel/random/boot_id")


if sys.platform == "win32":
    import msvcrt

    def _take(file: FileIO) -> None:
        file.seek(1 << 20)  # beyond the text, so that others can still read who holds it
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
else:
    import fcntl

    def _take(file: FileIO) -> None:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)


@dataclass(frozen=True, slots=True)
class Holder:
    """What stands in the file: who holds it."""

    process: int
    host: str
    machine: str
    """The same for all containers of one machine, until it is started anew: these share its locks, and not its name."""
    command: str
    since: str

    def __str__(self) -> str:
        return f"process {self.process} on {self.host}, since {self.since}"

    @property
    def is_here(self) -> bool:
        """Whether it is, or was, a process of this machine."""
        return self.host == socket.gethostname() or (self.machine != "" and self.machine == _machine())


@contextmanager
def locked(path: Path, command: str) -> Iterator[None]:
    """Hold the lock file while the block runs. Raises CorpusBusy."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab+", buffering=0) as file:
        is_certain = _is_taken(file, path, command)
        holder = _holder(path)
        if holder is not None and not (is_certain and holder.is_here):
            raise CorpusBusy(
                f"{path} says that another {command} holds this corpus: {holder}. Whether that still runs cannot be seen from here."
                f" If it does, wait until it has ended; if it does not, remove {path}, then run this again."
            )
        ours = Holder(os.getpid(), socket.gethostname(), _machine(), command, datetime.now(UTC).isoformat(timespec="seconds"))
        try:
            file.truncate(0)
            file.write(json.dumps(asdict(ours)).encode())
            os.fsync(file.fileno())
        except OSError as error:
            raise CorpusError(f"{path} could not be written: {error.strerror}. Free some space, then run the command again.") from error
        try:
            yield
        finally:
            with suppress(OSError):
                file.truncate(0)


def running_here(path: Path) -> Holder | None:
    """Which process of this machine holds it."""
    holder = _holder(path)
    if holder is None or not holder.is_here:
        return None
    if sys.platform != "win32":  # where this would end the process
        try:
            os.kill(holder.process, 0)
            with path.open("rb") as file:  # another process may have its number by now
                fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except OSError as error:
            return holder if error.errno in (*_HELD, errno.EPERM) else None
        return None
    return holder


def _is_taken(file: FileIO, path: Path, command: str) -> bool:
    """Whether the system gave us its lock; False where its file system has none. Raises CorpusBusy where another has it."""
    try:
        _take(file)
    except OSError as error:
        if error.errno in _HELD:
            who = _holder(path) or "a process that has just started"
            raise CorpusBusy(
                f"Another {command} of {path.parent} is running: {who}. Wait until it has ended, or stop it with Ctrl-C there."
            ) from None
        return False
    return True


def _holder(path: Path) -> Holder | None:
    """By the file, opened anew, so that a network file system looks again."""
    try:
        named = json.loads(path.read_bytes())
        return Holder(int(named["process"]), *(str(named.get(name, "")) for name in ("host", "machine", "command", "since")))
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None


def _machine() -> str:
    with suppress(OSError):
        return _BOOT.read_text("ascii").strip()
    return ""
