"""The places of WARC files: on this machine, or in an object store, which is read by ranges and written
whole, by fsspec.

Beside sealed files of a corpus that `curator warc push` brought elsewhere lies a text file that says where
they are found.

A place in an object store is written as a `Path` too, as its URL reads when it is one: `s3:/bucket/portal`.
So it is joined, pickled, kept in tables and named on the command line like any other, and only what opens
files asks where it is.
"""

from __future__ import annotations

import io
import os
import shutil
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, BinaryIO, cast

from webarticlecurator.errors import CorpusError, StoreUnreachable, UsageError
from webarticlecurator.own_patterns import linear_at
from webarticlecurator.storage.drafts import (
    clear_drafts,
    draft_folder,
    in_the_way,
    is_stream,
    open_stream,
    target_of,
)

OPEN = ".open"
"""Ends the name of a file that is still being written."""
PUSHED = "pushed.txt"
_PUSHED_HEAD = (
    "# WARC files that `curator warc push` brought elsewhere, each found whole there. Keep this file: it "
    "says where they are.\n"
)
_SCHEME = linear_at(r"(?!https?:)[a-z][a-z0-9+.-]+:")
"""The scheme of an object store: two characters at least before the colon, since a single one is a drive of
Windows. Of the web pages are asked for, not folders."""
_ALMOST = linear_at(r"(?i)s3a?:.+|[a-z][a-z0-9+.:-]+:")
_LEAST, _LARGEST = 64 << 10, 8 << 20
"""Bytes of a request."""
_OF_S3: dict[str, Any] = {
    "use_listings_cache": False,  # others write, too
    "config_kwargs": {
        "connect_timeout": 10,
        "read_timeout": 20,
        "retries": {"mode": "standard", "total_max_attempts": 3},
    },
}
_KEYS = (
    "The keys come from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_PROFILE), never from "
    "the URL"
)


def is_url(place: Path) -> bool:
    """Say whether a place is in an object store."""
    return bool(place.parts) and _SCHEME.fullmatch(place.parts[0]) is not None


def url_of(place: Path) -> str:
    """Return a place as it is told to people and to libraries; a path on this machine stays as it is. Raises
    UsageError."""
    if not is_url(place):
        return str(place)
    scheme, *parts = place.parts
    if parts and (
        "@" in parts[0] or (":" in parts[0] and any("@" in part for part in parts))
    ):  # secrets hold slashes, too
        raise UsageError(
            f"A URL of an object store holds no keys or passwords: they would end up in logs. {_KEYS}."
        )
    return f"{scheme}//{'/'.join(parts)}"


def legible(name: str) -> str:
    """Return a name as any file and any database takes it: what is no UTF-8 in the name of a file is written
    out, as `\\udcff`."""
    return name.encode("utf-8", "backslashreplace").decode()


def check_named(place: Path) -> None:
    """Raises UsageError for what a person meant as a URL: it would become a folder of that name."""
    if place.parts and not is_url(place) and _ALMOST.fullmatch(place.parts[0]):
        begins = place.parts[0].partition(":")[0]
        raise UsageError(
            f"{begins}:... is no file, and no URL of an object store as it is written: s3://BUCKET/PORTAL, "
            "in small letters."
        )


def open_file(place: Path, until: int | None = None) -> BinaryIO:
    """A file to be read, seekable; everything opens WARC files by this. Raises FileNotFoundError.

    One in an object store is read by ranges, and ahead of what is wanted, but not behind `until`. Raises
    StoreUnreachable, also later.
    """
    # the buffer holds nothing itself, and gives all that is asked for
    return cast(BinaryIO, io.BufferedReader(_Object(place, until), 1)) if is_url(place) else place.open("rb")


def file_size(place: Path) -> int:
    """Return the size of a file. Raises FileNotFoundError."""
    if not is_url(place):
        return place.stat().st_size
    with _reached(place) as (system, path):
        facts = system.info(path)
    if facts["type"] != "file":
        raise FileNotFoundError(f"{url_of(place)} is not there")
    return int(facts["size"])


def is_file(place: Path) -> bool:
    """Say whether there is a file, here or in a store."""
    try:
        return place.is_file() if not is_url(place) else file_size(place) >= 0
    except FileNotFoundError:
        return False


def is_folder(place: Path) -> bool:
    """Say whether there is a folder; object stores know only of those that hold something."""
    return bool(files_in(place)) if is_url(place) else place.is_dir()


def files_in(place: Path) -> list[Path]:
    """Return whatever lies directly in a folder, in no order."""
    if not is_url(place):
        return list(place.iterdir())
    with suppress(FileNotFoundError), _reached(place) as (system, path):
        return [place / str(name).rstrip("/").rpartition("/")[2] for name in system.ls(path, detail=False)]
    return []


def put(file: Path, place: Path) -> None:
    """Write a file of this machine somewhere else, whole or not at all. Raises StoreUnreachable."""
    if not is_url(place):
        with draft_of(place, sync=True) as draft:
            shutil.copyfile(file, draft)
        return
    try:
        with _reached(place) as (system, path):
            system.put_file(str(file), path)
    except FileNotFoundError as error:
        raise StoreUnreachable(f"{url_of(place)} could not be written: is there such a bucket?") from error


