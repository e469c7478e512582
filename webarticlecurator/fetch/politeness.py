"""The pace of one host: when it may be asked next, and how it slows down."""

from __future__ import annotations

import math
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from webarticlecurator.fetch.response import ExchangeError

_LONGEST_WAIT = 600.0
"""Seconds that we sit out when a host asks for it; when it asks for more, its URLs wait for the next run."""
_LONGEST_WISH = 366 * 86_400.0
"""Seconds; whoever asks for more is understood as asking for this much."""
_CATCH_UP = 0.05
"""Share of the pace by which a late start may be made good, so that timer drift does not lower the rate."""


@dataclass(slots=True, eq=False)
class PoliteHost:
    """A host, shared by all threads and portals that ask it."""

    name: str
    _delay: float
    _in_flight: int
    refusals: int = 0
    """Answers in a row that told us to slow down."""
    _share: float = 1.0
    """The share of the usual rate that is kept, less than 1 while backed off."""
    _next_slot: float = -math.inf
    _held_until: float = -math.inf
    """The moment before which the host does not want to be asked."""
    _busy: int = 0
    _freed: threading.Condition = field(default_factory=threading.Condition)

    @property
    def pace(self) -> float:
        """Return the seconds from start to start, now."""
        # where the portal file sets no delay, back-off doubles a fiftieth of a second
        return self._delay if self._share == 1 else max(self._delay, 0.02) / self._share

    def tighten(self, *, delay: float, in_flight: int | None = None) -> float:
        """Take over a wish of another portal, or of the host's robots.txt: the politer one holds. Gives the
        delay that was kept before."""
        with self._freed:
            before, self._delay = self._delay, max(self._delay, delay)
            self._in_flight = max(1, min(self._in_flight, in_flight or self._in_flight))
            return before

    @contextmanager
    def turn(self, stop: threading.Event) -> Iterator[None]:
        """Wait for a turn, and have it. Raises ExchangeError where a person, or the host, does not want it to
        be waited for."""
        with self._freed:
            while self._busy >= self._in_flight and not stop.is_set():
                # Who holds the host sees an interruption at once and lets go; with hundreds of hosts, looking
                # often costs most.
                self._freed.wait(5.0)
            self._busy += 1
        try:
            while True:
                with self._freed:
                    now = time.monotonic()
                    self._check_wish(now)
                    slot = max(self._next_slot, self._held_until, now - _CATCH_UP * self.pace)
                    self._next_slot = slot + self.pace
                if stop.wait(slot - now) if slot > now else stop.is_set():
                    raise ExchangeError("interrupted", "interrupted")
                with self._freed:
                    if self._held_until <= max(
                        slot, now
                    ):  # else another request was refused meanwhile: line up again
                        # Where this machine was too busy to start it in its slot, the next one keeps its
                        # distance all the same.
                        self._next_slot = max(self._next_slot, time.monotonic() + (1 - _CATCH_UP) * self.pace)
                        break
            yield
        finally:
            with self._freed:
                self._busy -= 1
                self._freed.notify()

    def _check_wish(self, now: float) -> None:
        held = self._held_until - now
        if held > _LONGEST_WAIT:
            raise ExchangeError(
                "left alone", f"the host asks to be left alone for {held / 60:.0f} more minutes"
            )

    def answered(self) -> None:
        """A good answer came."""
        with self._freed:
            self.refusals = 0
            self._share = min(1.0, self._share + 0.02)  # of the usual rate

    def refused(self, retry_after: float | None) -> float:
        """The host answered 429 or 503: ask half as often. Gives how long it is to be left alone; raises
        ExchangeError if for too long."""
        with self._freed:
            now = time.monotonic()
            self.refusals += 1
            if (
                now >= self._held_until
            ):  # else it is held already: this one was under way, and is refused for the same reason
                self._share = max(
                    min(1.0, self._delay / _LONGEST_WAIT), 1 / 64, self._share / 2
                )  # no less after many refusals
            wait = max(retry_after or 0.0, min(_LONGEST_WAIT, self.pace))
            self._held_until = max(self._held_until, now + wait)
            self._check_wish(now)
            return wait


def read_retry_after(value: str | None, now: datetime) -> float | None:
    """Return the seconds to wait, from either form of Retry-After; None where there is none that can be
    read."""
    text = (value or "").strip()
    if text.isascii() and text.isdigit():
        return min(float(text), _LONGEST_WISH)
    try:
        moment = parsedate_to_datetime(text)
        seconds = (moment if moment.tzinfo is not None else moment.replace(tzinfo=UTC)) - now
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return min(max(0.0, seconds.total_seconds()), _LONGEST_WISH)
