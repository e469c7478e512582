"""Who crawls what: portals that share hosts stay together, and what a lost worker had goes on elsewhere, though never too soon."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from webarticlecurator import crawl_on_cluster, crawl_on_worker
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.crawl_on_cluster import CrawlOnCluster, Question
from webarticlecurator.crawl_on_worker import LEASE, Ended, News, Order, WorkerProcess
from webarticlecurator.crawling.options import CrawlOptions, CrawlSummary
from webarticlecurator.errors import UsageError
from webarticlecurator.model.progress import Snapshot


@dataclass
class FakeWorker:
    """Does nothing for a while; then each portal has ended."""

    process: int
    orders: dict[str, Order] = field(default_factory=dict)
    ended: list[tuple[str, list[Ended]]] = field(default_factory=list)
    is_silent: bool = False
    stopped: bool = False

    def take(self, order: Order) -> WorkerProcess:
        self.orders.setdefault(order.key, order)
        return WorkerProcess(self.process, "")

    def look(self, key: str, seen: int, stop: bool) -> News | None:
        self.stopped |= stop
        if key not in self.orders:
            return None
        events = [event for one, events in self.ended if one == key for event in events]
        return News((), tuple(events[seen:]))

    def forget(self, key: str) -> None:
        self.orders.pop(key, None)

    @property
    def portals(self) -> set[str]:
        return {portal.name for order in self.orders.values() for portal, _ in order.portals}

    def end(self, *names: str, **how: Any) -> None:
        for key, order in self.orders.items():
            done = {event.summary.portal for one, events in self.ended if one == key for event in events}
            ending = [portal.name for portal, _ in order.portals if portal.name in set(names) - done]
            self.ended.append((key, [Ended(CrawlSummary(portal=name, fetched=1), **how) for name in ending]))


@dataclass
class World:
    """A cluster, a clock, and what happens at which second."""

    portals: list[tuple[Portal, Path]]
    workers: dict[str, FakeWorker]
    now: float = 1000.0
    plan: dict[float, Callable[[], object]] = field(default_factory=dict)
    said: list[str] = field(default_factory=list)
    stop: Event = field(default_factory=Event)
    refused: dict[str, str] = field(default_factory=dict)

    def ask(self, questions: Sequence[Question]) -> list[Any]:
        return [self._answer(*question) for question in questions]

    def _answer(self, name: str, what: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        worker = self.workers.get(name)
        if worker is None or worker.is_silent:
            return TimeoutError()
        return getattr(worker, what.__name__)(*arguments)

    def sleep(self, seconds: float) -> None:
        before, self.now = self.now, self.now + seconds
        for at, act in list(self.plan.items()):
            if before < 1000 + at <= self.now:
                act()
        assert self.now < 3000, f"nothing comes of it any more: {self.said}"

    def show(self, snapshot: Snapshot) -> None:
        self.said.append(f"{snapshot.portal} needs {snapshot.needs}")

    def say(self, portal: str, message: str) -> None:
        self.said.append(f"{self.now - 1000:.0f} {portal}: {message}")

    def crawl(self) -> dict[str, CrawlSummary]:
        crawl = CrawlOnCluster(
            portals=self.portals,
            options=CrawlOptions(),
            workers=lambda: self.workers,
            why_not=lambda names: [TimeoutError() if self.workers[name].is_silent else self.refused.get(name) for name in names],
            ask=self.ask,
            progress=self,
            stop=self.stop,
            clock=lambda: self.now,
            sleep=self.sleep,
        )
        return {summary.portal: summary for summary in crawl.crawl()}


@pytest.fixture
def world(tmp_path: Path) -> World:
    """Two workers; of six portals, p0 and p1 share a host, and so do p1 and p2."""
    portals = []
    for number, hosts in enumerate(["a", "a, b", "b", "c", "d", "e"]):
        first, *more = hosts.split(", ")
        file = tmp_path / f"p{number}.yaml"
        urls = f", urls: {{hosts: [{more[0]}.example]}}" if more else ""
        file.write_text(
            f"portal: p{number}\nhome: https://{first}.example/\narchive: {{item: li}}\n"
            f"columns: {{x: {{url: 'https://{first}.example/x'{urls}}}}}\n",
            encoding="utf-8",
        )
        portals.append((load_portal(file), tmp_path / "corpora" / f"p{number}"))
    return World(portals, {"tcp://one": FakeWorker(1), "tcp://two": FakeWorker(2)})


ALL = ("p0", "p1", "p2", "p3", "p4", "p5")


def all_end(world: World, **how: Any) -> Callable[[], None]:
    def act() -> None:
        for worker in world.workers.values():
            worker.end(*ALL, **how)

    return act


def test_portals_that_share_hosts_go_to_one_worker_and_the_rest_evens_it_out(world: World) -> None:
    seen: list[set[str]] = []
    world.plan = {2: lambda: seen.extend(worker.portals for worker in world.workers.values()), 3: all_end(world)}
    summaries = world.crawl()
    assert {"p0", "p1", "p2"} in seen
    assert [len(portals) for portals in seen] == [3, 3]
    assert [summaries[name].fetched for name in ALL] == [1] * 6
    assert "0 cluster: 6 portals given to 2 of 2 workers." in world.said


def test_what_a_silent_worker_had_goes_on_elsewhere_when_it_has_surely_stopped(world: World) -> None:
    one, two = world.workers.values()

    def fall_silent() -> None:
        one.is_silent = True

    world.plan = {2: fall_silent, 2 + LEASE: lambda: two.portals == {"p3", "p4", "p5"} or pytest.fail("too soon"), 60: all_end(world)}
    summaries = world.crawl()
    assert two.ended
    assert [summaries[name].fetched for name in ALL] == [1] * 6
    (told,) = [line for line in world.said if "Worker" in line]
    assert "Worker tcp://one was not heard of for 40 s: its 3 portals go on elsewhere." in told


def test_a_worker_that_was_started_anew_is_given_portals_at_once(world: World) -> None:
    one = world.workers["tcp://one"]
    world.plan = {2: one.orders.clear, 5: all_end(world)}
    assert [summary.fetched for summary in world.crawl().values()] == [1] * 6
    assert world.now < 1010
    assert any("tcp://one died, and was started anew: its 3 portals" in line for line in world.said)


def test_a_portal_that_goes_on_stays_with_those_of_its_hosts(world: World) -> None:
    one, two = world.workers.values()

    def end() -> None:
        one.end("p1", left=True)
        two.end("p3", "p4", "p5")

    seen: list[set[str]] = []
    world.plan = {2: end, 4: lambda: seen.append(set(two.portals)), 5: all_end(world)}
    world.crawl()
    assert seen == [set()], "p1 shares its hosts with p0 and p2, which the first worker still has"


def test_a_corpus_that_a_lost_worker_held_is_tried_again(world: World) -> None:
    two = world.workers["tcp://two"]
    world.plan = {
        2: lambda: world.workers.pop("tcp://one"),
        50: lambda: two.end("p0", busy=True),
        70: lambda: two.end("p0") if "p0" in two.portals else pytest.fail("not tried again"),
        80: lambda: two.end("p1", "p2", "p3", "p4", "p5"),
    }
    assert [summary.fetched for summary in world.crawl().values()] == [1] * 6


def test_a_corpus_that_somebody_else_crawls_is_not_tried_again(world: World) -> None:
    world.plan = {2: all_end(world, busy=True)}
    world.crawl()
    assert world.now < 1010


def test_an_interruption_stops_all_and_what_nobody_has_is_incomplete(world: World) -> None:
    one, two = world.workers.values()
    world.plan = {2: one.orders.clear, 2.5: world.stop.set, 6: lambda: two.end(*ALL)}
    summaries = world.crawl()
    assert two.stopped
    assert summaries["p0"].incomplete == ("interrupted",)
    assert summaries["p4"].fetched == 1


def test_a_portal_that_no_worker_survives_ends_as_that(world: World) -> None:
    one, two = world.workers.values()
    deaths = {
        float(second): lambda: [worker.orders.clear() for worker in (one, two) if "p0" in worker.portals] for second in range(2, 30, 3)
    }
    world.plan = {**deaths, 60: all_end(world)}
    summaries = world.crawl()
    assert "5 workers in a row were lost" in (summaries["p0"].impossible or "")
    assert any(line.startswith("p0 needs 5 workers in a row") for line in world.said)


def test_a_worker_that_differs_is_named_and_gets_nothing(world: World) -> None:
    world.refused = {"tcp://one": "Python is 3.9 there, 3.11 here"}
    world.plan = {2: all_end(world)}
    world.crawl()
    assert not world.workers["tcp://one"].ended
    assert "0 cluster: Worker tcp://one gets no portals: Python is 3.9 there, 3.11 here" in world.said


def test_without_workers_somebody_may_come_or_it_ends(world: World) -> None:
    workers = dict(world.workers)
    world.workers.clear()
    world.plan = {100: lambda: world.workers.update(workers), 110: all_end(world)}
    assert [summary.fetched for summary in world.crawl().values()] == [1] * 6
    world.workers.clear()
    world.plan = {}
    world.now = 1000.0
    assert {summary.incomplete for summary in world.crawl().values()} == {("no worker came for 10 minutes",)}


def test_what_is_no_cluster_is_said_in_a_sentence() -> None:
    with pytest.raises(UsageError, match="'ten' is no cluster"):
        crawl_on_cluster.crawl_on_cluster([], "ten")


def test_two_portals_of_one_name_are_refused_before_a_cluster_is_asked(tmp_path: Path) -> None:
    files = [tmp_path / folder / "portal.yaml" for folder in ("one", "two")]
    for file in files:
        file.parent.mkdir()
        file.write_text("portal: pelda\nhome: https://pelda.example/\n", encoding="utf-8")

    with pytest.raises(UsageError, match="have the same name"):
        crawl_on_cluster.crawl_on_cluster(files, "tcp://127.0.0.1:9")


def test_the_functions_of_workers_are_those_that_are_asked_for() -> None:
    assert {crawl_on_worker.take.__name__, crawl_on_worker.look.__name__, crawl_on_worker.forget.__name__} <= set(dir(FakeWorker))
    assert crawl_on_cluster.LEASE == LEASE
