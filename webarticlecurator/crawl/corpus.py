"""The corpus folder: where everything lies, and how store and ledger are brought together when it is opened."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from webarticlecurator.crawl.events import Event, decode
from webarticlecurator.crawl.ledger import Ledger
from webarticlecurator.warc.exchanges import read_exchanges, repair
from webarticlecurator.warc.store import OPEN, warc_files
from webarticlecurator.warc.stored import Stored

BATCH = 500
"""Events to a transaction, when many are taken in at once."""


@dataclass(frozen=True, slots=True)
class Corpus:
    """The files of one portal's corpus."""

    folder: Path

    @property
    def warc(self) -> Path:
        return self.folder / "warc"

    @property
    def ledger(self) -> Path:
        return self.folder / "ledger.sqlite"

    @property
    def problems(self) -> Path:
        return self.folder / "problems.jsonl"

    @property
    def crawl_lock(self) -> Path:
        return self.folder / "crawl.lock"

    def warc_files(self) -> tuple[Path, ...]:
        return warc_files(self.warc) if self.warc.is_dir() else ()


def recover(corpus: Corpus, ledger: Ledger, say: Callable[[str], None]) -> int:
    """Put right what a crash left and take in what the ledger does not know yet; gives the number of events taken in."""
    committed = ledger.committed()
    for path in corpus.warc_files():
        if path.name.endswith(OPEN):
            name = path.name.removesuffix(OPEN)
            report = repair(path, committed.get(name, 0))
            if report.cut:
                say(
                    f"{name}: the crawl before was cut off in the middle of a record; {report.cut:,} bytes of that unfinished record were removed."
                )
            if report.path is None:
                with ledger.transaction():
                    ledger.forget_file(name)
    return take_in(corpus, ledger)


def take_in(corpus: Corpus, ledger: Ledger) -> int:
    """Apply, in their order over all files, the events that the ledger does not know yet."""
    committed = ledger.committed()
    files = [path for path in corpus.warc_files() if path.stat().st_size > committed.get(path.name, 0)]
    events = heapq.merge(*(_events(path, committed.get(path.name, 0)) for path in files), key=lambda pair: pair[0].seq)
    number = 0
    while batch := [pair for _, pair in zip(range(BATCH), events, strict=False)]:
        with ledger.transaction():
            for event, stored in batch:
                ledger.apply(event, stored)
        number += len(batch)
    return number


def make_ledger(corpus: Corpus, path: Path) -> int:
    """A new ledger from the WARC files alone; gives the number of events. The portal's rules are not asked."""
    ledger = Ledger.open(path)
    try:
        return take_in(corpus, ledger)
    finally:
        ledger.close()


def _events(path: Path, start: int) -> Iterator[tuple[Event, Stored]]:
    for stored in read_exchanges(path, start=start):
        yield decode(stored.event), stored
