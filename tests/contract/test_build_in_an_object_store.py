"""A corpus in an object store is built there: the same documents, whatever the store does meanwhile."""

from __future__ import annotations

from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Any

import orjson
import pytest
from small_corpus import SmallCorpus, page

from webarticlecurator.building import packing
from webarticlecurator.errors import CuratorError, UsageError
from webarticlecurator.storage.folders import folder_at
from webarticlecurator.storage.object_folder import ObjectFolder

if TYPE_CHECKING:
    from object_store import ObjectStore

pytestmark = pytest.mark.cloud


class _Killed(BaseException):
    """As if the process had ended here."""


FILES = ("ledger.sqlite", "warc")


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five documents a shard."""
    monkeypatch.setattr(packing, "MOST", 5)


@pytest.fixture
def pages(tmp_path: Path) -> SmallCorpus:
    """Twenty articles of several months."""
    corpus = SmallCorpus(tmp_path)
    corpus.store(
        *[
            (f"/{number}", page(f"Title {number}", text=f'{number} <b class="ad">Buy</b>', published=f"2024-{1 + number % 9:02}-01"))
            for number in range(20)
        ]
    )
    return corpus


def _push(corpus: SmallCorpus, place: Path) -> None:
    """What a crawl left goes to the store."""
    for file in sorted(corpus.folder.rglob("*")):
        name = file.relative_to(corpus.folder).as_posix()
        if file.is_file() and name.startswith(FILES):
            folder_at(place).put(name, file)


def _documents(place: Path) -> dict[str, bytes]:
    folder = folder_at(place)
    return {name: folder.read(f"tei/{name}") for name in folder_at(place / "tei").names()}


def test_it_has_the_same_documents_as_a_build_on_this_machine(pages: SmallCorpus, store: ObjectStore) -> None:
    _push(pages, store.place())
    pages.build(shards=True)

    assert pages.build(place=store.place()).written == 20
    assert _documents(store.place()) == pages.documents


@pytest.mark.slow
@pytest.mark.parametrize("workers", [{"jobs": 2}, pytest.param({"jobs": None, "cluster": "local:2"}, marks=pytest.mark.cluster)])
def test_whoever_does_the_work(pages: SmallCorpus, store: ObjectStore, workers: dict[str, Any]) -> None:
    _push(pages, store.place())
    pages.build(shards=True)

    pages.build(place=store.place(), **workers)

    assert _documents(store.place()) == pages.documents


def test_only_shards_in_which_something_changed_are_put_there(pages: SmallCorpus, store: ObjectStore) -> None:
    place = store.place()
    _push(pages, place)
    pages.build(place=place)
    before = {file.name: file.version for file in folder_at(place).files("tei")}
    pages.store(("/new", page("New", published="2024-01-02")))
    _push(pages, place)

    assert (again := pages.build(place=place)).written == 1
    after = {file.name: file.version for file in folder_at(place).files("tei")}
    pages.build(shards=True)

    assert again.unchanged == 20
    assert len(before.items() & after.items()) == len(before) - 2  # one shard, and the index
    assert _documents(place) == pages.documents


def test_a_copy_of_a_folder_with_shards_goes_on_there(pages: SmallCorpus, store: ObjectStore) -> None:
    pages.build(shards=True)
    for file in sorted(path for path in pages.folder.rglob("*") if path.is_file()):
        folder_at(store.place()).put(file.relative_to(pages.folder).as_posix(), file)

    again = pages.build(place=store.place())

    assert (again.unchanged, again.written) == (20, 0)
    assert _documents(store.place()) == pages.documents


def test_documents_that_are_not_there_yet_are_not_asked_for_one_by_one(pages: SmallCorpus, store: ObjectStore) -> None:
    _push(pages, store.place())
    asked: list[str] = []

    def hear(method: str, path: str) -> bool:
        asked.extend([path] if "/tei/" in path and method != "PUT" else [])
        return False

    store.refused = hear
    pages.build(place=store.place())

    assert len(asked) < 20


def test_a_second_build_reads_no_document(pages: SmallCorpus, store: ObjectStore) -> None:
    _push(pages, store.place())
    pages.build(place=store.place())
    store.given.clear()

    assert pages.build(place=store.place(), everything=True).confirmed == 20
    assert store.bytes_of(".zip") == 0


def test_zips_of_years_are_refused(pages: SmallCorpus, store: ObjectStore) -> None:
    _push(pages, store.place())
    with pytest.raises(UsageError, match="leave out --zip and --files"):
        pages.build(place=store.place(), zip=True)


@pytest.mark.parametrize("moment", range(6))
def test_a_build_that_ends_while_it_puts_documents_there_is_finished_by_the_next(
    pages: SmallCorpus, store: ObjectStore, moment: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = store.place()
    _push(pages, place)
    pages.build(place=place)
    pages.rules = "body: {tags: {decompose: [b.ad]}}\n"  # every document becomes another
    left = iter(range(moment))
    kept = ObjectFolder.put

    def put(self: ObjectFolder, name: str, *args: Any, **options: Any) -> Any:
        if name.endswith((".zip", ".json", ".sqlite")) and next(left, None) is None:
            raise _Killed
        return kept(self, name, *args, **options)

    with monkeypatch.context() as patch:
        patch.setattr(ObjectFolder, "put", put)
        with pytest.raises(_Killed):
            pages.build(place=place)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another machine"))

    pages.build(place=place)
    pages.build(shards=True)

    assert _documents(place) == pages.documents


def test_what_another_build_put_there_meanwhile_is_never_overwritten(
    pages: SmallCorpus, store: ObjectStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    place, other = store.place(), b'{"shards": []}'
    _push(pages, place)
    kept = ObjectFolder.put

    def put(self: ObjectFolder, name: str, *args: Any, **options: Any) -> Any:
        if name.endswith(".zip"):
            kept(folder_at(place), "tei/index.json", other)
        return kept(self, name, *args, **options)

    monkeypatch.setattr(ObjectFolder, "put", put)
    with pytest.raises(CuratorError, match=r"tei/index\.json was written by somebody else meanwhile"):
        pages.build(place=place)
    assert folder_at(place).read("tei/index.json") == other


def test_a_store_that_answers_badly_gives_the_same_documents(pages: SmallCorpus, store: ObjectStore) -> None:
    from object_store import Faults

    _push(pages, store.place())
    pages.build(shards=True)
    store.faults = Faults(unavailable=lambda number: number % 5 == 1, cut=lambda number: number % 5 == 3)

    pages.build(place=store.place())

    store.faults = Faults()
    assert _documents(store.place()) == pages.documents


def test_an_interrupted_build_keeps_what_it_has(
    pages: SmallCorpus, store: ObjectStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class StopAfter(Event):
        asked = 0

        def is_set(self) -> bool:
            self.asked += 1
            return self.asked > 12

    place = store.place()
    _push(pages, place)
    assert pages.build(place=place, stop=StopAfter()).incomplete
    done = orjson.loads(folder_at(place).read("tei/index.json"))["documents"]
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "another machine"))

    summary = pages.build(place=place)

    assert 0 < done == summary.unchanged < 20


def test_exports_of_documents_read_the_shards(pages: SmallCorpus, store: ObjectStore, tmp_path: Path) -> None:
    from webarticlecurator.corpus_export import export

    place = store.place()
    _push(pages, place)
    pages.build(place=place)
    pages.build(shards=True)

    for name, corpus in (("here.xml", pages.folder), ("there.xml", place)):
        export(pages.portal, "teicorpus", output=tmp_path / name, corpus=corpus)

    assert (tmp_path / "there.xml").read_bytes() == (tmp_path / "here.xml").read_bytes()
