"""Portals on a real Dask cluster whose workers are killed: everything is crawled, nothing twice, and no host is asked too often."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from webarticlecurator.crawling.options import CrawlSummary
from webarticlecurator.model.progress import Snapshot

pytestmark = [pytest.mark.cluster, pytest.mark.slow]
BENCHMARKS = Path(__file__).resolve().parents[2] / "benchmarks"


@pytest.fixture
def many_portals(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.setattr(sys, "path", [str(BENCHMARKS), *sys.path])
    import many_portals

    return many_portals


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    from webarticlecurator.workers.carriers import Workers
    from webarticlecurator.workers.dask_cluster import connected, disconnect

    yield connected(Workers(cluster="local:2"))
    disconnect()


@dataclass
class Watched:
    """Progress that acts once so many articles are fetched."""

    articles: int
    act: Callable[[], None]
    said: list[str] = field(default_factory=list)
    seen: dict[str, int] = field(default_factory=dict)

    def show(self, snapshot: Snapshot) -> None:
        self.seen[snapshot.portal] = max(self.seen.get(snapshot.portal, 0), snapshot.articles)
        if sum(self.seen.values()) >= self.articles and self.act is not None:
            act, self.act = self.act, lambda: None
            act()

    def say(self, portal: str, message: str) -> None:
        self.said.append(f"{portal}: {message}")


def kill_one(cluster: Any) -> None:
    os.kill(next(iter(cluster.client.run(os.getpid).values())), signal.SIGKILL)


def crawl(files: list[Path], progress: Watched, stop: threading.Event | None = None) -> list[CrawlSummary]:
    from webarticlecurator.crawl_on_cluster import crawl_on_cluster

    return crawl_on_cluster(files, "local:2", progress=progress, stop=stop)


def stored(files: list[Path]) -> list[tuple[int, int]]:
    """Of each corpus: articles that are fetched, and answers of articles that are stored."""
    counts = []
    for file in files:
        with sqlite3.connect(file.parent / "corpora" / file.stem / "ledger.sqlite") as db:
            (fetched,) = db.execute("SELECT count(*) FROM urls WHERE outcome = 'fetched'").fetchone()
            (answers,) = db.execute("SELECT count(*) FROM responses WHERE part > 0").fetchone()
            counts.append((fetched, answers))
    return counts


def test_a_killed_worker_loses_nothing_and_no_host_is_asked_too_often(tmp_path: Path, many_portals: ModuleType, cluster: Any) -> None:
    shape = many_portals.Shape(portals=8, sharing=4, articles=8, delay=0.3)
    progress = Watched(articles=12, act=lambda: kill_one(cluster))
    with many_portals.served(shape, tmp_path) as (files, asked):
        summaries = crawl(files, progress)
    assert [summary.impossible for summary in summaries] == [None] * 8
    assert [fetched for fetched, _ in stored(files)] == [8] * 8
    assert sum(answers - fetched for fetched, answers in stored(files)) <= 8, "only what was on its way when the worker died is asked again"
    ahead = max(many_portals.rates(asked, shape.delay)[1])
    assert ahead < 3, "two that ask one host would be ahead of its pace by half of all requests"
    assert any("died" in line and "portals go on elsewhere" in line for line in progress.said)
    assert not list(tmp_path.glob("corpora/.seen*"))


def test_an_interruption_stops_the_portals_of_all_workers_and_the_next_command_goes_on(
    tmp_path: Path, many_portals: ModuleType, cluster: Any
) -> None:
    shape = many_portals.Shape(portals=4, sharing=0, articles=10, delay=0.3)
    stop = threading.Event()
    with many_portals.served(shape, tmp_path) as (files, _):
        began = time.monotonic()
        summaries = crawl(files, Watched(articles=4, act=stop.set), stop)
        assert time.monotonic() - began < 20
        assert {summary.incomplete for summary in summaries} == {("interrupted",)}
        assert [file.read_bytes() for file in tmp_path.glob("corpora/*/crawl.lock")] == [b""] * 4
        assert not list(tmp_path.glob("corpora/*/warc/*.open"))
        assert [summary.failures for summary in crawl(files, Watched(articles=1000, act=stop.set))] == [()] * 4
    assert stored(files) == [(10, 10)] * 4


def test_a_worker_without_a_secret_of_the_portal_file_is_named_and_the_secret_is_not_told(
    tmp_path: Path, many_portals: ModuleType, cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from webarticlecurator.errors import CorpusError

    assert cluster.workers()  # they were started without it
    monkeypatch.setenv("CURATOR_TOKEN", "hush-hush")
    with many_portals.served(many_portals.Shape(2, 0, 2, 0.1), tmp_path) as (files, _):
        text = files[0].read_text("utf-8").replace("fetch: {", "fetch: {headers: {X-Token: {env: CURATOR_TOKEN}}, ")
        files[0].write_text(text, "utf-8")
        progress = Watched(articles=1, act=lambda: None)
        with pytest.raises(CorpusError, match="CURATOR_TOKEN is not set there, set here") as refused:
            crawl(files, progress)
    assert "hush" not in f"{refused.value}{progress.said}"
