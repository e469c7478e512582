"""Many portals, crawled by the workers of a Dask cluster: those that share a host by one of them; what a lost one had goes on elsewhere.

The portals are not Dask's tasks, which are short and may be done twice: each worker is given an order once and then looked at every
second. A worker that is not heard of is passed over only when it has long stopped by itself (`crawl_on_worker.LEASE`), and the lock of
each corpus stands behind that.
"""

from __future__ import annotations

import asyncio
import pickle
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from threading import Event as Flag
from time import monotonic, sleep
from typing import Any

from webarticlecurator import crawl_on_worker
from webarticlecurator.amounts import amount
from webarticlecurator.config.load import as_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import CorporaNearby, corpus_to_fill
from webarticlecurator.crawl_on_worker import LEASE, CrawlJob, Ended, News, Order, WorkerProcess
from webarticlecurator.crawling.options import CrawlOptions, CrawlSummary
from webarticlecurator.crawling.portal_groups import groups_by_host
from webarticlecurator.errors import CuratorError, UsageError
from webarticlecurator.model.progress import Progress, Silent, Snapshot
from webarticlecurator.workers.carriers import Workers

_LOOK_EVERY = 0.5
_ANSWER_SECONDS = 5.0
_LOST_AFTER = LEASE + 10.0
"""By then a worker that hears nothing of us asks no host any more."""
_BUSY_AGAIN = 15.0
"""Seconds after which a corpus that a lost worker held is tried again ..."""
_BUSY_FOR = 300.0
"""... for so long: a file server may need minutes to let go of a dead machine's lock."""
_QUICKLY = 600.0
_MOST_QUICK_LOSSES = 5
"""A portal that so many workers in a row do not survive for long may be why."""
_NO_WORKER_SECONDS = 600.0
_CHECK_EVERY = 30.0
_NOBODY = "cluster"
"""Who says what is of no portal."""


Question = tuple[str, Callable[..., Any], tuple[Any, ...]]
"""A worker, what it is to call, and with what."""
Ask = Callable[[Sequence[Question]], list[Any]]
"""Asks each its worker, all at once, beside its work; an exception is the answer of one that does not answer."""


@dataclass(slots=True, eq=False)
class _Given:
    """An order that a worker has."""

    worker: str
    order: Order
    places: dict[str, int]
    """Of its portals that are not done: name -> place in the list."""
    since: float
    heard: float
    """When its worker answered last."""
    process: WorkerProcess | None = None
    """Where it is worked on; None: the worker has not said yet that it knows it."""
    seen: int = 0


