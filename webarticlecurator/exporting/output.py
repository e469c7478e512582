"""Write the files of an export: drafts until it is finished, so that nothing is there of one that was not."""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from functools import cached_property
from hashlib import file_digest
from pathlib import Path
from typing import Any, BinaryIO, Self, cast

import orjson

from webarticlecurator.databases import Row
from webarticlecurator.errors import UsageError
from webarticlecurator.storage.drafts import (
    clear_drafts,
    draft_folder,
    in_the_way,
    is_stream,
    open_stream,
    settle_folder,
    target_of,
)
from webarticlecurator.storage.places import legible

_BUFFER = 1 << 18
MANIFEST = "manifest.json"
"""Name of what tells of an export in a folder; of a file, and of a folder of texts alone, the end of the name
of what lies beside."""
DIGESTS = "SHA256SUMS"
"""Name of what `sha256sum -c` checks the files of a folder by; beside a folder of texts alone, the end of
it."""


class Output:
    """The files of one export. Used in a `with`: what was not committed by its end is taken away."""

    def __init__(
        self,
        path: Path | None,
        *,
        stem: str,
        folder: bool = False,
        only_texts: bool = False,
        stdout: BinaryIO | None = None,
        format: str = "",
    ) -> None:
        self.is_stream = path is None or is_stream(path)
        """True if the output goes to a pipe, a device or stdout: nothing can lie beside that."""
        self.path = path if path is None or self.is_stream else target_of(path)
        """The main file, or the folder; None: the main file goes to `stdout`."""
        self.is_folder = folder
        self._lists_beside = folder and only_texts
        """True if the folder holds nothing but texts, and what tells of them lies beside it, named after
        it."""
        self.stem = stem
        """The name that files beside the main one, and in a folder, are given."""
        if self.path is not None and not folder:
            name = self.path.name.removesuffix(".gz").removesuffix(".zst")
            self.stem = name.rpartition(".")[0] or name
        self.drafts: Path | None = None
        """The folder that everything lies in until it is finished; None: it is written to a stream."""
        self.files = 0
        """The number of files that are finished."""
        self.unwritten: list[str] = []
        """Names of files beside the main one that have no place, since that goes to a stream."""
        self.notes: list[str] = []
        """Sentences of whoever writes, for the summary and the manifest."""
        self.failed = 0
        """Chosen articles that are not in it, or not whole; a note tells why."""
        self._stdout = stdout
        self._open, self._draft_folder = ExitStack(), ExitStack()
        if self.path is None:
            return
        if not self.is_stream:
            clear_drafts(self.path)
        if folder:
            _check_replaceable(self.path, format)
        elif problem := in_the_way(self.path):
            raise UsageError(problem)

    def __enter__(self) -> Self:
        if self.path is None:
            return self
        if self.is_stream:
            self._stdout = self._draft_folder.enter_context(open_stream(self.path))
            return self
        self.drafts = self._draft_folder.enter_context(draft_folder(self.path)) / "files"
        self.drafts.mkdir()
        self._beside_drafts.mkdir()
        return self

    def __exit__(self, *exception: object) -> None:
        """Take away what was not committed."""
        with suppress(OSError):
            self._open.close()
        self._draft_folder.close()

    @cached_property
    def main(self) -> BinaryIO:
        """The main file; what is written to it is packed where its name ends in .gz or .zst."""
        assert not self.is_folder, "a folder has no main file"
        if self.path is None:
            return cast(BinaryIO, self._stdout)
        file = cast(BinaryIO, self._stdout) if self.is_stream else self.stream(self.path.name)
        if self.path.suffix == ".gz":
            from isal import igzip

            # Neither name nor time in its head: the same export gives the same bytes.
            packed: Any = cast(Any, igzip.IGzipFile)(
                filename="", mode="wb", compresslevel=2, fileobj=file, mtime=0
            )
            return self._open.enter_context(cast(BinaryIO, io.BufferedWriter(packed, _BUFFER)))
        if self.path.suffix == ".zst":
            import zstandard

            return self._open.enter_context(
                cast(BinaryIO, zstandard.ZstdCompressor(6).stream_writer(file, closefd=False))
            )
        return file

    @property
    def _beside_drafts(self) -> Path:
        assert self.drafts is not None
        return self.drafts.with_name("beside")

    def _beside(self, name: str) -> Path:
        """Return where a file lies that tells of the others in the folder: among them, or beside it."""
        assert self.path is not None
        return self.path.with_name(f"{self.path.name}.{name}") if self._lists_beside else self.path / name

    def stream_list(self, name: str) -> BinaryIO:
        """A file that tells of the others in the folder, written bit by bit."""
        if not self._lists_beside:
            return self.stream(name)
        return self._open.enter_context(
            (self._beside_drafts / self._beside(name).name).open("wb", buffering=_BUFFER)
        )

    def stream(self, name: str) -> BinaryIO:
        """A further file, written bit by bit: beside the main one, or in the folder."""
        if self.drafts is None:
            self.unwritten.append(name)
            return self._open.enter_context(Path(os.devnull).open("wb"))
        return self._open.enter_context(self._draft(name).open("wb", buffering=_BUFFER))

    def add(self, name: str, content: bytes) -> None:
        """A further file, whole: beside the main one, or (`2024/05/a.txt`) in the folder."""
        if self.drafts is None:
            self.unwritten.append(name)
            return
        self._draft(name).write_bytes(content)

    def close(self) -> list[Row]:
        """Finish the files, as all is written; return those by which the export is known (name, bytes,
        sha256): in a folder, the one that lists all others."""
        if not self.is_folder:
            _ = self.main  # also where no article was written to it
        self._open.close()
        if self._stdout is not None:
            self._stdout.flush()
        if self.drafts is None:
            return []
        names = sorted(_files_in(self.drafts))
        self.files = len(names)
        if not self.is_folder:
            return [_written(self.drafts / name, name) for name in names]
        place, prefix = self._account(DIGESTS)
        with place.open("w", encoding="utf-8") as lines:
            lines.writelines(
                f"{_written(self.drafts / name, '').sha256}  {prefix}{legible(name)}\n" for name in names
            )
        return [_written(place, place.name)]

    def _account(self, name: str) -> tuple[Path, str]:
        """Return the draft of what tells of all files, and what comes before their names there."""
        assert self.path is not None
        if self._lists_beside:
            return self._beside_drafts / self._beside(name).name, f"{legible(self.path.name)}/"
        return self._draft(name if self.is_folder else f"{self.path.name}.{name}"), ""

    def commit(self, manifest: bytes) -> None:
        """Put everything in its place, with what tells of it: the main file last, so that whoever sees it
        sees the others."""
        if self.path is None or self.drafts is None:
            return
        self._account(MANIFEST)[0].write_bytes(manifest)
        if self.is_folder:
            for name in _files_in(self._beside_drafts):
                (self._beside_drafts / name).replace(self.path.parent / name)
            settle_folder(self.drafts, self.path)
            return
        for name in sorted(_files_in(self.drafts), key=self.path.name.__eq__):
            (self.drafts / name).replace(self.path.parent / name)

    def _draft(self, name: str) -> Path:
        assert self.drafts is not None
        place = self.drafts / name
        place.parent.mkdir(parents=True, exist_ok=True)
        return place


