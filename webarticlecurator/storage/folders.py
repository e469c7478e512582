"""Folders of files that are written whole: one small protocol for those on this machine and those in an object store.

A folder is made of its place alone, so that a worker on another machine opens it itself.
Names may hold slashes: what lies in folders below.
"""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO, Protocol

from webarticlecurator.errors import CuratorError
from webarticlecurator.storage.places import is_url, url_of
from webarticlecurator.storage.ranged_file import Range

Sync = Callable[[int], None]
"""Waits until a file descriptor's content is on the disk: os.fsync."""


@dataclass(frozen=True, slots=True)
class StoredFile:
    """What is known of a file without reading it."""

    name: str
    """Below its folder."""
    size: int
    version: str
    """Another one as soon as the file is another."""


class State(Enum):
    """What a file must be like before it is written, where that is no version."""

    ANY = auto()
    ABSENT = auto()


class Changed(CuratorError):
    """Somebody else has written the file meanwhile: nothing was done."""


class Folder(Protocol):
    """Files that are written whole."""

    @property
    def place(self) -> Path: ...

    def names(self) -> list[str]:
        """What lies directly in it, files and folders, in order."""
        ...

    def files(self, below: str = "") -> list[StoredFile]:
        """All files, or those of a folder in it, however deep, in the order of their names."""
        ...

    def facts(self, name: str) -> StoredFile | None:
        """Of one file, as it is now; None where it is not there."""
        ...

    def open(self, name: str, expected: Sequence[Range] = ()) -> BinaryIO:
        """To be read, seekable; ranges that are expected are asked for together.

        Raises FileNotFoundError: where the folder is on this machine at once, else when the file is read.
        """
        ...

    def read(self, name: str) -> bytes:
        """All of a small file. Raises FileNotFoundError."""
        ...

    def put(self, name: str, content: Path | bytes, *, replaces: str | State = State.ANY) -> StoredFile:
        """Write a whole file: a reader sees the old one or the new one.

        `replaces`: the version that it must have, or State.ABSENT; where it is otherwise nothing is written. Raises Changed.
        """
        ...

    def delete(self, name: str) -> None:
        """Take a file away; one that is not there is no fault."""
        ...


@lru_cache(maxsize=64)
def folder_at(place: Path) -> Folder:
    """The folder at a place, on this machine or in an object store."""
    if not is_url(place):
        return LocalFolder(place)
    from webarticlecurator.storage.object_folder import ObjectFolder

    return ObjectFolder(place)


@dataclass(frozen=True)
class LocalFolder:
    """On this machine."""

    place: Path

    def names(self) -> list[str]:
        return sorted(one.name for one in self.place.iterdir()) if self.place.is_dir() else []

    def files(self, below: str = "") -> list[StoredFile]:
        found = [
            (Path(folder) / name).relative_to(self.place).as_posix() for folder, _, names in os.walk(self.place / below) for name in names
        ]
        return [facts for name in sorted(found) if (facts := self.facts(name)) is not None]

    def facts(self, name: str) -> StoredFile | None:
        with suppress(FileNotFoundError, NotADirectoryError):
            stat = (self.place / name).stat()
            return StoredFile(name, stat.st_size, f"{stat.st_ino}-{stat.st_mtime_ns}-{stat.st_size}")
        return None

    def open(self, name: str, expected: Sequence[Range] = ()) -> BinaryIO:  # noqa: ARG002
        return (self.place / name).open("rb")

    def read(self, name: str) -> bytes:
        return (self.place / name).read_bytes()

    def put(self, name: str, content: Path | bytes, *, replaces: str | State = State.ANY) -> StoredFile:
        place = self.place / name
        check_version(self, name, replaces)
        place.parent.mkdir(parents=True, exist_ok=True)
        draft = place.with_name(f"{place.name}.{os.getpid()}.new")
        try:
            with io.BytesIO(content) if isinstance(content, bytes) else content.open("rb") as source, draft.open("wb") as target:
                shutil.copyfileobj(source, target)
                target.flush()
                os.fsync(target.fileno())
            draft.replace(place)
            sync_folder(place.parent)
        finally:
            draft.unlink(missing_ok=True)
        return self.facts(name) or StoredFile(name, 0, "")

    def delete(self, name: str) -> None:
        (self.place / name).unlink(missing_ok=True)


def sync_folder(folder: Path, sync: Sync = os.fsync) -> None:
    """Make sure that new names in a folder survive a power cut, where the system lets folders be synced at all."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            sync(descriptor)
        finally:
            os.close(descriptor)


def check_version(folder: Folder, name: str, replaces: str | State) -> None:
    """For folders that cannot do it in one step with writing. Raises Changed."""
    if replaces is State.ANY:
        return
    facts = folder.facts(name)
    if (facts.version if facts is not None else State.ABSENT) != replaces:
        raise changed(folder.place, name)


def changed(place: Path, name: str) -> Changed:
    """That a file is not what it was."""
    return Changed(f"{url_of(place)}/{name} was written by somebody else meanwhile.")
