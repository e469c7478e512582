"""The store: appends exchanges to WARC files, each in one write; nobody is told of it before it is synced."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import blake2b
from io import FileIO
from pathlib import Path
from random import getrandbits
from uuid import UUID

from webarticlecurator.dates import in_reach
from webarticlecurator.errors import CorpusError, UsageError
from webarticlecurator.storage.places import (
    OPEN,
    check_named,
    files_in,
    is_file,
    is_folder,
    pushed_files,
    sync_folder,
    url_of,
)
from webarticlecurator.warc.stored import StoredExchange, read_exchanges
from webarticlecurator.warc.writer import RecordMaker, StoreEntry, WarcInfo

_ENDS = (".warc.gz", ".warc", ".warc.gz" + OPEN, ".arc.gz", ".arc")


class Series(StrEnum):
    """Archive pages, articles, and style sheets, pictures and fonts of pages lie in files of their own."""

    ARCHIVE = "archive"
    ARTICLES = "articles"
    REQUISITES = "requisites"


def utc_now() -> datetime:
    """The time that goes into file names, and into records without an exchange."""
    return datetime.now(UTC)


def check_clock(now: datetime) -> None:
    """Raises UsageError where no date can be reckoned from it."""
    if not in_reach(now):
        raise UsageError(
            f"The clock says that it is {now.date().isoformat()}: set it right, and run the command again."
        )


@dataclass(slots=True)
class _OpenFile:
    path: Path
    file: FileIO
    maker: RecordMaker
    browser: str | None
    """The browser that shows pages of the portal."""
    size: int = 0
    synced: int = 0
    """Bytes that are on the disk."""


@dataclass(slots=True)
class WarcStore:
    """The WARC files of one run of one portal: for one thread, and the only writer of its files."""

    folder: Path
    warcinfo: WarcInfo
    _: KW_ONLY
    limit: int = 1_000_000_000
    """Bytes at which a file is sealed and the next one begun."""
    now: Callable[[], datetime] = utc_now
    new_id: Callable[[], str] = lambda: UUID(int=getrandbits(128), version=4).urn
    """Not `uuid4`: that asks the operating system anew for each, which costs more than packing a small
    record."""
    _files: dict[Series, _OpenFile] = field(default_factory=dict, init=False)
    _count: dict[Series, int] = field(default_factory=lambda: dict.fromkeys(Series, 0), init=False)
    _fault: CorpusError | None = field(default=None, init=False)
    """Why what was in a file could not be brought to the disk."""

    def append(self, series: Series, entries: Sequence[StoreEntry]) -> tuple[StoredExchange, ...]:
        """Store entries together. When this returns they are in the file, and after `sync` on the disk; when
        it raises none of them is in the file."""
        if not entries:
            return ()
        file = self._file_for(
            series, next((entry.rendered.browser for entry in entries if entry.rendered is not None), None)
        )
        pieces = [] if file.size else [file.maker.beginning(self.warcinfo, series, self.now(), file.browser)]
        offset = file.size + sum(map(len, pieces))
        stored: list[StoredExchange] = []
        for entry in entries:
            records, exchange = file.maker.exchange(entry, offset, self.now())
            pieces += records
            stored.append(exchange)
            offset += exchange.location.length
        self._write(series, file, b"".join(pieces))
        if file.size >= self.limit:
            self._seal(series)
        return tuple(stored)

    def sync(self, series: Series) -> None:
        """Bring to the disk what was stored. Raises CorpusError where that fails, or has failed before: then
        some of it is in no file, and nobody may be told of any."""
        if self._fault is not None:
            raise self._fault
        file = self._files.get(series)
        if file is not None:  # else it is full, and sealed
            self._sync(series, file)

    def close(self) -> None:
        for series in tuple(self._files):
            self._seal(series)

    def _file_for(self, series: Series, browser: str | None) -> _OpenFile:
        """The one that is written, or a new one; what a browser showed lies in a file that names it."""
        file = self._files.get(series)
        if file is not None:
            if browser in (None, file.browser):
                return file
            self._seal(series)
        self.folder.mkdir(parents=True, exist_ok=True)
        stamp = self.now().astimezone(UTC).strftime("%Y%m%dT%H%M%SZ")
        while True:
            self._count[series] += 1
            name = f"{self.warcinfo.portal.name}-{series}-{stamp}-{self._count[series]:05d}.warc.gz"
            path = self.folder / (name + OPEN)
            if not (self.folder / name).exists() and name not in pushed_files(self.folder):
                with suppress(FileExistsError):  # another run in the same second
                    opened = FileIO(path, "xb")
                    break
        sync_folder(self.folder)
        maker = RecordMaker(file=name, warcinfo_id=self.new_id(), new_id=self.new_id)
        self._files[series] = _OpenFile(path, opened, maker, browser)
        return self._files[series]

    def _write(self, series: Series, file: _OpenFile, content: bytes) -> None:
        try:
            left = memoryview(content)
            while left:  # one write, but where the system took only part of it
                left = left[file.file.write(left) :]
        except OSError as error:
            raise self._take_back(series, file, file.size, error) from error
        file.size += len(content)

    def _sync(self, series: Series, file: _OpenFile) -> None:
        try:
            os.fsync(file.file.fileno())
        except OSError as error:
            self._fault = self._take_back(series, file, file.synced, error)
            raise self._fault from error
        file.synced = file.size

    def _take_back(self, series: Series, file: _OpenFile, size: int, error: OSError) -> CorpusError:
        """Leave a file as it was before, when it had that size; return what to tell a person."""
        with suppress(OSError):
            file.file.truncate(size)
            file.file.seek(size)
        file.size = size
        if not size:
            del self._files[series]
            file.file.close()
            with suppress(OSError):
                file.path.unlink()
        what_to_do = (
            "What was stored before is safe; free some space or repair the disk, then run the command again"
        )
        return CorpusError(f"{file.path} could not be written: {error.strerror or error}. {what_to_do}.")

    def _seal(self, series: Series) -> None:
        file = self._files[series]
        self._sync(series, file)
        del self._files[series]
        file.file.close()
        seal(file.path)


def seal(path: Path) -> None:
    """Take `.open` off the name of a file that is complete."""
    sealed = path.with_name(path.name.removesuffix(OPEN))
    if sealed.exists():
        raise CorpusError(
            f"{path} cannot be completed: there is a {sealed.name} already. Move one of them out of the "
            "folder."
        )
    path.rename(sealed)
    sync_folder(path.parent)


def repair(path: Path, committed: int) -> int:
    """Seal a file that a crash left open. Whole exchanges stay, whatever the ledger knew of them; what
    follows the last one is cut.

    `committed` is the offset after the last exchange that the ledger knows, 0 if it knows none. A file
    without a whole exchange goes. Gives the number of bytes that were cut.
    """
    size = path.stat().st_size
    end = (
        committed if committed <= size else 0
    )  # else the file is older than the ledger: everything in it counts
    for stored in read_exchanges(path, start=end, on_damage=lambda _: None):
        end = stored.location.offset + stored.location.length
    if end == 0:
        path.unlink()
        sync_folder(path.parent)
        return size
    if end < size:
        with path.open("r+b") as file:
            file.truncate(end)
            os.fsync(file.fileno())
    seal(path)
    return size - end


def warc_files(folder: Path) -> tuple[Path, ...]:
    """The WARC and ARC files of a folder, oldest first, with the one being written; those that lie elsewhere
    alone by their places."""
    here = {path.name: path for path in files_in(folder) if path.name.endswith(_ENDS)}
    files = {name: file.place for name, file in pushed_files(folder).items()} | here
    return tuple(sorted(files.values(), key=lambda path: _age(path.name)))


def finished_files(folder: Path) -> str:
    """Return what lies finished in a folder, in a few words that are the same wherever the same lies there;
    for what is not there, that."""
    try:
        there, known = warc_files(folder), sizes(folder)
    except OSError as error:
        return f"nothing ({error.strerror})"
    finished = [(path.name, known.get(path.name, 0)) for path in there if not path.name.endswith(OPEN)]
    digest = blake2b(repr(finished).encode(), digest_size=4).hexdigest()
    return f"{len(finished):,} files, {sum(size for _, size in finished):,} bytes ({digest})"


def warc_paths(given: Iterable[Path], *, may_be_empty: bool = False) -> tuple[Path, ...]:
    """The WARC and ARC files that are meant: files as they are, folders (or the warc folder of a corpus) for
    what is in them."""
    files: list[Path] = []
    for path in given:
        check_named(path)
        if is_folder(path):
            inside = warc_files(path / "warc" if is_folder(path / "warc") else path)
            if not inside and not may_be_empty:
                raise UsageError(
                    f"{url_of(path)}: there are no WARC or ARC files (.warc.gz, .warc, .arc.gz, .arc) in "
                    "this folder."
                )
            files += inside
        elif not is_file(path):
            raise UsageError(f"{url_of(path)}: there is no such file or folder.")
        elif path.suffix in (".yaml", ".yml"):
            raise UsageError(
                f"{url_of(path)}: this is a portal file; give the corpus folder (corpora/PORTAL beside it), "
                "or WARC files."
            )
        else:
            files.append(path)
    return tuple(dict.fromkeys(files))


def _age(name: str) -> tuple[str, str]:
    """Sort key: the time in the name comes before portal and series."""
    parts = name.removesuffix(OPEN).split("-")
    return ("-".join(parts[-2:]), name) if len(parts) > 3 else ("", name)


def sizes(folder: Path) -> dict[str, int]:
    """Return the sizes of all files of the store, sealed or not, by the names that they have when sealed;
    files that lie elsewhere are not looked at."""
    known = {name: file.size for name, file in pushed_files(folder).items()}
    for _ in range(2):  # one may be sealed between two looks
        for path in files_in(folder) if folder.is_dir() else ():
            with suppress(FileNotFoundError):
                known[path.name.removesuffix(OPEN)] = path.stat().st_size
    return known


def series_of(name: str) -> str:
    """Return what the name of a file says that it holds; a foreign name says nothing."""
    parts = name.split("-")
    return parts[-3] if len(parts) > 3 else ""
