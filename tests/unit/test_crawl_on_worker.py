"""A worker crawls what it was given while somebody looks, and stops by itself when nobody does."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from webarticlecurator import crawl_on_worker
from webarticlecurator.config.fetch_rules import Secret
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.crawl_on_worker import CrawlJob, Ended, News, Order, Said, WorkerProcess, forget, look, take
from webarticlecurator.crawling.options import CrawlOptions, CrawlSummary
from webarticlecurator.errors import CorpusBusy
from webarticlecurator.model.progress import Snapshot


class Crawls:
    """Stands in for crawling: each portal goes on until it is stopped, or ends as it is told."""

    endings: dict[str, Any]

    def __init__(self, *, progress: Any, stop: threading.Event, paces: Any, **_: Any) -> None:
        self.progress, self.stop, self.paces = progress, stop, paces

    def crawl(self, portal: Portal, _: Path) -> CrawlSummary:
        self.progress.show(Snapshot(portal=portal.name, phase="archive"))
        self.progress.say(portal.name, "begun")
        ending = self.endings.get(portal.name)
        if isinstance(ending, Exception):
            raise ending
        if ending is None:
            self.stop.wait(20)
            return CrawlSummary(portal=portal.name, incomplete=("interrupted",))
        return CrawlSummary(portal=portal.name, fetched=ending)


@pytest.fixture
def portals(tmp_path: Path) -> list[Portal]:
    found = []
    for number in range(3):
        file = tmp_path / f"p{number}.yaml"
        file.write_text(
            f"portal: p{number}\nhome: https://h{number}.example/\narchive: {{item: li}}\ncolumns: {{a: 'https://h{number}.example/a'}}\n",
            "utf-8",
        )
        found.append(load_portal(file))
    return found


@pytest.fixture
def order(portals: list[Portal], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., str]]:
    """Takes an order whose portals end like that; gives its key."""
    monkeypatch.setattr(crawl_on_worker, "PortalCrawls", Crawls)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))  # where the details of a bug go
    keys: list[str] = []

    def give(**endings: Any) -> str:
        Crawls.endings = endings
        keys.append(f"key {len(keys)}")
        take(
            Order(key=keys[-1], command="c", options=CrawlOptions(), portals=tuple((portal, tmp_path / portal.name) for portal in portals))
        )
        return keys[-1]

    yield give
    for key in keys:
        look(key, 0, stop=True)
        forget(key)


def news_until(key: str, enough: Callable[[News], bool]) -> News:
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        news = look(key, 0, stop=False)
        assert news is not None
        if enough(news):
            return news
        time.sleep(0.01)
    raise AssertionError(news)


def ended(news: News) -> dict[str, Ended]:
    return {event.summary.portal: event for event in news.events if isinstance(event, Ended)}


def test_an_order_is_begun_when_it_is_looked_at_and_tells_what_happens(order: Callable[..., str]) -> None:
    key = order(p0=7, p1=CorpusBusy("held by another"), p2=ZeroDivisionError("odd"))
    assert not any(thread.name.startswith("portal") for thread in threading.enumerate())
    news = news_until(key, lambda news: len(ended(news)) == 3)
    assert Said("p0", "begun") in news.events
    assert ended(news)["p0"].summary.fetched == 7
    assert (ended(news)["p1"].busy, ended(news)["p1"].summary.impossible) == (True, "held by another")
    assert "a bug of curator (ZeroDivisionError)" in (ended(news)["p2"].summary.impossible or "")
    assert not any(event.left for event in ended(news).values())


def test_what_was_seen_is_not_told_again_and_what_was_not_is(order: Callable[..., str]) -> None:
    key = order(p0=1, p1=1, p2=1)
    events = news_until(key, lambda news: len(ended(news)) == 3).events
    assert look(key, 2, stop=False) == News((), events[2:])
    assert look(key, 2, stop=False) == News((), events[2:]), "the answer before may have been lost on its way"
    assert look(key, len(events), stop=False) == News((), ())


def test_a_worker_that_nobody_looks_at_stops_and_says_that_its_portals_have_to_go_on(
    order: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(crawl_on_worker, "LEASE", 0.3)
    monkeypatch.setattr(crawl_on_worker, "_GLANCE", 0.05)
    key = order(p0=7)
    news_until(key, lambda news: "p0" in ended(news))
    time.sleep(0.6)
    found = ended(news_until(key, lambda news: len(ended(news)) == 3))
    assert {name: event.left for name, event in found.items()} == {"p0": False, "p1": True, "p2": True}


def test_an_interruption_is_passed_on(order: Callable[..., str]) -> None:
    key = order()
    look(key, 0, stop=False)
    look(key, 0, stop=True)
    found = ended(news_until(key, lambda news: len(ended(news)) == 3))
    assert {event.summary.incomplete for event in found.values()} == {("interrupted",)}
    assert not any(event.left for event in found.values())


def test_an_order_that_is_not_known_is_that_of_a_process_that_died() -> None:
    assert look("of another process", 0, stop=False) is None


def test_orders_of_one_command_keep_one_pace(order: Callable[..., str]) -> None:
    first, second = order(), order()
    look(first, 0, stop=True)
    look(second, 0, stop=True)
    assert list(crawl_on_worker._PACES) == ["c"]


def test_all_workers_must_see_the_folders_and_have_the_secrets_which_are_not_told(
    portals: list[Portal], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = tmp_path / ".seen"
    seen.write_text("token")
    named = replace(portals[0], fetch=replace(portals[0].fetch, headers={"X-Key": Secret(env="CURATOR_KEY")}))
    job = CrawlJob({tmp_path: seen}, [named])
    monkeypatch.setenv("CURATOR_KEY", "hush")
    assert job.must_agree() == {f"the folder {tmp_path}": "token", "the environment variable CURATOR_KEY": "set"}
    seen.unlink()
    monkeypatch.delenv("CURATOR_KEY")
    assert job.must_agree() == {
        f"the folder {tmp_path}": "not to be seen (No such file or directory)",
        "the environment variable CURATOR_KEY": "not set",
    }


def test_a_process_of_this_machine_is_known_to_be_dead_and_of_others_nobody_knows() -> None:
    with subprocess.Popen([sys.executable, "-c", ""]) as process:
        process.wait()
    this = WorkerProcess.this()
    assert replace(this, number=process.pid).is_known_to_be_dead()
    assert not this.is_known_to_be_dead()
    assert this.number == os.getpid()
    assert not WorkerProcess(process.pid, "another machine").is_known_to_be_dead()
    assert not WorkerProcess(process.pid, "").is_known_to_be_dead()
