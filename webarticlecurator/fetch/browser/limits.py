"""How much a page may take of the browser: time, requests, bytes, memory."""

from __future__ import annotations

from dataclasses import dataclass

from webarticlecurator.fetch.response import MEGABYTE


@dataclass(frozen=True, slots=True, kw_only=True)
class BrowserLimits:
    """Bounds for one page, and for the browser that shows it."""

    seconds: float = 300.0
    """For one page, or one step of it, with all that it loads at the pace of its hosts."""
    patience: float = 15.0
    """For which something that is waited for may still come when nothing is loading."""
    silence: float = 20.0
    """For which the browser may leave a question of ours without an answer before it counts as hung."""
    quiet: float = 0.5
    """Without a request, after which a page counts as idle."""
    requests: int = 500
    loaded: int = 50 * MEGABYTE
    """Bytes of all that a page loads."""
    html: int = 20_000_000
    """Characters of the page as it is shown."""
    memory: int = 700 * MEGABYTE
    """Of all processes of the browser."""
    pages: int = 200
    """After so many the browser is begun anew: what a program keeps of pages that are gone only grows."""
    at_once: int = 3
    kept: int = 2
    """Pages that stay open because a walk goes on through them."""
