"""A page with links, as a walk has come to it: what the observers of a walk are given."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from webarticlecurator.model.links import ArchivePage


@dataclass(frozen=True, slots=True, kw_only=True)
class SeenPage:
    """A page of the list, read for the first time or again."""

    index: int
    """How many pages of the list stand above it."""
    url: str
    page: ArchivePage
    asked: Collection[str]
    """The pages of the walk so far."""
    listed: frozenset[str]
    """Addresses that the page lists, with those that rules refuse."""
    article_stems: frozenset[str]
    """Addresses that the page lists, without extensions: the addresses of further pages of an article begin
    so."""
    is_next: bool
    """It is the next one below all that were read."""
    is_lowest: bool
    """It stands below all that were read."""
