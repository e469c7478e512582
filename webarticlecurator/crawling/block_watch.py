"""Is the portal keeping us out? Decided from the answers of one host, in the order in which they came."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from http import HTTPStatus

from webarticlecurator.document.parsed_page import classify
from webarticlecurator.model.capture import Fetched, capture_of
from webarticlecurator.model.outcome import FetchOutcome

STREAK = 5
"""So many failures in a row, or one body for so many URLs, are a block and no accident."""
PROBES = 3
"""After a block was recognised, so many further failures close the host for this run; one good answer ends the alarm."""


@dataclass(slots=True)
class BlockWatch:
    """What one host's answers amount to."""

    closed: str | None = None
    """Why nothing more is to be asked of this host in this run: it blocks, or its robots.txt cannot be read."""
    reported: bool = False
    """A walk has told of that."""
    alarm: str | None = None
    """Why the last answers are a block: then the host is only probed."""
    _failed: list[str] = field(default_factory=list)
    _same: list[str] = field(default_factory=list)
    _body: bytes | None = None
    _probes: int = 0

    def take(self, fetched: Fetched, wall: str | None, *, article: bool) -> tuple[str, ...]:
        """Take in an answer, and what makes it a wall; gives the URLs that are now known to be blocked."""
        url, capture = fetched.request.url, fetched.capture
        if wall is not None or fetched.verdict.outcome is FetchOutcome.ERROR:
            self._same, self._body = [], None
            self._failed.append(url)
            reason = f"{len(self._failed)} failures in a row, the last: {wall or fetched.verdict.reason}"
            return self._count(self._failed, reason, at_once=wall is not None)
        if capture is None:
            return ()
        # Archive pages of empty days are alike without any block, so only the bodies of articles are compared.
        body = capture.entity if article and capture.status != HTTPStatus.NOT_MODIFIED else None
        if body is None or body != self._body:
            self._failed, self._same, self._body = [], [url], body
            self.alarm, self._probes = None, 0
            return ()
        if url not in self._same:
            self._same.append(url)
        return self._count(self._same, f"one and the same page for {len(self._same)} URLs", at_once=False)

    def forget(self) -> None:
        """What is asked for now is another matter than what was; an alarm stays."""
        self._failed, self._same, self._body = [], [], None

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


def wall_in(fetched: Fetched) -> str | None:
    """What the classifier says of an answer that is a wall; a refusal's page may be one too."""
    capture = fetched.capture
    if capture is None and fetched.exchanges and fetched.exchanges[-1].status is not None:
        capture = capture_of(fetched.exchanges[-1], fetched.request.url)
        if fetched.rendered is not None:  # what came in the place of what was waited for
            capture = replace(capture, status=200, headers=(), entity=fetched.rendered.html)
    no_page = classify(capture) if capture is not None else None
    return no_page.reason if no_page is not None else None
