"""Crawl many portals by the workers of a Dask cluster, or in shares: those that ask the same hosts are one
task, an ordinary crawl of them, since one process alone can keep a pace."""

from __future__ import annotations

import pickle
import threading
import time
import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from functools import partial
from itertools import chain
from pathlib import Path
from tempfile import NamedTemporaryFile

from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import corpus_to_fill
from webarticlecurator.crawling.crawl_options import CrawlOptions, CrawlSummary
from webarticlecurator.errors import CorpusError, CuratorError
from webarticlecurator.model.progress import Progress, Snapshot, Work
from webarticlecurator.stages.pipeline import PortalCrawls
from webarticlecurator.workers.dask_cluster import (
    agreed,
    answer,
    connected,
    must_do_the_same,
    reached,
    wait_for_workers,
)
from webarticlecurator.workers.pool import Workers
from webarticlecurator.workers.worker_process import pickled
from webarticlecurator.written_options import share_named


@dataclass(frozen=True, slots=True)
class SharedFolders:
    """The files that all workers must find alike: the command has just written them into the folders that
    corpora lie in."""

    files: Sequence[Path]

    def must_agree(self) -> Mapping[str, str]:
        return {
            f"the folder {file.parent}": "the same" if file.exists() else "not the same folder"
            for file in self.files
        }


@dataclass(slots=True)
class _CrawlsHere:
    """The crawls of one command on this worker: what they tell, and whether they go on."""

    stop: threading.Event = field(default_factory=threading.Event)
    news: list[Snapshot | tuple[str, str]] = field(default_factory=list)

    def show(self, snapshot: Snapshot) -> None:
        self.news.append(snapshot)

    def say(self, portal: str, message: str) -> None:
        self.news.append((portal, message))


_HERE: defaultdict[str, _CrawlsHere] = defaultdict(_CrawlsHere)


def look(command: str, stop: bool) -> list[Snapshot | tuple[str, str]]:
    """Return on a worker what the crawls of a command told since it looked last; `stop`: whether a person
    wants them to stop."""
    here = _HERE[command]
    if stop:
        here.stop.set()
    news, here.news = here.news, []
    return news


def crawl_group(command: str, job: bytes, expected: Mapping[str, str], group: bytes) -> list[CrawlSummary]:
    """Crawl, on a worker, portals that share hosts, at the same time."""
    from distributed import secede

    secede()  # type: ignore[no-untyped-call]  # it mostly waits: others begin beside it
    placed, options, portals = pickle.loads(group)
    try:
        must_do_the_same(job, expected)
    except CorpusError as error:
        return [CrawlSummary(portal=portal.name, impossible=str(error)) for portal, _ in placed]
    here = _HERE[command]
    return PortalCrawls(options=options, progress=here, stop=here.stop, portals=portals).crawl_all(placed)


def crawl_on_cluster(
    portals: Sequence[Portal],
    cluster: str,
    *,
    corpus: Path | str | None,
    options: CrawlOptions,
    progress: Progress,
    stop: threading.Event,
) -> list[CrawlSummary]:
    """Crawl portals on a Dask cluster (`tcp://HOST:8786`); one summary each, in their order.

    Their corpora lie in folders that all workers see. Raises CuratorError where not all workers would do the
    same.
    """
    workers = Workers.asked_for(cluster=cluster).telling(Work("cluster", progress=progress, stop=stop))
    client, command = connected(cluster), uuid.uuid4().hex
    from distributed import KilledWorker  # which was not to be missed before `connected`

    placed, summaries = _placed(portals, corpus)
    asking = partial(client.run, look, command, on_error="ignore")
    with ExitStack() as stack:
        folders = sorted({folder.parent for _, folder in placed.values()})
        job = pickled(SharedFolders([_mark(folder, stack) for folder in folders]))
        expected = agreed(workers, job)
        known = list(placed)
        groups = [
            [known[number] for number in numbers]
            for numbers in _groups_by_host([portal for portal, _ in placed.values()])
        ]
        jobs = [pickled(([placed[place] for place in group], options, len(placed))) for group in groups]
        futures = [client.submit(crawl_group, command, job, expected, group, pure=False) for group in jobs]
        try:
            while not all(future.done() for future in futures):
                wait_for_workers(workers)
                with reached(workers):
                    _tell(progress, asking(stop.is_set()))
                time.sleep(1.0)
            for group, future in zip(groups, futures, strict=True):
                try:
                    summaries |= dict(zip(group, answer(workers, future), strict=True))
                except KilledWorker as death:
                    reason = (
                        f"{death.allowed_failures + 1} workers were lost with it. A crawl of it alone shows "
                        "whether it is to blame."
                    )
                    summaries |= {
                        place: CrawlSummary(portal=portals[place].name, impossible=reason) for place in group
                    }
        finally:
            with suppress(
                Exception
            ):  # whatever ended the work is told, not that nobody could be asked any more
                _tell(progress, asking(True))
    return [summaries[place] for place in range(len(portals))]


