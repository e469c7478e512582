"""Parquet: typed columns with lists and instants, packed, for pandas, polars, DuckDB, R."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

import orjson

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.manifest import PROGRAM
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.table import ColumnType, TableColumn, Value, columns_of, row_of

_GROUP_ROWS = 2_000
_GROUP_CHARACTERS = 16_000_000
"""A group of rows is written when it has as many of either: what is held of a corpus is never more."""
_LEVEL = 6


@Format("a typed table", ".parquet", binary=True, library="pyarrow", analysed=True)
def write(export: Exporter, output: Output) -> None:
    """A row an article, in groups."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    if output.path is not None and output.path.suffix in (".gz", ".zst"):
        raise UsageError(f"Parquet is packed by itself, and nothing reads {output.path.name}: leave {output.path.suffix} away.")
    columns = columns_of(export.options.fields)
    types = {
        ColumnType.TEXT: pa.string(),
        ColumnType.TEXTS: pa.list_(pa.string()),
        ColumnType.INTEGER: pa.int64(),
        ColumnType.NUMBER: pa.float64(),
        ColumnType.YES_NO: pa.bool_(),
        ColumnType.INSTANT: pa.timestamp("us", tz="UTC"),
    }
    fields = [pa.field(column.name, types[column.holds], metadata={"description": column.description}) for column in columns]
    about = {
        "title": ", ".join(portal.file.title for portal in export.portals).encode("utf-8", "replace"),
        "program": PROGRAM.encode(),
        "portals": orjson.dumps([portal.told for portal in export.portals]),
    }
    schema = pa.schema(fields, metadata=about)
    told_again = [column.name for column in columns if column.holds is not ColumnType.TEXTS and column.name not in ("id", "text")]
    with pq.ParquetWriter(
        output.main, schema, compression="zstd", compression_level=_LEVEL, use_dictionary=told_again, write_statistics=True
    ) as writer:
        for rows in _groups(export.articles(), columns):
            arrays = [pa.array(values, field.type) for values, field in zip(zip(*rows, strict=True), schema, strict=True)]
            writer.write_batch(pa.record_batch(arrays, schema=schema))


def _groups(articles: Iterable[ExportArticle], columns: Sequence[TableColumn]) -> Iterator[list[list[Value]]]:
    rows: list[list[Value]] = []
    characters = 0
    for article in articles:
        row = row_of(article, columns)
        rows.append(row)
        characters += sum(len(value) for value in row if isinstance(value, str))
        if len(rows) >= _GROUP_ROWS or characters >= _GROUP_CHARACTERS:
            yield rows
            rows, characters = [], 0
    if rows:
        yield rows
