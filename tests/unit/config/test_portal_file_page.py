"""docs/reference/portal-file.md names every property, and its examples are right."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from types import ModuleType
from typing import Any

import pytest

from webarticlecurator import resources
from webarticlecurator.config.load import load_portal
from webarticlecurator.config.structure import portal_schema

DOCS = Path(__file__).parents[3] / "docs"
MistakesOf = Callable[[str], list[str]]


@pytest.fixture(scope="module")
def reference() -> ModuleType:
    spec = importlib.util.spec_from_file_location("portal_reference", DOCS / "portal_reference.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def page() -> str:
    return (DOCS / "reference" / "portal-file.md").read_text(encoding="utf-8")


def test_its_tables_are_those_of_the_schema(reference: ModuleType, page: str) -> None:
    assert page == reference.portal_file_page(), "run `make docs`"


def described(schema: Any) -> Iterator[tuple[str, str]]:
    """Name and description of every property."""
    if isinstance(schema, dict):
        for name, below in schema.get("properties", {}).items() if isinstance(schema.get("properties"), dict) else ():
            yield name, below["description"]
        for below in schema.values():
            yield from described(below)
    elif isinstance(schema, list):
        for below in schema:
            yield from described(below)


def test_every_property_of_the_schema_is_named_and_explained(page: str) -> None:
    cells = {tuple(line.split(" | ")[:2]) for line in page.replace("\\|", "/").splitlines() if line.startswith("| `")}
    missing = [name for name, says in described(portal_schema()) if (f"| `{name}`", " ".join(says.split()).replace("|", "/")) not in cells]
    assert missing == []


def test_every_preset_is_named(page: str) -> None:
    assert [preset.stem for preset in resources.presets().glob("*.yaml") if preset.stem not in page] == []


def test_its_examples_are_right(page: str, tmp_path: Path, mistakes_of: MistakesOf) -> None:
    whole, _, picks, ways, feed, browser = (dedent(text) for text in re.findall(r"```yaml\n(.*?)```", page, re.DOTALL))
    file = tmp_path / "first.yaml"
    file.write_text(whole, encoding="utf-8")
    assert load_portal(file).columns
    assert mistakes_of(picks) == mistakes_of(ways) == mistakes_of(feed) == mistakes_of(browser) == []
