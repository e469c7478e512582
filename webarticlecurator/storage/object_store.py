"""WARC files in an object store, by fsspec, which is imported here alone: read by ranges, and written whole."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, cast

from webarticlecurator.errors import StoreUnreachable, UsageError
from webarticlecurator.storage.places import url_of

_LEAST, _LARGEST = 64 << 10, 8 << 20
"""Bytes of a request."""
_OF_S3: dict[str, Any] = {
    "use_listings_cache": False,  # others write, too
    "config_kwargs": {"connect_timeout": 10, "read_timeout": 20, "retries": {"mode": "standard", "total_max_attempts": 3}},
}
_KEYS = "The keys come from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_PROFILE), never from the URL"


def open_object(place: Path, until: int | None) -> BinaryIO:
    """As `places.open_file` says. Raises StoreUnreachable, also when it is read."""
    return cast(BinaryIO, io.BufferedReader(_Object(place, until), 1))  # it buffers nothing itself, and gives all that is asked for


def size(place: Path) -> int:
    """Of a file. Raises FileNotFoundError."""
    with _reached(place) as (system, path):
        facts = system.info(path)
    if facts["type"] != "file":
        raise FileNotFoundError(f"{url_of(place)} is not there")
    return int(facts["size"])


def names(place: Path) -> list[str]:
    """What lies directly in a folder."""
    try:
        with _reached(place) as (system, path):
            return [str(name).rstrip("/").rpartition("/")[2] for name in system.ls(path, detail=False)]
    except FileNotFoundError:
        return []


def put(file: Path, place: Path) -> None:
    """Write a file of this machine there, whole."""
    try:
        with _reached(place) as (system, path):
            system.put_file(str(file), path)
    except FileNotFoundError as error:
        raise StoreUnreachable(f"{url_of(place)} could not be written: is there such a bucket?") from error


class _Object(io.RawIOBase):
    """What is read one after the other is asked for in ever larger pieces; a jump asks for little more than what is wanted there."""

    def __init__(self, place: Path, until: int | None) -> None:
        super().__init__()
        self._place = place
        self._size = size(place)
        self._until = self._size if until is None else until
        self._position = 0
        self._start, self._piece = 0, b""
        """What is held, and where it lies."""
        self._step = _LEAST

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._position = max(0, offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence])
        return self._position

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        held_end = self._start + len(self._piece)
        if not self._start <= self._position < held_end and self._position < self._size:
            self._step = min(2 * self._step, _LARGEST) if self._position == held_end else _LEAST
            self._start = self._position
            ahead = min(self._start + self._step, self._until)
            self._piece = self._asked(self._start, min(max(ahead, self._start + len(buffer)), self._size))
        begin = self._position - self._start
        piece = self._piece[begin : begin + len(buffer)] if begin >= 0 else b""
        buffer[: len(piece)] = piece
        self._position += len(piece)
        return len(piece)

    def _asked(self, start: int, end: int) -> bytes:
        with _reached(self._place) as (system, path):
            piece = bytes(system.cat_file(path, start=start, end=end))
            if len(piece) != end - start:
                raise OSError("fewer bytes came than were asked for")
        return piece


@contextmanager
def _reached(place: Path) -> Iterator[tuple[Any, str]]:
    """The file system and the path in it; each library has its own exceptions for what a network does. Raises StoreUnreachable."""
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
            f"{url} could not be reached: {_first_line(error)}. What was done before is kept; run the command again when the store answers."
        ) from error


@cache
def _system(scheme: str, host: str) -> Any:
    """What fsspec opens such URLs with. Raises UsageError."""
    if scheme in ("file", "local"):
        raise UsageError(f"{scheme}: is no object store: name the folder by its path.")
    try:
        import fsspec

        return fsspec.filesystem("s3", **_OF_S3) if scheme in ("s3", "s3a") else fsspec.core.url_to_fs(f"{scheme}://{host}/")[0]
    except ImportError as error:
        own = error.name in ("fsspec", "s3fs") or scheme in ("s3", "s3a")
        extra = 'an extra: `pip install "webarticlecurator[cloud]"`' if own else "its package of fsspec"
        raise UsageError(f"{scheme}: object stores need {extra} ({_first_line(error)}).") from None
    except (ValueError, TypeError) as error:
        raise UsageError(f"{scheme}: needs its package of fsspec ({_first_line(error)}).") from None


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__).rstrip(".")
