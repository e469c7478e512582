"""The rules that docs/tutorials/workshop.md arrives at: few, and read without a mistake."""

from __future__ import annotations

from pathlib import Path

import pytest

from webarticlecurator.config.load import load_portal

MOST_RULES = 30


@pytest.mark.parametrize("name", ["bbc", "brussels"])
def test_the_rules_of_the_guide_are_few(repo_root: Path, name: str) -> None:
    portal = load_portal(repo_root / "benchmarks" / "workshop" / f"{name}.yaml")
    root = len(portal.body.root.alternatives) if portal.body.root is not None else 0
    assert root + len(portal.articles.skip_when) + len(portal.body.tags[0].rules) <= MOST_RULES
