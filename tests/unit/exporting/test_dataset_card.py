"""The dataset card that lies beside a parquet file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import yaml
from export_articles import PORTAL, export_article
from exported import exported
from huggingface_hub import DatasetCard

from webarticlecurator.exporting import dataset_card
from webarticlecurator.exporting.table import COLUMNS


def card(path: Path, name: str = "README.md") -> tuple[dict[str, object], str]:
    """The head, and the rest."""
    _, head, rest = (path.parent / name).read_text(encoding="utf-8").split("---\n", 2)
    return yaml.safe_load(head), rest


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
    assert "1 article as text" in card(tmp_path / "a.parquet")[1]
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
