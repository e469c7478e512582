"""Why a response gives no page: a wall stands in the way, or it cannot be read."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from webarticlecurator.model.outcome import PageOutcome


class Wall(StrEnum):
    """What stands in the way."""

    BLOCK = "block"
    """We are kept out."""
    CAPTCHA = "captcha"
    """A person is asked to prove to be one."""
    CONSENT = "consent"
    """The page comes only after consent to cookies."""


@dataclass(frozen=True, slots=True)
class NoPage:
    """What a response is instead of a page."""

    reason: str
    """In words; of a wall by what it was recognised: "Cloudflare challenge", "consent page"."""
    outcome: PageOutcome = PageOutcome.UNREADABLE
    wall: Wall | None = None
