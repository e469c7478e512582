"""Parquet, read back by pyarrow and pandas."""

from __future__ import annotations

import sys
from datetime import UTC, datetime
from pathlib import Path

import pandas
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from export_articles import CAPTURE, PORTAL, export_article
from exported import exported

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.formats import FORMATS, parquet
from webarticlecurator.exporting.table import COLUMNS
from webarticlecurator.model.analysis import Analysis


def test_pyarrow_reads_typed_columns_with_their_descriptions(tmp_path: Path) -> None:
    article = export_article(
        metadata={"author": ["Kiss Anna", "Nagy Béla"], "isAccessibleForFree": "false"},
        analysis=Analysis(language="hu", certainty=0.5),
    )
    table = pq.read_table(exported("parquet", tmp_path / "a.parquet", [article, export_article(2, metadata={"datePublished": "2024-05"})]))
    assert table.column_names == list(COLUMNS)
    assert table.schema.field("author").type == pa.list_(pa.string())
    assert table.schema.field("date_utc").type == pa.timestamp("us", tz="UTC")
    assert table.schema.field("text").metadata[b"description"].decode() == COLUMNS["text"].description
    assert table.schema.metadata[b"title"].decode() == PORTAL.title
    first, second = table.to_pylist()
    assert (first["author"], first["date_utc"]) == (["Kiss Anna", "Nagy Béla"], datetime(2024, 5, 1, 8, tzinfo=UTC))
    assert (first["datePublished"], first["isAccessibleForFree"]) == ("2024-05-01T10:00:00+02:00", False)
    assert (first["language_certainty"], first["duplicates"]) == (0.5, None)
    assert [first[f"warc_{name}"] for name in ("file", "offset", "record_id")] == [CAPTURE.file, CAPTURE.offset, CAPTURE.record_id]
    assert (second["datePublished"], second["date_utc"], second["day"], second["author"]) == ("2024-05", None, None, [])


def test_pandas_reads_it(tmp_path: Path) -> None:
    path = exported("parquet", tmp_path / "a.parquet", [export_article(), export_article(2, metadata={"datePublished": []})])
    table = pandas.read_parquet(path, dtype_backend="numpy_nullable")
    assert table["date_utc"].tolist()[0] == pandas.Timestamp("2024-05-01T08:00:00Z")
    assert table["year"].dtype == "Int64"
    assert table["year"].isna().tolist() == [False, True]


def test_rows_are_written_in_groups_packed_by_zstd(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parquet, "_GROUP_ROWS", 2)
    file = pq.ParquetFile(exported("parquet", tmp_path / "a.parquet", map(export_article, range(5))))
    assert [file.metadata.row_group(number).num_rows for number in range(file.num_row_groups)] == [2, 2, 1]
    assert file.metadata.row_group(0).column(0).compression == "ZSTD"


def test_texts_of_any_length_are_held_only_until_a_group_is_full(tmp_path: Path) -> None:
    long = "x " * 5_000_000
    path = exported("parquet", tmp_path / "a.parquet", (export_article(number, text=long) for number in range(3)))
    file = pq.ParquetFile(path)
    assert file.num_row_groups == 2
    assert pq.read_table(path).column("text").to_pylist() == [long] * 3


def test_hostile_values_are_text_and_nothing_else(tmp_path: Path) -> None:
    hostile = "=1+1 <script>alert(1)</script>\x00 \u202e"
    path = exported("parquet", tmp_path / "a.parquet", [export_article(metadata={"headline": hostile, "author": [hostile]})])
    (row,) = pq.read_table(path).to_pylist()
    assert row["headline"].startswith("=1+1 <script>alert(1)</script>")
    assert "\x00" not in row["headline"] + row["author"][0]


def test_an_export_without_articles_is_a_table_without_rows(tmp_path: Path) -> None:
    assert pq.read_table(exported("parquet", tmp_path / "a.parquet", [])).num_rows == 0


def test_chosen_columns_are_the_only_ones(tmp_path: Path) -> None:
    path = exported("parquet", tmp_path / "a.parquet", [export_article()], fields=("mentions", "text"))
    assert pq.read_table(path).to_pylist() == [{"mentions": [], "text": "The bridge is open."}]


def test_it_is_not_packed_twice(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"leave \.gz away"):
        exported("parquet", tmp_path / "a.parquet.gz", [])


def test_the_same_articles_give_the_same_bytes(tmp_path: Path) -> None:
    one, other = (exported("parquet", tmp_path / name / "a.parquet", map(export_article, range(9))) for name in ("one", "other"))
    assert one.read_bytes() == other.read_bytes()


def test_without_pyarrow_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "webarticlecurator.exporting.formats.parquet")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(UsageError, match=r"webarticlecurator\[parquet\]"):
        FORMATS["parquet"].writer()
