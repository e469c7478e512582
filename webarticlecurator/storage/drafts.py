"""Drafts: what is written lies in a hidden folder beside its place until it is whole. And what is no place
for a file.

A draft is held by a lock of the system for as long as its command runs. So the next command that writes to
the same place knows what a killed one left behind, and takes that away.
"""

from __future__ import annotations

import glob
import os
import shutil
import stat
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from enum import Enum
from pathlib import Path
from tempfile import mkdtemp
from typing import BinaryIO

from webarticlecurator.own_patterns import linear_at

if sys.platform != "win32":
    import fcntl

_SUFFIX = ".curator-draft"
_BEFORE = "before"
"""The name, in a draft, of the folder that stood in the place until now."""
_LONGEST = 200
"""Bytes of a name that its draft is called after: systems allow names of 255."""
_DAY = 24 * 3600
_MOST_LINKS = 40
_OWN_FILES = linear_at(rf"/dev/fd|/proc/{os.getpid()}(/task/\d+)?/fd")
"""The folders in which a system shows what a process has open."""


# --- places ---


def target_of(place: Path) -> Path:
    """Return the file that is written when this place is: of a symbolic link, what it leads to."""
    return Path(os.path.realpath(place)) if place.is_symlink() else place


def in_the_way(place: Path) -> str | None:
    """Return why no file can be written to a place, because of what lies there; None where nothing speaks
    against it."""
    mode = _mode(place)
    if stat.S_ISDIR(mode):
        return f"{place} is a folder; name the file"
    if stat.S_ISSOCK(mode):
        return f"{place} is a socket, which takes no files; name another place"
    if stat.S_ISBLK(mode):
        return f"{place} is a disk, and what is on it would be lost; name a file"
    return None


def is_stream(place: Path) -> bool:
    """True if a place is written to as it is, and never replaced: a pipe, a terminal, /dev/null, and what
    this process has open."""
    mode = _mode(place)
    return stat.S_ISFIFO(mode) or stat.S_ISCHR(mode) or _open_number(place) is not None


def open_stream(place: Path) -> BinaryIO:
    """Open such a place for writing. What is open already goes on where it is: `>> file` keeps what stood in
    the file."""
    number = _open_number(place)
    return os.fdopen(os.dup(number) if number is not None else os.open(place, os.O_WRONLY), "wb")


def write_new(place: Path, text: str) -> None:
    """Write a text where nothing is yet, or to a stream. Raises FileExistsError."""
    if is_stream(place):
        file = open_stream(place)
    else:
        place.parent.mkdir(parents=True, exist_ok=True)
        file = target_of(place).open("xb")
    with file:
        file.write(text.encode("utf-8", "replace"))


def _mode(place: Path) -> int:
    """The type of what lies at a place; 0 if nothing does."""
    try:
        return place.stat().st_mode
    except FileNotFoundError:
        return 0


def _open_number(place: Path) -> int | None:
    """The number of an open file of this process that a place stands for: 1 of /dev/stdout, 63 of
    /dev/fd/63."""
    for _ in range(_MOST_LINKS):
        folder = os.path.realpath(place.parent)
        if place.name.isdecimal() and _OWN_FILES.fullmatch(folder):
            return int(place.name)
        if not place.is_symlink():
            return None
        place = Path(folder) / place.readlink()
    return None


# --- drafts ---


class _Holder(Enum):
    """The holders of a draft."""

    OURS = "this process"
    ANOTHER = "another process"
    UNKNOWN = "unknown"
    """The holder is unknown: the system has no locks for folders, or does not let this process look."""


@contextmanager
def draft_folder(place: Path) -> Iterator[Path]:
    """Make an empty folder beside a place, to be written into while the block runs; it is gone at the end."""
    try:
        place.parent.mkdir(parents=True, exist_ok=True)
        folder, lock = _begin(place)
    except OSError as error:  # the name of the draft says nothing to a person
        raise type(error)(error.errno, error.strerror, str(place)) from None
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def settle_folder(made: Path, place: Path) -> None:
    """Put a folder that was made within a draft in its place; the one that stood there goes with the
    draft."""
    before = made.parent / _BEFORE / place.name
    if place.exists():
        before.parent.mkdir()
        place.replace(before)
    try:
        made.replace(place)
    except OSError:
        if before.exists():
            before.replace(place)
        raise


def _begin(place: Path) -> tuple[Path, int | None]:
    """Make a draft, and hold it; make another where a command took the first for one that was left, before it
    was held."""
    while True:
        folder = Path(mkdtemp(_SUFFIX, f".{_beginning(place)}.", place.parent))
        lock, holder = _hold(folder)
        if holder is not _Holder.ANOTHER and folder.exists():
            return folder, lock
        if lock is not None:
            os.close(lock)


def clear_drafts(place: Path) -> None:
    """Take away the drafts that nobody holds; where the system cannot tell, those that nobody has changed for
    a day.

    Comes before any look at what stands in the place: a killed command may have moved that away.
    """
    for left in place.parent.glob(f".{glob.escape(_beginning(place))}.*{_SUFFIX}"):
        lock, holder = _hold(left)
        if holder is _Holder.OURS or (holder is _Holder.UNKNOWN and _is_old(left)):
            _put_back(left)
            shutil.rmtree(left, ignore_errors=True)
        if lock is not None:
            os.close(lock)


def _put_back(left: Path) -> None:
    """Put a folder back in its place that a command had just moved away when it was killed."""
    with suppress(OSError):
        for before in (left / _BEFORE).iterdir():
            if not (left.parent / before.name).exists():
                before.replace(left.parent / before.name)


def _is_old(left: Path) -> bool:
    with suppress(OSError):
        newest = max(path.stat().st_mtime for path in (left, *left.rglob("*")))
        return time.time() - newest > _DAY
    return False


def _beginning(place: Path) -> str:
    return os.fsdecode(os.fsencode(place.name)[:_LONGEST])


def _hold(folder: Path) -> tuple[int | None, _Holder]:
    """Lock a draft for this process; return the open folder, to be closed, and who holds the draft now."""
    if sys.platform == "win32":  # a folder that is open could not be moved
        return None, _Holder.UNKNOWN
    try:
        lock = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    except FileNotFoundError:
        return None, _Holder.ANOTHER  # which has taken it away
    except OSError:  # too many files are open, or it may not be looked into
        return None, _Holder.UNKNOWN
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return lock, _Holder.ANOTHER
    except OSError:
        return lock, _Holder.UNKNOWN
    return lock, _Holder.OURS
