"""What the tests of this folder share."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import pytest
from whole_corpus import Stored, whole_corpus


@pytest.fixture(scope="session")
def everything(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stored]:
    """To be looked at only."""
    with whole_corpus(tmp_path_factory.mktemp("everything")) as stored:
        yield stored


@pytest.fixture
def stored(everything: Stored, tmp_path: Path) -> Stored:
    """The same, to be spoilt."""
    copytree(everything.folder, tmp_path / "corpus")
    return Stored(tmp_path / "corpus", everything.rules, everything.home)
