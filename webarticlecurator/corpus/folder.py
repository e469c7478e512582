"""The corpus folder: where everything lies, and how store and ledger are brought together when it is opened."""

from __future__ import annotations

import heapq
import shlex
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from pathlib import Path

from webarticlecurator import resources, settings
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.event_numbers import Numbering
from webarticlecurator.corpus.events import Event, LostEvent, decode
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.losses import in_words, losses_of_unknown
from webarticlecurator.corpus.recorder import Recorder
from webarticlecurator.corpus.search import belongs_to_another_file, corpora_under, holds_corpus
from webarticlecurator.errors import CorpusError, UsageError
from webarticlecurator.warc.exchanges import read_exchanges, repair
from webarticlecurator.warc.records import Damage
from webarticlecurator.warc.store import OPEN, Series, WarcStore, warc_files
from webarticlecurator.warc.stored import Stored

BATCH = 500
"""Events to a transaction, when many are taken in at once."""
_NAMED = 3
"""Corpora that a message names at most."""


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
    def build_database(self) -> Path:
        return self.folder / "build.sqlite"

    @property
    def crawl_lock(self) -> Path:
        return self.folder / "crawl.lock"

    @property
    def build_lock(self) -> Path:
        return self.folder / "build.lock"

    def warc_files(self) -> tuple[Path, ...]:
        return warc_files(self.warc) if self.warc.is_dir() else ()


def corpus_of(portal: Portal, corpus: Path | str | None) -> Corpus:
    """Where a portal's corpus lies: where it is said, else in the person's folder of corpora, else beside the portal file."""
    if corpus is not None:
        return Corpus(Path(corpus))
    own = settings.corpora_folder()
    return Corpus((own if own is not None else _beside(portal)) / portal.name)


def crawled_corpus(portal: Portal, corpus: Path | str | None) -> Corpus:
    """A portal's corpus, which must have a ledger."""
    folder = corpus_of(portal, corpus)
    if folder.ledger.exists():
        return folder
    if folder.warc_files():
        raise CorpusError(f"{folder.folder.resolve()} has no ledger. `curator warc index` makes it from the WARC files that are there.")
    raise CorpusError(missing(portal, folder))


def corpus_to_fill(portal: Portal, corpus: Path | str | None) -> Corpus:
    """The corpus to go on with, or to begin. Raises UsageError where it would be a second one that nobody asked for."""
    folder = corpus_of(portal, corpus)
    if corpus is not None or holds_corpus(folder.folder):
        return folder
    beside = _beside(portal)
    others = [path for path in _elsewhere(portal, folder) if path.parent == beside or not belongs_to_another_file(path, portal.name)]
    if others:
        raise UsageError(
            f"The corpus of {portal.name} would begin anew at {folder.folder.resolve()}, but there is one already."
            f" To go on with it, move it there, or say {_flags(others)}; to begin a new one all the same, say {_flags([folder.folder])}."
        )
    return folder


def missing(portal: Portal, folder: Corpus) -> str:
    """That there is no corpus where it was looked for, and what may be the one that was meant."""
    found = _elsewhere(portal, folder)
    hint = (
        f"There is one elsewhere: say {_flags(found)}."
        if found
        else "If you have one, name its folder with --corpus; if not, `curator crawl` begins it."
    )
    return f"There is no corpus of {portal.name} at {folder.folder.resolve()}. {hint}"


def _beside(portal: Portal) -> Path:
    """The corpora beside the portal file; a portal that came with curator has no folder of the person's."""
    file = portal.sources[0].path if portal.sources else None
    return (Path() if file is None or resources.is_shipped(file) else file.parent) / "corpora"


def _elsewhere(portal: Portal, folder: Corpus) -> list[Path]:
    """Other corpora of the portal: at its own places, and under the working directory."""
    own = [path for path in (corpus_of(portal, None).folder, _beside(portal) / portal.name) if holds_corpus(path)]
    looked_at = folder.folder.resolve()
    found = {path.resolve(): path for path in (*corpora_under(Path(), portal.name), *own)}
    return [path for place, path in found.items() if place != looked_at]


