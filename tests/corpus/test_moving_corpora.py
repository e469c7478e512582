"""Sealed WARC files brought elsewhere: verified, noted, never lost, and never taken for lost."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from pathlib import Path
from threading import Event
from typing import Any

import pytest
from object_store import ObjectStore, object_store
from small_corpus import SmallCorpus, page

from webarticlecurator import pipeline
from webarticlecurator.corpus import shipping
from webarticlecurator.corpus.shipping import Pushed
from webarticlecurator.errors import CorpusError, UsageError
from webarticlecurator.model.status import StatusReport
from webarticlecurator.storage.folders import LocalFolder, folder_at
from webarticlecurator.warc.shipped import NOTES
from webarticlecurator.warc.store import OPEN


@pytest.fixture(params=["folder", pytest.param("object store", marks=pytest.mark.cloud)])
def to(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    if request.param == "folder":
        yield tmp_path / "elsewhere"
    else:
        with object_store(tmp_path / "cache") as store:
            yield store.place()


@pytest.fixture
def stored(corpus: SmallCorpus) -> SmallCorpus:
    """Two files of articles."""
    corpus.store(("/1", page("One")), ("/2", page("Two")))
    corpus.store(("/3", page("Three")))
    return corpus


def push(corpus: SmallCorpus, to: Path, **options: Any) -> Pushed:
    return pipeline.push(corpus.portal, to, corpus=corpus.folder, **options)


def urls(report: StatusReport) -> int:
    """That were fetched, whatever a build made of them."""
    return sum(report.outcomes.values())


def names(corpus: SmallCorpus) -> list[str]:
    return sorted(path.name for path in (corpus.folder / "warc").glob("*.warc.gz"))


def test_files_and_ledger_are_brought_and_are_the_same_there(stored: SmallCorpus, to: Path) -> None:
    pushed = push(stored, to)
    there = folder_at(to)
    assert (pushed.sent, pushed.there, pushed.removed, pushed.ledger) == (2, 0, 0, True)
    assert [file.name for file in there.files("warc")] == [f"warc/{name}" for name in names(stored)]
    for name in names(stored):
        assert there.read(f"warc/{name}") == (stored.folder / "warc" / name).read_bytes()
    assert pipeline.status(stored.portal, corpus=to).outcomes == pipeline.status(stored.portal, corpus=stored.folder).outcomes


def test_a_second_push_sends_what_is_new(stored: SmallCorpus, to: Path) -> None:
    push(stored, to)
    assert (push(stored, to).sent, push(stored, to).there) == (0, 2)
    stored.store(("/4", page("Four")))
    pushed = push(stored, to)
    assert (pushed.sent, pushed.there) == (1, 2)
    assert urls(pipeline.status(stored.portal, corpus=to)) == 4


def test_a_push_that_is_stopped_goes_on(stored: SmallCorpus, to: Path) -> None:
    stop = Event()
    show: Callable[..., None] = lambda doing, done, total: stop.set()  # noqa: E731, ARG005
    pushed = shipping.push(shipping.Corpus(stored.folder), to, remove=True, stop=stop, show=show)
    assert (pushed.sent, pushed.removed, pushed.ledger, pushed.finished) == (1, 0, False, False)
    assert len(names(stored)) == 2
    assert (push(stored, to).sent, push(stored, to).there) == (1, 2)


def test_what_was_removed_is_not_lost(stored: SmallCorpus, to: Path) -> None:
    before = stored.build().written
    pushed = push(stored, to, remove=True)
    assert (pushed.removed, names(stored)) == (2, [])
    report = pipeline.status(stored.portal, corpus=stored.folder)
    assert (report.lost, report.warc_files, urls(report)) == ((), 2, 3)
    assert report.warc_bytes == pushed.bytes
    assert stored.build(everything=True).articles == before == 3
    stored.store(("/4", page("Four")))  # goes on here, and looks for what is lost first
    assert urls(pipeline.status(stored.portal, corpus=stored.folder)) == 4
    assert stored.build().written == 1
    assert pipeline.index(stored.portal, corpus=stored.folder).lost == ()
    assert urls(pipeline.status(stored.portal, corpus=stored.folder)) == 4


def test_what_is_not_there_as_it_is_here_is_not_removed(stored: SmallCorpus, to: Path) -> None:
    first = names(stored)[0]
    folder_at(to).put(f"warc/{first}", b"something else")
    with pytest.raises(CorpusError, match=r"is not the file that lies here.*was not removed"):
        push(stored, to, remove=True)
    assert len(names(stored)) == 2


def test_a_file_that_was_changed_there_afterwards_is_looked_at_again(stored: SmallCorpus, to: Path) -> None:
    push(stored, to)
    first = names(stored)[0]
    whole = folder_at(to).read(f"warc/{first}")
    folder_at(to).put(f"warc/{first}", whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(CorpusError, match="is not the file that lies here"):
        push(stored, to, remove=True)
    assert len(names(stored)) == 2


def test_files_of_another_crawl_are_not_overwritten(stored: SmallCorpus, to: Path, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = SmallCorpus(tmp_path / "other")
    other.store(("/9", page("Nine")))
    other_name = names(other)[0]
    folder_at(to).put(f"warc/{other_name.replace('00001', '00009')}", b"theirs")
    with pytest.raises(CorpusError, match=r"\d files? that this corpus does not know.*Nothing was sent"):
        push(stored, to)
    assert folder_at(to).facts("ledger.sqlite") is None


def test_a_file_that_was_changed_here_after_it_was_verified_is_not_removed(stored: SmallCorpus, to: Path) -> None:
    push(stored, to)
    last = stored.folder / "warc" / names(stored)[-1]
    whole = last.read_bytes()
    last.write_bytes(whole[:-1] + bytes([whole[-1] ^ 1]))
    with pytest.raises(CorpusError, match=f"is not the file that lies here.*{last.name} was not removed"):
        push(stored, to, remove=True)
    assert last.exists()


@pytest.mark.parametrize("linked", ["folder", "file"])
def test_files_that_are_the_very_ones_there_are_not_removed(stored: SmallCorpus, tmp_path: Path, linked: str) -> None:
    warc, disk = stored.folder / "warc", tmp_path / "disk" / "warc"
    if linked == "folder":  # moved to a larger disk
        disk.parent.mkdir()
        warc.rename(disk)
        warc.symlink_to(disk)
    else:
        disk.mkdir(parents=True)
        for name in names(stored):
            (disk / name).symlink_to(warc / name)
    before = names(stored)
    with pytest.raises(UsageError, match="holds the very files of this corpus"):
        push(stored, disk.parent, remove=True)
    assert names(stored) == before
    assert all((disk / name).read_bytes() for name in before)


def test_the_ledger_of_a_corpus_whose_files_lie_elsewhere_is_not_overwritten(stored: SmallCorpus, tmp_path: Path) -> None:
    (tmp_path / "other").mkdir()
    other = SmallCorpus(tmp_path / "other")
    for number in range(3):
        other.store((f"/{number}", page(str(number))))
    push(other, tmp_path / "away", remove=True)
    before = (other.folder / "ledger.sqlite").read_bytes()
    with pytest.raises(CorpusError, match=r"\d files? that this corpus does not know.*Nothing was sent"):
        push(stored, other.folder)
    assert (other.folder / "ledger.sqlite").read_bytes() == before


def test_a_corpus_whose_files_lie_elsewhere_is_not_scattered(stored: SmallCorpus, to: Path, tmp_path: Path) -> None:
    push(stored, to, remove=True)
    with pytest.raises(UsageError, match="Push to the same place"):
        push(stored, tmp_path / "third")


def test_without_the_notes_files_are_lost_and_told(stored: SmallCorpus, to: Path) -> None:
    push(stored, to, remove=True)
    notes = stored.folder / "warc" / NOTES
    kept = notes.read_bytes()
    notes.write_bytes(b"{")
    with pytest.raises(CorpusError, match=r"shipped.json cannot be read"):
        pipeline.status(stored.portal, corpus=stored.folder)
    notes.unlink()
    assert len(pipeline.status(stored.portal, corpus=stored.folder).lost) == 2
    notes.write_bytes(kept)
    assert pipeline.status(stored.portal, corpus=stored.folder).lost == ()


class _Killed(BaseException):
    """As if the process had ended here."""


@pytest.mark.slow
@pytest.mark.parametrize("moment", range(11))
def test_a_push_that_is_killed_at_any_moment_loses_nothing(
    stored: SmallCorpus, to: Path, moment: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = {name: (stored.folder / "warc" / name).read_bytes() for name in names(stored)}
    left = iter(range(moment))

    def killing(real: Callable[..., Any]) -> Callable[..., Any]:
        def act(self: Any, *args: Any, **options: Any) -> Any:
            if next(left, None) is None:
                raise _Killed
            return real(self, *args, **options)

        return act

    with monkeypatch.context() as patch, suppress(_Killed):
        for folder in {LocalFolder, type(folder_at(to))}:
            patch.setattr(folder, "put", killing(folder.put))
        patch.setattr(Path, "unlink", killing(Path.unlink))
        push(stored, to, remove=True)
        raise AssertionError("there are fewer moments")
    report = pipeline.status(stored.portal, corpus=stored.folder)
    assert (report.lost, urls(report)) == ((), 3)
    there = {file.name.removeprefix("warc/") for file in folder_at(to).files("warc")}
    for name, content in whole.items():
        here = stored.folder / "warc" / name
        assert (here.read_bytes() if here.exists() else folder_at(to).read(f"warc/{name}")) == content
        assert here.exists() or name in there
    assert push(stored, to, remove=True).ledger
    assert urls(pipeline.status(stored.portal, corpus=to)) == 3
    assert names(stored) == []


def test_a_file_that_is_still_open_stays_and_is_told(stored: SmallCorpus, to: Path) -> None:
    first = stored.folder / "warc" / names(stored)[0]
    first.rename(first.with_name(first.name + OPEN))
    pushed = push(stored, to, remove=True)
    assert pushed.still_open == (first.name + OPEN,)
    assert (pushed.sent, pushed.removed, pushed.ledger) == (1, 1, False)
    assert first.with_name(first.name + OPEN).exists()
    assert folder_at(to).facts("ledger.sqlite") is None  # it names what is not there: no build would begin
    first.with_name(first.name + OPEN).rename(first)
    assert push(stored, to).ledger
    assert stored.build(place=to).articles == 3


def test_the_ledger_that_is_brought_is_whole_though_somebody_reads(stored: SmallCorpus, to: Path, tmp_path: Path) -> None:
    with closing(sqlite3.connect(stored.folder / "ledger.sqlite")) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM urls").fetchone()
        push(stored, to)
    copy = tmp_path / "copy.sqlite"
    copy.write_bytes(folder_at(to).read("ledger.sqlite"))
    with closing(sqlite3.connect(copy)) as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


@pytest.mark.cloud
def test_a_corpus_in_a_store_is_not_crawled_and_not_pushed(stored: SmallCorpus, tmp_path: Path) -> None:
    with object_store(tmp_path / "cache") as store:
        push(stored, store.place())
        with pytest.raises(UsageError, match=r"curator warc push pelda --to s3://corpora/portal"):
            pipeline.crawl(stored.portal, corpus=store.place())
        with pytest.raises(UsageError, match="in an object store already"):
            pipeline.push(stored.portal, tmp_path / "x", corpus=store.place())


@pytest.mark.cloud
@pytest.mark.slow
def test_a_store_that_fails_in_the_middle_loses_nothing(stored: SmallCorpus, tmp_path: Path) -> None:
    with object_store(tmp_path / "cache") as store:
        refused = iter(range(1_000))
        store.refused = lambda method, _: method in ("PUT", "GET") and next(refused) % 3 == 0
        pushed = push(stored, store.place(), remove=True)
        assert (pushed.sent, pushed.removed, pushed.ledger) == (2, 2, True)
        store.refused = ObjectStore().refused
        assert urls(pipeline.status(stored.portal, corpus=store.place())) == 3
