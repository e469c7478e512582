"""One writer a corpus: the second is told who the first is, and since when; what a dead one left behind is taken over.

On one machine the operating system knows whether the holder lives: it lets go of the lock when the process dies, however it dies. A folder
that several machines share may lie where such locks do not reach the others, so whoever holds one also gives signs of life: it touches
the file every few seconds. The lock of another machine is taken over only after it was watched for long enough and gave none. Clocks of
different machines are never compared.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from functools import cache
from io import FileIO
from pathlib import Path
from typing import Self

from webarticlecurator.errors import CorpusBusy, CorpusError

BEAT = 5.0
"""Seconds between two signs of life."""
PATIENCE = 30.0
"""Seconds without one after which a holder on another machine counts as dead."""
SETTLING = 2.0
"""Seconds after which a lock that was taken over must still be ours: two machines may have taken it in the same moment."""
_HELD = frozenset({errno.EWOULDBLOCK, errno.EAGAIN, errno.EACCES, errno.EDEADLK})


def _clock() -> float:
    """Also counts while the machine sleeps, where the system has such a clock."""
    return time.clock_gettime(time.CLOCK_BOOTTIME) if sys.platform == "linux" else time.monotonic()


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Holder:
    """What stands in the file: who holds it."""

    process: int
    host: str
    since: str
    machine: str = ""
    """The same for all that this system's kernel knows of; empty: an older program, which gives no signs of life."""
    token: str = ""
    sign: str = ""
    """Of life, in an object store: there a file is another one only if its content is."""

    @classmethod
    def this(cls) -> Self:
        """This process, from now on."""
        since = datetime.now(UTC).isoformat(timespec="seconds")
        return cls(process=os.getpid(), host=socket.gethostname(), since=since, machine=this_machine(), token=uuid.uuid4().hex)

    @classmethod
    def of_json(cls, content: bytes) -> Self | None:
        """What `as_json` made; None where it is something else."""
        try:
            return cls(**json.loads(content))
        except (ValueError, TypeError):
            return None

    def as_json(self) -> bytes:
        return json.dumps(asdict(self)).encode()

    def __str__(self) -> str:
        return f"process {self.process} on {self.host}, since {self.since}"


class Lock:
    """A lock that is held, and gives signs of life."""

    def __init__(self, path: Path, what: str, holder: Holder) -> None:
        self._path = path
        self._what = what
        self._holder = holder
        self._seen = self._taken = _clock()
        self._taken_by: str | None = None

    def check(self) -> None:
        """To be asked before something is written. Raises CorpusBusy where others took a process that slept too long for dead."""
        if self._taken_by is None and _clock() - self._taken < SETTLING:
            self.give_sign()  # another machine may have seen the file empty before we signed it, and signed it after us
        while self._taken_by is None and _clock() - self._seen > PATIENCE / 2:
            self.give_sign()
        if self._taken_by is not None:
            raise CorpusBusy(
                f"The {self._what} of {self._path.parent} was taken over by {self._taken_by}: this machine gave no sign of life for"
                f" {PATIENCE:.0f} s (did it sleep, or lose its network?), or both began in the same moment."
                " Nothing is lost; what was not finished here goes on there."
            )

    def give_sign(self) -> None:
        """Touch the file, if it is still ours."""
        now = _clock()  # if we are stopped after the look at the file, the look is as old as it is
        if self.is_ours():
            os.utime(self._path)
            self._seen = now
        else:
            self._taken_by = str(_read(self._path)[0] or "another process, which has ended by now")

    def is_ours(self) -> bool:
        return _read(self._path)[0] == self._holder


