"""A corpus in an object store is built there: the same documents, whatever the store does meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from small_corpus import SmallCorpus, page

from webarticlecurator.building import packing
from webarticlecurator.building.options import BuildSummary
from webarticlecurator.storage.folders import folder_at

if TYPE_CHECKING:
    from object_store import ObjectStore

pytestmark = pytest.mark.cloud
FILES = ("ledger.sqlite", "warc")


@pytest.fixture
def store(tmp_path: Path) -> Iterator[ObjectStore]:
    from object_store import object_store

    with object_store(tmp_path / "cache") as opened:
        yield opened


@pytest.fixture(autouse=True)
def small_shards(monkeypatch: pytest.MonkeyPatch) -> None:
    """Five documents a shard."""
    monkeypatch.setattr(packing, "MOST", 5)


@pytest.fixture
def pages(tmp_path: Path) -> SmallCorpus:
    """Twenty articles of several months."""
    corpus = SmallCorpus(tmp_path)
    corpus.store(*[(f"/{number}", page(f"Title {number}", published=f"2024-{1 + number % 9:02}-01")) for number in range(20)])
    return corpus


def _push(corpus: SmallCorpus, place: Path) -> None:
    """What a crawl left goes to the store."""
    for file in sorted(corpus.folder.rglob("*")):
        name = file.relative_to(corpus.folder).as_posix()
        if file.is_file() and name.startswith(FILES):
            folder_at(place).put(name, file)


def _built(corpus: SmallCorpus, place: Path, **options: object) -> BuildSummary:
    from dataclasses import replace

    return replace(corpus, base=corpus.base, place=place).build(**options)


def _documents(place: Path) -> dict[str, bytes]:
    folder = folder_at(place)
    return {name: folder.read(f"tei/{name}") for name in folder_at(place / "tei").names()}


def test_it_has_the_same_documents_as_a_build_on_this_machine(pages: SmallCorpus, store: ObjectStore) -> None:
    _push(pages, store.place())
    pages.build(shards=True)

    assert pages.build(place=store.place()).written == 20
    assert _documents(store.place()) == pages.documents
