"""Sealed WARC files of a folder that lie elsewhere, too, or there alone: what `curator warc push` notes beside them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import lru_cache
from pathlib import Path

import orjson

from webarticlecurator.errors import CorpusError
from webarticlecurator.storage.folders import folder_at
from webarticlecurator.storage.places import is_url

NOTES = "shipped.json"


@dataclass(frozen=True, slots=True)
class ShippedFile:
    """A file that was found there whole, by its digest."""

    size: int
    sha256: str
    version: str
    """Of the file there, when it was looked at."""


@dataclass(frozen=True, slots=True)
class Shipped:
    """Where the files were brought, and which."""

    to: str = ""
    """The corpus there; empty: nothing was shipped."""
    files: Mapping[str, ShippedFile] = field(default_factory=dict)

    def place(self, name: str) -> Path:
        """Of a file."""
        return Path(self.to) / "warc" / name

    def write(self, warc: Path) -> None:
        """Beside the files."""
        folder_at(warc).put(NOTES, orjson.dumps(asdict(self), option=orjson.OPT_INDENT_2))


NOTHING = Shipped()


def shipped(warc: Path) -> Shipped:
    """What is noted in a folder of WARC files. Raises CorpusError where it cannot be read: what it names would be taken for lost."""
    if is_url(warc):
        return NOTHING
    notes = warc / NOTES
    try:
        stat = notes.stat()
        return _read(notes, (stat.st_mtime_ns, stat.st_size, stat.st_ino))
    except (FileNotFoundError, NotADirectoryError):
        return NOTHING
    except (ValueError, TypeError, KeyError, AttributeError):
        raise CorpusError(
            f"{notes} cannot be read. It says which WARC files lie in an object store alone: put a copy of it back,"
            " or remove it after all files that it named were brought back into this folder."
        ) from None


@lru_cache(maxsize=8)
def _read(notes: Path, changed: tuple[int, ...]) -> Shipped:  # noqa: ARG001
    read = orjson.loads(notes.read_bytes())
    return Shipped(read["to"], {name: ShippedFile(**one) for name, one in read["files"].items()})
