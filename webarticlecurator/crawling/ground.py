"""What the ledger knows of the ground that a walk may meet."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from webarticlecurator.corpus.ledger import Ledger
from webarticlecurator.corpus.walks import OldSpan


@dataclass(frozen=True, slots=True)
class LedgerGround:
    """Older walks of one column and interval, as the ledger knows them."""

    ledger: Ledger
    column: str
    rules: str
    """What was walked under other rules is no ground."""
    interval: str | None
    walk: int

    def spans(self) -> Sequence[OldSpan]:
        return self.ledger.spans(self.column, self.rules, self.interval, before_walk=self.walk)

    def spans_of(self, urls: Collection[str]) -> Mapping[str, OldSpan]:
        return self.ledger.spans_of(self.column, self.rules, urls)

    def gave_links(self) -> bool:
        return self.ledger.gave_links(self.column, self.interval, before_walk=self.walk)

    def was_asked(self, url: str) -> bool:
        return self.ledger.was_asked(self.column, self.rules, url)
