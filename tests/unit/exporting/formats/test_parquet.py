"""Parquet, read back by pyarrow and pandas; and the dataset card."""

from __future__ import annotations

import sys
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pandas
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
import yaml
from export_articles import CAPTURE, PORTAL, export_article
from exported import exported
from huggingface_hub import DatasetCard

from webarticlecurator.errors import UsageError
from webarticlecurator.exporting import dataset_card
from webarticlecurator.exporting.formats import FORMATS, parquet
from webarticlecurator.exporting.table import COLUMNS
from webarticlecurator.model.analysis import Analysis


def card(path: Path, name: str = "README.md") -> tuple[dict[str, object], str]:
    """The head, and the rest."""
    _, head, rest = (path.parent / name).read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(head), rest


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


# --- the card ---


def test_the_card_has_the_head_that_hugging_face_reads(tmp_path: Path) -> None:
    path = exported("parquet", tmp_path / "pelda.parquet", map(export_article, range(3)))
    head, rest = card(path)
    assert head == {
        "pretty_name": "Articles of Példa Hírek",
        "language": ["hu"],
        "license": "cc-by-sa-4.0",
        "size_categories": ["n<1K"],
        "task_categories": ["text-generation", "fill-mask"],
        "annotations_creators": ["no-annotation"],
        "language_creators": ["found"],
        "source_datasets": ["original"],
        "configs": [{"config_name": "default", "data_files": [{"split": "train", "path": "pelda.parquet"}]}],
    }
    assert all(f"| `{one.name}` | {one.holds.value} |" in rest for one in COLUMNS.values())
    assert "3 articles" in rest and "0123abcd" in rest and "© Példa Kft." in rest
    assert "without the posts and comments of readers" in rest


def test_the_library_of_hugging_face_reads_the_head(tmp_path: Path) -> None:
    exported("parquet", tmp_path / "a.parquet", map(export_article, range(3)))
    data = DatasetCard.load(tmp_path / "README.md").data
    assert (data.license, data.language, data.size_categories) == ("cc-by-sa-4.0", ["hu"], ["n<1K"])
    assert data.get("configs")[0]["data_files"] == [{"split": "train", "path": "a.parquet"}]


@pytest.mark.parametrize(
    ("licence", "rights", "head"),
    [
        ("https://creativecommons.org/publicdomain/zero/1.0/", None, {"license": "cc0-1.0"}),
        ("http://creativecommons.org/licenses/by/4.0/deed.hu", None, {"license": "cc-by-4.0"}),
        (
            "http://rightsstatements.org/vocab/InC/1.0/",
            "©",
            {"license": "other", "license_name": "see-rights", "license_link": "http://rightsstatements.org/vocab/InC/1.0/"},
        ),
        (None, "All rights reserved", {"license": "other"}),
        (None, None, {"license": "unknown"}),
    ],
)
def test_the_card_names_a_licence_that_hugging_face_knows_or_none(
    licence: str | None, rights: str | None, head: dict[str, str], tmp_path: Path
) -> None:
    portal = replace(PORTAL, licence=licence, rights=rights)
    found, _ = card(exported("parquet", tmp_path / "a.parquet", [export_article()], portals=[portal]))
    assert {name: value for name, value in found.items() if name.startswith("license")} == head


def test_two_licences_are_no_licence(tmp_path: Path) -> None:
    other = replace(PORTAL, name="masik", licence=None, rights=None)
    found, rest = card(exported("parquet", tmp_path / "a.parquet", [export_article()], portals=[PORTAL, other]))
    assert found["license"] == "other"
    assert rest.count("Példa Hírek") > 2


def test_what_portals_call_themselves_stays_text_in_the_card(tmp_path: Path) -> None:
    hostile = "x: y\n---\n# <img src=x onerror=alert(1)> [a](javascript:alert(1)) | b"
    portal = replace(PORTAL, title=hostile, rights=hostile, publisher=hostile)
    head, rest = card(exported("parquet", tmp_path / "a.parquet", [export_article()], portals=[portal]))
    assert head["pretty_name"] == f"Articles of {' '.join(hostile.split())}"
    assert "<img" not in rest
    assert "](" not in rest
    rows = [line for line in rest.splitlines() if line.startswith("| x: y")]
    assert [row.replace("\\|", "").count("|") for row in rows] == [7, 5]


def test_somebody_else_s_readme_is_left_alone_and_our_own_is_made_again(tmp_path: Path) -> None:
    exported("parquet", tmp_path / "a.parquet", [])
    exported("parquet", tmp_path / "a.parquet", [export_article()])
    assert "1 articles" in card(tmp_path / "a.parquet")[1]
    (tmp_path / "README.md").write_text("# My project", encoding="utf-8")
    notes: list[str] = []
    exported("parquet", tmp_path / "a.parquet", [export_article()], notes=notes)
    assert "a.README.md" in notes[0]
    assert (tmp_path / "README.md").read_text(encoding="utf-8") == "# My project"
    assert card(tmp_path / "a.parquet", "a.README.md")[0]["license"] == "cc-by-sa-4.0"


@pytest.mark.parametrize(
    ("articles", "size"), [(0, "n<1K"), (999, "n<1K"), (1000, "1K<n<10K"), (2_000_000, "1M<n<10M"), (10**9, "10M<n<100M")]
)
def test_the_size_is_one_of_the_classes(articles: int, size: str) -> None:
    counts = dataset_card.CardCounts()
    counts.portals["pelda"].articles = articles
    assert dataset_card._head("a.parquet", [PORTAL], counts)["size_categories"] == [size]
