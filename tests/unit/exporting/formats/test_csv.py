"""Comma-separated values, read back by those who read them."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pandas
import pytest
from export_articles import export_article
from exported import exported

from webarticlecurator.exporting.table import COLUMNS


def rows(path: Path) -> list[dict[str, str]]:
    usual = csv.field_size_limit(1 << 30)  # Python's own is 131,072 characters
    try:
        return list(csv.DictReader(io.StringIO(path.read_bytes().decode("utf-8"), newline="")))
    finally:
        csv.field_size_limit(usual)


def test_a_row_an_article_with_all_columns_by_rfc_4180(tmp_path: Path) -> None:
    article = export_article(metadata={"headline": 'He said "no", twice', "author": ["Kiss Anna", "Nagy; Béla"]}, text="One\nTwo")
    path = exported("csv", tmp_path / "a.csv", [article])
    raw = path.read_bytes()
    assert raw.startswith(b"id,portal,url,") and raw.endswith(b'"One\nTwo"\r\n')
    assert b'"He said ""no"", twice"' in raw
    (row,) = rows(path)
    assert list(row) == list(COLUMNS)
    assert (row["headline"], row["author"], row["text"]) == ('He said "no", twice', "Kiss Anna; Nagy, Béla", "One\nTwo")
    assert (row["date_utc"], row["isAccessibleForFree"], row["canonical"]) == ("2024-05-01T08:00:00Z", "", "")


def test_pandas_reads_numbers_and_dates(tmp_path: Path) -> None:
    undated = export_article(2, metadata={"datePublished": "2024-05-02"})
    path = exported("csv", tmp_path / "a.csv", [export_article(), undated])
    table = pandas.read_csv(path, parse_dates=["date_utc", "captured"], dtype_backend="numpy_nullable")
    assert table["date_utc"].dt.tz is not None
    assert table["date_utc"].tolist()[0] == pandas.Timestamp("2024-05-01T08:00:00Z")
    assert table["date_utc"].isna().tolist() == [False, True]
    assert (table["words"].sum(), table["warc_offset"].tolist()) == (8, [512, 512])


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r="])
def test_no_cell_is_a_formula_and_numbers_stay_numbers(start: str, tmp_path: Path) -> None:
    formula = f"{start}cmd|' /C calc'!A0"
    article = export_article(metadata={"headline": formula, "author": [formula, "B"], "keywords": ["B", "=C"]}, text=formula)
    (row,) = rows(exported("csv", tmp_path / "a.csv", [article]))
    assert [row[name][0] for name in ("headline", "author", "text")] == ["'", "'", "'"]
    assert (row["keywords"], row["warc_offset"]) == ("B; =C", "512")
    assert not any(value.startswith(tuple("=+-@\t\r")) for value in row.values())


def test_a_byte_order_mark_is_written_on_request(tmp_path: Path) -> None:
    path = exported("csv", tmp_path / "a.csv", [export_article()], format_options={"bom": True})
    assert path.read_bytes().startswith(b"\xef\xbb\xbfid,")


def test_columns_are_chosen_also_where_all_of_them_are_empty(tmp_path: Path) -> None:
    article = export_article(metadata={"genre": []})
    assert exported("csv", tmp_path / "a.csv", [article], fields=("genre", "id")).read_bytes() == (
        b"genre,id\r\n,pelda-0000000000000001\r\n"
    )
    assert exported("csv", tmp_path / "b.csv", [article], fields=("genre",)).read_bytes() == b'genre\r\n""\r\n'


def test_hostile_values_are_text_and_nothing_else(tmp_path: Path) -> None:
    hostile = '<script>alert("1")</script>\x00, \r\n"; DROP TABLE articles; \u202eflipped'
    (row,) = rows(exported("csv", tmp_path / "a.csv", [export_article(metadata={"headline": hostile}, text="x" * 10_000_000)]))
    assert row["headline"].startswith('<script>alert("1")</script>, ')
    assert len(row) == len(COLUMNS)


def test_what_had_to_be_changed_and_what_excel_cuts_is_told(tmp_path: Path) -> None:
    article = export_article(metadata={"headline": "=1", "keywords": ["a;b", "c"], "author": ["D"]}, text="x" * 40_000)
    notes: list[str] = []
    exported("csv", tmp_path / "a.csv", [article, export_article(2)], notes=notes)
    assert [re.search(r"[\d,]+ (cells?|lists?)", one)[0] for one in notes] == ["1 cell", "1 list", "1 cell"]
    assert "apostrophe" in notes[0] and "semicolon" in notes[1] and "32,767" in notes[2]
