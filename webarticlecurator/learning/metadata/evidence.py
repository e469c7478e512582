"""What is known of the sources of each metadata field on some pages of a portal."""

from __future__ import annotations

from dataclasses import dataclass, field

from webarticlecurator.model.proposals import Learned, Plain


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceEvidence:
    """One place that may hold the values of a field."""

    pick: Plain
    """As it would stand in the portal file; None: the general reader, without any rule."""
    pages: int
    """On which it says something."""
    agrees: int
    """Of these, on how many it says what the general reader says."""
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldEvidence:
    """All places of one field, the general reader first."""

    name: str
    sources: tuple[SourceEvidence, ...]
    pages: int
    """That were read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetadataFindings:
    """What the pages show of metadata."""

    learned: Learned = field(default_factory=Learned)
    """A choice whose value is None leaves the field to the general reader: nothing is written for it."""
    fields: tuple[FieldEvidence, ...] = ()
