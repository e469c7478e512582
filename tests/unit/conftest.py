"""A small corpus, for the tests of all that stands on one."""

from __future__ import annotations

from pathlib import Path

import pytest
from small_corpus import SmallCorpus


@pytest.fixture
def corpus(tmp_path: Path) -> SmallCorpus:
    return SmallCorpus(tmp_path)
