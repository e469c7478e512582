"""The numbers of events, watched as the events are read in their order: which of them no file holds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from webarticlecurator.corpus.events import Event, LostEvent
from webarticlecurator.warc.store import Series, series_of


@dataclass(frozen=True, slots=True)
class Gap:
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
    _gaps: list[Gap] = field(init=False, default_factory=list)
    _noted: list[tuple[int, int]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self._last = self.start

    def passed(self, event: Event, file: str) -> Event:
        """The event as it is to be applied: a loss that is none any more, since the file is back, changes nothing."""
        if event.seq > self._last + 1:
            # The archive comes first in a run: between two events of one file of articles there was nothing of it.
            archive = file != self._file or series_of(file) != Series.ARTICLES
            self._gaps.append(Gap(self._last + 1, event.seq - 1, archive))
        self._last, self._file = max(self._last, event.seq), file
        if not isinstance(event, LostEvent):
            return event
        self._noted.append((event.first, event.last))
        if event.first > self.start and not any(gap.first <= event.last and event.first <= gap.last for gap in self._gaps):
            return replace(event, file=None, articles=(), stretches=())
        return event

    def unnoted(self, losses: Sequence[LostEvent]) -> list[Gap]:
        """The gaps that neither an event in the files nor one of these tells of."""
        noted = sorted([*self._noted, *((one.first, one.last) for one in losses)])
        return [rest for gap in self._gaps if (rest := _without(gap, noted)) is not None]


def _without(gap: Gap, noted: Sequence[tuple[int, int]]) -> Gap | None:
    for first, last in noted:
        if first <= gap.first <= last:
            gap = replace(gap, first=last + 1)
    return gap if gap.first <= gap.last else None
