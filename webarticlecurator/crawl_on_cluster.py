"""Many portals crawled by the workers of a Dask cluster: those that share hosts are one task, which is an ordinary crawl of them."""

from __future__ import annotations

import os
import pickle
import socket
import threading
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from webarticlecurator.config.fetch_rules import Secret
from webarticlecurator.config.load import as_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import corpus_to_fill
from webarticlecurator.crawling.open_files import portals_at_a_time
from webarticlecurator.crawling.options import CrawlOptions, CrawlSummary
from webarticlecurator.crawling.shares import groups_by_host
from webarticlecurator.errors import CuratorError
from webarticlecurator.faults import why_not
from webarticlecurator.model.progress import Progress, Silent, Snapshot
from webarticlecurator.pipeline import PortalCrawls
from webarticlecurator.workers.carriers import Workers
from webarticlecurator.workers.dask_cluster import Cluster, connected, found_here
from webarticlecurator.workers.process import pickled

_LOOK_EVERY, _LEASE = 1.0, 60.0
"""Seconds. A worker that nobody looks at for so long asks no host any more: the command has ended, or the network between has."""


@dataclass(frozen=True, slots=True)
class CrawlJob:
    """What all workers must find alike; no secret is told."""

    files: Sequence[Path]
    """In the folders that corpora lie in, which the command has just written."""
    variables: Sequence[str]
    """Of the environment, which portal files name."""
    cookies: Sequence[Path]

    def must_agree(self) -> Mapping[str, str]:
        """Whether the folders are shared, and the environment has what the portal files name."""
        return {
            **{f"the folder {file.parent}": "the same" if file.exists() else "not the same folder" for file in self.files},
            **{f"the environment variable {name}": "set" if os.environ.get(name) else "not set" for name in self.variables},
            **{f"the cookies file {file}": _digest(file) for file in self.cookies},
        }


def _digest(file: Path) -> str:
    try:
        return sha256(file.read_bytes()).hexdigest()[:12]
    except OSError as error:
        return f"not to be seen ({error.strerror})"


# --- what runs on a worker ---


@dataclass(slots=True)
class _CrawlsHere:
    """The crawls of one command on this worker: what they tell, and whether they go on."""

    room: threading.Semaphore
    stop: threading.Event = field(default_factory=threading.Event)
    snapshots: dict[str, Snapshot] = field(default_factory=dict)
    said: list[tuple[str, str]] = field(default_factory=list)
    looked: float = field(default_factory=time.monotonic)

    def show(self, snapshot: Snapshot) -> None:
        self.snapshots[snapshot.portal] = snapshot

    def say(self, portal: str, message: str) -> None:
        self.said.append((portal, message))


_HERE: dict[str, _CrawlsHere] = {}
_BEGINNING = threading.Lock()


def _here(command: str, portals: int) -> _CrawlsHere:
    with _BEGINNING:
        if command not in _HERE:
            _HERE[command] = _CrawlsHere(threading.Semaphore(portals_at_a_time(portals)))
            threading.Thread(target=_end_unseen, args=(command, _HERE[command]), daemon=True).start()
        return _HERE[command]


def _end_unseen(command: str, here: _CrawlsHere) -> None:
    while time.monotonic() - here.looked < _LEASE:
        time.sleep(_LOOK_EVERY)
    here.stop.set()
    _HERE.pop(command, None)


def look(command: str, portals: int, stop: bool) -> tuple[dict[str, Snapshot], list[tuple[str, str]]]:
    """What the crawls of a command told since it looked last; whether a person wants them to stop."""
    here = _here(command, portals)
    here.looked = time.monotonic()
    if stop:
        here.stop.set()
    snapshots, here.snapshots = here.snapshots, {}
    said, here.said = here.said, []
    return snapshots, said


def crawl_group(command: str, portals: int, job: bytes, expected: Mapping[str, str], group: bytes) -> list[CrawlSummary]:
    """Crawl portals that share hosts, at the same time; `portals`: how many all groups of the command have."""
    from distributed import secede

    secede()  # type: ignore[no-untyped-call]  # it mostly waits: others begin beside it
    placed, options = pickle.loads(group)
    here, agrees = _here(command, portals), found_here(job, expected) == expected
    crawls = PortalCrawls(options=options, progress=here, stop=here.stop, portals=portals)

    def crawl(one: tuple[Portal, Path]) -> CrawlSummary:
        if not agrees:
            return CrawlSummary(portal=one[0].name, impossible=f"The worker on {socket.gethostname()} would not do the same as the others.")
        try:
            with here.room:
                return crawls.crawl(*one)
        except Exception as error:
            return CrawlSummary(portal=one[0].name, impossible=why_not(error))

    with ThreadPoolExecutor(len(placed), thread_name_prefix="portal") as pool:
        return list(pool.map(crawl, placed))


