"""A change of a portal's layout, as people and programs are told of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from webarticlecurator.model.proposals import Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class DriftPage:
    """One of the pages that show a drift."""

    role: str
    """`last before`, `first after`, `another after`."""
    url: str
    headline: str
    day: str
    """Empty where it has no date."""
    outcome: str
    words: int
    """That the rules keep."""
    blocks: tuple[tuple[bool, str], ...] = ()
    """Its text block by block, each with whether it is kept; none where the page cannot be read."""
    html: str | None = None
    """The page, made harmless; None where nobody wants it or it cannot be read."""


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
    """The same as words for programs: `empty`, `lost-text`, `names`."""
    pages: tuple[DriftPage, ...] = ()
    proposal: Mapping[str, Plain] | None = None
    """An entry of `layouts`; None: none could be made."""
    proposed_for: str = ""
    """What it rests on, or why there is none."""

    @property
    def is_harmless(self) -> bool:
        """The pages only have other names: nothing that is read of them is known to be wrong."""
        return set(self.kinds) <= {"names"}

    @property
    def reason(self) -> str:
        """In one sentence."""
        where = f" of layout {self.layout}" if self.layout else ""
        day = f" of {self.day[:10]}" if self.day else ", which has no date,"
        return f"from this article{day} on the pages{where} seem to look otherwise: {self.signs[0]}"


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchSummary:
    """What a look at the articles of one portal found."""

    portal: str
    articles: int = 0
    """That were looked at: a sample, and the newest."""
    of_articles: int = 0
    pages: int = 0
    """Of them, those whose page could be read; of the others only what the build tells is known."""
    drifts: tuple[FoundDrift, ...] = ()
    """The earliest first."""
    too_few: bool = False
    """So few articles that nothing can be said."""
    complete: bool = True
    """False: it was stopped before the end."""
