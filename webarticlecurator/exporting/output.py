"""Where an export is written: drafts until it is finished, so that nothing is there of one that was not."""

from __future__ import annotations

import glob
import io
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from pathlib import Path, PurePosixPath
from typing import Any, BinaryIO, Protocol, Self, cast

import orjson

from webarticlecurator.errors import UsageError

_BUFFER = 1 << 18
_GZIP_LEVEL = 2
_ZSTD_LEVEL = 6
_KILLED_LONG_AGO = 24 * 3600
"""Seconds in which nothing was written to a draft."""
MANIFEST = "manifest.json"
"""What tells of an export in a folder; of a single file, what the name of the file beside it ends in."""
DIGESTS = "SHA256SUMS"
"""In a folder: what `sha256sum -c` checks its files by."""
_PACKED = (".gz", ".zst")


class ByteSink(Protocol):
    """Stdout, or whatever takes its place."""

    def write(self, content: bytes, /) -> object: ...

    def flush(self) -> object: ...


@dataclass(frozen=True, slots=True)
class WrittenFile:
    """A file of an export."""

    name: str
    """Relative to the folder that it lies in."""
    bytes: int
    sha256: str


class Output:
    """The files of one export. Used in a `with`: what was not committed by its end is taken away."""

    def __init__(self, path: Path | None, *, stem: str, folder: bool = False, stdout: ByteSink | None = None, format: str = "") -> None:
        self.path = path
        """The main file, or the folder; None: the main file goes to `stdout`."""
        self.is_folder = folder
        self.stem = stem if path is None or folder else stem_of(path)
        """What files beside the main one, and in a folder, are named after."""
        self.files = 0
        """How many are finished."""
        self.unwritten: list[str] = []
        """Names of files beside the main one that have no place, since that goes to stdout."""
        self.notes: list[str] = []
        """Sentences of whoever writes, for the summary and the manifest."""
        self.failed = 0
        """Chosen articles that are not in it, or not whole; a note tells why."""
        self._stdout = stdout
        self._written: list[WrittenFile] = []
        self._digests: BinaryIO | None = None
        self._library_file: Path | None = None
        if path is not None:
            self._place = path if folder else path.parent
            self._draft_folder = path.with_name(f".{path.name}.{os.getpid()}.draft")
            _remove_old_drafts(path)
        if path is not None and folder:
            _check_replaceable(path, format)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exception: object) -> None:
        """Nothing stays of what was not committed."""
        with suppress(OSError):
            self.__dict__.pop("main", io.BytesIO()).close()
        if self.path is not None:
            shutil.rmtree(self._draft_folder, ignore_errors=True)

    @cached_property
    def main(self) -> BinaryIO:
        """The main file; what is written to it is packed where its name ends in .gz or .zst."""
        assert not self.is_folder, "a folder has no main file"
        if self.path is None:
            assert self._stdout is not None
            return cast(BinaryIO, io.BufferedWriter(_Hashed(self._stdout, self._finished("-")), _BUFFER))
        return self._packed(self._new(self.path.name), self.path.name)

    def main_path(self) -> Path:
        """Where a library that opens files by itself writes the main file; it is put in its place at the end."""
        name = self.path.name if self.path is not None else self.stem
        folder = self._draft_folder if self.path is not None else Path(_temporary_folder())
        folder.mkdir(parents=True, exist_ok=True)
        self._library_file = folder / f"{name}.library"
        return self._library_file

    def file(self, name: str) -> BinaryIO:
        """A further file: beside the main one, or (`2024/05/a.txt`) in the folder. To be closed by whoever writes it."""
        parts = PurePosixPath(name).parts
        if not parts or ".." in parts or name.startswith("/"):
            raise ValueError(f"{name!r} would not lie in the export")
        if self.path is None:
            self.unwritten.append(name)
            return cast(BinaryIO, io.BufferedWriter(_Hashed(_Nowhere(), _unnoted)))
        return self._new(name)

    def close(self) -> tuple[WrittenFile, ...]:
        """Everything is written: the files by which the export is known; in a folder, the one that lists all others."""
        if self._library_file is not None:
            self._take_over(self._library_file)
        if "main" in self.__dict__:
            self.main.close()
        if self._digests is None:
            return tuple(self._written)
        self._digests.close()
        return (self._digests_file,)

    def commit(self, manifest: bytes) -> None:
        """Put everything in its place, with what tells of it."""
        if self.path is None:
            return
        with self._new(MANIFEST if self.is_folder else f"{self.path.name}.{MANIFEST}", told=False) as file:
            file.write(manifest)
        if self.is_folder:
            _settle_folder(self._draft_folder, self.path)
        else:
            self._settle_files(self.path)

    # -- drafts -----------------------------------------------------------------------------------------------------------

    def _new(self, name: str, *, told: bool = True) -> BinaryIO:
        place = self._draft_folder / name
        try:
            file = place.open("wb", buffering=0)
        except FileNotFoundError:
            place.parent.mkdir(parents=True, exist_ok=True)
            file = place.open("wb", buffering=0)
        finished = self._finished(name) if told else _unnoted
        return cast(BinaryIO, io.BufferedWriter(_Hashed(file, finished, closes=True), _BUFFER))

    def _finished(self, name: str) -> Callable[[_Hashed], None]:
        def note(file: _Hashed) -> None:
            self.files += 1
            written = WrittenFile(name, file.tell(), file.digest.hexdigest())
            if self.is_folder:
                self._note_digest(written)
            else:
                self._written.append(written)

        return note

    def _note_digest(self, file: WrittenFile) -> None:
        """Not kept in memory: there may be a million."""
        if self._digests is None:
            digests = (self._draft_folder / DIGESTS).open("wb", buffering=0)
            self._digests = cast(BinaryIO, io.BufferedWriter(_Hashed(digests, self._finished_digests, closes=True), _BUFFER))
        self._digests.write(f"{file.sha256}  {file.name}\n".encode())

    def _finished_digests(self, file: _Hashed) -> None:
        self._digests_file = WrittenFile(DIGESTS, file.tell(), file.digest.hexdigest())

    def _packed(self, file: BinaryIO, name: str) -> BinaryIO:
        if name.endswith(".gz"):
            from isal import igzip

            # Neither name nor time in its head: the same export gives the same bytes.
            packed: Any = cast(Any, igzip.IGzipFile)(filename="", mode="wb", compresslevel=_GZIP_LEVEL, fileobj=file, mtime=0)
            return cast(BinaryIO, io.BufferedWriter(_ClosesBoth(packed, file), _BUFFER))
        if name.endswith(".zst"):
            import zstandard

            return cast(BinaryIO, zstandard.ZstdCompressor(_ZSTD_LEVEL).stream_writer(file, closefd=True))
        return file

    def _take_over(self, path: Path) -> None:
        """What a library has written."""
        with path.open("rb") as file:
            shutil.copyfileobj(file, self.main, _BUFFER)
        path.unlink()
        if self.path is None:
            path.parent.rmdir()

    def _settle_files(self, path: Path) -> None:
        """The main file last: whoever sees it sees the others."""
        names = sorted(_files_in(self._draft_folder), key=lambda name: name == path.name)
        for name in names:
            target = self._place / name
            target.parent.mkdir(parents=True, exist_ok=True)
            (self._draft_folder / name).replace(target)


