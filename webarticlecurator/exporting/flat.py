"""An article as a flat object: a value a name, by the names that people know from other tools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import orjson

from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.table import COLUMNS, FIRST_SECTION, TableColumn, Value, columns_of, row_of

_USUAL: Mapping[str, TableColumn] = {
    "id": COLUMNS["id"],
    "url": COLUMNS["url"],
    "title": COLUMNS["headline"],
    "authors": COLUMNS["author"],
    "date": COLUMNS["date"],
    "published": COLUMNS["datePublished"],
    "outcome": COLUMNS["outcome"],
    "language": COLUMNS["language"],
    "section": FIRST_SECTION,
    "keywords": COLUMNS["keywords"],
    "text": COLUMNS["text"],
    "captured": COLUMNS["captured"],
    "warc_file": COLUMNS["warc_file"],
    "warc_record_id": COLUMNS["warc_record_id"],
}
"""Name -> column of the table; names are those of `Article` in Python."""


def flat_values(article: ExportArticle, fields: Sequence[str] = ()) -> dict[str, Value]:
    """Return the usual values of an article, or those of the columns that are named. Raises UsageError."""
    columns = {column.name: column for column in columns_of(fields)} if fields else _USUAL
    return dict(zip(columns, row_of(article, tuple(columns.values())), strict=True))


def flat_line(article: ExportArticle, fields: Sequence[str] = ()) -> bytes:
    """Return the same as a line of JSON; times are in UTC, which a Z says."""
    return orjson.dumps(flat_values(article, fields), option=orjson.OPT_UTC_Z | orjson.OPT_APPEND_NEWLINE)