def _flags(corpora: Sequence[Path]) -> str:
    return " or ".join(f"--corpus {shlex.quote(str(path))}" for path in corpora[:_NAMED])


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovered:
    """What was put right when a corpus was opened."""

    events: int
    """Taken in: the ledger had not known them."""
    lost: tuple[str, ...]
    """What is missing since the ledger was written last, in sentences."""


def recover(
    corpus: Corpus, ledger: Ledger, store: WarcStore, losses: Sequence[LostEvent], now: Callable[[], datetime], say: Callable[[str], None]
) -> Recovered:
    """Put right what a crash left, take in what the ledger does not know yet, and write down what is lost."""
    _seal_all(corpus, ledger, say)
    numbering = Numbering(ledger.seq)
    events = _take_in(corpus, ledger, numbering, say)
    lost = [*losses, *losses_of_unknown(ledger, numbering.unnoted(losses), now())]
    Recorder(store, ledger, now, ledger.run).write_all(Series.ARCHIVE, lost, "urn:curator:lost")
    return Recovered(events=events, lost=tuple(in_words(lost)))


def _seal_all(corpus: Corpus, ledger: Ledger, say: Callable[[str], None]) -> None:
    committed = ledger.committed()
    for path in corpus.warc_files():
        if path.name.endswith(OPEN):
            name = path.name.removesuffix(OPEN)
            report = repair(path, committed.get(name, 0))
            if report.cut:
                say(f"{name}: the crawl before was cut off while writing; {report.cut:,} bytes of an unfinished record were removed.")


def _take_in(corpus: Corpus, ledger: Ledger, numbering: Numbering, say: Callable[[str], None]) -> int:
    """Apply, in their order over all files, the events that the ledger does not know yet; gives their number."""
    events = _in_order(_to_read(corpus, ledger, say), lambda damage: say(str(damage)))
    number = 0
    while batch := list(islice(events, BATCH)):
        with ledger.transaction():
            for event, stored in batch:
                ledger.apply(numbering.passed(event, stored.location.file), stored)
        number += len(batch)
    return number


def _to_read(corpus: Corpus, ledger: Ledger, say: Callable[[str], None]) -> list[tuple[Path, int]]:
    """The files that hold more than the ledger knows, and from where on."""
    committed, lost = ledger.committed(), ledger.left_of_lost()
    files = []
    for path in corpus.warc_files():
        size = path.stat().st_size
        if path.name not in lost:
            start = committed.get(path.name, 0)
            files += [(path, start)] if size > start else []
        elif size > lost[path.name]:
            say(f"{path.name}, which was lost, is there again: `curator warc index` takes in what it holds.")
    return files


Happened = tuple[Event, Stored]


def _in_order(files: Sequence[tuple[Path, int]], on_damage: Callable[[Damage], None]) -> Iterator[Happened]:
    """The events of all files by their number. A file is opened when its first event is due, so that few are open at a time."""
    starts = [(first[0].seq, path, start) for path, start in files if (first := next(_events(path, start, _ignore), None)) is not None]
    due = deque(sorted(starts, key=lambda one: one[0]))
    reading: list[tuple[int, int, Happened, Iterator[Happened]]] = []
    while due or reading:
        while due and (not reading or due[0][0] <= reading[0][0]):
            _, path, start = due.popleft()
            _push(reading, _events(path, start, on_damage))
        _, _, happened, rest = heapq.heappop(reading)
        yield happened
        _push(reading, rest)


def _push(reading: list[tuple[int, int, Happened, Iterator[Happened]]], events: Iterator[Happened]) -> None:
    happened = next(events, None)
    if happened is not None:
        heapq.heappush(reading, (happened[0].seq, id(events), happened, events))


def _events(path: Path, start: int, on_damage: Callable[[Damage], None]) -> Iterator[Happened]:
    for stored in read_exchanges(path, start=start, on_damage=on_damage):
        yield decode(stored), stored


def _ignore(damage: Damage) -> None:
    """The first look at a file; the second one tells."""