class _Hashed(io.RawIOBase):
    """What goes through is counted and digested."""

    def __init__(self, sink: Any, finished: Callable[[_Hashed], None], *, closes: bool = False) -> None:
        self.digest = sha256()
        self._sink = sink
        self._finished = finished
        self._closes = closes
        self._size = 0

    def writable(self) -> bool:
        return True

    def write(self, content: Any, /) -> int:
        given = bytes(content)
        self._sink.write(given)
        self.digest.update(given)
        self._size += len(given)
        return len(given)

    def tell(self) -> int:
        return self._size

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._sink.close() if self._closes else self._sink.flush()
            self._finished(self)


class _ClosesBoth(io.RawIOBase):
    """A gzip file that leaves open what it writes to."""

    def __init__(self, packed: Any, below: BinaryIO) -> None:
        self._packed = packed
        self._below = below

    def writable(self) -> bool:
        return True

    def write(self, content: Any, /) -> int:
        return int(self._packed.write(bytes(content)))

    def close(self) -> None:
        if not self.closed:
            super().close()
            self._packed.close()
            self._below.close()


class _Nowhere:
    """For files that have no place."""

    def write(self, content: bytes) -> None:
        pass

    def flush(self) -> None:
        pass


def _unnoted(_: _Hashed) -> None:
    pass


def stem_of(path: Path) -> str:
    """The name of a file without what says how it is packed and what is in it."""
    name = path.name
    for suffix in _PACKED:
        name = name.removesuffix(suffix)
    return name.rpartition(".")[0] or name


def _temporary_folder() -> str:
    from tempfile import mkdtemp

    return mkdtemp(prefix="curator-")


def _files_in(folder: Path) -> Iterator[str]:
    for top, _, names in os.walk(folder):
        for name in names:
            yield (Path(top) / name).relative_to(folder).as_posix()


def _check_replaceable(folder: Path, format: str) -> None:
    """Raises UsageError where it holds what no export in this format put there: that would be lost."""
    if not folder.exists() or (folder.is_dir() and not any(folder.iterdir())):
        return
    if not folder.is_dir():
        raise UsageError(f"{folder} is a file, and this export is a folder: name another place.")
    own = {MANIFEST, DIGESTS}
    with suppress(OSError, UnicodeDecodeError):
        own |= {line[66:] for line in (folder / DIGESTS).read_text(encoding="utf-8").splitlines()}
    before = _format_before(folder)
    if before is None:
        raise UsageError(f"{folder} is no export of curator, and its files would be lost: name a new folder, or an empty one.")
    if before != format:
        raise UsageError(f"{folder} holds an export as {before}, which would be lost: name another folder, or take that away first.")
    foreign = next((name for name in _files_in(folder) if name not in own), None)
    if foreign is not None:
        raise UsageError(f"{folder} holds {foreign}, which the export before did not write, and which would be lost: name another folder.")


def _format_before(folder: Path) -> str | None:
    """Of the export that a folder holds; None where it holds none."""
    try:
        return str(orjson.loads((folder / MANIFEST).read_bytes())["format"])
    except (OSError, orjson.JSONDecodeError, TypeError, KeyError):
        return None


def _settle_folder(draft: Path, folder: Path) -> None:
    before = draft.with_name(f"{draft.name}.before")
    if folder.exists():
        folder.replace(before)
    try:
        draft.replace(folder)
    except OSError:
        if before.exists():
            before.replace(folder)
        raise
    shutil.rmtree(before, ignore_errors=True)


def _remove_old_drafts(path: Path) -> None:
    """Of exports that were killed; one that is still being written is younger than that."""
    for draft in path.parent.glob(f".{glob.escape(path.name)}.*.draft"):
        with suppress(OSError):
            if time.time() - draft.stat().st_mtime > _KILLED_LONG_AGO:
                shutil.rmtree(draft, ignore_errors=True)
