"""What an export tells of a portal whose articles it holds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from webarticlecurator.config.portal import Portal


@dataclass(frozen=True, slots=True, kw_only=True)
class PortalInfo:
    """One portal of an export."""

    name: str
    title: str
    home: str
    language: str | None
    timezone: str
    """IANA name."""
    publisher: str | None
    licence: str | None
    """Of the portal's rights: a URL."""
    rights: str | None
    """Its rights statement."""
    rules: tuple[str, ...]
    """Digests of the rules that its articles were built by; more than one where a build was interrupted. The most frequent first."""
    program: str
    """Name and version of the program that exports."""
    file: Portal
    """As its file says now."""
    template: str
    """The header by which its documents are made."""
    corpus: Path
    """The place of its corpus: a folder, or one in an object store."""
