"""A part of many portals, crawled on one worker of a cluster: begun, looked at and stopped by the command that hands out the portals.

Whoever is not looked at for a while stops by itself: then the command has ended, or the network between has, and others may be given
the same portals. So no two workers ever ask the same hosts.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Self

from webarticlecurator.config.fetch_rules import Secret
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.lock import this_machine
from webarticlecurator.crawling.open_files import portals_at_a_time
from webarticlecurator.crawling.options import CrawlOptions, CrawlSummary
from webarticlecurator.errors import CorpusBusy
from webarticlecurator.faults import why_not
from webarticlecurator.fetch.politeness import HostPaces
from webarticlecurator.model.progress import Snapshot
from webarticlecurator.pipeline import PortalCrawls

LEASE = 30.0
"""Seconds after which a worker that nobody looks at asks no host any more."""
_GLANCE = 1.0


@dataclass(frozen=True, slots=True)
class CrawlJob:
    """What all workers must find alike before portals are given to them."""

    folders: Mapping[Path, Path]
    """The folders that corpora lie in -> a file there that the command has just written."""
    portals: Sequence[Portal]

    def must_agree(self) -> Mapping[str, str]:
        """What is the same only where the folders are shared and the environment has what the portal files name; no secret is told."""
        found = {f"the folder {folder}": _content(file) for folder, file in self.folders.items()}
        for portal in self.portals:
            rules = portal.fetch
            for value in (*rules.headers.values(), rules.proxy):
                if isinstance(value, Secret):
                    found[f"the environment variable {value.env}"] = _is_set(value)
            if rules.cookies_file is not None:
                found[f"the cookies file {rules.cookies_file}"] = sha256(_content(rules.cookies_file).encode()).hexdigest()[:12]
        return found


def _content(file: Path) -> str:
    try:
        return file.read_text("utf-8", "replace")
    except OSError as error:
        return f"not to be seen ({error.strerror})"


def _is_set(secret: Secret) -> str:
    return "set" if os.environ.get(secret.env) else "not set"


@dataclass(frozen=True, slots=True, kw_only=True)
class Order:
    """Portals that one worker is to crawl."""

    key: str
    """No two orders have the same."""
    command: str
    """Orders of one command keep one pace for each host."""
    options: CrawlOptions
    portals: tuple[tuple[Portal, Path], ...]
    """With the folders of their corpora."""


@dataclass(frozen=True, slots=True)
class WorkerProcess:
    """Where an order is worked on."""

    number: int
    system: str
    """What knows processes by this number."""

    @classmethod
    def this(cls) -> Self:
        """The one that asks."""
        try:
            names = Path("/proc/self/ns/pid").readlink()  # a container has numbers of its own
        except OSError:
            return cls(os.getpid(), "")
        return cls(os.getpid(), f"{this_machine()} {names}")

    def is_known_to_be_dead(self) -> bool:
        """Whether it has surely ended; of one on another machine nobody knows."""
        if not self.system or self.system != WorkerProcess.this().system:
            return False
        try:
            os.kill(self.number, 0)
        except ProcessLookupError:
            return True
        except OSError:
            pass
        return False


@dataclass(frozen=True, slots=True)
class Said:
    """One line that a person should see now."""

    portal: str
    message: str


@dataclass(frozen=True, slots=True)
class Ended:
    """One portal is done."""

    summary: CrawlSummary
    busy: bool = False
    """Another process holds its corpus."""
    left: bool = False
    """It was stopped because nobody looked; it has to go on somewhere."""


@dataclass(frozen=True, slots=True)
class News:
    """What has happened on a worker since it was looked at."""

    snapshots: tuple[Snapshot, ...]
    events: tuple[Said | Ended, ...]
    """Those that the command has not seen yet."""


@dataclass(slots=True)
class OrderAtWork:
    """One order, on the worker that has it."""

    order: Order
    _stop: threading.Event = field(default_factory=threading.Event)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _snapshots: dict[str, Snapshot] = field(default_factory=dict)
    _events: list[Said | Ended] = field(default_factory=list)
    _forgotten: int = 0
    """Events that the command has seen."""
    _looked: float = 0.0
    """When it was looked at last; an order that never is, is never begun."""
    _is_left: bool = False

    def _begin(self) -> None:
        """Crawl all portals, each in a thread."""
        number = len(self.order.portals)
        paces = _PACES.setdefault(self.order.command, HostPaces())
        crawls = PortalCrawls(options=self.order.options, progress=self, stop=self._stop, portals=number, paces=paces)
        pool = ThreadPoolExecutor(portals_at_a_time(number), thread_name_prefix="portal")
        for portal, corpus in self.order.portals:
            pool.submit(self._crawl, crawls, portal, corpus)
        pool.shutdown(wait=False)
        threading.Thread(target=self._wait_for_looks, name="lease", daemon=True).start()

    def look(self, seen: int, *, stop: bool) -> News:
        """What is new, when the command has seen so many events."""
        if stop:
            self._stop.set()
        with self._lock:
            is_first, self._looked = not self._looked, time.monotonic()
        if is_first:
            self._begin()
        with self._lock:
            self._events = self._events[seen - self._forgotten :]
            self._forgotten = seen
            snapshots, self._snapshots = tuple(self._snapshots.values()), {}
            return News(snapshots, tuple(self._events))

    def show(self, snapshot: Snapshot) -> None:
        with self._lock:
            self._snapshots[snapshot.portal] = snapshot

    def say(self, portal: str, message: str) -> None:
        self._tell(Said(portal, message))

    def _tell(self, event: Said | Ended) -> None:
        with self._lock:
            self._events.append(event)

    def _crawl(self, crawls: PortalCrawls, portal: Portal, corpus: Path) -> None:
        try:
            summary, busy = crawls.crawl(portal, corpus), False
        except Exception as error:
            busy = isinstance(error, CorpusBusy)
            summary = CrawlSummary(portal=portal.name, impossible=why_not(error))
        # What did not end of itself goes on elsewhere.
        left = self._is_left and (busy or bool(summary.incomplete))
        self._tell(Ended(summary, busy, left))

    def _wait_for_looks(self) -> None:
        while not self._stop.wait(_GLANCE):
            if time.monotonic() - self._looked > LEASE:
                self._is_left = True
                self._stop.set()


_AT_WORK: dict[str, OrderAtWork] = {}
"""Of this process: a function is all that a cluster calls."""
_PACES: dict[str, HostPaces] = {}
"""Of each command."""


def take(order: Order) -> WorkerProcess:
    """Take an order, to be begun when it is first looked at; a second time it is known."""
    _AT_WORK.setdefault(order.key, OrderAtWork(order))
    return WorkerProcess.this()


def look(key: str, seen: int, stop: bool) -> News | None:
    """What is new of an order; None where there is no such order: the worker has begun anew."""
    at_work = _AT_WORK.get(key)
    return at_work.look(seen, stop=stop) if at_work is not None else None


def forget(key: str) -> None:
    """Nobody will look again."""
    _AT_WORK.pop(key, None)