# --- what runs in the command ---


def crawl_on_cluster(
    portals: Sequence[Portal | Path | str],
    cluster: str,
    *,
    corpus: Path | str | None = None,
    options: CrawlOptions | None = None,
    progress: Progress | None = None,
    stop: threading.Event | None = None,
) -> list[CrawlSummary]:
    """Crawl portals on a Dask cluster (`tcp://HOST:8786`, `local:4`); one summary each, in their order.

    Their corpora lie in folders that all workers see. Raises CuratorError where not all workers would do the same.
    """
    options, progress, stop = options or CrawlOptions(), progress or Silent(), stop or threading.Event()
    dask = connected(Workers.asked_for(cluster=cluster).telling(partial(progress.say, "cluster"), stop.is_set))
    placed: list[tuple[Portal, Path]] = []
    impossible: dict[str, CrawlSummary] = {}
    loaded = [as_portal(portal) for portal in portals]
    for portal in loaded:
        try:
            placed.append((portal, corpus_to_fill(portal, corpus).folder.resolve()))
        except CuratorError as error:
            impossible[portal.name] = CrawlSummary(portal=portal.name, impossible=str(error))
    with _files_to_be_seen({folder.parent for _, folder in placed}) as files:
        job = pickled(_job([portal for portal, _ in placed], files))
        expected, command = dask.agreed(job), uuid.uuid4().hex
        groups = [[placed[place] for place in places] for places in groups_by_host([portal for portal, _ in placed])]
        futures = [
            dask.client.submit(crawl_group, command, len(placed), job, expected, pickled((group, options)), pure=False) for group in groups
        ]
        asking = partial(dask.client.run, look, command, len(placed), on_error="ignore")
        try:
            while not all(future.done() for future in futures) and not (stop.is_set() and not dask.threads()):
                with dask.asked():
                    _tell(progress, asking(stop.is_set()))
                if not stop.is_set():
                    dask.wait_for_workers()
                time.sleep(_LOOK_EVERY)
            summaries = {summary.portal: summary for pair in zip(groups, futures, strict=True) for summary in _summaries(dask, *pair)}
            _tell(progress, asking(True))
        finally:
            with suppress(Exception):
                asking(True)
    return [(impossible | summaries)[portal.name] for portal in loaded]


def _job(portals: Sequence[Portal], files: Sequence[Path]) -> CrawlJob:
    values = {value for portal in portals for value in (*portal.fetch.headers.values(), portal.fetch.proxy)}
    variables = sorted({value.env for value in values if isinstance(value, Secret)})
    return CrawlJob(files, variables, sorted({portal.fetch.cookies_file for portal in portals if portal.fetch.cookies_file is not None}))


def _tell(progress: Progress, news: Mapping[str, Any]) -> None:
    for snapshots, said in filter(None, news.values()):
        for snapshot in snapshots.values():
            progress.show(snapshot)
        for portal, message in said:
            progress.say(portal, message)


def _summaries(dask: Cluster, group: Sequence[tuple[Portal, Path]], future: Any) -> list[CrawlSummary]:
    from distributed import KilledWorker

    if not future.done():
        return [CrawlSummary(portal=portal.name, incomplete=("interrupted",)) for portal, _ in group]
    try:
        summaries: list[CrawlSummary] = dask.answer(future)
    except KilledWorker as death:
        reason = f"{death.allowed_failures + 1} workers were lost with it. `curator crawl` of it alone shows whether it is to blame."
        summaries = [CrawlSummary(portal=portal.name, impossible=reason) for portal, _ in group]
    return summaries


@contextmanager
def _files_to_be_seen(folders: set[Path]) -> Iterator[list[Path]]:
    """A file in each folder that all workers must see while this lasts."""
    files = [folder / f".seen-by-workers-{uuid.uuid4().hex}" for folder in sorted(folders)]
    try:
        for file in files:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.touch()
        yield files
    finally:
        for file in files:
            file.unlink(missing_ok=True)
