"""Store and ledger kept together: what happens goes into the store first, and what the ledger misses is taken out of the store."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace as with_values

from webarticlecurator.amounts import amount
from webarticlecurator.corpus.events import Event, HopEvent, LoadedEvent, LostEvent, RightsEvent, Stamp, decode, encode
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.losses import Numbering, in_words, losses
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.capture import Exchange, Fetched
from webarticlecurator.model.rendering import Rendered
from webarticlecurator.warc.records import Damage, digest
from webarticlecurator.warc.store import OPEN, Series, WarcStore, repair, sizes
from webarticlecurator.warc.stored import Stored, StoredResponse, read_exchanges
from webarticlecurator.warc.writer import StoreEntry

BATCH = 500
"""Events to a transaction, when many are taken in at once."""

MOST_GROWING = 1_000
"""Pages that grow in a browser, of which it is known by which record they were shown first."""


class _Line(NamedTuple):
    """One event, with all that is stored beside it."""

    event: Event
    target: str
    """What it is about."""
    exchange: Exchange | None = None
    revisit_of: StoredResponse | None = None
    rendered: Rendered | None = None
    shown_before: str | None = None


_Happened = tuple[Event, Stored]


@dataclass(slots=True)
class Recorder:
    """Numbers the events of a run and keeps store and ledger together."""

    store: WarcStore
    ledger: Ledger
    now: Callable[[], datetime]
    run: int
    _seq: int = field(init=False)
    _shown: dict[str, str] = field(init=False, default_factory=dict)
    """URL of a page that grows -> the record of its response."""

    def __post_init__(self) -> None:
        self._seq = self.ledger.seq

    def stamp(self) -> Stamp:
        """What every event begins with; its number is given when it is written."""
        return {"seq": 0, "run": self.run, "at": self.now().isoformat()}

    def write(self, series: Series, target: str, *events: Event) -> None:
        """Events without an exchange, in one write."""
        self._append(series, [_Line(event, target) for event in events])

    def write_fetched(self, series: Series, fetched: Fetched, event: Event, *, revisit_of: StoredResponse | None = None) -> None:
        """An answer with all that crossed the wire for it: rights files of the host, redirects, failed attempts, and what decided."""
        url, last, shown = fetched.request.url, fetched.exchanges[-1] if fetched.exchanges else None, fetched.rendered
        lines = [_Line(RightsEvent(url=one.request.url, **self.stamp()), one.request.url, one) for one in fetched.rights]
        lines += [
            _Line(HopEvent(of=url, reason=hop.error or f"HTTP {hop.status}", **self.stamp()), hop.request.url, hop)
            for hop in fetched.exchanges[:-1]
        ]
        lines += [self._loaded(url, one) for one in fetched.loaded]
        # that a page was shown as before does not say that it came as before
        older = revisit_of if shown is None else self._unchanged(last)
        main = _Line(event, last.request.url if last else url, last, older, shown, self._shown.get(url))
        self._note_shown(fetched, self._append(series, [*lines, main])[-1].response)

    def _loaded(self, page: str, exchange: Exchange) -> _Line:
        """What a page loaded."""
        reason = exchange.error or f"HTTP {exchange.status}"
        event = LoadedEvent(of=page, request=exchange.request.key, reason=reason, **self.stamp())
        return _Line(event, exchange.request.url, exchange, self._unchanged(exchange))

    def _unchanged(self, exchange: Exchange | None) -> StoredResponse | None:
        """The older answer that this one repeats: scripts, styles and empty frames of pages are the same from day to day."""
        if (
            exchange is None
            or exchange.status != 200
            or not exchange.entity
            or exchange.error is not None
            or exchange.truncated is not None
        ):
            return None
        older = self.ledger.loaded(exchange.request.key)
        return older if older is not None and older.payload_digest == digest(exchange.entity) else None

    def _note_shown(self, fetched: Fetched, stored: StoredResponse | None) -> None:
        """Further steps of a page that grows refer to the response that it began with."""
        rendering = fetched.request.rendering
        if rendering is not None and rendering.steps is not None and stored is not None and stored.made_of is not None:
            if len(self._shown) >= MOST_GROWING:
                del self._shown[next(iter(self._shown))]
            self._shown[fetched.request.url] = stored.made_of.record_id

    def _append(self, series: Series, lines: Sequence[_Line]) -> Sequence[Stored]:
        events = [with_values(line.event, seq=self._seq + number) for number, line in enumerate(lines, start=1)]
        entries = [
            StoreEntry(
                event=encode(event),
                target=line.target,
                exchange=line.exchange,
                revisit_of=line.revisit_of,
                rendered=line.rendered,
                shown_before=line.shown_before,
            )
            for event, line in zip(events, lines, strict=True)
        ]
        stored = self.store.append(series, entries)
        with self.ledger.transaction():
            for event, where in zip(events, stored, strict=True):
                self.ledger.apply(event, where)
        self._seq += len(events)
        return stored


@dataclass(frozen=True, slots=True, kw_only=True)
class Recovered:
    """What was put right when a corpus was opened."""

    events: int
    """Taken in: the ledger had not known them."""
    lost: tuple[str, ...]
    """What is missing since the ledger was written last, in sentences."""


def recover(
    corpus: Corpus,
    ledger: Ledger,
    store: WarcStore,
    now: Callable[[], datetime],
    say: Callable[[str], None],
    known_losses: Sequence[LostEvent] = (),
) -> Recovered:
    """Put right what a crash left, take in what the ledger does not know yet, and write down what is lost."""
    known_losses = [*known_losses, *losses(corpus.warc, ledger, now())]
    _seal_all(corpus, ledger, say)
    numbering = Numbering(ledger.seq)
    events = _take_in(corpus, ledger, numbering, say)
    lost = [*known_losses, *numbering.unnoted(known_losses, ledger.run, now())]
    Recorder(store, ledger, now, ledger.run).write(Series.ARCHIVE, "urn:curator:lost", *lost)
    return Recovered(events=events, lost=tuple(in_words(lost)))


def remake_ledger(corpus: Corpus, store: WarcStore, now: Callable[[], datetime], say: Callable[[str], None]) -> Recovered:
    """The ledger, made of the WARC files alone. The old one is replaced when the new one is complete."""
    draft = corpus.folder / "ledger.new.sqlite"
    for leftover in corpus.folder.glob(draft.name + "*"):
        leftover.unlink()
    with closing(Ledger.open(draft)) as ledger:
        recovered = recover(corpus, ledger, store, now, say, _known_losses(corpus, now()))
    for old in corpus.folder.glob(corpus.ledger.name + "-*"):
        old.unlink()
    draft.replace(corpus.ledger)
    return recovered


def _known_losses(corpus: Corpus, now: datetime) -> list[LostEvent]:
    """What the ledger that is there can still tell of files that are not."""
    try:
        with Ledger.reading(corpus.ledger) as ledger:
            return losses(corpus.warc, ledger, now)
    except CorpusError:
        return []  # without it the gaps in the numbers tell that something is missing, though not what


def _seal_all(corpus: Corpus, ledger: Ledger, say: Callable[[str], None]) -> None:
    committed = ledger.committed()
    for path in corpus.warc_files():
        if path.name.endswith(OPEN):
            name = path.name.removesuffix(OPEN)
            cut = repair(path, committed.get(name, 0))
            if cut:
                say(
                    f"{name}: the crawl before was cut off while writing;"
                    f" {amount(cut, 'byte of an unfinished record was', 'bytes of an unfinished record were')} removed."
                )


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
    committed, lost, there = ledger.committed(), ledger.left_of_lost(), sizes(corpus.warc)
    files = []
    for path in corpus.warc_files():
        size = there[path.name.removesuffix(OPEN)]
        if path.name not in lost:
            start = committed.get(path.name, 0)
            files += [(path, start)] if size > start else []
        elif size > lost[path.name]:
            say(f"{path.name}, which was lost, is there again: `curator warc index` takes in what it holds.")
    return files


def _in_order(files: Sequence[tuple[Path, int]], on_damage: Callable[[Damage], None]) -> Iterator[_Happened]:
    """The events of all files by their number. A file is opened when its first event is due, so that few are open at a time."""
    starts = []
    for path, start in files:
        # the second look at the file tells of its damage
        first = next(read_exchanges(path, start=start, on_damage=lambda _: None), None)
        if first is not None:
            starts.append(_numbered(decode(first).seq, path, start, on_damage))
    for _, happened in heapq.merge(*starts, key=itemgetter(0)):
        if happened is not None:
            yield happened


def _numbered(first: int, path: Path, start: int, on_damage: Callable[[Damage], None]) -> Iterator[tuple[int, _Happened | None]]:
    yield first, None  # so that whoever merges the files need not open this one yet
    for stored in read_exchanges(path, start=start, on_damage=on_damage):
        event = decode(stored)
        yield event.seq, (event, stored)
