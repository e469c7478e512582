"""An article as a flat object: a value a name, by the names that people know from other tools."""

from __future__ import annotations

from collections.abc import Sequence

import orjson

from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.table import Value, columns_of, row_of

_USUAL = (
    "id",
    "url",
    "title",
    "authors",
    "date",
    "published",
    "outcome",
    "language",
    "section",
    "keywords",
    "text",
    "captured",
    "warc_file",
    "warc_record_id",
)
"""Names of columns, or the usual names of some."""


def flat_values(article: ExportArticle, fields: Sequence[str] = ()) -> dict[str, Value]:
    """Return the usual values of an article, or those of the columns that are named. Raises UsageError."""
    columns = columns_of(fields or _USUAL)
    return dict(zip((column.name for column in columns), row_of(article, columns), strict=True))


def flat_line(article: ExportArticle, fields: Sequence[str] = ()) -> bytes:
    """Return the same as a line of JSON; times are in UTC, which a Z says."""
    return orjson.dumps(flat_values(article, fields), option=orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE)
