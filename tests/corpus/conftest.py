"""What the tests of this folder share."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from shutil import copytree
from typing import Any

import pytest
from scripted_portal import Crawler, ScriptedPortal
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


@pytest.fixture
def crawler(curator: Callable[..., Any], tmp_path: Path, site: ScriptedPortal) -> Crawler:
    """Whoever crawls the scripted portal, with one archive page at /lista unless the test says otherwise."""
    return Crawler(curator, tmp_path, site, "archive: {url: HOME/lista, pages: none, link: h2 a}\n")
