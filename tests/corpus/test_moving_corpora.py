"""Sealed WARC files brought elsewhere, to another disk or an object store: verified, noted, never lost, and never taken for lost."""

from __future__ import annotations

import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest
from deadly import killed_at_change
from pushed_corpus import PushedCorpus


@pytest.fixture
def stored(curator: Any, tmp_path: Path) -> PushedCorpus:
    """Two files of articles."""
    corpus = PushedCorpus(curator, tmp_path / "own", tmp_path / "elsewhere")
    corpus.store("one", "two")
    corpus.store("three")
    return corpus


@pytest.fixture
def there(tmp_path: Path) -> Path:
    return tmp_path / "elsewhere" / "warc"


def flip(path: Path) -> None:
    content = path.read_bytes()
    path.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))


def test_files_are_brought_and_a_second_push_sends_what_is_new(stored: PushedCorpus, there: Path) -> None:
    pushed = stored.push()
    assert (pushed["sent"], pushed["there"], pushed["removed"]) == (2, 0, 0)
    assert {path.name: path.read_bytes() for path in there.glob("*.gz")} == {
        name: (stored.folder / "warc" / name).read_bytes() for name in stored.names
    }
    stored.store("four")
    pushed = stored.push()
    assert (pushed["sent"], pushed["there"]) == (1, 2)
    assert stored.run("warc", "index", at=there.parent).code == 0
    assert stored.status(at=there.parent)["outcomes"] == {"fetched": 4}, "from the files alone"


def test_what_was_removed_is_not_lost_and_the_corpus_goes_on(stored: PushedCorpus) -> None:
    before = stored.built()["written"]
    pushed = stored.push("--remove")
    assert (pushed["removed"], stored.names) == (2, [])
    status = stored.status()
    assert (status["lost"], status["warc_files"], status["warc_bytes"]) == ([], 2, pushed["bytes"])
    assert stored.built("--all")["articles"] == before == 3
    stored.store("four")
    assert stored.built()["written"] == 1
    assert stored.run("warc", "index").code == 0
    assert sum(stored.status()["outcomes"].values()) == 4


def test_what_is_not_there_as_it_is_here_is_not_removed(stored: PushedCorpus, there: Path) -> None:
    there.mkdir(parents=True)
    first, last = stored.names[0], stored.names[-1]
    (there / first).write_bytes(b"something else")
    assert first in stored.refused("--remove")
    (there / first).unlink()
    stored.push()
    flip(there / first)  # changed there, afterwards
    assert first in stored.refused("--remove")
    flip(there / first)
    flip(stored.folder / "warc" / last)  # changed here
    assert last in stored.refused("--remove")
    assert stored.names[-1] == last


@pytest.mark.parametrize("linked", ["folder", "file"])
def test_files_that_are_the_very_ones_there_are_not_removed(stored: PushedCorpus, there: Path, linked: str) -> None:
    warc, before = stored.folder / "warc", stored.names
    if linked == "folder":  # moved to a larger disk
        there.parent.mkdir()
        warc.rename(there)
        warc.symlink_to(there)
    else:
        there.mkdir(parents=True)
        for name in before:
            (there / name).symlink_to(warc / name)
    assert "very files" in stored.refused("--remove")
    assert stored.names == before
    assert all((there / name).read_bytes() for name in before)


def test_files_may_lie_at_several_places(stored: PushedCorpus, tmp_path: Path) -> None:
    stored.push("--remove")
    stored.store("four")
    assert stored.push("--remove", to=tmp_path / "third")["removed"] == 1
    assert (stored.names, stored.status()["lost"], stored.built()["written"]) == ([], [], 4)


def test_without_the_notes_files_are_lost_and_told(stored: PushedCorpus) -> None:
    stored.push("--remove")
    notes = stored.folder / "warc" / "pushed.txt"
    kept = notes.read_bytes()
    notes.write_bytes(b"{")
    ended = stored.run("status")
    assert (ended.code, str(notes) in ended.err) == (2, True)
    notes.unlink()
    assert len(stored.status()["lost"]) == 2
    notes.write_bytes(kept)
    assert stored.status()["lost"] == []


def test_a_file_that_is_still_open_stays(stored: PushedCorpus) -> None:
    first = stored.folder / "warc" / stored.names[0]
    growing = first.rename(first.with_name(first.name + ".open"))
    pushed = stored.push("--remove")
    assert (pushed["code"], pushed["sent"], pushed["removed"], growing.exists()) == (4, 1, 1, True)
    growing.rename(first)
    assert stored.push("--remove")["removed"] == 1


@pytest.mark.parametrize("moments", [(4, 7), pytest.param(range(100), marks=pytest.mark.nightly)], ids=["some", "all"])
def test_a_push_that_is_killed_at_any_moment_loses_nothing(stored: PushedCorpus, there: Path, moments: Iterable[int]) -> None:
    """Every file is here or there, to the last byte, and the next push brings the rest."""
    whole = {name: (stored.folder / "warc" / name).read_bytes() for name in stored.names}
    start = stored.base.parent / "start"
    shutil.copytree(stored.base, start)
    for moment in moments:
        for folder in (stored.base, there.parent):
            shutil.rmtree(folder, ignore_errors=True)
        shutil.copytree(start, stored.base)
        push = ("warc", "push", stored.file, "--corpus", stored.folder, "--to", there.parent, "--remove", "--quiet")
        killed = killed_at_change(moment, stored.base.parent, start / "first", *push)
        status = stored.status()
        assert (status["lost"], status["outcomes"]) == ([], {"fetched": 3}), moment
        for name, content in whole.items():
            here = stored.folder / "warc" / name
            assert (here if here.exists() else there / name).read_bytes() == content
        stored.push("--remove")
        assert (stored.names, {name: (there / name).read_bytes() for name in whole}) == ([], whole)
        if not killed:
            assert moment > 5
            return
    assert killed
