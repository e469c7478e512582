"""What crawling and its status look up in build.sqlite, where there is one: it is written by building alone."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from webarticlecurator.databases import read_only_uri
from webarticlecurator.errors import CorpusError

_NAME = "build.sqlite"


def build_rows(corpus: Path, sql: str) -> Iterator[tuple[Any, ...]]:
    """The answer to a question about what was built; nothing where nothing was."""
    path = corpus / _NAME
    if not path.exists():
        return
    try:
        with closing(sqlite3.connect(read_only_uri(path), uri=True)) as database:
            yield from database.execute(sql)
    except sqlite3.DatabaseError as error:
        raise CorpusError(f"{path} cannot be read ({error}). Delete it; `curator build --all` makes it again.") from error
