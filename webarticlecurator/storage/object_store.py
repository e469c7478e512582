"""WARC files in an object store, by fsspec, which is imported here alone: read by ranges, and written whole."""

from __future__ import annotations

import io
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, cast

from webarticlecurator.errors import StoreUnreachable, UsageError
from webarticlecurator.storage.places import Range, url_of

_LEAST, _LARGEST = 64 << 10, 8 << 20
"""Bytes of a request."""
_AT_ONCE = 32 << 20
"""Bytes that are held."""
_NEAR = 32 << 10
"""Bytes between two stretches that cost less than another request."""
_OF_S3: dict[str, Any] = {
    "use_listings_cache": False,  # others write, too
    "config_kwargs": {"connect_timeout": 10, "read_timeout": 20, "retries": {"mode": "standard", "total_max_attempts": 3}},
}
_KEYS = "The keys come from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_PROFILE), never from the URL"


def open_object(place: Path, expected: Sequence[Range] = ()) -> BinaryIO:
    """As `places.open_file` says. Raises StoreUnreachable, also when it is read."""
    return cast(BinaryIO, _Object(place, expected))


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

    def __init__(self, place: Path, expected: Sequence[Range]) -> None:
        super().__init__()
        self._place = place
        self._size = size(place)
        self._position = 0
        self._expected = _joined(sorted(expected))
        self._pieces: list[tuple[int, bytes]] = []
        """What is held, by offsets; they do not overlap."""
        self._end, self._step = -1, _LEAST

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._position

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        self._position = max(0, offset + {io.SEEK_SET: 0, io.SEEK_CUR: self._position, io.SEEK_END: self._size}[whence])
        return self._position

    def read(self, wanted: int | None = -1) -> bytes:
        """As many bytes as are wanted; fewer only at the end of the file."""
        end = self._size if wanted is None or wanted < 0 else min(self._position + wanted, self._size)
        data = []
        while self._position < end:
            piece = self._held(end)
            if not piece:
                self._ask(end)
                piece = self._held(end)
            data.append(piece)
            self._position += len(piece)
        return b"".join(data)

    def readall(self) -> bytes:
        return self.read()

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self.read(len(buffer))
        buffer[: len(data)] = data
        return len(data)

    def _held(self, end: int) -> bytes:
        number = bisect_right(self._pieces, self._position, key=lambda piece: piece[0]) - 1
        start, data = self._pieces[number] if number >= 0 else (self._position, b"")
        return data[self._position - start : end - start]

    def _ask(self, end: int) -> None:
        """For what was expected from here on, all at once; else for what is wanted, and more of it where it goes on from the last piece."""
        ranges = [(start, min(stop, self._size)) for start, stop in self._expected if stop > self._position and start < self._size]
        if not ranges or ranges[0][0] > self._position:
            goes_on = self._position == self._end
            self._step = min(max(2 * self._step if goes_on else _LEAST, end - self._position), _LARGEST)
            self._end = min(self._position + self._step, self._size)
            ranges = [(self._position, self._end)]
        while len(ranges) > 1 and sum(stop - start for start, stop in ranges) > _AT_ONCE:
            ranges.pop()
        with _reached(self._place) as (system, path):
            pieces = system.cat_ranges([path] * len(ranges), *map(list, zip(*ranges, strict=True)), on_error="raise")
            if [len(piece) for piece in pieces] != [stop - start for start, stop in ranges]:
                raise OSError("fewer bytes came than were asked for")
        self._pieces = [(start, piece) for (start, _), piece in zip(ranges, pieces, strict=True)]


def _joined(stretches: Sequence[Range]) -> list[Range]:
    """Near ones as one, as long as a request may be."""
    joined: list[Range] = []
    for start, end in stretches:
        if joined and start <= joined[-1][1] + _NEAR and end - joined[-1][0] <= _LARGEST:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


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
