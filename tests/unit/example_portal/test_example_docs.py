"""The portal file and the documentation of the example portal say what the portal does."""

from __future__ import annotations

from pathlib import Path

import yaml

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import PagingMode
from webarticlecurator.example_portal import SWITCHES, ExamplePortal

ROOT = Path(__file__).resolve().parents[3]
DOCS = ROOT / "docs"


def test_the_portal_file_has_every_column_and_every_paging_mode(portal: ExamplePortal, tmp_path: Path) -> None:
    loaded = load_portal(portal.portal_file(tmp_path))
    assert {column.name for column in loaded.columns} == set(portal.articles)
    assert {column.paging.mode for column in loaded.columns} == set(PagingMode) - {PagingMode.SCROLL, PagingMode.LOAD_MORE}


def test_the_file_of_the_part_that_needs_a_browser_has_its_columns_and_the_modes_of_a_browser(
    portal: ExamplePortal, tmp_path: Path
) -> None:
    loaded = load_portal(portal.portal_file(tmp_path, scripted=True))
    assert {column.name for column in loaded.columns} == set(portal.scripted_articles)
    assert {PagingMode.SCROLL, PagingMode.LOAD_MORE} <= {column.paging.mode for column in loaded.columns}
    assert all(column.rendering for column in loaded.columns) and loaded.articles.rendering


def test_the_portal_file_tells_how_all_metadata_and_bodies_are_read() -> None:
    portal_file = yaml.safe_load((ROOT / "examples/portal/portal.yaml").read_text("utf-8"))
    assert {"metadata", "body", "posts", "layouts"} <= set(portal_file)


def test_every_switch_is_documented_with_its_meaning() -> None:
    documented = (DOCS / "reference" / "example-portal.md").read_text("utf-8")
    rows = [f"| `{switch.name}` | {switch.meaning} | {switch.scope} |" for switch in SWITCHES.values()]
    assert [row for row in rows if row not in documented] == []


def test_every_column_is_documented(portal: ExamplePortal) -> None:
    documented = (DOCS / "reference" / "example-portal.md").read_text("utf-8")
    columns = [*portal.articles, *portal.scripted_articles]
    assert [name for name in columns if f"| `{name}` |" not in documented] == []


def test_the_tutorial_s_portal_file_loads(tmp_path: Path) -> None:
    block = (DOCS / "tutorials" / "tutorial.md").read_text("utf-8").partition("```yaml\n")[2].partition("```")[0]
    file = tmp_path / "portal.yaml"
    file.write_text(block, "utf-8")
    loaded = load_portal(file)
    assert [column.paging.mode for column in loaded.columns] == [PagingMode.NEXT_LINK]
