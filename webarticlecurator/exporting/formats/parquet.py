"""Parquet: typed columns with lists and instants, packed, for pandas, polars, DuckDB, R; with a dataset card beside it."""

from __future__ import annotations

from collections.abc import Sequence

import orjson
import pyarrow as pa
import pyarrow.parquet as pq

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.dataset_card import NAME, CardCounts, card_name, dataset_card
from webarticlecurator.exporting.options import ExportOptions
from webarticlecurator.exporting.output import Output
from webarticlecurator.exporting.portals import PortalInfo
from webarticlecurator.exporting.table import Holds, Table, Value, columns_of

_TYPES = {
    Holds.TEXT: pa.string(),
    Holds.TEXTS: pa.list_(pa.string()),
    Holds.INTEGER: pa.int64(),
    Holds.NUMBER: pa.float64(),
    Holds.YES_NO: pa.bool_(),
    Holds.INSTANT: pa.timestamp("us", tz="UTC"),
}
_GROUP_ROWS = 2_000
_GROUP_CHARACTERS = 16_000_000
"""A group of rows is written when it has as many of either: what is held of a corpus is never more."""
_LEVEL = 6


class Parquet:
    """A row an article, in groups."""

    def __init__(self, output: Output, options: ExportOptions, corpora: Sequence[PortalInfo]) -> None:
        if output.path is not None and output.path.suffix in (".gz", ".zst"):
            raise UsageError(f"Parquet is packed by itself, and nothing reads {output.path.name}: leave {output.path.suffix} away.")
        self._output = output
        self._options, self._corpora = options, corpora
        self._table = Table(columns_of(options.fields), corpora)
        fields = [pa.field(one.name, _TYPES[one.holds], metadata={"description": one.description}) for one in self._table.columns]
        self._schema = pa.schema(fields, metadata=_about(corpora))
        told_again = [one.name for one in self._table.columns if one.holds is not Holds.TEXTS and one.name not in ("id", "text")]
        self._writer = pq.ParquetWriter(
            output.main, self._schema, compression="zstd", compression_level=_LEVEL, use_dictionary=told_again, write_statistics=True
        )
        self._rows: list[list[Value]] = []
        self._characters = 0
        self._counts = CardCounts()

    def write(self, article: ExportArticle) -> None:
        row = self._table.row(article)
        self._rows.append(row)
        self._characters += sum(len(value) for value in row if isinstance(value, str))
        self._counts.add(article)
        if len(self._rows) >= _GROUP_ROWS or self._characters >= _GROUP_CHARACTERS:
            self._write_group()

    def finish(self) -> None:
        self._write_group()
        self._writer.close()
        name = self._output.path.name if self._output.path is not None else f"{self._output.stem}.parquet"
        card = card_name(self._output)
        if card != NAME:
            self._output.notes.append(f"The dataset card is {card}, since {NAME} there is not one of curator's.")
        with self._output.file(card) as file:
            file.write(dataset_card(name, self._corpora, self._counts, self._table.columns, self._options).encode())

    def _write_group(self) -> None:
        if not self._rows:
            return
        columns = zip(*self._rows, strict=True)
        arrays = [pa.array(values, field.type) for values, field in zip(columns, self._schema, strict=True)]
        self._writer.write_batch(pa.record_batch(arrays, schema=self._schema))
        self._rows, self._characters = [], 0


def _about(corpora: Sequence[PortalInfo]) -> dict[str, bytes]:
    """What the file says of itself."""
    told = ("name", "title", "home", "language", "timezone", "publisher", "licence", "rights", "rules")
    return {
        "title": ", ".join(one.title for one in corpora).encode("utf-8", "replace"),
        "program": corpora[0].program.encode(),
        "portals": orjson.dumps([{name: getattr(one, name) for name in told} for one in corpora]),
    }
