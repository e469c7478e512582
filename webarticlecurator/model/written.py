"""What a writer makes of an article."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Written:
    """A document, and what it could not hold."""

    document: bytes
    lost_addresses: tuple[str, ...] = ()
    """Each as the page wrote it, with the reason; as often as it was lost."""
