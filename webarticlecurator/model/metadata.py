"""Metadata values, and how we came to believe them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

AgentKind = Literal["", "person", "organization"]

OF_BODY = "body:"
"""How the sources begin of values that no page says, and its text shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """One metadata value, and how we came to believe it."""

    value: str
    """Normalised; dates as ISO 8601, with the page's offset or the portal's."""
    raw: str
    """As it stood in the page."""
    source: str
    """Which reader, or which rule of the portal file, gave it."""
    written: str = ""
    """Of a date that readers of the page see: the words that say it. Empty where an attribute or data told
    it."""
    kind: AgentKind = ""
    """Of an author or publisher: what the page, or a known name, says it is; empty where nothing does."""
    url: str = ""
    """Of an author: the page about them that the page names or links to, by which namesakes are told
    apart."""

    @property
    def place_in_body(self) -> str:
        """Return the source of a value that no page says, and its text shows; empty for any other."""
        return self.source if self.source.startswith(OF_BODY) else ""


Metadata = Mapping[str, tuple[Found, ...]]
"""Schema.org's field name -> the values that were chosen, in page order."""
