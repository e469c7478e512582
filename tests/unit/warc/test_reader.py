"""Captures by their places, on this machine and in an object store."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path

import pytest
from object_store import Faults, ObjectStore, object_store
from small_corpus import SmallCorpus, page

from webarticlecurator.corpus.stored_articles import StoredArticles
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.capture import Location
from webarticlecurator.storage.folders import folder_at
from webarticlecurator.warc.reader import CaptureReader

pytestmark = pytest.mark.cloud


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ObjectStore]:
    with object_store(tmp_path / "cache") as running:
        yield running


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    made = SmallCorpus(tmp_path / "made")
    made.base.mkdir()
    for number in range(2):
        made.store(*((f"/{number}-{one}", page(f"{number} {one}", text=f"{number} {one} " * 2_000)) for one in range(10)))
    return made


@pytest.fixture
def places(corpus: SmallCorpus, store: ObjectStore) -> list[Location]:
    for path in (corpus.folder / "warc").iterdir():
        folder_at(store.place()).put(f"warc/{path.name}", path)
    with StoredArticles(corpus.folder / "ledger.sqlite", corpus.portal) as articles:
        return [place for article in articles for place in article.places]


def test_what_lies_in_a_store_is_read_as_from_a_disk(corpus: SmallCorpus, store: ObjectStore, places: list[Location]) -> None:
    with CaptureReader(corpus.folder / "warc") as here, CaptureReader(store.place() / "warc", places) as there:
        assert [there.read(place) for place in places] == [here.read(place) for place in places]
    wanted = sum(path.stat().st_size for path in (corpus.folder / "warc").iterdir())
    assert store.bytes_of(".warc.gz") <= wanted
    assert store.asked <= 4


def test_going_to_and_fro_between_files_asks_for_nothing_twice(store: ObjectStore, places: list[Location]) -> None:
    mixed = [place for pair in zip(places[:10], places[10:], strict=True) for place in pair]
    with CaptureReader(store.place() / "warc", mixed) as there:
        for place in mixed:
            assert there.read(place) is not None
    asked = store.asked
    assert asked <= 4


def test_of_a_bundle_only_its_stretch_is_read(store: ObjectStore, places: list[Location]) -> None:
    with CaptureReader(store.place() / "warc", places[2:4]) as there:
        for place in places[2:4]:
            there.read(place)
    first, last = places[2], places[3]
    assert store.bytes_of(".warc.gz") == last.offset + last.length - first.offset


def test_bytes_that_are_not_those_of_the_digest_are_asked_for_again(
    store: ObjectStore, places: list[Location], monkeypatch: pytest.MonkeyPatch
) -> None:
    where = places[0]
    name = f"warc/{where.file}"
    whole = folder_at(store.place()).read(name)
    member = gzip.decompress(whole[where.offset : where.offset + where.length])
    other = gzip.compress(member.replace(b"council", b"c0uncil", 1))
    spoiled = whole[: where.offset] + other + whole[where.offset + where.length :]
    folder_at(store.place()).put(name, spoiled)
    with CaptureReader(store.place() / "warc") as there, pytest.raises(CorpusError, match=r"s3://.*is not what its digest says"):
        there.read(Location(file=where.file, offset=where.offset, length=len(other)))


def test_a_file_that_is_missing_there_is_told(store: ObjectStore, places: list[Location]) -> None:
    folder_at(store.place()).delete(f"warc/{places[0].file}")
    with CaptureReader(store.place() / "warc", places) as there:
        with pytest.raises(CorpusError, match=rf"s3://corpora/portal/warc/{places[0].file} is missing"):
            there.read(places[0])
        assert there.read(places[-1]) is not None


def test_cut_answers_cost_another_question_and_nothing_else(store: ObjectStore, places: list[Location]) -> None:
    store.faults = Faults(cut=lambda number: number % 2 == 1)
    with CaptureReader(store.place() / "warc", places) as there:
        assert all(there.read(place) is not None for place in places)
