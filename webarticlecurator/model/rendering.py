"""What a real browser is asked to do with a page, and what it shows of it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal

IDLE = "idle"
"""Wait until nothing is loaded any more."""
Resource = Literal["image", "font", "media", "stylesheet"]
"""What a page loads, as far as a portal file can say that it is left out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scrolling:
    """A page that is longer than it shows at first."""

    until: str | None = None
    """A selector; None: until nothing new comes."""
    most: int = 200
    """Steps at most; a page that is not at its end then says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendering:
    """How a page is shown in a browser before it is read."""

    wait: str = IDLE
    """A selector that must have come, or `IDLE`."""
    scroll: Scrolling | None = None
    click: str | None = None
    """What is clicked once it is there: a consent, a "read on"."""
    steps: Literal["scroll", "click"] | None = None
    """A page that is read as it grows, a request a step, by scrolling or by clicking the `button`; None: at once."""
    button: str | None = None
    block: tuple[Resource, ...] = ("image", "font", "media")
    """What is not loaded."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rendered:
    """What a browser made of an answer: the page as a person would see it."""

    html: bytes
    """UTF-8. Of a step after the first one: only what is new, in the elements that it stands in."""
    date: datetime
    """UTC, aware: when it was read out of the browser."""
    browser: str
    """"Chromium 156.0.8078.79"."""
    step: int = 0
    """How often it was scrolled, or the button clicked, before."""
    end: str | None = None
    """Why nothing more can come ("nothing new after 3 attempts, and nothing is loading", "the button is gone"); None: more may come."""
    limit: str | None = None
    """Which bound ended it before its end."""
    lack: str | None = None
    """Data of the page that could not be had this time, and may be another; not stored: an article without it is an `error`."""
