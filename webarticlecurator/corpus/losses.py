"""What the ledger knows of and the files of the store hold no more: found by the files' sizes, told, and asked for again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path

from msgspec.structs import replace as with_values

from webarticlecurator.amounts import amount
from webarticlecurator.corpus.events import Event, LostEvent, Stamp, decode
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.model.capture import url_of_key
from webarticlecurator.model.status import LostFile
from webarticlecurator.warc.store import OPEN, Series, find_file, series_of, sizes
from webarticlecurator.warc.stored import read_exchanges


@dataclass(frozen=True, slots=True)
class MissingNumbers:
    """Numbers that no file holds."""

    first: int
    last: int
    archive: bool
    """There may have been archive pages among them."""


@dataclass(slots=True)
class Numbering:
    """Sees every event on its way into the ledger."""

    start: int
    """The number of the last event that the ledger knew before."""
    _last: int = field(init=False)
    _file: str = field(init=False, default="")
    _gaps: list[MissingNumbers] = field(init=False, default_factory=list)
    _noted: list[tuple[int, int]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self._last = self.start

    def passed(self, event: Event, file: str) -> Event:
        """The event as it is to be applied: a loss that is none any more, since the file is back, changes nothing."""
        if event.seq > self._last + 1:
            # The archive comes first in a run: between two events of one file of articles there was nothing of it.
            archive = file != self._file or series_of(file) != Series.ARTICLES
            self._gaps.append(MissingNumbers(self._last + 1, event.seq - 1, archive))
        self._last, self._file = max(self._last, event.seq), file
        if not isinstance(event, LostEvent):
            return event
        self._noted.append((event.first, event.last))
        if event.first > self.start and not any(gap.first <= event.last and event.first <= gap.last for gap in self._gaps):
            return with_values(event, file=None, articles=(), stretches=())
        return event

    def unnoted(self, losses: Sequence[LostEvent]) -> list[MissingNumbers]:
        """The gaps that neither an event in the files nor one of these tells of."""
        noted = sorted([*self._noted, *((one.first, one.last) for one in losses)])
        return [rest for gap in self._gaps if (rest := _without(gap, noted)) is not None]


def _without(gap: MissingNumbers, noted: Sequence[tuple[int, int]]) -> MissingNumbers | None:
    for first, last in noted:
        if first <= gap.first <= last:
            gap = replace(gap, first=last + 1)
    return gap if gap.first <= gap.last else None


_BATCH = 500
"""Articles to an event: a record must not outgrow what is read of one."""
_BEYOND = "r.file = ? AND r.offset + r.length > ?"
_ARTICLES = f"""
    SELECT DISTINCT u.id, u.url, u.identity, u.via, u.parts FROM responses r JOIN urls u ON u.id = r.url_id
    WHERE {_BEYOND} AND u.parts > 0 ORDER BY u.id
"""
_PAGES_OF = """
    SELECT part, request, file, offset + length FROM responses
    WHERE url_id = ? AND part > 0 AND kind != 'revisit' AND status BETWEEN 200 AND 299 ORDER BY id
"""
_ARCHIVE_PAGES = f"SELECT count(*) FROM responses r WHERE {_BEYOND} AND r.url_id IS NULL"
_STRETCHES = f"""
    WITH gone AS (SELECT key, digest, walk FROM responses r WHERE {_BEYOND})
    SELECT DISTINCT column, interval FROM walks WHERE id IN (
        SELECT walk FROM gone UNION
        SELECT r.walk FROM responses r JOIN gone g ON g.key = r.key AND g.digest = r.digest WHERE r.kind = 'revisit'
    )
"""
_ALL_STRETCHES = "SELECT DISTINCT column, interval FROM walks"

_NOT_STORED_AGAIN = """
    SELECT l.name, l.size, l.known, l.articles, l.archive_pages, count(*) FROM lost l JOIN urls u ON u.lost = l.name GROUP BY l.name
"""

_Article = tuple[str, str | None, str | None, int, str | None]
"""As `LostEvent.articles`."""


def lost_files(warc: Path, ledger: Ledger) -> list[LostFile]:
    """What is missing since the ledger was written last, and what was lost before and is not stored again. One look at each file's size."""
    before = [LostFile(*row) for row in ledger.rows(_NOT_STORED_AGAIN)]
    return [*before, *_files(_with_contents(ledger, _short_files(warc, ledger, datetime.now(UTC))))]


