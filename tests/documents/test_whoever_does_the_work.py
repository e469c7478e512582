"""The example portal by one process, by two, and by a Dask cluster of two workers: every command makes the same bytes."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from crawling import Crawling
from own_dask import own_dask
from seams import leave_the_cluster

pytestmark = [pytest.mark.cluster, pytest.mark.nightly]
Carriers = tuple[tuple[str, str], ...]


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


@pytest.mark.parametrize("command", ["tags", "audit", "stats"])
def test_tags_audit_and_numbers(command: str, crawled: Crawling, carriers: Carriers, curator: Callable) -> None:
    def told(carrier: tuple[str, str]) -> str:
        (crawled.corpus / "analysis.sqlite").unlink(missing_ok=True)
        return str(curator(command, crawled.file, "--corpus", crawled.corpus, "--json", *carrier).out)

    one, *others = map(told, carriers)
    assert len(one) > 1_000
    assert others == [one, one]