@dataclass(slots=True, kw_only=True)
class CrawlOnCluster:
    """One command's portals, shared out among workers."""

    portals: Sequence[tuple[Portal, Path]]
    """With the folders of their corpora."""
    options: CrawlOptions
    workers: Callable[[], Iterable[str]]
    """Those that there are now."""
    why_not: Callable[[Sequence[str]], Sequence[str | BaseException | None]]
    """Says of workers why they cannot be used (None: they can), or what kept them from answering."""
    ask: Ask
    progress: Progress
    stop: Flag
    clock: Callable[[], float] = monotonic
    sleep: Callable[[float], object] = sleep
    _summaries: dict[int, CrawlSummary] = field(default_factory=dict)
    _given: list[_Given] = field(default_factory=list)
    _waiting: dict[int, float] = field(default_factory=dict)
    """Portals that nobody has, and from when on somebody may."""
    _groups: list[list[int]] = field(default_factory=list)
    """Portals that share hosts: at any time one worker has all of them that are given to anybody."""
    _command: str = field(default_factory=lambda: uuid.uuid4().hex)
    _lost_at: dict[int, float] = field(default_factory=dict)
    """Portals that a lost worker had, and when it was given up: their corpora may still be locked."""
    _checked: dict[str, str | None] = field(default_factory=dict)
    """Workers that have answered, and why they cannot be used."""
    _check_at: dict[str, float] = field(default_factory=dict)
    """When those that did not answer are asked again."""
    _quick_losses: dict[int, int] = field(default_factory=dict)
    """How many of its workers in a row were lost soon."""
    _workerless: float | None = None

    def crawl(self) -> list[CrawlSummary]:
        """Have all portals crawled."""
        self._groups = groups_by_host([portal for portal, _ in self.portals])
        self._waiting = dict.fromkeys(range(len(self.portals)), 0.0)
        while True:
            self._hand_out(self._usable_workers())
            self._look()
            self._pass_over_lost()
            if self.stop.is_set():
                self._end_what_waits("interrupted")
            if len(self._summaries) == len(self.portals):
                return [self._summaries[place] for place in range(len(self.portals))]
            self.sleep(_LOOK_EVERY)

    # -- workers ------------------------------------------------------------------------------------------------------

    def _usable_workers(self) -> list[str]:
        """Those that answered, and would do the same as the others."""
        workers, now = sorted(self.workers()), self.clock()
        new = [worker for worker in workers if worker not in self._checked and self._check_at.get(worker, now) <= now]
        for worker, answer in zip(new, self.why_not(new), strict=True):
            if isinstance(answer, BaseException):
                self._check_at[worker] = now + _CHECK_EVERY
                continue
            self._checked[worker] = answer
            if answer is not None:
                self.progress.say(_NOBODY, f"Worker {worker} gets no portals: {answer}")
        return [worker for worker in workers if worker in self._checked and self._checked[worker] is None]

    def _hand_out(self, workers: Sequence[str]) -> None:
        """Give what waits to those that have the least to do, one order for each worker."""
        now = self.clock()
        due = [[place for place in group if self._waiting.get(place, now + 1) <= now] for group in self._groups]
        if self.stop.is_set() or not any(due):
            return
        if not workers:
            self._wait_for_workers()
            return
        self._workerless = None
        load = dict.fromkeys(workers, 0)
        holder = {place: given.worker for given in self._given for place in given.places.values()}
        for worker in holder.values():
            load[worker] = load.get(worker, 0) + 1
        shares: dict[str, list[int]] = {}
        for group, places in zip(self._groups, due, strict=True):
            if not places:
                continue
            held = next((holder[place] for place in group if place in holder), None)
            worker = held or min(workers, key=lambda one: (load[one], one))
            load[worker] += len(places)
            shares.setdefault(worker, []).extend(places)
        for worker, places in shares.items():
            self._give(worker, places)
        self.progress.say(
            _NOBODY, f"{amount(sum(map(len, shares.values())), 'portal')} given to {len(shares):,} of {amount(len(workers), 'worker')}."
        )

    def _give(self, worker: str, places: Sequence[int]) -> None:
        now, portals = self.clock(), tuple(self.portals[place] for place in places)
        order = Order(key=uuid.uuid4().hex, command=self._command, options=self.options, portals=portals)
        self._given.append(_Given(worker, order, {self.portals[place][0].name: place for place in places}, now, now))
        for place in places:
            del self._waiting[place]

    def _wait_for_workers(self) -> None:
        if self._workerless is None:
            self._workerless = self.clock()
            self.progress.say(_NOBODY, "There is no worker that portals could be given to: waiting for one.")
        if self.clock() - self._workerless > _NO_WORKER_SECONDS:
            self._end_what_waits(f"no worker came for {_NO_WORKER_SECONDS / 60:.0f} minutes")

    # -- what they tell -----------------------------------------------------------------------------------------------

    def _look(self) -> None:
        for given in [one for one in self._given if one.process is not None and one.process.is_known_to_be_dead()]:
            self._give_up(given, "died")
        stop = self.stop.is_set()
        answers = self.ask(
            [
                (given.worker, crawl_on_worker.look, (given.order.key, given.seen, stop))
                if given.process is not None
                else (given.worker, crawl_on_worker.take, (given.order,))
                for given in self._given
            ]
        )
        for given, answer in zip(tuple(self._given), answers, strict=True):
            if isinstance(answer, BaseException):
                continue
            given.heard = self.clock()
            if isinstance(answer, WorkerProcess):
                given.process = answer
            elif isinstance(answer, News):
                given.seen += len(answer.events)
                self._take_in(given, answer)
            else:  # it does not know the order any more
                self._give_up(given, "died, and was started anew")
        done = [given for given in self._given if not given.places]
        self.ask([(given.worker, crawl_on_worker.forget, (given.order.key,)) for given in done])
        self._given = [given for given in self._given if given.places]

    def _take_in(self, given: _Given, news: News) -> None:
        for snapshot in news.snapshots:
            self.progress.show(snapshot)
        for event in news.events:
            if isinstance(event, Ended):
                self._settle(event, given.places.pop(event.summary.portal))
            else:
                self.progress.say(event.portal, event.message)

    def _settle(self, ended: Ended, place: int) -> None:
        """A portal's crawl is over, here or for good."""
        now = self.clock()
        goes_on = not self.stop.is_set()
        if ended.left and goes_on:
            self._waiting[place] = now
        elif ended.busy and goes_on and now < self._lost_at.get(place, -_BUSY_FOR) + _BUSY_FOR:
            self._waiting[place] = now + _BUSY_AGAIN
        else:
            self._end(place, ended.summary)

    def _end(self, place: int, summary: CrawlSummary) -> None:
        self._summaries[place] = summary
        if summary.impossible is not None:
            self.progress.show(Snapshot(portal=summary.portal, phase="done", needs=summary.impossible))

    def _pass_over_lost(self) -> None:
        lost = {given.worker for given in self._given if self.clock() - given.heard > _LOST_AFTER}
        for given in [one for one in self._given if one.worker in lost]:
            self._give_up(given, f"was not heard of for {_LOST_AFTER:.0f} s")

    def _give_up(self, given: _Given, why: str) -> None:
        """A worker is lost, and asks nobody any more; its portals go on elsewhere."""
        self._given.remove(given)
        self._checked.pop(given.worker, None)
        now, is_quick = self.clock(), self.clock() - given.since < _QUICKLY
        self.progress.say(
            _NOBODY, f"Worker {given.worker} {why}: its {amount(len(given.places), 'portal goes', 'portals go')} on elsewhere."
        )
        for place in given.places.values():
            self._lost_at[place] = now
            # Its last request may have been made just now.
            self._waiting[place] = now + self.portals[place][0].fetch.delay.total_seconds()
            self._quick_losses[place] = self._quick_losses.get(place, 0) + 1 if is_quick else 0
            if self._quick_losses[place] == _MOST_QUICK_LOSSES:
                reason = (
                    f"{_MOST_QUICK_LOSSES} workers in a row were lost within minutes of taking it, together with others."
                    f" `curator crawl` of this portal alone shows whether it is to blame."
                )
                self._end(place, CrawlSummary(portal=self.portals[place][0].name, impossible=reason))
                del self._waiting[place]

    def _end_what_waits(self, reason: str) -> None:
        for place in self._waiting:
            self._end(place, CrawlSummary(portal=self.portals[place][0].name, incomplete=(reason,)))
        self._waiting.clear()


