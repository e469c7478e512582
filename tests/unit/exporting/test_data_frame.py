"""The table in pandas."""

from __future__ import annotations

import sys
from pathlib import Path

import pandas
import pytest
from built_corpora import article, built_corpus, post
from export_articles import PORTAL, export_article

from webarticlecurator import read_corpus
from webarticlecurator.errors import CorpusError, UsageError
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


# --- of a corpus ---


def test_a_corpus_is_a_table_by_the_filters_of_an_export(tmp_path: Path) -> None:
    portal = built_corpus(
        tmp_path,
        [
            article(1, "Of a bridge.", metadata={"articleSection": "Sport"}),
            article(2, "Of a school.", date="2020-01-01"),
            article(3, "Of a game.", date="2023-05-01", metadata={"articleSection": "Sport"}, posts=(post("No!", author="Ada"),)),
        ],
        columns={"news": [1, 3]},
    )
    articles = read_corpus(portal)
    assert articles.to_pandas()["text"].tolist() == ["Of a school.", "Of a game.", "Of a bridge."]
    table = articles.to_pandas(section="Sport", with_="comments", fields=("text", "column", "year"))
    assert table["text"].tolist() == ["Of a game.\nNo!", "Of a bridge."]
    assert table["column"].tolist() == [["news"], ["news"]]
    assert list(read_corpus(str(portal)).to_pandas(fields=("id",), where=["year>=2024"])) == ["id"]


def test_names_are_replaced_where_that_is_wanted_and_options_without_meaning_are_refused(tmp_path: Path) -> None:
    articles = read_corpus(built_corpus(tmp_path, [article(1, "Text.", metadata={"author": "Ada"})]))
    ((author,),) = articles.to_pandas(pseudonymise="author", key=tmp_path / "key")["author"]
    assert author and author != "Ada"
    with pytest.raises(UsageError, match="--bom"):
        articles.to_pandas(bom=True)
    with pytest.raises(UsageError, match="no column sektion"):
        articles.to_pandas(fields=["sektion"])


def test_where_nothing_is_built_the_command_to_give_is_named(tmp_path: Path) -> None:
    portal = built_corpus(tmp_path, [])
    (tmp_path / "corpora" / "pelda" / "build.sqlite").unlink()
    with pytest.raises(CorpusError, match="curator build"):
        read_corpus(portal).to_pandas()
