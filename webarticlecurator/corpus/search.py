"""Corpora of a portal that lie somewhere else than where they are looked for: so that nobody crawls again what they have."""

from __future__ import annotations

import os
import re
from collections import deque
from collections.abc import Iterator
from pathlib import Path

from webarticlecurator.warc.store import Series, warc_files

_MOST_FOLDERS = 2_000
_DEEPEST = 4
_PORTAL_FILES = ("*.yaml", "*.yml")
_HEAD = 10_000
"""Bytes of a portal file in which its name is looked for."""


def corpora_under(folder: Path, portal: str) -> Iterator[Path]:
    """The corpora of a portal below a folder, the nearest first: not too deep, and not for ever."""
    waiting = deque([(folder, 0)])
    for _ in range(_MOST_FOLDERS):
        if not waiting:
            return
        place, depth = waiting.popleft()
        try:
            is_corpus = holds_corpus(place)
            found = is_corpus and _is_of(place, portal)
            below = [] if is_corpus or depth == _DEEPEST else _folders(place)
        except OSError:  # a folder of somebody else
            continue
        if found:
            yield place
        waiting.extend((folder, depth + 1) for folder in below)


def holds_corpus(folder: Path) -> bool:
    """Whether a crawl has left something in this folder."""
    return (folder / "ledger.sqlite").exists() or bool(_warc_files(folder))


def belongs_to_another_file(corpus: Path, portal: str) -> bool:
    """Whether a corpus lies where that of some portal file beside it lies."""
    if corpus.parent.name != "corpora":
        return False
    named = re.compile(rb"(?m)^portal:\s*[\"']?%s[\"']?\s*(#|$)" % re.escape(portal.encode()))
    files = (path for pattern in _PORTAL_FILES for path in corpus.parent.parent.glob(pattern) if path.is_file())
    return any(named.search(_head(path)) for path in files)


def _is_of(corpus: Path, portal: str) -> bool:
    starts = tuple(f"{portal}-{series}-" for series in Series)
    return corpus.name == portal or any(path.name.startswith(starts) for path in _warc_files(corpus))


def _warc_files(corpus: Path) -> tuple[Path, ...]:
    return warc_files(corpus / "warc") if (corpus / "warc").is_dir() else ()


def _folders(place: Path) -> list[Path]:
    with os.scandir(place) as entries:
        names = sorted(entry.name for entry in entries if entry.is_dir(follow_symlinks=False) and not entry.name.startswith("."))
    return [place / name for name in names]


def _head(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            return file.read(_HEAD)
    except OSError:
        return b""
