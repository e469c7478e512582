"""Is the portal keeping us out? Decided from the answers of one host, in the order in which they came."""

from __future__ import annotations

from dataclasses import dataclass, field

STREAK = 5
"""So many refusals in a row, or one body for so many URLs, are a block and no accident."""
PROBES = 3
"""After a block was recognised, so many further refusals close the host for this run; one good answer ends the alarm."""
REFUSALS = frozenset({401, 403, 429})


@dataclass(slots=True)
class BlockWatch:
    """What one host's answers amount to."""

    closed: str | None = None
    """Why nothing more is to be asked of this host in this run."""
    alarm: str | None = None
    """Why the last answers are a block."""
    _refused: list[str] = field(default_factory=list)
    _same: list[str] = field(default_factory=list)
    _body: str | None = None
    _probes: int = 0

    def see(self, url: str, *, status: int | None, body: str | None, sign: str | None) -> tuple[str, ...]:
        """Take in an answer; gives the URLs that are now known to be blocked, this one included.

        `body` is the digest of a good answer's body, `sign` what the classifier says of a page that is a wall.
        """
        if sign is None and status not in REFUSALS:
            return self._good(url, body) if body is not None else ()
        self._same, self._body = [], None
        self._refused.append(url)
        return self._count(
            self._refused, f"{len(self._refused)} refusals in a row, the last: {sign or f'HTTP {status}'}", at_once=sign is not None
        )

    def _good(self, url: str, body: str) -> tuple[str, ...]:
        if body != self._body:
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