def ask(client: Any, questions: Sequence[Question]) -> list[Any]:
    """As `Ask` says, over Dask's connections."""

    async def one(worker: str, what: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
        return (await asyncio.wait_for(client._run(what, *arguments, workers=[worker]), _ANSWER_SECONDS))[worker]

    async def all_of_them() -> list[Any]:
        return await asyncio.gather(*(one(*question) for question in questions), return_exceptions=True)

    answers: list[Any] = client.sync(all_of_them) if questions else []
    return answers


def crawl_on_cluster(
    portals: Sequence[Portal | Path | str],
    cluster: str,
    *,
    corpus: Path | str | None = None,
    options: CrawlOptions | None = None,
    progress: Progress | None = None,
    stop: Flag | None = None,
) -> list[CrawlSummary]:
    """Crawl portals on a Dask cluster (`tcp://HOST:8786`, `local:4`); one summary each, in their order.

    Their corpora lie in folders that all workers see. Raises CuratorError where not all workers would do the same.
    """
    from webarticlecurator.workers.dask_cluster import connected

    options, progress, stop = options or CrawlOptions(), progress or Silent(), stop or Flag()
    workers = Workers.asked_for(cluster=cluster).telling(partial(progress.say, _NOBODY), stop.is_set)
    nearby = CorporaNearby()
    placed: list[tuple[Portal, Path]] = []
    impossible: dict[int, CrawlSummary] = {}
    for place, portal in enumerate(map(as_portal, portals)):
        try:
            placed.append((portal, corpus_to_fill(portal, corpus, nearby).folder.resolve()))
        except CuratorError as error:
            impossible[place] = CrawlSummary(portal=portal.name, impossible=str(error))
    if len({portal.name for portal, _ in placed}) < len(placed):  # by their names workers tell what became of them
        raise UsageError("Two of these portals have the same name: crawl them one after the other, or give one of them another name.")
    dask = connected(workers)
    with _files_to_be_seen({folder.parent for _, folder in placed}) as files:
        sent = dask.tell_job(pickle.dumps(CrawlJob(files, [portal for portal, _ in placed])))
        try:
            crawl = CrawlOnCluster(
                portals=placed,
                options=options,
                workers=partial(_workers_now, dask),
                why_not=partial(_why_not, dask, sent),
                ask=lambda questions: ask(dask.client, questions),
                progress=progress,
                stop=stop,
            )
            done = iter(crawl.crawl())
        finally:
            with suppress(CuratorError, OSError):
                dask.forget(sent)
    return [impossible.get(place) or next(done) for place in range(len(portals))]


def _workers_now(cluster: Any) -> list[str]:
    """Those of the scheduler, which may have been away. Raises CorpusError where it does not come back."""
    from webarticlecurator.workers.dask_cluster import SchedulerLost

    if cluster.client.status == "running":
        with suppress(SchedulerLost):
            return list(cluster.workers())
    cluster.begin_again()
    return list(cluster.workers())


def _why_not(cluster: Any, sent: Any, workers: Sequence[str]) -> list[str | BaseException | None]:
    """Why workers would not do the same as the others."""
    from webarticlecurator.workers.dask_cluster import differences
    from webarticlecurator.workers.dask_worker import found_here

    answers = ask(cluster.client, [(worker, found_here, (sent.job, sent.expected)) for worker in workers])
    return [
        found if isinstance(found, (OSError, TimeoutError)) else "; ".join(differences(sent.expected, found)) or None for found in answers
    ]


@contextmanager
def _files_to_be_seen(folders: set[Path]) -> Iterator[dict[Path, Path]]:
    """A file in each folder that all workers must see while this lasts."""
    token = uuid.uuid4().hex
    files = {folder: folder / f".seen-by-workers-{token}" for folder in sorted(folders)}
    try:
        for folder, file in files.items():
            folder.mkdir(parents=True, exist_ok=True)
            file.write_text(token, "utf-8")
        yield files
    finally:
        for file in files.values():
            file.unlink(missing_ok=True)
