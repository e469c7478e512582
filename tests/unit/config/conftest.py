"""Portal files written in a test, and what loading them gives."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from webarticlecurator.config.load import load_portal
from webarticlecurator.config.portal import Portal
from webarticlecurator.errors import Mistake, PortalFileError

HEAD = "portal: pelda\nhome: https://pelda.example/\n"

Load = Callable[[str], Portal]
MistakesOf = Callable[[str], list[str]]


@pytest.fixture
def load(tmp_path: Path) -> Load:
    """Load a portal file of which only what comes after `portal` and `home` is given."""

    def load_text(text: str) -> Portal:
        file = tmp_path / "portal.yaml"
        file.write_text(HEAD + text, encoding="utf-8")
        return load_portal(file)

    return load_text


@pytest.fixture
def mistakes_of(load: Load) -> MistakesOf:
    """`line:column: message` of each mistake; lines are counted after `portal` and `home`."""

    def mistakes(text: str) -> list[str]:
        try:
            load(text)
        except PortalFileError as error:
            return [_shown(mistake) for mistake in error.mistakes]
        return []

    return mistakes


def _shown(mistake: Mistake) -> str:
    return f"{mistake.line - HEAD.count(chr(10))}:{mistake.column}: {mistake.message}"
