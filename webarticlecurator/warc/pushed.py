"""Sealed WARC files that `curator warc push` brought elsewhere: a text file beside them says where they are found."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from webarticlecurator.errors import CorpusError
from webarticlecurator.storage.places import is_url, sync_folder, url_of

PUSHED = "pushed.txt"
_HEAD = "# WARC files that `curator warc push` brought elsewhere, each found whole there. Keep this file: it says where they are.\n"


@dataclass(frozen=True, slots=True)
class PushedFile:
    """A file that was found elsewhere, whole, by its digest."""

    sha256: str
    size: int
    place: Path


def pushed_files(warc: Path) -> Mapping[str, PushedFile]:
    """What is noted in a folder of WARC files, by name. Raises CorpusError where it cannot be read: that would be taken for lost."""
    notes = warc / PUSHED
    if is_url(warc) or not notes.exists():
        return {}
    try:
        lines = [line.split(" ", 2) for line in notes.read_text("utf-8").splitlines() if line and not line.startswith("#")]
        return {(place := Path(url)).name: PushedFile(digest, int(size), place) for digest, size, url in lines}
    except ValueError:
        raise CorpusError(
            f"{notes} cannot be read. It says which WARC files lie elsewhere alone: put a copy of it back,"
            " or remove it after all files that it named were brought back into this folder."
        ) from None


def note_pushed(warc: Path, file: PushedFile) -> None:
    """Add a line; the last one of a name counts."""
    notes, draft = warc / PUSHED, warc / f"{PUSHED}.new"
    lines = notes.read_text("utf-8") if notes.exists() else _HEAD
    with draft.open("w", encoding="utf-8") as whole:
        whole.write(f"{lines}{file.sha256} {file.size} {url_of(file.place)}\n")
        whole.flush()
        os.fsync(whole.fileno())
    draft.replace(notes)
    sync_folder(warc)
