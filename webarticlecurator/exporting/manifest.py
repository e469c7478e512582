"""What is told of an export beside it: enough to make it again, and to cite it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from enum import Enum
from pathlib import Path
from typing import Any

import orjson

from webarticlecurator.exporting.options import ExportOptions
from webarticlecurator.exporting.output import WrittenFile
from webarticlecurator.exporting.portals import PortalInfo

_OF_PORTAL = tuple(one.name for one in fields(PortalInfo) if one.name not in ("corpus", "program", "file", "template"))


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
    told = {
        "program": portals[0].program,
        "made": day,
        "command": command,
        "format": options.format,
        "options": _plain(asdict(options)),
        "portals": [{name: _plain(getattr(one, name)) for name in _OF_PORTAL} for one in portals],
        "counts": asdict(counts),
        "notes": list(notes),
        "files": [asdict(one) for one in files],
    }
    return orjson.dumps(told, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def _plain(value: Any) -> Any:
    if isinstance(value, Mapping):
        return {str(key): _plain(inner) for key, inner in value.items()}
    if isinstance(value, (frozenset, set)):
        return sorted(map(str, value))
    if isinstance(value, (list, tuple)):
        return [_plain(inner) for inner in value]
    if isinstance(value, Enum):
        return value.value
    return str(value) if isinstance(value, Path) else value