@contextmanager
def locked(
    path: Path, what: str, *, say: Callable[[str], None] = lambda _: None, wait: Callable[[float], object] = time.sleep
) -> Iterator[Lock]:
    """Hold the lock file while the block runs. Raises CorpusBusy.

    `wait` sleeps for so many seconds; where it gives something true, a person does not want to wait any longer.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("ab+", buffering=0) as file:
        is_certain = _is_taken(file, path, what)
        before = _read(path)[0]
        if before is not None and before.machine and not (is_certain and before.machine == this_machine()):
            is_certain = False
            say(watching(str(path.parent), what, before))
            _watch(path, what, before, wait)
        holder = _sign(file, path)
        lock = Lock(path, what, holder)
        if not is_certain:
            wait(SETTLING)
            if not lock.is_ours():
                raise CorpusBusy(_held_by(path, what))
        _beating.add(lock)
        try:
            yield lock
        finally:
            _beating.remove(lock)
            with suppress(OSError):
                if lock.is_ours():
                    file.truncate(0)


@cache
def this_machine() -> str:
    """What parts this machine from others, until it is started anew: containers of one machine share its locks."""
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return f"{socket.gethostname()} {uuid.getnode():x}"


def _is_taken(file: FileIO, path: Path, what: str) -> bool:
    """Whether the system gave us its lock; False where its file system has none. Raises CorpusBusy where another has it."""
    try:
        _take(file)
    except OSError as error:
        if error.errno in _HELD:
            raise CorpusBusy(_held_by(path, what)) from None
        return False
    return True


def _watch(path: Path, what: str, before: Holder, wait: Callable[[float], object]) -> None:
    """Wait for a sign of life. Raises CorpusBusy if there is one."""
    first = _read(path)
    for _ in range(round(PATIENCE / (BEAT / 2))):
        if wait(BEAT / 2):
            raise CorpusBusy(f"Interrupted before it was clear whether another {what} of {path.parent} still runs: {before}.")
        now = _read(path)
        if now[0] is None:
            return  # it has let go
        if now != first:
            raise CorpusBusy(_held_by(path, what))


def _read(path: Path) -> tuple[Holder | None, int]:
    """Who holds the file, and when it was last touched; opened anew each time, so that a network file system looks again."""
    with path.open("rb") as file:
        touched = os.fstat(file.fileno()).st_mtime_ns
        return Holder.of_json(file.read()), touched


def _sign(file: FileIO, path: Path) -> Holder:
    """Write down who holds it."""
    holder = Holder.this()
    try:
        file.truncate(0)
        file.write(holder.as_json())
        os.fsync(file.fileno())
    except OSError as error:
        raise CorpusError(f"{path} could not be written: {error.strerror}. Free some space, then run the command again.") from error
    return holder


def running_here(path: Path) -> Holder | None:
    """Whose process on this machine holds it, by its last sign of life; nothing is taken to find that out."""
    try:
        holder, touched = _read(path)
    except OSError:
        return None
    is_alive = time.time() - touched / 1e9 < 2 * BEAT
    return holder if holder is not None and holder.machine == this_machine() and is_alive else None


def _held_by(path: Path, what: str) -> str:
    try:
        holder, touched = _read(path)
    except OSError:
        holder, touched = None, 0
    who = str(holder) if holder is not None else "a process that has just started"
    if holder is not None and holder.machine == this_machine():
        who += f", last sign of life {max(0.0, time.time() - touched / 1e9):.0f} s ago"
    return running(str(path.parent), what, who)


def watching(where: str, what: str, who: object) -> str:
    """Why it takes so long to begin."""
    return f"{where} was left by another {what}: {who}. Watching for {PATIENCE:.0f} s whether that still lives."


def running(where: str, what: str, who: object) -> str:
    """Why this one cannot begin."""
    return f"Another {what} of {where} is running: {who}. Wait until it has ended, or stop it with Ctrl-C there."


class _Beating:
    """Gives the signs of life of all locks of this process, from one thread."""

    def __init__(self) -> None:
        self._locks: set[Lock] = set()
        self._changed = threading.Condition()
        self._runs = False

    def add(self, lock: Lock) -> None:
        with self._changed:
            self._locks.add(lock)
            if not self._runs:
                self._runs = True
                threading.Thread(target=self._beat, name="signs of life", daemon=True).start()

    def remove(self, lock: Lock) -> None:
        with self._changed:
            self._locks.discard(lock)
            self._changed.notify_all()

    def _beat(self) -> None:
        while True:
            with self._changed:
                if self._changed.wait_for(lambda: not self._locks, BEAT):
                    self._runs = False
                    return
                locks = list(self._locks)
            for lock in locks:
                with suppress(OSError):  # `check` meets it again
                    lock.give_sign()


_beating = _Beating()
