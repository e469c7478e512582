"""Where WARC files lie: on this machine, or in an object store.

A place in an object store is written as a `Path` too, as its URL reads when it is one: `s3:/bucket/portal`. So it is joined, pickled, kept
in tables and named on the command line like any other, and only what opens files asks where it is.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from webarticlecurator.errors import UsageError

Sync = Callable[[int], None]
"""Waits until a file descriptor's content is on the disk: os.fsync."""

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


def open_file(place: Path, until: int | None = None) -> BinaryIO:
    """A file to be read, seekable; everything opens WARC files by this. Raises FileNotFoundError.

    One in an object store is read by ranges, and ahead of what is wanted, but not behind `until`.
    """
    if not is_url(place):
        return place.open("rb")
    from webarticlecurator.storage import object_store

    return object_store.open_object(place, until)


def file_size(place: Path) -> int:
    """Of a file. Raises FileNotFoundError."""
    if not is_url(place):
        return place.stat().st_size
    from webarticlecurator.storage import object_store

    return object_store.size(place)


def is_file(place: Path) -> bool:
    """Whether there is a file."""
    try:
        return place.is_file() if not is_url(place) else file_size(place) >= 0
    except FileNotFoundError:
        return False


def is_folder(place: Path) -> bool:
    """Whether there is a folder; object stores know only of those that hold something."""
    return bool(files_in(place)) if is_url(place) else place.is_dir()


def files_in(place: Path) -> list[Path]:
    """Whatever lies directly in a folder, in no order."""
    if not is_url(place):
        return list(place.iterdir())
    from webarticlecurator.storage import object_store

    return [place / name for name in object_store.names(place)]


def sync_folder(folder: Path, sync: Sync = os.fsync) -> None:
    """Make sure that new names in a folder survive a power cut, where the system lets folders be synced at all."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            sync(descriptor)
        finally:
            os.close(descriptor)
