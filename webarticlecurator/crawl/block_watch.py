"""Is the portal keeping us out? Decided from the answers of one host, in the order in which they came."""

from __future__ import annotations

from dataclasses import dataclass, field

STREAK = 5
"""So many refusals in a row, or one body for so many URLs, are a block and no accident."""
PROBES = 3
"""After a block was recognised, so many further refusals close the host for this run; one good answer ends the alarm."""
SILENCE = 10
"""So many requests in a row without any answer: the host is down, and asking it for the rest of the queue helps nobody."""
REFUSALS = frozenset({401, 403, 429, 451})


@dataclass(slots=True)
class BlockWatch:
    """What one host's answers amount to."""

    closed: str | None = None
    """Why nothing more is to be asked of this host in this run."""
    alarm: str | None = None
    """Why the last answers are a block."""
    _refused: list[str] = field(default_factory=list)
    _silent: int = 0
    _same: list[str] = field(default_factory=list)
    _body: bytes | None = None
    _probes: int = 0

    def see(
        self, url: str, *, status: int | None, good: bool = False, body: bytes | None = None, sign: str | None = None
    ) -> tuple[str, ...]:
        """Take in an answer; gives the URLs that are now known to be blocked, this one included.

        `body` is a good answer's body where it may not be the same as others; `sign` what the classifier says of a wall.
        """
        self._silent = 0
        if sign is None and status not in REFUSALS:
            return self._good(url, body) if good else ()
        self._same, self._body = [], None
        self._refused.append(url)
        return self._count(
            self._refused, f"{len(self._refused)} refusals in a row, the last: {sign or f'HTTP {status}'}", at_once=sign is not None
        )

    def unanswered(self, reason: str, *, asked: bool) -> None:
        """Nothing came back; `asked` is False where not even asking was possible, because the host's robots.txt cannot be read."""
        self._silent += 1
        if self._silent >= SILENCE or not asked:
            self.closed = reason if not asked else f"{self._silent} requests in a row without an answer, the last: {reason}"

    def _good(self, url: str, body: bytes | None) -> tuple[str, ...]:
        if body is None or body != self._body:
            self._refused, self._same, self._body = [], [url], body
            self.alarm, self._probes = None, 0
            return ()
        if url not in self._same:
            self._same.append(url)
        return self._count(self._same, f"one and the same page for {len(self._same)} URLs", at_once=False)

    def _count(self, streak: list[str], reason: str, *, at_once: bool) -> tuple[str, ...]:
        if self.alarm is not None:
            self._probes += 1
            if self._probes >= PROBES:
                self.closed = reason
            return (streak[-1],)
        if len(streak) >= STREAK:
            self.alarm = reason
            return tuple(streak)
        return (streak[-1],) if at_once else ()