def _placed(
    portals: Sequence[Portal], corpus: Path | str | None
) -> tuple[dict[int, tuple[Portal, Path]], dict[int, CrawlSummary]]:
    """Return the portals with their folders, and the summaries of those that can have none.

    Both by the portal's place among all: two may have one name.
    """
    placed: dict[int, tuple[Portal, Path]] = {}
    impossible: dict[int, CrawlSummary] = {}
    for place, portal in enumerate(portals):
        try:
            placed[place] = portal, corpus_to_fill(portal, corpus).folder.resolve()
        except CuratorError as error:
            impossible[place] = CrawlSummary(portal=portal.name, impossible=str(error))
    return placed, impossible


def _mark(folder: Path, stack: ExitStack) -> Path:
    """Make a file in a folder, for as long as the crawl goes on, by which workers show that they see it."""
    folder.mkdir(parents=True, exist_ok=True)
    return Path(stack.enter_context(NamedTemporaryFile(dir=folder, prefix=".seen-by-workers-")).name)


def _tell(progress: Progress, news: Mapping[str, Sequence[Snapshot | tuple[str, str]]]) -> None:
    for message in chain.from_iterable(news.values()):
        if isinstance(message, Snapshot):
            progress.show(message)
        else:
            progress.say(*message)


# --- which portals belong together ---


def _groups_by_host(portals: Sequence[Portal]) -> list[list[int]]:
    """The portals by their places in the list: those that share a host, directly or by way of others, in one
    group; the largest first."""
    groups: list[tuple[set[str], list[int]]] = []
    for place, portal in enumerate(portals):
        meeting = [
            group
            for group in groups
            if any(_meet(host, other) for host in portal.asked_hosts for other in group[0])
        ]
        hosts = set(portal.asked_hosts).union(*(hosts for hosts, _ in meeting))
        places = [place, *(known for _, of_group in meeting for known in of_group)]
        groups = [*(group for group in groups if group not in meeting), (hosts, places)]
    return sorted((sorted(places) for _, places in groups), key=lambda places: (-len(places), places))


def share_of(portals: Sequence[Portal], wanted: str) -> list[int]:
    """The third of ten shares (`3/10`), by places: the same wherever the same portals are named, in whatever
    order. Raises UsageError."""
    number, of = share_named(wanted)
    shares: list[list[int]] = [[] for _ in range(of)]
    for group in sorted(
        _groups_by_host(portals), key=lambda group: (-len(group), min(portals[place].name for place in group))
    ):
        min(shares, key=len).extend(group)
    return sorted(shares[number - 1])


def _meet(host: str, other: str) -> bool:
    """True if both may stand for one host: a pattern stands for what ends like it, be it a name or a pattern,
    not for its own name."""
    return (
        host == other
        or (host[:2] == "*." and other.endswith(host[1:]))
        or (other[:2] == "*." and host.endswith(other[1:]))
    )
