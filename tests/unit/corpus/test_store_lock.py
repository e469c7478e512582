"""One writer of a corpus in an object store, told before the work."""

from __future__ import annotations

import time
from pathlib import Path

import pytest
from object_store import ObjectStore

from webarticlecurator.corpus import lock
from webarticlecurator.corpus.store_lock import locked_in_store
from webarticlecurator.errors import CorpusBusy
from webarticlecurator.storage.folders import folder_at

pytestmark = pytest.mark.cloud
NAME = "build.lock"


@pytest.fixture
def place(store: ObjectStore, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(lock, "BEAT", 0.05)
    monkeypatch.setattr(lock, "PATIENCE", 0.5)
    return store.place()


def ignore(_: str) -> None:
    pass


def test_it_is_held_while_the_block_runs_and_gone_afterwards(place: Path) -> None:
    with locked_in_store(place, NAME, "build", say=ignore):
        assert folder_at(place).facts(NAME) is not None
    assert folder_at(place).facts(NAME) is None


def test_a_live_one_is_never_taken_and_the_second_is_told_who_holds_it(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    with locked_in_store(place, NAME, "build", say=ignore):
        monkeypatch.setattr(lock, "PATIENCE", 60.0)  # it is enough that one sign of life comes
        words = r"Another build of s3://corpora/portal is running: process \d+ on .*, since 20"
        with pytest.raises(CorpusBusy, match=words), locked_in_store(place, NAME, "build", say=said.append):
            pass
        assert folder_at(place).facts(NAME) is not None
    assert "Watching for" in said[0]


def test_what_a_killed_one_left_is_taken_over(place: Path) -> None:
    folder_at(place).put(NAME, b'{"process": 1, "host": "gone", "since": "2026-01-01"}')
    said: list[str] = []
    with locked_in_store(place, NAME, "build", say=said.append):
        assert b"gone" not in folder_at(place).read(NAME)
    assert "process 1 on gone, since 2026-01-01" in said[0]


def test_an_empty_one_that_came_with_the_copy_of_a_folder_keeps_nobody_waiting(place: Path) -> None:
    folder_at(place).put(NAME, b"")
    said: list[str] = []
    with locked_in_store(place, NAME, "build", say=said.append):
        assert said == []


def test_one_that_was_taken_over_leaves_the_others_lock_alone(place: Path) -> None:
    with locked_in_store(place, NAME, "build", say=ignore):
        folder_at(place).put(NAME, b'{"token": "another"}')
        time.sleep(0.3)
    assert folder_at(place).read(NAME) == b'{"token": "another"}'