def losses(warc: Path, ledger: Ledger, now: datetime) -> list[LostEvent]:
    """The same as events, with all that has to be asked for again."""
    short = [_looked_into(warc, one) for one in _short_files(warc, ledger, now)]
    return list(_with_contents(ledger, short))


def losses_of_unknown(ledger: Ledger, gaps: Sequence[MissingNumbers], now: datetime) -> list[LostEvent]:
    """Events for numbers that no file holds. Where archive pages may have been among them, nothing is proved any more."""
    events = [LostEvent(seq=0, run=ledger.run, at=now.isoformat(), file=None, first=gap.first, last=gap.last) for gap in gaps]
    if any(gap.archive for gap in gaps):
        events[0] = with_values(events[0], stretches=tuple(ledger.rows(_ALL_STRETCHES)))
    return events


def in_words(events: Sequence[LostEvent]) -> list[str]:
    """What is lost, a sentence for each file, and one for what nobody knows the file of."""
    sentences = [f"{file}; they are asked for again" for file in _files(events)]
    unknown = [event for event in events if event.file is None]
    if unknown:
        number, unproved = sum(event.last + 1 - event.first for event in unknown), any(event.stretches for event in unknown)
        again = "what they told of the archive is walked again" if unproved else "the articles among them are asked for again"
        sentences.append(f"{amount(number, 'record of the WARC files is', 'records of the WARC files are')} missing or damaged; {again}")
    return sentences


def _files(events: Iterable[LostEvent]) -> Iterable[LostFile]:
    files: dict[str, LostFile] = {}
    for event in events:
        if event.file is not None:
            articles = len(event.articles) + (files[event.file].articles if event.file in files else 0)
            files[event.file] = LostFile(event.file, event.size, event.known, articles, event.archive_pages, waiting=articles)
    return files.values()


def _short_files(warc: Path, ledger: Ledger, now: datetime) -> list[LostEvent]:
    """Files that are missing, or shorter than the ledger knows them, without what they held."""
    short, there = [], sizes(warc)
    stamp: Stamp = {"seq": 0, "run": ledger.run, "at": now.isoformat()}
    for name, known, first, last in ledger.rows("SELECT name, committed, first, last FROM files ORDER BY first"):
        size = there.get(name, 0)
        if size < known:
            short.append(LostEvent(**stamp, file=name, known=known, size=size, kept=size, first=first, last=last))
    return short


def _looked_into(warc: Path, short: LostEvent) -> LostEvent:
    """The same with what is whole of it."""
    if not short.size:
        return short
    path = find_file(warc, str(short.file))
    kept, first = 0, short.first
    for stored in read_exchanges(path, on_damage=lambda _: None):  # the end of the file is known to be damaged
        kept, first = stored.location.offset + stored.location.length, decode(stored).seq + 1
    left = kept if path.name.endswith(OPEN) else short.size  # a file that a crash left open is cut to what is whole
    return with_values(short, size=left, kept=kept, first=first)


def _with_contents(ledger: Ledger, files: Sequence[LostEvent]) -> Iterator[LostEvent]:
    """The same with all that they held beyond what is left; of a file with many articles several events."""
    kept = {one.file: one.kept for one in files}
    for one in files:
        articles = list(_articles(ledger, one, kept))
        while len(articles) > _BATCH:
            yield with_values(one, articles=tuple(articles[:_BATCH]), more=True)
            del articles[:_BATCH]
        (pages,) = next(ledger.rows(_ARCHIVE_PAGES, (one.file, one.kept)))
        stretches = tuple(ledger.rows(_STRETCHES, (one.file, one.kept)))
        yield with_values(one, articles=tuple(articles), archive_pages=pages, stretches=stretches)


def _articles(ledger: Ledger, short: LostEvent, kept: Mapping[str | None, int]) -> Iterator[_Article]:
    """Those of which a page lay there and lies nowhere else; `kept`: of every such file, how much is left."""
    for url_id, url, identity, via, parts in ledger.rows(_ARTICLES, (short.file, short.kept)):
        there, lost = set(), {}
        for part, request, file, end in ledger.rows(_PAGES_OF, (url_id,)):
            if end > kept.get(file, end):
                lost[part] = (file, request)
            else:
                there.add(part)
        part = min((part for part in lost if part <= parts and part not in there), default=None)
        if part is not None and lost[part][0] == short.file:
            yield url, identity, via, part - 1, url_of_key(lost[part][1]) if part > 1 else None
