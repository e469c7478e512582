"""The example portal by one process, by two, and by a Dask cluster of two workers: every command makes the same bytes."""

from __future__ import annotations

import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace

import pytest
from crawling import Crawling
from own_dask import own_dask
from seams import leave_the_cluster

pytestmark = [pytest.mark.cluster, pytest.mark.nightly]
Carriers = tuple[tuple[str, str], ...]
Made = dict[str, bytes]


@pytest.fixture(scope="module")
def crawled(example: Crawling, tmp_path_factory: pytest.TempPathFactory) -> Crawling:
    folder = tmp_path_factory.mktemp("own")
    shutil.copytree(example.corpus, folder / "corpus")
    return replace(example, folder=folder)


@pytest.fixture(scope="module")
def carriers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Carriers]:
    with own_dask(tmp_path_factory.mktemp("dask"), workers=2) as dask:
        yield ("--jobs", "1"), ("--jobs", "2"), ("--cluster", dask.address)
    leave_the_cluster()


@pytest.fixture(autouse=True)
def _one_day(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1700000000")


def test_build(crawled: Crawling, carriers: Carriers, curator: Callable) -> None:
    def made(carrier: tuple[str, str]) -> Made:
        shutil.rmtree(crawled.corpus / "tei", ignore_errors=True)
        for file in crawled.corpus.glob("build.sqlite*"):
            file.unlink()
        assert curator("build", crawled.file, "--corpus", crawled.corpus, *carrier).code in (0, 1, 5)
        documents = {path.name: path.read_bytes() for path in (crawled.corpus / "tei").rglob("*") if path.is_file()}
        with closing(sqlite3.connect(crawled.corpus / "build.sqlite")) as database:
            contents = repr(database.execute("SELECT * FROM contents ORDER BY id").fetchall()).encode()
        return {**documents, "what is kept of each": contents}

    one, *others = map(made, carriers)
    assert len(one) > 1
    assert [other == one for other in others] == [True, True]


@pytest.mark.parametrize("command", ["tags", "audit", "stats"])
def test_tags_audit_and_numbers(command: str, crawled: Crawling, carriers: Carriers, curator: Callable) -> None:
    def told(carrier: tuple[str, str]) -> str:
        (crawled.corpus / "analysis.sqlite").unlink(missing_ok=True)
        return str(curator(command, crawled.file, "--corpus", crawled.corpus, "--json", *carrier).out)

    one, *others = map(told, carriers)
    assert len(one) > 1_000
    assert others == [one, one]
