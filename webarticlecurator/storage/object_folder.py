"""A folder in an object store, by fsspec, which is imported here alone."""

from __future__ import annotations

import io
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import cached_property, partial
from pathlib import Path
from typing import Any, BinaryIO, cast
from uuid import uuid4

from webarticlecurator.errors import CuratorError, StoreUnreachable, UsageError
from webarticlecurator.storage import s3
from webarticlecurator.storage.folders import State, StoredFile, changed, check_version
from webarticlecurator.storage.places import url_of
from webarticlecurator.storage.ranged_file import Range, RangedFile

_ATTEMPTS = 5
_FIRST_WAIT = 0.2
"""Seconds; twice as many before each further attempt. The client below waits and asks again by itself, too."""


class ObjectFolder:
    """Files below a URL. Each process opens its own connection: what travels is the place."""

    def __init__(self, place: Path) -> None:
        self.place = place

    def __reduce__(self) -> tuple[type[ObjectFolder], tuple[Path]]:
        return ObjectFolder, (self.place,)

    @cached_property
    def _system(self) -> Any:
        return _system(url_of(self.place))

    @cached_property
    def _root(self) -> str:
        """As the file system names it."""
        return str(self._system._strip_protocol(url_of(self.place))).rstrip("/")

    def names(self) -> list[str]:
        return sorted(self._below(one) for one in self._asked(self._listed, "") if self._below(one))

    def files(self, below: str = "") -> list[StoredFile]:
        found = self._asked(partial(self._system.find, self._path(below), detail=True), below)
        return sorted((self._stored(info) for info in found.values()), key=lambda file: file.name)

    def facts(self, name: str) -> StoredFile | None:
        try:
            info = self._asked(partial(self._system.info, self._path(name)), name)
        except FileNotFoundError:
            return None
        return self._stored(info) if info["type"] == "file" else None

    def open(self, name: str, expected: Sequence[Range] = ()) -> BinaryIO:
        return cast(BinaryIO, RangedFile(partial(self._size, name), partial(self._ranges, name), expected))

    def read(self, name: str) -> bytes:
        return cast(bytes, self._asked(partial(self._system.cat_file, self._path(name)), name))

    def put(self, name: str, content: Path | bytes, *, replaces: str | State = State.ANY) -> StoredFile:
        try:
            return cast(StoredFile, self._asked(partial(self._put, name, content, replaces, uuid4().hex), name))
        except FileNotFoundError as error:
            raise StoreUnreachable(f"{url_of(self.place / name)} could not be written: is there such a bucket?") from error

    def delete(self, name: str) -> None:
        with suppress(FileNotFoundError):
            self._asked(partial(self._system.rm_file, self._path(name)), name)

    def _put(self, name: str, content: Path | bytes, replaces: str | State, sign: str) -> StoredFile:
        if s3.is_s3(self._system):
            with io.BytesIO(content) if isinstance(content, bytes) else content.open("rb") as file:
                version = s3.put(self._system, self._path(name), file, replaces, sign)
                if version is None:
                    raise changed(self.place, name)
                return StoredFile(name, file.seek(0, io.SEEK_END), version)
        check_version(self, name, replaces)
        if isinstance(content, bytes):
            self._system.pipe_file(self._path(name), content)
        else:
            self._system.put_file(str(content), self._path(name))
        return self.facts(name) or StoredFile(name, 0, "")

    def _ranges(self, name: str, ranges: Sequence[Range]) -> list[bytes]:
        """Of one file, many at once; those that failed or came short are asked for again, and no others."""
        got: dict[Range, bytes] = {}

        def ask() -> None:
            missing = [one for one in ranges if one not in got]
            path, starts, ends = self._path(name), [start for start, _ in missing], [end for _, end in missing]
            answers = self._system.cat_ranges([path] * len(missing), starts, ends, on_error="return")
            fault: Exception | None = None
            for (start, end), data in zip(missing, answers, strict=True):
                if isinstance(data, Exception):
                    fault = data
                elif len(data) != end - start:
                    fault = OSError(f"{len(data):,} of {end - start:,} bytes came from byte {start} on")
                else:
                    got[start, end] = data
            if fault is not None:
                raise fault

        self._asked(ask, name)
        return [got[one] for one in ranges]

    def _size(self, name: str) -> int:
        facts = self.facts(name)
        if facts is None:
            raise FileNotFoundError(f"{url_of(self.place / name)} is not there")
        return facts.size

    def _asked(self, ask: Callable[[], Any], name: str) -> Any:
        """What the store answers, asked again where another answer can be hoped for. Raises StoreUnreachable."""
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                return ask()
            except FileNotFoundError as error:
                raise FileNotFoundError(f"{url_of(self.place / name)} is not there") from error
            except CuratorError:
                raise
            except PermissionError as error:
                raise StoreUnreachable(f"{url_of(self.place / name)} may not be read or written: {_first_line(error)}. {_KEYS}") from error
            except Exception as error:  # each library has its own exceptions for what a network does
                if attempt == _ATTEMPTS:
                    raise StoreUnreachable(_unanswered(url_of(self.place / name), _ATTEMPTS, error)) from error
                time.sleep(_FIRST_WAIT * 2 ** (attempt - 1))
        raise AssertionError

    def _listed(self) -> list[str]:
        try:
            return [info["name"] for info in self._system.ls(self._root, detail=True)]
        except FileNotFoundError:
            return []

    def _stored(self, info: dict[str, Any]) -> StoredFile:
        version = next((str(info[key]).strip('"') for key in _VERSIONS if info.get(key)), None)
        if version is None:
            raise UsageError(f"{url_of(self.place)}: what opens this store does not tell when a file changes, so no corpus can lie there.")
        return StoredFile(self._below(info["name"]), int(info["size"] or 0), version)

    def _path(self, name: str) -> str:
        return f"{self._root}/{name}" if name else self._root

    def _below(self, path: str) -> str:
        return path.removeprefix(self._root).strip("/")


_VERSIONS = (
    *("ETag", "etag", "e_tag", "md5Hash", "content_md5"),
    *("mtime", "modified", "modify", "modificationTime", "last_modified", "LastModified", "created"),
)
"""How libraries call that by which another file is known; times where there is nothing better."""
_KEYS = "The keys come from the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_PROFILE), never from the URL"


def _system(url: str) -> Any:
    """What fsspec opens a URL with. Raises UsageError."""
    try:
        import fsspec
    except ImportError:
        raise UsageError(f'{url}: object stores need an extra: `pip install "webarticlecurator[cloud]"`.') from None
    scheme = url.partition(":")[0]
    if scheme in ("file", "local"):
        raise UsageError(f"{scheme}: is no object store: name the folder by its path.")
    try:
        return s3.opened(fsspec) if scheme in s3.SCHEMES else fsspec.core.url_to_fs(url)[0]
    except OSError as error:
        raise StoreUnreachable(_unanswered(url, 1, error)) from None
    except (ImportError, ValueError, TypeError) as error:
        missing = 'an extra: `pip install "webarticlecurator[cloud]"`' if scheme in s3.SCHEMES else "its package of fsspec"
        raise UsageError(f"{url}: reading {scheme}: needs {missing} ({_first_line(error)}).") from None


def _unanswered(url: str, attempts: int, error: Exception) -> str:
    times = f", {attempts} times in a row" if attempts > 1 else ""
    return (
        f"{url} could not be reached{times}: {_first_line(error)}."
        " What was done before is kept; run the command again when the store answers."
    )


def _first_line(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__).rstrip(".")
