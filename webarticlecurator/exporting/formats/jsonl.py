"""JSON Lines: the object of `curator try --json`, with id and captures, one an article."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import orjson

from webarticlecurator.config.fields import FIELDS
from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.options import ExportOptions, did_you_mean
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.portals import PortalInfo

_KEYS = (
    *("id", "captures", "url", "kind", "outcome", "reason", "metadata", "next_page", "goes_on", "missing_pages", "text", "blocks"),
    *("comments", "unknown_tags", "dropped", "disagreements", "text_changed", "gone"),
)
"""Of an object. `url` is one of them and a metadata field; here it is the former."""


class JsonLines:
    """Passes on the line that the build kept, wherever nothing in it changes."""

    def __init__(self, output: Output, options: ExportOptions, corpora: Sequence[PortalInfo]) -> None:  # noqa: ARG002
        self._file = output.main
        self._fields = options.fields
        _check(options.fields)

    def write(self, article: ExportArticle) -> None:
        self._file.write(orjson.dumps(self._chosen(article.shown_record)) if self._fields else article.line)
        self._file.write(b"\n")

    def finish(self) -> None:
        pass

    def _chosen(self, record: dict[str, Any]) -> dict[str, Any]:
        """Keys of the object; fields of its metadata stay in there."""
        chosen = {name: record[name] for name in self._fields if name in record}
        fields = {name: found for name in self._fields if name not in _KEYS and (found := record["metadata"].get(name))}
        return {**chosen, "metadata": fields} if fields and "metadata" not in chosen else chosen


def _check(fields: Sequence[str]) -> None:
    """Raises UsageError."""
    for name in fields:
        if name not in _KEYS and name not in FIELDS:
            meant = did_you_mean(name, (*_KEYS, *FIELDS))
            keys = ", ".join(_KEYS)
            raise UsageError(
                f"--fields {name} is unknown. {meant}A line has the keys {keys}, and in `metadata` Schema.org's fields, such as author."
            )
