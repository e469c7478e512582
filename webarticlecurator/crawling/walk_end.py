"""How a walk ended: what its event keeps of that."""

from __future__ import annotations

from dataclasses import dataclass

from webarticlecurator.corpus.events import PROVED_ENDS, EndKind, ProofGround


@dataclass(frozen=True, slots=True, kw_only=True)
class WalkEnd:
    """How a walk ended, in the fields of its event."""

    end: EndKind
    reason: str
    proves: int | None = None
    """The span that is proved by this end."""
    ground: ProofGround | None = None
    """The ground of an end that is proved, or would be."""
    last: str | None = None
    """The page that the end was found on."""
    last_links: int = 0
    """Article links there."""
    whole: bool = False
    """It reaches from the head of the archive to its end: nothing of this column or interval stays open."""

    @property
    def complete(self) -> bool:
        """Say whether nothing is left to be walked, by what the walk knows itself."""
        return self.end in PROVED_ENDS
