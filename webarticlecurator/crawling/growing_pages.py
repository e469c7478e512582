"""`scroll` and `load-more`: one page that a browser lets grow, walked step by step, and what its steps mean for the walk's end."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from webarticlecurator.corpus.events import ArchivePlace, EndKind, ProofGround
from webarticlecurator.crawling.fingerprints import Fingerprints
from webarticlecurator.crawling.walk import Walk
from webarticlecurator.crawling.walk_steps import ArchiveAnswer, Reading, WalkEnd

BARREN = 10
"""Steps in a row without a new article link before a page that goes on growing counts as one that has no more."""


@dataclass(kw_only=True)
class GrowingPage(Walk):
    """`scroll` and `load-more`: one page, which a browser lets grow step by step; each step shows what is new since the one before."""

    ends_empty = False
    grows = True
    _seen: Fingerprints = field(init=False, default_factory=Fingerprints)
    """All article links so far."""
    _barren: int = field(init=False, default=0)
    """Steps in a row without a new one."""
    _grown: bool = field(init=False, default=False)
    """A step after the first had new ones."""
    _answer: ArchiveAnswer = field(init=False)

    def _read(self, place: ArchivePlace, answer: ArchiveAnswer) -> Reading:
        # every step is at the same address, wherever that redirects to
        self._answer = answer = replace(answer, final_url=place.url) if place.index else answer
        reading = super()._read(place, answer)
        new = sum(link.url not in self._seen for link in reading.links)
        for link in reading.links:
            self._seen.add(link.url)
        self._barren = 0 if new else self._barren + 1
        self._grown |= place.index > 0 and new > 0
        return reading

    def _following(self, place: ArchivePlace, reading: Reading) -> ArchivePlace | WalkEnd:
        column = self.column
        if self._answer.end is not None or (self._signs.total_reached and not reading.has_links):
            ground = ProofGround.GROWN_TO_TOTAL if self._signs.total_reached else ProofGround.GROWN
            return WalkEnd(kind=EndKind.PROVED, reason=self._answer.end or ground.value, ground=ground)
        if self._answer.limit is not None:
            return WalkEnd(kind=EndKind.LIMIT, reason=self._answer.limit)
        if self._barren >= BARREN:
            return WalkEnd(kind=EndKind.LIMIT, reason=f"{BARREN} steps in a row gave no new article link, and the page still grows")
        most = column.rendering.scroll.most if column.rendering is not None and column.rendering.scroll is not None else place.index
        if place.index >= most:
            return WalkEnd(
                kind=EndKind.LIMIT, reason=f"the page still grows after {most:,} steps; raise `fetch.scroll.most` in the portal file"
            )
        return self._place_at(place.index + 1)

    def _end_by_emptiness(self, place: ArchivePlace, reading: Reading) -> WalkEnd | None:
        """What is new may be no article, as long as the page grows."""
        return super()._end_by_emptiness(place, reading) if place.index == 0 or self._answer.end is not None else None

    def _end_by_repetition(self, reading: Reading) -> WalkEnd | None:  # noqa: ARG002
        return None

    def _contradiction(self, end: WalkEnd) -> str | None:
        """Links of a pager on a page that grew are for who has no scripts."""
        if end.ground in (ProofGround.GROWN, ProofGround.GROWN_TO_TOTAL) and self._grown:
            return self._signs.beyond(from_head=not self._joined)
        return super()._contradiction(end)

    def _forget(self) -> None:
        super()._forget()
        self._barren, self._grown = 0, False
