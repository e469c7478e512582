"""Where the pages of a command come from: the corpus, or the WARC files that were named."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import TYPE_CHECKING

from webarticlecurator.cli import console
from webarticlecurator.errors import UsageError

if TYPE_CHECKING:
    from webarticlecurator.config.portal import Portal
    from webarticlecurator.corpus.stored_pages import StoredPages

_TELL_EVERY = 2.0
_LARGE = 50_000_000
"""Bytes of a WARC that take a while to read."""


def stored_pages(
    portal: Portal, warc: list[Path] | None, corpus: Path | None, *, otherwise: str = "--warc FILE"
) -> AbstractContextManager[StoredPages]:
    """The pages of a corpus, or of WARC files. `otherwise`: what else could have been said where there are none."""
    from webarticlecurator.corpus.folder import corpus_of, missing
    from webarticlecurator.corpus.stored_pages import corpus_pages, warc_pages

    if not warc:
        folder = corpus_of(portal, corpus)
        if folder.ledger.exists():
            return corpus_pages(folder, portal)
        warc = list(folder.warc_files())
        if not warc:
            raise UsageError(f"{missing(portal, folder)} Or say where the pages are: {otherwise}.")
    return warc_pages(_announced([existing(path) for path in warc]), lambda damage: console.complain(str(damage)))


def existing(path: Path) -> Path:
    """A file that was named. Raises UsageError where there is none."""
    if not path.is_file():
        raise UsageError(f"{path}: there is no such file.")
    return path


def _announced(files: list[Path]) -> Iterator[Path]:
    """Say which file is being read, when that takes a while."""
    said = time.monotonic()
    for number, path in enumerate(files, start=1):
        if time.monotonic() - said > _TELL_EVERY or path.stat().st_size > _LARGE:
            console.say(f"Reading {path} ({number} of {len(files)})...")
            said = time.monotonic()
        yield path
