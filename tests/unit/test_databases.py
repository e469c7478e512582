"""What is said of a database that cannot be used, at whatever moment that shows."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from webarticlecurator.databases import DamagedDatabase, Database, connect, pack, transaction, unpack
from webarticlecurator.errors import CorpusError


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with many pages of 4096 bytes."""
    path = tmp_path / "build.sqlite"
    with closing(connect(path)) as database:
        database.execute("CREATE TABLE pages (number INTEGER PRIMARY KEY, content TEXT)")
        with transaction(database):
            database.executemany("INSERT INTO pages VALUES (?, ?)", ((number, "word " * 100) for number in range(1000)))
    return path


def test_a_database_that_is_in_use_is_not_to_be_deleted(path: Path) -> None:
    with closing(sqlite3.connect(path)) as other, closing(connect(path)) as ours:
        ours.execute("PRAGMA busy_timeout = 0")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(CorpusError) as told:
            ours.execute("SELECT * FROM pages")

    assert str(told.value) == f"{path} is in use by another program (database is locked). Close that, then run the command again."


def test_a_database_that_is_none_is_made_again(tmp_path: Path) -> None:
    path = tmp_path / "build.sqlite"
    path.write_bytes(b"this is no database, and longer than the head of one would be" * 2)
    with closing(connect(path)) as ours, pytest.raises(DamagedDatabase) as told:
        ours.execute("SELECT * FROM sqlite_master")

    assert str(told.value) == (f"{path} is damaged (file is not a database). Delete build.sqlite; `curator build --all` makes it again.")


def test_damage_is_told_wherever_a_reader_meets_it(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[4096 * 60 : 4096 * 61] = b"\xa5" * 4096
    path.write_bytes(content)

    with closing(connect(path, read_only=True)) as ours:
        rows = ours.execute("SELECT * FROM pages")
        assert next(rows) == (0, "word " * 100)
        with pytest.raises(DamagedDatabase, match=r"build\.sqlite is damaged \(database disk image is malformed\)"):
            list(rows)
        with pytest.raises(DamagedDatabase):
            ours.execute("SELECT sum(length(content)) FROM pages").fetchone()


def test_bytes_that_are_no_text_are_damage(path: Path) -> None:
    with closing(connect(path)) as ours:
        ours.execute("INSERT INTO pages VALUES (5000, CAST(x'41ff' AS TEXT))")
        with pytest.raises(DamagedDatabase, match=r"Delete build\.sqlite"):
            ours.execute("SELECT content FROM pages WHERE number = 5000").fetchone()


def test_of_databases_side_by_side_each_may_be_the_damaged_one(path: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.sqlite"
    content = bytearray(path.read_bytes())
    content[4096 : 4096 * 9] = b"\xa5" * 4096 * 8
    ledger.write_bytes(content)
    with closing(connect(path, read_only=True)) as ours:
        ours.attach(ledger, "ledger")
        with pytest.raises(DamagedDatabase) as told:
            ours.execute("SELECT sum(length(content)) FROM ledger.pages").fetchone()
        ours.detach("ledger")
        assert ours.paths == (path,)

    assert str(told.value) == (
        f"{path} or {ledger} is damaged (database disk image is malformed). Delete build.sqlite; `curator build --all` makes it again."
        " `curator warc index` makes ledger.sqlite again from the WARC files."
    )


def test_one_that_cannot_be_attached_is_the_only_one_that_is_told_of(path: Path, tmp_path: Path) -> None:
    ledger = tmp_path / "ledger.sqlite"
    ledger.write_bytes(b"this is no database, and longer than the head of one would be" * 2)
    with closing(connect(path, read_only=True)) as ours, pytest.raises(DamagedDatabase) as told:
        ours.attach(ledger, "ledger")

    assert str(told.value).startswith(f"{ledger} is damaged")


def test_a_database_without_room_is_told_with_what_to_look_at_and_keeps_what_it_has(path: Path) -> None:
    with closing(connect(path)) as ours:
        pages = ours.execute("PRAGMA page_count").fetchone()[0]
        ours.execute(f"PRAGMA max_page_count = {pages + 1}")
        with (
            pytest.raises(CorpusError, match=r"build\.sqlite cannot be read or written .*look at the disk's free space"),
            transaction(ours),
        ):
            ours.execute("DELETE FROM pages WHERE number = 1")
            ours.execute("INSERT INTO pages VALUES (5000, zeroblob(100000))")
        assert ours.execute("SELECT count(*) FROM pages").fetchone() == (1000,)


def test_a_fault_of_this_program_stays_what_it_is() -> None:
    with closing(connect("")) as temporary:
        assert isinstance(temporary, Database)
        with pytest.raises(sqlite3.OperationalError, match="no such table"):
            temporary.execute("SELECT * FROM pages")


def test_what_is_packed_is_not_unpacked_as_something_else() -> None:
    packed = bytearray(pack(b"an article" * 100, 3))
    assert unpack(packed, "build.sqlite") == b"an article" * 100
    packed[-1] ^= 1  # of the checksum
    with pytest.raises(DamagedDatabase, match=r"Delete build\.sqlite"):
        unpack(packed, "build.sqlite")


def test_a_temporary_file_without_room_is_told_with_how_to_put_it_elsewhere() -> None:
    with closing(connect("")) as ours:
        ours.execute("CREATE TABLE pages (content BLOB)")
        ours.execute("PRAGMA max_page_count = 3")
        with pytest.raises(CorpusError, match=r"A temporary file \(SQLITE_TMPDIR names the folder for it\) cannot be read or written"):
            ours.execute("INSERT INTO pages VALUES (zeroblob(100000))")