def _written(place: Path, name: str) -> Row:
    """Return what is told of a file."""
    with place.open("rb") as file:
        return Row(
            name=legible(name), bytes=place.stat().st_size, sha256=file_digest(file, "sha256").hexdigest()
        )


def _files_in(folder: Path) -> Iterator[str]:
    return (path.relative_to(folder).as_posix() for path in folder.rglob("*") if not path.is_dir())


def _check_replaceable(folder: Path, format: str) -> None:
    """Raises UsageError where it holds what no export in this format put there: that would be lost."""
    if _is_free(folder):
        return
    if not folder.is_dir():
        raise UsageError(
            f"{folder} is {'a stream' if is_stream(folder) else 'a file'}, and this export is several files: "
            "name a folder."
        )
    manifest, digests = (_telling_of(folder, name) for name in (MANIFEST, DIGESTS))
    try:
        before = str(orjson.loads(manifest.read_bytes())["format"])
    except (OSError, orjson.JSONDecodeError, TypeError, KeyError):
        raise UsageError(
            f"{folder} is no export of curator, and its files would be lost: name a new folder, or an empty "
            "one."
        ) from None
    if before != format:
        raise UsageError(
            f"{folder} holds an export as {before}, which would be lost: name another folder, or take that "
            "away first."
        )
    own = {MANIFEST, DIGESTS}
    with suppress(OSError, UnicodeDecodeError):
        own |= {
            line[66:].removeprefix(f"{folder.name}/")
            for line in digests.read_text(encoding="utf-8").splitlines()
        }
    foreign = next((name for name in _files_in(folder) if name not in own), None)
    if foreign is not None:
        raise UsageError(
            f"{folder} holds {foreign}, which the export before did not write, and which would be lost: name "
            "another folder."
        )


def _is_free(folder: Path) -> bool:
    """True if nothing is there, or a folder without anything in it."""
    return not folder.exists() or (folder.is_dir() and not any(folder.iterdir()))


def _telling_of(folder: Path, name: str) -> Path:
    """Return the file that tells of those in a folder: in it, or beside it."""
    inside = folder / name
    return inside if inside.exists() else folder.with_name(f"{folder.name}.{name}")


@contextmanager
def folder_draft(folder: Path) -> Iterator[Path]:
    """A hidden folder beside it that takes its place at the end of the block; where that fails nothing of it
    stays. Raises UsageError."""
    if is_stream(folder):
        raise UsageError(
            f"{folder} is a stream, and this is a folder of files: name a new folder, or an empty one."
        )
    folder = target_of(folder)
    clear_drafts(folder)
    if not _is_free(folder):
        raise UsageError(f"{folder} is there already, and would be lost: name a new folder, or an empty one.")
    with draft_folder(folder) as beside:
        draft = beside / folder.name
        draft.mkdir()
        yield draft
        settle_folder(draft, folder)
