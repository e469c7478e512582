"""What is told of an export beside it: enough to make it again, and to cite it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import orjson

from webarticlecurator.config.portal import Portal
from webarticlecurator.exporting.export_options import ExportOptions
from webarticlecurator.exporting.output import WrittenFile


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

    @property
    def told(self) -> dict[str, Any]:
        """What an export says of it."""
        names = ("name", "title", "home", "language", "timezone", "publisher", "licence", "rights", "rules")
        return {name: getattr(self, name) for name in names}


@dataclass(frozen=True, slots=True, kw_only=True)
class Stratum:
    """Articles of a sample that are equal in what it is drawn by."""

    name: str
    """Its value of the fields of `--by`."""
    articles: int
    """How many it has."""
    drawn: int
    """How many of them were drawn."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ExportCounts:
    """What an export holds, and what it does not."""

    articles: int = 0
    """That are in the export."""
    of: int = 0
    """Built articles of the portals, before any filter."""
    failed: int = 0
    """Chosen articles that could not be written, or not whole; a note tells why."""
    filtered: Mapping[str, int] = field(default_factory=dict)
    """Filter -> how many articles it left out of those that the filters before it had left."""
    teasers: int = 0
    """What can be seen of articles behind a wall, where that is left out."""
    not_built: int = 0
    """Articles that are stored, and of which nothing is built."""
    without_document: Mapping[str, int] = field(default_factory=dict)
    """Outcome -> how many were built and gave no document."""
    outdated: int = 0
    """Articles that are built by other rules, another template or another version of the program than a build would take now."""
    parts: Mapping[str, int] = field(default_factory=dict)
    """Comments, posts, boxes, captions that the articles have and the export does not."""
    strata: tuple[Stratum, ...] = ()
    """Of a sample."""
    unknown: tuple[str, ...] = ()
    """Sentences on what was asked for and is not there: values of filters, a larger sample."""


def manifest(
    options: ExportOptions,
    portals: Sequence[PortalInfo],
    counts: ExportCounts,
    files: Sequence[WrittenFile],
    *,
    command: str,
    notes: Sequence[str],
    day: str,
) -> bytes:
    """JSON that a person can read, too."""
    asked = asdict(options)
    account = {
        "program": portals[0].program,
        "made": day,
        "command": command,
        "format": asked.pop("to"),
        "options": {name.removesuffix("_"): value for name, value in asked.items()},
        "portals": [portal.told for portal in portals],
        "counts": asdict(counts),
        "notes": list(notes),
        "files": [asdict(file) for file in files],
    }
    plain = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS
    return orjson.dumps(account, option=plain, default=lambda value: sorted(value) if isinstance(value, frozenset) else str(value))
