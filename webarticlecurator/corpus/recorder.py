"""Writes down what happens: into the store first, then into the ledger, so that the store is never behind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from webarticlecurator.corpus.events import Event, HopEvent, RightsEvent, Stamp, encode
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.model.capture import Exchange, Fetched
from webarticlecurator.warc.store import Series, WarcStore
from webarticlecurator.warc.stored import StoredResponse
from webarticlecurator.warc.writer import Entry


@dataclass(slots=True)
class Recorder:
    """Numbers the events of a run and keeps store and ledger together."""

    store: WarcStore
    ledger: Ledger
    now: Callable[[], datetime]
    run: int
    _seq: int = field(init=False)

    def __post_init__(self) -> None:
        self._seq = self.ledger.seq

    def stamp(self) -> Stamp:
        """What every event begins with; its number is given when it is written."""
        return {"seq": 0, "run": self.run, "at": self.now().isoformat()}

    def write(self, series: Series, event: Event, target: str) -> None:
        """An event without an exchange."""
        self._append(series, [_Line(event, target)])

    def write_all(self, series: Series, events: Sequence[Event], target: str) -> None:
        """Events without an exchange, in one write."""
        self._append(series, [_Line(event, target) for event in events])

    def write_fetched(self, series: Series, fetched: Fetched, event: Event, *, revisit_of: StoredResponse | None = None) -> None:
        """An answer with all that crossed the wire for it: rights files of the host, redirects, failed attempts, and what decided."""
        *hops, last = fetched.exchanges or (None,)
        lines = [_Line(RightsEvent(url=one.request.url, **self.stamp()), one.request.url, one) for one in fetched.rights]
        for hop in hops:
            assert hop is not None
            lines.append(
                _Line(HopEvent(of=fetched.request.url, reason=hop.error or f"HTTP {hop.status}", **self.stamp()), hop.request.url, hop)
            )
        lines.append(_Line(event, last.request.url if last else fetched.request.url, last, revisit_of))
        self._append(series, lines)

    def _append(self, series: Series, lines: Sequence[_Line]) -> None:
        events = [replace(line.event, seq=self._seq + number) for number, line in enumerate(lines, start=1)]
        stored = self.store.append(
            series,
            [
                Entry(event=encode(event), target=line.target, exchange=line.exchange, revisit_of=line.revisit_of)
                for event, line in zip(events, lines, strict=True)
            ],
        )
        with self.ledger.transaction():
            for event, where in zip(events, stored, strict=True):
                self.ledger.apply(event, where)
        self._seq += len(events)


@dataclass(frozen=True, slots=True)
class _Line:
    """One event with what belongs to it."""

    event: Event
    target: str
    exchange: Exchange | None = None
    revisit_of: StoredResponse | None = None
