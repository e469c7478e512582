"""The table in pandas."""

from __future__ import annotations

import sys

import pandas
import pytest
from export_articles import PORTAL, export_article

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting.articles import ExportArticle
from webarticlecurator.exporting.data_frame import DataFrameRows
from webarticlecurator.exporting.table import COLUMNS
from webarticlecurator.model.analysis import Analysis


def frame(*articles: ExportArticle, fields: tuple[str, ...] = ()) -> pandas.DataFrame:
    rows = DataFrameRows(fields, [PORTAL])
    for one in articles:
        rows.write(one)
    rows.finish()
    return rows.frame()


def test_columns_have_their_types_and_values_may_be_missing() -> None:
    known = export_article(
        metadata={"author": ["Kiss Anna", "Nagy Béla"], "isAccessibleForFree": "true"}, analysis=Analysis(language="hu", certainty=0.5)
    )
    table = frame(known, export_article(2, metadata={"datePublished": "2024-05"}))
    assert list(table) == list(COLUMNS)
    types = table.dtypes.astype(str)
    assert [types[name] for name in ("headline", "author", "year", "language_certainty", "isAccessibleForFree", "date_utc")] == [
        "string",
        "object",
        "Int64",
        "Float64",
        "boolean",
        "datetime64[us, UTC]",
    ]
    assert table["author"].tolist() == [["Kiss Anna", "Nagy Béla"], []]
    assert table["date_utc"].tolist()[0] == pandas.Timestamp("2024-05-01T08:00:00Z")
    for name in ("date_utc", "day", "isAccessibleForFree", "language_certainty"):
        assert table[name].isna().tolist() == [False, True]


def test_without_articles_the_columns_are_there_with_their_types() -> None:
    assert frame().dtypes.astype(str).equals(frame(export_article()).dtypes.astype(str))


def test_columns_are_chosen() -> None:
    assert frame(export_article(), fields=("text", "id")).columns.tolist() == ["text", "id"]


def test_without_pandas_there_is_a_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", None)
    with pytest.raises(UsageError, match=r"webarticlecurator\[pandas\]"):
        frame(export_article())
