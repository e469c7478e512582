"""What is told of an export beside it: enough to make it again, and to cite it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from typing import Any

import orjson

from webarticlecurator.building.database import BuiltArticles
from webarticlecurator.config.portal import Portal
from webarticlecurator.corpus.folder import Corpus
from webarticlecurator.databases import Row
from webarticlecurator.exporting.export_options import ExportOptions
from webarticlecurator.version import NAME, VERSION

PROGRAM = f"{NAME} {VERSION}"


@dataclass(frozen=True, kw_only=True)
class ExportedPortal:
    """One portal of an export."""

    file: Portal
    """As its file says now."""
    corpus: Corpus
    built: BuiltArticles
    template: str
    """The header by which its documents are made."""

    @property
    def name(self) -> str:
        return self.file.name

    @cached_property
    def told(self) -> dict[str, Any]:
        """What an export says of it.

        `rules`: digests of those that its articles were built by, the most frequent first; more than one where a build was interrupted.
        """
        own, publisher = self.file, self.file.publisher
        by_rules = "SELECT rules FROM articles WHERE path IS NOT NULL GROUP BY rules ORDER BY count(*) DESC, rules"
        return {
            "name": own.name,
            "title": own.title,
            "home": own.home,
            "language": own.language,
            "timezone": own.timezone.key,
            "publisher": publisher.name,
            "licence": publisher.rights.licence,
            "rights": publisher.rights.statement,
            "rules": tuple(digest for (digest,) in self.built.rows(by_rules) if digest),
        }


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
    strata: tuple[Row, ...] = ()
    """Of a sample, its articles by what it is drawn by: of each the `name` (a value), how many `articles` it has, how many are `drawn`."""
    unknown: tuple[str, ...] = ()
    """Sentences on what was asked for and is not there: values of filters, a larger sample."""


def manifest(
    options: ExportOptions,
    portals: Sequence[ExportedPortal],
    counts: ExportCounts,
    files: Sequence[Row],
    *,
    command: str,
    notes: Sequence[str],
    day: str,
) -> bytes:
    """JSON that a person can read, too."""
    asked = asdict(options)
    account = {
        "program": PROGRAM,
        "made": day,
        "command": command,
        "format": asked.pop("to"),
        "options": {name.removesuffix("_"): value for name, value in asked.items()},
        "portals": [portal.told for portal in portals],
        "counts": asdict(counts),
        "notes": list(notes),
        "files": files,
    }
    plain = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS
    return orjson.dumps(account, option=plain, default=lambda value: sorted(value) if isinstance(value, frozenset) else str(value))
