"""Where files lie: on this machine, or in an object store.

A place in an object store is written as a `Path` too, as its URL reads when it is one: `s3:/bucket/portal`. So it is joined, pickled, kept
in tables and named on the command line like any other, and only what opens files asks where it is.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, BinaryIO

from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.storage.folders import Folder
    from webarticlecurator.storage.ranged_file import Range

_PIECE = 8 << 20
_SCHEME = re.compile(r"(?!https?:)[a-z][a-z0-9+.-]+:")
"""Two characters at least before the colon: a single one is a drive of Windows. Of the web pages are asked for, not folders."""
_ALMOST = re.compile(r"(?i)s3a?:.+|[a-z][a-z0-9+.:-]+:")


def is_url(place: Path) -> bool:
    """Whether a place is in an object store."""
    return bool(place.parts) and _SCHEME.fullmatch(place.parts[0]) is not None


def url_of(place: Path) -> str:
    """How a place is told to people and to libraries; a path on this machine stays as it is. Raises UsageError."""
    if not is_url(place):
        return str(place)
    scheme, *parts = place.parts
    if parts and ("@" in parts[0] or (":" in parts[0] and any("@" in part for part in parts))):  # secrets hold slashes, too
        raise UsageError(
            "A URL of an object store holds no keys or passwords: they would end up in logs."
            " Say them by the environment (AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY) or in a profile (AWS_PROFILE)."
        )
    return f"{scheme}//{'/'.join(parts)}"


def check_named(place: Path) -> None:
    """Raises UsageError for what a person meant as a URL: it would become a folder of that name."""
    if place.parts and not is_url(place) and _ALMOST.fullmatch(place.parts[0]):
        raise UsageError(
            f"{place.parts[0].partition(':')[0]}:... is no URL of an object store as it is written, such as s3://BUCKET/PORTAL"
            " (small letters, two slashes). A folder that is called so is named by its whole path."
        )


def absolute(place: Path) -> Path:
    """The same place, wherever a process works that is told of it."""
    return place if is_url(place) else place.absolute()


def open_file(place: Path, expected: Sequence[Range] = ()) -> BinaryIO:
    """A file to be read, seekable. Raises FileNotFoundError.

    One in an object store is read by ranges: those that are `expected` are asked for together, whatever else is read by itself.
    """
    if not is_url(place):
        return place.open("rb")
    return _folder(place.parent).open(place.name, expected)


@contextmanager
def on_disk(place: Path) -> Iterator[Path]:
    """A file that can be read here and there without asking anew each time: of an object store a copy, which goes when the block ends."""
    if not is_url(place):
        yield place
        return
    with TemporaryDirectory(prefix="curator-") as folder:
        copy = Path(folder) / place.name
        copy_here(place, copy)
        yield copy


def copy_here(place: Path, here: Path) -> None:
    """A file as it is there, whole."""
    with open_file(place) as source, here.open("wb") as target:
        shutil.copyfileobj(source, target, _PIECE)


def file_size(place: Path) -> int:
    """Of a file. Raises FileNotFoundError."""
    if not is_url(place):
        return place.stat().st_size
    facts = _folder(place.parent).facts(place.name)
    if facts is None:
        raise FileNotFoundError(f"{url_of(place)} is not there")
    return facts.size


def exists(place: Path) -> bool:
    """Whether there is a file, or a folder that holds some."""
    if not is_url(place):
        return place.exists()
    return is_folder(place) or is_file(place)


def is_file(place: Path) -> bool:
    """Whether there is a file."""
    if not is_url(place):
        return place.is_file()
    return _folder(place.parent).facts(place.name) is not None


def is_folder(place: Path) -> bool:
    """Whether there is a folder; object stores know only of those that hold something."""
    if not is_url(place):
        return place.is_dir()
    return bool(_folder(place).names())


def files_in(place: Path) -> list[Path]:
    """Whatever lies directly in a folder, in no order."""
    if not is_url(place):
        return list(place.iterdir())
    return [place / name for name in _folder(place).names()]


def _folder(place: Path) -> Folder:
    from webarticlecurator.storage.folders import folder_at

    return folder_at(place)
