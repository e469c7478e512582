"""Is the portal keeping us out? Decided from the answers of one host, in the order in which they came."""

from __future__ import annotations

from dataclasses import dataclass, field

STREAK = 5
"""So many failures in a row, or one body for so many URLs, are a block and no accident."""
PROBES = 3
"""After a block was recognised, so many further failures close the host for this run; one good answer ends the alarm."""


@dataclass(slots=True)
class BlockWatch:
    """What one host's answers amount to."""

    closed: str | None = None
    """Why nothing more is to be asked of this host in this run."""
    alarm: str | None = None
    """Why the last answers are a block."""
    _failed: list[str] = field(default_factory=list)
    _same: list[str] = field(default_factory=list)
    _body: bytes | None = None
    _probes: int = 0

    def failed(self, url: str, reason: str, *, wall: bool = False) -> tuple[str, ...]:
        """Take in a failure, or a wall in place of a page; gives the URLs that are now known to be blocked, this one included."""
        self._same, self._body = [], None
        self._failed.append(url)
        return self._count(self._failed, f"{len(self._failed)} failures in a row, the last: {reason}", at_once=wall)

    def answered(self, url: str, body: bytes | None) -> tuple[str, ...]:
        """Take in a good answer, and its body where it may not be the same as others; gives the URLs that it shows to be blocked."""
        if body is None or body != self._body:
            self._failed, self._same, self._body = [], [url], body
            self.alarm, self._probes = None, 0
            return ()
        if url not in self._same:
            self._same.append(url)
        return self._count(self._same, f"one and the same page for {len(self._same)} URLs", at_once=False)

    def close(self, reason: str) -> None:
        """Not even asking is possible: the host's robots.txt cannot be read."""
        self.closed = reason

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
