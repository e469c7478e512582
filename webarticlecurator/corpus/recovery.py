"""Repair after a crash or the loss of a file: the store's tail is cut, and the ledger takes in what the store
has, and has no more."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from itertools import islice
from operator import itemgetter
from pathlib import Path

from msgspec.structs import replace as with_values

from webarticlecurator.amounts import amount
from webarticlecurator.corpus.events import Event, LostEvent, decode
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.recorder import Recorder
from webarticlecurator.databases import seal
from webarticlecurator.errors import CorpusError
from webarticlecurator.model.corpus_status import LostFile
from webarticlecurator.storage.places import OPEN, find_file
from webarticlecurator.warc.store import Series, WarcStore, repair, series_of, sizes
from webarticlecurator.warc.stored import StoredExchange, read_exchanges

_AFTER_THE_ARCHIVE = (Series.ARTICLES, Series.REQUISITES)
"""Series that a run writes when it has walked the archive."""
_Numbered = tuple[int, tuple[Event, StoredExchange] | None]
"""An event by its number; the first number of a file comes alone."""


def recover(
    corpus: Corpus,
    ledger: Ledger,
    store: WarcStore,
    now: Callable[[], datetime],
    say: Callable[[str], None],
    known_losses: Sequence[LostEvent] = (),
) -> tuple[int, list[str]]:
    """Put right what a crash left, take in what the ledger does not know yet, and write down what is lost.

    Gives how many events were taken in, and in sentences what is missing since the ledger was written last.
    """
    lost = [*known_losses, *_losses(corpus.warc, ledger, now())]
    committed = {name: size for name, size, *_ in ledger.files()}
    _cut_tails(corpus, committed, say)
    numbers = _Numbers(ledger.seq)
    unread = [
        _numbered(path, start, say) for path, start in _unread(corpus, committed, ledger.left_of_lost(), say)
    ]
    taken_in = _take_in(ledger, unread, numbers)
    lost = [*lost, *numbers.unnoted(lost, ledger.run, now())]
    Recorder(store, ledger, now, ledger.run).write(Series.ARCHIVE, "urn:curator:lost", *lost)
    sentences = [f"{file}; they are asked for again" for file in _files(lost)]
    unknown = [loss.last + 1 - loss.first for loss in lost if loss.file is None]
    if unknown:
        records = amount(sum(unknown), "record of the WARC files is", "records of the WARC files are")
        sentences.append(f"{records} missing or damaged; what they told is asked for again")
    return taken_in, sentences


def _cut_tails(corpus: Corpus, committed: Mapping[str, int], say: Callable[[str], None]) -> None:
    """Cut unfinished records from files that a crash left open."""
    for path in corpus.warc_files():
        if path.name.endswith(OPEN):
            name = path.name.removesuffix(OPEN)
            cut = repair(path, committed.get(name, 0))
            if cut:
                bytes_cut = amount(
                    cut, "byte of an unfinished record was", "bytes of an unfinished record were"
                )
                say(f"{name}: the crawl before was cut off while writing; {bytes_cut} removed.")


def _unread(
    corpus: Corpus, committed: Mapping[str, int], left: Mapping[str, int], say: Callable[[str], None]
) -> Iterator[tuple[Path, int]]:
    """Give the files that hold more than the ledger has read, each with where that begins."""
    there = sizes(corpus.warc)
    for path in corpus.warc_files():
        size, start = there[path.name], committed.get(path.name, 0)
        if path.name not in left:
            if size > start:
                yield path, start
        elif size > left[path.name]:
            say(
                f"{path.name}, which was lost, is there again: what it holds is taken in when the ledger is "
                "made again."
            )


def _take_in(ledger: Ledger, unread: Sequence[Iterator[_Numbered]], numbers: _Numbers) -> int:
    """Apply the events of files in the order of their numbers; return how many there were."""
    events = (event for _, event in heapq.merge(*unread, key=itemgetter(0)) if event is not None)
    taken_in = 0
    while batch := list(islice(events, 500)):  # to a transaction
        with ledger.transaction():
            for event, stored in batch:
                ledger.apply(numbers.passed(event, stored.location.file), stored)
        taken_in += len(batch)
    return taken_in


def remake_ledger(
    corpus: Corpus, store: WarcStore, now: Callable[[], datetime], say: Callable[[str], None]
) -> tuple[int, list[str]]:
    """The ledger, made of the WARC files alone. The old one is replaced when the new one is complete."""
    known_losses: list[LostEvent] = []
    with suppress(CorpusError), Ledger.reading(corpus.ledger) as old:
        # without it the gaps in the numbers tell that something is missing, though not what
        known_losses = list(_losses(corpus.warc, old, now()))
    draft = corpus.folder / "ledger.new.sqlite"
    for leftover in corpus.folder.glob(draft.name + "*"):
        leftover.unlink()
    with closing(Ledger.open(draft)) as ledger:
        recovered = recover(corpus, ledger, store, now, say, known_losses)
    for beside in corpus.folder.glob(corpus.ledger.name + "-*"):
        beside.unlink()
    draft.replace(corpus.ledger)
    seal(corpus.ledger)
    return recovered


def lost_files(warc: Path, ledger: Ledger) -> list[LostFile]:
    """Return what is missing since the ledger was written last, and what was lost before and is not stored
    again."""
    return [
        *(LostFile(*row) for row in ledger.lost_files()),
        *_files(_losses(warc, ledger, datetime.now(UTC))),
    ]


def _numbered(path: Path, start: int, say: Callable[[str], None]) -> Iterator[_Numbered]:
    """Events by their numbers. The first number comes alone, so that whoever merges files keeps none open
    before it is due."""
    # the second look at the file tells of its damage
    first = next(read_exchanges(path, start=start, on_damage=lambda _: None), None)
    if first is not None:
        yield decode(first).seq, None
    for stored in read_exchanges(path, start=start, on_damage=lambda damage: say(str(damage))):
        event = decode(stored)
        yield event.seq, (event, stored)


class _Numbers:
    """Sees the number of every event on its way into the ledger: those that no file holds are lost."""

    def __init__(self, known: int) -> None:
        """`known`: of the last event that the ledger knew before."""
        self._known = self._last = known
        self._file = ""
        self._gaps: list[tuple[int, int, bool]] = []
        """First and last missing number, and whether there may have been archive pages among them."""
        self._noted: list[tuple[int, int]] = []

    def passed(self, event: Event, file: str) -> Event:
        """The event as it is to be applied: a loss that is none any more, since the file is back, changes
        nothing."""
        if event.seq > self._last + 1:
            # The archive comes first in a run: between two events of one file of these there was nothing
            # of it.
            self._gaps.append(
                (
                    self._last + 1,
                    event.seq - 1,
                    file != self._file or series_of(file) not in _AFTER_THE_ARCHIVE,
                )
            )
        self._last, self._file = max(self._last, event.seq), file
        if not isinstance(event, LostEvent):
            return event
        self._noted.append((event.first, event.last))
        if event.first > self._known and not any(
            first <= event.last and event.first <= last for first, last, _ in self._gaps
        ):
            return with_values(event, file=None, archive=False, articles=())
        return event

    def unnoted(self, losses: Sequence[LostEvent], run: int, now: datetime) -> Iterator[LostEvent]:
        """Give events of missing numbers that neither an event in the files nor one of the losses names."""
        noted = sorted([*self._noted, *((event.first, event.last) for event in losses)])
        for first, last, archive in self._gaps:
            for begin, end in noted:
                if begin <= first <= end:
                    first = end + 1
            if first <= last:
                yield LostEvent(
                    seq=0, run=run, at=now.isoformat(), file=None, first=first, last=last, archive=archive
                )


def _losses(warc: Path, ledger: Ledger, now: datetime) -> Iterator[LostEvent]:
    """Give an event for each file that is missing, or holds less than the ledger knows."""
    there = sizes(warc)
    for name, known, first, last in ledger.files():
        size = kept = there.get(name, 0)
        if size >= known:
            continue
        if size:
            path = find_file(warc, name)
            kept = 0
            for stored in read_exchanges(
                path, on_damage=lambda _: None
            ):  # the end of the file is known to be damaged
                kept, first = stored.location.offset + stored.location.length, decode(stored).seq + 1
            size = (
                kept if path.name.endswith(OPEN) else size
            )  # a file that a crash left open is cut to what is whole
        articles, archive_pages = ledger.lost_in(name, kept)
        yield LostEvent(
            seq=0, run=ledger.run, at=now.isoformat(), file=name, first=first, last=last, known=known, size=size, kept=kept,
            articles=tuple(articles), archive_pages=archive_pages, archive=series_of(name) == Series.ARCHIVE,
        )  # fmt: skip


def _files(losses: Iterable[LostEvent]) -> list[LostFile]:
    return [
        LostFile(
            loss.file,
            loss.size,
            loss.known,
            len(loss.articles),
            loss.archive_pages,
            waiting=len(loss.articles),
        )
        for loss in losses
        if loss.file is not None
    ]
