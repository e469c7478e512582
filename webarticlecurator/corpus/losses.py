"""What the ledger knows of and the files of the store hold no more: found by the files' sizes, told, and asked for again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace as with_values

from webarticlecurator.amounts import amount
from webarticlecurator.corpus.events import Event, LostEvent, decode
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.model.status import LostFile
from webarticlecurator.warc.store import OPEN, Series, find_file, series_of, sizes
from webarticlecurator.warc.stored import read_exchanges

_BATCH = 500
"""Articles to an event: a record must not outgrow what is read of one."""


@dataclass(slots=True)
class Numbering:
    """Sees the number of every event on its way into the ledger: those that no file holds are lost."""

    start: int
    """The number of the last event that the ledger knew before."""
    _last: int = field(init=False)
    _file: str = field(init=False, default="")
    _gaps: list[tuple[int, int, bool]] = field(init=False, default_factory=list)
    """First and last missing number, and whether there may have been archive pages among them."""
    _noted: list[tuple[int, int]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self._last = self.start

    def passed(self, event: Event, file: str) -> Event:
        """The event as it is to be applied: a loss that is none any more, since the file is back, changes nothing."""
        if event.seq > self._last + 1:
            # The archive comes first in a run: between two events of one file of articles there was nothing of it.
            archive = file != self._file or series_of(file) != Series.ARTICLES
            self._gaps.append((self._last + 1, event.seq - 1, archive))
        self._last, self._file = max(self._last, event.seq), file
        if not isinstance(event, LostEvent):
            return event
        self._noted.append((event.first, event.last))
        if event.first > self.start and not any(first <= event.last and event.first <= last for first, last, _ in self._gaps):
            return with_values(event, file=None, archive=False, articles=())
        return event

    def unnoted(self, losses: Sequence[LostEvent], run: int, now: datetime) -> Iterator[LostEvent]:
        """Of the numbers that are missing, and that neither an event in the files nor one of these tells of."""
        noted = sorted([*self._noted, *((event.first, event.last) for event in losses)])
        for first, last, archive in self._gaps:
            for begin, end in noted:
                if begin <= first <= end:
                    first = end + 1
            if first <= last:
                yield LostEvent(seq=0, run=run, at=now.isoformat(), file=None, first=first, last=last, archive=archive)


def losses(warc: Path, ledger: Ledger, now: datetime) -> list[LostEvent]:
    """Of the files that are missing, or hold less than the ledger knows; of a file with many articles several."""
    events, there = [], sizes(warc)
    for name, known, first, last in ledger.files():
        size = kept = there.get(name, 0)
        if size >= known:
            continue
        if size:
            path = find_file(warc, name)
            kept = 0
            for stored in read_exchanges(path, on_damage=lambda _: None):  # the end of the file is known to be damaged
                kept, first = stored.location.offset + stored.location.length, decode(stored).seq + 1
            size = kept if path.name.endswith(OPEN) else size  # a file that a crash left open is cut to what is whole
        event = LostEvent(
            seq=0, run=ledger.run, at=now.isoformat(), file=name, first=first, last=last, known=known, size=size, kept=kept,
            archive=series_of(name) == Series.ARCHIVE,
        )  # fmt: skip
        articles = ledger.articles_in(name, kept)
        while len(articles) > _BATCH:
            events.append(with_values(event, articles=tuple(articles[:_BATCH]), archive=False, more=True))
            del articles[:_BATCH]
        events.append(with_values(event, articles=tuple(articles), archive_pages=ledger.archive_pages_in(name, kept)))
    return events


def lost_files(warc: Path, ledger: Ledger) -> list[LostFile]:
    """What is missing since the ledger was written last, and what was lost before and is not stored again."""
    return [*(LostFile(*row) for row in ledger.lost_files()), *_files(losses(warc, ledger, datetime.now(UTC)))]


def in_words(events: Sequence[LostEvent]) -> list[str]:
    """What is lost, a sentence for each file, and one for what nobody knows the file of."""
    sentences = [f"{file}; they are asked for again" for file in _files(events)]
    unknown = [event for event in events if event.file is None]
    if unknown:
        number = sum(event.last + 1 - event.first for event in unknown)
        records = amount(number, "record of the WARC files is", "records of the WARC files are")
        unproved = any(event.archive for event in unknown)
        again = "what they told of the archive is walked again" if unproved else "the articles among them are asked for again"
        sentences.append(f"{records} missing or damaged; {again}")
    return sentences


def _files(events: Iterable[LostEvent]) -> Iterable[LostFile]:
    files: dict[str, LostFile] = {}
    for event in events:
        if event.file is not None:
            articles = len(event.articles) + (files[event.file].articles if event.file in files else 0)
            files[event.file] = LostFile(event.file, event.size, event.known, articles, event.archive_pages, waiting=articles)
    return files.values()
