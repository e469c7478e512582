"""The databases of a corpus in an object store: fetched when they changed, put back only over what they were."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from object_store import Faults, ObjectStore
from small_corpus import SmallCorpus, page

from webarticlecurator import pipeline
from webarticlecurator.corpus import working_copy, writing
from webarticlecurator.corpus.folder import Corpus, corpus_of
from webarticlecurator.corpus.working_copy import WorkingCopy
from webarticlecurator.corpus.writing import kept, written
from webarticlecurator.errors import CorpusBusy, CorpusError, StoreUnreachable
from webarticlecurator.storage import object_folder, s3
from webarticlecurator.storage.folders import folder_at

pytestmark = pytest.mark.cloud


def note(database: Path, text: str) -> None:
    database.parent.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(database)) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute("CREATE TABLE IF NOT EXISTS notes (text)")
        db.execute("INSERT INTO notes VALUES (?)", (text,))
        db.commit()


def notes(database: Path) -> list[str]:
    with closing(sqlite3.connect(database)) as db:
        return [text for (text,) in db.execute("SELECT text FROM notes ORDER BY rowid")]


def machine(store: ObjectStore, base: Path, name: str) -> WorkingCopy:
    """A machine with a folder of its own."""
    return WorkingCopy(store.place(), base / name)


def write(machine: WorkingCopy, text: str) -> None:
    machine.fetch()
    note(machine.here / "build.sqlite", text)
    machine.put_back(["build.sqlite"])


def test_one_machine_goes_on_where_the_other_was(store: ObjectStore, tmp_path: Path) -> None:
    first, second = machine(store, tmp_path, "first"), machine(store, tmp_path, "second")
    write(first, "by the first")
    write(second, "by the second")
    first.fetch()
    assert notes(first.here / "build.sqlite") == ["by the first", "by the second"]


def test_what_did_not_change_is_neither_fetched_nor_sent(store: ObjectStore, tmp_path: Path) -> None:
    first, second = machine(store, tmp_path, "first"), machine(store, tmp_path, "second")
    write(first, "once")
    version = folder_at(store.place()).facts("build.sqlite")
    second.fetch()
    asked = store.asked
    for one in (first, second, first):
        one.fetch()
        one.put_back(["build.sqlite"])
    assert store.asked == asked
    assert folder_at(store.place()).facts("build.sqlite") == version


def test_a_writer_in_between_is_told_and_not_overwritten(store: ObjectStore, tmp_path: Path) -> None:
    first, second = machine(store, tmp_path, "first"), machine(store, tmp_path, "second")
    first.fetch()
    second.fetch()
    note(first.here / "build.sqlite", "by the first")
    note(second.here / "build.sqlite", "by the second")
    second.put_back(["build.sqlite"])
    with pytest.raises(CorpusError, match=r"build.sqlite was written by somebody else.*Run the command again"):
        first.put_back(["build.sqlite"])
    first.fetch()
    assert notes(first.here / "build.sqlite") == ["by the second"]


def test_a_reader_beside_a_writer_does_not_hide_the_writer_in_between(store: ObjectStore, tmp_path: Path) -> None:
    first, second = machine(store, tmp_path, "first"), machine(store, tmp_path, "second")
    first.fetch()
    note(first.here / "build.sqlite", "by the first")
    write(second, "by the second")
    machine(store, tmp_path, "first").fetch()  # `status`, say, while the first still builds
    with pytest.raises(CorpusError, match="written by somebody else"):
        first.put_back(["build.sqlite"])
    assert notes(first.here / "build.sqlite") == ["by the second"]


def test_what_a_killed_command_left_is_gone_on_with(store: ObjectStore, tmp_path: Path) -> None:
    killed = machine(store, tmp_path, "first")
    killed.fetch()
    note(killed.here / "build.sqlite", "half of it")
    again = machine(store, tmp_path, "first")
    again.fetch()
    note(again.here / "build.sqlite", "the rest")
    again.put_back(["build.sqlite"])
    other = machine(store, tmp_path, "other")
    other.fetch()
    assert notes(other.here / "build.sqlite") == ["half of it", "the rest"]


def test_what_was_taken_away_there_goes_here(store: ObjectStore, tmp_path: Path) -> None:
    first = machine(store, tmp_path, "first")
    write(first, "once")
    folder_at(store.place()).delete("build.sqlite")
    first.fetch()
    assert not (first.here / "build.sqlite").exists()


def test_a_fetch_that_is_cut_is_made_again(store: ObjectStore, tmp_path: Path) -> None:
    first, second = machine(store, tmp_path, "first"), machine(store, tmp_path, "second")
    write(first, "x" * 200_000)
    store.faults = Faults(cut=lambda number: number % 2 == 1)
    second.fetch()
    assert notes(second.here / "build.sqlite") == ["x" * 200_000]


_FETCH = """
import sys
from pathlib import Path
from webarticlecurator.corpus.working_copy import WorkingCopy
WorkingCopy(Path(sys.argv[1]), Path(sys.argv[2])).fetch()
"""


@pytest.mark.slow
def test_two_processes_of_one_machine_fetch_at_once(store: ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second = machine(store, tmp_path, "first"), machine(store, tmp_path, "second")
    note(first.here / "build.sqlite", "x" * 200_000)
    first.put_back(["build.sqlite"])
    left = second.here / "build.sqlite.1.new"
    left.parent.mkdir()
    left.touch()
    os.utime(left, (0, 0))

    def halfway(place: Path, here: Path) -> None:
        here.write_bytes(folder_at(place.parent).read(place.name)[:100_000])
        subprocess.run([sys.executable, "-c", _FETCH, str(store.place()), str(second.here)], check=True)
        with here.open("ab") as rest:
            rest.write(folder_at(place.parent).read(place.name)[100_000:])

    monkeypatch.setattr(working_copy, "copy_here", halfway)
    second.fetch()
    assert notes(second.here / "build.sqlite") == ["x" * 200_000]
    assert not list(second.here.glob("*.new"))


def test_a_block_that_writes_holds_the_lock_and_puts_back(store: ObjectStore) -> None:
    corpus = Corpus(store.place())
    with written(corpus, corpus.build_lock, "build", corpus.build_database):
        note(corpus.build_database, "built")
        with pytest.raises(CorpusBusy), written(corpus, corpus.build_lock, "build", corpus.build_database):
            pass
    assert folder_at(store.place()).facts("build.sqlite") is not None


def test_a_block_that_fails_puts_nothing_back(store: ObjectStore) -> None:
    corpus = Corpus(store.place())
    with pytest.raises(ZeroDivisionError), written(corpus, corpus.build_lock, "build", corpus.build_database):
        note(corpus.build_database, "half")
        raise ZeroDivisionError
    assert folder_at(store.place()).facts("build.sqlite") is None
    assert notes(corpus.build_database) == ["half"]


def test_of_what_only_saves_time_the_others_counts(store: ObjectStore, tmp_path: Path) -> None:
    corpus, other = Corpus(store.place()), machine(store, tmp_path, "other")
    with kept(corpus, corpus.statistics_database):
        other.fetch()
        note(corpus.statistics_database, "ours")
        note(other.here / "statistics.sqlite", "theirs")
        other.put_back(["statistics.sqlite"])
    corpus.fetch()
    assert notes(corpus.statistics_database) == ["theirs"]


def test_two_machines_that_build_at_once_lose_nothing(store: ObjectStore, corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch) -> None:
    corpus.store(("/1", page("One")), ("/2", page("Two")))
    pipeline.push(corpus.portal, store.place(), corpus=corpus.folder)
    real = writing.WorkingCopy.put_back

    def late(self: WorkingCopy, names: list[str]) -> None:
        if "build.sqlite" in names and not hasattr(late, "done"):
            late.done = True  # type: ignore[attr-defined]
            facts = folder_at(store.place()).put("build.sqlite", b"")
            folder_at(store.place()).put("build.sqlite", b"another machine's", replaces=facts.version)
        real(self, names)

    monkeypatch.setattr(writing.WorkingCopy, "put_back", late)
    with pytest.raises(CorpusError, match="written by somebody else"):
        corpus.build(place=store.place())
    folder_at(store.place()).delete("build.sqlite")
    assert corpus.build(place=store.place()).outcomes == corpus.build().outcomes


def test_a_store_that_fails_in_a_build_ends_it_and_blames_no_page(
    store: ObjectStore, corpus: SmallCorpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(object_folder, "_FIRST_WAIT", 0.001)
    monkeypatch.setitem(s3.OPTIONS, "config_kwargs", {"retries": {"total_max_attempts": 1}})
    corpus.store(*((f"/{number}", page(f"Number {number}")) for number in range(5)))
    pipeline.push(corpus.portal, store.place(), corpus=corpus.folder)
    corpus_of(corpus.portal, store.place())
    store.refused = lambda method, path: method == "GET" and path.endswith(".warc.gz")
    with pytest.raises(StoreUnreachable, match="times in a row"):
        corpus.build(place=store.place())
    store.refused = ObjectStore().refused
    assert corpus.build(place=store.place()).outcomes == corpus.build().outcomes
