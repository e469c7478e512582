"""Parquet: typed columns with lists and instants, packed, for pandas, polars, DuckDB, R."""

from __future__ import annotations

from itertools import islice

import orjson

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.exporter import Exporter
from webarticlecurator.exporting.formats import Format
from webarticlecurator.exporting.manifest import PROGRAM
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.table import ColumnType, columns_of, row_of

_GROUP = 1_000
"""Rows that are written together: what is held of a corpus is never more."""
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
        articles = export.articles()
        while rows := [row_of(article, columns) for article in islice(articles, _GROUP)]:
            arrays = [pa.array(values, field.type) for values, field in zip(zip(*rows, strict=True), schema, strict=True)]
            writer.write_batch(pa.record_batch(arrays, schema=schema))