def sync_folder(folder: Path) -> None:
    """Make sure that new names in a folder survive a power cut, where the system lets folders be synced at
    all."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


@contextmanager
def draft_of(place: Path, *, sync: bool = False) -> Iterator[Path]:
    """A file that takes this place at the end of the block, unless it fails or is taken away: nobody ever
    reads half a file.

    A link stays, and what it leads to is replaced; a pipe or a device is given the whole file. Raises
    UsageError where no file can be. `sync`: it survives a power cut, too.
    """
    if problem := in_the_way(place):
        raise UsageError(problem)
    if is_stream(place):
        with TemporaryDirectory(prefix="curator-") as folder:
            draft = Path(folder) / place.name
            yield draft
            if draft.exists():
                with draft.open("rb") as whole, open_stream(place) as stream:
                    shutil.copyfileobj(whole, stream)
        return
    target = target_of(place)
    clear_drafts(target)
    with draft_folder(target) as folder_beside:
        draft = folder_beside / target.name
        yield draft
        if not draft.exists():
            return
        if sync:
            with draft.open("rb+") as written:
                os.fsync(written.fileno())
        draft.replace(target)
    if sync:
        sync_folder(target.parent)


@dataclass(frozen=True, slots=True)
class PushedFile:
    """A file that was found elsewhere, whole, by its digest."""

    sha256: str
    size: int
    place: Path


def pushed_files(warc: Path) -> Mapping[str, PushedFile]:
    """Return what is noted in a folder of WARC files, by name. Raises CorpusError where it cannot be read:
    that would be taken for lost."""
    notes = warc / PUSHED
    if is_url(warc) or not notes.exists():
        return {}
    try:
        written = notes.read_text("utf-8", "surrogateescape").splitlines()
        lines = [line.split(" ", 2) for line in written if line and not line.startswith("#")]
        return {
            (place := Path(url)).name: PushedFile(digest, int(size), place) for digest, size, url in lines
        }
    except ValueError:
        raise CorpusError(
            f"{notes} cannot be read. It says which WARC files lie elsewhere alone: put a copy of it back."
        ) from None


def find_file(folder: Path, name: str) -> Path:
    """Return where a file of the store lies now, sealed or not. Raises CorpusError."""
    if Path(name).name != name:
        raise CorpusError(f"{name!r} is not the name of a file in {folder}.", advice="index")
    for candidate in (folder / name, folder / (name + OPEN)):
        if candidate.exists():
            return candidate
    elsewhere = pushed_files(folder).get(name)
    if elsewhere is not None:
        return elsewhere.place
    raise CorpusError(missing(folder / name))


def missing(path: Path) -> str:
    """Return what is said of a file of a corpus that is not there."""
    return (
        f"{url_of(path)} is missing. Put it back; if it is lost, the next crawl asks again for what it held."
    )


def note_pushed(warc: Path, file: PushedFile) -> None:
    """Add a line; the last one of a name counts."""
    notes = warc / PUSHED
    lines = notes.read_text("utf-8", "surrogateescape") if notes.exists() else _PUSHED_HEAD
    with draft_of(notes, sync=True) as draft:
        draft.write_text(
            f"{lines}{file.sha256} {file.size} {url_of(file.place)}\n", "utf-8", "surrogateescape"
        )


class _Object(io.RawIOBase):
    """Reads an object of a store. Bytes that are read one after the other are asked for in ever larger
    pieces; a jump asks for little more than what is wanted there."""

    def __init__(self, place: Path, until: int | None) -> None:
        super().__init__()
        self._place = place
        self._size = file_size(place)
        self._until = self._size if until is None else until
        self._position = 0
        self._start, self._piece = 0, b""
        """The bytes that are held, and the place where they lie in the object."""
        self._step = _LEAST

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._position = max(
            0, offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence]
        )
        return self._position

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        held_end = self._start + len(self._piece)
        if not self._start <= self._position < held_end and self._position < self._size:
            self._step = min(2 * self._step, _LARGEST) if self._position == held_end else _LEAST
            ahead = min(self._position + self._step, self._until)
            end = min(max(ahead, self._position + len(buffer)), self._size)
            with _reached(self._place) as (system, path):
                piece = bytes(system.cat_file(path, start=self._position, end=end))
                if len(piece) != end - self._position:
                    raise OSError("fewer bytes came than were asked for")
            self._start, self._piece = self._position, piece
        begin = self._position - self._start
        piece = self._piece[begin : begin + len(buffer)] if begin >= 0 else b""
        buffer[: len(piece)] = piece
        self._position += len(piece)
        return len(piece)


@contextmanager
def _reached(place: Path) -> Iterator[tuple[Any, str]]:
    """The file system and the path in it; each library has its own exceptions for what a network does. Raises
    StoreUnreachable."""
    url = url_of(place)
    try:
        system = _system(url.partition(":")[0], url.split("/")[2])
        yield system, str(system._strip_protocol(url))
    except (UsageError, StoreUnreachable):
        raise
    except FileNotFoundError as error:
        raise FileNotFoundError(f"{url} is not there") from error
    except PermissionError as error:
        raise StoreUnreachable(f"{url} may not be read or written: {_first_line(error)}. {_KEYS}.") from error
    except Exception as error:
        raise StoreUnreachable(
            f"{url} could not be reached: {_first_line(error)}. Run the command again when the store answers."
        ) from error


@cache
def _system(scheme: str, host: str) -> Any:
    """Return what fsspec opens such URLs with. Raises UsageError."""
    if scheme in ("file", "local"):
        raise UsageError(f"{scheme}: is no object store: name the folder by its path.")
    try:
        import fsspec

        return (
            fsspec.filesystem("s3", **_OF_S3)
            if scheme in ("s3", "s3a")
            else fsspec.core.url_to_fs(f"{scheme}://{host}/")[0]
        )
    except (ImportError, ValueError, TypeError) as error:
        own = scheme in ("s3", "s3a") or getattr(error, "name", "") == "fsspec"
        extra = 'an extra: `pip install "webarticlecurator[cloud]"`' if own else "its package of fsspec"
        raise UsageError(f"{scheme}: object stores need {extra} ({_first_line(error)}).") from None


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__).rstrip(".")
