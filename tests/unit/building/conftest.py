"""A small corpus for every test of building."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_corpus import SmallCorpus


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    return SmallCorpus(tmp_path)
