"""Broken portal files: each mistake is found, placed and explained, and nothing else is said.

Beside each `tests/broken_portals/NAME.yaml` stands `NAME.mistakes`: a line for each mistake, `file:line:column: part of the message`.
"""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from webarticlecurator.config.load import load_portal
from webarticlecurator.errors import PortalFileError

FOLDER = Path(__file__).parents[2] / "broken_portals"
CASES = sorted(FOLDER.glob("*.yaml"))


def test_there_are_enough_of_them() -> None:
    assert len(CASES) >= 40


@pytest.mark.parametrize("file", CASES, ids=lambda file: file.stem)
def test_each_mistake_is_found_placed_and_explained(file: Path) -> None:
    expected = file.with_suffix(".mistakes").read_text(encoding="utf-8").splitlines()
    assert expected, "a broken portal file without an expected mistake tests nothing"
    with pytest.raises(PortalFileError) as refused:
        load_portal(file)
    found = [
        f"{os.path.relpath(mistake.file, FOLDER)}:{mistake.line}:{mistake.column}: {mistake.message}" for mistake in refused.value.mistakes
    ]
    assert [place_of(line) for line in found] == [place_of(line) for line in expected], found
    for told, part in zip(found, expected, strict=True):
        assert told.startswith(part), told


def place_of(line: str) -> list[str]:
    return line.split(": ")[0].split(":")
