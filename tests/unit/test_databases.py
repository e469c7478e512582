"""What is said of a database that cannot be used."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from webarticlecurator.databases import build_database_error, explained
from webarticlecurator.errors import CorpusError


def test_a_database_that_is_in_use_is_not_to_be_deleted(tmp_path: Path) -> None:
    path = tmp_path / "build.sqlite"
    with closing(sqlite3.connect(path)) as other, closing(sqlite3.connect(path, timeout=0)) as ours:
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(sqlite3.DatabaseError) as told:
            ours.execute("SELECT * FROM sqlite_master")

    assert str(build_database_error(path, told.value)) == (
        f"{path} is in use by another program (database is locked). Close that, then run the command again."
    )


def test_a_database_that_is_none_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "build.sqlite"
    path.write_bytes(b"this is no database, and longer than the head of one would be" * 2)
    with closing(sqlite3.connect(path)) as ours, pytest.raises(sqlite3.DatabaseError) as told:
        ours.execute("SELECT * FROM sqlite_master")

    assert "Delete it; `curator build --all` makes it again." in str(build_database_error(path, told.value))


def test_a_database_without_room_is_told_with_what_to_look_at(tmp_path: Path) -> None:
    path = tmp_path / "build.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as ours:
        ours.execute("CREATE TABLE pages (content BLOB)")
        ours.execute("PRAGMA max_page_count = 3")
        with pytest.raises(CorpusError, match=r"build\.sqlite cannot be read or written .*look at the disk's free space"), explained(path):
            ours.execute("INSERT INTO pages VALUES (zeroblob(100000))")
