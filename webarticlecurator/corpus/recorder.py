"""Numbers what happens in a run, and writes it into the store first and the ledger second.

Answers that wait together may be stored together: their bytes are synced once, and only then one transaction
of the ledger tells of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from http import HTTPStatus
from typing import Any

from msgspec import to_builtins
from msgspec.structs import replace as with_values

from webarticlecurator.corpus.events import Event, HopEvent, LoadedEvent, RightsEvent
from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.extraction.checks import Check, first_reason
from webarticlecurator.model.capture import Exchange, Fetched
from webarticlecurator.warc.records import digest
from webarticlecurator.warc.store import Series, WarcStore
from webarticlecurator.warc.stored import StoredExchange, StoredResponse
from webarticlecurator.warc.writer import StoreEntry

_MOST_TOGETHER = 16
"""Answers, and events without one, that are stored together."""


@dataclass(slots=True)
class Recorder:
    """Numbers the events of a run and keeps store and ledger together."""

    store: WarcStore
    ledger: Ledger
    now: Callable[[], datetime]
    run: int
    _seq: int = field(init=False)
    _shown: dict[str, str] = field(init=False, default_factory=dict)
    """URL of a page that grows in a browser -> the record of the response that it began with: further steps
    refer to it."""
    _held: Series | None = field(init=False, default=None)
    """The series of which answers wait to be stored together; None while each is stored at once."""
    _last: Series = field(init=False, default=Series.ARCHIVE)
    """The series that was written into last."""
    _waiting: int = field(init=False, default=0)
    """The number of writes into it that wait."""

    def __post_init__(self) -> None:
        self._seq = self.ledger.seq

    def stamp(self) -> dict[str, Any]:
        """Return what every event begins with; its number is given when it is written."""
        return {"seq": 0, "run": self.run, "at": self.now().isoformat()}

    @contextmanager
    def together(self, series: Series) -> Iterator[None]:
        """Store what is written into a series meanwhile whenever `settle` is called, and at the end."""
        self._held = series
        try:
            yield
        finally:
            self._held = None
            self.settle()

    @property
    def is_settled(self) -> bool:
        """Say whether all that was written is stored, so that somebody may be told."""
        return self._waiting == 0

    def settle(self) -> None:
        """Bring to the disk what was written into the store, then into the ledger what that tells."""
        if self._waiting:
            self.store.sync(self._last)
            self.ledger.commit()
            self._waiting = 0

    def write(self, series: Series, target: str, *events: Event) -> None:
        """Events without an exchange, in one write."""
        self._append(series, [(event, StoreEntry(target=target)) for event in events])

    def write_fetched(
        self, series: Series, fetched: Fetched, event: Event, *, revisit_of: StoredResponse | None = None
    ) -> None:
        """An answer with all that crossed the wire for it: rights files of the host, redirects, failed
        attempts, and what decided."""
        url, last, shown = fetched.request.url, fetched.last, fetched.rendered
        lines: list[tuple[Event, StoreEntry]]
        lines = [
            (RightsEvent(url=rights.request.url, **self.stamp()), _entry(rights)) for rights in fetched.rights
        ]
        lines += [
            (HopEvent(of=url, reason=hop.error or f"HTTP {hop.status}", **self.stamp()), _entry(hop))
            for hop in fetched.exchanges[:-1]
        ]
        for loaded in fetched.loaded:
            reason = loaded.error or f"HTTP {loaded.status}"
            loaded_event = LoadedEvent(of=url, request=loaded.request.key, reason=reason, **self.stamp())
            lines.append((loaded_event, _entry(loaded, self._unchanged(loaded))))
        # that a page was shown as before does not say that it came as before
        older = revisit_of if shown is None else self._unchanged(last)
        target = last.request.url if last else url
        main = StoreEntry(
            target=target, exchange=last, revisit_of=older, rendered=shown, shown_before=self._shown.get(url)
        )
        response = self._append(series, [*lines, (event, main)])[-1].response
        rendering = fetched.request.rendering
        if (
            rendering is not None
            and rendering.steps is not None
            and response is not None
            and response.made_of is not None
        ):
            self._shown[url] = response.made_of.record

    def _unchanged(self, exchange: Exchange | None) -> StoredResponse | None:
        """The older answer that this one repeats: scripts, styles and empty frames of pages are the same from
        day to day."""
        if exchange is None or first_reason(NOT_TO_REPEAT, exchange):
            return None
        older = self.ledger.loaded(exchange.request.key)
        return older if older is not None and older.digest == digest(exchange.entity) else None

    def _append(self, series: Series, lines: Sequence[tuple[Event, StoreEntry]]) -> Sequence[StoredExchange]:
        """Events, which are given their numbers now, and what is stored with each."""
        if series is not self._held:  # else what was written later might be on the disk, and this not
            self.settle()
        numbered = [
            (with_values(event, seq=self._seq + number), entry)
            for number, (event, entry) in enumerate(lines, start=1)
        ]
        stored = self.store.append(
            series, [replace(entry, event=to_builtins(event)) for event, entry in numbered]
        )
        self._last, self._waiting = series, self._waiting + 1
        with self.ledger.step():
            for (event, _), where in zip(numbered, stored, strict=True):
                self.ledger.apply(event, where)
        self._seq += len(numbered)
        if series is not self._held or self._waiting >= _MOST_TOGETHER:
            self.settle()
        return stored


NOT_TO_REPEAT: tuple[Check[Exchange], ...] = (
    Check("it is no page", lambda exchange: exchange.status != HTTPStatus.OK),
    Check("it is empty", lambda exchange: not exchange.entity),
    Check("it went wrong", lambda exchange: bool(exchange.error)),
    Check("it was cut off", lambda exchange: bool(exchange.truncated)),
)
"""Why an answer is stored as it is, whatever is stored of the same address."""


def _entry(exchange: Exchange, revisit_of: StoredResponse | None = None) -> StoreEntry:
    return StoreEntry(target=exchange.request.url, exchange=exchange, revisit_of=revisit_of)
