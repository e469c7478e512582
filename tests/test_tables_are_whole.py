"""Whoever adds a row to a table of the program is told here what else is missing: CONTRIBUTING.md says which row makes what."""

from __future__ import annotations

import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from webarticlecurator import resources
from webarticlecurator.config.pick_steps import Pick
from webarticlecurator.config.portal import PagingMode
from webarticlecurator.config.structure import portal_schema
from webarticlecurator.exporting.formats import FORMATS
from webarticlecurator.survey.audit.findings import KINDS

TESTS = Path(__file__).resolve().parent
PICK_KEYS = {one.name for one in fields(Pick)} - {"source"}
PRESETS = {preset.stem for preset in resources.presets().glob("*.yaml")}
NO_ROWS = {"map_file": "read into `map`", "all_of": "several picks"}
"""Keys of a pick in the schema that are no rows of `Pick`."""


@pytest.fixture(scope="module")
def shapes() -> dict[str, Any]:
    """Name of a part of the portal file -> its schema."""
    shapes: dict[str, Any] = portal_schema()["definitions"]
    return shapes


def text_of(*places: str) -> str:
    """Of all tests there: folders, or patterns of files."""
    files = [file for place in places for file in sorted(TESTS.glob(place)) if file.resolve() != Path(__file__).resolve()]
    assert files
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def test_every_key_of_a_pick_is_in_the_schema_and_the_other_way_round(shapes: dict[str, Any]) -> None:
    assert set(shapes["pickShape"]["properties"]) == PICK_KEYS | set(NO_ROWS)


@pytest.mark.parametrize("key", sorted(PICK_KEYS))
def test_every_key_of_a_pick_has_a_test_that_uses_it(key: str) -> None:
    tests = text_of("unit/extraction/test_*.py", "unit/config/test_pick*.py", "contract/test_design_picks.py")
    assert re.search(rf"\b{key}\b[\"']?[:=]", tests)


def test_every_way_of_paging_is_in_the_schema_and_the_other_way_round(shapes: dict[str, Any]) -> None:
    assert set(shapes["pages"]["properties"]["mode"]["enum"]) == {*PagingMode, None}


@pytest.mark.parametrize("format", FORMATS)
def test_every_format_of_an_export_has_its_tests(format: str) -> None:
    assert (TESTS / "unit" / "exporting" / "formats" / f"test_{format}.py").is_file()


@pytest.mark.parametrize("preset", sorted(PRESETS))
def test_every_preset_has_a_test_that_reads_pages_by_it(preset: str) -> None:
    assert re.search(rf"""["':= ]{preset}["'\\\n,\]}}]""", text_of("contract/*.py", "unit/extraction/**/*.py", "../examples/sites/*.py"))


@pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.key)
def test_every_finding_of_an_audit_has_a_test_that_plants_it(kind: Any) -> None:
    assert f'"{kind.key}"' in text_of("contract/test_audit*.py", "unit/survey/audit/*.py")


def test_what_contributing_names_is_there() -> None:
    root = TESTS.parent
    named = set(re.findall(r"`([\w.]+/[\w./]*)`", (root / "CONTRIBUTING.md").read_text(encoding="utf-8")))
    assert len(named) > 40
    assert [name for name in sorted(named) if not (root / name).exists() and "NAME" not in name] == []
