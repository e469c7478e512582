"""A change of a portal's layout, as people and programs are told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from webarticlecurator.databases import Row
from webarticlecurator.model.proposals import Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundDrift:
    """The layout seems to have changed."""

    layout: str | None
    """Of the portal file, whose pages they are; None: the base rules."""
    day: str
    """Of the first article; empty where it has no date."""
    url: str
    headline: str
    signs: tuple[str, ...]
    """Sentences with their counts, the surest first."""
    kinds: tuple[str, ...]
    """The same as words for programs: `empty`, `lost-text`."""
    pages: tuple[Row, ...] = ()
    """Some that show it: the last before it, and two behind it, block by block, each with whether it is kept."""
    proposal: Mapping[str, Plain] | None = None
    """An entry of `layouts`; None: none could be made."""
    proposed_for: str = ""
    """What it rests on, or why there is none."""

    @property
    def reason(self) -> str:
        """In one sentence."""
        where = f" of layout {self.layout}" if self.layout else ""
        day = f" of {self.day[:10]}" if self.day else ", which has no date,"
        return f"from this article{day} on the pages{where} seem to look otherwise: {self.signs[0]}"
