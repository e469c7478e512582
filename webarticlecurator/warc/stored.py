"""What the store tells of what it holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from webarticlecurator.model.capture import Location

EVENT_FIELD = "curator-event"
"""The field of our metadata records that holds the event: JSON on one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResponse:
    """A response in the store, or a revisit that stands for one."""

    record_id: str
    """Without angle brackets."""
    location: Location
    """Of this one record."""
    url: str
    date: datetime
    """UTC, aware."""
    status: int | None
    """None when what the server sent is no HTTP."""
    payload_digest: str
    """Empty when what the server sent is no HTTP."""
    kind: Literal["response", "revisit"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """A whole exchange in the store."""

    location: Location
    """Of all its records: they lie one after the other."""
    event: Mapping[str, Any]
    response: StoredResponse | None
    """None when there is no response record: nothing came, or there was no exchange at all."""
