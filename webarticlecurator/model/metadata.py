"""Metadata values, and how we came to believe them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

AgentKind = Literal["", "person", "organization"]

OF_BODY = "body:"
"""The beginning of the sources of values that no page says, and its text shows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """A metadata value, and the reasons to believe it."""

    value: str
    """The value, normalised; dates as ISO 8601, with the page's offset or the portal's."""
    raw: str
    """The value as it stood in the page."""
    source: str
    """The reader, or the rule of the portal file, that gave it."""
    written: str = ""
    """The words that say a date which readers of the page see. Empty where an attribute or data told it."""
    kind: AgentKind = ""
    """The kind of an author or publisher, as the page, or a known name, says it; empty where nothing does."""
    url: str = ""
    """The page about an author that the page names or links to, by which namesakes are told apart."""

    @property
    def place_in_body(self) -> str:
        """Return the source of a value that no page says, and its text shows; empty for any other."""
        return self.source if self.source.startswith(OF_BODY) else ""


Metadata = Mapping[str, tuple[Found, ...]]
"""The values that were chosen, in page order, by Schema.org's field name."""

BY_HAND = "corrections.yaml"
"""The source of values that a person gave for one article; like a rule's, it has no colon."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Correction:
    """A value of one article that somebody mended by hand."""

    article: str
    """The address of the article."""
    field: str
    """The field by its Schema.org name; `drop` or `keep`: its text is mended."""
    before: tuple[str, ...] = ()
    """The values that the rules gave; of a text, the lines that change, with `- ` before those that go and
    `+ ` before those that come."""
    after: tuple[str, ...] = ()
    """The values that are right; of a text, the selectors of what goes or stays."""
    by: str = ""
    """The name of whoever mended it."""
    when: str = ""
    """The time, UTC, ISO 8601."""
    because: str = ""
    """The reason."""
